/** The part of a kept text that is shown for a hit: so many characters around it, in whole or marked lines. Pure. */
import { cutAround } from '../base/display.js';
import { LIMITS } from '../base/limits.js';
import type { EvidenceLine, Range } from '../ranking/excerpt.js';
import { MOST_KEY_LINES, maskParts, placeAfter, secretsOf } from '../security/mask.js';

export interface KeptWindow {
  /** Of the first line shown, 1-based in the kept text. */
  readonly line: number;
  /** Its lines; the first and the last may be parts of theirs. */
  readonly text: string;
  readonly isCutBefore: boolean;
  readonly isCutAfter: boolean;
  /** A line of it has a mark in place of a key. */
  readonly isMasked: boolean;
}

export interface WindowOptions {
  /** Of one place; a further word of the query may need a further one. */
  readonly most?: number | undefined;
  readonly masksSecrets: boolean;
}

/** Unless the caller says otherwise. */
const MOST_WINDOWS = 2;

/** @param lines of the whole text
 *  @param range what may be shown, 1-based and inclusive
 *  @param found lines with words of the query, within the range; at least one
 *  @returns in line order; together they show every word if they can */
export function windowsOf(
  lines: readonly string[],
  range: Range,
  found: readonly EvidenceLine[],
  { most = MOST_WINDOWS, masksSecrets }: WindowOptions,
): KeptWindow[] {
  const windows: KeptWindow[] = [];
  let covered = 0;
  const byValue = [...found].sort((a, b) => b.value - a.value || a.line - b.line);
  for (const one of byValue) {
    if (windows.length >= most) break;
    if ((one.mask & ~covered) === 0 && windows.length > 0) continue;
    const window = windowAt(lines, range, one, masksSecrets);
    windows.push(window);
    const last = lastLine(window);
    for (const other of found) if (other.line >= window.line && other.line <= last) covered |= other.mask;
  }
  return windows.sort((a, b) => a.line - b.line);
}

export const lastLine = (window: KeptWindow): number => window.line + window.text.split('\n').length - 1;

function windowAt(lines: readonly string[], range: Range, hit: EvidenceLine, masksSecrets: boolean): KeptWindow {
  const most = LIMITS.windowChars.def;
  // No more lines than could be shown, however large the piece is.
  const start = firstWithin(lines, hit.line, range.start, -1, most);
  const end = firstWithin(lines, hit.line, range.end, 1, most);
  const near = lines.slice(start - 1, end);
  // Before the text is cut: a part of a key is not recognised.
  const secrets = masksSecrets ? secretsOf(near, lines.slice(Math.max(0, start - 1 - MOST_KEY_LINES), start - 1)) : [];
  const texts = near.map((line, index) => maskParts(line, secrets[index] ?? []));
  const before = texts.slice(0, hit.line - start).reduce((sum, line) => sum + line.length + 1, 0);
  const text = texts.join('\n');
  const at = before + placeAfter(secrets[hit.line - start] ?? [], hit.at, 'start');
  const cut = cutAround(text, at, at, most);
  const skipped = text.slice(0, cut.before);
  // What is left of a line end at an edge says nothing.
  const shown = cut.text.replace(/^\n/, '').replace(/\n$/, '');
  const isAtStart = skipped === '' || skipped.endsWith('\n') || cut.text.startsWith('\n');
  const line = start + skipped.split('\n').length - 1 + (cut.text.startsWith('\n') ? 1 : 0);
  const isAtEnd = cut.after === 0 || cut.text.endsWith('\n') || text.charAt(cut.before + cut.text.length) === '\n';
  const isMasked = secrets.slice(line - start, line - start + shown.split('\n').length).some((parts) => parts.length > 0);
  return { line, text: shown, isCutBefore: !isAtStart, isCutAfter: !isAtEnd, isMasked };
}

/** How far from a line the text reaches that could be shown. */
function firstWithin(lines: readonly string[], from: number, limit: number, step: 1 | -1, most: number): number {
  let line = from;
  let units = 0;
  while (line !== limit && units <= most) {
    line += step;
    units += (lines[line - 1]?.length ?? 0) + 1;
  }
  return line;
}
