/** One client's session: owns the input, answers in the framing of the client, pauses when replies pile up, and ends in order.
 *  Promise: one reply after the other, never interleaved; run() resolves whatever the client does to its ends of the pipes.
 *  Refuses to know what a message means. */

import type { Readable, Writable } from 'node:stream';
import type { Limits } from '../base/limits.js';
import { type ConnectionLog, Dispatcher, type Handler, type Reply, refusal } from './dispatcher.js';
import { encodeFrame, FrameDecoder, type FrameEvent } from './framing.js';
import { notificationMessage, parseMessage } from './messages.js';
import { Writer } from './writer.js';

export type { Call } from './calls.js';
export type { ConnectionLog, Handler } from './dispatcher.js';

/** Why a session ended; the first reason counts. */
export type CloseReason = 'end' | 'fatal' | 'output-closed' | 'stopped';

export interface ConnectionOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly handler: Handler;
  readonly limits: Limits;
  readonly log: ConnectionLog;
}

export class Connection {
  readonly #input: Readable;
  readonly #limits: Limits;
  readonly #log: ConnectionLog;
  readonly #decoder: FrameDecoder;
  readonly #dispatcher: Dispatcher;
  readonly #writer: Writer;
  readonly #over: Promise<CloseReason>;
  readonly #resolveOver: (reason: CloseReason) => void;
  #reason: CloseReason | undefined;
  #unansweredFrames = 0;
  #onIdle: (() => void) | undefined;

  constructor(options: ConnectionOptions) {
    this.#input = options.input;
    this.#limits = options.limits;
    this.#log = options.log;
    this.#decoder = new FrameDecoder(options.limits);
    this.#dispatcher = new Dispatcher(options.handler, options.log, (method, params) => this.#notify(method, params), options.limits);
    this.#writer = new Writer(options.output, options.limits, {
      onFull: () => this.#input.pause(),
      onDrain: () => this.#resume(),
      onClosed: () => this.#close('output-closed', 'the client no longer reads'),
    });
    let resolveOver!: (reason: CloseReason) => void;
    this.#over = new Promise((resolve) => {
      resolveOver = resolve;
    });
    this.#resolveOver = resolveOver;
  }

  /** Starts reading; call it once. Resolves when all is over: calls in flight settled or aborted, replies flushed. */
  run(): Promise<CloseReason> {
    if (!this.#writer.isOpen) this.#close('output-closed', 'the client no longer reads');
    this.#input.on('error', (error) => this.#log.debug({ err: error }, 'the input failed'));
    this.#input.on('end', () => this.#endInput());
    this.#input.on('close', () => this.#endInput()); // after an error there is no end event
    if (this.#input.readableEnded || this.#input.destroyed) this.#endInput();
    if (this.#reason === undefined) this.#input.on('data', (chunk: Buffer) => this.#accept(this.#decoder.push(chunk)));
    return this.#over;
  }

  /** Refuses new work and aborts what is in flight at once; finished replies are still flushed. Idempotent. */
  stop(): void {
    this.#close('stopped', 'the server is stopping');
  }

  #accept(events: readonly FrameEvent[]): void {
    for (const event of events) {
      if (this.#reason !== undefined) return;
      this.#acceptEvent(event);
    }
  }

  #acceptEvent(event: FrameEvent): void {
    switch (event.kind) {
      case 'frame':
        this.#reply(this.#dispatcher.serve(parseMessage(event.body.toString('utf8')))); // invalid UTF-8 becomes U+FFFD
        break;
      case 'oversize':
        this.#send(refusal(undefined, `Request exceeds ${event.limit} bytes`));
        break;
      case 'fatal':
        this.#drain('fatal', refusal(undefined, `Invalid frame: ${event.reason}`));
        break;
    }
  }

  #reply(reply: Reply): void {
    if (typeof reply === 'string') this.#send(reply);
    else if (reply !== undefined) void this.#sendLater(reply);
  }

  async #sendLater(reply: Promise<string | undefined>): Promise<void> {
    this.#unansweredFrames += 1;
    const json = await reply;
    if (json !== undefined) this.#send(json);
    this.#unansweredFrames -= 1;
    if (this.#unansweredFrames === 0) this.#onIdle?.();
  }

  /** Progress is worth something only now, so it is dropped where a reply would wait. */
  #notify(method: string, params: object): boolean {
    if (this.#writer.isBlocked) return false;
    this.#send(JSON.stringify(notificationMessage(method, params)));
    return true;
  }

  #send(json: string): void {
    this.#writer.send(encodeFrame(json, this.#decoder.framing ?? 'newline'));
  }

  #resume(): void {
    if (this.#reason === undefined && this.#input.isPaused()) this.#input.resume();
  }

  #endInput(): void {
    this.#accept(this.#decoder.end());
    if (this.#reason === undefined) this.#drain('end');
  }

  /** Nothing more comes in; calls in flight get some time, so that a piped file of requests gets its answers.
   *  @param last sent after them */
  #drain(reason: CloseReason, last?: string): void {
    const timer = setTimeout(() => this.#dispatcher.abortAll('the input has ended'), this.#limits.drainMs);
    void this.#finish(reason, last).then(() => clearTimeout(timer));
  }

  /** Ends the session without waiting for calls; one that is ending already loses its calls at once, too. */
  #close(reason: CloseReason, why: string): void {
    void this.#finish(reason);
    this.#dispatcher.abortAll(why);
  }

  async #finish(reason: CloseReason, last?: string): Promise<void> {
    if (this.#reason !== undefined) return;
    this.#reason = reason; // from here on no message is accepted
    this.#input.pause();
    if (this.#unansweredFrames > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
    if (last !== undefined) this.#send(last);
    await this.#writer.flush();
    this.#resolveOver(reason);
  }
}
