/** The table of requests in flight. Owns ids, abort signals and the rule that a call ends once: by its reply or by an abort,
 *  whichever comes first. Refuses to write anything: what a call says is handed to its owner. */

import { type Id, idKey, type Request } from './messages.js';

/** What a handler knows of the request that it serves. */
export interface Call {
  readonly id: Id;
  readonly signal: AbortSignal;
  /** Sends a notification that belongs to this call; false when it was dropped because the output is blocked, or the call is
   *  over or cancelled. */
  notify(method: string, params: object): boolean;
}

/** The reason of an aborted signal. It has the name that Node gives its own abort errors. */
export class CallAborted extends Error {
  override readonly name = 'AbortError';
}

export class OpenCall implements Call {
  readonly id: Id;
  readonly method: string;
  /** The reply as JSON; undefined when the call was aborted and gets none. Never rejects. */
  readonly outcome: Promise<string | undefined>;
  readonly #notify: Call['notify'];
  readonly #settle: (reply: string | undefined) => void;
  #abortController: AbortController | undefined; // made on demand: it costs more than all the rest of a ping
  #isOver = false;

  constructor(request: Request, notify: Call['notify'], onOver: () => void) {
    this.id = request.id;
    this.method = request.method;
    this.#notify = notify;
    let settle!: (reply: string | undefined) => void;
    this.outcome = new Promise((resolve) => {
      settle = resolve;
    });
    this.#settle = (reply) => {
      if (this.#isOver) return;
      this.#isOver = true;
      onOver();
      settle(reply);
    };
  }

  get signal(): AbortSignal {
    return this.#controller().signal;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  notify(method: string, params: object): boolean {
    return !this.#isOver && this.#notify(method, params);
  }

  /** Ends the call with its reply, unless it is over. */
  finish(reply: string): void {
    this.#settle(reply);
  }

  /** Tells the handler to stop, unless the call is over. It ends without a reply, or with the one given. */
  abort(why: string, reply?: string): void {
    if (this.#isOver) return;
    this.#settle(reply); // first, so that an abort listener cannot reply or notify any more
    this.#controller().abort(new CallAborted(why));
  }

  #controller(): AbortController {
    this.#abortController ??= new AbortController();
    return this.#abortController;
  }
}

export class CallTable {
  readonly #calls = new Map<string, OpenCall>();

  /** Registers a request; undefined when its id is in flight. The id is free again once the call is over. For an aborted call
   *  that is at once, not when its handler returns: a late reply cannot reach the next call of that id, because replies go
   *  through the call and not through its id. */
  tryOpen(request: Request, notify: Call['notify']): OpenCall | undefined {
    const key = idKey(request.id);
    if (this.#calls.has(key)) return undefined;
    const call = new OpenCall(request, notify, () => this.#calls.delete(key));
    this.#calls.set(key, call);
    return call;
  }

  find(id: Id): OpenCall | undefined {
    return this.#calls.get(idKey(id));
  }

  /** All calls in flight, as they are now. */
  get open(): readonly OpenCall[] {
    return [...this.#calls.values()];
  }
}
