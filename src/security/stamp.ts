/** The stamp of a file: six characters that are others as soon as the file was written or replaced. Made of what the file system
 *  says of it, since reading every file that a search shows would cost more than the search. */
import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { hasRawBytes } from '../base/path-bytes.js';
import type { Root } from './root.js';

/** What a stamp is made of. The time of change is in it because the time of writing can be set back. */
export interface StampedEntry {
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

export const STAMP = /^[\w-]{6}$/;

/** @param salt makes a stamp that no file has: of a file that may have been written while it was searched */
export function stampOf({ ino, size, mtimeNs, ctimeNs }: StampedEntry, salt = ''): string {
  // 36 bits: two states of one file have the same stamp once in 69 thousand million times.
  return createHash('sha1').update(`${ino} ${size} ${mtimeNs} ${ctimeNs}${salt}`).digest('base64url').slice(0, 6);
}

/** The entry of a file that a search found; a link is not followed. undefined when it cannot be had. */
export function entryOf(root: Root, relative: string): StampedEntry | undefined {
  if (hasRawBytes(relative)) return undefined;
  try {
    return lstatSync(path.join(root.path, relative), { bigint: true });
  } catch {
    return undefined; // gone since it was searched, or its folder is closed to us
  }
}

/** When the file was last changed, in milliseconds of the system's clock. */
export const changedAt = ({ ctimeNs }: StampedEntry): number => Number(ctimeNs / 1_000_000n);
