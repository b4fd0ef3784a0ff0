/** Bytes that wait: those of a message that has not arrived completely, or of replies that nobody fetches. They are copied into
 *  fixed blocks, so that neither a joined buffer is copied again for every chunk (quadratic), nor a thousand one-byte chunks
 *  keep a thousand objects and their parents alive.
 *  Promise: memory stays within one block of `length`. Refuses to know what the bytes mean. */

/** Granularity of the storage, not a limit: what one read from a pipe brings at most. */
const BLOCK_BYTES = 65_536;

export class ByteQueue {
  readonly #blocks: Buffer[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The newest byte, or undefined when there is none. */
  get last(): number | undefined {
    return this.#length === 0 ? undefined : this.#blocks.at(-1)?.[(this.#length - 1) % BLOCK_BYTES];
  }

  add(bytes: Buffer): void {
    let from = 0;
    while (from < bytes.length) {
      const used = this.#length % BLOCK_BYTES;
      if (used === 0 && this.#blocks.length * BLOCK_BYTES === this.#length) this.#blocks.push(Buffer.allocUnsafe(BLOCK_BYTES));
      const copied = bytes.copy(this.#blocks.at(-1)!, used, from);
      this.#length += copied;
      from += copied;
    }
  }

  /** Hands out all bytes as one copy and empties the queue. */
  take(): Buffer {
    const all = Buffer.concat(this.#blocks, this.#length);
    this.clear();
    return all;
  }

  /** Forgets all bytes; one block is kept for the next message. */
  clear(): void {
    this.#blocks.length = Math.min(this.#blocks.length, 1);
    this.#length = 0;
  }
}
