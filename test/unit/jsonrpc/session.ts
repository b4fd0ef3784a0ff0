/** A client in memory: two PassThrough streams with a Connection between them, and a handler whose methods are the situations
 *  that the tests need. */

import { PassThrough } from 'node:stream';
import { ProtocolError, RPC } from '#dist/base/errors.js';
import { defaultLimits, type Limits } from '#dist/base/limits.js';
import { type Call, type CloseReason, Connection, type Handler } from '#dist/jsonrpc/connection.js';
import { FrameDecoder, type Framing } from '#dist/jsonrpc/framing.js';
import type { Notification, Request } from '#dist/jsonrpc/messages.js';

/** A call of the method `hold`, which lasts until the test ends it. */
export interface HeldCall {
  readonly call: Call;
  finish(result: object): void;
  fail(error: unknown): void;
}

export interface Message {
  readonly jsonrpc?: string;
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

const cyclic: { self?: object } = {};
cyclic.self = cyclic;

export class Session implements Handler {
  readonly input = new PassThrough();
  readonly output = new PassThrough();
  readonly held: HeldCall[] = [];
  readonly notifications: Notification[] = [];
  readonly errors: { readonly err?: unknown }[] = [];
  readonly connection: Connection;
  readonly closed: Promise<CloseReason>;
  readonly #replies: Buffer[] = [];
  acceptsBatches = false;

  constructor(limits: Partial<Limits> = {}, options: { readonly isReading?: boolean; readonly isRunning?: boolean } = {}) {
    this.connection = new Connection({
      input: this.input,
      output: this.output,
      handler: this,
      limits: { ...defaultLimits(), ...limits },
      log: { error: (fields) => this.errors.push(fields), debug: () => undefined },
    });
    if (options.isReading !== false) this.read();
    this.closed = options.isRunning === false ? Promise.resolve('stopped') : this.connection.run();
  }

  /** The client starts to read what the server writes. */
  read(): void {
    this.output.on('data', (chunk: Buffer) => this.#replies.push(chunk));
  }

  write(bytes: string | Buffer): void {
    this.input.write(bytes);
  }

  send(...messages: unknown[]): void {
    this.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  }

  request(request: Request, call: Call): Promise<object> {
    switch (request.method) {
      case 'hold':
      case 'initialize':
        return new Promise((resolve, reject) => this.held.push({ call, finish: resolve, fail: reject }));
      case 'refuse':
        return Promise.reject(new ProtocolError(RPC.invalidParams, 'no such thing', { asked: request.params }));
      case 'bug':
        return Promise.reject(new Error('/secret/path is broken'));
      case 'bug-at-once':
        throw new TypeError('/secret/path is broken');
      case 'bug-in-result':
        return Promise.resolve(cyclic);
      case 'size':
        return Promise.resolve({ text: 'x'.repeat((request.params as { bytes: number }).bytes) });
      default:
        return Promise.resolve({});
    }
  }

  notification(notification: Notification): void {
    this.notifications.push(notification);
    if (notification.method === 'bug') throw new Error('a bug');
  }

  acceptsBatch(): boolean {
    return this.acceptsBatches;
  }

  isCancellable(method: string): boolean {
    return method !== 'initialize';
  }

  /** What the client has received so far, decoded in the framing in which it should have come. */
  received(framing: Framing = 'newline'): (Message | Message[])[] {
    const decoder = new FrameDecoder({ ...defaultLimits(), maxFrameBytes: 1e9 });
    const events = [...decoder.push(Buffer.concat(this.#replies)), ...decoder.end()];
    if (events.length > 0 && decoder.framing !== framing) throw new Error(`answered in ${decoder.framing}`);
    return events.map((event) => JSON.parse(event.kind === 'frame' ? event.body.toString() : 'null'));
  }

  /** Replies as short text: `1 ok`, `"a" -32600`, `- -32700` for one without id. */
  replies(): string[] {
    return this.received().flat().map(brief);
  }

  get receivedBytes(): number {
    return this.#replies.reduce((sum, chunk) => sum + chunk.length, 0);
  }
}

/** One message as short text. */
export function brief(message: Message): string {
  if (message.method !== undefined) return `> ${message.method}`;
  return `${JSON.stringify(message.id) ?? '-'} ${message.error?.code ?? 'ok'}`;
}

export const request = (id: unknown, method = 'ping', params?: unknown): object => ({ jsonrpc: '2.0', id, method, params });

export const cancel = (requestId: unknown): object => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });

/** Lets streams and promises do all that they can do without a timer. */
export async function settle(): Promise<void> {
  for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
}
