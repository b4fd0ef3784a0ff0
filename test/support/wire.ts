/** The client's half of the wire, written apart from the server's: encodes messages in both framings and takes a stream of
 *  replies apart again. What is no message is kept in `garbage`, so that a test can ask for a clean stdout. */

export type Framing = 'newline' | 'content-length';

export interface Message {
  readonly jsonrpc?: string;
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export function encode(message: unknown, framing: Framing = 'newline'): Buffer {
  const body = Buffer.from(JSON.stringify(message), 'utf8');
  if (framing === 'newline') return Buffer.concat([body, Buffer.from('\n')]);
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
}

/** Turns the server's stdout into messages. A batch reply (an array) is handed out as it came. */
export class ReplyReader {
  readonly garbage: string[] = [];
  framing: Framing | undefined;
  #rest: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): (Message | Message[])[] {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    this.framing ??= this.#guess();
    const found: (Message | Message[])[] = [];
    for (;;) {
      const body = this.framing === 'content-length' ? this.#takeFrame() : this.#takeLine();
      if (body === undefined) return found;
      if (body.trim() === '') continue;
      try {
        found.push(JSON.parse(body) as Message | Message[]);
      } catch {
        this.garbage.push(body);
      }
    }
  }

  /** Bytes of a message that has not ended. */
  get unfinished(): string {
    return this.#rest.toString('utf8');
  }

  #guess(): Framing | undefined {
    const head = this.#rest.toString('latin1').trimStart();
    if (head === '') return undefined;
    return /^c/i.test(head) ? 'content-length' : 'newline';
  }

  #takeLine(): string | undefined {
    const end = this.#rest.indexOf(0x0a);
    if (end < 0) return undefined;
    return this.#cut(end + 1);
  }

  #takeFrame(): string | undefined {
    const end = this.#rest.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const length = /content-length:\s*(\d+)/i.exec(this.#rest.toString('latin1', 0, end))?.[1];
    if (length === undefined) {
      this.garbage.push(this.#cut(end + 4));
      return '';
    }
    if (this.#rest.length < end + 4 + Number(length)) return undefined;
    this.#cut(end + 4);
    return this.#cut(Number(length));
  }

  #cut(size: number): string {
    const text = this.#rest.toString('utf8', 0, size);
    this.#rest = this.#rest.subarray(size);
    return text;
  }
}
