/** Bytes of `rg --json` -> matched lines, without JSON.parse per match: the text lies between fixed marks. For passes over hundreds
 *  of thousands of matches, of which nothing is shown. A chunk becomes one string of a character a byte, which costs a copy; all
 *  else are slices of it. Memory is bounded as in events.ts. */
import { isAscii } from 'node:buffer';
import { EventDecoder, type RgEvent } from './events.js';

export interface ScanConsumer {
  begin(path: string): void;
  /** `text` is the line as JSON escapes it: a tab is `\t`, a quote `\"`. A slice of a chunk: copy what is kept. */
  line(line: number, text: string): void;
  /** A matched line of this file was too long to be taken. */
  tooLong?(): void;
  /** This file was searched only up to a NUL byte; told before its end. */
  binary?(): void;
  end(bytesSearched: number): void;
  summary(files: number, bytes: number): void;
}

const MATCH = '{"type":"match"';
const TEXT = '"lines":{"text":"';
const PLACE = '"},"line_number":';
const BEGIN = '{"type":"begin","data":{"path":{"text":"./';
const BEGIN_END = '"}}}';
const END = '{"type":"end"';
const BYTES = '"bytes_searched":';
const IS_TEXT = '"binary_offset":null';
const BACKSLASH = 92;
const BEYOND_ASCII = /[\x80-\xff]/;

export class MatchScanner {
  readonly #decoder: EventDecoder;
  readonly #consumer: ScanConsumer;
  readonly #maxEventBytes: number;
  /** Where the text starts in this file's events; -1 before its first one. */
  #textAt = -1;
  /** A line whose end has not come yet, a character a byte. */
  #rest = '';
  #isRestAscii = true;
  #isSkipping = false;

  constructor(consumer: ScanConsumer, options: { maxEventBytes: number; maxSubmatches: number }) {
    this.#consumer = consumer;
    this.#maxEventBytes = options.maxEventBytes;
    this.#decoder = new EventDecoder({ ...options, wantsLines: true });
  }

  push(chunk: Buffer): void {
    const fresh = chunk.toString('latin1');
    const isPlain = isAscii(chunk) && this.#isRestAscii;
    const first = fresh.indexOf('\n');
    if (first < 0) {
      this.#hold(fresh, isPlain);
      return;
    }
    if (this.#isSkipping) this.#isSkipping = false;
    else this.#event(this.#rest + fresh.slice(0, first), 0, this.#rest.length + first, isPlain);
    this.#rest = '';
    this.#isRestAscii = true;
    let from = first + 1;
    for (let at = fresh.indexOf('\n', from); at >= 0; at = fresh.indexOf('\n', from)) {
      this.#event(fresh, from, at, isPlain);
      from = at + 1;
    }
    if (from < fresh.length) this.#hold(fresh.slice(from), isPlain);
  }

  #hold(rest: string, isPlain: boolean): void {
    if (this.#isSkipping) return;
    this.#rest += rest;
    this.#isRestAscii &&= isPlain;
    // A line longer than any code is left out, and told.
    if (this.#rest.length > this.#maxEventBytes) {
      if (this.#rest.startsWith(MATCH)) this.#consumer.tooLong?.();
      this.#isSkipping = true;
      this.#rest = '';
      this.#isRestAscii = true;
    }
  }

  /** One event, from its first character to its line feed. */
  #event(text: string, from: number, to: number, isPlain: boolean): void {
    if (to - from > this.#maxEventBytes) {
      if (text.startsWith(MATCH, from)) this.#consumer.tooLong?.();
      return;
    }
    if (text.startsWith(MATCH, from)) {
      if (this.#match(text, from, to, isPlain)) return;
    } else if (text.startsWith(BEGIN, from)) {
      if (this.#begin(text, from, to, isPlain)) return;
    } else if (text.startsWith(END, from) && this.#end(text, from, to)) return;
    for (const event of this.#decoder.push(Buffer.from(`${text.slice(from, to)}\n`, 'latin1'))) this.#other(event);
  }

  #match(text: string, from: number, to: number, isPlain: boolean): boolean {
    if (this.#textAt < 0) this.#textAt = text.indexOf(TEXT, from) - from;
    const start = from + this.#textAt + TEXT.length;
    if (this.#textAt < 0 || !text.startsWith(TEXT, from + this.#textAt)) return false;
    const end = quoteAfter(text, start);
    if (end < 0 || end > to || !text.startsWith(PLACE, end)) return false;
    const line = text.slice(start, end);
    const isDecoded = isPlain || !BEYOND_ASCII.test(line);
    this.#consumer.line(numberAt(text, end + PLACE.length), isDecoded ? line : Buffer.from(line, 'latin1').toString('utf8'));
    return true;
  }

  #begin(text: string, from: number, to: number, isPlain: boolean): boolean {
    this.#textAt = -1;
    const path = text.slice(from + BEGIN.length, to - BEGIN_END.length);
    if (!isPlain || path.includes('\\') || !text.startsWith(BEGIN_END, to - BEGIN_END.length)) return false;
    // A slice would keep its whole chunk alive.
    this.#consumer.begin(Buffer.from(path, 'latin1').toString('latin1'));
    return true;
  }

  #end(text: string, from: number, to: number): boolean {
    const at = text.lastIndexOf(BYTES, to);
    if (at < from) return false;
    if (text.lastIndexOf(IS_TEXT, at) < from) this.#consumer.binary?.();
    this.#consumer.end(numberAt(text, at + BYTES.length));
    return true;
  }

  #other(event: RgEvent): void {
    if (event.type === 'begin') {
      this.#textAt = -1;
      this.#consumer.begin(event.path);
    } else if (event.type === 'match') this.#consumer.line(event.line, JSON.stringify(event.text).slice(1, -1));
    else if (event.type === 'end') {
      if (event.binaryOffset !== undefined) this.#consumer.binary?.();
      this.#consumer.end(event.bytesSearched);
    } else if (event.type === 'summary') this.#consumer.summary(event.searches, event.bytesSearched);
  }
}

/** The quote that ends a JSON string; -1 when there is none. */
function quoteAfter(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at >= 0; at = text.indexOf('"', at + 1)) {
    let first = at;
    while (first > start && text.charCodeAt(first - 1) === BACKSLASH) first--;
    if ((at - first) % 2 === 0) return at;
  }
  return -1;
}

function numberAt(text: string, from: number): number {
  let number = 0;
  for (let at = from; ; at++) {
    const digit = text.charCodeAt(at) - 48;
    // Beyond the end the code is NaN, which is no digit either.
    if (!(digit >= 0 && digit <= 9)) return number;
    number = number * 10 + digit;
  }
}
