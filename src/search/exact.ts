/** One exact search: complete and in path order, or cut at the caller's caps with the place to go on from. The same call on the
 *  same tree gives the same outcome. */
import type { Selection } from '../ripgrep/accept.js';
import type { RulesPass, TextQuery } from '../ripgrep/args.js';
import type { FileRows, Place } from '../ripgrep/budget.js';
import { collect, countHits, type Frame } from './collect.js';
import type { SearchContext, SearchParts } from './context.js';
import { type Covered, type CursorPace, coveredBy, isTimedOut, undecided } from './cover.js';
import { coveredBefore } from './covered.js';
import { decodeCursor, encodeCursor, isCount, isPathBelow, isRulesKnown, queryHash, type RulesKnown, rulesAfter } from './cursor.js';
import { type Diagnosis, diagnose } from './diagnose.js';
import { refineExact, totalOf } from './exact-gate.js';
import type { ExactQuery } from './exact-query.js';
import { fillLongRows } from './excerpt.js';
import { maskKeyBodies } from './key-bodies.js';
import { ASIDE, binaryNotes, complaintNotes, gapNotes, hidingNote, isIncomplete, searchedBy } from './notes.js';
import { comparePaths } from './order.js';
import { decideReading, literalIsIncluded, type Reading, toRipgrep } from './reading.js';
import type { Refinement } from './refinement.js';
import type { Collected, FileCount } from './rows.js';
import { findHidingRule, findHidingRuleFirst, readRootRules, select } from './selection.js';
import { dropSwapped } from './swapped.js';

export interface ExactOutcome {
  readonly query: ExactQuery;
  readonly reading: Reading;
  /** Lines that the other reading matches; `isAtLeast` when counting stopped. */
  readonly otherReading: { readonly count: number; readonly isAtLeast: boolean } | undefined;
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
  /** Not everything was covered in the time there was. */
  readonly timedOut: boolean;
  /** Set when it was not. */
  readonly covered: Covered | undefined;
  /** Something could not be searched, or the search was cut short by time: absence of a match proves nothing. */
  readonly isPartial: boolean;
  readonly elapsedMs: number;
  readonly limitMs: number;
  readonly notes: readonly string[];
  /** For an empty reply: what may have kept matches out. */
  readonly diagnosis: Diagnosis | undefined;
  /** The search is too broad, and what would make it narrower. */
  readonly gate?: Refinement;
  /** A cursor that continues after this place, `shown` further matches being shown. Line 0 is the place before a file. */
  cursorAfter(place: Place, shown: number): string;
}

/** Path and line of the last thing shown, how many were shown so far, the reading that the first page chose, and, where the search
 *  goes on part by part, its pace (else 0). */
type Position = readonly [path: string, line: number, shown: number, reading: 'l' | 'r', pace: CursorPace, rules: RulesKnown, gaps: number];

function isPosition(value: unknown): value is Position {
  if (!Array.isArray(value) || value.length !== 7) return false;
  const [path, line, shown, reading, pace, rules, gaps] = value as unknown[];
  const isPlace = typeof path === 'string' && isPathBelow(path) && isCount(line);
  return isPlace && isCount(shown) && isCount(pace) && isCount(gaps) && (reading === 'l' || reading === 'r') && isRulesKnown(rules);
}

/** @throws ToolError for bad arguments and a ripgrep that cannot run */
export async function searchExact(query: ExactQuery, parts: SearchParts, context: SearchContext): Promise<ExactOutcome> {
  const started = performance.now();
  const { root } = context;
  const [selection, rules] = await Promise.all([select(query, parts.ripgrep, context), readRootRules(root, parts.scan, parts.limits)]);
  const hash = hashOf(query, selection, root.path);
  const position = query.cursor === undefined ? undefined : decodeCursor(query.cursor, hash, isPosition);
  const [path = '', line = 0, shownBefore = 0, , pace = 0] = position ?? [];
  const gaps = position?.[6] ?? 0;
  const after = position === undefined ? undefined : { path, line };
  const resume = pace > 0 ? { from: path, pace } : undefined;
  const skip = after === undefined || resume !== undefined ? [] : await coveredBefore(after.path, root, parts.limits);
  const frame: Frame = { parts, context, query, selection, rules, after, skip, resume };
  const text = textQuery(query);
  const reading =
    position === undefined
      ? await decideReading(text, query.regex, parts.ripgrep, context)
      : { isLiteral: position[3] === 'l', isOpen: false };
  const first = await findWithRules(frame, toRipgrep({ ...text, isLiteral: reading.isLiteral }), position?.[5]);
  const read = reading.isOpen ? await compareReadings(frame, text, reading, first) : { reading, found: first.found };
  const { found } = read;
  const swapped = await dropSwapped(found, query.maxMatches, context);
  const timedOut = !found.isSpent && isTimedOut(found.coverage);
  const isEmpty = found.hits === 0 && after === undefined && !timedOut;
  const asked = toRipgrep({ ...text, isLiteral: read.reading.isLiteral });
  const diagnosis = isEmpty
    ? await diagnose({ parts, context, query: asked, regex: query.regex, source: text, selection, rules, main: first.main })
    : undefined;
  await fillLongRows(found.files, parts.limits, context);
  await maskKeyBodies(found.files, parts.limits, context);
  // A search that ran out of time says so, and how to narrow it; there is no whole to be judged.
  const gate = timedOut ? undefined : refineExact(found, read.reading, query, selection, root.path);
  return {
    query,
    reading: read.reading,
    files: gate?.preview ?? found.files,
    counts: found.counts,
    shownBefore,
    otherReading: read.otherReading,
    total: timedOut || gaps > 0 ? undefined : totalOf(found),
    searched: searchedBy(found.ends),
    isCapped: found.isSpent,
    timedOut,
    covered: timedOut ? coveredBy(found.coverage, found.size, found.sights) : undefined,
    isPartial: timedOut || gaps > 0 || isIncomplete(found.ends) || swapped.length > 0,
    notes: [
      ...context.notes,
      ...rules.notes,
      ...first.notes,
      ...gapNotes(gaps),
      ...complaintNotes(found.ends),
      ...binaryNotes(found, query),
      ...swapped,
    ],
    diagnosis,
    ...(gate === undefined ? {} : { gate: gate.refinement }),
    elapsedMs: Math.round(performance.now() - started),
    limitMs: context.deadline.limitMs,
    cursorAfter: (place, shown) => {
      const reading = read.reading.isLiteral ? 'l' : 'r';
      // A part may begin before what was shown last, at a folder above it.
      const { path, line } = first.after !== undefined && isBefore(place, first.after) ? first.after : place;
      return encodeCursor(hash, [
        path,
        line,
        shownBefore + shown,
        reading,
        found.coverage.pace,
        first.known,
        gaps + found.coverage.uncovered.length,
      ] satisfies Position);
    },
  };
}

const isBefore = (a: Place, b: Place): boolean => {
  const order = comparePaths(a.path, b.path);
  return order < 0 || (order === 0 && a.line < b.line);
};

interface Found {
  readonly found: Collected;
  /** What was left out, as earlier pages have shown it. */
  readonly after: Place | undefined;
  readonly main: RulesPass;
  readonly notes: readonly string[];
  /** For the next page. */
  readonly known: RulesKnown;
}

/** Searches by the repository's rules, and, where its .gitignore hides every file there is, once more without.
 *  @param known what pages before this one have found out */
async function findWithRules(frame: Frame, text: TextQuery, known: RulesKnown | undefined): Promise<Found> {
  const aside = async (at: Frame, note: string): Promise<Found> => {
    const main = 'without-gitignore';
    return { found: await collect(at, text, main), after: at.after, main, notes: [note], known: 'a' };
  };
  const anew: Frame = { ...frame, after: undefined, skip: [], resume: undefined };
  if (known === 'a') return aside(frame, ASIDE);
  // Nothing was searched yet: if everything was hidden, the search begins anew.
  const { rules, parts, context } = frame;
  const hidden = known === 'u' ? await findHidingRuleFirst(rules, parts.ripgrep, context) : undefined;
  if (hidden !== undefined) return aside(anew, hidingNote(hidden));
  const found = await collect(frame, text, 'all');
  const searched = searchedBy(found.ends);
  const plain = { found, after: frame.after, main: 'all', notes: [] } as const;
  if (known === 'h' || frame.selection.ignored) return { ...plain, known: 'h' };
  if (isTimedOut(found.coverage))
    return { ...plain, known: rulesAfter(found.hits > 0 ? Number.POSITIVE_INFINITY : (searched?.files ?? 0)) };
  // A rule file that is itself searched may be the only file left.
  if (found.hits > 0 || searched === undefined || searched.files > 1) return { ...plain, known: 'h' };
  const rule = await findHidingRule(rules, parts.ripgrep, context);
  if (rule === 'unknown') return { ...plain, found: undecided(found), known: 'u' };
  return rule === undefined ? { ...plain, known: 'h' } : aside(anew, hidingNote(rule));
}

interface Read {
  readonly reading: Reading;
  readonly found: Collected;
  readonly otherReading?: ExactOutcome['otherReading'];
}

/** The caller left the reading open and the pattern works as a regex: what would the literal text find? */
async function compareReadings(frame: Frame, text: TextQuery, reading: Reading, { found, main }: Found): Promise<Read> {
  if (isTimedOut(found.coverage)) return { reading, found };
  const literal = toRipgrep({ ...text, isLiteral: true });
  if (found.hits === 0 || found.isOnlyEmpty) {
    const plain = await collect(frame, literal, main);
    if (plain.hits === 0 && !isTimedOut(plain.coverage)) return { reading, found };
    const why = found.hits === 0 ? 'as a regex it matches nothing' : 'as a regex it matches only empty places';
    return { reading: { isLiteral: true, isOpen: true, why }, found: plain };
  }
  const isCounted = literalIsIncluded(text) && frame.query.output === 'content' && !found.hasLong;
  const other = isCounted ? { count: found.literalHits, isAtLeast: found.isSpent } : await countHits(frame, literal, main);
  return { reading, found, otherReading: other.count === 0 && !other.isAtLeast ? undefined : other };
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

function hashOf(query: ExactQuery, selection: Selection, root: string): string {
  const { pattern, regex, ignoreCase, word, multiline, encoding, binary, output } = query;
  const files = {
    scope: selection.scope,
    globs: selection.globs.map((glob) => glob.text),
    excluded: selection.excluded.map((glob) => glob.text),
    ignored: selection.ignored,
  };
  return queryHash({
    tool: 'search_text',
    root,
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
