/** Gathers the matches of one search. A parallel run keeps everything as long as it is little; when it is much, a run in path
 *  order that ends at the cap makes reply and cursor deterministic. Memory is bounded by the caps. */
import { ToolError } from '../base/errors.js';
import type { RootRules, Selection } from '../ripgrep/accept.js';
import type { RulesPass, TextQuery } from '../ripgrep/args.js';
import { MatchBudget, type Place } from '../ripgrep/budget.js';
import type { RgEvent } from '../ripgrep/events.js';
import type { Part } from '../ripgrep/part.js';
import type { SearchEnd } from '../ripgrep/process.js';
import type { SearchContext, SearchParts } from './context.js';
import { afterHeadStart, type Counted, countMatches } from './counting.js';
import { cover, isTimedOut, type Resume, type Sight } from './cover.js';
import type { ExactQuery } from './exact-query.js';
import { searchedBy } from './notes.js';
import { comparePaths } from './order.js';
import { holdsLiteral } from './reading.js';
import { type Collected, type FileCount, itemsOf, joined, NOTHING, type Rows, sightsOf } from './rows.js';
import { type Pass, passesOf } from './selection.js';
import { Smallest } from './smallest.js';
import { canBeWholeWord } from './whole-word.js';

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
  /** Where to go on part by part, when an earlier call ran out of time. */
  readonly resume: Resume | undefined;
}

/** Everything by all cores, or, where that is too much, the first part in path order. Where time is short, part by part. */
export async function collect(frame: Frame, text: TextQuery, main: RulesPass): Promise<Collected> {
  const { context, parts, selection, query } = frame;
  const tree = parts.trees.of(context.root, selection, main);
  let kept: Rows = NOTHING;
  const sights: Sight[] = [];
  const run = query.output === 'content' ? collectRows : collectCounts;
  const coverage = await cover(
    {
      root: context.root,
      scope: selection.scope,
      isScopeFile: selection.isScopeFile,
      deadline: context.deadline,
      limits: parts.limits,
      from: frame.resume,
      start: frame.after?.path,
      tree,
      kind: 'search',
    },
    async (part, deadline) => {
      context.progress.restart(kept.hits, kept.fileCount);
      const found: Rows = await run({ ...frame, context: { ...context, deadline }, skip: part === undefined ? frame.skip : [] }, text, {
        main,
        part,
      });
      const isCut = found.ends.some((end) => end.reason === 'deadline');
      if (isCut) sights.push(...sightsOf(found));
      return {
        ends: found.ends,
        // Part by part, what could not be shown is not looked for. A part that was cut may lack what comes first.
        isEnough: found.isSpent || (part !== undefined && !isCut && itemsOf(kept) + itemsOf(found) > query.maxMatches),
        keep: () => {
          kept = joined(kept, found);
        },
      };
    },
  );
  const isEnough = coverage.pace > 0 && itemsOf(kept) > query.maxMatches;
  if (frame.after === undefined && !kept.isSpent && !isEnough && !isTimedOut(coverage)) tree.learn(searchedBy(coverage.ends));
  return { ...kept, isSpent: kept.isSpent || isEnough, coverage, size: tree.size, sights };
}

interface RunOptions {
  readonly main: RulesPass;
  /** Undefined is all of the tree. */
  readonly part: Part | undefined;
}

async function collectRows(frame: Frame, text: TextQuery, options: RunOptions): Promise<Rows> {
  const { limits } = frame.parts;
  const whole = await keepRows(frame, text, options, { isSorted: false, maxHits: limits.maxHitsKept, maxText: limits.maxKeptBytes });
  if (!whole.isSpent) return whole;
  const { progress } = frame.context;
  progress.restart(progress.matches - whole.hits, progress.matchedFiles - whole.fileCount);
  // A reply never shows more text than maxChars, so no more is kept; ripgrep is killed there.
  const { maxMatches, maxChars } = frame.query;
  // Both are waited for, so that no ripgrep outlives the reply.
  const rows = keepRows(frame, text, options, { isSorted: true, maxHits: maxMatches, maxText: maxChars });
  const [page, counting] = await Promise.allSettled([
    rows,
    options.part === undefined ? countForGate(frame, text, options.main, rows) : undefined,
  ]);
  if (page.status === 'rejected') throw page.reason;
  const counted = countedOf(counting);
  // Cut short in path order, one run has the first ones all the same, and there are more. Of two runs, the one that was cut may lack
  // what stands between those of the other.
  const { ends, hits } = page.value;
  const isOrdered = ends.length === 1 || ends.every(({ reason }) => reason !== 'deadline');
  const first = { ...page.value, isSpent: isOrdered && (page.value.isSpent || hits > 0) };
  return { ...first, leastHits: Math.max(first.leastHits, whole.leastHits), ...(counted === undefined ? {} : { counted }) };
}

/** Counting is an extra: where ripgrep cannot do it the reply goes without. */
function countedOf(counting: PromiseSettledResult<Counted | undefined>): Counted | undefined {
  if (counting.status === 'fulfilled') return counting.value;
  if (counting.reason instanceof ToolError) return undefined;
  throw counting.reason;
}

/** How much a search that is cut would find. Matches over several lines are counted by ripgrep in another way than it shows them. */
async function countForGate(
  { parts, context, query, selection, rules }: Frame,
  text: TextQuery,
  main: RulesPass,
  page: Promise<unknown>,
): Promise<Counted | undefined> {
  const countMs = query.gate?.limits.gateCountMs ?? 0;
  if (countMs === 0 || text.multiline) return undefined;
  const limitMs = await afterHeadStart(page, countMs);
  const passes = passesOf(selection, rules, context.root, { isSorted: false, main });
  return countMatches(parts.ripgrep, passes, text, context, { limitMs, asksWholeWord: canBeWholeWord(query) });
}

async function keepRows(
  frame: Frame,
  text: TextQuery,
  { main, part }: RunOptions,
  caps: { isSorted: boolean; maxHits: number; maxText: number },
): Promise<Rows> {
  const { parts, context, after } = frame;
  const budgets: MatchBudget[] = [];
  const ends: SearchEnd[] = [];
  let literalHits = 0;
  let isOnlyEmpty = true;
  let hasLong = false;
  for (const pass of passesOf(frame.selection, frame.rules, context.root, { isSorted: caps.isSorted, main, part })) {
    const budget = new MatchBudget({
      ...caps,
      maxLineChars: parts.limits.maxLineChars,
      masksSecrets: context.root.masksSecrets,
      accepts: pass.accepts,
      ...(after === undefined ? {} : { after: { place: after, compare: comparePaths } }),
    });
    budgets.push(budget);
    let path = '';
    ends.push(
      await runPass(frame, pass, text, true, (event) => {
        if (event.type === 'begin') path = event.path;
        const before = budget.hits;
        const filesBefore = budget.files.length;
        const goesOn = budget.accept(event);
        if (budget.hits > before && (event.type !== 'match' || event.spans.some(({ start, end }) => end > start))) isOnlyEmpty = false;
        hasLong ||= event.type === 'long';
        if (budget.hits > before && holdsLiteral(frame.query, event.type === 'match' ? event.text : '')) literalHits++;
        context.progress.matches += budget.hits - before;
        context.progress.matchedFiles += budget.files.length - filesBefore;
        if (context.progress.isWatched && budget.hits > before) context.progress.offerFirst(path, lineOf(event), comparePaths);
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
    leastHits: budgets.reduce((sum, budget) => sum + budget.hits, 0),
    lossyPaths: budgets.reduce((sum, budget) => sum + budget.lossyPaths, 0),
    binary: files.filter((file) => file.binaryOffset !== undefined).map((file) => ({ path: file.path, offset: file.binaryOffset ?? 0 })),
    binaryCount: files.filter((file) => file.binaryOffset !== undefined).length,
    ends,
  };
}

/** Files with their numbers of matches. Never stopped at a cap: counts are only worth something when they are whole. */
async function collectCounts(frame: Frame, text: TextQuery, { main, part }: RunOptions): Promise<Rows> {
  const { context, query, after } = frame;
  const first = new Smallest<FileCount>(query.maxMatches + 1, (a, b) => comparePaths(a.path, b.path));
  const binary = new Smallest<{ path: string; offset: number }>(3, (a, b) => comparePaths(a.path, b.path));
  const ends: SearchEnd[] = [];
  const seen = { hits: 0, files: 0, lossyPaths: 0, binary: 0 };
  for (const pass of passesOf(frame.selection, frame.rules, context.root, { isSorted: false, main, part })) {
    let path: string | undefined;
    ends.push(
      await runPass(frame, pass, text, false, (event) => {
        if (event.type === 'begin') {
          const order = after === undefined ? 1 : comparePaths(event.path, after.path);
          // Line 0 of a file is the place before it.
          const isNew = order > 0 || (order === 0 && after?.line === 0);
          path = isNew && pass.accepts(event.path) ? event.path : undefined;
          if (event.isLossyPath && path !== undefined) seen.lossyPaths++;
        } else if (event.type === 'end' && path !== undefined) {
          if (event.matchedLines > 0) {
            first.add({ path, count: event.matchedLines });
            seen.files++;
            seen.hits += event.matchedLines;
            context.progress.matches += event.matchedLines;
            context.progress.matchedFiles++;
            if (context.progress.isWatched) context.progress.offerFirst(path, undefined, comparePaths);
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
    leastHits: seen.hits,
    lossyPaths: seen.lossyPaths,
    binary: binary.sorted(),
    binaryCount: seen.binary,
    ends,
  };
}

const lineOf = (event: RgEvent): number | undefined => ('line' in event ? event.line : undefined);

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
