/** The log of a test run on its way into the spool, in the form that all kept texts have. Promise: whole lines of the beginning, never
 *  more than a kept text may hold; a disk that is full costs the log, not the run, and the reply says so. */
import { ToolError } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import { cleanText, fold } from '../chunks/canonical.js';
import { type KeptText, newHandle } from '../security/spool.js';
import type { SpoolWriter } from '../security/spool-writer.js';

const WRITE_BYTES = 262_144;

export class RunLog {
  /** By which the log is found once it is closed, and the run in any case. */
  readonly handle: string;
  readonly #writer: SpoolWriter<KeptText> | undefined;
  #bytes = 0;
  #lines = 0;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #isCut = false;
  #trouble: string | undefined;
  #kept: KeptText | undefined;

  /** @param begin starts the text; the log is kept nowhere when there is no place for it
   *  @throws ToolError spool_refused: a place that somebody else prepared is no reason to go on */
  constructor(begin: () => SpoolWriter<KeptText>) {
    try {
      this.#writer = begin();
    } catch (error) {
      if (!(error instanceof ToolError) || error.code !== 'temp_unusable') throw error;
      this.#trouble = error.message;
    }
    this.handle = this.#writer?.handle ?? newHandle();
  }

  /** Bytes and lines that came, also those that there was no room for. */
  get bytes(): number {
    return this.#bytes;
  }

  get lines(): number {
    return this.#lines;
  }

  /** Whether there was no room for the end. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** What was kept; undefined before the end, and when it could not be kept. */
  get kept(): KeptText | undefined {
    return this.#kept;
  }

  /** Why nothing is kept. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Takes one line without its newline. */
  write(line: Buffer): void {
    this.#bytes += line.length + 1;
    this.#lines++;
    if (this.#isCut || this.#trouble !== undefined || this.#writer === undefined) return;
    const text = Buffer.from(`${fold(cleanText(`${line.toString('utf8')}\n`).slice(0, -1)).join('\n')}\n`);
    this.#isCut = this.#writer.bytes + this.#waitingBytes + text.length > LIMITS.maxKeepBytes.def;
    if (this.#isCut) return;
    this.#waiting.push(text);
    this.#waitingBytes += text.length;
    if (this.#waitingBytes >= WRITE_BYTES) this.#attempt(() => this.#flush());
  }

  /** Makes the log findable. */
  close(): void {
    if (this.#trouble !== undefined) return;
    this.#attempt(() => {
      this.#flush();
      this.#kept = this.#writer?.finish();
    });
  }

  #flush(): void {
    this.#writer?.write(Buffer.concat(this.#waiting.splice(0)));
    this.#waitingBytes = 0;
  }

  #attempt(act: () => void): void {
    try {
      act();
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      this.#trouble = error.message;
    }
  }
}
