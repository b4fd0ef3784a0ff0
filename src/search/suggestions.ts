/** Changes to a call that would make it narrower, each with the number of hits that it would give. Pure. Every number is counted
 *  over the files with hits, by the very rule that the changed call would follow. */
import { LIMITS } from '../base/limits.js';
import { TEST_GLOBS, testGlobOf } from '../ranking/path-class.js';
import type { FileHits, Share } from './distribution.js';

export type Action = 'narrow_scope' | 'add_glob' | 'whole_word' | 'exclude_tests' | 'force';

/** The arguments of search tools that a suggestion may set. */
export type Argument = 'scope' | 'globs' | 'word' | 'exclude' | 'force';

export interface Suggestion {
  readonly action: Action;
  /** The argument that the repeated call sets, and to what; all others stay as they were. */
  readonly argument: Argument;
  readonly arg: string | readonly string[] | true;
  readonly wouldYield: number;
}

/** What the asked tool can be told, and what it was told. */
export interface Means {
  readonly globs?: readonly string[] | undefined;
  /** How tests are left out: by an argument for it, by a glob with `!`, or not at all. */
  readonly leavesOutBy: 'exclude' | 'globs' | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** Whether the tool takes globs. */
  readonly takesGlobs: boolean;
}

const MOST_EXTENSIONS = 4;
const MOST_TEST_GLOBS = 4;
/** A further glob for tests has to be worth its place: it leaves out at least this part of their hits. */
const LEAST_TEST_PART = 0.05;
/** A change that leaves more than this part of the hits is not worth a call. */
const WORTHWHILE = 0.95;
/** Nor is an ending with less than this part of them, which says nothing of what was looked for. */
const LEAST_PART = 0.05;
const EXTENSION = /\.([A-Za-z0-9_+-]{1,12})$/;

/** @param wholeWord hits with whole words alone, where that was counted */
export function suggest(
  files: readonly FileHits[],
  hits: number,
  shares: readonly Share[],
  wholeWord: number | undefined,
  means: Means,
): Suggestion[] {
  const most = hits * WORTHWHILE;
  const canBeAsked = ({ arg }: Suggestion): boolean => !Array.isArray(arg) || arg.length <= LIMITS.maxGlobs.max;
  const isWorthwhile = (one: Suggestion): boolean => one.wouldYield > 0 && one.wouldYield <= most && canBeAsked(one);
  const found: Suggestion[] = [
    ...shares.map(({ dir, hits: wouldYield }): Suggestion => ({ action: 'narrow_scope', argument: 'scope', arg: dir, wouldYield })),
    ...extensions(files, means).filter(({ wouldYield }) => wouldYield >= hits * LEAST_PART),
    ...(wholeWord === undefined ? [] : [{ action: 'whole_word', argument: 'word', arg: true, wouldYield: wholeWord } as const]),
    ...withoutTests(files, means),
  ];
  return [...found.filter(isWorthwhile), { action: 'force', argument: 'force', arg: true, wouldYield: hits }];
}

const isNegated = (glob: string): boolean => glob.startsWith('!');
/** Positive globs are alternatives: a further one would widen the search. */
const canAddGlob = ({ takesGlobs, globs = [] }: Means): boolean => takesGlobs && globs.every(isNegated);

function extensions(files: readonly FileHits[], means: Means): Suggestion[] {
  if (!canAddGlob(means)) return [];
  const byExtension = new Map<string, number>();
  for (const { path, hits } of files) {
    const extension = EXTENSION.exec(path)?.[1];
    if (extension !== undefined) byExtension.set(extension, (byExtension.get(extension) ?? 0) + hits);
  }
  return [...byExtension]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, MOST_EXTENSIONS)
    .map(([extension]) => ({
      action: 'add_glob',
      argument: 'globs',
      arg: [`*.${extension}`, ...(means.globs ?? [])],
      // A glob also means everything below a folder of such a name.
      wouldYield: sumOf(files, (path) => path.endsWith(`.${extension}`) || path.includes(`.${extension}/`)),
    }));
}

function withoutTests(files: readonly FileHits[], means: Means): Suggestion[] {
  const { leavesOutBy, globs = [], exclude = [] } = means;
  if (leavesOutBy === undefined) return [];
  const byGlob = new Map<string, number>();
  for (const file of files) {
    const glob = testGlobOf(file.path);
    if (glob !== undefined && isPlain(glob)) byGlob.set(glob, (byGlob.get(glob) ?? 0) + file.hits);
  }
  if (byGlob.size === 0) return [];
  const least = [...byGlob.values()].reduce((sum, hits) => sum + hits, 0) * LEAST_TEST_PART;
  const chosen = [...byGlob]
    .filter(([, hits]) => hits >= least)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, MOST_TEST_GLOBS)
    .map(([glob]) => glob);
  const arg = leavesOutBy === 'exclude' ? [...exclude, ...chosen] : [...globs, ...chosen.map((glob) => `!${glob}`)];
  const isLeftOut = matcherOf(chosen);
  const wouldYield = sumOf(files, (path) => !isLeftOut(path));
  return [{ action: 'exclude_tests', argument: leavesOutBy, arg, wouldYield }];
}

const isPlain = (glob: string): boolean => /^[\w.*-]+$/.test(glob);

/** Whether one of the globs matches a path, or a folder above it. Many files are asked about, so it is one expression; a test
 *  compares it with the globs themselves. */
export function matcherOf(globs: readonly string[]): (path: string) => boolean {
  const known = new Map(TEST_GLOBS);
  const forms = globs.map((glob) =>
    known.has(glob) ? glob.replace(/[.]/g, '\\.').replaceAll('*', '[^/]*') : glob.replace(/[^\w]/g, '\\$&'),
  );
  const expression = new RegExp(`(?:^|/)(?:${forms.join('|')})(?:/|$)`);
  return (path) => expression.test(path);
}

function sumOf(files: readonly FileHits[], isCounted: (path: string) => boolean): number {
  let sum = 0;
  for (const { path, hits } of files) if (isCounted(path)) sum += hits;
  return sum;
}
