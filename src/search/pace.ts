/** How much the next part of a search takes, so that it comes to its end in the time there is. Where a listing has counted the files of
 *  the folders, by their number; else by trying: twice as much after a part that was quick, a quarter after one that was cut. */
import type { Deadline } from '../base/deadline.js';
import type { FolderSizes } from './folder-sizes.js';

/** Starting ripgrep costs some 10 ms; a part should cost more. */
const LEAST_TARGET_MS = 60;
/** A part should take about this share of the whole limit: when sizes are known, and when it is tried out. */
const SIZED_SHARE = 1 / 4;
const TRIED_SHARE = 1 / 8;
/** So much of what is left is risked on a part that is tried. */
const RISKED_SHARE = 1 / 3;
/** Less than this share of the limit is not worth another try once one has failed. */
const WORTH_SHARE = 0.4;
/** With less time, and with less than this share of the limit, no further part is begun. */
const LEAST_MS = 15;
const LEAST_SHARE = 0.03;
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

  /** @param paths what comes next, in one folder, in path order
   *  @returns how many of them are the next part; 0 where the first is too much for any; undefined where there is no time for more */
  next(paths: readonly string[]): number | undefined {
    const { remainingMs, limitMs } = this.#deadline;
    if (remainingMs < Math.max(LEAST_MS, limitMs * LEAST_SHARE)) return undefined;
    if (this.#hasFailed && this.#hasCovered && remainingMs < limitMs * WORTH_SHARE) return undefined;
    if (this.#rate === undefined) return this.#expect(paths, this.#entries);
    const most = this.#rate * Math.max(LEAST_TARGET_MS, limitMs * SIZED_SHARE);
    const now = Math.min(most, this.#rate * remainingMs * CAUTION);
    let sum = 0;
    let fitting = 0;
    for (const path of paths) {
      sum += this.#sizeOf(path);
      if (sum > now) break;
      fitting++;
    }
    if (fitting > 0) return this.#expect(paths, fitting);
    if (sum > most) return 0;
    // It fits into a call, though not into the rest of this one.
    return this.#hasCovered ? undefined : this.#expect(paths, 1);
  }

  #expect(paths: readonly string[], entries: number): number {
    const some = paths.slice(0, entries);
    this.#expected = some.reduce((sum, path) => sum + this.#sizeOf(path), 0);
    return some.length;
  }

  #sizeOf(path: string): number {
    return this.#sizes?.of(path) ?? 0;
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
