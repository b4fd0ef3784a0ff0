/** Scores of files from their hits. Pure. score = (0.5 file + 0.5 window + 0.3 line + 0.3 multi + path + place) x demotion; each part is named, so
 *  that a score explains itself. Formula and weights: docs/ranking.md. */
import { FILE_BM25, idf, MULTI_BM25, saturate, WINDOW_BM25 } from './bm25.js';
import type { HitTable } from './hits.js';
import { LineReader } from './line-terms.js';
import { classOf, DEMOTION, type PathClass } from './path-class.js';
import type { Term, TermMatcher, Terms } from './terms.js';

export const WEIGHTS = {
  file: 0.5,
  window: 0.5,
  line: 0.3,
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

/** What a file's score is made of, each part weighted. */
export interface Parts {
  file: number;
  window: number;
  line: number;
  multi: number;
  path: number;
  place: number;
  demotion: number;
}

export interface FileScore {
  readonly path: string;
  readonly score: number;
  readonly parts: Readonly<Parts>;
  /** First and last line of the best window. */
  readonly window: { readonly start: number; readonly end: number };
  /** Terms that the file holds, or its path. */
  readonly mask: number;
}

export interface Scoring {
  readonly terms: readonly Term[];
  readonly places: readonly string[];
  readonly lifted: ReadonlySet<PathClass>;
  /** Finds the terms in a path. */
  readonly paths: LineReader;
  /** Weight of each term: its idf, by its share. */
  readonly idfs: readonly number[];
  /** Files that hold each term. */
  readonly documentFrequencies: readonly number[];
  /** Mean size of a file, in bytes. */
  readonly averageBytes: number;
}

function filesWith(table: HitTable, term: number): number {
  let files = 0;
  for (let file = 0; file < table.fileCount; file++) if (table.frequency(file, term) > 0) files++;
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
  const words = terms.filter(({ kind }) => kind !== 'phrase');
  const paths = new LineReader(words, matcher, { isEscaped: false, wantsDefinition: false });
  return { terms, places, lifted, paths, idfs, documentFrequencies, averageBytes };
}

const NO_PATH = { score: 0, mask: 0 };

const sumOfParts = (parts: Parts): number =>
  (parts.file + parts.window + parts.line + parts.multi + parts.path + parts.place) * parts.demotion;

/** Scores the files of a table. It holds what it found out about the last one, so that many files leave no garbage. */
export class FileScorer {
  readonly #parts: Parts = { file: 0, window: 0, line: 0, multi: 0, path: 0, place: 0, demotion: 1 };
  readonly #window = { start: 1, end: 1 };
  #mask = 0;
  readonly #table: HitTable;
  readonly #scoring: Scoring;
  readonly #gains: Float64Array;
  readonly #allWords: number;

  constructor(table: HitTable, scoring: Scoring) {
    this.#table = table;
    this.#scoring = scoring;
    this.#gains = new Float64Array(scoring.idfs.length);
    this.#allWords = scoring.terms.reduce(
      (mask, { kind, isNegative }, index) => (kind === 'part' || isNegative ? mask : mask | (1 << index)),
      0,
    );
  }

  /** The score with all that it is made of, for the few files that are shown. */
  explain(file: number): FileScore {
    const score = this.score(file);
    return { path: this.#table.path(file), score, parts: { ...this.#parts }, window: { ...this.#window }, mask: this.#mask };
  }

  /** @param least a file that cannot reach so much is not read window by window; it gets some number below it */
  score(file: number, least = 0): number {
    const parts = this.#parts;
    const { terms, idfs, places, averageBytes } = this.#scoring;
    const name = this.#table.path(file);
    const ratio = this.#table.bytes(file) / averageBytes;
    let whole = 0;
    let mostInWindow = 0;
    let negative = 1;
    this.#mask = 0;
    for (let term = 0; term < idfs.length; term++) {
      const tf = this.#table.frequency(file, term);
      if (tf === 0) continue;
      this.#mask |= 1 << term;
      if (terms[term]?.isNegative) negative = WEIGHTS.negative;
      whole += (idfs[term] ?? 0) * saturate(tf, ratio, FILE_BM25);
      mostInWindow += (idfs[term] ?? 0) * saturate(tf, 0, WINDOW_BM25);
    }
    const path = pathScore(name, this.#scoring);
    parts.file = WEIGHTS.file * whole;
    parts.window = WEIGHTS.window * mostInWindow;
    parts.line = WEIGHTS.line * sumOf(this.#mask, idfs);
    parts.multi = WEIGHTS.multi * this.#bestSet(file);
    parts.path = path.score;
    parts.place = WEIGHTS.place * placeScore(name, places);
    parts.demotion = demotionOf(name, this.#scoring) * negative;
    this.#mask |= path.mask;
    const most = sumOfParts(parts);
    if (most < least) return most;
    parts.window = WEIGHTS.window * this.#bestWindow(file);
    parts.line = WEIGHTS.line * this.#bestLine(file);
    return sumOfParts(parts);
  }

  /** The greatest sum of what the terms of one identifier tell, the more the oftener it stands; an identifier that holds every word
   *  of the query is most likely what is asked for. */
  #bestSet(file: number): number {
    const { idfs } = this.#scoring;
    let most = 0;
    this.#table.eachSet(file, (mask, times) => {
      const factor = (mask & this.#allWords) === this.#allWords ? WEIGHTS.everyWord : 1;
      most = Math.max(most, factor * sumOf(mask, idfs) * saturate(times, 0, MULTI_BM25));
    });
    return most;
  }

  /** The line that has most of the words: a message that was pasted stands on one. */
  #bestLine(file: number): number {
    const table = this.#table;
    const { idfs } = this.#scoring;
    const to = table.to(file);
    let best = 0;
    let line = 0;
    let mask = 0;
    let sum = 0;
    for (let record = table.from(file); record < to; record++) {
      if (table.line(record) !== line) {
        line = table.line(record);
        mask = 0;
        sum = 0;
      }
      const flag = 1 << table.term(record);
      if ((mask & flag) !== 0) continue;
      mask |= flag;
      sum += (idfs[table.term(record)] ?? 0) * Math.min(1, table.weight(record));
      best = Math.max(best, sum);
    }
    return best;
  }

  /** The lines in which the terms come closest together. */
  #bestWindow(file: number): number {
    const table = this.#table;
    const { idfs } = this.#scoring;
    const tf = this.#gains.fill(0);
    const to = table.to(file);
    let tail = table.from(file);
    let best = 0;
    let sum = 0;
    this.#window.start = 1;
    this.#window.end = 1;
    const move = (record: number, sign: number): void => {
      const term = table.term(record);
      const old = tf[term] ?? 0;
      const next = Math.max(0, old + sign * table.weight(record));
      tf[term] = next;
      sum += (idfs[term] ?? 0) * (saturate(next, 0, WINDOW_BM25) - saturate(old, 0, WINDOW_BM25));
    };
    for (let head = tail; head < to; head++) {
      move(head, 1);
      const line = table.line(head);
      for (; table.line(tail) <= line - WEIGHTS.windowLines; tail++) move(tail, -1);
      if (sum <= best + 1e-9) continue;
      best = sum;
      this.#window.start = table.line(tail);
      this.#window.end = line;
    }
    return best;
  }
}

/** The score of a file by its path alone. */
export function scorePath(path: string, scoring: Scoring): { score: number; mask: number } {
  const found = pathScore(path, scoring);
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

function sumOf(mask: number, idfs: readonly number[]): number {
  let sum = 0;
  for (let term = 0; term < idfs.length; term++) if ((mask & (1 << term)) !== 0) sum += idfs[term] ?? 0;
  return sum;
}

/** The best place per term: its weight in the base name, or in a folder. */
function pathScore(path: string, { idfs, paths }: Scoring): { score: number; mask: number } {
  const base = path.lastIndexOf('/') + 1;
  let inBase = 0;
  let inFolders = 0;
  paths.read(path, {
    term: ({ mask }, _, at) => {
      if (at >= base) inBase |= mask;
      else inFolders |= mask;
    },
  });
  if (inBase === 0 && inFolders === 0) return NO_PATH;
  return {
    score: WEIGHTS.baseName * sumOf(inBase, idfs) + WEIGHTS.folder * sumOf(inFolders & ~inBase, idfs),
    mask: inBase | inFolders,
  };
}
