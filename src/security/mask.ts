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
/** A password in a connection is no longer than this. */
const MOST_AUTHORITY = 300;
const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** Longest first: the first that fits is the one that is meant. */
const BY_PREFIX: ReadonlyMap<string, SecretFormat> = new Map(FORMATS.map((one) => [one.prefix, one]));
const PREFIXES = [...BY_PREFIX.keys()].sort((a, b) => b.length - a.length);
const MARKERS = [PEM_BEGIN, '://', ...PREFIXES].map(quoted).join('|');
const MARKER = new RegExp(MARKERS, 'g');
/** Nearly every line has no marker; this one regex is all that such a line costs. */
const HAS_MARKER = new RegExp(MARKERS);
const NONE: Part[] = [];

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
  for (const { 0: marker, index } of text.matchAll(MARKER)) {
    if (index < free) continue;
    const part = partAt(text, marker, index, runs, cut);
    if (part === undefined || part.start < free) continue;
    found.push(part);
    hasAwsId ||= AWS_ID.test(marker);
    free = part.end;
  }
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
  readonly #known = new Map<Alphabet, Part>();

  constructor(text: string) {
    this.#text = text;
  }

  end(alphabet: Alphabet, from: number): number {
    const known = this.#known.get(alphabet);
    if (known !== undefined && from >= known.start && from <= known.end) return known.end;
    const is = ALPHABETS[alphabet];
    let end = from;
    while (end < this.#text.length && is.test(this.#text.charAt(end))) end++;
    this.#known.set(alphabet, { start: from, end });
    return end;
  }
}

/** @param cut where the text was cut, so that a token which ends there may be longer than it looks */
function tokenAt(text: string, format: SecretFormat, at: number, runs: Runs, cut: number | undefined): Part | undefined {
  const { prefix, alphabet, min, max, isLabel, like } = format;
  if (!isLabel && /[A-Za-z0-9]/.test(text.charAt(at - 1)) && !endsEscape(text, at)) return undefined;
  let start = at + prefix.length;
  // A label may be followed by a quote, a colon or an equals sign: `"SecretAccessKey": "…"`.
  if (isLabel) while (start < at + prefix.length + 8 && /["'\s:=>]/.test(text.charAt(start))) start++;
  const end = runs.end(alphabet, start);
  const length = end - start;
  if (end === cut && length >= LEAST_CUT && length <= max) return { start: isLabel ? start : at, end };
  if (length < min || length > max) return undefined;
  const body = text.slice(start, end);
  if ((like !== undefined && !like.test(body)) || isPlaceholder(body)) return undefined;
  return { start: isLabel ? start : at, end };
}

/** `\nghp_…` in a string: the letter in front belongs to the line end. */
const endsEscape = (text: string, at: number): boolean => /^\\[nrt]$/.test(text.slice(at - 2, at));

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
/** A variable or a hole to fill in: $PASS, ${PASS}, {{pass}}, %s, <password>, #{pass}, [pass]. */
const HOLE = /[${}<>#[\]|`"'\s\\()]|%[a-zA-Z(]/;

/** The password of `scheme://user:password@host`. */
function passwordIn(text: string, at: number): Part | undefined {
  if (!/[a-zA-Z0-9]/.test(text.charAt(at - 1))) return undefined;
  const rest = text.slice(at + 3, at + 3 + MOST_AUTHORITY);
  const authority = /^[^\s/?"'`<>|,;]*/.exec(rest)?.[0] ?? '';
  const host = authority.lastIndexOf('@');
  const colon = authority.indexOf(':');
  if (host < 0 || colon < 0 || colon >= host - 1) return undefined;
  const user = authority.slice(0, colon);
  const password = authority.slice(colon + 1, host);
  // `%40` is an @ written out; `%s` is a hole.
  if (HOLE.test(password.replace(/%[0-9a-fA-F]{2}/g, '')) || KNOWN_PASSWORD.test(password) || password === user) return undefined;
  return { start: at + 4 + colon, end: at + 3 + host };
}

const LABEL = /^-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----/;
/** A key's body of fewer characters is an example. */
const LEAST_KEY = 40;

/** What the body of a key is written with inside a string: base64, escapes, and the quotes of parts that are joined. */
const INLINE_BODY = /[A-Za-z0-9+/=\\"'\s,]*/y;

/** A private key written on one line, its line ends as `\n`. */
function inlineKey(text: string, at: number): Part | undefined {
  const begin = LABEL.exec(text.slice(at, at + 100))?.[0];
  if (begin === undefined) return undefined;
  INLINE_BODY.lastIndex = at + begin.length;
  const run = INLINE_BODY.exec(text)?.[0] ?? '';
  const lead = /^(?:\\[nr]|\s|["'+])*/.exec(run.slice(0, 40))?.[0] ?? '';
  const body = run.slice(lead.length);
  if (body.length < LEAST_KEY || !/^[A-Za-z0-9+/=]{16}/.test(body)) return undefined;
  const start = at + begin.length + lead.length;
  return { start, end: start + body.length };
}

const BEGIN_LINE = /-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----/;
const END_LINE = /-----END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----/;
/** One line of base64, perhaps indented, commented or quoted. */
const BODY_LINE = /^([^\w+/]{0,12})([A-Za-z0-9+/]{16,}={0,2})(?:\\[nr])*(?:[\s"'`,;)\\][\s"'`,;)+\\]*)?$/;
/** The last line of a body may be short. */
const SHORT_BODY = /^([^\w+/]{0,12})([A-Za-z0-9+/]+={0,2})(?:\\[nr])*(?:[\s"'`,;)\\][\s"'`,;)+\\]*)?$/;

/** Whether a line could be of the body of a private key, or stand behind it, which only the lines above it tell. */
export const looksLikeKeyBody = (text: string): boolean =>
  text.length < 500 && (BODY_LINE.test(text) || (text.includes(PEM_END) && END_LINE.test(text)));

/** Lines above one in which a key begins that goes on to it: a key of 16,384 bits has about 200. */
export const MOST_KEY_LINES = 250;

function bodyIn(text: string): Part | undefined {
  const found = text.length < 500 ? SHORT_BODY.exec(text) : null;
  if (found === null) return undefined;
  const start = (found[1] ?? '').length;
  return { start, end: start + (found[2] ?? '').length };
}

/** Follows private keys over the lines of a file, which come in order. */
export class PemReader {
  #isInside = false;

  get isInside(): boolean {
    return this.#isInside;
  }

  /** The part of the line that belongs to the body of a key. */
  take(text: string): Part | undefined {
    if (END_LINE.test(text.slice(0, 1_000))) {
      this.#isInside = false;
      return undefined;
    }
    if (BEGIN_LINE.test(text.slice(0, 1_000))) {
      this.#isInside = !text.includes(PEM_END);
      return undefined;
    }
    if (!this.#isInside) return undefined;
    const body = bodyIn(text);
    // Headers such as Proc-Type and DEK-Info stand above the body, with a blank line between.
    if (body === undefined && !/^\W*(?:$|[A-Za-z-]+: )/.test(text.slice(0, 200))) this.#isInside = false;
    return body;
  }
}

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
    parts.push(body === undefined ? findSecrets(line) : [body]);
  }
  return parts;
}

/** The lines in hand end right above the end of a key whose begin was not seen. */
function markBodyAbove(lines: readonly string[], parts: (readonly Part[])[]): void {
  for (let at = parts.length - 1; at >= 0; at--) {
    const body = bodyIn(lines[at] ?? '');
    if (body === undefined) return;
    parts[at] = [body];
  }
}

export function maskLines(lines: readonly string[]): string[] {
  const parts = secretsOf(lines);
  return lines.map((line, index) => maskParts(line, parts[index] ?? []));
}
