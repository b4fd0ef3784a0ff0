/** Where lines of an earlier state of a file are in the file as it is now. Pure: the remembered lines vote for a shift. */
import { hashLine, isTelling, type ShownLines } from './shown-book.js';

export type Verdict =
  /** Every line that was shown stands where it stood. */
  | { readonly kind: 'same' }
  /** Those around the range do, others do not. */
  | { readonly kind: 'here' }
  /** They stand elsewhere, or in part where they stood: `shift` lines further down, `kept` of the `of` that tell anything. */
  | { readonly kind: 'moved'; readonly shift: number; readonly kept: number; readonly of: number }
  | { readonly kind: 'gone' }
  /** Nothing is remembered. */
  | { readonly kind: 'unknown' };

/** Lines this far from the range still tell where it went. */
const NEAR = 30;
/** A line that stands more often tells nothing about where. */
const MOST_PLACES = 16;
/** Of the lines that tell anything, this share must stand at the new place. */
const LEAST_SHARE = 0.5;

/** @param lines of the file as it is now
 *  @param start, end the range that is asked for, in the numbers of then */
export function whereWent(shown: ShownLines | undefined, lines: readonly string[], start: number, end: number): Verdict {
  if (shown === undefined || shown.size === 0) return { kind: 'unknown' };
  const hashes = lines.map(hashLine);
  const stands = ([line, hash]: readonly [number, number], shift = 0): boolean => hashes[line - 1 + shift] === hash;
  if ([...shown].every((one) => stands(one))) return { kind: 'same' };
  const inRange = [...shown].filter(([line]) => line >= start - NEAR && line <= end + NEAR);
  const near = inRange.length > 0 ? inRange : [...shown];
  if (inRange.length > 0 && near.every((one) => stands(one))) return { kind: 'here' };
  const telling = near.filter(([, hash]) => isTelling(hash));
  const shift = vote(telling, placesOf(hashes));
  if (shift === undefined) return { kind: 'gone' };
  const kept = telling.filter((one) => stands(one, shift)).length;
  return kept < telling.length * LEAST_SHARE ? { kind: 'gone' } : { kind: 'moved', shift, kept, of: telling.length };
}

function placesOf(hashes: readonly number[]): Map<number, number[]> {
  const places = new Map<number, number[]>();
  for (const [index, hash] of hashes.entries()) {
    const known = places.get(hash);
    if (known === undefined) places.set(hash, [index + 1]);
    else if (known.length <= MOST_PLACES) known.push(index + 1);
  }
  return places;
}

/** The shift that most lines agree on; a line that stands in several places gives each a part of its vote. */
function vote(lines: readonly (readonly [number, number])[], places: ReadonlyMap<number, readonly number[]>): number | undefined {
  const votes = new Map<number, number>();
  for (const [line, hash] of lines) {
    const found = places.get(hash) ?? [];
    if (found.length > MOST_PLACES) continue;
    for (const at of found) votes.set(at - line, (votes.get(at - line) ?? 0) + 1 / found.length);
  }
  // Of equal ones the nearest: less was changed.
  const [best] = [...votes].sort((a, b) => b[1] - a[1] || Math.abs(a[0]) - Math.abs(b[0]) || a[0] - b[0]);
  return best?.[0];
}
