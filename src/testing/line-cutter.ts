/** Cuts the bytes of one stream into lines. Pure. Promise: any split of the input gives the same lines, and no more than one
 *  line's bytes are held: a longer line comes in pieces of that size. */

const NEWLINE = 10;

export class LineCutter {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #held = 0;
  #goesOn = false;

  /** @param maxBytes longest line that is given whole */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether what was given last is a piece of a line that goes on. */
  get goesOn(): boolean {
    return this.#goesOn;
  }

  /** The lines that this chunk completes, without their newlines. */
  *push(chunk: Buffer): Generator<Buffer, void, undefined> {
    let from = 0;
    while (from < chunk.length) {
      if (this.#held >= this.#maxBytes && chunk[from] !== NEWLINE) yield this.#take(true);
      const newline = chunk.indexOf(NEWLINE, from);
      const end = newline < 0 ? chunk.length : newline;
      const stop = Math.min(end, from + this.#maxBytes - this.#held);
      this.#parts.push(chunk.subarray(from, stop));
      this.#held += stop - from;
      from = stop;
      if (stop !== newline) continue;
      from++;
      yield this.#take(false);
    }
  }

  /** The last line, when the stream ended without a newline. */
  end(): Buffer | undefined {
    return this.#held === 0 ? undefined : this.#take(false);
  }

  #take(goesOn: boolean): Buffer {
    this.#goesOn = goesOn;
    const [only, ...others] = this.#parts;
    const line = others.length === 0 ? (only ?? Buffer.alloc(0)) : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#held = 0;
    return line;
  }
}
