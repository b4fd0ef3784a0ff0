/** Reads Python's unittest, and what is built on it: blocks between ruled lines, each with a traceback. */
import { type FailureLimits, FailureList } from './failures.js';
import type { Counts, Family, Line } from './family.js';
import { isForeignPython } from './stack.js';

const DOUBLE_RULE = /^={70}$/;
const SINGLE_RULE = /^-{70}$/;

export class UnittestFamily implements Family {
  readonly name = 'unittest';
  readonly failures: FailureList;
  readonly notes: readonly string[] = [];
  #afterRule = false;
  #rules = 0;
  #isSkippingFrame = false;
  #ran: number | undefined;
  #result = '';

  constructor(limits: FailureLimits) {
    this.failures = new FailureList(limits);
  }

  get isSeen(): boolean {
    return this.failures.total > 0 || this.#ran !== undefined;
  }

  get counts(): Counts {
    const of = (word: string): number => Number(new RegExp(`${word}=(\\d+)`).exec(this.#result)?.[1] ?? 0);
    if (this.#ran === undefined) return { failed: this.failures.total };
    const failed = of('failures') + of('errors') + of('unexpected successes');
    const skipped = of('skipped') + of('expected failures');
    return { passed: Math.max(0, this.#ran - failed - skipped), failed, skipped };
  }

  take({ text, indent }: Line): boolean {
    if (DOUBLE_RULE.test(text)) {
      this.#afterRule = true;
      this.failures.close();
      return true;
    }
    const name = this.#afterRule ? /^(?:FAIL|ERROR|UNEXPECTED SUCCESS): (.+)$/.exec(text)?.[1] : undefined;
    this.#afterRule = false;
    if (name !== undefined) {
      this.failures.open(name);
      // The numbers come last: these were printed by a test.
      this.#ran = undefined;
      this.#result = '';
      this.#rules = 0;
      this.#isSkippingFrame = false;
      return true;
    }
    const ran = /^Ran (\d+) tests? in [\d.]+s$/.exec(text)?.[1];
    if (ran !== undefined) {
      this.#ran = Number(ran);
      return true;
    }
    if (this.#ran !== undefined && /^(?:FAILED|OK|NO TESTS RAN)(?: \(.*\))?$/.test(text)) {
      this.#result = text;
      return true;
    }
    if (SINGLE_RULE.test(text)) {
      // The first closes the head of a block, the second the block.
      if (++this.#rules > 1) this.failures.close();
      return true;
    }
    if (!this.failures.isOpen) return false;
    this.#keep(text, indent);
    return true;
  }

  #keep(text: string, indent: number): void {
    const file = /^ {2}File "([^"]+)", line \d+/.exec(text)?.[1];
    if (file !== undefined) this.#isSkippingFrame = isForeignPython(file);
    else if (indent < 4) this.#isSkippingFrame = false;
    if (!this.#isSkippingFrame) this.failures.add(text);
  }
}
