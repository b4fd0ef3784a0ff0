/** What a reply of search_text says about itself: totals, how the pattern was read, how to go on, what was left out. Pure; the
 *  same sentences serve text and data. */
import { bytes, clip, count, plural, showControls, showPath } from '../base/display.js';
import type { FileRows, Row } from '../ripgrep/budget.js';
import type { ExactOutcome } from '../search/exact.js';
import type { ExactQuery } from '../search/exact-query.js';
import { isPlain } from '../search/reading.js';
import { partialFacts } from './partial.js';

/** Longer notes would push matches out of the reply. */
const MOST_NOTE = 600;
const SHOWN_PATTERN = 80;
/** Totals of the whole result, as far as this page knows them. */
export function totalsOf({ total, query, shownBefore }: ExactOutcome): { totalMatches?: number; totalFiles?: number } {
  if (total === undefined) return {};
  const isFirst = shownBefore === 0;
  if (query.output === 'content') return { totalMatches: shownBefore + total.matches, ...(isFirst ? { totalFiles: total.files } : {}) };
  return { totalFiles: shownBefore + total.files, ...(isFirst && query.output === 'count' ? { totalMatches: total.matches } : {}) };
}

/** Matches (or files) that were kept, the one beyond the cap included. */
export function available(outcome: ExactOutcome): number {
  return outcome.query.output === 'content' ? outcome.files.reduce((sum, file) => sum + file.hits, 0) : outcome.counts.length;
}

export const itemsOf = (outcome: ExactOutcome): number => Math.min(available(outcome), outcome.query.maxMatches);

function* hitsIn(outcome: ExactOutcome): Generator<{ file: FileRows; row: Row }> {
  for (const file of outcome.files) for (const row of file.rows) if (row.isHit) yield { file, row };
}

export const hitsOf = (outcome: ExactOutcome): { file: FileRows; row: Row }[] => [...hitsIn(outcome)];

export function headline(outcome: ExactOutcome, shown: number): string {
  if (available(outcome) === 0) return emptyHeadline(outcome);
  const { query, total, shownBefore } = outcome;
  const noun = query.output === 'content' ? 'match' : 'file';
  const known = total === undefined ? undefined : shownBefore + (query.output === 'content' ? total.matches : total.files);
  const amount = known === undefined ? atLeast(outcome, noun) : plural(known, noun);
  const isAll = shownBefore === 0 && shown === known;
  const range = shown === 0 ? ', none shown' : `, ${count(shownBefore + 1)}-${count(shownBefore + shown)} shown`;
  return `${amount}${spread(outcome)}${isAll ? '' : range}.${readingNote(outcome)}`;
}

/** What is known of a search that was stopped: what was kept, or what was counted beside. */
function atLeast(outcome: ExactOutcome, noun: string): string {
  const { gate, shownBefore } = outcome;
  if (gate === undefined) return `At least ${plural(shownBefore + available(outcome), noun)} (stopped there)`;
  return `At least ${plural(gate.hits, noun)} in ${plural(gate.files, 'file')}`;
}

/** Over how many files the matches spread; only the first page knows it for the whole result. */
function spread({ query, total, shownBefore }: ExactOutcome): string {
  if (total === undefined || shownBefore > 0 || query.output === 'files') return '';
  return query.output === 'content' ? ` in ${plural(total.files, 'file')}` : `, ${plural(total.matches, 'match')}`;
}

function emptyHeadline(outcome: ExactOutcome): string {
  const { query, searched, timedOut, isPartial } = outcome;
  if (timedOut) return 'Nothing found so far, which is no proof of absence.';
  if (query.cursor !== undefined) return 'No further matches.';
  const where = searched === undefined ? '' : ` in ${plural(searched.files, 'file')} (${bytes(searched.bytes)})`;
  const what = `${outcome.reading.isLiteral ? 'the text' : 'the regex'} ${quote(query.pattern)}`;
  if (searched?.files === 0 && !isPartial) return `Nothing was searched: no file fits the scope, globs and rules.`;
  if (isPartial) return `Nothing found for ${what}${where}, but not everything could be searched: incomplete.`;
  return `No matches for ${what}${where}.${readingNote(outcome)}`;
}

/** `path:line`, of which only the path is the repository's. */
function showPlace(place: string): string {
  const [, path = place, line = ''] = /^(.*)(:\d+)$/s.exec(place) ?? [];
  return `${showPath(path)}${line}`;
}

const quote = (pattern: string): string => `"${showControls(clip(pattern, SHOWN_PATTERN))}"`;

/** How the pattern was read, where it could have been read otherwise. */
function readingNote({ query, reading, otherReading }: ExactOutcome): string {
  if (query.regex !== undefined || query.cursor !== undefined || isPlain(query.pattern)) return '';
  const read = reading.isLiteral ? ` Read as literal text (${reading.why ?? 'regex: false'}).` : ' Read as a regex';
  if (reading.isLiteral) return read;
  if (otherReading === undefined) return `${read}.`;
  return `${read}; as literal text it has ${otherReading.isAtLeast ? 'at least ' : ''}${plural(otherReading.count, 'match')} (regex: false).`;
}

/** How to go on, when there is more: behind what is shown, or where time ran out. */
export function moreOf(outcome: ExactOutcome, shown: number): string[] {
  const cursor = nextCursor(outcome, shown);
  const isAll = shown >= available(outcome) && !outcome.isCapped;
  const more = cursor === undefined || isAll ? [] : [`more: repeat this call with cursor: "${cursor}"`];
  return [...more, ...partialFacts(outcome.covered, outcome.limitMs, isAll ? cursor : undefined)];
}

export function nextCursor(outcome: ExactOutcome, shown: number): string | undefined {
  const kept = available(outcome);
  if (shown >= kept && !outcome.isCapped)
    return outcome.covered?.upTo === undefined ? undefined : outcome.cursorAfter({ path: outcome.covered.upTo, line: 0 }, shown);
  if (shown === 0) return undefined;
  if (outcome.query.output !== 'content') {
    const last = outcome.counts[shown - 1];
    return last === undefined ? undefined : outcome.cursorAfter({ path: last.path, line: 1 }, shown);
  }
  let index = 0;
  for (const { file, row } of hitsIn(outcome))
    if (++index === shown) return outcome.cursorAfter({ path: file.path, line: row.line }, shown);
  return undefined;
}

export function truncateReason(outcome: ExactOutcome, shown: number): 'timeout' | 'maxMatches' | 'maxChars' | null {
  if (outcome.timedOut) return 'timeout';
  if (shown >= available(outcome) && !outcome.isCapped) return null;
  return shown >= outcome.query.maxMatches ? 'maxMatches' : 'maxChars';
}

/** Everything else that the caller must know, one sentence each; the same for text and data. */
export function facts(outcome: ExactOutcome): string[] {
  const { diagnosis, query } = outcome;
  const lines: string[] = [];
  lines.push(...outcome.notes.map((note) => clip(showControls(note), MOST_NOTE)));
  if (diagnosis === undefined) return lines;
  for (const remedy of diagnosis.remedies) {
    const amount = `${remedy.isAtLeast ? 'at least ' : ''}${plural(remedy.matches, 'match')} in ${plural(remedy.files, 'file')}`;
    lines.push(`${amount} with ${remedy.change} (${showControls(remedy.because)}), first ${showPlace(remedy.example)}`);
  }
  if (diagnosis.isAbsent && outcome.searched?.files !== 0) lines.push(absenceOf(query));
  if (diagnosis.isCut) lines.push('there was no time to search ignored and binary files to the end for an explanation');
  if (outcome.searched?.files === 0 && diagnosis.remedies.length === 0 && !outcome.isPartial) lines.push(noFileHint(query));
  return lines;
}

/** Where else nothing was found, when every restriction was lifted. */
function absenceOf({ ignored, binary, ignoreCase }: ExactQuery): string {
  const kinds = [...(ignored === true ? [] : ['ignored']), ...(binary ? [] : ['binary'])];
  const where = [...(kinds.length > 0 ? [`in ${kinds.join(' or ')} files`] : []), ...(ignoreCase ? [] : ['in any letter case'])];
  const nor = where.length > 0 ? `nor ${where.join(', ')}; ` : '';
  return `${nor}secrets (.env, keys) and .git are never searched`;
}

/** Why no file was searched: most often a glob written relative to the scope. */
function noFileHint({ scope, globs }: ExactQuery): string {
  const isBoth = scope !== undefined && (globs ?? []).some((glob) => glob.includes('/'));
  return isBoth ? 'globs are relative to the root, not to scope' : 'check scope, globs and exclude with list_files';
}
