/** A long row of numbers that grows in blocks: nothing is copied when it does, and no more than one block stands empty. */

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

const BLOCK_BITS = 13;
const BLOCK = 1 << BLOCK_BITS;

export class Column {
  readonly #Kind: new (
    length: number,
  ) => Numbers;
  readonly #blocks: Numbers[] = [];

  constructor(Kind: new (length: number) => Numbers) {
    this.#Kind = Kind;
  }

  /** 0 where nothing was set. */
  get(index: number): number {
    return this.#blocks[index >>> BLOCK_BITS]?.[index & (BLOCK - 1)] ?? 0;
  }

  set(index: number, value: number): void {
    const at = index >>> BLOCK_BITS;
    while (this.#blocks.length <= at) this.#blocks.push(new this.#Kind(BLOCK));
    const block = this.#blocks[at];
    if (block !== undefined) block[index & (BLOCK - 1)] = value;
  }
}
