/** The files of a ranking pass in the order of their scores: the best ones explained, all others counted. Pure. */
import type { HitTable } from '../ranking/hits.js';
import { type FileScore, FileScorer, type Scoring } from '../ranking/score.js';
import type { Terms } from '../ranking/terms.js';
import { comparePaths } from './order.js';
import { Smallest } from './smallest.js';

export interface RankedFiles {
  /** Best first; equal scores in path order. */
  readonly best: readonly FileScore[];
  /** All files that count. */
  readonly total: number;
  /** Files that would count, but are too large. */
  readonly large: number;
  /** Folders with the most of them, where they are many. */
  readonly folders: readonly { readonly dir: string; readonly files: number }[];
}

const MOST_FOLDERS = 5;
const BROAD_FILES = 50;
/** Levels of a folder that is named. */
const FOLDER_DEPTH = 2;

interface Candidate {
  readonly path: string;
  readonly score: number;
  readonly scorer: FileScorer;
  readonly file: number;
}

const better = (a: Candidate, b: Candidate): number => b.score - a.score || comparePaths(a.path, b.path);

/** @param options.keep     files that are explained
 *  @param options.maxBytes larger files only count as such */
export function rankFiles(
  tables: readonly HitTable[],
  { terms, isExact }: Terms,
  scoring: Scoring,
  options: { readonly keep: number; readonly maxBytes: number },
): RankedFiles {
  const whole = isExact ? wholeTerm(tables, terms, options.maxBytes) : 0;
  const best = new Smallest<Candidate>(options.keep, better);
  const folders = new Map<string, number>();
  let total = 0;
  let large = 0;
  for (const table of tables) {
    const scorer = new FileScorer(table, scoring);
    for (let file = 0; file < table.fileCount; file++) {
      const path = table.path(file);
      const score = scorer.score(file, best.last?.score);
      if (score <= 0) continue;
      if (table.bytes(file) > options.maxBytes) {
        large++;
        continue;
      }
      if (whole !== 0 && (table.wholes(file) & whole) === 0) continue;
      total++;
      best.add({ path, score, scorer, file });
      const folder = folderOf(path);
      folders.set(folder, (folders.get(folder) ?? 0) + 1);
    }
  }
  return {
    best: best.sorted().map(({ scorer, file }) => scorer.explain(file)),
    total,
    large,
    folders: total < BROAD_FILES ? [] : mostOf(folders),
  };
}

/** A query that is one identifier, or quoted: only files that hold it whole count, when any does; as a flag, 0 when none does. */
function wholeTerm(tables: readonly HitTable[], terms: Terms['terms'], maxBytes: number): number {
  const term = terms.findIndex(({ kind }) => kind === 'compound' || kind === 'phrase');
  const flag = term < 0 ? 0 : 1 << term;
  for (const table of tables) {
    for (let file = 0; file < table.fileCount; file++) {
      if ((table.wholes(file) & flag) !== 0 && table.bytes(file) <= maxBytes) return flag;
    }
  }
  return 0;
}

function folderOf(path: string): string {
  let end = -1;
  for (let depth = 0; depth < FOLDER_DEPTH; depth++) {
    const next = path.indexOf('/', end + 1);
    if (next < 0) break;
    end = next;
  }
  return end < 0 ? '(root)' : path.slice(0, end);
}

function mostOf(folders: ReadonlyMap<string, number>): RankedFiles['folders'] {
  return [...folders]
    .map(([dir, files]) => ({ dir, files }))
    .sort((a, b) => b.files - a.files || comparePaths(a.dir, b.dir))
    .slice(0, MOST_FOLDERS);
}
