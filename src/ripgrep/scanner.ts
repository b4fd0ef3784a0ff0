/** Bytes of `rg --json` -> matched lines, without JSON.parse per match: the path is known from `begin`, the text lies between two
 *  fixed marks. For passes over hundreds of thousands of matches, of which nothing is shown. Memory is bounded as in events.ts. */
import { EventDecoder, type RgEvent } from './events.js';

export interface ScanConsumer {
  begin(path: string): void;
  /** `text` is the line as JSON escapes it: a tab is `\t`, a quote `\"`. */
  line(line: number, text: string): void;
  end(bytesSearched: number): void;
  summary(files: number, bytes: number): void;
}

const LINE_FEED = 10;
const MATCH = Buffer.from('{"type":"match"');
const TEXT = Buffer.from('"lines":{"text":"');
const PLACE = Buffer.from('"},"line_number":');

export class MatchScanner {
  readonly #decoder: EventDecoder;
  readonly #consumer: ScanConsumer;
  readonly #maxEventBytes: number;
  /** Where the text starts in this file's events; -1 before its first one. */
  #textAt = -1;
  #rest: Buffer[] = [];
  #restBytes = 0;
  #isSkipping = false;

  constructor(consumer: ScanConsumer, options: { maxEventBytes: number; maxSubmatches: number }) {
    this.#consumer = consumer;
    this.#maxEventBytes = options.maxEventBytes;
    this.#decoder = new EventDecoder({ ...options, wantsLines: true });
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      const tail = chunk.subarray(from, at);
      from = at + 1;
      if (this.#isSkipping) {
        this.#isSkipping = false;
        continue;
      }
      const line = this.#rest.length > 0 ? this.#join(tail) : tail;
      if (line.length <= this.#maxEventBytes) this.#event(line);
    }
    if (from >= chunk.length || this.#isSkipping) return;
    this.#rest.push(Buffer.from(chunk.subarray(from)));
    this.#restBytes += chunk.length - from;
    // A line longer than any code: its words are left out of the ranking.
    if (this.#restBytes > this.#maxEventBytes) {
      this.#isSkipping = true;
      this.#rest = [];
      this.#restBytes = 0;
    }
  }

  #join(tail: Buffer): Buffer {
    const whole = Buffer.concat([...this.#rest, tail]);
    this.#rest = [];
    this.#restBytes = 0;
    return whole;
  }

  #event(line: Buffer): void {
    if (line.length > MATCH.length && line.compare(MATCH, 0, MATCH.length, 0, MATCH.length) === 0 && this.#match(line)) return;
    for (const event of this.#decoder.push(Buffer.concat([line, Buffer.from('\n')]))) this.#other(event);
  }

  #match(line: Buffer): boolean {
    if (this.#textAt < 0) this.#textAt = line.indexOf(TEXT);
    const start = this.#textAt + TEXT.length;
    if (this.#textAt < 0 || line.compare(TEXT, 0, TEXT.length, this.#textAt, start) !== 0) return false;
    const end = line.indexOf(PLACE, start);
    if (end < 0) return false;
    let number = 0;
    for (let at = end + PLACE.length; ; at++) {
      const digit = (line[at] ?? 0) - 48;
      if (digit < 0 || digit > 9) break;
      number = number * 10 + digit;
    }
    this.#consumer.line(number, line.toString('utf8', start, end));
    return true;
  }

  #other(event: RgEvent): void {
    if (event.type === 'begin') {
      this.#textAt = -1;
      this.#consumer.begin(event.path);
    } else if (event.type === 'match') this.#consumer.line(event.line, JSON.stringify(event.text).slice(1, -1));
    else if (event.type === 'end') this.#consumer.end(event.bytesSearched);
    else if (event.type === 'summary') this.#consumer.summary(event.searches, event.bytesSearched);
  }
}
