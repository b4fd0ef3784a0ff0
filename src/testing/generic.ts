/** Reads output of no known kind: the lines with a telling word or a test file's path, with their neighbours; and the last lines,
 *  whatever they are. */
import type { Limits } from '../base/limits.js';

const TELLING =
  /\b(?:err(?:or)?s?|fail(?:ed|ures?|s|ing)?|assert\w*|expect(?:ed|s)?|received|traceback|exception|panick?(?:ed)?|fatal|not found|missing)\b|\w(?:Error|Exception|Failure)\b/i;
/** "0 errors" and the like are good news. */
const GOOD_NEWS = /\b(?:0|no) (?:errors?|failed|failures?|failing)\b/i;
const TEST_PATH =
  /(?:[._-](?:test|spec)s?\.[cm]?[jt]sx?|_test\.(?:go|py|rb|exs)|\btest_\w+\.py|(?:Test|Tests|Spec)\.(?:java|kt|cs|swift|scala|php))\b/;

export type GenericLimits = Pick<Limits, 'genericLines' | 'genericContext' | 'tailLines'>;

export class GenericReader {
  readonly #limits: GenericLimits;
  readonly #telling: string[] = [];
  #before: string[] = [];
  #after = 0;
  #tail: string[] = [];

  constructor(limits: GenericLimits) {
    this.#limits = limits;
  }

  /** @param isClaimed whether a reader of some kind knows the line; then it only counts as one of the last */
  take(text: string, isClaimed: boolean): void {
    const { genericLines, genericContext, tailLines } = this.#limits;
    this.#tail.push(text);
    if (this.#tail.length > 2 * tailLines) this.#tail = this.#tail.slice(-tailLines);
    if (isClaimed || this.#telling.length >= genericLines) return;
    if (isTelling(text)) {
      this.#telling.push(...this.#before.splice(0), text);
      this.#after = genericContext;
    } else if (this.#after > 0) {
      this.#after--;
      this.#telling.push(text);
    } else {
      this.#before.push(text);
      if (this.#before.length > genericContext) this.#before.shift();
    }
  }

  /** The first telling lines, with their neighbours. */
  get telling(): readonly string[] {
    return this.#telling.slice(0, this.#limits.genericLines);
  }

  get tail(): readonly string[] {
    return this.#tail.slice(-this.#limits.tailLines);
  }
}

export const isTelling = (text: string): boolean => (TELLING.test(text) && !GOOD_NEWS.test(text)) || TEST_PATH.test(text);
