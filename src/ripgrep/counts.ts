/** Bytes of `rg --count --null` -> path and count of each file with matches. Pure. It keeps at most one unfinished record, and of that
 *  no more than a path can be long. */
import { decodePath } from '../base/path-bytes.js';

const NUL = 0;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const [DOT, SLASH, ZERO, NINE] = [0x2e, 0x2f, 0x30, 0x39];
/** No path of a file system is longer. */
const MOST_RECORD = 65_536;

export class CountDecoder {
  readonly #take: (path: string, count: number) => void;
  #rest: Buffer = Buffer.alloc(0);

  constructor(take: (path: string, count: number) => void) {
    this.#take = take;
  }

  /** @returns false for bytes that are no counts: another program was named as ripgrep */
  push(chunk: Buffer): boolean {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    let from = 0;
    for (;;) {
      // A path may hold a line feed, so the NUL comes first.
      const nul = bytes.indexOf(NUL, from);
      const end = nul < 0 ? -1 : bytes.indexOf(LINE_FEED, nul + 1);
      if (end < 0) break;
      // Where lines may end in CR LF, so do those of ripgrep.
      const count = numberOf(bytes, nul + 1, bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end);
      if (count === undefined) return false;
      const start = bytes[from] === DOT && bytes[from + 1] === SLASH ? from + 2 : from;
      this.#take(decodePath(bytes.subarray(start, nul)), count);
      from = end + 1;
    }
    // A slice would keep its whole chunk alive.
    this.#rest = Buffer.from(bytes.subarray(from));
    return this.#rest.length < MOST_RECORD;
  }
}

function numberOf(bytes: Buffer, from: number, to: number): number | undefined {
  let number = 0;
  for (let at = from; at < to; at++) {
    const digit = bytes[at] ?? 0;
    if (digit < ZERO || digit > NINE) return undefined;
    number = number * 10 + (digit - ZERO);
  }
  return to > from ? number : undefined;
}
