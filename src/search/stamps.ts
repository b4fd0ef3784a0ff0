/** Stamps of the files of a reply, and the note of what was shown of each. A stamp is a promise that the lines are those of that state;
 *  for a file that was written while it was searched the promise is checked, or not given. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Limits } from '../base/limits.js';
import type { Root } from '../security/root.js';
import { type ReadCall, readLines } from '../security/snippet.js';
import { changedAt, entryOf, stampOf } from '../security/stamp.js';
import type { ShownBook } from './shown-book.js';

/** Path -> stamp. */
export type Stamps = ReadonlyMap<string, string>;

export interface ShownFile {
  readonly path: string;
  /** Whole lines as they stand in the file. */
  readonly lines: ReadonlyMap<number, string>;
}

export interface StampContext extends ReadCall {
  readonly root: Root;
  readonly limits: Limits;
  readonly shown: ShownBook;
}

/** Linux notes the time of a change by a clock that ticks every 4 to 10 ms. */
const TICK_MS = 12;
const UNSURE = ' unsure';

/** @param since when the search began, in milliseconds of the system's clock */
export async function stampShown(files: Iterable<ShownFile>, since: number, context: StampContext): Promise<Stamps> {
  const stamps = new Map<string, string>();
  for (const file of files) {
    const entry = entryOf(context.root, file.path);
    if (entry === undefined) continue;
    const isQuiet = changedAt(entry) < since - TICK_MS;
    const stamp = isQuiet ? stampOf(entry) : await stampWritten(file, context);
    if (stamp === undefined) continue;
    stamps.set(file.path, stamp);
    context.shown.add(context.root.path, file.path, stamp, file.lines);
  }
  return stamps;
}

/** Of a file that was written shortly before the search, or since: its lines are read again, once the clock has ticked on. */
export async function stampWritten({ path, lines }: ShownFile, context: StampContext): Promise<string | undefined> {
  const first = entryOf(context.root, path);
  if (first === undefined) return undefined;
  const age = Date.now() - changedAt(first);
  if (age < TICK_MS) await sleep(Math.min(TICK_MS, TICK_MS - age), undefined, { signal: context.signal });
  const entry = entryOf(context.root, path);
  const last = Math.max(0, ...lines.keys());
  const now = lines.size === 0 ? undefined : await readLines(context.root, path, context.limits.maxFileBytes, context, last);
  const after = entryOf(context.root, path);
  if (entry === undefined || after === undefined) return undefined;
  const isSame =
    now !== undefined &&
    stampOf(entry) === stampOf(after) &&
    [...lines].every(([line, text]) => withoutReturn(now[line - 1] ?? '') === withoutReturn(text));
  return stampOf(entry, isSame ? '' : UNSURE);
}

const withoutReturn = (text: string): string => (text.endsWith('\r') ? text.slice(0, -1) : text);
