/** Logs of test runs: written while a run goes on, read back by handle. This is the only file that knows where they lie, so that
 *  another store can take its place: the rest of the program has `OutputLogs` and `LogWriter` alone.
 *  Promise: a log never holds more than its quota, and only whole lines of the beginning. */
import { randomBytes } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { Limits } from '../base/limits.js';
import type { Scratch } from './scratch.js';

export interface LogWriter {
  /** Names the log for whoever searches it. */
  readonly handle: string;
  /** Bytes and lines that came, also those that the quota kept out. */
  readonly bytes: number;
  readonly lines: number;
  /** Whether the quota kept something out. */
  readonly isCut: boolean;
  /** Takes one line without its newline. Resolves when more may come. */
  write(line: Buffer): Promise<void> | undefined;
  close(): Promise<void>;
}

export interface OutputLogs {
  /** @throws ToolError temp_unusable */
  open(): Promise<LogWriter>;
  /** The lines of a log, bounded in memory; undefined for an unknown handle. */
  read(handle: string): Promise<AsyncIterable<string> | undefined>;
  remove(handle: string): Promise<void>;
}

const NEWLINE = Buffer.from('\n');
const WRITE_BYTES = 262_144;

/** Logs in the private folder of this process; they go with it. */
export class ScratchLogs implements OutputLogs {
  readonly #scratch: Scratch;
  readonly #limits: Pick<Limits, 'testLogBytes'>;
  readonly #files = new Map<string, string>();

  constructor(scratch: Scratch, limits: Pick<Limits, 'testLogBytes'>) {
    this.#scratch = scratch;
    this.#limits = limits;
  }

  async open(): Promise<LogWriter> {
    const handle = randomBytes(16).toString('hex');
    const file = this.#scratch.create(`log-${handle}`);
    this.#files.set(handle, file);
    return new FileLog(handle, await open(file, 'a'), this.#limits.testLogBytes);
  }

  async read(handle: string): Promise<AsyncIterable<string> | undefined> {
    const file = this.#files.get(handle);
    if (file === undefined) return undefined;
    return (await open(file)).readLines();
  }

  async remove(handle: string): Promise<void> {
    const file = this.#files.get(handle);
    this.#files.delete(handle);
    if (file !== undefined) this.#scratch.remove(file);
  }
}

class FileLog implements LogWriter {
  readonly handle: string;
  readonly #file: FileHandle;
  readonly #quota: number;
  #bytes = 0;
  #lines = 0;
  #isCut = false;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #writing: Promise<void> = Promise.resolve();
  /** A full disk costs the log, not the run. */
  #isBroken = false;

  constructor(handle: string, file: FileHandle, quota: number) {
    this.handle = handle;
    this.#file = file;
    this.#quota = quota;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get lines(): number {
    return this.#lines;
  }

  get isCut(): boolean {
    return this.#isCut || this.#isBroken;
  }

  write(line: Buffer): Promise<void> | undefined {
    this.#bytes += line.length + 1;
    this.#lines++;
    if (this.#bytes > this.#quota) this.#isCut = true;
    if (this.#isCut) return undefined;
    this.#waiting.push(line, NEWLINE);
    this.#waitingBytes += line.length + 1;
    return this.#waitingBytes < WRITE_BYTES ? undefined : this.#flush();
  }

  async close(): Promise<void> {
    await this.#flush();
    await this.#file.close();
  }

  #flush(): Promise<void> {
    const all = Buffer.concat(this.#waiting.splice(0));
    this.#waitingBytes = 0;
    this.#writing = this.#writing.then(async () => {
      try {
        if (!this.#isBroken) await this.#file.appendFile(all);
      } catch {
        this.#isBroken = true;
      }
    });
    return this.#writing;
  }
}
