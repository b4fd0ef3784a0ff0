/** What a call costs the others, as far as its arguments tell before it runs: the queue that it waits in (jsonrpc/slots).
 *  - light: searches no tree, such as a read of some lines
 *  - narrow: searches the part of a tree that its caller named
 *  - wide: searches a whole tree
 *  - tests: runs tests, of which only few may run (testing/test-runs); they last long, and search nothing */
export type Lane = 'light' | 'narrow' | 'wide' | 'tests';

/** Lightest first. */
export const LANES: readonly Lane[] = ['light', 'narrow', 'wide', 'tests'];

const ROOT = /^(?:\.?\/)*\.?$/;

/** Of a search: a scope other than the root makes it narrow. Takes arguments as they came, since a call waits unchecked. */
export function laneOfSearch({ scope }: Readonly<Record<string, unknown>>): Lane {
  return typeof scope === 'string' && !ROOT.test(scope.trim()) ? 'narrow' : 'wide';
}
