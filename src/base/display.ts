/** How text from a repository is shown in a reply: one line stays one line, control characters become visible, long lines
 *  are cut around what matters. Pure. Offsets and lengths are UTF-16 units, as in every JSON client. */
import { wellFormed } from './path-bytes.js';

const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029]/g;

function pictureOf(char: string): string {
  const code = char.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  // Other line ends, which some clients split at; the rest of C1 has no pictures.
  return code === 0x85 || code > 0x9f ? '\u2424' : '\ufffd';
}

/** Controls other than tab become Unicode pictures (CR is ␍, NUL is ␀), one unit for one, so offsets stay valid. */
export function showControls(text: string): string {
  return text.replace(CONTROL, pictureOf);
}

/** A path as one line of a reply that cannot be taken for another kind of line. */
export function showPath(path: string): string {
  const shown = showControls(wellFormed(path)).replaceAll('\t', '\u2409');
  return /^(?:#|\d+[:\-\t ]|\s|\.\/)/.test(shown) ? `./${shown}` : shown;
}

/** At most `max` units from the start, with a mark where more follows. */
export function clip(text: string, max: number): string {
  return text.length <= max ? text : `${cutAround(text, 0, 0, max - 1).text}…`;
}

/** A value as JSON on one line, in which no character can be taken for a line end. */
export function showJson(value: unknown): string {
  return JSON.stringify(value).replace(/[\u007f-\u009f\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export interface Cut {
  /** The part of the text that is shown. */
  readonly text: string;
  /** Units left out before and after it. */
  readonly before: number;
  readonly after: number;
}

const isLowSurrogate = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

/** At most `max` units of `text` around [start, end), never splitting a surrogate pair. A third of the room stays before the hit. */
export function cutAround(text: string, start: number, end: number, max: number): Cut {
  if (text.length <= max) return { text, before: 0, after: 0 };
  const room = Math.max(0, max - (end - start));
  let from = Math.max(0, Math.min(start - Math.floor(room / 3), text.length - max));
  if (isLowSurrogate(text, from)) from++;
  let to = Math.min(text.length, from + max);
  if (isLowSurrogate(text, to)) to--;
  return { text: text.slice(from, to), before: from, after: text.length - to };
}

/** The cut with its marks: `…(120 before)text(3400 after)…`. */
export function showCut(cut: Cut): string {
  const head = cut.before > 0 ? `…(${cut.before} more) ` : '';
  const tail = cut.after > 0 ? ` (${cut.after} more)…` : '';
  return head + showControls(cut.text) + tail;
}

/** 1234567 -> "1,234,567". */
export const count = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');

/** "1 file", "2 files", "1 match", "2 matches". */
export function plural(value: number, noun: string): string {
  if (value === 1) return `1 ${noun}`;
  return `${count(value)} ${/(?:ch|sh|s|x)$/.test(noun) ? `${noun}es` : `${noun}s`}`;
}

/** Bytes with a unit a person reads: 512 bytes, 3.1 MB. */
export function bytes(value: number): string {
  if (value < 1000) return plural(value, 'byte');
  const units = ['kB', 'MB', 'GB', 'TB'];
  let scaled = value / 1000;
  let unit = 0;
  while (scaled >= 1000 && unit < units.length - 1) {
    scaled /= 1000;
    unit++;
  }
  return `${scaled < 10 ? scaled.toFixed(1) : Math.round(scaled)} ${units[unit]}`;
}
