/** How much the next part of a search takes, so that it comes to its end in the time there is: by the files of what comes next, which
 *  were counted or are estimated, and by how many files a millisecond earlier parts have taken. Ever more until that is known. */
import type { Deadline } from '../base/deadline.js';
import type { Ahead, Frontier } from './frontier.js';

/** What a part is taken from. */
export type Stock = Pick<Frontier, 'ahead' | 'passed' | 'pass' | 'enter'>;
/** About how many files a folder holds, with all below it. */
export interface Sizes {
  of(folder: string): number | Promise<number>;
}

/** Starting ripgrep costs some 10 ms, whatever it searches: so much at least is not counted as searching, and a part should cost more. */
const START_MS = 8;
const LEAST_TARGET_MS = 60;
/** A part should take about this share of the whole limit: the first one of a call, and those after it. */
const FIRST_SHARE = 1 / 4;
const LATER_SHARE = 1 / 3;
/** A part that has this share of what it could take is not filled up out of one more folder. */
const FULL_SHARE = 3 / 4;
/** Less than this share of the limit is not worth another try once one has failed. */
const WORTH_SHARE = 0.4;
/** With less time, and with less than this share of the limit, no further part is begun. */
const LEAST_MS = 15;
const LEAST_SHARE = 0.05;
/** Folders differ in the size of their files: what should just fit often does not. A page that covers nothing helps nobody, so that
 *  after a part that was cut before anything was covered much less is tried. */
const CAUTION = 0.7;
const SHY_CAUTION = 0.25;
/** What takes so much longer than expected is too much. */
const SLACK = 2.5;
/** Files of the first part when nothing is known of how long they take: so many for each millisecond of the limit, much less than a
 *  usual machine does, and at most so many. The share of what is left that is risked on it. */
const UNTRIED_RATE = 4;
const MOST_UNTRIED = 10_000;
const UNTRIED_SHARE = 1 / 3;
/** Folders that are asked at once how many files they hold. */
const ASKED_AT_ONCE = 8;

export interface PaceOptions {
  readonly deadline: Deadline;
  readonly sizes: Sizes;
  /** Files per millisecond, by earlier runs; else the first parts tell. */
  readonly rate: number | undefined;
}

/** A rate that was worked out of nothing is none. */
const known = (rate: number | undefined): number | undefined =>
  rate !== undefined && rate > 0 && Number.isFinite(rate) ? rate : undefined;

export class Pace {
  readonly #deadline: Deadline;
  readonly #sizes: Sizes;
  #rate: number | undefined;
  #untried: number;
  /** Files that the next part is taken for. */
  #expected = 0;
  #hasCovered = false;
  #hasFailed = false;

  constructor({ deadline, sizes, rate }: PaceOptions) {
    this.#deadline = deadline;
    this.#sizes = sizes;
    this.#rate = known(rate);
    this.#untried = Math.min(MOST_UNTRIED, deadline.limitMs * UNTRIED_RATE);
  }

  /** Files per millisecond, as parts have shown it. */
  get rate(): number | undefined {
    return this.#rate;
  }

  /** Passes what the next part takes: at least one entry, or none where there is no time for more. */
  async fill(frontier: Stock): Promise<void> {
    this.#expected = 0;
    const most = this.#most();
    if (most === undefined) return;
    for (;;) {
      const { ahead } = frontier;
      if (ahead.length === 0) return;
      const fitting = await this.#fit(ahead, most - this.#expected);
      if (fitting > 0) frontier.pass(fitting);
      if (fitting === ahead.length) continue;
      if (frontier.passed > 0 && this.#expected > most * FULL_SHARE) return;
      if (await frontier.enter()) continue;
      // What cannot be divided is a part of its own.
      if (frontier.passed === 0) frontier.pass(1);
      return;
    }
  }

  /** How many of the first entries have so many files together, which are then expected. */
  async #fit(ahead: readonly Ahead[], most: number): Promise<number> {
    let files = 0;
    for (let at = 0; at < ahead.length; at += ASKED_AT_ONCE) {
      const some = ahead.slice(at, at + ASKED_AT_ONCE);
      const sizes = await Promise.all(some.map(({ path, isFolder }) => this.#sizeOf(path, isFolder)));
      for (const [i, size] of sizes.entries()) {
        if (files + size > most) {
          this.#expected += files;
          return at + i;
        }
        files += size;
      }
    }
    this.#expected += files;
    return ahead.length;
  }

  /** A folder that was empty may have been filled since. */
  async #sizeOf(path: string, isFolder: boolean): Promise<number> {
    return isFolder ? Math.max(1, await this.#sizes.of(path)) : 1;
  }

  /** Files that the next part may take; undefined where there is no time for more. */
  #most(): number | undefined {
    const { remainingMs, limitMs } = this.#deadline;
    if (remainingMs < Math.max(LEAST_MS, limitMs * LEAST_SHARE)) return undefined;
    if (this.#hasFailed && this.#hasCovered && remainingMs < limitMs * WORTH_SHARE) return undefined;
    if (this.#rate === undefined) return this.#untried;
    const target = Math.max(LEAST_TARGET_MS, limitMs * (this.#hasCovered ? LATER_SHARE : FIRST_SHARE));
    const caution = this.#hasFailed && !this.#hasCovered ? SHY_CAUTION : CAUTION;
    return this.#rate * (Math.min(target, remainingMs * caution) - START_MS);
  }

  /** The time that the part gets. */
  get risked(): Deadline {
    const { remainingMs } = this.#deadline;
    if (this.#rate === undefined) return this.#deadline.within(remainingMs * UNTRIED_SHARE);
    return this.#deadline.within(Math.max(LEAST_TARGET_MS, START_MS + (this.#expected / this.#rate) * SLACK));
  }

  /** The part came to its end, which says nothing of the rate where it was not filled by it. */
  covered(tookMs: number): void {
    this.#hasCovered = true;
    this.#untried *= 2;
    if (tookMs < LEAST_MS || this.#expected === 0) return;
    const rate = this.#expected / Math.max(tookMs - START_MS, tookMs / 2);
    // Of the last few parts, so that one of small files, or of files that are ignored, does not decide.
    this.#rate = this.#rate === undefined ? rate : Math.min(this.#rate * 2, (this.#rate * 2 + rate) / 3);
  }

  /** The part was cut short. What was expected of it was wrong: the same again would be as well. */
  failed(tookMs: number): void {
    this.#hasFailed = true;
    this.#rate = Math.min(this.#rate ?? Number.POSITIVE_INFINITY, Math.max(1, this.#expected) / Math.max(1, tookMs)) / 2;
  }
}
