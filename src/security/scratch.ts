/** A private folder for the rule files that ripgrep reads: made with the first file, 0700, one per process, removed at exit.
 *  What a killed process left behind is removed by the next one that starts or makes a folder. */
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ToolError } from '../base/errors.js';
import { isAlive } from './alive.js';
import { userFolder, whyNotPrivate } from './private-folder.js';

const OWNER_FOLDER = /^rules-(\d+)-/;

export class Scratch {
  readonly #base: string;
  #folder: string | undefined;
  #empty: string | undefined;
  #serial = 0;

  /** @param base where the private folders of all processes of this user live; tests pass their own */
  constructor(base: string = userFolder()) {
    this.#base = base;
  }

  /** Writes a rule file and returns its absolute path. Remove it with `remove` when the search is over. */
  write(text: string): string {
    return this.#inFolder((folder) => {
      const file = path.join(folder, String(++this.#serial));
      writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
      return file;
    });
  }

  remove(file: string): void {
    rmSync(file, { force: true });
  }

  /** An empty folder, for letting ripgrep check globs without searching anything. */
  emptyFolder(): string {
    this.#empty ??= this.#inFolder((folder) => {
      const empty = path.join(folder, 'empty');
      mkdirSync(empty, { mode: 0o700 });
      return empty;
    });
    return this.#empty;
  }

  /** Whether a path named by ripgrep on stderr is one of our own files. */
  owns(file: string): boolean {
    return this.#folder !== undefined && file.startsWith(this.#folder + path.sep);
  }

  /** Removes the folder; synchronous, so that it may be called while the process exits. */
  close(): void {
    if (this.#folder === undefined) return;
    rmSync(this.#folder, { recursive: true, force: true });
    try {
      rmdirSync(this.#base);
    } catch {
      // other processes of this user still have theirs in it
    }
    this.#folder = undefined;
    this.#empty = undefined;
  }

  /** Does something in the folder; once more in a new one where a cleaner has removed it meanwhile.
   *  @throws ToolError temp_unusable */
  #inFolder(act: (folder: string) => string): string {
    try {
      try {
        return act(this.#own());
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        this.#folder = undefined;
        this.#empty = undefined;
        return act(this.#own());
      }
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
      throw new ToolError('temp_unusable', `The folder for temporary files cannot be written (${code}).`, { cause: error });
    }
  }

  #own(): string {
    this.#folder ??= this.#make() ?? this.#make() ?? mkdtempSync(path.join(tmpdir(), `ripscope-rules-${process.pid}-`));
    return this.#folder;
  }

  /** undefined where the base cannot be used: somebody else's folder or link in its place, or another process that removed it
   *  as empty just now. */
  #make(): string | undefined {
    try {
      mkdirSync(this.#base, { recursive: true, mode: 0o700 });
      const entry = lstatSync(this.#base);
      if (!entry.isDirectory() || (process.getuid !== undefined && entry.uid !== process.getuid())) return undefined;
      this.#sweep();
      return mkdtempSync(path.join(this.#base, `rules-${process.pid}-`));
    } catch {
      return undefined;
    }
  }

  /** Removes what killed processes left behind. Never throws: tidying up must not fail a start. */
  tidy(): void {
    try {
      if (whyNotPrivate(this.#base) === undefined) this.#sweep();
    } catch {
      // another process was faster, or the folder cannot be listed: whoever needs it will be told
    }
  }

  #sweep(): void {
    for (const name of readdirSync(this.#base)) {
      const pid = Number(OWNER_FOLDER.exec(name)?.[1]);
      if (pid > 0 && !isAlive(pid)) rmSync(path.join(this.#base, name), { recursive: true, force: true });
    }
  }
}
