/** The function or class that a ranked place is about. */
import type { Definition } from '../code/structure.js';
import type { Evidence, Range } from '../ranking/excerpt.js';
import type { Source } from './sources.js';

/** The block that holds most of what the best window tells; of the whole file where no block holds any of the window.
 *  @returns undefined where the lines that matter lie outside all blocks */
export function bestBlock(evidence: Evidence | undefined, window: Range, source: Source): Definition | undefined {
  const found = evidence?.found ?? [];
  const inside = found.filter(({ line }) => line >= window.start && line <= window.end);
  const worth = new Map<Definition, number>();
  for (const { line, value } of inside.length > 0 ? inside : found) {
    const block = source.structure.enclosing(line);
    if (block !== undefined) worth.set(block, (worth.get(block) ?? 0) + value);
  }
  return [...worth].sort((a, b) => b[1] - a[1] || a[0].startLine - b[0].startLine)[0]?.[0];
}

const CALLABLE: ReadonlySet<string> = new Set(['function', 'method', 'macro']);

/** As a reply names it: `Session.refresh()`, `class Session`. */
export function blockName({ kind, container, name }: Pick<Definition, 'kind' | 'container' | 'name'>): string {
  const full = container === '' ? name : `${container}.${name}`;
  return CALLABLE.has(kind) ? `${full}()` : `${kind} ${full}`;
}
