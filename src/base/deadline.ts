/** One time limit shared by all passes of a call. */
import { LIMITS, type Limits } from './limits.js';

export class Deadline {
  readonly limitMs: number;
  /** Less than half of what was asked for is left, since the call has waited for its turn. */
  readonly isShortened: boolean;
  readonly #endsAt: number;

  /** @param limitMs from now on
   *  @param askedMs what the call was to have before it waited */
  constructor(limitMs: number, askedMs = limitMs) {
    this.limitMs = limitMs;
    this.isShortened = limitMs < askedMs / 2;
    this.#endsAt = performance.now() + limitMs;
  }

  /** Milliseconds left, never negative. */
  get remainingMs(): number {
    return Math.max(0, this.#endsAt - performance.now());
  }

  get isOver(): boolean {
    return this.remainingMs <= 0;
  }

  /** A limit that ends with this one at the latest. */
  within(limitMs: number): Deadline {
    return new Deadline(Math.min(limitMs, this.remainingMs));
  }
}

/** How long a call with these arguments, unchecked as yet, may take from its arrival, in ms. */
export function limitOf(given: unknown, { deadlineMs }: Pick<Limits, 'deadlineMs'>): number {
  const { timeoutMs } = typeof given === 'object' && given !== null ? (given as { timeoutMs?: unknown }) : {};
  return typeof timeoutMs === 'number' && timeoutMs >= LIMITS.timeoutMs.min ? Math.min(timeoutMs, deadlineMs) : deadlineMs;
}
