/** How much the next part of a search takes, so that it comes to its end in the time there is. Where a listing has counted the files of
 *  the folders, by their number; else by trying: twice as many entries after a part that was quick, a quarter after one that was cut. */
import type { Deadline } from '../base/deadline.js';
import type { FolderSizes } from './folder-sizes.js';
import type { Ahead, Frontier } from './frontier.js';

/** What a part is taken from. */
export type Stock = Pick<Frontier, 'ahead' | 'passed' | 'pass' | 'enter'>;

/** Starting ripgrep costs some 10 ms; a part should cost more. */
const LEAST_TARGET_MS = 60;
/** A part should take about this share of the whole limit: by files, the first one and those after it, and when it is tried out. */
const FIRST_SHARE = 1 / 4;
const SIZED_SHARE = 1 / 3;
const TRIED_SHARE = 1 / 8;
/** A part that has this share of what it could take is not filled up out of one more folder. */
const FULL_SHARE = 3 / 4;
/** So much of what is left is risked on a part that is tried. */
const RISKED_SHARE = 1 / 3;
/** Less than this share of the limit is not worth another try once one has failed. */
const WORTH_SHARE = 0.4;
/** With less time, and with less than this share of the limit, no further part is begun. */
const LEAST_MS = 15;
const LEAST_SHARE = 0.05;
/** Folders differ in the size of their files: what should just fit often does not. */
const CAUTION = 0.7;
/** What takes so much longer than expected is too much. */
const SLACK = 2.5;
export const FIRST_ENTRIES = 4;
const MOST_ENTRIES = 500;

export interface PaceOptions {
  readonly deadline: Deadline;
  /** Entries per part that proved right before. */
  readonly entries: number;
  /** Of everything that is searched, where a listing has counted. */
  readonly sizes: FolderSizes | undefined;
  /** Files per millisecond, by an earlier run; else the first part tells. */
  readonly rate: number | undefined;
}

export class Pace {
  readonly #deadline: Deadline;
  readonly #sizes: FolderSizes | undefined;
  #rate: number | undefined;
  #entries: number;
  /** Files that the next part is taken for. */
  #expected = 0;
  #hasCovered = false;
  #hasFailed = false;

  constructor({ deadline, entries, sizes, rate }: PaceOptions) {
    this.#deadline = deadline;
    this.#entries = entries;
    this.#sizes = sizes;
    this.#rate = rate;
  }

  /** Entries per part, by trying. */
  get entries(): number {
    return this.#entries;
  }

  /** Files per millisecond, as parts have shown it. */
  get rate(): number | undefined {
    return this.#rate;
  }

  /** Passes what the next part takes: at least one entry, or none where there is no time for more. Entries of one folder when sizes are
   *  not known, else of as many folders as fit. */
  async fill(frontier: Stock): Promise<void> {
    this.#expected = 0;
    const most = this.#most();
    if (most === undefined) return;
    const isSized = this.#rate !== undefined;
    for (let left = most; ; ) {
      const { ahead } = frontier;
      if (ahead.length === 0) return;
      const { fitting, cost } = fit(ahead, left, (one) => (isSized ? this.#filesOf(one) : 1));
      this.#pass(frontier, ahead.slice(0, fitting));
      left -= cost;
      if (!isSized) return;
      if (fitting === ahead.length) continue;
      if (frontier.passed > 0 && left < most * (1 - FULL_SHARE)) return;
      if (await frontier.enter()) continue;
      // What cannot be divided is a part of its own.
      if (frontier.passed === 0) this.#pass(frontier, ahead.slice(0, 1));
      return;
    }
  }

  #pass(frontier: Stock, entries: readonly Ahead[]): void {
    if (entries.length === 0) return;
    for (const one of entries) this.#expected += this.#filesOf(one);
    frontier.pass(entries.length);
  }

  /** What the next part may take: files where a rate is known, else entries; undefined where there is no time for more. */
  #most(): number | undefined {
    const { remainingMs, limitMs } = this.#deadline;
    if (remainingMs < Math.max(LEAST_MS, limitMs * LEAST_SHARE)) return undefined;
    if (this.#hasFailed && this.#hasCovered && remainingMs < limitMs * WORTH_SHARE) return undefined;
    if (this.#rate === undefined) return this.#entries;
    const target = Math.max(LEAST_TARGET_MS, limitMs * (this.#hasCovered ? SIZED_SHARE : FIRST_SHARE));
    return this.#rate * Math.min(target, remainingMs * CAUTION);
  }

  #filesOf({ path, isFolder }: Ahead): number {
    return isFolder ? (this.#sizes?.of(path) ?? 0) : 1;
  }

  /** The time that the part gets. */
  get risked(): Deadline {
    const { remainingMs } = this.#deadline;
    if (this.#rate === undefined) return this.#deadline.within(remainingMs * RISKED_SHARE);
    return this.#deadline.within(Math.max(LEAST_TARGET_MS, (this.#expected / this.#rate) * SLACK));
  }

  /** A part came to its end. */
  covered(entries: number, tookMs: number): void {
    this.#hasCovered = true;
    const target = Math.max(LEAST_TARGET_MS, this.#deadline.limitMs * TRIED_SHARE);
    if (tookMs < target / 2) this.#entries = Math.min(MOST_ENTRIES, Math.max(this.#entries, entries) * 2);
    else if (tookMs > target) this.#entries = Math.max(1, Math.floor(entries / 2));
    if (this.#sizes === undefined || tookMs < LEAST_MS) return;
    const rate = this.#expected / tookMs;
    // Of the last few parts, so that one of small files does not decide.
    this.#rate = this.#rate === undefined ? rate : (this.#rate * 2 + rate) / 3;
  }

  /** A part was cut short. */
  failed(entries: number): void {
    this.#hasFailed = true;
    this.#entries = Math.max(1, Math.floor(entries / 4));
    // What was expected of it was wrong: the same again would be as well.
    if (this.#rate !== undefined) this.#rate /= 2;
  }

  /** What comes next is within a folder that was too much. */
  entered(): void {
    this.#entries = FIRST_ENTRIES;
  }
}

/** How many of the first ones fit, and what they cost. */
function fit<T>(ones: readonly T[], most: number, costOf: (one: T) => number): { fitting: number; cost: number } {
  let cost = 0;
  for (const [fitting, one] of ones.entries()) {
    const more = cost + costOf(one);
    if (more > most) return { fitting, cost };
    cost = more;
  }
  return { fitting: ones.length, cost };
}
