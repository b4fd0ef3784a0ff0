/** Limits how many calls run at once. Further calls wait in order of arrival, up to a bound; one more is answered "busy".
 *  Promise: a call that is aborted while it waits never starts. Refuses to stop running work: that is up to its signal. */

import { ToolError } from '../base/errors.js';
import type { Limits } from '../base/limits.js';

export class Slots {
  readonly #limits: Pick<Limits, 'maxInFlight' | 'maxQueued'>;
  readonly #waiting = new Set<() => void>(); // a Set keeps the order and forgets an aborted call without a search
  #running = 0;

  constructor(limits: Pick<Limits, 'maxInFlight' | 'maxQueued'>) {
    this.#limits = limits;
  }

  /** Runs `work` as soon as a slot is free. Rejects with the signal's reason when it is aborted before that. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.#running < this.#limits.maxInFlight) this.#running += 1;
    else await this.#wait(signal);
    try {
      signal.throwIfAborted(); // aborted between getting the slot and this line
      return await work();
    } finally {
      this.#release();
    }
  }

  #wait(signal: AbortSignal): Promise<void> {
    if (this.#waiting.size >= this.#limits.maxQueued) {
      throw new ToolError('busy', `${this.#running} calls are running and ${this.#waiting.size} are waiting, which is the limit.`);
    }
    return new Promise((resolve, reject) => {
      const start = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.delete(start);
        reject(signal.reason);
      };
      this.#waiting.add(start);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** Hands the slot to the call that has waited longest; it is never free in between, so no newcomer can overtake. */
  #release(): void {
    for (const start of this.#waiting) {
      this.#waiting.delete(start);
      start();
      return;
    }
    this.#running -= 1;
  }
}
