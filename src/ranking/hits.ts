/** Every hit of a ranking pass, in columns of numbers: where the words of the query stand. Memory is a few bytes a hit and a path a
 *  file, whatever the text. */
import { Column } from './column.js';
import { type Held, type Term, WHOLE } from './terms.js';

/** Weights are kept as hundredths. */
const WEIGHT_SCALE = 100;
const MAX_WEIGHT = 255;
/** Different sets of terms that are told apart in one file. */
const SETS = 32;

export class HitTable {
  readonly termCount: number;
  readonly #maxRecords: number;
  readonly #paths: string[] = [];
  /** A file each: its first record, its first set of terms, its bytes, the terms that stand as whole identifiers. */
  readonly #from = new Column(Uint32Array);
  readonly #fromSet = new Column(Uint32Array);
  readonly #bytes = new Column(Float64Array);
  readonly #wholes = new Column(Uint32Array);
  /** Weighted occurrences in hundredths, `termCount` numbers a file. */
  readonly #frequencies = new Column(Uint32Array);
  /** A record each: one term on one line. */
  readonly #lines = new Column(Uint32Array);
  readonly #terms = new Column(Uint8Array);
  readonly #weights = new Column(Uint8Array);
  /** A set each: terms met inside one identifier, and how often. */
  readonly #sets = new Column(Uint32Array);
  readonly #setWeights = new Column(Float32Array);
  #size = 0;
  #setCount = 0;
  #dropped = 0;
  #hasHit = false;

  /** @param maxRecords what does not fit is not placed; its words count all the same */
  constructor(terms: readonly Term[], maxRecords: number) {
    this.termCount = terms.length;
    this.#maxRecords = maxRecords;
  }

  /** Records. */
  get size(): number {
    return this.#size;
  }

  /** Hits without a record. */
  get dropped(): number {
    return this.#dropped;
  }

  get fileCount(): number {
    return this.#paths.length;
  }

  begin(path: string): void {
    const file = this.#paths.length;
    this.#paths.push(path);
    this.#from.set(file, this.#size);
    this.#fromSet.set(file, this.#setCount);
    this.#bytes.set(file, 0);
    this.#wholes.set(file, 0);
    this.#hasHit = false;
  }

  /** One identifier of the current file.
   *  @param factor of the whole line, such as that of a comment */
  add(line: number, held: Held, factor: number): void {
    const file = this.#paths.length - 1;
    if (file < 0) return;
    this.#hasHit = true;
    for (let index = 0; index < held.terms.length; index++) {
      const term = held.terms[index] ?? 0;
      const own = held.weights[index] ?? 0;
      if (own >= WHOLE) this.#wholes.set(file, this.#wholes.get(file) | (1 << term));
      const weight = Math.min(MAX_WEIGHT, Math.round(own * factor * WEIGHT_SCALE));
      const at = file * this.termCount + term;
      this.#frequencies.set(at, this.#frequencies.get(at) + weight);
      this.#record(line, term, weight);
    }
    if (held.terms.length > 1) this.#countSet(file, held.mask, factor);
  }

  end(bytes: number): void {
    if (this.#paths.length > 0) this.#bytes.set(this.#paths.length - 1, bytes);
  }

  /** Forgets the current file, of which nothing counts. */
  drop(): void {
    const file = this.#paths.length - 1;
    if (file < 0) return;
    this.#paths.pop();
    this.#size = this.#from.get(file);
    this.#setCount = this.#fromSet.get(file);
    for (let term = 0; term < this.termCount; term++) this.#frequencies.set(file * this.termCount + term, 0);
  }

  /** Forgets all but the first files: a part of the tree that was cut short counts for nothing. */
  keepFirst(files: number): void {
    if (files >= this.#paths.length) return;
    for (let at = files * this.termCount; at < this.#paths.length * this.termCount; at++) this.#frequencies.set(at, 0);
    this.#size = this.#from.get(files);
    this.#setCount = this.#fromSet.get(files);
    this.#paths.length = files;
  }

  /** Whether the current file holds any term. */
  get hasHit(): boolean {
    return this.#hasHit;
  }

  get paths(): readonly string[] {
    return this.#paths;
  }

  path(file: number): string {
    return this.#paths[file] ?? '';
  }

  bytes(file: number): number {
    return this.#bytes.get(file);
  }

  /** First record of a file; behind its last one starts the next file. */
  from(file: number): number {
    return this.#from.get(file);
  }

  to(file: number): number {
    return file + 1 < this.#paths.length ? this.#from.get(file + 1) : this.#size;
  }

  /** Terms that stand somewhere in the file as a whole identifier, not as a part of one, as flags. */
  wholes(file: number): number {
    return this.#wholes.get(file);
  }

  /** Weighted occurrences of a term. */
  frequency(file: number, term: number): number {
    return this.#frequencies.get(file * this.termCount + term) / WEIGHT_SCALE;
  }

  line(record: number): number {
    return this.#lines.get(record);
  }

  term(record: number): number {
    return this.#terms.get(record);
  }

  weight(record: number): number {
    return this.#weights.get(record) / WEIGHT_SCALE;
  }

  /** Sets of at least two terms met inside one identifier of the file.
   *  @param visit gets the terms as flags, and how often */
  eachSet(file: number, visit: (mask: number, times: number) => void): void {
    const to = file + 1 < this.#paths.length ? this.#fromSet.get(file + 1) : this.#setCount;
    for (let set = this.#fromSet.get(file); set < to; set++) visit(this.#sets.get(set), this.#setWeights.get(set));
  }

  #record(line: number, term: number, weight: number): void {
    if (this.#size >= this.#maxRecords) {
      this.#dropped++;
      return;
    }
    this.#lines.set(this.#size, line);
    this.#terms.set(this.#size, term);
    this.#weights.set(this.#size, weight);
    this.#size++;
  }

  #countSet(file: number, mask: number, times: number): void {
    const from = this.#fromSet.get(file);
    for (let set = from; set < this.#setCount; set++) {
      if (this.#sets.get(set) !== mask >>> 0) continue;
      this.#setWeights.set(set, this.#setWeights.get(set) + times);
      return;
    }
    if (this.#setCount - from >= SETS) return;
    this.#sets.set(this.#setCount, mask);
    this.#setWeights.set(this.#setCount, times);
    this.#setCount++;
  }
}
