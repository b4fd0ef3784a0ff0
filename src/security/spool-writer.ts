/** A text on its way into the spool: written under a temporary name, limited in size, findable when it is whole. */
import { closeSync, writeSync } from 'node:fs';
import { LIMITS } from '../base/limits.js';
import { unusable } from './private-folder.js';

/** What the spool does with the file when the writer is done with it. */
interface End<T> {
  /** By which the text will be found. */
  readonly handle: string;
  finish(bytes: number): T;
  discard(): void;
}

export class SpoolWriter<T> {
  /** By which the text will be found. */
  readonly handle: string;
  readonly #file: number;
  readonly #end: End<T>;
  #bytes = 0;
  #isOpen = true;

  constructor(file: number, head: string, end: End<T>) {
    this.#file = file;
    this.#end = end;
    this.handle = end.handle;
    this.#attempt(() => writeAll(file, Buffer.from(`${head}\n`)));
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** @returns false when the text has no room for all of it; what fits is kept
   *  @throws ToolError temp_unusable; nothing of the text is left then */
  write(chunk: Buffer): boolean {
    const room = LIMITS.maxKeepBytes.def - this.#bytes;
    const part = chunk.subarray(0, room);
    this.#attempt(() => writeAll(this.#file, part));
    this.#bytes += part.length;
    return part.length === chunk.length;
  }

  /** Makes the text findable.
   *  @throws ToolError temp_unusable */
  finish(): T {
    return this.#attempt(() => {
      this.#close();
      return this.#end.finish(this.#bytes);
    });
  }

  /** Gives the text up. */
  discard(): void {
    this.#close();
    this.#end.discard();
  }

  #close(): void {
    if (this.#isOpen) closeSync(this.#file);
    this.#isOpen = false;
  }

  #attempt<R>(act: () => R): R {
    try {
      return act();
    } catch (error) {
      this.discard();
      throw unusable(error);
    }
  }
}

function writeAll(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}
