/** Reads the spec reporter of node:test. It tells failures where they happen and, in some versions only, again at the end. */
import { type FailureLimits, FailureList } from './failures.js';
import type { Counts, Family, Line } from './family.js';

const MARK = /^([✖✔﹣▶⚠]) (.+?)(?: \(\d+(?:\.\d+)?ms\))?(?: # (?:SKIP|TODO)\b.*)?$/u;
/** Milliseconds with a fraction tell this reporter from others that draw the same marks. */
const TIMED = /\(\d+\.\d+ms\)(?: # .*)?$/;

export class NodeSpecFamily implements Family {
  readonly name = 'node:test';
  readonly notes: readonly string[] = [];
  isSeen = false;
  readonly #inline: FailureList;
  readonly #atEnd: FailureList;
  readonly #names: string[] = [];
  readonly #namesKept: number;
  #suites: { indent: number; name: string }[] = [];
  #isAtEnd = false;
  /** Lines with more indentation belong to the failure that was begun with it. */
  #blockIndent = -1;
  #place: string | undefined;
  #passed = 0;
  #skipped = 0;
  /** Suites and tests with a failing test inside, which are not told apart. */
  #failedParents = 0;
  readonly #summary = new Map<string, number>();

  constructor(limits: FailureLimits) {
    this.#inline = new FailureList(limits);
    this.#atEnd = new FailureList(limits);
    this.#namesKept = limits.failuresKept;
  }

  get failures(): FailureList {
    return this.#atEnd.total > 0 && this.#atEnd.total >= this.#inline.total ? this.#atEnd : this.#inline;
  }

  get counts(): Counts {
    const failed = (this.#summary.get('fail') ?? 0) + (this.#summary.get('cancelled') ?? 0);
    return {
      passed: this.#summary.get('pass') ?? this.#passed,
      failed: this.#summary.has('fail') ? failed : this.failures.total,
      skipped: this.#summary.get('skipped') ?? this.#skipped,
    };
  }

  get unseen(): number {
    // It counts a test that fails with its subtests, but no suite.
    const parents = Math.max(0, this.#failedParents - (this.#summary.get('suites') ?? 0));
    return (this.counts.failed ?? 0) - this.failures.total - parents;
  }

  take(line: Line): boolean {
    const { text, body, indent } = line;
    const [, key, value] = /^ℹ (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) ([\d.]+)$/.exec(text) ?? [];
    if (key !== undefined) {
      this.isSeen = true;
      this.#summary.set(key, Number(value));
      this.#endBlock();
      return true;
    }
    // The list comes behind the numbers; before them a test printed that line.
    if (this.#summary.has('fail') && text === '✖ failing tests:') {
      this.#isAtEnd = true;
      this.#endBlock();
      return true;
    }
    const place = this.#isAtEnd ? /^test at (\S.*:\d+:\d+)$/.exec(text)?.[1] : undefined;
    if (place !== undefined) {
      this.#place = place;
      this.#endBlock();
      return true;
    }
    if (MARK.test(body) && (this.#isAtEnd ? indent === 0 : TIMED.test(body) || body.startsWith('▶'))) return this.#mark(line);
    if (this.#blockIndent < 0 || (indent <= this.#blockIndent && body !== '')) {
      this.#endBlock();
      return false;
    }
    (this.#isAtEnd ? this.#atEnd : this.#inline).add(text);
    return true;
  }

  #mark({ body, indent }: Line): boolean {
    const [, mark, name = ''] = MARK.exec(body) ?? [];
    if (mark !== '▶') this.isSeen = true;
    // Tests come before the numbers: these were printed by one.
    if (!this.#isAtEnd) this.#summary.clear();
    this.#endBlock();
    const enclosing = this.#suites.filter((suite) => suite.indent < indent);
    const isSuiteEnd = mark !== '▶' && this.#suites.some((suite) => suite.indent === indent && suite.name === name);
    this.#suites = mark === '▶' ? [...enclosing, { indent, name }] : enclosing;
    if (mark === '✔' && !isSuiteEnd) this.#passed++;
    if (mark === '﹣') this.#skipped++;
    if (mark === '✖' && isSuiteEnd && !this.#isAtEnd) this.#failedParents++;
    if (mark !== '✖' || (isSuiteEnd && !this.#isAtEnd)) return true;
    this.#blockIndent = indent;
    if (this.#isAtEnd) this.#openAtEnd(name);
    else {
      const full = [...enclosing.map((suite) => suite.name), name].join(' > ');
      this.#inline.open(full);
      if (this.#names.length < this.#namesKept) this.#names.push(full);
    }
    return true;
  }

  /** The list at the end has no suites in its names; it keeps the order in which the tests failed. */
  #openAtEnd(name: string): void {
    const full = this.#names[this.#atEnd.total];
    this.#atEnd.open(full?.endsWith(name) === true ? full : name);
    if (this.#place !== undefined) this.#atEnd.add(`  at ${this.#place}`);
    this.#place = undefined;
  }

  #endBlock(): void {
    this.#blockIndent = -1;
    this.#inline.close();
    this.#atEnd.close();
  }
}
