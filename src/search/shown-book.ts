/** What this server has shown of which state of a file: hashes of lines by stamp, so that a later read can tell where they went.
 *  Pure, bounded: the states that were asked for least recently go first. */

/** Line number -> `hashLine` of its text. */
export type ShownLines = ReadonlyMap<number, number>;

const LINE_BYTES = 40;
const ENTRY_BYTES = 200;

export class ShownBook {
  readonly #maxBytes: number;
  readonly #entries = new Map<string, Map<number, number>>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Adds lines to what is known of a state.
   *  @param lines whole lines, without their line ends */
  add(root: string, path: string, stamp: string, lines: Iterable<readonly [line: number, text: string]>): void {
    const key = keyOf(root, path, stamp);
    const known = this.#take(key) ?? new Map<number, number>();
    for (const [line, text] of lines) known.set(line, hashLine(text));
    this.#put(key, known);
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#take(oldest);
    }
  }

  /** undefined: another server showed it, or it was too long ago. */
  find(root: string, path: string, stamp: string): ShownLines | undefined {
    const key = keyOf(root, path, stamp);
    const known = this.#take(key);
    if (known !== undefined) this.#put(key, known);
    return known;
  }

  #take(key: string): Map<number, number> | undefined {
    const known = this.#entries.get(key);
    if (known !== undefined) {
      this.#entries.delete(key);
      this.#bytes -= sizeOf(key, known);
    }
    return known;
  }

  #put(key: string, lines: Map<number, number>): void {
    this.#entries.set(key, lines);
    this.#bytes += sizeOf(key, lines);
  }
}

const keyOf = (root: string, path: string, stamp: string): string => `${root}\0${path}\0${stamp}`;
const sizeOf = (key: string, lines: Map<number, number>): number => ENTRY_BYTES + key.length * 2 + lines.size * LINE_BYTES;

/** FNV-1a over the units of a line, its carriage return apart; the lowest bit says whether the line tells anything: a lone brace is
 *  equal to every other. */
export function hashLine(text: string): number {
  const line = text.endsWith('\r') ? text.slice(0, -1) : text;
  let hash = 0x811c9dc5;
  for (let at = 0; at < line.length; at++) hash = Math.imul(hash ^ line.charCodeAt(at), 0x01000193);
  const isTelling = /[\p{L}\p{N}]{2}/u.test(line.slice(0, 1_000));
  return (hash >>> 0) * 2 + (isTelling ? 1 : 0);
}

export const isTelling = (hash: number): boolean => hash % 2 === 1;
