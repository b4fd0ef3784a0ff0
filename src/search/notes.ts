/** What the runs of a search say about its completeness, in sentences for the reply. Pure. */
import { clip, plural, showJson, showPath, showWord } from '../base/display.js';
import type { TextQuery } from '../ripgrep/args.js';
import type { RunEnd, SearchEnd } from '../ripgrep/process.js';
import type { ExactQuery } from './exact-query.js';
import { comparePaths } from './order.js';
import type { Collected } from './rows.js';

/** Files and bytes of all passes; undefined when one did not come to its end. */
export function searchedBy(ends: readonly SearchEnd[]): { files: number; bytes: number } | undefined {
  if (ends.some((end) => end.searched === undefined)) return undefined;
  return {
    files: ends.reduce((sum, end) => sum + (end.searched?.files ?? 0), 0),
    bytes: ends.reduce((sum, end) => sum + (end.searched?.bytes ?? 0), 0),
  };
}

type MaybeSearchEnd = RunEnd & Pick<SearchEnd, 'longLines' | 'binaryPaths'>;

const MOST_PATH = 120;
/** Of the operating system; a path with a colon in it may have left a part of itself in front. */
const reasonOf = (message: string): string => (/^[A-Z][\w' ]*$/.test(message) ? message : showJson(message));
const shortPath = (path = ''): string => showPath(clip(path, MOST_PATH));

/** At most a few paths by name; the rest as a number. */
export function complaintNotes(ends: readonly MaybeSearchEnd[]): string[] {
  const complaints = ends.flatMap((end) => end.complaints);
  const notes: string[] = [];
  const unreadable = [
    ...new Map(complaints.filter((one) => one.kind === 'unreadable').map((one) => [`${one.path}: ${one.message}`, one])).values(),
  ];
  const cut = ends.reduce((sum, end) => sum + end.complaintsCut, 0);
  if (unreadable.length > 0 || cut > 0) {
    const sorted = unreadable.sort((a, b) => comparePaths(a.path ?? '', b.path ?? ''));
    const shown = sorted
      .slice(0, 5)
      .map((one) => `${shortPath(one.path)} (${reasonOf(clip(one.message, MOST_PATH))})`)
      .join(', ');
    const rest = sorted.length - Math.min(5, sorted.length) + cut;
    notes.push(`incomplete: ${plural(sorted.length + cut, 'path')} could not be searched: ${shown}${rest > 0 ? ` and ${rest} more` : ''}`);
  }
  for (const one of complaints.filter((other) => other.kind === 'other').slice(0, 3))
    notes.push(`incomplete: ripgrep says: ${showJson(clip(one.message, MOST_PATH))}`);
  // The text of the line stays out: a rule file may be a link to a file outside the root.
  const lines = [
    ...new Set(
      complaints
        .filter((one) => one.kind === 'ignore-file')
        .map((one) => `${shortPath(one.path)} ${/^line \d+/.exec(one.message)?.[0] ?? ''}`),
    ),
  ].sort();
  for (const line of lines.slice(0, 3)) notes.push(`a bad line in an ignore file was passed over: ${line}`);
  notes.push(...longLineNotes(ends), ...cutByNulNotes(ends));
  if (ends.some((end) => end.isBroken)) notes.push('incomplete: ripgrep was ended by a signal from outside');
  return notes;
}

function longLineNotes(ends: readonly MaybeSearchEnd[]): string[] {
  const long = longLineFiles(ends);
  const [first] = long;
  if (first === undefined) return [];
  const shown = long.slice(0, 3).map(shortPath).join(', ');
  const rest = long.length > 3 ? ` and ${long.length - 3} more` : '';
  const query = ends.find(({ longLines }) => longLines?.paths.includes(first))?.longLines?.query;
  const call = query === undefined ? '' : ` ${showJson(callFor(query, first))}`;
  return [
    `incomplete: ${plural(long.length, 'file')} with matches in a line too long to be looked at (--max-event-bytes): ${shown}${rest}; search_text${call} shows them`,
  ];
}

function cutByNulNotes(ends: readonly MaybeSearchEnd[]): string[] {
  const paths = [...new Set(ends.flatMap((end) => end.binaryPaths ?? []))].sort(comparePaths);
  if (paths.length === 0) return [];
  const shown = paths.slice(0, 3).map(shortPath).join(', ');
  const rest = paths.length > 3 ? ` and ${paths.length - 3} more` : '';
  return [`searched only up to a NUL byte, as binary: ${shown}${rest}; search_text with binary: true searches the rest`];
}

/** The arguments of search_text that show the same matches in one file. */
function callFor({ pattern, isLiteral, ignoreCase, word }: TextQuery, path: string): Record<string, unknown> {
  return { pattern, regex: !isLiteral, ...(ignoreCase ? { ignoreCase } : {}), ...(word ? { word } : {}), scope: path };
}

/** Files with a match in a line that was too long to be looked at. */
const longLineFiles = (ends: readonly MaybeSearchEnd[]): string[] =>
  [...new Set(ends.flatMap((end) => end.longLines?.paths ?? []))].sort(comparePaths);

/** Whether something may be missing from what was found: it was not searched, or not looked at. */
export const leavesOut = (ends: readonly MaybeSearchEnd[]): boolean => isIncomplete(ends) || longLineFiles(ends).length > 0;

/** Files that count as binary, and names that cannot be written. */
export function binaryNotes(found: Collected, query: ExactQuery): string[] {
  const notes: string[] = [];
  for (const { path, offset } of found.binary.slice(0, 3)) {
    notes.push(
      `${shortPath(path)} is binary from byte ${offset} (a NUL byte): later matches in it were not searched; binary: true searches them`,
    );
  }
  if (found.binaryCount > 3) notes.push(`${found.binaryCount - 3} further files are binary and were searched only up to a NUL byte`);
  if (found.lossyPaths > 0)
    notes.push(`${plural(found.lossyPaths, 'file name')} not in UTF-8, shown with \uFFFD and not to be named in a call`);
  return query.binary ? notes.filter((note) => !note.includes('binary: true')) : notes;
}

/** Whether something that belongs to the search was not searched. */
export function isIncomplete(ends: readonly RunEnd[]): boolean {
  return ends.some(
    (end) => end.reason === 'deadline' || end.isBroken || end.complaintsCut > 0 || end.complaints.some((one) => one.kind !== 'ignore-file'),
  );
}

/** What earlier pages have passed over stays so: a page that ends the walk is not the end of everything. */
export const gapNotes = (before: number): string[] =>
  before === 0
    ? []
    : [`incomplete: ${plural(before, 'path')} that ${before === 1 ? 'an earlier page' : 'earlier pages'} named could not be covered`];

/** The same on later pages, which do not look for the rule again. */
export const ASIDE = '.gitignore hides every file of the root, so it was set aside';

/** A .gitignore that hides everything was set aside. */
export function hidingNote(hiding: { readonly rule: string; readonly from: string }): string {
  return `rule ${showWord(hiding.rule)} of ${showPath(hiding.from)} hides every file of the root, so .gitignore was set aside`;
}
