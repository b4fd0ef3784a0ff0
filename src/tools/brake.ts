/** Slows down a session that searches kept outputs again and again in a short time: many small replies fill a context like a large
 *  one. The clock comes in as an argument. */
import type { Limits } from '../base/limits.js';

/** How much a call may show: as asked for, one result a query, or one result with one window in all. */
export type Allowance = 'all' | 'one a query' | 'one';

export class Brake {
  readonly #limits: Limits;
  #calls: number[] = [];

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Counts a call and says what it may show.
   *  @param nowMs of a clock that never goes back */
  take(nowMs: number): Allowance {
    const { brakeMs, brakeCalls, brakeHardCalls } = this.#limits;
    this.#calls = this.#calls.filter((at) => nowMs - at < brakeMs);
    this.#calls.push(nowMs);
    if (this.#calls.length > brakeHardCalls) return 'one';
    return this.#calls.length > brakeCalls ? 'one a query' : 'all';
  }
}
