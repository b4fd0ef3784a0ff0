/** The texts that were kept out of the context for one root: a private folder of this user (0700) with a file each (0600). Promise:
 *  a name is 128 random bits; a text is there whole or not at all; nothing but our own files is read, replaced or removed; a link, a
 *  foreign folder or one that others may enter is refused. A file starts with one line of JSON about the text, as data. */
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readdirSync, readSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ToolError } from '../base/errors.js';
import { LIMITS, type Limits } from '../base/limits.js';
import { isAlive } from './alive.js';
import { ABSENT, againWhenGone, makePrivate, unusable, whyNotPrivate } from './private-folder.js';
import { SpoolWriter } from './spool-writer.js';

/** Who kept a text. */
export type Keeper = 'hook' | 'tool' | 'tests';

/** What is said of a text when it is kept. */
export interface About {
  /** What it is called: a tool, a command, a page. */
  readonly source: string;
  /** How its content is cut into pieces. */
  readonly kind: string;
  readonly by: Keeper;
  /** The client's session, where it is known. */
  readonly session: string | undefined;
  /** Whose end is the end of the text; undefined when only its age is. */
  readonly owner: string | undefined;
}

export interface KeptText extends About {
  /** 32 hexadecimal digits. */
  readonly handle: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Of the text itself. */
  readonly bytes: number;
}

/** Lines before the text in its file. */
export const HEAD_LINES = 1;
/** The line about the text is shorter: every part of it has a limit. */
const MOST_HEAD = 8_192;
const HANDLE = /^[0-9a-f]{32}$/;
const TEXT_FILE = /^([0-9a-f]{32})\.txt$/;
const PART_FILE = /^[0-9a-f]{32}\.(\d+)\.part$/;

/** That nobody can guess. */
export const newHandle = (): string => randomBytes(16).toString('hex');
export const isHandle = (text: string): boolean => HANDLE.test(text);
export const fileOf = (handle: string): string => `${handle}.txt`;
export const handleOf = (file: string): string | undefined => TEXT_FILE.exec(file)?.[1];

/** The folder of a root among those of this user. */
export function spoolFolder(base: string, root: string): string {
  return path.join(base, `spool-${createHash('sha256').update(root).digest('hex').slice(0, 32)}`);
}
export const isSpoolFolder = (name: string): boolean => /^spool-[0-9a-f]{32}$/.test(name);

export class Spool {
  readonly #base: string;
  readonly #limits: Limits;
  readonly #newHandle: () => string;
  /** Absolute. */
  readonly folder: string;
  /** Texts never change, so what is known of one stays true while it is there. */
  readonly #known = new Map<string, KeptText>();

  /** @param base   private folder of this user
   *  @param folder below it, as `spoolFolder` names it */
  constructor(base: string, folder: string, limits: Limits, makeHandle: () => string = newHandle) {
    this.#base = base;
    this.folder = folder;
    this.#limits = limits;
    this.#newHandle = makeHandle;
  }

  /** Whether the folder is there and fit for use.
   *  @throws ToolError spool_refused */
  get exists(): boolean {
    return isThere(this.#base) && isThere(this.folder);
  }

  /** Keeps a whole text.
   *  @throws ToolError output_too_large, spool_refused, temp_unusable */
  keep(text: string, about: About): KeptText {
    const bytes = Buffer.from(text);
    if (bytes.length > LIMITS.maxKeepBytes.def)
      throw new ToolError('output_too_large', `The text has ${bytes.length} bytes; ${LIMITS.maxKeepBytes.def} are kept.`);
    const writer = this.write(about);
    writer.write(bytes);
    return writer.finish();
  }

  /** Starts a text that comes in parts. It cannot be found before it is finished.
   *  @throws ToolError spool_refused, temp_unusable */
  write(about: About): SpoolWriter<KeptText> {
    try {
      return againWhenGone(() => this.#begin(about));
    } catch (error) {
      throw unusable(error);
    }
  }

  #begin(about: About): SpoolWriter<KeptText> {
    // Each is checked before anything is made in it.
    for (const folder of [this.#base, this.folder]) {
      makePrivate(folder);
      if (!isThere(folder)) throw systemError('ENOENT');
    }
    const handle = this.#newHandle();
    if (existsSync(this.#at(fileOf(handle)))) throw systemError('EEXIST');
    const text: Omit<KeptText, 'bytes'> = {
      handle,
      source: about.source.slice(0, LIMITS.sourceChars.max),
      kind: about.kind,
      by: about.by,
      session: about.session,
      owner: about.owner,
      time: Date.now(),
    };
    const part = this.#at(`${handle}.${process.pid}.part`);
    const { handle: _, ...head } = text;
    return new SpoolWriter(openSync(part, 'wx', 0o600), JSON.stringify(head), {
      finish: (bytes) => {
        renameSync(part, this.#at(fileOf(handle)));
        const kept = { ...text, bytes };
        this.#known.set(handle, kept);
        this.trim(handle);
        return kept;
      },
      discard: () => rmSync(part, { force: true }),
      handle,
    });
  }

  /** What is known of a text by its handle; undefined when there is none. */
  find(handle: string): KeptText | undefined {
    if (!isHandle(handle) || !this.exists) return undefined;
    const text = existsSync(this.#at(fileOf(handle))) ? (this.#known.get(handle) ?? this.#readHead(handle)) : undefined;
    if (text === undefined || this.#isOld(text.time)) {
      this.#known.delete(handle);
      return undefined;
    }
    this.#known.set(handle, text);
    return text;
  }

  /** All texts, oldest first. */
  list(): KeptText[] {
    if (!this.exists) return [];
    return this.#names()
      .flatMap((name) => this.find(handleOf(name) ?? '') ?? [])
      .sort((a, b) => a.time - b.time || (a.handle < b.handle ? -1 : 1));
  }

  remove(handle: string): void {
    if (isHandle(handle)) rmSync(this.#at(fileOf(handle)), { force: true });
    this.#known.delete(handle);
  }

  /** Removes what is too old, and the oldest of what is too much.
   *  @param newest is never removed */
  trim(newest?: string): void {
    if (!this.exists) return;
    const texts = this.#files();
    let bytes = texts.reduce((sum, text) => sum + text.bytes, 0);
    let count = texts.length;
    for (const text of texts) {
      const isTooMuch = bytes > this.#limits.keptBytes || count > this.#limits.keptTexts;
      if (text.handle === newest || !(this.#isOld(text.time) || isTooMuch)) continue;
      this.remove(text.handle);
      bytes -= text.bytes;
      count--;
    }
  }

  #isOld(time: number): boolean {
    return time < Date.now() - this.#limits.keptMs;
  }

  /** Oldest first. What the system knows of the files is enough to tell which go, without opening a thousand of them. */
  #files(): { handle: string; time: number; bytes: number }[] {
    return this.#names()
      .flatMap((name) => {
        const handle = handleOf(name);
        const entry = handle === undefined ? undefined : lstatSync(this.#at(name), { throwIfNoEntry: false });
        return handle === undefined || !entry?.isFile() ? [] : [{ handle, time: entry.mtimeMs, bytes: entry.size }];
      })
      .sort((a, b) => a.time - b.time || (a.handle < b.handle ? -1 : 1));
  }

  /** Removes parts of texts that their writers cannot finish any more. */
  removeParts(isGone: (pid: number) => boolean = (pid) => !isAlive(pid)): void {
    for (const name of this.exists ? this.#names() : []) {
      const pid = Number(PART_FILE.exec(name)?.[1]);
      if (pid > 0 && isGone(pid)) rmSync(this.#at(name), { force: true });
    }
  }

  #at(name: string): string {
    return path.join(this.folder, name);
  }

  #names(): string[] {
    try {
      return readdirSync(this.folder);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return []; // its last text was just removed, and the folder with it
      throw unusable(error);
    }
  }

  /** undefined for what is gone meanwhile and for what we did not write. */
  #readHead(handle: string): KeptText | undefined {
    try {
      // Neither a link nor a pipe in its place is followed or waited for.
      const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
      const file = openSync(this.#at(fileOf(handle)), flags);
      try {
        const entry = fstatSync(file);
        if (!entry.isFile()) return undefined;
        const start = Buffer.alloc(MOST_HEAD);
        const read = start.subarray(0, readSync(file, start, 0, MOST_HEAD, 0));
        const end = read.indexOf(10);
        return end < 0 ? undefined : parseHead(read.toString('utf8', 0, end), handle, entry.size - end - 1);
      } finally {
        closeSync(file);
      }
    } catch {
      return undefined;
    }
  }
}

/** @throws SyntaxError when it is no JSON */
function parseHead(line: string, handle: string, bytes: number): KeptText | undefined {
  const { source, kind, by, session, owner, time } = JSON.parse(line) as Partial<KeptText>;
  if (typeof source !== 'string' || typeof kind !== 'string' || typeof time !== 'number') return undefined;
  return { handle, source, kind, by: by ?? 'tool', session, owner, time, bytes };
}

/** @throws ToolError spool_refused when something else is in its place */
function isThere(folder: string): boolean {
  const why = whyNotPrivate(folder);
  if (why === undefined || why === ABSENT) return why === undefined;
  throw new ToolError('spool_refused', `The folder ${path.basename(folder)} in the temp folder ${why}.`);
}

const systemError = (code: string): Error => Object.assign(new Error(code), { code });
const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';
