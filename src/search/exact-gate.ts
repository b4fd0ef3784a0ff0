/** The gate for search_text: how much there is, from the kept matches or from the counting pass, and what a refusal shows. Pure but
 *  for the gate's own memory of refusals. */
import { gradeLine } from '../code/definition-line.js';
import { languageOf } from '../code/language.js';
import { classOf, DEMOTION } from '../ranking/path-class.js';
import type { Selection } from '../ripgrep/accept.js';
import type { FileRows, Row } from '../ripgrep/budget.js';
import type { ExactQuery } from './exact-query.js';
import type { Reading } from './reading.js';
import { type Extent, type Refinement, refine } from './refinement.js';
import type { Collected } from './rows.js';
import { GRADES } from './symbol-scan.js';
import { countWholeWords } from './whole-word.js';

/** Everything that matches, where it is known. */
export function totalOf({ isSpent, hits, fileCount, counted, leastHits }: Collected): { matches: number; files: number } | undefined {
  if (!isSpent) return { matches: hits, files: fileCount };
  // Of a file that turns out to be binary ripgrep counts nothing, but shows what it found before.
  return counted?.isWhole && counted.hits >= leastHits ? { matches: counted.hits, files: counted.files.length } : undefined;
}

/** @returns undefined for a search that passes, or that the gate was not to be asked about; `preview` only for a refusal */
export function refineExact(
  found: Collected,
  reading: Reading,
  query: ExactQuery,
  { scope, isScopeFile }: Selection,
  root: string,
): { refinement: Refinement; preview: FileRows[] | undefined } | undefined {
  if (query.gate === undefined) return undefined;
  const { globs, exclude } = query;
  const means = { globs, exclude, takesGlobs: true, leavesOutBy: 'exclude' } as const;
  const refinement = refine(extentOf(found, query, reading.isLiteral), query.gate, root, isScopeFile ? undefined : scope, means);
  return refinement === undefined ? undefined : { refinement, preview: refinement.status === 'refine' ? preview(found.files) : undefined };
}

function extentOf(found: Collected, query: ExactQuery, isLiteral: boolean): Extent {
  const chars = found.files.reduce((sum, file) => sum + sizeOf(file), 0);
  const total = totalOf(found);
  if (!found.isSpent) {
    const tally = found.files.map(({ path, hits }) => ({ path, hits })).filter(({ hits }) => hits > 0);
    const wholeWord = countWholeWords(found.files, query, isLiteral);
    return { tally, hits: found.hits, files: tally.length, isAtLeast: false, chars, wholeWord };
  }
  const { counted, leastHits } = found;
  const hits = total?.matches ?? Math.max(leastHits, counted?.hits ?? 0);
  return {
    tally: counted?.files ?? [],
    hits,
    files: Math.max(counted?.files.length ?? 0, found.fileCount),
    isAtLeast: total === undefined,
    countedMs: counted?.isWhole === false ? counted.limitMs : undefined,
    // The kept matches are the first in path order, the same in every call.
    chars: Math.round((chars / Math.max(1, found.hits)) * hits),
    wholeWord: counted?.wholeWord,
  };
}

/** Characters of a file's path and lines in a reply, line numbers and line ends included. */
function sizeOf({ path, rows }: FileRows): number {
  return rows.reduce((sum, { line, text }) => sum + String(line).length + text.length + 2, path.length + 1);
}

const MOST_PREVIEWED = 3;

/** The matches that a reader would want first: what looks like a definition, then by the class of the path, then in path order. */
function preview(files: readonly FileRows[]): FileRows[] {
  const hits = files.flatMap((file) => file.rows.filter(({ isHit }) => isHit).map((row) => ({ file, row, ...worthOf(file.path, row) })));
  return hits
    .sort((a, b) => b.grade - a.grade || b.kind - a.kind)
    .slice(0, MOST_PREVIEWED)
    .map(({ file, row }) => ({ ...file, rows: [row], hits: 1 }));
}

function worthOf(path: string, { text, spans }: Row): { grade: number; kind: number } {
  const { start, end } = spans[0] ?? { start: 0, end: 0 };
  return { grade: GRADES[gradeLine(text, start, end - start, languageOf(path))], kind: DEMOTION[classOf(path)] };
}
