/** One folder that may be searched. Turns a caller's path into a ConfinedPath, a type that only this file can make, and opens
 *  files so that what was checked is what is read. Promise: nothing outside the folder, no secret and nothing of .git is opened,
 *  also when a link or a parent folder is swapped between check and open. Hard links are not told apart from files. */
import { type BigIntStats, constants, lstatSync } from 'node:fs';
import { type FileHandle, open, opendir, readlink, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { showJson } from '../base/display.js';
import { ToolError } from '../base/errors.js';
import { nearest } from '../base/near.js';
import { hasRawBytes } from '../base/path-bytes.js';
import { isInside, relativeText } from './path-text.js';
import { isGit, isOwn, isSecret } from './secrets.js';

const CONFINED: unique symbol = Symbol('confined');

/** A path that was checked: it existed, lies below its root and is neither secret nor .git. */
export interface ConfinedPath {
  /** Relative to the root, links resolved, forward slashes; '' is the root itself. */
  readonly relative: string;
  readonly kind: 'file' | 'folder';
  readonly [CONFINED]: { readonly absolute: string; readonly dev: bigint; readonly ino: bigint };
}

/** An open regular file and what was true of it when it was opened. */
export interface OpenFile {
  readonly handle: FileHandle;
  readonly size: number;
  /** Another one as soon as the file is replaced or written, but for two writes within one tick of the system's clock. */
  readonly version: string;
  /** When it was last changed, in milliseconds of the system's clock. */
  readonly changedMs: number;
}

/** What the file system says of a state of a file. The time of change is in it because the time of writing can be set back. */
const versionOf = ({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string => `${ino} ${size} ${mtimeNs} ${ctimeNs}`;

const NEAR_ENTRIES = 5_000;
/** Deeper paths than this are no slip of the pen. */
const MOST_LEVELS = 32;

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

/** The text of a JSON string; undefined for anything else. */
function unquote(text: string): string | undefined {
  if (!/^".*"$/s.test(text)) return undefined;
  try {
    return String(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export interface RootOptions {
  /** Whether secret files are searched and read. */
  readonly allowSecrets: boolean;
  /** Whether keys and tokens within lines are shown as a mark; so unless it says otherwise. */
  readonly maskSecrets?: boolean;
}

export class Root {
  readonly name: string;
  /** Absolute, links resolved. For ripgrep's cwd and for logs; never shown to a client. */
  readonly path: string;
  readonly #given: string;
  readonly #allowSecrets: boolean;
  /** Whether keys and tokens within lines are shown as a mark. */
  readonly masksSecrets: boolean;

  private constructor(given: string, real: string, { allowSecrets, maskSecrets = true }: RootOptions) {
    this.#given = given;
    this.path = real;
    this.name = path.basename(real) || real;
    this.#allowSecrets = allowSecrets;
    this.masksSecrets = maskSecrets;
  }

  /** @throws ToolError root_missing when the folder does not exist or is no folder */
  static async open(given: string, options: RootOptions): Promise<Root> {
    try {
      const real = await realpath(given);
      if (!(await stat(real)).isDirectory()) throw new ToolError('root_missing', `The root "${given}" is not a folder.`);
      return new Root(given, real, options);
    } catch (error) {
      if (error instanceof ToolError) throw error;
      throw new ToolError('root_missing', `The root "${given}" cannot be opened (${codeOf(error)}).`, { cause: error });
    }
  }

  /** Whether a name or path given by a caller means this root. */
  isCalled(text: string): boolean {
    return text === this.name || text === this.#given || path.resolve(text) === this.path;
  }

  /** Whether a path below the root may be shown: neither .git nor a kept output nor, unless the operator allows it, a secret. */
  mayShow(relative: string): boolean {
    return !isGit(relative) && !isOwn(relative) && (this.#allowSecrets || !isSecret(relative));
  }

  async stillExists(): Promise<boolean> {
    return stat(this.path).then(
      (entry) => entry.isDirectory(),
      () => false,
    );
  }

  get allowsSecrets(): boolean {
    return this.#allowSecrets;
  }

  /** The version of a file, by which one that was read before is known again; undefined when it cannot be had. Nothing is opened, and a
   *  link is not followed. */
  versionOf(relative: string): string | undefined {
    if (hasRawBytes(relative)) return undefined;
    try {
      return versionOf(lstatSync(path.join(this.path, relative), { bigint: true }));
    } catch {
      return undefined; // gone, or its folder is closed to us
    }
  }

  /** @throws ToolError path_invalid, path_outside_root, path_excluded, path_missing, path_unreadable, not_a_file */
  async resolve(text: string, { offersNames = true }: { offersNames?: boolean } = {}): Promise<ConfinedPath> {
    try {
      return await this.#resolve(text, offersNames);
    } catch (error) {
      // A path that a reply shows in quotes may come back with them.
      const plain = error instanceof ToolError && error.code === 'path_missing' ? unquote(text) : undefined;
      if (plain === undefined) throw error;
      return await this.#resolve(plain, false).catch(() => {
        throw error;
      });
    }
  }

  async #resolve(text: string, offersNames: boolean): Promise<ConfinedPath> {
    const wanted = relativeText(text, [this.path, this.#given], path);
    this.#refuseExcluded(text, wanted);
    const absolute = await this.#realpath(text, wanted, offersNames);
    const relative = this.#relative(absolute);
    if (relative === undefined) throw new ToolError('path_outside_root', `${showJson(text)} links to a place outside the root.`);
    this.#refuseExcluded(text, relative);
    const entry = await stat(absolute, { bigint: true }).catch((error: unknown) => {
      throw this.#ioError(showJson(text), error);
    });
    if (!entry.isFile() && !entry.isDirectory()) {
      throw new ToolError('not_a_file', `${showJson(text)} is a ${kindName(entry)}, which is never opened.`);
    }
    return { relative, kind: entry.isFile() ? 'file' : 'folder', [CONFINED]: { absolute, dev: entry.dev, ino: entry.ino } };
  }

  /** Opens a regular file and asks the opened handle, not the path, where it is.
   *  @throws ToolError not_a_file, path_outside_root, path_excluded, path_missing, path_unreadable */
  async openFile(file: ConfinedPath): Promise<OpenFile> {
    const name = showJson(file.relative || '.');
    if (file.kind !== 'file') throw new ToolError('not_a_file', `${name} is a folder.`);
    const { absolute, dev, ino } = file[CONFINED];
    // O_NONBLOCK: opening a pipe that was put in the file's place must not wait for a writer.
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    const handle = await open(absolute, flags).catch((error: unknown) => {
      throw this.#ioError(name, error);
    });
    try {
      const [entry, actual] = await Promise.all([
        handle.stat({ bigint: true }),
        readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined),
      ]);
      if (!entry.isFile()) throw new ToolError('not_a_file', `${name} is a ${kindName(entry)}, which is never opened.`);
      this.#confirm(actual, name, entry.dev === dev && entry.ino === ino);
      return { handle, size: Number(entry.size), version: versionOf(entry), changedMs: Number(entry.ctimeNs / 1_000_000n) };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** A swapped parent folder passes O_NOFOLLOW and may even compare equal afterwards; the handle's own path tells the truth.
   *  Systems without /proc compare the handle with what was checked. */
  #confirm(actual: string | undefined, name: string, isSame: boolean): void {
    if (actual === undefined) {
      if (!isSame) throw new ToolError('path_outside_root', `${name} was replaced while it was opened.`);
      return;
    }
    const relative = this.#relative(actual.replace(/ \(deleted\)$/, ''));
    if (relative === undefined) throw new ToolError('path_outside_root', `${name} was replaced while it was opened.`);
    this.#refuseExcluded(name, relative);
  }

  #relative(absolute: string): string | undefined {
    const relative = path.relative(this.path, absolute);
    if (!isInside(relative, path)) return undefined;
    return path.sep === '\\' ? relative.replaceAll('\\', '/') : relative;
  }

  #refuseExcluded(text: string, relative: string): void {
    if (this.mayShow(relative)) return;
    const why = isGit(relative) ? 'belongs to .git' : isOwn(relative) ? 'is a private file of RipScope' : 'is a secret file';
    throw new ToolError('path_excluded', `${showJson(text)} ${why}, which is never searched or read.`);
  }

  async #realpath(text: string, relative: string, offersNames: boolean): Promise<string> {
    try {
      return await realpath(path.join(this.path, relative));
    } catch (error) {
      const code = codeOf(error);
      if (code !== 'ENOENT' && code !== 'ENOTDIR') throw this.#ioError(showJson(text), error);
      const isGlob = /[*?{]/.test(text);
      const message = `${showJson(text)} does not exist.${offersNames ? await this.#nearNames(relative) : ''}`;
      throw new ToolError('path_missing', message, isGlob ? { hint: 'A path is no glob; give globs in the argument "globs".' } : undefined);
    }
  }

  #ioError(name: string, error: unknown): ToolError {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return new ToolError('path_missing', `${name} does not exist.`, { cause: error });
    if (code === 'ELOOP')
      return new ToolError('path_outside_root', `${name} is a link that goes in circles or was put in place of a file.`);
    if (code === 'ENAMETOOLONG') return new ToolError('path_invalid', 'The path is too long.');
    return new ToolError('path_unreadable', `${name} cannot be read (${code || 'unknown error'}).`, { cause: error });
  }

  /** The entries of the deepest existing folder on the way that look like the missing one. */
  async #nearNames(relative: string): Promise<string> {
    const parts = relative.split('/');
    if (parts.length > MOST_LEVELS) return '';
    for (let depth = parts.length - 1; depth >= 0; depth--) {
      const folder = parts.slice(0, depth).join('/');
      const names = await this.#entries(folder);
      if (names === undefined) continue;
      const near = nearest(parts[depth] ?? '', names).map((name) => `${showJson(folder === '' ? name : `${folder}/${name}`)}`);
      if (near.length > 0) return ` Near names: ${near.join(', ')}.`;
      return depth === parts.length - 1 ? '' : ` The folder ${showJson(folder || '.')} has no ${showJson(parts[depth] ?? '')}.`;
    }
    return '';
  }

  async #entries(folder: string): Promise<string[] | undefined> {
    try {
      const real = await realpath(path.join(this.path, folder));
      if (this.#relative(real) === undefined) return undefined;
      const names: string[] = [];
      for await (const entry of await opendir(real)) {
        if (this.mayShow(entry.name)) names.push(entry.name);
        if (names.length >= NEAR_ENTRIES) break;
      }
      return names;
    } catch {
      return undefined; // no such folder, or not readable: the caller tries the one above
    }
  }
}

function kindName(entry: { isDirectory(): boolean; isFIFO(): boolean; isSocket(): boolean }): string {
  if (entry.isDirectory()) return 'folder';
  if (entry.isFIFO()) return 'named pipe';
  return entry.isSocket() ? 'socket' : 'device';
}
