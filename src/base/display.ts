/** How text from a repository is shown in a reply: one line stays one line, control characters become visible, long lines
 *  are cut around what matters. Pure. Offsets and lengths are UTF-16 units, as in every JSON client. */
import { replaceHidden } from './hidden.js';
import { wellFormed } from './path-bytes.js';

/** Stands for a unit of a character that cannot be seen; of the block of pictures that the controls have. */
const HIDDEN_SIGN = '\u2426';

function pictureOf(char: string): string {
  const code = char.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  // Other line ends, which some clients split at; the rest of C1 has no pictures.
  if (code === 0x85 || code === 0x2028 || code === 0x2029) return '\u2424';
  return code < 0xa0 ? '\ufffd' : HIDDEN_SIGN.repeat(char.length);
}

/** Controls other than tab become Unicode pictures (CR is ␍, NUL is ␀), characters that cannot be seen become ␦, unit for unit (two
 *  of them for a tag character), so offsets stay valid. */
export function showControls(text: string): string {
  return replaceHidden(text, pictureOf);
}

/** What a reply can show as one word of its own: no space, quote or backslash, nothing hidden, no mark of a cut. */
const WORD = /^[^\s\\"'`\u2426…]+$/u;
/** A path that no other line or field of a reply looks like: not `12:`, `12-`, `# `, `[1]`, nor `path:12` or `a, b` inside. */
const PATH = /^(?!#|\[|\(|\d+-)[^\s\\"'`:,;<>|\u2426\u2400-\u2424…]+$/u;

/** A text of the repository inside a sentence: a word as it is, anything else as JSON, so that where it ends cannot be mistaken. */
export function showWord(text: string): string {
  return WORD.test(text) && showControls(text) === text ? text : showJson(text);
}

/** A path as part of a reply: as it is, or quoted as JSON where it could be taken for another kind of line, for the fields behind
 *  it, or for words of a sentence; the quoted form is what a call takes. */
export function showPath(path: string): string {
  const shown = wellFormed(path);
  return PATH.test(shown) && showControls(shown) === shown ? shown : showJson(shown);
}

/** A name out of the repository between two fields of a line: one space at most in a row, so that it cannot hold the next field. */
export function showName(name: string): string {
  return showControls(name).replace(/\s+/g, ' ').trim();
}

/** At most `max` units from the start, with a mark where more follows. */
export function clip(text: string, max: number): string {
  return text.length <= max ? text : `${cutAround(text, 0, 0, max - 1).text}…`;
}

const escaped = (char: string): string =>
  Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

/** A value as JSON on one line, in which no character is hidden or can be taken for a line end; read again it is the same value. */
export function showJson(value: unknown): string {
  return escapeHidden(JSON.stringify(value));
}

/** JSON text with its hidden characters as escapes. */
export function escapeHidden(json: string): string {
  return replaceHidden(json, escaped);
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
