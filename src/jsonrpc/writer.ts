/** Owns the output: the only place that writes to it, whole frames in order, so replies never interleave. Knows how much is
 *  unsent and says when that is too much. Promise: a broken output never throws; it is told once, and nothing is written after
 *  it. Refuses to wait: whoever produces frames has to stop when told. */

import type { Limits } from '../base/limits.js';
import { ByteQueue } from './byte-queue.js';

/** The part of a node:stream Writable that is used here. */
export interface Output {
  readonly writable: boolean;
  readonly writableLength: number;
  readonly writableNeedDrain: boolean;
  write(chunk: Buffer, done: () => void): boolean;
  on(event: 'drain' | 'error' | 'close', listener: () => void): unknown;
}

export interface WriterEvents {
  /** More than maxUnsentBytes wait for the client. */
  onFull(): void;
  /** Nothing waits for the client any more. */
  onDrain(): void;
  /** The client no longer reads; nothing can be written from now on. */
  onClosed(): void;
}

export class Writer {
  readonly #output: Output;
  readonly #limits: Pick<Limits, 'maxUnsentBytes' | 'flushMs'>;
  readonly #events: WriterEvents;
  /** Frames that wait while the output is blocked, packed: a stream keeps some 900 bytes of bookkeeping for each small write. */
  readonly #packed = new ByteQueue();
  #isOpen: boolean;
  #unfinishedWrites = 0;
  #onFlushed: (() => void) | undefined;

  constructor(output: Output, limits: Pick<Limits, 'maxUnsentBytes' | 'flushMs'>, events: WriterEvents) {
    this.#output = output;
    this.#limits = limits;
    this.#events = events;
    this.#isOpen = output.writable;
    output.on('drain', () => this.#drain());
    // Never taken off: an EPIPE that arrives after the end of the session must not become an uncaught exception.
    output.on('error', () => this.#close());
    output.on('close', () => this.#close());
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether a further frame would wait in memory instead of going out. */
  get isBlocked(): boolean {
    return !this.#isOpen || this.#output.writableNeedDrain || this.#packed.length > 0;
  }

  send(frame: Buffer): void {
    if (!this.#isOpen) return;
    if (this.isBlocked) this.#packed.add(frame);
    else this.#write(frame);
    const unsentBytes = this.#output.writableLength + this.#packed.length;
    // Only an output that needs a drain will announce one.
    if (unsentBytes > this.#limits.maxUnsentBytes && this.#output.writableNeedDrain) this.#events.onFull();
  }

  /** Resolves when everything is written, the output is broken or flushMs are over. */
  async flush(): Promise<void> {
    if (!this.#isOpen || (this.#unfinishedWrites === 0 && this.#packed.length === 0)) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#limits.flushMs);
      this.#onFlushed = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #write(bytes: Buffer): void {
    this.#unfinishedWrites += 1;
    this.#output.write(bytes, this.#finishWrite);
  }

  readonly #finishWrite = (): void => {
    this.#unfinishedWrites -= 1;
    if (this.#unfinishedWrites === 0 && this.#packed.length === 0) this.#onFlushed?.();
  };

  #drain(): void {
    if (this.#isOpen && this.#packed.length > 0) this.#write(this.#packed.take());
    if (!this.isBlocked) this.#events.onDrain();
  }

  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#packed.clear();
    this.#onFlushed?.();
    this.#events.onClosed();
  }
}
