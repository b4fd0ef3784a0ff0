/** Where lines of an earlier state of a file are in a later one. Pure: what is equal at the file's two ends is certain; lines that
 *  moved as they were agree on a shift; else both states are aligned by the lines that stand once in each. */
import { isTelling, type LineHashes } from './file-states.js';

export type Verdict =
  /** The lines stand where they stood, word for word. */
  | { readonly kind: 'same' }
  /** They are in `start` to `end` of now. Of them `changed` hold other words, `removed` have no line there; `added` are new. */
  | {
      readonly kind: 'moved';
      readonly start: number;
      readonly end: number;
      readonly changed: number;
      readonly added: number;
      readonly removed: number;
    }
  | { readonly kind: 'gone' };

/** A line that stands more often tells nothing about where. */
const MOST_PLACES = 16;
/** Of the lines that tell anything, this share must stand at the new place. */
const LEAST_SHARE = 0.5;
/** Pairs of lines that are compared one by one, between two lines that are certain. */
const MOST_PAIRS = 1_000_000;

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
  const shifted = (shift: number): Verdict => {
    const [from, to] = [Math.max(1, start + shift), Math.max(1, Math.min(last + shift, now.length))];
    return { kind: 'moved', start: from, end: to, changed: missing(all, shift), added: 0, removed: 0 };
  };
  if (isWhole(0)) return { kind: 'same' };
  const fromEnd = now.length - then.length;
  if (start > then.length - equalAtEnd(then, now) && isWhole(fromEnd)) return shifted(fromEnd);
  const shift = vote(telling, then, now);
  if (shift !== undefined && isWhole(shift)) return shifted(shift);
  const enough = (standing: number): boolean => standing >= telling.length * LEAST_SHARE;
  const places = align(then, now, start, last);
  const kept = telling.filter((line) => places[line - 1] !== NOWHERE).length;
  const rigid = shift === undefined ? 0 : telling.length - missing(telling, shift);
  // A block that went past others is out of the order in which the files are aligned.
  if (shift !== undefined && rigid > kept && enough(rigid)) return shifted(shift);
  // What both states begin with stands where it stood, however little of the rest was left.
  const isAtHead = start <= equalAtStart(then, now);
  return isAtHead || (kept > 0 && enough(kept)) ? placed(places, start, last, now.length) : { kind: 'gone' };
}

const NOWHERE = -1;

/** The lines from the first to the last one that stayed, and what became of those between and beside them. */
function placed(places: Int32Array, start: number, last: number, size: number): Verdict {
  const placeOf = (line: number): number => places[line - 1] ?? NOWHERE;
  const stayed = Array.from({ length: last - start + 1 }, (_, index) => start + index).filter((line) => placeOf(line) !== NOWHERE);
  const [first = start] = stayed;
  const final = stayed.at(-1) ?? last;
  // Lines at an end that did not stay were changed, where other lines stand in their place; else they were removed.
  let before = start - 1;
  while (before > 0 && placeOf(before) === NOWHERE) before--;
  let after = last + 1;
  while (after <= places.length && placeOf(after) === NOWHERE) after++;
  const roomBefore = placeOf(first) - (before > 0 ? placeOf(before) + 1 : 0);
  const roomAfter = (after <= places.length ? placeOf(after) : size) - placeOf(final) - 1;
  const changedBefore = Math.min(first - start, roomBefore);
  const changedAfter = Math.min(last - final, roomAfter);
  let changed = changedBefore + changedAfter;
  let added = 0;
  let removed = first - start + last - final - changed;
  let previous = first;
  for (const line of stayed.slice(1)) {
    const lost = line - previous - 1;
    const fresh = placeOf(line) - placeOf(previous) - 1;
    changed += Math.min(lost, fresh);
    removed += Math.max(0, lost - fresh);
    added += Math.max(0, fresh - lost);
    previous = line;
  }
  return { kind: 'moved', start: placeOf(first) + 1 - changedBefore, end: placeOf(final) + 1 + changedAfter, changed, added, removed };
}

/** For each line of then its place in now, from 0, in ascending order; NOWHERE for those that did not stay.
 *  Far from the lines that are asked for only what is certain counts. */
function align(then: LineHashes, now: LineHashes, start: number, last: number): Int32Array {
  const places = new Int32Array(then.length).fill(NOWHERE);
  const gap = (from: number, to: number, nowFrom: number, nowTo: number): void => {
    let [a, b, c, d] = [from, to, nowFrom, nowTo];
    while (a < b && c < d && then[a] === now[c]) places[a++] = c++;
    while (a < b && c < d && then[b - 1] === now[d - 1]) places[--b] = --d;
    const isNear = to >= start - 1 && from <= last;
    if (isNear && (b - a) * (d - c) <= MOST_PAIRS) commonLines(then, now, [a, b, c, d], places);
  };
  let [from, nowFrom] = [0, 0];
  for (const [line, place] of certain(then, now)) {
    gap(from, line, nowFrom, place);
    places[line] = place;
    [from, nowFrom] = [line + 1, place + 1];
  }
  gap(from, then.length, nowFrom, now.length);
  return places;
}

/** Lines that stand once in each state, the most of them that are in the same order in both. */
function certain(then: LineHashes, now: LineHashes): [line: number, place: number][] {
  const once = (lines: LineHashes): Map<number, number> => {
    const found = new Map<number, number>();
    for (const [index, hash] of lines.entries()) found.set(hash, found.has(hash) ? NOWHERE : index);
    return found;
  };
  const there = once(now);
  const pairs: { line: number; place: number; before: number }[] = [];
  for (const [hash, line] of once(then)) {
    const place = there.get(hash) ?? NOWHERE;
    if (line !== NOWHERE && place !== NOWHERE && isTelling(hash)) pairs.push({ line, place, before: NOWHERE });
  }
  pairs.sort((a, b) => a.line - b.line);
  // The longest ascending row: of each length the row that ends at the lowest place.
  const ends: number[] = [];
  for (const [index, pair] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.place ?? 0) < pair.place) low = middle + 1;
      else high = middle;
    }
    pair.before = low === 0 ? NOWHERE : (ends[low - 1] ?? NOWHERE);
    ends[low] = index;
  }
  const row: [number, number][] = [];
  for (let pair = pairs[ends.at(-1) ?? NOWHERE]; pair !== undefined; pair = pairs[pair.before]) row.push([pair.line, pair.place]);
  return row.reverse();
}

/** The longest common row of lines between two certain ones. */
function commonLines(then: LineHashes, now: LineHashes, [a, b, c, d]: [number, number, number, number], places: Int32Array): void {
  const width = d - c + 1;
  if (b <= a || d <= c) return;
  const lengths = new Uint32Array((b - a + 1) * width);
  const at = (line: number, place: number): number => lengths[(line - a) * width + place - c] ?? 0;
  for (let line = b - 1; line >= a; line--)
    for (let place = d - 1; place >= c; place--)
      lengths[(line - a) * width + place - c] =
        then[line] === now[place] ? at(line + 1, place + 1) + 1 : Math.max(at(line + 1, place), at(line, place + 1));
  let [line, place] = [a, c];
  while (line < b && place < d) {
    if (then[line] === now[place]) places[line++] = place++;
    else if (at(line + 1, place) >= at(line, place + 1)) line++;
    else place++;
  }
}

/** First and last line of now outside of which both states are equal; the last is before the first where lines were only removed. */
export function changedLines(then: LineHashes, now: LineHashes): [first: number, last: number] {
  const first = equalAtStart(then, now);
  return [first + 1, Math.max(first, now.length - equalAtEnd(then, now))];
}

/** Lines that two states have in common at their start. */
function equalAtStart(then: LineHashes, now: LineHashes): number {
  let count = 0;
  while (count < then.length && count < now.length && then[count] === now[count]) count++;
  return count;
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
