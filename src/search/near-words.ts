/** Misspelled words of a query, and the nearest that stand in the texts. Pure, but for the words, which come in. */
import { editDistance } from '../base/near.js';
import { splitIdentifier } from '../ranking/tokenizer.js';

const IDENTIFIER = /[\p{L}_$][\p{L}\p{M}\p{N}_$]*/gu;
/** A backslash and what it escapes, in a line as JSON has it. */
const ESCAPE = /\\(?:u[0-9a-f]{4}|.)/g;
const LEAST_LETTERS = 3;

/** Edits that a word of so many letters may be away. */
export function mostEdits(letters: number): number {
  if (letters <= 4) return 1;
  return letters <= 12 ? 2 : 3;
}

/** Collects the words of lines that could be meant by one word, and tells the nearest. */
export class NearWords {
  readonly #wanted: string;
  readonly #edits: number;
  readonly #most: number;
  /** Lower case -> as it was first met, and how often. */
  readonly #counts = new Map<string, { readonly word: string; count: number }>();

  /** @param most different words that are compared */
  constructor(wanted: string, most: number) {
    this.#wanted = wanted.toLowerCase();
    this.#edits = mostEdits(this.#wanted.length);
    this.#most = most;
  }

  /** Whether there is nothing to look for: a short word is near to too many, and another number is another thing. */
  get isHopeless(): boolean {
    return this.#wanted.length < LEAST_LETTERS || /\p{N}/u.test(this.#wanted);
  }

  /** What ripgrep is asked for: any run of letters of such a length. */
  get pattern(): string {
    return `\\w{${Math.max(1, this.#wanted.length - this.#edits)},}`;
  }

  /** @param line as JSON escapes it */
  add(line: string): void {
    for (const [identifier] of line.replace(ESCAPE, ' ').matchAll(IDENTIFIER)) {
      this.#count(identifier);
      const parts = splitIdentifier(identifier);
      if (parts.length > 1) for (const part of parts) this.#count(part);
    }
  }

  #count(word: string): void {
    if (Math.abs(word.length - this.#wanted.length) > this.#edits) return;
    const key = word.toLowerCase();
    const known = this.#counts.get(key);
    if (known !== undefined) known.count++;
    else if (this.#counts.size < this.#most) this.#counts.set(key, { word, count: 1 });
  }

  /** Nearest first, then the most frequent. */
  nearest(most: number): string[] {
    return [...this.#counts]
      .map(([key, { word, count }]) => ({ word, count, distance: editDistance(this.#wanted, key) }))
      .filter(({ distance }) => distance <= this.#edits)
      .sort((a, b) => a.distance - b.distance || b.count - a.count || (a.word < b.word ? -1 : 1))
      .slice(0, most)
      .map(({ word }) => word);
  }
}
