/** Every hit of a ranking pass, in flat arrays: where the words of the query stand. Memory is a few bytes a hit, whatever the text. */
import { type Held, type Term, WHOLE } from './terms.js';

const FIRST_CAPACITY = 4_096;
/** Weights are kept as hundredths. */
const WEIGHT_SCALE = 100;
/** Different sets of terms that are told apart in one file. */
const MASKS = 32;

/** One file with hits. */
export interface HitFile {
  readonly path: string;
  /** Range of its records. */
  readonly from: number;
  to: number;
  bytes: number;
  /** Sets of at least two terms met inside one identifier, and how often. */
  masks: Map<number, number> | undefined;
  /** Terms that stand somewhere as a whole identifier, not as a part of one. */
  wholes: number;
}

export class HitTable {
  readonly files: HitFile[] = [];
  readonly termCount: number;
  lines = new Uint32Array(FIRST_CAPACITY);
  terms = new Uint8Array(FIRST_CAPACITY);
  weights = new Uint8Array(FIRST_CAPACITY);
  /** Weighted frequencies, `termCount` numbers a file. */
  frequencies = new Float32Array(FIRST_CAPACITY);
  /** Records that did not fit; their words count in the frequencies all the same. */
  dropped = 0;
  #size = 0;
  readonly #maxRecords: number;

  constructor(terms: readonly Term[], maxRecords: number) {
    this.termCount = terms.length;
    this.#maxRecords = maxRecords;
  }

  get size(): number {
    return this.#size;
  }

  begin(path: string): void {
    this.files.push({ path, from: this.#size, to: this.#size, bytes: 0, masks: undefined, wholes: 0 });
    const needed = this.files.length * this.termCount;
    if (needed > this.frequencies.length) this.frequencies = grown(this.frequencies, Float32Array, needed);
  }

  /** @param factor for the whole line, such as that of a comment */
  add(line: number, held: Held, factor: number): void {
    const file = this.files.at(-1);
    if (file === undefined) return;
    const base = (this.files.length - 1) * this.termCount;
    for (let index = 0; index < held.terms.length; index++) {
      const term = held.terms[index] ?? 0;
      const own = held.weights[index] ?? 0;
      if (own >= WHOLE) file.wholes |= 1 << term;
      const weight = own * factor;
      this.frequencies[base + term] = (this.frequencies[base + term] ?? 0) + weight;
      this.#record(line, term, weight);
    }
    if (held.terms.length > 1) addMask(file, held.mask, factor);
    file.to = this.#size;
  }

  end(bytes: number): void {
    const file = this.files.at(-1);
    if (file !== undefined) file.bytes = bytes;
  }

  /** Forgets the current file, of which nothing counted. */
  drop(): void {
    const file = this.files.pop();
    if (file === undefined) return;
    this.#size = file.from;
    const base = this.files.length * this.termCount;
    this.frequencies.fill(0, base, base + this.termCount);
  }

  weightAt(record: number): number {
    return (this.weights[record] ?? 0) / WEIGHT_SCALE;
  }

  #record(line: number, term: number, weight: number): void {
    if (this.#size >= this.#maxRecords) {
      this.dropped++;
      return;
    }
    if (this.#size >= this.lines.length) {
      this.lines = grown(this.lines, Uint32Array, this.#size + 1);
      this.terms = grown(this.terms, Uint8Array, this.#size + 1);
      this.weights = grown(this.weights, Uint8Array, this.#size + 1);
    }
    this.lines[this.#size] = line;
    this.terms[this.#size] = term;
    this.weights[this.#size] = Math.min(255, Math.round(weight * WEIGHT_SCALE));
    this.#size++;
  }
}

function addMask(file: HitFile, mask: number, factor: number): void {
  file.masks ??= new Map();
  if (file.masks.size < MASKS || file.masks.has(mask)) file.masks.set(mask, (file.masks.get(mask) ?? 0) + factor);
}

function grown<A extends Uint32Array | Uint8Array | Float32Array>(old: A, Kind: new (length: number) => A, needed: number): A {
  const next = new Kind(Math.max(needed, old.length * 2));
  next.set(old);
  return next;
}
