/** Where lines of an earlier state of a file are in a later one. Pure: what is equal at the file's two ends is certain; between them
 *  the lines vote for a shift. */
import { isTelling, type LineHashes } from './file-states.js';

export type Verdict =
  /** The lines stand where they stood, word for word. */
  | { readonly kind: 'same' }
  /** They stand `shift` lines further down, but for `changed` of them; with a shift of 0 some were changed in place. */
  | { readonly kind: 'moved'; readonly shift: number; readonly changed: number }
  | { readonly kind: 'gone' };

/** A line that stands more often tells nothing about where. */
const MOST_PLACES = 16;
/** Of the lines that tell anything, this share must stand at the new place. */
const LEAST_SHARE = 0.5;

/** @param start, end the lines that are asked for, 1-based, in the numbers of then */
export function whereWent(then: LineHashes, now: LineHashes, start: number, end: number): Verdict {
  const last = Math.min(end, then.length);
  if (start > last) return { kind: 'gone' };
  const stands = (line: number, shift: number): boolean => {
    const at = line - 1 + shift;
    return at >= 0 && at < now.length && now[at] === then[line - 1];
  };
  const all = Array.from({ length: last - start + 1 }, (_, index) => start + index);
  const telling = all.filter((line) => isTelling(then[line - 1] ?? 0));
  const missing = (lines: readonly number[], shift: number): number => lines.filter((line) => !stands(line, shift)).length;
  const isWhole = (shift: number): boolean => missing(all, shift) === 0;
  if (isWhole(0)) return { kind: 'same' };
  const fromEnd = now.length - then.length;
  if (start > then.length - equalAtEnd(then, now) && isWhole(fromEnd)) return { kind: 'moved', shift: fromEnd, changed: 0 };
  const shift = vote(telling, then, now);
  if (shift === undefined) return { kind: 'gone' };
  if (missing(telling, shift) > telling.length * (1 - LEAST_SHARE)) return { kind: 'gone' };
  return { kind: 'moved', shift, changed: missing(all, shift) };
}

/** First and last line of now outside of which both states are equal; the last is before the first where lines were only removed. */
export function changedLines(then: LineHashes, now: LineHashes): [first: number, last: number] {
  let first = 0;
  while (first < then.length && first < now.length && then[first] === now[first]) first++;
  return [first + 1, Math.max(first, now.length - equalAtEnd(then, now))];
}

/** Lines that two states have in common at their end. */
function equalAtEnd(then: LineHashes, now: LineHashes): number {
  let count = 0;
  while (count < then.length && count < now.length && then[then.length - 1 - count] === now[now.length - 1 - count]) count++;
  return count;
}

/** The shift that most lines agree on; a line that stands in several places gives each a part of its vote. */
function vote(lines: readonly number[], then: LineHashes, now: LineHashes): number | undefined {
  const wanted = new Set(lines.map((line) => then[line - 1]));
  const places = new Map<number, number[]>();
  for (const [index, hash] of now.entries()) {
    if (!wanted.has(hash)) continue;
    const known = places.get(hash);
    if (known === undefined) places.set(hash, [index + 1]);
    else if (known.length <= MOST_PLACES) known.push(index + 1);
  }
  const votes = new Map<number, number>();
  for (const line of lines) {
    const found = places.get(then[line - 1] ?? 0) ?? [];
    if (found.length > MOST_PLACES) continue;
    for (const at of found) votes.set(at - line, (votes.get(at - line) ?? 0) + 1 / found.length);
  }
  // Of equal ones the nearest: less was changed.
  const [best] = [...votes].sort((a, b) => b[1] - a[1] || Math.abs(a[0]) - Math.abs(b[0]) || a[0] - b[0]);
  return best?.[0];
}
