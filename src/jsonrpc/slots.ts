/** Decides which calls run and which wait. A bounded number runs at once; each lane (base/lane) has a bounded queue of its own, so
 *  that many long calls neither delay nor crowd out a short one.
 *
 *  Of n slots one is for light calls alone, and wide calls hold at most a quarter of them and one more: with four slots for each core
 *  that is one wide call for each core, and one to use what they leave while they start or end; ripgrep uses all cores, so that more
 *  of them end no sooner, and all too late for their deadlines. A slot that becomes free goes to the lane with the fewest calls running, so no lane starves.
 *  Promise: a call that is aborted, or whose time is over, while it waits never starts. Refuses to stop running work: that is up to
 *  its signal. */

import { plural } from '../base/display.js';
import { ToolError } from '../base/errors.js';
import { LANES, type Lane } from '../base/lane.js';
import type { Limits } from '../base/limits.js';
import { Precedence } from './precedence.js';

/** What a call asks for. */
export interface Claim {
  readonly lane: Lane;
  readonly signal: AbortSignal;
  /** Longest that it may wait, in ms. */
  readonly waitMs: number;
}

/** What a call gets with its slot. */
export interface Turn {
  readonly waitedMs: number;
  /** How it is to treat others; undefined for a call that is short. */
  readonly courtesy:
    | {
        /** Whether calls of its kind wait at the moment. */
        isCrowded(): boolean;
        /** @see Precedence */
        giveWay(): Promise<void>;
      }
    | undefined;
}

type SlotLimits = Pick<Limits, 'maxInFlight' | 'maxQueued' | 'giveWayMs'>;

interface Queue {
  running: number;
  /** In order of arrival; a Set forgets a call that leaves without a search. */
  readonly waiting: Set<() => void>;
  /** How long a call takes, in ms, recent ones counting most; 0 before the first has ended. */
  averageMs: number;
}

/** Share of the newest call in the average. */
const NEWEST = 0.25;
const MOST_RETRY_MS = 60_000;

export class Slots {
  readonly #limits: SlotLimits;
  readonly #precedence: Precedence;
  readonly #queues: Readonly<Record<Lane, Queue>> = { light: emptyQueue(), narrow: emptyQueue(), wide: emptyQueue(), tests: emptyQueue() };

  constructor(limits: SlotLimits) {
    this.#limits = limits;
    this.#precedence = new Precedence(limits);
  }

  /** Runs `work` as soon as its lane has a slot.
   *  @throws ToolError busy, queue_timed_out; the signal's reason when aborted before the start; what `work` throws */
  async run<T>({ lane, signal, waitMs }: Claim, work: (turn: Turn) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const queue = this.#queues[lane];
    const arrived = performance.now();
    if (this.#hasRoom(lane)) queue.running++;
    else await this.#wait(lane, signal, waitMs);
    const started = performance.now();
    const isShort = lane === 'light' || lane === 'narrow';
    if (isShort) this.#precedence.enter();
    try {
      signal.throwIfAborted(); // aborted between getting the slot and this line
      return await work({ waitedMs: started - arrived, courtesy: lane === 'wide' ? this.#courtesy() : undefined });
    } finally {
      if (isShort) this.#precedence.leave();
      const tookMs = performance.now() - started;
      queue.averageMs = queue.averageMs === 0 ? tookMs : queue.averageMs + NEWEST * (tookMs - queue.averageMs);
      queue.running--;
      this.#startNext();
    }
  }

  #wait(lane: Lane, signal: AbortSignal, waitMs: number): Promise<void> {
    const queue = this.#queues[lane];
    if (queue.waiting.size >= this.#limits.maxQueued) throw this.#busy(lane);
    return new Promise((resolve, reject) => {
      const start = (): void => {
        forget();
        queue.running++; // at once, so that no newcomer can overtake
        resolve();
      };
      const leave = (): void => {
        forget();
        reject(signal.reason);
      };
      const expire = (): void => {
        forget();
        reject(this.#expired(lane, waitMs));
      };
      const timer = setTimeout(expire, waitMs);
      timer.unref(); // what waits alone keeps no process alive
      const forget = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', leave);
        queue.waiting.delete(start);
      };
      queue.waiting.add(start);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  #startNext(): void {
    const [lane] = LANES.filter((each) => this.#queues[each].waiting.size > 0 && this.#hasRoom(each)).sort(
      (a, b) => this.#queues[a].running - this.#queues[b].running,
    );
    if (lane === undefined) return;
    for (const start of this.#queues[lane].waiting) {
      start();
      return;
    }
  }

  #hasRoom(lane: Lane): boolean {
    const { light, narrow, wide, tests } = this.#queues;
    const { maxInFlight } = this.#limits;
    const heavy = narrow.running + wide.running + tests.running;
    if (light.running + heavy >= maxInFlight) return false;
    if (lane === 'light') return true;
    if (heavy >= Math.max(1, maxInFlight - 1)) return false;
    return lane !== 'wide' || wide.running < this.#mostWide;
  }

  #courtesy(): NonNullable<Turn['courtesy']> {
    return { isCrowded: () => this.#queues.wide.waiting.size > 0, giveWay: () => this.#precedence.giveWay() };
  }

  get #mostWide(): number {
    return Math.max(1, Math.min(this.#limits.maxInFlight - 1, Math.floor(this.#limits.maxInFlight / 4) + 1));
  }

  #busy(lane: Lane): ToolError {
    const retryAfterMs = this.#retryMs(lane);
    return new ToolError('busy', `${this.#crowdOf(lane)}, which is the limit.`, {
      hint: `Call again in about ${seconds(retryAfterMs)}, or run fewer calls at once.${aside(lane)}`,
      retryAfterMs,
    });
  }

  #expired(lane: Lane, waitMs: number): ToolError {
    const retryAfterMs = this.#retryMs(lane);
    return new ToolError(
      'queue_timed_out',
      `The call waited ${Math.round(waitMs)} ms, all of its time limit, and was never started, so nothing was searched; ${this.#crowdOf(lane)}.`,
      {
        hint: `Nothing is wrong with the call: repeat it in about ${seconds(retryAfterMs)}, or run fewer calls at once.${aside(lane)}`,
        retryAfterMs,
      },
    );
  }

  #crowdOf(lane: Lane): string {
    const { running, waiting } = this.#queues[lane];
    const are = (number: number): string => (number === 1 ? 'is' : 'are');
    return `${plural(running, 'call')} of this kind ${are(running)} running and ${waiting.size} ${are(waiting.size)} waiting`;
  }

  /** When a place in the queue should be free: the time in which all of it would be served, by what calls took so far. */
  #retryMs(lane: Lane): number {
    const { averageMs, running, waiting } = this.#queues[lane];
    const expected = (averageMs * (waiting.size + 1)) / Math.max(1, running);
    return Math.min(MOST_RETRY_MS, Math.max(1_000, Math.ceil(expected / 1_000) * 1_000));
  }
}

const emptyQueue = (): Queue => ({ running: 0, waiting: new Set(), averageMs: 0 });
const seconds = (ms: number): string => (ms === 1_000 ? '1 second' : `${ms / 1_000} seconds`);
const aside = (lane: Lane): string => (lane === 'wide' ? ' A search with a scope waits in another queue, which is shorter.' : '');
