/** Gathers the matches of one search. A parallel run keeps everything as long as it is little; when it is much, a run in path
 *  order that ends at the cap makes reply and cursor deterministic. Memory is bounded by the caps. */
import type { RootRules, Selection } from '../ripgrep/accept.js';
import type { RulesPass, TextQuery } from '../ripgrep/args.js';
import { type FileRows, MatchBudget, type Place } from '../ripgrep/budget.js';
import type { RgEvent } from '../ripgrep/events.js';
import type { SearchEnd } from '../ripgrep/process.js';
import type { SearchContext, SearchParts } from './context.js';
import type { ExactQuery } from './exact-query.js';
import { comparePaths } from './order.js';
import { holdsLiteral } from './reading.js';
import { type Pass, passesOf } from './selection.js';
import { Smallest } from './smallest.js';

export interface FileCount {
  readonly path: string;
  readonly count: number;
}

/** Everything the passes of one call share. */
export interface Frame {
  readonly parts: SearchParts;
  readonly context: SearchContext;
  readonly query: ExactQuery;
  readonly selection: Selection;
  readonly rules: RootRules;
  /** What earlier pages showed last. */
  readonly after: Place | undefined;
  /** What earlier pages covered whole. */
  readonly skip: readonly string[];
}

export interface Collected {
  readonly files: FileRows[];
  readonly counts: FileCount[];
  readonly hits: number;
  readonly fileCount: number;
  readonly literalHits: number;
  /** A match stands in a line too long to be looked at whole, so that `literalHits` may be too few. */
  readonly hasLong: boolean;
  /** Every match is an empty place, such as those of \b. */
  readonly isOnlyEmpty: boolean;
  readonly isSpent: boolean;
  readonly lossyPaths: number;
  /** The first files that count as binary, and how many there are. */
  readonly binary: readonly { path: string; offset: number }[];
  readonly binaryCount: number;
  readonly ends: readonly SearchEnd[];
}

/** Everything by all cores, or, where that is too much, the first part in path order. */
export async function collect(frame: Frame, text: TextQuery, main: RulesPass): Promise<Collected> {
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
  let isOnlyEmpty = true;
  let hasLong = false;
  for (const pass of passesOf(frame.selection, frame.rules, context.root, { isSorted: caps.isSorted, main })) {
    const budget = new MatchBudget({
      ...caps,
      maxLineChars: parts.limits.maxLineChars,
      masksSecrets: context.root.masksSecrets,
      accepts: pass.accepts,
      ...(after === undefined ? {} : { after: { place: after, compare: comparePaths } }),
    });
    budgets.push(budget);
    ends.push(
      await runPass(frame, pass, text, true, (event) => {
        const before = budget.hits;
        const goesOn = budget.accept(event);
        if (budget.hits > before && (event.type !== 'match' || event.spans.some(({ start, end }) => end > start))) isOnlyEmpty = false;
        hasLong ||= event.type === 'long';
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
    hasLong,
    isOnlyEmpty,
    hits: budgets.reduce((sum, budget) => sum + budget.hits, 0),
    fileCount: files.filter((file) => file.hits > 0).length,
    isSpent: budgets.some((budget) => budget.isSpent),
    lossyPaths: budgets.reduce((sum, budget) => sum + budget.lossyPaths, 0),
    binary: files.filter((file) => file.binaryOffset !== undefined).map((file) => ({ path: file.path, offset: file.binaryOffset ?? 0 })),
    binaryCount: files.filter((file) => file.binaryOffset !== undefined).length,
    ends,
  };
}

/** Files with their numbers of matches. Never stopped at a cap: counts are only worth something when they are whole. */
async function collectCounts(frame: Frame, text: TextQuery, main: RulesPass): Promise<Collected> {
  const { context, query, after } = frame;
  const first = new Smallest<FileCount>(query.maxMatches + 1, (a, b) => comparePaths(a.path, b.path));
  const binary = new Smallest<{ path: string; offset: number }>(3, (a, b) => comparePaths(a.path, b.path));
  const ends: SearchEnd[] = [];
  const seen = { hits: 0, files: 0, lossyPaths: 0, binary: 0 };
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
          if (event.binaryOffset !== undefined) {
            binary.add({ path, offset: event.binaryOffset });
            seen.binary++;
          }
        }
        return true;
      }),
    );
  }
  return {
    files: [],
    counts: first.sorted(),
    hits: seen.hits,
    fileCount: seen.files,
    literalHits: 0,
    hasLong: false,
    isOnlyEmpty: false,
    isSpent: false,
    lossyPaths: seen.lossyPaths,
    binary: binary.sorted(),
    binaryCount: seen.binary,
    ends,
  };
}

function runPass(frame: Frame, pass: Pass, text: TextQuery, wantsLines: boolean, accept: (event: RgEvent) => boolean): Promise<SearchEnd> {
  return frame.parts.ripgrep.search(pass.walk, text, frame.context, { wantsLines, accept, skip: frame.skip });
}

/** How many lines the other reading matches, up to a bound. */
export async function countHits(frame: Frame, text: TextQuery, main: RulesPass): Promise<{ count: number; isAtLeast: boolean }> {
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
