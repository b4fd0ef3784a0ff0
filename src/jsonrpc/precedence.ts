/** Lets long calls stand back while short ones run. All calls share one thread: without this, a read of ten lines waits for megabytes
 *  of matches to be looked at between any two of its steps. A long call that does not read leaves its ripgrep waiting, too.
 *  While nothing short runs, long calls take turns, one piece of work for each turn of the event loop, so that a message is soon seen.
 *  Promise: it stands back for no longer than `giveWayMs` at a time, and goes on for as long after that, so it is at most half as fast. */
import type { Limits } from '../base/limits.js';

export class Precedence {
  readonly #limits: Pick<Limits, 'giveWayMs'>;
  #short = 0;
  /** Long calls that wait for a turn. */
  readonly #turns: (() => void)[] = [];
  #pause: Promise<void> | undefined;
  #endPause: (() => void) | undefined;
  /** Before this moment nobody stands back. */
  #goesOnUntil = 0;

  constructor(limits: Pick<Limits, 'giveWayMs'>) {
    this.#limits = limits;
  }

  /** A short call starts. */
  enter(): void {
    this.#short++;
  }

  /** A short call has ended. */
  leave(): void {
    this.#short--;
    if (this.#short === 0) this.#endPause?.();
  }

  /** What a long call awaits before its next piece of work. Never rejects. */
  giveWay(): Promise<void> {
    if (this.#short === 0 || performance.now() < this.#goesOnUntil) return this.#takeTurn();
    this.#pause ??= this.#startPause();
    return this.#pause;
  }

  #takeTurn(): Promise<void> {
    return new Promise((resolve) => {
      this.#turns.push(resolve);
      if (this.#turns.length === 1) setImmediate(this.#next);
    });
  }

  readonly #next = (): void => {
    this.#turns.shift()?.();
    if (this.#turns.length > 0) setImmediate(this.#next);
  };

  #startPause(): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#pause = undefined;
        this.#endPause = undefined;
        resolve();
      };
      const timer = setTimeout(() => {
        this.#goesOnUntil = performance.now() + this.#limits.giveWayMs;
        end();
      }, this.#limits.giveWayMs);
      this.#endPause = end;
    });
  }
}
