/** Reads jest's default reporter. With many files it repeats all failures at the end; the repetition is passed over. */
import { type FailureLimits, FailureList } from './failures.js';
import { type Counts, type Family, type Line, numbersIn } from './family.js';

const FILE = /^ ?(PASS|FAIL) {1,2}(\S+?\.\w+)(?: \([\d.]+ m?s\))?$/;
const SUMMARY = /^(Test Suites|Tests|Snapshots|Time): {2,}/;

export class JestFamily implements Family {
  readonly name = 'jest';
  readonly failures: FailureList;
  readonly notes: readonly string[] = [];
  isSeen = false;
  #file = '';
  #isRepeating = false;
  #summary: Map<string, number> | undefined;

  constructor(limits: FailureLimits) {
    this.failures = new FailureList(limits);
  }

  get counts(): Counts {
    if (this.#summary === undefined) return { failed: this.failures.total };
    return {
      passed: this.#summary.get('passed') ?? 0,
      // A file that could not be run is no failed test to jest.
      failed: Math.max(this.#summary.get('failed') ?? 0, this.failures.total),
      skipped: (this.#summary.get('skipped') ?? 0) + (this.#summary.get('todo') ?? 0),
    };
  }

  take({ text, body, indent }: Line): boolean {
    const file = FILE.exec(text)?.[2];
    if (file !== undefined) {
      this.isSeen = true;
      this.#file = file.replace(/^\.\//, '');
      this.failures.close();
      return true;
    }
    if (!this.isSeen) return false;
    if (text === 'Summary of all failing tests') this.#isRepeating = true;
    if (SUMMARY.test(text)) {
      this.failures.close();
      if (text.startsWith('Tests:')) this.#summary = numbersIn(text, 'failed|passed|skipped|todo');
      return true;
    }
    if (indent === 2 && body.startsWith('● ')) {
      const name = body.slice(2);
      this.failures.close();
      if (this.#isRepeating || name === 'Console') return true;
      this.failures.open(`${this.#file} › ${name}`);
      // The numbers come last: these were printed by a test.
      this.#summary = undefined;
      return true;
    }
    if (indent < 2 && body !== '' && this.failures.isOpen && !body.startsWith('at ')) this.failures.close();
    this.failures.add(text);
    return this.failures.isOpen;
  }
}
