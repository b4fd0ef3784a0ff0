/** Text for matches in lines too long to come through a ripgrep event: a bounded read of the file around the match. */
import { cutAround } from '../base/display.js';
import { ToolError } from '../base/errors.js';
import type { Limits } from '../base/limits.js';
import type { FileRows, Row } from '../ripgrep/budget.js';
import type { LongEvent } from '../ripgrep/events.js';
import { LONGEST_SECRET, maskLine } from '../security/mask.js';
import type { Root } from '../security/root.js';
import { readBytes } from '../security/snippet.js';
import type { SearchContext } from './context.js';

/** Bytes of a UTF-8 byte order mark, which ripgrep does not count in its offsets. */
const MARK_BYTES = 3;

/** Replaces the text of long rows in place. A file that changed or went away keeps the matched text alone. */
export async function fillLongRows(files: readonly FileRows[], limits: Limits, context: SearchContext): Promise<void> {
  for (const file of files) {
    for (const [index, row] of file.rows.entries()) {
      if (row.long === undefined) continue;
      file.rows[index] = (await readAround(file.path, row, row.long, limits, context)) ?? withoutExcerpt(row, row.long, context.root);
    }
  }
}

async function readAround(path: string, row: Row, long: LongEvent, limits: Limits, { root }: SearchContext): Promise<Row | undefined> {
  const match = long.matchText;
  if (long.offset === undefined || long.matchStart === undefined || match === undefined || !row.isHit) return undefined;
  try {
    const file = await root.resolve(path);
    // Offsets count decoded text. They are places in the file only for plain UTF-8, so the text found there must be the match.
    // A key that reaches into what is shown is recognised as a whole only.
    const span = limits.excerptBytes + (root.masksSecrets ? 2 * LONGEST_SECRET : 0);
    for (const shift of [0, MARK_BYTES]) {
      const start = long.matchStart + shift;
      const from = Math.max(0, long.offset + start - span / 2);
      const bytes = await readBytes(root, file, from, span);
      const at = long.offset + start - from;
      const wanted = Buffer.from(match, 'utf8').subarray(0, Math.max(0, bytes.length - at));
      if (wanted.length === 0 || !bytes.subarray(at, at + wanted.length).equals(wanted)) continue;
      return around(row, long, bytes, at, match, limits, Math.max(0, start - at), root.masksSecrets);
    }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
  }
  return undefined;
}

function around(
  row: Row,
  long: LongEvent,
  bytes: Buffer,
  at: number,
  match: string,
  limits: Limits,
  lineBytesBefore: number,
  masksSecrets: boolean,
): Row {
  // The window may start in the line before and end in the line after.
  const lineStart = bytes.lastIndexOf(10, at - 1) + 1;
  const lineEnd = bytes.indexOf(10, at);
  const isStart = at === 0 || lineStart > 0;
  const head = bytes.toString('utf8', lineStart, at).replace(/^\uFFFD+/, '');
  const whole = head + bytes.toString('utf8', at, lineEnd < 0 ? bytes.length : lineEnd).replace(/\uFFFD+$/, '');
  const found = [{ start: head.length, end: Math.min(whole.length, head.length + match.length) }];
  // Masked before it is cut: a part of a key is not recognised.
  const { text, spans, isMasked } = masksSecrets ? maskLine(whole, found) : { text: whole, spans: found, isMasked: false };
  const [hit = { start: 0, end: 0 }] = spans;
  const cut = cutAround(text, hit.start, hit.end, limits.maxLineChars);
  const start = Math.max(0, hit.start - cut.before);
  const end = Math.min(cut.text.length, start + hit.end - hit.start);
  const before = cut.before + (isStart ? 0 : lineBytesBefore);
  return {
    line: row.line,
    isHit: true,
    text: cut.text,
    spans: [{ start, end }],
    before,
    after: Math.max(cut.after, long.eventBytes - before - cut.text.length),
    ...(isMasked ? { isMasked } : {}),
  };
}

function withoutExcerpt(row: Row, long: LongEvent, root: Root): Row {
  const { text, spans, isMasked } = root.masksSecrets
    ? maskLine(row.text, row.spans)
    : { text: row.text, spans: row.spans, isMasked: false };
  return {
    line: row.line,
    isHit: row.isHit,
    text,
    spans,
    ...(isMasked ? { isMasked } : {}),
    before: long.matchStart ?? 0,
    after: Math.max(0, long.eventBytes - row.text.length),
  };
}
