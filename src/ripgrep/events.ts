/** Bytes of `rg --json` -> typed events. Pure. Promise: any split of the bytes gives the same events; memory never exceeds
 *  maxEventBytes + one chunk, whatever the length of a line in the repository. Of a longer event only the head, the line
 *  number, the offset and the first matches are kept. An unfinished last line (a killed rg) is dropped. */

import { decodePath } from '../base/path-bytes.js';

export interface Span {
  /** UTF-16 units of the event's text, 0-based, end exclusive. */
  readonly start: number;
  readonly end: number;
}

export interface LineEvent {
  readonly type: 'match' | 'context';
  /** Of the first line, 1-based. */
  readonly line: number;
  /** Without the last line end; a match across lines has line feeds inside. */
  readonly text: string;
  readonly spans: readonly Span[];
}

/** A match or context line too long to be taken whole. */
export interface LongEvent {
  readonly type: 'long';
  readonly isMatch: boolean;
  readonly line: number | undefined;
  /** Bytes of decoded text from the file's start to the line's start, and from there to the first match. */
  readonly offset: number | undefined;
  readonly matchStart: number | undefined;
  /** The text of the first match, where it was short enough to be kept. */
  readonly matchText: string | undefined;
  /** Bytes of the event as ripgrep wrote it, a little more than the line has. */
  readonly eventBytes: number;
}

export type RgEvent =
  | { readonly type: 'begin'; readonly path: string; readonly isLossyPath: boolean }
  | LineEvent
  | LongEvent
  | { readonly type: 'end'; readonly binaryOffset: number | undefined; readonly matchedLines: number; readonly bytesSearched: number }
  | { readonly type: 'summary'; readonly searches: number; readonly bytesSearched: number };

interface Text {
  readonly text?: string;
  readonly bytes?: string;
}

interface Wire {
  readonly type: string;
  readonly data: {
    readonly path?: Text;
    readonly lines?: Text;
    readonly line_number?: number | null;
    readonly submatches?: readonly { readonly start: number; readonly end: number }[];
    readonly binary_offset?: number | null;
    readonly stats?: { readonly searches: number; readonly bytes_searched: number; readonly matched_lines: number };
  };
}

export interface EventOptions {
  readonly maxEventBytes: number;
  readonly maxSubmatches: number;
  /** false: match and context events are skipped unparsed, for counting by `end` events. */
  readonly wantsLines: boolean;
}

const LINE_FEED = 10;
/** Quotes inside a JSON string are escaped, so this cannot occur within a line's text. */
const PLACE = Buffer.from('},"line_number":');
/** Kept after PLACE: line number, offset and the first matches. */
const PLACE_BYTES = 8_192;
const MATCH = Buffer.from('{"type":"match"');
/** Where the name of the type starts; a summary has its keys in another order. */
const TYPE_AT = MATCH.indexOf('match');

const startsWith = (line: Buffer, prefix: Buffer): boolean =>
  line.length >= prefix.length && line.compare(prefix, 0, prefix.length, 0, prefix.length) === 0;

/** Whether an event is a match or a context line, by the first letter of its type: begin, match, context, end. */
const isLine = (line: Buffer): boolean => line[1] === 0x22 && line[2] === 0x74 && (line[TYPE_AT] === 0x6d || line[TYPE_AT] === 0x63);

export class EventDecoder {
  readonly #options: EventOptions;
  #parts: Buffer[] = [];
  #length = 0;
  #long: LongLine | undefined;
  /** Lines that were no JSON at all; ripgrep writes none, so a wrong program was run. */
  #unreadable = 0;

  constructor(options: EventOptions) {
    this.#options = options;
  }

  get unreadableLines(): number {
    return this.#unreadable;
  }

  push(chunk: Buffer): RgEvent[] {
    const events: RgEvent[] = [];
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      const event = this.#endLine(chunk.subarray(from, at));
      if (event !== undefined) events.push(event);
      from = at + 1;
    }
    if (from < chunk.length) this.#hold(chunk.subarray(from));
    return events;
  }

  #hold(rest: Buffer): void {
    this.#length += rest.length;
    if (this.#long !== undefined) {
      this.#long.take(rest);
      return;
    }
    // The chunk is copied: a short rest must not keep 64 KiB alive.
    this.#parts.push(Buffer.from(rest));
    if (this.#length > this.#options.maxEventBytes) {
      this.#long = new LongLine();
      for (const part of this.#parts) this.#long.take(part);
      this.#parts = [];
    }
  }

  #endLine(tail: Buffer): RgEvent | undefined {
    if (this.#long === undefined && this.#length + tail.length > this.#options.maxEventBytes) this.#hold(tail);
    else if (this.#long !== undefined) this.#hold(tail);
    const total = this.#length + (this.#long === undefined ? tail.length : 0);
    const long = this.#long;
    const line = long === undefined && this.#parts.length > 0 ? Buffer.concat([...this.#parts, tail]) : tail;
    this.#parts = [];
    this.#length = 0;
    this.#long = undefined;
    if (long !== undefined) return this.#options.wantsLines ? long.event(total) : undefined;
    if (line.length === 0) return undefined;
    if (!this.#options.wantsLines && isLine(line)) return undefined;
    return this.#parse(line);
  }

  #parse(line: Buffer): RgEvent | undefined {
    try {
      const wire = JSON.parse(line.toString('utf8')) as Wire;
      if (typeof wire.data === 'object' && wire.data !== null) return toEvent(wire, this.#options.maxSubmatches);
    } catch {
      // no JSON, or not of ripgrep's shape
    }
    this.#unreadable++;
    return undefined;
  }
}

function toEvent({ type, data }: Wire, maxSubmatches: number): RgEvent | undefined {
  switch (type) {
    case 'begin':
      return { type, path: pathOf(data.path).replace(/^\.\//, ''), isLossyPath: data.path?.text === undefined };
    case 'match':
    case 'context':
      return lineEvent(type, data, maxSubmatches);
    case 'end':
      return {
        type,
        binaryOffset: data.binary_offset ?? undefined,
        matchedLines: data.stats?.matched_lines ?? 0,
        bytesSearched: data.stats?.bytes_searched ?? 0,
      };
    case 'summary':
      return { type, searches: data.stats?.searches ?? 0, bytesSearched: data.stats?.bytes_searched ?? 0 };
    default:
      return undefined;
  }
}

function decode(value: Text | undefined): string {
  if (typeof value?.text === 'string') return value.text;
  return typeof value?.bytes === 'string' ? Buffer.from(value.bytes, 'base64').toString('utf8') : '';
}

const pathOf = (value: Text | undefined): string =>
  typeof value?.bytes === 'string' ? decodePath(Buffer.from(value.bytes, 'base64')) : decode(value);

function lineEvent(type: 'match' | 'context', data: Wire['data'], maxSubmatches: number): LineEvent {
  const whole = decode(data.lines);
  const text = whole.replace(/\r?\n$/, '');
  const spans = toUnits((data.submatches ?? []).slice(0, maxSubmatches), data.lines, whole, text.length);
  const line = data.line_number ?? 0;
  return text.includes('\r\n') ? { type, line, ...withLineFeeds(text, spans) } : { type, line, text, spans };
}

/** A match over several lines of a CR LF file, its line ends as line feeds. */
function withLineFeeds(text: string, spans: readonly Span[]): { text: string; spans: Span[] } {
  const shift = (at: number): number => at - (text.slice(0, at).match(/\r(?=\n)/g)?.length ?? 0);
  const move = (at: number): number => (text[at] === '\n' && text[at - 1] === '\r' ? shift(at - 1) : shift(at));
  return { text: text.replaceAll('\r\n', '\n'), spans: spans.map(({ start, end }) => ({ start: move(start), end: move(end) })) };
}

/** ripgrep counts bytes of the raw line; everyone else counts UTF-16 units of the text. */
function toUnits(spans: readonly Span[], value: Text | undefined, whole: string, most: number): Span[] {
  if (spans.length === 0) return [];
  const raw = typeof value?.bytes === 'string' ? Buffer.from(value.bytes, 'base64') : Buffer.from(whole, 'utf8');
  const isAscii = raw.length === whole.length && value?.bytes === undefined;
  const unit = (byte: number): number => Math.min(most, isAscii ? byte : raw.toString('utf8', 0, byte).length);
  return spans.map(({ start, end }) => ({ start: unit(start), end: unit(end) }));
}

function parseText(json: string): string | undefined {
  try {
    return String(JSON.parse(json));
  } catch {
    return undefined; // no JSON: not from ripgrep
  }
}

/** Collects what is worth keeping of an event that is too long. */
class LongLine {
  #head = Buffer.alloc(0);
  /** The last bytes seen, in case PLACE lies across two chunks. */
  #seam = Buffer.alloc(0);
  #place: Buffer[] | undefined;
  #placeBytes = 0;

  take(part: Buffer): void {
    if (this.#head.length < MATCH.length) this.#head = Buffer.concat([this.#head, part.subarray(0, MATCH.length)]);
    if (this.#place !== undefined) {
      this.#keepPlace(part);
      return;
    }
    const joined = this.#seam.length > 0 ? Buffer.concat([this.#seam, part]) : part;
    const at = joined.indexOf(PLACE);
    if (at < 0) {
      this.#seam = Buffer.from(joined.subarray(Math.max(0, joined.length - PLACE.length + 1)));
      return;
    }
    this.#place = [];
    this.#keepPlace(joined.subarray(at + 1));
  }

  event(eventBytes: number): LongEvent {
    const place = Buffer.concat(this.#place ?? []).toString('utf8');
    const number = (pattern: RegExp): number | undefined => {
      const found = pattern.exec(place)?.[1];
      return found === undefined ? undefined : Number(found);
    };
    const text = /"submatches":\[\{"match":\{"text":("(?:[^"\\]|\\.)*")\},"start":(\d+)/.exec(place);
    return {
      type: 'long',
      isMatch: startsWith(this.#head, MATCH),
      line: number(/^,"line_number":(\d+)/),
      offset: number(/"absolute_offset":(\d+)/),
      matchStart: text === null ? number(/"start":(\d+)/) : Number(text[2]),
      matchText: text === null ? undefined : parseText(text[1] ?? ''),
      eventBytes,
    };
  }

  #keepPlace(part: Buffer): void {
    const room = PLACE_BYTES - this.#placeBytes;
    if (room <= 0) return;
    this.#place?.push(Buffer.from(part.subarray(0, room)));
    this.#placeBytes += Math.min(part.length, room);
  }
}
