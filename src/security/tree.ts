/** The few questions that a search asks the file system beside ripgrep: small control files at the root, the entries of a
 *  folder, and modification times. All below one root; nothing is followed out of it. */
import { lstatSync } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
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

/** What stands in a folder below the root, or undefined when that is more than `most` or cannot be listed. */
export async function entriesOf(root: Root, folder: string, most: number): Promise<Entry[] | undefined> {
  const entries: Entry[] = [];
  try {
    // The folder may come from a caller: a link on the way would lead elsewhere.
    const { relative, kind } = await root.resolve(folder === '' ? '.' : folder, { offersNames: false });
    if (relative !== folder || kind !== 'folder') return undefined;
    // Names as bytes: one that is no UTF-8 must stay itself.
    for await (const entry of await opendir(path.join(root.path, relative), { encoding: 'buffer' as BufferEncoding })) {
      if (entries.length >= most) return undefined;
      entries.push({ name: decodePath(entry.name as unknown as Buffer), isFolder: entry.isDirectory() });
    }
  } catch {
    return undefined; // gone meanwhile, or closed to us: the search itself will tell
  }
  return entries;
}

/** When a file below the root was last written, in nanoseconds since 1970; 0n when it is gone. Links are not followed. */
export function modifiedNs(root: Root, relative: string): bigint {
  return lstatSync(path.join(root.path, relative), { bigint: true, throwIfNoEntry: false })?.mtimeNs ?? 0n;
}

/** Size of a file below the root in bytes; 0 when it is gone. Links are not followed. */
export function sizeOf(root: Root, relative: string): number {
  return lstatSync(path.join(root.path, relative), { throwIfNoEntry: false })?.size ?? 0;
}
