/** Reads cargo test: "---- name stdout ----" blocks, and one result a test program, which are added up. */
import { type FailureLimits, FailureList } from './failures.js';
import type { Counts, Family, Line } from './family.js';

const RESULT = /^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored/;
const HEAD = /^---- (.+) (stdout|stderr) ----$/;

export class CargoTestFamily implements Family {
  readonly name = 'cargo test';
  readonly notes: readonly string[] = [];
  readonly #told: FailureList;
  readonly #marked: FailureList;
  isSeen = false;
  #passed = 0;
  #failed = 0;
  #skipped = 0;

  constructor(limits: FailureLimits) {
    this.#told = new FailureList(limits);
    this.#marked = new FailureList(limits);
  }

  /** Marks come as tests end, blocks after all of them. */
  get failures(): FailureList {
    return this.#told.total >= this.#marked.total ? this.#told : this.#marked;
  }

  get counts(): Counts {
    return { passed: this.#passed, failed: Math.max(this.#failed, this.failures.total), skipped: this.#skipped };
  }

  take({ text }: Line): boolean {
    const [, passed, failed, skipped] = RESULT.exec(text) ?? [];
    if (passed !== undefined) {
      this.#told.close();
      this.isSeen = true;
      this.#passed += Number(passed);
      this.#failed += Number(failed);
      this.#skipped += Number(skipped);
      return true;
    }
    if (/^running \d+ tests?$/.test(text)) {
      this.isSeen = true;
      return true;
    }
    if (!this.isSeen) return false;
    const marked = /^test (.+) \.\.\. (ok|ignored|FAILED)/.exec(text);
    if (marked !== null) {
      if (marked[2] === 'FAILED') this.#marked.open(marked[1] ?? '');
      this.#marked.close();
      return true;
    }
    const name = HEAD.exec(text)?.[1];
    if (name !== undefined) {
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
