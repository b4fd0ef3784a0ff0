/** The failing tests of one run, as many as a reply can ever show: the first ones whole, then names, then only their number.
 *  Pure. Memory is bounded whatever the run prints. */
import type { Limits } from '../base/limits.js';
import { isForeignFrame, isNoise } from './stack.js';

export interface Failure {
  readonly name: string;
  /** Message, expected and received, own stack; without the indentation that all of them have. */
  readonly lines: readonly string[];
}

export type FailureLimits = Pick<Limits, 'failuresKept' | 'failureLines' | 'failureChars'>;

export class FailureList {
  readonly #limits: FailureLimits;
  readonly #kept: { name: string; lines: string[] }[] = [];
  #chars = 0;
  #total = 0;
  #lastName: string | undefined;
  #current: { name: string; lines: string[] } | undefined;

  constructor(limits: FailureLimits) {
    this.#limits = limits;
  }

  get total(): number {
    return this.#total;
  }

  get lastName(): string | undefined {
    return this.#lastName;
  }

  /** Whether lines are being added to a failure. */
  get isOpen(): boolean {
    return this.#current !== undefined;
  }

  /** Begins a failure; `add` then gives its lines. */
  open(name: string): void {
    this.close();
    this.#total++;
    this.#lastName = name;
    this.#current = { name, lines: [] };
    if (this.#kept.length < this.#limits.failuresKept) this.#kept.push(this.#current);
  }

  add(line: string): void {
    const { failureLines, failureChars } = this.#limits;
    if (this.#current === undefined || this.#current.lines.length >= failureLines || this.#chars >= failureChars) return;
    if (isForeignFrame(line) || isNoise(line)) return;
    if (line.trim() === '' && (this.#current.lines.at(-1) ?? '') === '') return;
    this.#current.lines.push(line.trimEnd());
    this.#chars += line.length;
  }

  close(): void {
    this.#current = undefined;
  }

  /** Takes back the failure that was begun last: it turned out to be none. */
  withdraw(): void {
    if (this.#current === undefined) return;
    if (this.#kept.at(-1) === this.#current) this.#kept.pop();
    this.#total--;
    this.#lastName = this.#kept.at(-1)?.name;
    this.close();
  }

  /** Lines of the failure that is open. */
  get openLines(): number {
    return this.#current?.lines.length ?? 0;
  }

  /** Takes over number and last name of a list that has the same failures, but not their lines. */
  countAs(other: FailureList): void {
    if (other.total <= this.#total) return;
    this.#total = other.total;
    this.#lastName = other.lastName;
  }

  kept(): Failure[] {
    return this.#kept.map(({ name, lines }) => ({ name, lines: trimmed(lines) }));
  }
}

/** Without blank lines at both ends and without the indentation that all lines have. */
export function trimmed(lines: readonly string[]): string[] {
  let from = 0;
  let to = lines.length;
  while (from < to && lines[from]?.trim() === '') from++;
  while (to > from && lines[to - 1]?.trim() === '') to--;
  const inner = lines.slice(from, to);
  const indents = inner.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  const common = Math.min(...(indents.length === 0 ? [0] : indents));
  return inner.map((line) => line.slice(common));
}
