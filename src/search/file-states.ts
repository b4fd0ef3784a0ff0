/** States of files that were shown, by stamp: hashes of their lines, so that a later read can tell where they went, and the version by
 *  which an unchanged file is known without being read again. Pure, bounded: what was asked for least recently goes first. */

/** `hashLine` of every line of a file. */
export type LineHashes = Uint32Array;

export interface FileState {
  readonly stamp: string;
  /** undefined: too large to be read. */
  readonly lines: LineHashes | undefined;
}

interface Entry extends FileState {
  /** What the file system said of the state; undefined where it would not tell it from a later one. */
  readonly version: string | undefined;
}

const ENTRY_BYTES = 300;

export class FileStates {
  readonly #maxBytes: number;
  readonly #entries = new Map<string, Entry>();
  /** Root and path -> stamp of the state that was seen last. */
  readonly #latest = new Map<string, string>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  put(root: string, path: string, state: Entry): void {
    const file = `${root}\0${path}`;
    const key = `${file}\0${state.stamp}`;
    this.#drop(key);
    this.#entries.set(key, state);
    this.#latest.set(file, state.stamp);
    this.#bytes += sizeOf(key, state);
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#drop(oldest);
    }
  }

  /** The state with that stamp; undefined: another process showed it, or it was too long ago. */
  find(root: string, path: string, stamp: string): FileState | undefined {
    const key = `${root}\0${path}\0${stamp}`;
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry;
  }

  /** The state that was seen last, if the file is still of that version. */
  current(root: string, path: string, version: string): FileState | undefined {
    const stamp = this.#latest.get(`${root}\0${path}`);
    const entry = stamp === undefined ? undefined : this.#entries.get(`${root}\0${path}\0${stamp}`);
    return entry?.version === version ? this.find(root, path, entry.stamp) : undefined;
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= sizeOf(key, entry);
    const file = key.slice(0, key.lastIndexOf('\0'));
    if (this.#latest.get(file) === entry.stamp) this.#latest.delete(file);
  }
}

const sizeOf = (key: string, { lines }: Entry): number => ENTRY_BYTES + key.length * 4 + (lines?.byteLength ?? 0);

/** FNV-1a over the units of a line, its carriage return apart; the lowest bit says whether the line tells anything: a lone brace is
 *  equal to every other. */
export function hashLine(text: string): number {
  const end = text.endsWith('\r') ? text.length - 1 : text.length;
  let hash = 0x811c9dc5;
  let letters = 0;
  for (let at = 0; at < end; at++) {
    const unit = text.charCodeAt(at);
    hash = Math.imul(hash ^ unit, 0x01000193);
    if ((unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a) || unit > 0x7f) letters++;
  }
  return ((hash & ~1) | (letters > 3 ? 1 : 0)) >>> 0;
}

export const isTelling = (hash: number): boolean => hash % 2 === 1;
