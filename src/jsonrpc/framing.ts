/** Turns bytes into JSON-RPC frames and back. Pure: no streams, no timers. Two framings, newline and Content-Length (LSP base
 *  protocol); the first byte that is not white space decides, for the whole connection.
 *  Promise: any split of the input yields the same events; no byte is looked at twice however it drips in; memory stays within
 *  maxFrameBytes plus one chunk, whatever length a header announces. Refuses to look inside a frame. */

import type { Limits } from '../base/limits.js';
import { ByteQueue } from './byte-queue.js';
import { HeaderBlock } from './header-block.js';

export type Framing = 'newline' | 'content-length';

export type FrameEvent =
  /** One message. The body may be a view of the pushed chunk: decode it before the chunk is reused. */
  | { readonly kind: 'frame'; readonly body: Buffer }
  /** A line over the limit is being dropped up to its newline; told once, as soon as the line passes the limit. */
  | { readonly kind: 'oversize'; readonly limit: number }
  /** Nobody knows where the next frame starts. The decoder accepts nothing after it. */
  | { readonly kind: 'fatal'; readonly reason: string };

type State = 'start' | 'line' | 'skip-line' | 'between' | 'header' | 'body' | 'closed';

const LF = 0x0a;
const CR = 0x0d;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export class FrameDecoder {
  readonly #limits: Pick<Limits, 'maxFrameBytes' | 'maxHeaderBytes'>;
  readonly #pending = new ByteQueue();
  #state: State = 'start';
  #framing: Framing | undefined;
  #markBytes = 0; // how much of a byte order mark has been seen
  #headers: HeaderBlock;
  #headerBytes = 0;
  #bodyBytes = 0;
  #events: FrameEvent[] = [];

  constructor(limits: Pick<Limits, 'maxFrameBytes' | 'maxHeaderBytes'>) {
    this.#limits = limits;
    this.#headers = new HeaderBlock(limits.maxFrameBytes);
  }

  /** The framing of the client, undefined before its first byte. */
  get framing(): Framing | undefined {
    return this.#framing;
  }

  /** Bytes held of a message that is not complete yet. */
  get bufferedBytes(): number {
    return this.#pending.length;
  }

  /** Takes the next bytes and returns what they complete, in order. */
  push(chunk: Buffer): FrameEvent[] {
    let at = 0;
    while (at < chunk.length) at = this.#step(chunk, at);
    return this.#takeEvents();
  }

  /** The input is over: a last line without newline is still a message, an incomplete Content-Length frame is not. */
  end(): FrameEvent[] {
    if (this.#state === 'start' && this.#markBytes > 0 && this.#markBytes < BYTE_ORDER_MARK.length) this.#chooseNewline();
    if (this.#state === 'line') this.#emitLine(this.#pending.take());
    this.#close();
    return this.#takeEvents();
  }

  /** Each step consumes at least one byte or changes the state, and returns where the next one starts. */
  #step(chunk: Buffer, at: number): number {
    switch (this.#state) {
      case 'start':
        return this.#readStart(chunk, at);
      case 'line':
        return this.#readLine(chunk, at);
      case 'skip-line':
        return this.#skipLine(chunk, at);
      case 'between':
        return this.#readBetween(chunk, at);
      case 'header':
        return this.#readHeader(chunk, at);
      case 'body':
        return this.#readBody(chunk, at);
      case 'closed':
        return chunk.length;
    }
  }

  #readStart(chunk: Buffer, at: number): number {
    const byte = chunk[at]!;
    if (this.#markBytes < BYTE_ORDER_MARK.length) {
      if (byte === BYTE_ORDER_MARK[this.#markBytes]) {
        this.#markBytes += 1;
        return at + 1;
      }
      if (this.#markBytes > 0) return this.#chooseNewline(at); // not a mark after all: its bytes belong to a line
      this.#markBytes = BYTE_ORDER_MARK.length; // a mark stands at the very start or nowhere
    }
    if (isWhiteSpace(byte)) return at + 1;
    if (byte !== 0x43 && byte !== 0x63) return this.#chooseNewline(at);
    this.#framing = 'content-length';
    this.#state = 'between';
    return at;
  }

  #chooseNewline(at = 0): number {
    if (this.#markBytes < BYTE_ORDER_MARK.length) this.#pending.add(BYTE_ORDER_MARK.subarray(0, this.#markBytes));
    this.#framing = 'newline';
    this.#state = 'line';
    return at;
  }

  #readLine(chunk: Buffer, at: number): number {
    const newline = chunk.indexOf(LF, at);
    const piece = chunk.subarray(at, newline < 0 ? chunk.length : newline);
    if (this.#passesLimit(piece)) {
      this.#pending.clear();
      this.#events.push({ kind: 'oversize', limit: this.#limits.maxFrameBytes });
      this.#state = 'skip-line';
      return at + piece.length;
    }
    if (newline < 0) {
      this.#pending.add(piece);
      return chunk.length;
    }
    this.#emitLine(this.#complete(piece));
    return newline + 1;
  }

  /** The carriage return of a CRLF does not count, so one byte over the limit is held back until the next byte tells. */
  #passesLimit(piece: Buffer): boolean {
    const limit = this.#limits.maxFrameBytes;
    const total = this.#pending.length + piece.length;
    if (total <= limit) return false;
    return total > limit + 1 || (piece.at(-1) ?? this.#pending.last) !== CR;
  }

  #emitLine(line: Buffer): void {
    const body = line.at(-1) === CR ? line.subarray(0, -1) : line;
    if (!body.every(isWhiteSpace)) this.#events.push({ kind: 'frame', body });
  }

  #skipLine(chunk: Buffer, at: number): number {
    const newline = chunk.indexOf(LF, at);
    if (newline < 0) return chunk.length;
    this.#state = 'line';
    return newline + 1;
  }

  #readBetween(chunk: Buffer, at: number): number {
    const byte = chunk[at]!;
    if (byte === CR || byte === LF) return at + 1;
    if (!isLetter(byte)) return this.#fail('A header block does not start with a letter', chunk);
    this.#headers = new HeaderBlock(this.#limits.maxFrameBytes);
    this.#headerBytes = 0;
    this.#state = 'header';
    return at;
  }

  #readHeader(chunk: Buffer, at: number): number {
    const newline = chunk.indexOf(LF, at);
    const end = newline < 0 ? chunk.length : newline + 1;
    const piece = chunk.subarray(at, end);
    this.#headerBytes += piece.length;
    if (this.#headerBytes > this.#limits.maxHeaderBytes) {
      return this.#fail(`A header block exceeds ${this.#limits.maxHeaderBytes} bytes`, chunk);
    }
    if (newline < 0) {
      this.#pending.add(piece);
      return end;
    }
    const line = this.#complete(piece)
      .toString('latin1')
      .replace(/\r?\n$/, '');
    const refusal = line === '' ? this.#startBody() : this.#headers.add(line);
    return refusal === undefined ? end : this.#fail(refusal, chunk);
  }

  #startBody(): string | undefined {
    const length = this.#headers.length;
    if (length === undefined) return 'A header block has no Content-Length';
    this.#bodyBytes = length;
    this.#state = length === 0 ? 'between' : 'body';
    return undefined;
  }

  #readBody(chunk: Buffer, at: number): number {
    const piece = chunk.subarray(at, at + this.#bodyBytes - this.#pending.length);
    if (this.#pending.length + piece.length < this.#bodyBytes) {
      this.#pending.add(piece);
    } else {
      this.#events.push({ kind: 'frame', body: this.#complete(piece) });
      this.#state = 'between';
    }
    return at + piece.length;
  }

  /** Joins what is pending with its last piece; nothing is copied when all of it came in one chunk. */
  #complete(piece: Buffer): Buffer {
    if (this.#pending.length === 0) return piece;
    this.#pending.add(piece);
    return this.#pending.take();
  }

  #fail(reason: string, chunk: Buffer): number {
    this.#events.push({ kind: 'fatal', reason });
    this.#close();
    return chunk.length;
  }

  #close(): void {
    this.#pending.clear();
    this.#state = 'closed';
  }

  #takeEvents(): FrameEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}

/** The bytes of one message; `json` must be free of raw newlines, as JSON.stringify makes it. */
export function encodeFrame(json: string, framing: Framing): Buffer {
  if (framing === 'newline') return Buffer.from(`${json}\n`);
  return Buffer.from(`Content-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`);
}

const isWhiteSpace = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

const isLetter = (byte: number): boolean => (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
