/** Reads cargo test: "---- name stdout ----" blocks, and one result a test program, which are added up. */
import { type FailureLimits, FailureList } from './failures.js';
import type { Counts, Family, Line } from './family.js';

const RESULT = /^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored/;
const HEAD = /^---- (.+) (stdout|stderr) ----$/;

interface Numbers {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const NOTHING: Numbers = { passed: 0, failed: 0, skipped: 0 };
const added = (a: Numbers, b: Numbers): Numbers => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
});

export class CargoTestFamily implements Family {
  readonly name = 'cargo test';
  readonly notes: readonly string[] = [];
  readonly #told: FailureList;
  readonly #marked: FailureList;
  isSeen = false;
  /** Of the test programs that are over. */
  #sum = NOTHING;
  /** Of the one that runs: the last result, unless more of the program follows, which shows that a test printed it. */
  #last = NOTHING;

  constructor(limits: FailureLimits) {
    this.#told = new FailureList(limits);
    this.#marked = new FailureList(limits);
  }

  /** Marks come as tests end, blocks after all of them. */
  get failures(): FailureList {
    return this.#told.total >= this.#marked.total ? this.#told : this.#marked;
  }

  get counts(): Counts {
    const { passed, failed, skipped } = added(this.#sum, this.#last);
    return { passed, failed: Math.max(failed, this.failures.total), skipped };
  }

  take({ text }: Line): boolean {
    const [, passed, failed, skipped] = RESULT.exec(text) ?? [];
    // A list of the failed tests stands between the last block and the result.
    if (passed !== undefined && !this.#told.isOpen) {
      this.isSeen = true;
      this.#last = { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) };
      return true;
    }
    if (/^running \d+ tests?$/.test(text) && !this.#told.isOpen) {
      this.isSeen = true;
      this.#sum = added(this.#sum, this.#last);
      this.#last = NOTHING;
      return true;
    }
    if (!this.isSeen) return false;
    const marked = this.#told.isOpen ? null : /^test (.+) \.\.\. (ok|ignored|FAILED)/.exec(text);
    if (marked !== null) {
      this.#last = NOTHING;
      if (marked[2] === 'FAILED') this.#marked.open(marked[1] ?? '');
      this.#marked.close();
      return true;
    }
    const name = HEAD.exec(text)?.[1];
    if (name !== undefined) {
      this.#last = NOTHING;
      this.#told.open(name);
      return true;
    }
    if (text === 'failures:') {
      this.#told.close();
      return true;
    }
    this.#told.add(text);
    return this.#told.isOpen;
  }
}
