/** Stamps of the files of a reply. A stamp is a promise that the lines shown are those of the state it stands for: they are compared
 *  with the bytes that it was made of, and a file that was written while it was searched gets none. */
import type { Limits } from '../base/limits.js';
import { hasRawBytes } from '../base/path-bytes.js';
import type { Root } from '../security/root.js';
import { linesIn, readWhole } from '../security/snippet.js';
import { stampOf } from '../security/stamp.js';
import { type FileState, type FileStates, hashLine } from './file-states.js';

/** Path -> stamp. */
export type Stamps = ReadonlyMap<string, string>;

/** A reply that shows lines of files. */
export type Stamped<Outcome> = Outcome & { readonly stamps?: Stamps };

export interface ShownFile {
  readonly path: string;
  /** Lines whose whole text is known, by number; those that were cut or masked are not among them. */
  readonly lines?: ReadonlyMap<number, string>;
}

export interface StampContext {
  readonly root: Root;
  readonly limits: Limits;
  readonly search: { readonly states: FileStates };
  readonly signal: AbortSignal;
}

/** Two writes within one tick of the system's clock have the same times; Linux ticks every 4 to 10 ms. */
const TICK_MS = 20;
const AT_ONCE = 8;

export async function stampFiles(files: readonly ShownFile[], context: StampContext): Promise<Stamps> {
  const stamps = new Map<string, string>();
  for (let from = 0; from < files.length; from += AT_ONCE) {
    context.signal.throwIfAborted();
    const some = files.slice(from, from + AT_ONCE);
    const states = await Promise.all(some.map(({ path }) => stateOf(path, context)));
    for (const [index, file] of some.entries()) {
      const state = states[index];
      if (state !== undefined && holds(state, file)) stamps.set(file.path, state.stamp);
    }
  }
  return stamps;
}

/** The state of a file now; undefined when it cannot be read, or was only just written and is too large to be told from its next state. */
export async function stateOf(path: string, { root, limits, search }: StampContext): Promise<FileState | undefined> {
  if (hasRawBytes(path)) return undefined;
  const version = root.versionOf(path);
  const known = version === undefined ? undefined : search.states.current(root.path, path, version);
  if (known !== undefined) return known;
  const read = await readWhole(root, path, limits.maxFileBytes);
  if (read === undefined) return undefined;
  const isSettled = Date.now() - read.changedMs > TICK_MS;
  if (read.content === undefined) return isSettled ? { stamp: stampOf(read.version), lines: undefined } : undefined;
  const state = { stamp: stampOf(read.content), lines: Uint32Array.from(linesIn(read.content), hashLine) };
  search.states.put(root.path, path, { ...state, version: isSettled ? read.version : undefined });
  return state;
}

/** Whether all lines shown are of that state. A line that the two decoded otherwise tells nothing: it had bytes that are no text. */
function holds({ lines: hashes }: FileState, { lines = new Map() }: ShownFile): boolean {
  if (hashes === undefined) return true;
  for (const [line, text] of lines)
    if (!text.includes('\ufffd') && hashes[line - 1] !== hashLine(text.replace(/^\ufeff/, ''))) return false;
  return true;
}
