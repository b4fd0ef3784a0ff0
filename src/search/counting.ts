/** The counting pass: how many lines match, file by file, beside a search that is cut. It only counts, so it costs what ripgrep
 *  costs, and it ends at its time limit with what it has. */
import type { TextQuery } from '../ripgrep/args.js';
import type { Ripgrep, RunContext } from '../ripgrep/process.js';
import type { FileHits } from './distribution.js';
import type { Pass } from './selection.js';

export interface Counted {
  /** In no order. */
  readonly files: readonly FileHits[];
  readonly hits: number;
  /** Counted to the end; otherwise there are at least so many. */
  readonly isWhole: boolean;
  /** Hits with whole words alone, where there was time to count them to the end as well. */
  readonly wholeWord: number | undefined;
  readonly limitMs: number;
}

export interface CountingOptions {
  readonly limitMs: number;
  /** Count those with whole words too. */
  readonly asksWholeWord: boolean;
}

/** Part of the time limit in which the page alone may run. */
const HEAD_START = 1 / 5;

/** The page is small and needed in any case: it has the processors for itself until it is there, or takes long.
 *  @returns what is left of the time limit, in whole ms
 *  @throws what the page throws: there is nothing to count for then */
export async function afterHeadStart(page: Promise<unknown>, limitMs: number): Promise<number> {
  const started = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const isOver = new Promise((resolve) => {
    timer = setTimeout(resolve, limitMs * HEAD_START);
  });
  await Promise.race([page, isOver]).finally(() => clearTimeout(timer));
  return Math.max(1, Math.round(limitMs - (performance.now() - started)));
}

/** The second run does a little more work for each match. */
const WHOLE_WORD_COST = 1.2;

/** @param passes the runs of the search itself, which they repeat
 *  @throws ToolError ripgrep_missing, ripgrep_failed; the signal's reason when cancelled */
export async function countMatches(
  ripgrep: Ripgrep,
  passes: readonly Pass[],
  query: TextQuery,
  context: RunContext,
  { limitMs, asksWholeWord }: CountingOptions,
): Promise<Counted> {
  const deadline = context.deadline.within(limitMs);
  const bounded = { ...context, deadline };
  const files: FileHits[] = [];
  const started = performance.now();
  const isWhole = await countInto((path, hits) => files.push({ path, hits }), ripgrep, passes, query, bounded);
  const hits = sumOf(files);
  const tookMs = performance.now() - started;
  const isTime = isWhole && asksWholeWord && deadline.remainingMs > tookMs * WHOLE_WORD_COST;
  return {
    files,
    hits,
    isWhole,
    wholeWord: isTime ? await countWholeWords(ripgrep, passes, query, bounded) : undefined,
    limitMs: Math.round(deadline.limitMs),
  };
}

async function countWholeWords(
  ripgrep: Ripgrep,
  passes: readonly Pass[],
  query: TextQuery,
  context: RunContext,
): Promise<number | undefined> {
  let hits = 0;
  const add = (_: string, count: number): void => {
    hits += count;
  };
  const isWhole = await countInto(add, ripgrep, passes, { ...query, word: true }, context);
  return isWhole ? hits : undefined;
}

/** @returns whether everything was counted */
async function countInto(
  take: (path: string, hits: number) => void,
  ripgrep: Ripgrep,
  passes: readonly Pass[],
  query: TextQuery,
  context: RunContext,
): Promise<boolean> {
  for (const pass of passes) {
    if (context.deadline.isOver) return false;
    const end = await ripgrep.count(pass.walk, query, context, (path, count) => {
      if (pass.accepts(path)) take(path, count);
    });
    // What could not be read was not searched either, and the search says so.
    if (end.reason !== 'end' || end.isBroken || end.complaints.some(({ kind }) => kind === 'other')) return false;
  }
  return true;
}

const sumOf = (files: readonly FileHits[]): number => files.reduce((sum, { hits }) => sum + hits, 0);
