/** One exact search: complete and in path order, or cut at the caller's caps with the place to go on from. A parallel run keeps
 *  everything as long as it is little; when it is much, a run in path order that ends at the cap makes reply and cursor
 *  deterministic. The same call on the same tree gives the same outcome. */
import { plural } from '../base/display.js';
import type { Limits } from '../base/limits.js';
import type { Log } from '../base/log.js';
import type { Progress } from '../base/progress.js';
import type { RootRules, Selection } from '../ripgrep/accept.js';
import type { RulesPass, TextQuery } from '../ripgrep/args.js';
import { type FileRows, MatchBudget, type Place } from '../ripgrep/budget.js';
import type { Complaint } from '../ripgrep/complaints.js';
import type { RgEvent } from '../ripgrep/events.js';
import type { Ripgrep, RunContext, SearchEnd } from '../ripgrep/process.js';
import { entryNames } from '../security/tree.js';
import { decodeCursor, encodeCursor, queryHash } from './cursor.js';
import { type Diagnosis, diagnose } from './diagnose.js';
import { fillLongRows } from './excerpt.js';
import { comparePaths } from './order.js';
import { decideReading, holdsLiteral, literalIsIncluded, type Reading, toRipgrep } from './reading.js';
import { type FileChoice, findHidingRule, type Pass, passesOf, readRootRules, type ScanOptions, select } from './selection.js';
import { Smallest } from './smallest.js';

export interface ExactQuery extends FileChoice {
  readonly pattern: string;
  readonly regex?: boolean;
  readonly ignoreCase: boolean;
  readonly word: boolean;
  readonly multiline: boolean;
  readonly encoding?: string;
  readonly binary: boolean;
  readonly output: 'content' | 'files' | 'count';
  readonly context: number;
  readonly maxMatches: number;
  readonly maxChars: number;
  readonly cursor?: string;
}

export interface FileCount {
  readonly path: string;
  readonly count: number;
}

export interface ExactOutcome {
  readonly query: ExactQuery;
  readonly reading: Reading;
  /** Lines that the other reading matches; `isAtLeast` when counting stopped. */
  readonly otherReading?: { readonly count: number; readonly isAtLeast: boolean };
  /** Output `content`: in path order, after the cursor; possibly one match more than asked for. */
  readonly files: readonly FileRows[];
  /** Output `files` and `count`: in path order, after the cursor; possibly one more than asked for. */
  readonly counts: readonly FileCount[];
  /** Matches or files that earlier pages showed. */
  readonly shownBefore: number;
  /** From the cursor on; undefined when the search was stopped. */
  readonly total: { readonly matches: number; readonly files: number } | undefined;
  readonly searched: { readonly files: number; readonly bytes: number } | undefined;
  /** There are more matches than were kept. */
  readonly isCapped: boolean;
  readonly timedOut: boolean;
  /** Something could not be searched, or the search was cut short by time: absence of a match proves nothing. */
  readonly isPartial: boolean;
  readonly elapsedMs: number;
  readonly limitMs: number;
  readonly notes: readonly string[];
  /** For an empty reply: what may have kept matches out. */
  readonly diagnosis: Diagnosis | undefined;
  /** A cursor that continues after this place, `shown` further matches being shown. */
  cursorAfter(place: Place, shown: number): string;
}

export interface SearchParts {
  readonly ripgrep: Ripgrep;
  readonly limits: Limits;
  readonly scan: ScanOptions;
}

export interface SearchContext extends RunContext {
  readonly log: Log;
  readonly progress: Progress;
}

interface Position extends Place {
  /** Shown so far. */
  readonly n: number;
  /** The reading that the first page chose. */
  readonly r: 'l' | 'r';
}

function isPosition(value: unknown): value is Position {
  const it = value as Partial<Position> | null;
  return typeof it?.path === 'string' && Number.isInteger(it.line) && Number.isInteger(it.n) && (it.r === 'l' || it.r === 'r');
}

/** Everything the passes of one call share. */
interface Frame {
  readonly parts: SearchParts;
  readonly context: SearchContext;
  readonly query: ExactQuery;
  readonly selection: Selection;
  readonly rules: RootRules;
  readonly after: Position | undefined;
  readonly skip: readonly string[];
}

interface Collected {
  readonly files: FileRows[];
  readonly counts: FileCount[];
  readonly hits: number;
  readonly fileCount: number;
  readonly literalHits: number;
  readonly isSpent: boolean;
  readonly lossyPaths: number;
  readonly binary: readonly { path: string; offset: number }[];
  readonly ends: readonly SearchEnd[];
}

/** @throws ToolError for bad arguments and a ripgrep that cannot run */
export async function searchExact(query: ExactQuery, parts: SearchParts, context: SearchContext): Promise<ExactOutcome> {
  const started = performance.now();
  const [selection, rules] = await Promise.all([
    select(query, parts.ripgrep, context),
    readRootRules(context.root, parts.scan, parts.limits),
  ]);
  const hash = hashOf(query, selection, context);
  const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor, hash, isPosition);
  const frame: Frame = {
    parts,
    context,
    query,
    selection,
    rules,
    after,
    skip: after === undefined ? [] : await coveredBefore(after, context, parts.limits),
  };
  const text = textQuery(query);
  let reading =
    after === undefined ? await decideReading(text, query.regex, parts.ripgrep, context) : { isLiteral: after.r === 'l', isOpen: false };
  const notes: string[] = [...rules.notes];
  let main: RulesPass = 'all';
  let asked = toRipgrep({ ...text, isLiteral: reading.isLiteral });
  let found = await collect(frame, asked, main);

  const filesSearched = searchedBy(found.ends)?.files;
  if (found.hits === 0 && filesSearched !== undefined && filesSearched <= 1 && !selection.ignored) {
    const hiding = await findHidingRule(rules, parts.ripgrep, context);
    if (hiding !== undefined) {
      main = 'without-gitignore';
      notes.push(`rule ${hiding.rule} of ${hiding.from} hides every file of the root, so .gitignore was set aside`);
      found = await collect(frame, asked, main);
    }
  }
  let otherReading: ExactOutcome['otherReading'];
  if (reading.isOpen && !isCutShort(found)) {
    const literal = toRipgrep({ ...text, isLiteral: true });
    if (found.hits === 0) {
      const plain = await collect(frame, literal, main);
      if (plain.hits > 0) {
        found = plain;
        asked = literal;
        reading = { isLiteral: true, isOpen: true, why: 'as a regex it matches nothing' };
      }
    } else {
      otherReading =
        literalIsIncluded(text) && query.output === 'content'
          ? { count: found.literalHits, isAtLeast: found.isSpent }
          : await countHits(frame, literal, main);
      if (otherReading.count === 0 && !otherReading.isAtLeast) otherReading = undefined;
    }
  }
  const timedOut = found.ends.some((end) => end.reason === 'deadline');
  const complaints = found.ends.flatMap((end) => end.complaints);
  notes.push(...complaintNotes(complaints, found.ends), ...binaryNotes(found, query));
  const isPartial =
    timedOut || complaints.some((one) => one.kind !== 'ignore-file') || found.ends.some((end) => end.isBroken || end.complaintsCut > 0);
  const isEmpty = found.hits === 0 && after === undefined;
  const diagnosis =
    isEmpty && !timedOut
      ? await diagnose({ parts, context, query: { ...asked }, regex: query.regex, source: text, selection, rules, main })
      : undefined;
  await fillLongRows(found.files, parts.limits, context);
  const searched = searchedBy(found.ends);
  return {
    query,
    reading,
    files: found.files,
    counts: found.counts,
    shownBefore: after?.n ?? 0,
    ...(otherReading === undefined ? {} : { otherReading }),
    total: found.isSpent || timedOut ? undefined : { matches: found.hits, files: found.fileCount },
    searched,
    isCapped: found.isSpent,
    timedOut,
    isPartial,
    notes,
    diagnosis,
    elapsedMs: Math.round(performance.now() - started),
    limitMs: context.deadline.limitMs,
    cursorAfter: (place, shown) =>
      encodeCursor(hash, {
        path: place.path,
        line: place.line,
        n: (after?.n ?? 0) + shown,
        r: reading.isLiteral ? 'l' : 'r',
      } satisfies Position),
  };
}

function textQuery(query: ExactQuery): TextQuery {
  return {
    pattern: query.pattern,
    isLiteral: false,
    ignoreCase: query.ignoreCase,
    word: query.word,
    multiline: query.multiline,
    binary: query.binary,
    encoding: query.encoding,
    context: query.output === 'content' ? query.context : 0,
    isFirstOnly: query.output === 'files',
  };
}

function hashOf(query: ExactQuery, selection: Selection, { root }: SearchContext): string {
  const { pattern, regex, ignoreCase, word, multiline, encoding, binary, output } = query;
  const files = {
    scope: selection.scope,
    globs: selection.globs.map((glob) => glob.text),
    excluded: selection.excluded.map((glob) => glob.text),
    ignored: selection.ignored,
  };
  return queryHash({
    tool: 'search_text',
    root: root.path,
    pattern,
    regex,
    ignoreCase,
    word,
    multiline,
    encoding,
    binary,
    output,
    ...files,
  });
}

/** Entries that come before the cursor's path on every level, so that ripgrep need not open them again. */
async function coveredBefore(place: Place, { root }: SearchContext, limits: Limits): Promise<string[]> {
  const covered: string[] = [];
  const parts = place.path.split('/');
  for (let depth = 0; depth < parts.length; depth++) {
    const folder = parts.slice(0, depth).join('/');
    const here = parts.slice(0, depth + 1).join('/');
    const names = await entryNames(root, folder, limits.pruneEntries);
    for (const name of names ?? []) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (comparePaths(path, here) < 0 && !/[\n\r]/.test(name)) covered.push(path);
    }
  }
  return covered;
}

/** Everything by all cores, or, where that is too much, the first part in path order. */
async function collect(frame: Frame, text: TextQuery, main: RulesPass): Promise<Collected> {
  const { query, parts } = frame;
  if (query.output !== 'content') return collectCounts(frame, text, main);
  const whole = await collectRows(frame, text, main, {
    isSorted: false,
    maxHits: parts.limits.maxHitsKept,
    maxText: parts.limits.maxKeptBytes,
  });
  if (!whole.isSpent) return whole;
  // A reply never shows more text than maxChars, so no more is kept; ripgrep is killed there.
  return collectRows(frame, text, main, { isSorted: true, maxHits: query.maxMatches, maxText: query.maxChars });
}

async function collectRows(
  frame: Frame,
  text: TextQuery,
  main: RulesPass,
  caps: { isSorted: boolean; maxHits: number; maxText: number },
): Promise<Collected> {
  const { parts, context, after } = frame;
  const budgets: MatchBudget[] = [];
  const ends: SearchEnd[] = [];
  let literalHits = 0;
  for (const pass of passesOf(frame.selection, frame.rules, context.root, { isSorted: caps.isSorted, main })) {
    const budget = new MatchBudget({
      ...caps,
      maxLineChars: parts.limits.maxLineChars,
      accepts: pass.accepts,
      ...(after === undefined ? {} : { after: { place: after, compare: comparePaths } }),
    });
    budgets.push(budget);
    ends.push(
      await runPass(frame, pass, text, true, (event) => {
        const before = budget.hits;
        const goesOn = budget.accept(event);
        if (budget.hits > before && holdsLiteral(frame.query, event.type === 'match' ? event.text : '')) literalHits++;
        context.progress.matches += budget.hits - before;
        return goesOn;
      }),
    );
    if (!caps.isSorted && budget.isSpent) break;
  }
  const files = budgets.flatMap((budget) => budget.files).sort((a, b) => comparePaths(a.path, b.path));
  for (const file of files) file.rows.sort((a, b) => a.line - b.line);
  return {
    files,
    counts: [],
    literalHits,
    hits: budgets.reduce((sum, budget) => sum + budget.hits, 0),
    fileCount: files.filter((file) => file.hits > 0).length,
    isSpent: budgets.some((budget) => budget.isSpent),
    lossyPaths: budgets.reduce((sum, budget) => sum + budget.lossyPaths, 0),
    binary: files.filter((file) => file.binaryOffset !== undefined).map((file) => ({ path: file.path, offset: file.binaryOffset ?? 0 })),
    ends,
  };
}

/** Files with their numbers of matches. Never stopped at a cap: counts are only worth something when they are whole. */
async function collectCounts(frame: Frame, text: TextQuery, main: RulesPass): Promise<Collected> {
  const { context, query, after } = frame;
  const first = new Smallest<FileCount>(query.maxMatches + 1, (a, b) => comparePaths(a.path, b.path));
  const binary: { path: string; offset: number }[] = [];
  const ends: SearchEnd[] = [];
  const seen = { hits: 0, files: 0, lossyPaths: 0 };
  for (const pass of passesOf(frame.selection, frame.rules, context.root, { isSorted: false, main })) {
    let path: string | undefined;
    ends.push(
      await runPass(frame, pass, text, false, (event) => {
        if (event.type === 'begin') {
          const isNew = after === undefined || comparePaths(event.path, after.path) > 0;
          path = isNew && pass.accepts(event.path) ? event.path : undefined;
          if (event.isLossyPath && path !== undefined) seen.lossyPaths++;
        } else if (event.type === 'end' && path !== undefined) {
          if (event.matchedLines > 0) {
            first.add({ path, count: event.matchedLines });
            seen.files++;
            seen.hits += event.matchedLines;
            context.progress.matches = seen.hits;
          }
          if (event.binaryOffset !== undefined && binary.length < 20) binary.push({ path, offset: event.binaryOffset });
        }
        return true;
      }),
    );
  }
  binary.sort((a, b) => comparePaths(a.path, b.path));
  return {
    files: [],
    counts: first.sorted(),
    hits: seen.hits,
    fileCount: seen.files,
    literalHits: 0,
    isSpent: false,
    lossyPaths: seen.lossyPaths,
    binary,
    ends,
  };
}

function runPass(frame: Frame, pass: Pass, text: TextQuery, wantsLines: boolean, accept: (event: RgEvent) => boolean): Promise<SearchEnd> {
  return frame.parts.ripgrep.search(pass.walk, text, frame.context, { wantsLines, accept, skip: frame.skip });
}

/** How many lines the other reading matches, up to a bound. */
async function countHits(frame: Frame, text: TextQuery, main: RulesPass): Promise<{ count: number; isAtLeast: boolean }> {
  const { limits } = frame.parts;
  let count = 0;
  let isAtLeast = false;
  for (const pass of passesOf(frame.selection, frame.rules, frame.context.root, { isSorted: false, main })) {
    let counts = false;
    const end = await runPass(frame, pass, { ...text, context: 0, isFirstOnly: false }, true, (event) => {
      if (event.type === 'begin') counts = pass.accepts(event.path);
      if (event.type === 'match' || (event.type === 'long' && event.isMatch)) count += counts ? 1 : 0;
      return count < limits.otherReadingHits;
    });
    isAtLeast ||= end.reason !== 'end';
  }
  return { count, isAtLeast };
}

const isCutShort = (found: Collected): boolean => found.ends.some((end) => end.reason === 'deadline');

function searchedBy(ends: readonly SearchEnd[]): { files: number; bytes: number } | undefined {
  if (ends.some((end) => end.searched === undefined)) return undefined;
  return {
    files: ends.reduce((sum, end) => sum + (end.searched?.files ?? 0), 0),
    bytes: ends.reduce((sum, end) => sum + (end.searched?.bytes ?? 0), 0),
  };
}

/** At most a few paths by name; the rest as a number. */
export function complaintNotes(complaints: readonly Complaint[], ends: readonly { complaintsCut: number; isBroken: boolean }[]): string[] {
  const notes: string[] = [];
  const unreadable = [
    ...new Map(complaints.filter((one) => one.kind === 'unreadable').map((one) => [`${one.path}: ${one.message}`, one])).values(),
  ];
  const cut = ends.reduce((sum, end) => sum + end.complaintsCut, 0);
  if (unreadable.length > 0 || cut > 0) {
    const sorted = unreadable.sort((a, b) => comparePaths(a.path ?? '', b.path ?? ''));
    const shown = sorted
      .slice(0, 5)
      .map((one) => `${one.path} (${one.message})`)
      .join(', ');
    const rest = sorted.length - Math.min(5, sorted.length) + cut;
    notes.push(`incomplete: ${plural(sorted.length + cut, 'path')} could not be searched: ${shown}${rest > 0 ? ` and ${rest} more` : ''}`);
  }
  for (const one of complaints.filter((other) => other.kind === 'other').slice(0, 3))
    notes.push(`incomplete: ripgrep says: ${one.message}`);
  const lines = [...new Set(complaints.filter((one) => one.kind === 'ignore-file').map((one) => `${one.path}: ${one.message}`))].sort();
  for (const line of lines.slice(0, 3))
    notes.push(`a bad line in an ignore file was passed over: ${line.replace(/ \(maybe escape.*\)$/, '')}`);
  if (ends.some((end) => end.isBroken)) notes.push('incomplete: ripgrep was ended by a signal from outside');
  return notes;
}

function binaryNotes(found: Collected, query: ExactQuery): string[] {
  const notes: string[] = [];
  for (const { path, offset } of found.binary.slice(0, 3)) {
    notes.push(`${path} is binary from byte ${offset} (a NUL byte): later matches in it were not searched; binary: true searches them`);
  }
  if (found.binary.length > 3) notes.push(`${found.binary.length - 3} further files are binary and were searched only up to a NUL byte`);
  if (found.lossyPaths > 0)
    notes.push(`${plural(found.lossyPaths, 'file name')} are not UTF-8 and shown with \uFFFD; they cannot be named in a call`);
  return query.binary ? notes.filter((note) => !note.includes('binary: true')) : notes;
}
