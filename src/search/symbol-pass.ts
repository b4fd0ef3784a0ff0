/** One ripgrep run for a name as a whole identifier: every hit is graded by the look of its line, the best are kept, all are
 *  counted. Memory is bounded by what is kept. */
import type { LanguageName } from '../code/language.js';
import { DEMOTION } from '../ranking/path-class.js';
import type { SearchEnd } from '../ripgrep/process.js';
import type { FileHits } from './distribution.js';
import type { Frame } from './frame.js';
import { comparePaths } from './order.js';
import { Smallest } from './smallest.js';
import { GRADES, type SymbolHit, scanSymbols } from './symbol-scan.js';

export interface SymbolHits {
  readonly isAnyCase: boolean;
  /** Lines that look like definitions, most certain first. */
  readonly candidates: readonly SymbolHit[];
  /** Lines that may be definitions; only a tree can tell. */
  readonly possible: readonly SymbolHit[];
  /** All lines in the order of use: code, then tests, then comments and strings; by path and line. */
  readonly uses: readonly SymbolHit[];
  readonly counts: { readonly code: number; readonly test: number; readonly text: number };
  readonly files: number;
  /** Lines in each file, in no order. */
  readonly tally: readonly FileHits[];
  /** Languages of the files with hits, and in how many. */
  readonly languages: ReadonlyMap<LanguageName, number>;
  readonly ends: readonly SearchEnd[];
}

const MOST_CANDIDATES = 200;
export const certainty = (hit: SymbolHit): number => GRADES[hit.grade] * DEMOTION[hit.class];

const byCertainty = (a: SymbolHit, b: SymbolHit): number => certainty(b) - certainty(a) || byPlace(a, b);
const byPlace = (a: SymbolHit, b: SymbolHit): number => comparePaths(a.path, b.path) || a.line - b.line;
const byUse = (a: SymbolHit, b: SymbolHit): number => useRank(a) - useRank(b) || byPlace(a, b);

/** Code first, then tests, then what is no code. */
export function useRank({ role, class: kind }: SymbolHit): 0 | 1 | 2 {
  if (role !== 'code' || !['source', 'header', 'build', 'test'].includes(kind)) return 2;
  return kind === 'test' ? 1 : 0;
}

/** @param keepUses uses that are kept; all are counted
 */
export async function findSymbolHits(name: string, ignoreCase: boolean, keepUses: number, frame: Frame): Promise<SymbolHits> {
  const candidates = new Smallest<SymbolHit>(MOST_CANDIDATES, byCertainty);
  const possible = new Smallest<SymbolHit>(MOST_CANDIDATES, byCertainty);
  const uses = new Smallest<SymbolHit>(keepUses, byUse);
  const counts = { code: 0, test: 0, text: 0 };
  const languages = new Map<LanguageName, number>();
  const tally: { path: string; hits: number }[] = [];
  const ends = await scanSymbols([name], ignoreCase, frame, {
    file: (language, path) => {
      tally.push({ path, hits: 0 });
      if (language !== undefined) languages.set(language, (languages.get(language) ?? 0) + 1);
    },
    hit: (hit) => {
      const file = tally.at(-1);
      if (file !== undefined) file.hits++;
      const rank = useRank(hit);
      counts[rank === 0 ? 'code' : rank === 1 ? 'test' : 'text']++;
      frame.context.progress.matches = counts.code + counts.test + counts.text;
      uses.add(hit);
      if (hit.role !== 'code') return;
      if (hit.grade === 'possible' || hit.grade === 'item') possible.add(hit);
      else if (hit.grade !== 'none') candidates.add(hit);
    },
  });
  return {
    isAnyCase: ignoreCase,
    candidates: candidates.sorted(),
    possible: possible.sorted(),
    uses: uses.sorted(),
    counts,
    files: tally.length,
    tally,
    languages,
    ends,
  };
}
