/** Scores of files from their hits. Pure. score = (0.5 file + 0.5 window + 0.3 multi + path) x demotion; each part is named, so
 *  that a score explains itself. Formula and weights: docs/ranking.md. */
import { FILE_BM25, idf, MULTI_BM25, saturate, WINDOW_BM25 } from './bm25.js';
import type { HitFile, HitTable } from './hits.js';
import { classOf, DEMOTION, type PathClass } from './path-class.js';
import type { Term, TermMatcher, Terms } from './terms.js';

export const WEIGHTS = {
  file: 0.5,
  window: 0.5,
  multi: 0.3,
  everyWord: 2.2,
  baseName: 1.6,
  folder: 0.4,
  windowLines: 20,
  negative: 0.2,
  place: 8,
};

export interface Corpus {
  /** Files searched, and bytes in them. */
  readonly files: number;
  readonly bytes: number;
}

export interface FileScore {
  readonly file: HitFile;
  readonly index: number;
  readonly score: number;
  readonly parts: Readonly<Record<string, number>>;
  /** First and last line of the best window. */
  readonly window: { readonly start: number; readonly end: number };
  /** Terms that the file holds. */
  readonly mask: number;
}

export interface Scoring {
  readonly terms: readonly Term[];
  readonly places: readonly string[];
  readonly lifted: ReadonlySet<PathClass>;
  readonly matcher: TermMatcher;
  /** Weight of each term: its idf, by its share. */
  readonly idfs: readonly number[];
  /** Files that hold each term. */
  readonly documentFrequencies: readonly number[];
  /** Mean size of a file, in bytes. */
  readonly averageBytes: number;
}

function filesWith(table: HitTable, term: number): number {
  let files = 0;
  for (let file = 0; file < table.files.length; file++) if ((table.frequencies[file * table.termCount + term] ?? 0) > 0) files++;
  return files;
}

/** The statistics of one query over what a pass has seen. */
export function createScoring(
  tables: readonly HitTable[],
  query: Terms,
  corpus: Corpus,
  matcher: TermMatcher,
  lifted: ReadonlySet<PathClass>,
): Scoring {
  const { terms, places } = query;
  const documentFrequencies = terms.map((_, term) => tables.reduce((sum, table) => sum + filesWith(table, term), 0));
  const idfs = terms.map((term, index) => term.weight * idf(documentFrequencies[index] ?? 0, corpus.files));
  const averageBytes = Math.max(1, corpus.bytes / Math.max(1, corpus.files));
  return { terms, places, lifted, matcher, idfs, documentFrequencies, averageBytes };
}

/** Every file with hits, best first; equal scores in path order. */
export function scoreFiles(table: HitTable, scoring: Scoring, compare: (a: string, b: string) => number): FileScore[] {
  return table.files
    .map((file, index) => scoreFile(table, file, index, scoring))
    .sort((a, b) => b.score - a.score || compare(a.file.path, b.file.path));
}

function scoreFile(table: HitTable, file: HitFile, index: number, scoring: Scoring): FileScore {
  const { terms, idfs, matcher, places, averageBytes } = scoring;
  const base = index * idfs.length;
  let whole = 0;
  let mask = 0;
  let negative = 1;
  for (const [term, weight] of idfs.entries()) {
    const tf = table.frequencies[base + term] ?? 0;
    if (tf === 0) continue;
    mask |= 1 << term;
    if (terms[term]?.isNegative) negative = WEIGHTS.negative;
    whole += weight * saturate(tf, file.bytes / averageBytes, FILE_BM25);
  }
  const best = bestWindow(table, file, idfs);
  const multi = multiScore(file, scoring);
  const path = pathScore(file.path, idfs, matcher);
  const demotion = demotionOf(file.path, scoring) * negative;
  const parts = {
    file: WEIGHTS.file * whole,
    window: WEIGHTS.window * best.score,
    multi: WEIGHTS.multi * multi,
    path: path.score,
    place: WEIGHTS.place * placeScore(file.path, places),
  };
  const score = (parts.file + parts.window + parts.multi + parts.path + parts.place) * demotion;
  return { file, index, score, parts: { ...parts, demotion }, window: best, mask: mask | path.mask };
}

/** The score of a file by its path alone. */
export function scorePath(path: string, scoring: Scoring): { score: number; mask: number } {
  const found = pathScore(path, scoring.idfs, scoring.matcher);
  return { score: (found.score + WEIGHTS.place * placeScore(path, scoring.places)) * demotionOf(path, scoring), mask: found.mask };
}

function demotionOf(path: string, { lifted }: Scoring): number {
  const kind = classOf(path);
  return lifted.has(kind) ? 1 : DEMOTION[kind];
}

/** How well the path fits what the query names as a place: 1 for the file itself, half for a folder on its way. */
function placeScore(path: string, places: readonly string[]): number {
  const lower = path.toLowerCase();
  let best = 0;
  for (const place of places) {
    if (lower === place || lower.endsWith(`/${place}`)) best = Math.max(best, 1);
    else if (`/${lower}`.includes(`/${place}/`) || lower.includes(`/${place}.`) || lower.startsWith(`${place}.`))
      best = Math.max(best, 0.5);
  }
  return best;
}

/** The greatest sum of what the terms of one identifier tell, the more the oftener it stands; an identifier that holds every word
 *  of the query is most likely what is asked for. */
function multiScore(file: HitFile, { idfs, terms }: Scoring): number {
  const all = terms.reduce((mask, { kind, isNegative }, index) => (kind === 'part' || isNegative ? mask : mask | (1 << index)), 0);
  let most = 0;
  for (const [mask, tf] of file.masks ?? []) {
    const factor = (mask & all) === all ? WEIGHTS.everyWord : 1;
    most = Math.max(most, factor * sumOf(mask, idfs) * saturate(tf, 0, MULTI_BM25));
  }
  return most;
}

function sumOf(mask: number, idfs: readonly number[]): number {
  let sum = 0;
  for (const [term, weight] of idfs.entries()) if ((mask & (1 << term)) !== 0) sum += weight;
  return sum;
}

/** The best place per term: its weight in the base name, or in a folder. */
function pathScore(path: string, idfs: readonly number[], matcher: TermMatcher): { score: number; mask: number } {
  const parts = path.split('/');
  const most = new Map<number, number>();
  for (const [depth, part] of parts.entries()) {
    const place = depth === parts.length - 1 ? WEIGHTS.baseName : WEIGHTS.folder;
    for (const word of part.split(/[^\p{L}\p{M}\p{N}_$]+/u)) {
      for (const term of word === '' ? [] : (matcher.held(word)?.terms ?? [])) most.set(term, Math.max(most.get(term) ?? 0, place));
    }
  }
  let score = 0;
  let mask = 0;
  for (const [term, place] of most) {
    score += place * (idfs[term] ?? 0);
    mask |= 1 << term;
  }
  return { score, mask };
}

/** The 40 lines in which the terms come closest together. */
function bestWindow(table: HitTable, file: HitFile, idfs: readonly number[]): { score: number; start: number; end: number } {
  const tf = new Float64Array(idfs.length);
  let best = { score: 0, start: 1, end: 1 };
  let tail = file.from;
  let sum = 0;
  const gain = (term: number): number => (idfs[term] ?? 0) * saturate(tf[term] ?? 0, 0, WINDOW_BM25);
  for (let head = file.from; head < file.to; head++) {
    const term = table.terms[head] ?? 0;
    sum -= gain(term);
    tf[term] = (tf[term] ?? 0) + table.weightAt(head);
    sum += gain(term);
    const line = table.lines[head] ?? 0;
    while ((table.lines[tail] ?? 0) <= line - WEIGHTS.windowLines) {
      const old = table.terms[tail] ?? 0;
      sum -= gain(old);
      tf[old] = Math.max(0, (tf[old] ?? 0) - table.weightAt(tail));
      sum += gain(old);
      tail++;
    }
    if (sum > best.score + 1e-9) best = { score: sum, start: table.lines[tail] ?? 1, end: line };
  }
  return best;
}
