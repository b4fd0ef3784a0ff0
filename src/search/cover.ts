/** Covers a tree within a time limit. All of it in one run, as long as that is not too slow; else part by part in path order, so that
 *  what was covered ends at a place, from which a later call goes on. A part that is cut short counts for nothing and is divided. */
import type { Deadline } from '../base/deadline.js';
import type { Limits } from '../base/limits.js';
import type { Part } from '../ripgrep/part.js';
import type { RunEnd, SearchEnd } from '../ripgrep/process.js';
import type { Root } from '../security/root.js';
import { FileEstimates } from './file-estimates.js';
import { Frontier } from './frontier.js';
import type { KnownTree, TreeSize } from './known-trees.js';
import { comparePaths } from './order.js';
import { Pace } from './pace.js';

/** Where a later call goes on. */
export interface Resume {
  /** The first path that is not covered, whether it exists or not. */
  readonly from: string;
  readonly pace: CursorPace;
}

/** How a cursor says the way in which a later call goes on: 0 as it began; 1 with the first entry alone, which has taken too long by
 *  itself; else part by part, at so many files a second (2 where that is not known). */
export type CursorPace = number;
const AT_ONCE: CursorPace = 0;
const ALONE: CursorPace = 1;
const UNKNOWN: CursorPace = 2;
const cursorPace = (rate: number | undefined): CursorPace => Math.max(UNKNOWN, Math.round((rate ?? 0) * 1_000));
const rateOf = (pace: CursorPace): number | undefined => (pace > UNKNOWN ? pace / 1_000 : undefined);

interface CoverRequest {
  readonly root: Root;
  readonly scope: string;
  readonly isScopeFile: boolean;
  /** Of the whole call. */
  readonly deadline: Deadline;
  readonly limits: Pick<Limits, 'partEntries'>;
  readonly from: Resume | undefined;
  /** All that comes before it was shown: parts begin there when there is no `from`. */
  readonly start?: string | undefined;
  /** What earlier calls have learnt; brought up to date. */
  readonly tree: KnownTree;
  readonly kind: 'search' | 'list';
}

/** What one run, or several over the same part, came to. */
export interface Attempt {
  readonly ends: readonly RunEnd[];
  /** Adds what was found to the outcome. Called only when the part was searched to its end, or is enough. */
  keep(): void;
  /** No more is wanted, whether the part came to its end or not. */
  readonly isEnough?: boolean;
}

export interface Coverage<End> {
  /** Of the runs that count. */
  readonly ends: readonly End[];
  /** Undefined when everything was covered, or no more was wanted. */
  readonly resume: Resume | undefined;
  /** For a cursor that ends at a place which was shown: where there is more, it goes on in this way. */
  readonly pace: CursorPace;
  /** Paths that one call cannot search, and that can not be divided. They are passed over. */
  readonly uncovered: readonly string[];
  /** Nothing at all could be covered, and nothing says where to go on. */
  readonly isCut: boolean;
}

/** What a call that ran out of time has covered, for its reply. */
export interface Covered {
  readonly files: number;
  /** Undefined where files were only listed. */
  readonly bytes: number | undefined;
  /** All there is, where an earlier call has counted it. */
  readonly total: TreeSize | undefined;
  /** The first path that is not covered; undefined when the order of what was covered says nothing. */
  readonly upTo: string | undefined;
  readonly uncovered: readonly string[];
  /** The first places that runs which were cut short have seen in what is not covered; a later call finds them again. */
  readonly seen: readonly Sight[];
}

/** A place that was seen in passing. */
export interface Sight {
  readonly path: string;
  readonly line: number;
}

const MOST_SIGHTS = 3;

export const isTimedOut = ({ resume, uncovered, isCut }: Coverage<unknown>): boolean =>
  resume !== undefined || uncovered.length > 0 || isCut;

/** The same, when it is not known whether more should have been searched. */
export const undecided = <T extends { readonly coverage: Coverage<unknown> }>(found: T): T => ({
  ...found,
  coverage: { ...found.coverage, isCut: true },
});

/** @param size   what is known of everything that the search is about
 *  @param sights what runs that were cut short have seen, wherever
 *  @param listed files, where they were listed and not searched */
export function coveredBy(
  coverage: Coverage<RunEnd & Partial<SearchEnd>>,
  size: TreeSize | undefined,
  sights: readonly Sight[],
  listed?: number,
): Covered | undefined {
  if (!isTimedOut(coverage)) return undefined;
  const { resume, uncovered } = coverage;
  const isAhead = ({ path }: Sight): boolean =>
    (resume !== undefined && comparePaths(path, resume.from) >= 0) || uncovered.some((one) => path === one || path.startsWith(`${one}/`));
  const ahead = new Map(sights.filter(isAhead).map((sight) => [`${sight.path}:${sight.line}`, sight]));
  const seen = [...ahead.values()].sort((a, b) => comparePaths(a.path, b.path) || a.line - b.line).slice(0, MOST_SIGHTS);
  const searched = coverage.ends.map((end) => end.searched);
  const sum = (of: 'files' | 'bytes'): number => searched.reduce((all, one) => all + (one?.[of] ?? 0), 0);
  const amount = listed === undefined ? { files: sum('files'), bytes: sum('bytes') } : { files: listed, bytes: undefined };
  return { ...amount, total: size, upTo: resume?.from, uncovered, seen };
}

/** The run over everything gets this share of the time, or so much more than it took before; the rest is for parts. */
const WHOLE_SHARE = 0.5;
const WHOLE_SLACK = 1.5;
/** What took more than this share of the limit is divided at once. */
const TOO_LONG_SHARE = 0.9;

const isCutShort = (attempt: Attempt): boolean => attempt.ends.some((end) => end.reason === 'deadline') && attempt.isEnough !== true;
/** ripgrep was ended from outside, as when memory is short: nobody knows how far it came. */
const isBroken = (attempt: Attempt): boolean => attempt.ends.some((end) => end.isBroken) && attempt.isEnough !== true;

/** A part that was not covered. */
const isUndone = (attempt: Attempt): boolean => isCutShort(attempt) || isBroken(attempt);

/** @param run searches a part of the tree, or all of it, until a deadline */
export async function cover<One extends Attempt>(
  request: CoverRequest,
  run: (part: Part | undefined, deadline: Deadline) => Promise<One>,
): Promise<Coverage<One['ends'][number]>> {
  const { root, deadline, from, limits, scope } = request;
  const cost = request.tree.cost(request.kind);
  const isDivisible = !request.isScopeFile;
  const { wholeMs = 0 } = cost;
  let cut: One | undefined;
  if (from === undefined && !(isDivisible && wholeMs > deadline.limitMs * TOO_LONG_SHARE)) {
    const share = isDivisible ? Math.max(WHOLE_SHARE, (wholeMs * WHOLE_SLACK) / deadline.limitMs) : 1;
    const started = performance.now();
    const whole = await run(undefined, deadline.within(deadline.limitMs * share));
    const took = performance.now() - started;
    if (!isCutShort(whole)) {
      // A later page leaves out what was covered, and takes less time.
      if (whole.isEnough !== true && !isBroken(whole) && request.start === undefined) cost.wholeMs = took;
      whole.keep();
      return { ends: whole.ends, resume: undefined, pace: AT_ONCE, uncovered: [], isCut: false };
    }
    // How much longer is not known. A guess that is too low would make the first parts too large.
    cost.wholeMs = took * 3;
    if (took >= deadline.remainingMs) cut = whole;
  }
  const frontier = isDivisible ? await Frontier.open(root, scope, from?.from ?? request.start, limits.partEntries) : undefined;
  if (frontier === undefined) return undivided(cut ?? (await run(undefined, deadline)));
  return coverInParts(request, frontier, run);
}

/** What cannot be divided is searched as far as time allows. Nothing is known of the order, so that no later call can go on. */
function undivided<One extends Attempt>(whole: One): Coverage<One['ends'][number]> {
  whole.keep();
  return { ends: whole.ends, resume: undefined, pace: AT_ONCE, uncovered: [], isCut: isCutShort(whole) };
}

async function coverInParts<One extends Attempt>(
  { root, deadline, from, scope, tree, kind }: CoverRequest,
  frontier: Frontier,
  run: (part: Part, deadline: Deadline) => Promise<One>,
): Promise<Coverage<One['ends'][number]>> {
  const ends: One['ends'][number][] = [];
  const uncovered: string[] = [];
  const cost = tree.cost(kind);
  const { folders } = tree;
  const known = folders === undefined || cost.wholeMs === undefined ? cost.rate : folders.of(scope) / cost.wholeMs;
  const pace = new Pace({ deadline, sizes: folders ?? new FileEstimates(root), rate: known ?? rateOf(from?.pace ?? UNKNOWN) });
  const stop = (place: string | undefined, next = cursorPace(pace.rate)): Coverage<One['ends'][number]> => {
    // A rate that was wrong must not be wrong again on the next page.
    cost.rate = pace.rate;
    if (folders !== undefined && pace.rate !== undefined && folders.of(scope) > 0) cost.wholeMs = folders.of(scope) / pace.rate;
    return { ends, resume: place === undefined ? undefined : { from: place, pace: next }, pace: next, uncovered, isCut: false };
  };
  for (let isFirst = true; ; isFirst = false) {
    const { place } = frontier;
    if (place === undefined) return stop(undefined);
    const isRetried = isFirst && from?.pace === ALONE;
    if (isRetried && (await frontier.enter())) continue;
    frontier.begin();
    if (isRetried) frontier.pass(1);
    else await pace.fill(frontier);
    const { passed } = frontier;
    if (passed === 0) return stop(place);
    const part = frontier.part();
    const started = performance.now();
    let one = await run(part, isRetried ? deadline : pace.risked);
    if (isUndone(one) && !isRetried) {
      frontier.back();
      pace.failed(performance.now() - started);
      if (passed > 1 || (await frontier.enter())) continue;
      if (!deadline.isOver) one = await run(part, deadline);
      // It cannot be divided. The next call begins with it and gives it all its time.
      if (isUndone(one)) return stop(frontier.place, ALONE);
      frontier.pass(1);
    }
    if (isUndone(one)) {
      // A call that has waited for most of its time has not tried.
      if (deadline.isShortened) return stop(place, ALONE);
      uncovered.push(place);
      continue;
    }
    one.keep();
    ends.push(...one.ends);
    if (one.isEnough === true) return stop(undefined);
    pace.covered(performance.now() - started);
  }
}
