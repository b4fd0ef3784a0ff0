/** One ripgrep run for a name as a whole identifier: every hit is graded by the look of its line, the best are kept, all are
 *  counted. Memory is bounded by what is kept. */
import type { LanguageName } from '../code/language.js';
import { DEMOTION } from '../ranking/path-class.js';
import type { SearchEnd } from '../ripgrep/process.js';
import { type Coverage, isTimedOut, type Resume, type Sight } from './cover.js';
import type { FileHits } from './distribution.js';
import { coverFrame, type Frame } from './frame.js';
import { searchedBy } from './notes.js';
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
  readonly coverage: Coverage<SearchEnd>;
  /** What runs that were cut short have seen. */
  readonly sights: readonly Sight[];
}

const MOST_CANDIDATES = 200;
/** Places that are kept of a run that was cut short. */
const MOST_SIGHTS = 50;
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
 *  @param from     where an earlier call left off */
export async function findSymbolHits(
  name: string,
  ignoreCase: boolean,
  keepUses: number,
  frame: Frame,
  from?: Resume | undefined,
): Promise<SymbolHits> {
  const all = new HitTally(keepUses);
  const sights: Sight[] = [];
  const { progress } = frame.context;
  const coverage = await coverFrame(frame, from, async (open) => {
    const tally = new HitTally(keepUses);
    progress.restart(all.total, all.files);
    const ends = await scanSymbols([name], ignoreCase, open, {
      file: (language, path) => tally.countFile(language, path),
      hit: (hit) => tally.add(hit),
    });
    if (ends.some((end) => end.reason === 'deadline')) sights.push(...tally.uses.sorted().slice(0, MOST_SIGHTS));
    return { ends, keep: () => all.join(tally) };
  });
  if (from === undefined && !isTimedOut(coverage)) frame.tree.learn(searchedBy(coverage.ends));
  return { isAnyCase: ignoreCase, ...all.result(), coverage, sights };
}

/** Hits of a run, the best of them kept. */
class HitTally {
  readonly uses: Smallest<SymbolHit>;
  readonly #candidates = new Smallest<SymbolHit>(MOST_CANDIDATES, byCertainty);
  readonly #possible = new Smallest<SymbolHit>(MOST_CANDIDATES, byCertainty);
  readonly #counts = { code: 0, test: 0, text: 0 };
  readonly #languages = new Map<LanguageName, number>();
  readonly #tally: { path: string; hits: number }[] = [];

  constructor(keepUses: number) {
    this.uses = new Smallest<SymbolHit>(keepUses, byUse);
  }

  get total(): number {
    return this.#counts.code + this.#counts.test + this.#counts.text;
  }

  get files(): number {
    return this.#tally.length;
  }

  /** A file whose hits follow. */
  countFile(language: LanguageName | undefined, path: string): void {
    this.#tally.push({ path, hits: 0 });
    if (language !== undefined) this.#languages.set(language, (this.#languages.get(language) ?? 0) + 1);
  }

  add(hit: SymbolHit): void {
    const file = this.#tally.at(-1);
    if (file !== undefined) file.hits++;
    const rank = useRank(hit);
    this.#counts[rank === 0 ? 'code' : rank === 1 ? 'test' : 'text']++;
    this.uses.add(hit);
    if (hit.role !== 'code') return;
    if (hit.grade === 'possible' || hit.grade === 'item') this.#possible.add(hit);
    else if (hit.grade !== 'none') this.#candidates.add(hit);
  }

  /** Takes over what another run over other files has found. */
  join(other: HitTally): void {
    for (const hit of other.uses.sorted()) this.uses.add(hit);
    for (const hit of other.#candidates.sorted()) this.#candidates.add(hit);
    for (const hit of other.#possible.sorted()) this.#possible.add(hit);
    for (const kind of ['code', 'test', 'text'] as const) this.#counts[kind] += other.#counts[kind];
    for (const [language, files] of other.#languages) this.#languages.set(language, (this.#languages.get(language) ?? 0) + files);
    for (const file of other.#tally) this.#tally.push(file);
  }

  result(): Omit<SymbolHits, 'isAnyCase' | 'coverage' | 'sights'> {
    return {
      candidates: this.#candidates.sorted(),
      possible: this.#possible.sorted(),
      uses: this.uses.sorted(),
      counts: this.#counts,
      files: this.#tally.length,
      tally: this.#tally,
      languages: this.#languages,
    };
  }
}
