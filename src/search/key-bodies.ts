/** Lines of the body of a private key: nothing in such a line tells what it is, so the lines above it are asked. */
import type { Limits } from '../base/limits.js';
import type { Evidence } from '../ranking/excerpt.js';
import type { FileRows, Row } from '../ripgrep/budget.js';
import {
  bodyIn,
  likelyBodyIn,
  looksLikeKeyBody,
  maskParts,
  type Part,
  PemReader,
  placeAfter,
  secretsOf,
  withMasks,
} from '../security/mask.js';
import { readLines } from '../security/snippet.js';
import type { SearchContext } from './context.js';

/** Files that are read for it; a search for base64 may find more, of which then the look of a row decides. */
const MOST_FILES = 200;

/** Masks rows within private keys, in place. Files are only read where a row looks like a part of one. */
export async function maskKeyBodies(files: readonly FileRows[], limits: Limits, context: SearchContext): Promise<void> {
  if (!context.root.masksSecrets) return;
  const suspects = files.filter(({ rows }) => rows.some((row) => looksLikeKeyBody(row.text)));
  for (const { path, rows } of suspects.slice(0, MOST_FILES)) {
    const end = rows.at(-1);
    const last = end === undefined ? 0 : end.line + end.text.split('\n').length - 1;
    const lines = await readLines(context.root, path, limits.maxFileBytes, context, last);
    const bodies = lines === undefined ? undefined : keyBodies(lines);
    maskRows(rows, (row) => (bodies === undefined ? likelyBodyIn(row.text) : partsOf(row, bodies)));
  }
  for (const { rows } of suspects.slice(MOST_FILES)) maskRows(rows, (row) => likelyBodyIn(row.text));
}

function maskRows(rows: Row[], partsIn: (row: Row) => readonly Part[]): void {
  for (const [index, row] of rows.entries()) {
    const parts = partsIn(row);
    if (parts.length === 0) continue;
    const { text, spans } = withMasks(row.text, row.spans, parts);
    rows[index] = { ...row, text, spans, isMasked: true };
  }
}

/** The parts of a row that belong to a key; a row may have several lines. */
function partsOf(row: Row, bodies: ReadonlyMap<number, readonly Part[]>): Part[] {
  // Of a line that was cut, or in which something is masked already, places are others than in the file.
  const isMoved = row.before + row.after > 0 || row.isMasked === true;
  let at = 0;
  return row.text.split('\n').flatMap((text, index) => {
    const start = at;
    at += text.length + 1;
    const parts = bodies.get(row.line + index) ?? [];
    const own = isMoved && parts.length > 0 ? bodyIn(text) : parts;
    return own.map((part) => ({ start: part.start + start, end: part.end + start }));
  });
}

function keyBodies(lines: readonly string[]): Map<number, readonly Part[]> {
  const reader = new PemReader();
  const bodies = new Map<number, readonly Part[]>();
  for (const [index, line] of lines.entries()) {
    const parts = reader.take(line);
    if (parts.length > 0) bodies.set(index + 1, parts);
  }
  return bodies;
}

/** The lines of a ranked place with marks in place of secrets; what was found stays found.
 *  @param lines of the whole file, or of its part up to the last line shown */
export function maskEvidence(evidence: Evidence, lines: readonly string[]): Evidence {
  const bodies = [...evidence.texts.values()].some(looksLikeKeyBody) ? keyBodies(lines) : new Map<number, readonly Part[]>();
  const secrets = new Map<number, readonly Part[]>();
  for (const [line, text] of evidence.texts) {
    const parts = bodies.get(line) ?? secretsOf([text])[0] ?? [];
    if (parts.length > 0) secrets.set(line, parts);
  }
  if (secrets.size === 0) return evidence;
  return {
    ...evidence,
    found: evidence.found.map((one) => ({ ...one, at: placeAfter(secrets.get(one.line) ?? [], one.at, 'start') })),
    texts: new Map([...evidence.texts].map(([line, text]) => [line, maskParts(text, secrets.get(line) ?? [])])),
    masked: new Set(secrets.keys()),
  };
}
