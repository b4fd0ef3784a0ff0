/** Finds keys, tokens and passwords of well-known forms in a line, and shows a mark in their place. Pure. Time is linear in the
 *  text: a marker is found by one alternation of fixed words, and what follows is measured once, however often markers repeat. */
import { ALPHABETS, type Alphabet, FORMATS, type SecretFormat } from './secret-formats.js';

/** A part of a text, in UTF-16 units. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

const PEM_BEGIN = '-----BEGIN ';
const PEM_END = '-----END ';
/** User, password and host of a connection are no longer than this. */
const MOST_AUTHORITY = 2_000;
const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** Longest first: the first that fits is the one that is meant. */
const BY_PREFIX: ReadonlyMap<string, SecretFormat> = new Map(FORMATS.map((one) => [one.prefix, one]));
const PREFIXES = [...BY_PREFIX.keys()].sort((a, b) => b.length - a.length);
const MARKERS = [PEM_BEGIN, '://', ...PREFIXES].map(quoted).join('|');
const MARKER = new RegExp(MARKERS, 'g');
/** Nearly every line has no marker; this one regex is all that such a line costs. */
const HAS_MARKER = new RegExp(MARKERS);
const NONE: Part[] = [];

/** No secret of one line is longer: a window with so much on both sides of what is shown has all of it. */
export const LONGEST_SECRET = 16_384;

export const MASK_START = '[masked: ';

/** What stands in place of a secret of that many characters. */
export const maskOf = (length: number): string => `${MASK_START}${length} characters]`;

/** The secrets of one line, in order, none within another; of a line that ends in an ellipsis also the beginning of one at its end. Of a line of a private key's body only its file tells: `PemReader`. */
export function findSecrets(text: string): readonly Part[] {
  if (!HAS_MARKER.test(text)) return NONE;
  const found: Part[] = [];
  const runs = new Runs(text);
  const cut = text.endsWith('…') ? text.length - 1 : undefined;
  let free = 0;
  let hasAwsId = false;
  // The password of a connection waits: a token may stand in front of it, as the name of the user.
  let password: Part | undefined;
  const take = (part: Part): void => {
    if (part.start < free) return;
    found.push(part);
    free = part.end;
  };
  for (const { 0: marker, index } of text.matchAll(MARKER)) {
    if (password !== undefined && index >= password.start) {
      take(password);
      password = undefined;
    }
    if (index < free) continue;
    const part = partAt(text, marker, index, runs, cut);
    if (part === undefined) continue;
    if (marker === '://') password = part;
    else take(part);
    hasAwsId ||= AWS_ID.test(marker);
  }
  if (password !== undefined) take(password);
  return hasAwsId ? withAwsKeys(text, found) : found;
}

const AWS_ID = /^A[KS]IA$/;
const AWS_KEY = /(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])/g;

/** Beside the id of an Amazon key stands the key, which has no mark of its own: `AKIA…,…` as the console writes it. */
function withAwsKeys(text: string, found: readonly Part[]): Part[] {
  const keys = [...text.matchAll(AWS_KEY)]
    .map(({ 0: key, index }) => ({ key, start: index, end: index + key.length }))
    .filter(({ key }) => /[a-z]/.test(key) && /[A-Z]/.test(key) && /\d/.test(key) && !isPlaceholder(key))
    .filter(({ start, end }) => !found.some((one) => start < one.end && one.start < end));
  return [...found, ...keys.map(({ start, end }) => ({ start, end }))].sort((a, b) => a.start - b.start);
}

function partAt(text: string, marker: string, at: number, runs: Runs, cut: number | undefined): Part | undefined {
  if (marker === PEM_BEGIN) return inlineKey(text, at);
  if (marker === '://') return passwordIn(text, at);
  const format = BY_PREFIX.get(marker);
  return format === undefined ? undefined : tokenAt(text, format, at, runs, cut);
}

/** Where runs of an alphabet end; a run is measured once, also where markers stand in it again and again. */
class Runs {
  readonly #text: string;
  readonly #known = new Map<Alphabet, Part & { readonly last: number }>();

  constructor(text: string) {
    this.#text = text;
  }

  /** A full stop at the end, or more of them, is of the sentence and not of a token. */
  end(alphabet: Alphabet, from: number): number {
    const known = this.#known.get(alphabet);
    if (known !== undefined && from >= known.start && from <= known.end) return Math.max(from, known.last);
    const is = ALPHABETS[alphabet];
    let end = from;
    while (end < this.#text.length && is.test(this.#text.charAt(end))) end++;
    let last = end;
    while (last > from && this.#text.charAt(last - 1) === '.') last--;
    this.#known.set(alphabet, { start: from, end, last });
    return last;
  }
}

/** @param cut where the text was cut, so that a token which ends there may be longer than it looks */
function tokenAt(text: string, format: SecretFormat, at: number, runs: Runs, cut: number | undefined): Part | undefined {
  const { prefix, alphabet, min, max, isLabel, like } = format;
  if (!isLabel && /[A-Za-z0-9]/.test(text.charAt(at - 1)) && !endsEscape(text, at)) return undefined;
  let start = at + prefix.length;
  // A label may be followed by a quote, a colon or an equals sign: `"SecretAccessKey": "…"`.
  if (isLabel) while (start < at + prefix.length + MOST_JOINT && /["'\s:=>]/.test(text.charAt(start))) start++;
  const end = runs.end(alphabet, start);
  const length = end - start;
  if (end === cut && length >= LEAST_CUT && length <= max) return { start: isLabel ? start : at, end };
  if (length < min || length > max) return undefined;
  const body = text.slice(start, end);
  if ((like !== undefined && !like.test(body)) || isPlaceholder(body)) return undefined;
  return { start: isLabel ? start : at, end };
}

/** What may stand in front of a token and end with a letter or a digit: `\n`, `\x22`, `\u0022`, `\012`, `%3D`, `%253D`, `=3D` of mail, and
 *  the colour of a terminal. */
const ESCAPE =
  /(?:\\(?:[abefnrtv0]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[0-7]{3})|%(?:25){0,2}[0-9a-fA-F]{2}|=3D|(?:[\u001b\u241b]|\\(?:e|033|x1b|u001b))\[[\d;]{0,12}m)$/i;
const MOST_ESCAPE = 24;
function endsEscape(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - MOST_ESCAPE), at);
  return /[\\%=\u001b\u241b]/.test(before) && ESCAPE.test(before);
}

/** Characters between a label and its key, where a table is aligned by blanks. */
const MOST_JOINT = 60;

/** Of a token that was cut, fewer characters are of no use to anybody. */
const LEAST_CUT = 8;
const LEAST_DISTINCT = 7;

/** Documentation shows a format with something in it that nobody could take for a key: AKIAIOSFODNN7EXAMPLE, xxxx, 1234567890. */
function isPlaceholder(body: string): boolean {
  if (
    /example|placeholder|your[_-]|dummy|redacted|changeme|not[_-]?a?[_-]?real|abcdefghij|1234567890|0123456789|xxxx|0{8}|\*{3}/i.test(
      body.slice(0, 300),
    )
  )
    return true;
  return new Set(body.slice(0, 300)).size < LEAST_DISTINCT;
}

/** Passwords that every reader knows from examples and from test set-ups. */
const KNOWN_PASSWORD =
  /^(?:pass(?:word|wd)?|pwd|pw|secret|my-?(?:secret|password|pass|pw)|some-?(?:secret|password|pass)|user(?:name)?|root|admin|test(?:ing|pass|password)?|guest|demo|example|change-?me|postgres|mysql|rabbit|mongo|redis|token|key|foo|bar|baz|qux|abc|1234*5*6*|x+|\*+|\.+|-+)$/i;
/** A variable or a hole to fill in: $PASS, ${PASS}, $(pass), {{pass}}, %s, <password>, #{pass}, [pass], pass(). */
const HOLE = /[{}<>#[\]|`"\s\\]|%[a-zA-Z(]|^\$(?:[A-Za-z_]|\d+$)|\$\(|^[\w.]+\(\)$/;
const PORT = /^\d{1,5}(?:$|["',;)])/;
/** Characters that no password has as they are. An apostrophe, a comma and a semicolon may be of one, or stand behind the address. */
const NARROW = /^[^\s/?"'`<>|,;]*/;
const WIDE = /^[^\s/?"`<>|]*/;

/** The password of `scheme://user:password@host`. */
function passwordIn(text: string, at: number): Part | undefined {
  if (!/[a-zA-Z0-9]/.test(text.charAt(at - 1))) return undefined;
  const rest = text.slice(at + 3, at + 3 + MOST_AUTHORITY);
  let authority = NARROW.exec(rest)?.[0] ?? '';
  if (!authority.includes('@')) authority = withinQuotes(text, at, WIDE.exec(rest)?.[0] ?? '');
  const host = authority.lastIndexOf('@');
  const colon = authority.indexOf(':');
  if (host < 0 || colon < 0 || colon >= host - 1) return undefined;
  const user = authority.slice(0, colon);
  const password = authority.slice(colon + 1, host);
  if (PORT.test(password) || KNOWN_PASSWORD.test(password) || password === user) return undefined;
  // `%40` is an @ written out; `%s` is a hole.
  if (HOLE.test(password.replace(/%[0-9a-fA-F]{2}/g, ''))) return undefined;
  return { start: at + 4 + colon, end: at + 3 + host };
}

/** An address that an apostrophe or a parenthesis opens ends where it is closed. */
function withinQuotes(text: string, at: number, authority: string): string {
  const opener = /(['(])[A-Za-z][A-Za-z0-9+.-]*$/.exec(text.slice(Math.max(0, at - 40), at))?.[1];
  const end = opener === undefined ? -1 : authority.indexOf(opener === '(' ? ')' : opener);
  return end < 0 ? authority : authority.slice(0, end);
}

const LABEL = /^-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----/;
/** A key's body of fewer characters is an example. */
const LEAST_KEY = 40;

/** What the body of a key is written with inside a string: base64, escapes, and the quotes of parts that are joined. */
const INLINE_BODY = /[A-Za-z0-9+/=\\"'\s,]*/y;

/** What may stand between the mark and the body: a line end, however often it was escaped, and quotes. */
const LEAD = /^(?:\\+[nr]|\\+u000[ad]|%0[ad]|\s|["'+])*/i;

/** A private key written on one line, its line ends as `\n`. */
function inlineKey(text: string, at: number): Part | undefined {
  const begin = LABEL.exec(text.slice(at, at + 100))?.[0];
  if (begin === undefined) return undefined;
  const from = at + begin.length;
  // All that stands between the two marks is the key, whatever its parts are joined with.
  const dashes = text.indexOf('-----', from);
  if (dashes >= 0 && text.startsWith(PEM_END, dashes)) {
    const runs = runsIn(text.slice(from, dashes), LEAST_RUN);
    const [first] = runs;
    if (first === undefined) return undefined;
    const start = from + first.start;
    const end = from + (LAST_BASE64.exec(text.slice(from, dashes))?.[0].length ?? 0);
    return end - start < LEAST_KEY ? undefined : { start, end };
  }
  INLINE_BODY.lastIndex = from;
  const run = INLINE_BODY.exec(text)?.[0] ?? '';
  const lead = LEAD.exec(run.slice(0, 40))?.[0] ?? '';
  const body = run.slice(lead.length);
  if (body.length < LEAST_KEY || !/^[A-Za-z0-9+/=]{16}/.test(body)) return undefined;
  const start = from + lead.length;
  return { start, end: start + body.length };
}

/** Up to the last character of base64 that is not the letter of a `\n`. */
const LAST_BASE64 = /^.*(?<!\\)[A-Za-z0-9+/=]/s;
const BEGIN_LINE = /-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----/;
const END_LINE = /-----END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----/;
/** Base64 of fewer characters in a row may be a word. */
const LEAST_RUN = 16;
/** Within a key, base64 of so many characters is of its body, whatever stands around it: a comment, a call, a time, a table. */
const LONG_RUN = 40;
/** One line of base64, perhaps indented, commented or quoted. */
const BODY_LINE = /^([^\w+/]{0,12})([A-Za-z0-9+/]{16,}={0,2})(?:\\[nr])*(?:[\s"'`,;)\\][\s"'`,;)+\\]*)?$/;
/** The last line of a body may be short. */
const SHORT_BODY = /^([^\w+/]{0,12})([A-Za-z0-9+/]+={0,2})(?:\\[nr])*(?:[\s"'`,;)\\][\s"'`,;)+\\]*)?$/;
const MOST_SHORT_LINE = 500;

/** Parts of a text that could be base64. */
function runsIn(text: string, least: number): Part[] {
  const runs: Part[] = [];
  for (const { 0: run, index } of text.matchAll(/[A-Za-z0-9+/]{16,}={0,2}/g)) {
    // The letter of `\n` looks like one of the body.
    const start = text.charAt(index - 1) === '\\' && /^[nrt]/.test(run) ? index + 1 : index;
    const end = index + run.length;
    if (end - start >= least) runs.push({ start, end });
  }
  return runs;
}

/** Whether base64 looks like a body on its own, and neither like a word nor like a path. */
const isMixed = (text: string): boolean => /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text);

/** Whether a line could be of the body of a private key, or stand behind it, which only the lines above it tell. */
export function looksLikeKeyBody(text: string): boolean {
  if (text.length < MOST_SHORT_LINE && BODY_LINE.test(text)) return true;
  if (text.includes(PEM_END) && END_LINE.test(text)) return true;
  return runsIn(text, LEAST_RUN).some(({ start, end }) => {
    const run = text.slice(start, end);
    return run.endsWith('=') || (run.length >= LONG_RUN && isMixed(run));
  });
}

/** Of a line of which the lines above are not known, what most likely is of a body. */
export const likelyBodyIn = (text: string): Part[] => runsIn(text, LONG_RUN).filter(({ start, end }) => isMixed(text.slice(start, end)));

/** Lines above one in which a key begins that goes on to it: a key of 16,384 bits has about 200. */
export const MOST_KEY_LINES = 250;
/** Lines within a key that are not of its body, such as headers behind the time of a log: after more of them it has no end. */
const MOST_OTHERS = 4;

/** Of a line that is known to be of a body, what belongs to it. */
export function bodyIn(text: string): Part[] {
  const long = runsIn(text, LONG_RUN);
  return long.length > 0 ? runsIn(text, LEAST_RUN) : shortBodyIn(text);
}

function shortBodyIn(text: string): Part[] {
  const found = text.length < MOST_SHORT_LINE ? SHORT_BODY.exec(text) : null;
  if (found === null) return [];
  const start = (found[1] ?? '').length;
  return [{ start, end: start + (found[2] ?? '').length }];
}

/** What stands around the body in a line, by which the last and short one is known. */
class Frame {
  readonly #before: string;
  readonly #after: string;

  constructor(text: string, { start, end }: Part) {
    this.#before = Frame.#shape(text.slice(0, start));
    this.#after = text.slice(end);
  }

  /** Times go on from line to line. */
  static #shape(text: string): string {
    return text.replace(/\d/g, '0');
  }

  /** The short body of a line that has the same around it. */
  find(text: string): Part[] {
    const start = this.#before.length;
    if (text.length > MOST_SHORT_LINE || Frame.#shape(text.slice(0, start)) !== this.#before) return [];
    const run = /^[A-Za-z0-9+/]+={0,2}/.exec(text.slice(start))?.[0] ?? '';
    const after = text.slice(start + run.length);
    const goesOn = this.#after === '' ? !/\w/.test(after) : after.startsWith(this.#after.slice(0, 8));
    return run !== '' && goesOn ? [{ start, end: start + run.length }] : [];
  }
}

/** Follows private keys over the lines of a file, which come in order. */
export class PemReader {
  #isInside = false;
  #others = 0;
  #frame: Frame | undefined;

  get isInside(): boolean {
    return this.#isInside;
  }

  /** The parts of the line that belong to the body of a key. */
  take(text: string): readonly Part[] {
    if (text.includes(PEM_END) && END_LINE.test(text)) return this.#end(text);
    if (text.includes(PEM_BEGIN) && BEGIN_LINE.test(text)) {
      this.#begin(true);
      return NONE;
    }
    if (!this.#isInside) return NONE;
    const body = this.#bodyIn(text);
    if (body.length > 0) this.#others = 0;
    // Headers such as Proc-Type and DEK-Info stand above the body, with a blank line between.
    else if (!/^\W*(?:$|[A-Za-z-]+: )/.test(text.slice(0, 200)) && ++this.#others > MOST_OTHERS) this.#isInside = false;
    return body;
  }

  #begin(isInside: boolean): void {
    this.#isInside = isInside;
    this.#others = 0;
    this.#frame = undefined;
  }

  /** The rest of a body may stand in front of the mark of its end, and the next key begin behind it. */
  #end(text: string): readonly Part[] {
    const wasInside = this.#isInside;
    const end = text.search(END_LINE);
    this.#begin(BEGIN_LINE.test(text.slice(text.lastIndexOf(PEM_END))));
    const head = text.slice(0, end);
    if (!wasInside || head.includes(PEM_BEGIN)) return NONE;
    const runs = runsIn(head, LEAST_RUN);
    const from = Math.max(0, head.length - MOST_SHORT_LINE);
    const last = LAST_SHORT.exec(head.slice(from));
    const [, body = '', joint = ''] = last ?? [];
    // Behind a blank or a quote it may be a word, such as the level of a log.
    if (last === null || !(/^[^ "'\t]*$/.test(joint) ? /[A-Za-z0-9]/.test(body) : body.endsWith('=') || isMixed(body))) return runs;
    const start = from + last.index;
    return runs.some(({ end }) => end > start) ? runs : [...runs, { start, end: start + body.length }];
  }

  #bodyIn(text: string): readonly Part[] {
    const [first] = runsIn(text, LONG_RUN);
    if (first !== undefined) {
      this.#frame = first.start < MOST_SHORT_LINE ? new Frame(text, first) : undefined;
      return runsIn(text, LEAST_RUN);
    }
    if (this.#others > 0) return NONE;
    const short = shortBodyIn(text);
    if (short.length > 0) return short;
    const framed = this.#frame?.find(text) ?? NONE;
    if (framed.length > 0 || this.#frame === undefined) return framed;
    return runsIn(text, LEAST_RUN).filter(({ start, end }) => isMixed(text.slice(start, end)) || text.charAt(end - 1) === '=');
  }
}

/** Base64 right in front of the mark of the end, with a line end between that is escaped. */
const LAST_SHORT = /(?:(?<=\\[nr])|(?<![A-Za-z0-9+/=\\]))([A-Za-z0-9+/]{1,80}={0,2})((?:\\{1,4}[nr]|["'\s])*)$/;

/** The text with marks in place of its secrets. */
export function maskParts(text: string, parts: readonly Part[]): string {
  if (parts.length === 0) return text;
  let shown = '';
  let at = 0;
  for (const { start, end } of parts) {
    shown += text.slice(at, start) + maskOf(end - start);
    at = end;
  }
  return shown + text.slice(at);
}

/** Where a place in the text is once it is masked; a place within a secret is the mark's start, or its end. */
export function placeAfter(parts: readonly Part[], at: number, side: 'start' | 'end'): number {
  let shift = 0;
  for (const { start, end } of parts) {
    const length = maskOf(end - start).length;
    if (at <= start) break;
    if (at < end) return start + shift + (side === 'start' ? 0 : length);
    shift += length - (end - start);
  }
  return at + shift;
}

export interface Masked<P extends Part> {
  readonly text: string;
  readonly spans: readonly P[];
  readonly isMasked: boolean;
}

/** A line with its places of matches: a match within a secret is one over its mark. */
export function maskLine<P extends Part>(text: string, spans: readonly P[] = []): Masked<P> {
  return withMasks(text, spans, findSecrets(text));
}

export function withMasks<P extends Part>(text: string, spans: readonly P[], parts: readonly Part[]): Masked<P> {
  if (parts.length === 0) return { text, spans, isMasked: false };
  const moved = spans.map((span) => ({
    ...span,
    start: placeAfter(parts, span.start, 'start'),
    end: placeAfter(parts, span.end, span.end > span.start ? 'end' : 'start'),
  }));
  return { text: maskParts(text, parts), spans: moved, isMasked: true };
}

/** Lines that follow one another, private keys over several of them included; also of a key that begins above them, where its end is
 *  among them.
 *  @param before lines above, which tell whether the first one is within a key */
export function secretsOf(lines: readonly string[], before: readonly string[] = []): (readonly Part[])[] {
  const reader = new PemReader();
  for (const line of before) reader.take(line);
  const parts: (readonly Part[])[] = [];
  let isFromAbove = !reader.isInside;
  for (const line of lines) {
    if (isFromAbove && line.includes(PEM_END) && END_LINE.test(line)) markBodyAbove(lines, parts);
    if (line.includes(PEM_BEGIN)) isFromAbove = false;
    const body = reader.take(line);
    parts.push(body.length === 0 ? findSecrets(line) : body);
  }
  return parts;
}

/** The lines in hand end right above the end of a key whose begin was not seen. */
function markBodyAbove(lines: readonly string[], parts: (readonly Part[])[]): void {
  const least = Math.max(0, parts.length - MOST_KEY_LINES);
  for (let at = parts.length - 1; at >= least; at--) {
    const body = bodyIn(lines[at] ?? '');
    if (body.length === 0) return;
    parts[at] = body;
  }
}

/** The lines with a blank in place of each secret, for what is made of their words. */
export function withoutSecrets(lines: readonly string[]): string[] {
  const parts = secretsOf(lines);
  return lines.map((line, index) =>
    (parts[index] ?? []).reduceRight((text, { start, end }) => `${text.slice(0, start)} ${text.slice(end)}`, line),
  );
}

export function maskLines(lines: readonly string[]): string[] {
  const parts = secretsOf(lines);
  return lines.map((line, index) => maskParts(line, parts[index] ?? []));
}
