/** Kept texts as lines and pieces, read through checked handles; a few are held, since the queries of one call meet the same ones. */
import type { Chunk, Kind } from '../chunks/chunk.js';
import { KINDS } from '../chunks/chunk.js';
import { chunk } from '../chunks/chunker.js';
import type { Root } from '../security/root.js';
import { type ReadCall, readLines } from '../security/snippet.js';
import { fileOf, HEAD_LINES, type KeptText } from '../security/spool.js';

export interface KeptContent {
  readonly text: KeptText;
  readonly lines: readonly string[];
  readonly chunks: readonly Chunk[];
}

/** Units of text that are held; beyond that texts are read again. */
const MOST_HELD = 16_777_216;
/** Room for the line about a text in its file. */
const HEAD_BYTES = 8_192;

export class KeptReader {
  readonly #root: Root;
  readonly #call: ReadCall;
  readonly #held = new Map<string, KeptContent>();
  #units = 0;

  /** @param root the folder of the kept texts */
  constructor(root: Root, call: ReadCall) {
    this.#root = root;
    this.#call = call;
  }

  /** undefined when the text is gone or cannot be read in time. */
  async read(text: KeptText): Promise<KeptContent | undefined> {
    const held = this.#held.get(text.handle);
    if (held !== undefined) return held;
    const all = await readLines(this.#root, fileOf(text.handle), text.bytes + HEAD_BYTES, this.#call);
    if (all === undefined) return undefined;
    const lines = all.slice(HEAD_LINES);
    const content = { text, lines, chunks: chunk(kindOf(text), lines) };
    if (this.#units + text.bytes <= MOST_HELD) {
      this.#units += text.bytes;
      this.#held.set(text.handle, content);
    }
    return content;
  }
}

const kindOf = (text: KeptText): Kind => KINDS.find((kind) => kind === text.kind) ?? 'text';
