/** From a message to its reply: calls the handler, keeps the table of requests in flight, turns whatever a handler throws into
 *  an answer. Knows no stream. Every request is answered exactly once unless it is cancelled; notifications and responses never.
 *  Refuses to know methods, but for the two that a handler alone cannot treat: the cancel and the handshake. */

import { showJson } from '../base/display.js';
import { ProtocolError, RPC } from '../base/errors.js';
import type { Limits } from '../base/limits.js';
import { type Call, CallTable, type OpenCall } from './calls.js';
import {
  errorMessage,
  type Id,
  isId,
  type Notification,
  type Parsed,
  type Request,
  type Response,
  resultMessage,
  type Single,
} from './messages.js';

const CANCEL = 'notifications/cancelled';
const HANDSHAKE = 'initialize';

export interface Handler {
  /** Resolves to the result. A ProtocolError is answered as such; anything else thrown is a bug. */
  request(request: Request, call: Call): Promise<object>;
  /** Never answered. Cancels do not come here. */
  notification(notification: Notification): void;
  /** Asked when a batch arrives. */
  acceptsBatch(): boolean;
  isCancellable(method: string): boolean;
}

export interface ConnectionLog {
  error(fields: object, message: string): void;
  debug(fields: object, message: string): void;
}

/** A reply as JSON, at once or later; undefined where none is due. The promise never rejects. */
export type Reply = string | undefined | Promise<string | undefined>;

export class Dispatcher {
  readonly #handler: Handler;
  readonly #log: ConnectionLog;
  readonly #notify: Call['notify'];
  readonly #calls = new CallTable();

  readonly #maxBatch: number;

  constructor(handler: Handler, log: ConnectionLog, notify: Call['notify'], limits: Pick<Limits, 'maxBatch'>) {
    this.#maxBatch = limits.maxBatch;
    this.#handler = handler;
    this.#log = log;
    this.#notify = notify;
  }

  /** Handles one frame. */
  serve(message: Parsed): Reply {
    return message.kind === 'batch' ? this.#serveBatch(message.items) : this.#serveSingle(message);
  }

  /** Ends all calls in flight. Each is answered, so that no client waits for what will never come. */
  abortAll(why: string): void {
    for (const call of this.#calls.open) {
      call.abort(why, JSON.stringify(errorMessage(call.id, RPC.internalError, `Not finished: ${why}`)));
    }
  }

  /** The reply to a batch is one array; notifications and aborted calls leave no trace in it, and an empty one is not sent. */
  #serveBatch(items: readonly Single[]): Reply {
    if (items.length === 0) return refusal(undefined, 'Invalid request: a batch must not be empty');
    if (items.length > this.#maxBatch) return refusal(undefined, `Invalid request: a batch may have ${this.#maxBatch} messages`);
    if (!this.#handler.acceptsBatch()) return refusal(undefined, 'Invalid request: batches are not accepted in this session');
    const replies = items.map((item) =>
      isHandshake(item) ? refusal(item.request.id, `Invalid request: ${HANDSHAKE} cannot be part of a batch`) : this.#serveSingle(item),
    );
    return Promise.all(replies).then((settled) => {
      const present = settled.filter((reply) => reply !== undefined);
      return present.length === 0 ? undefined : `[${present.join(',')}]`;
    });
  }

  #serveSingle(message: Single): Reply {
    switch (message.kind) {
      case 'response':
        return undefined;
      case 'notification':
        this.#notice(message.notification);
        return undefined;
      case 'invalid':
        return JSON.stringify(errorMessage(message.id, message.code, message.message));
      case 'request':
        return this.#startCall(message.request);
    }
  }

  #notice(notification: Notification): void {
    if (notification.method === CANCEL) {
      this.#cancel(notification.params);
      return;
    }
    try {
      this.#handler.notification(notification);
    } catch (error) {
      this.#log.error({ err: error }, 'a notification handler failed');
    }
  }

  /** Unknown, finished and malformed cancels are ignored: they may simply have crossed the reply on the way. */
  #cancel(params: unknown): void {
    const requestId = typeof params === 'object' && params !== null && 'requestId' in params ? params.requestId : undefined;
    const call = isId(requestId) ? this.#calls.find(requestId) : undefined;
    if (call !== undefined && this.#handler.isCancellable(call.method)) call.abort('The client cancelled the call');
  }

  #startCall(request: Request): Reply {
    const call = this.#calls.tryOpen(request, this.#notify);
    if (call === undefined) return refusal(request.id, 'Invalid request: a request with this id is still in flight');
    void this.#runHandler(request, call);
    return call.outcome;
  }

  async #runHandler(request: Request, call: OpenCall): Promise<void> {
    try {
      const response = await this.#respond(request, call);
      if (!call.isOver) call.finish(showJson(response));
    } catch (error) {
      // An aborted handler may throw what it likes. Otherwise it is a bug, and so is a result that cannot be JSON; the client
      // learns no detail, because a message or a stack may name paths.
      if (call.isOver) return;
      this.#log.error({ err: error }, 'a request handler failed');
      call.finish(JSON.stringify(errorMessage(request.id, RPC.internalError, 'Internal error')));
    }
  }

  async #respond(request: Request, call: OpenCall): Promise<Response> {
    try {
      return resultMessage(request.id, await this.#handler.request(request, call));
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      return errorMessage(request.id, error.code, error.message, error.data);
    }
  }
}

/** A refusal with -32600 as JSON, for what is wrong with a message as such. */
export function refusal(id: Id | undefined, message: string): string {
  return JSON.stringify(errorMessage(id, RPC.invalidRequest, message));
}

function isHandshake(item: Single): item is Extract<Single, { kind: 'request' }> {
  return item.kind === 'request' && item.request.method === HANDSHAKE;
}
