/** The few questions that a search asks the file system beside ripgrep: small control files at the root, the entries of a
 *  folder, and modification times. All below one root; nothing is followed out of it. */
import { lstatSync } from 'node:fs';
import { lstat, opendir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { showJson } from '../base/display.js';
import { ToolError } from '../base/errors.js';
import { decodePath } from '../base/path-bytes.js';
import type { Root } from './root.js';

/** Whether the root itself has an entry of that name. */
export async function rootHas(root: Root, name: string): Promise<boolean> {
  return lstat(path.join(root.path, name)).then(
    () => true,
    () => false,
  );
}

export type SmallFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'absent' }
  /** It is there and cannot be used; `why` says so for a note, as what follows its name. */
  | { readonly kind: 'unusable'; readonly why: string };

/** A control file below the root, read through a checked handle: a regular file of at most `maxBytes`. */
export async function readSmallFile(root: Root, name: string, maxBytes: number): Promise<SmallFile> {
  if (!(await rootHas(root, name))) return { kind: 'absent' };
  try {
    const { handle, size } = await root.openFile(await root.resolve(name));
    try {
      if (size > maxBytes) return { kind: 'unusable', why: `is larger than ${maxBytes} bytes` };
      const buffer = Buffer.alloc(size);
      const { bytesRead } = await handle.read(buffer, 0, size, 0);
      return { kind: 'text', text: buffer.toString('utf8', 0, bytesRead) };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof ToolError) return { kind: 'unusable', why: error.message.replace(`${showJson(name)} `, '').replace(/\.$/, '') };
    throw error;
  }
}

/** What stands in a folder. */
export interface Entry {
  readonly name: string;
  /** Links are none. */
  readonly isFolder: boolean;
}

/** Entries that are read at once; Node's own 32 cost several trips for most folders. */
const READ_AHEAD = 256;

/** What stands in a folder below the root, or undefined when that is more than `most` or cannot be listed. */
export async function entriesOf(root: Root, folder: string, most: number): Promise<Entry[] | undefined> {
  const entries: Entry[] = [];
  try {
    // The folder may come from a caller: a link on the way would lead elsewhere.
    const { relative, kind } = await root.resolve(folder === '' ? '.' : folder, { offersNames: false });
    if (relative !== folder || kind !== 'folder') return undefined;
    // Names as bytes: one that is no UTF-8 must stay itself.
    const options = { encoding: 'buffer' as BufferEncoding, bufferSize: READ_AHEAD };
    for await (const entry of await opendir(path.join(root.path, relative), options)) {
      if (entries.length >= most) return undefined;
      entries.push({ name: decodePath(entry.name as unknown as Buffer), isFolder: entry.isDirectory() });
    }
  } catch {
    return undefined; // gone meanwhile, or closed to us: the search itself will tell
  }
  return entries;
}

/** What a folder holds itself. */
export interface Glance {
  readonly files: number;
  readonly folders: readonly string[];
}

const NOTHING: Glance = { files: 0, folders: [] };
/** A folder that itself takes more bytes, some 20 to 60 for each entry, is not read, and told by what would fit. */
const MOST_GLANCED_BYTES = 1_000_000;
const BYTES_PER_ENTRY = 40;

/** How many files a folder below the root holds itself, and the folders in it; nothing of one that is gone or closed. For estimates:
 *  nothing but numbers comes of it, so that the way to the folder is not checked for links, and much faster than `entriesOf`. */
export async function glance(root: Root, folder: string): Promise<Glance> {
  try {
    const absolute = path.join(root.path, folder);
    const { size } = await lstat(absolute);
    if (size > MOST_GLANCED_BYTES) return { files: Math.round(size / BYTES_PER_ENTRY), folders: [] };
    const entries = await readdir(absolute, { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    return { files: entries.length - folders.length, folders: folders.sort() };
  } catch {
    return NOTHING;
  }
}

/** When a file below the root was last written, in nanoseconds since 1970; 0n when it is gone. Links are not followed. */
export function modifiedNs(root: Root, relative: string): bigint {
  return lstatSync(path.join(root.path, relative), { bigint: true, throwIfNoEntry: false })?.mtimeNs ?? 0n;
}

/** Size of a file below the root in bytes; 0 when it is gone. Links are not followed. */
export function sizeOf(root: Root, relative: string): number {
  return lstatSync(path.join(root.path, relative), { throwIfNoEntry: false })?.size ?? 0;
}
