/** Reads TAP: node:test's, tap's and that of anything else that begins with "TAP version". */
import { type FailureLimits, FailureList } from './failures.js';
import type { Counts, Family, Line } from './family.js';

const POINT = /^(not ok|ok)\b(?: (\d+))?(?: -)?(?: (.*?))?(?: # (skip|todo)\b.*| # time=.*)?$/i;
/** Keys of the block below a point that say what went wrong; `source`, `at` and durations do not, or say it again. */
const TELLING = /^(?:error|message|diff|found|wanted|expected|actual|compare|stack|location|code|name|type|signal)\b/;
const IDLE = /^(?:code: '?ERR_(?:ASSERTION|TEST_FAILURE)|type: 'test'|type: 'suite'|signal: null|signal: ~)/;

export class TapFamily implements Family {
  readonly name = 'TAP';
  readonly failures: FailureList;
  readonly notes: readonly string[] = [];
  isSeen = false;
  #passed = 0;
  #skipped = 0;
  /** What the comments at the end say; what a test prints is a comment as well, but a point follows it. */
  readonly #summary = new Map<string, number>();
  /** Suites and tests with a failing test inside, which are not told apart. */
  #failedParents = 0;
  /** Names of the subtests that enclose the next line, with their indentation. */
  #path: { indent: number; name: string }[] = [];
  /** Indentation of failing points whose parent has not come yet. */
  #pending: number[] = [];
  #passedBelow: number[] = [];
  /** Indentation of the block below a point, while it lasts. */
  #block: { indent: number; isTelling: boolean } | undefined;

  constructor(limits: FailureLimits) {
    this.failures = new FailureList(limits);
  }

  get counts(): Counts {
    const fail = this.#summary.get('fail');
    return {
      passed: this.#summary.get('pass') ?? this.#passed,
      // node:test counts tests that an ended parent took with it apart.
      failed: fail === undefined ? this.failures.total : fail + (this.#summary.get('cancelled') ?? 0),
      skipped: this.#summary.get('skipped') ?? this.#summary.get('skip') ?? this.#skipped,
    };
  }

  get unseen(): number {
    // A test that fails with its subtests is counted, a suite of node:test is not.
    const parents = Math.max(0, this.#failedParents - (this.#summary.get('suites') ?? 0));
    return (this.counts.failed ?? 0) - this.failures.total - parents;
  }

  take(line: Line): boolean {
    const { text, body, indent } = line;
    if (!this.isSeen) {
      this.isSeen = /^TAP version 1[2-4]$/.test(text);
      return this.isSeen;
    }
    if (this.#block !== undefined) return this.#inBlock(line);
    if (body.startsWith('ok') || body.startsWith('not ok')) return this.#point(line);
    if (body === '---') {
      this.#block = { indent, isTelling: false };
      return true;
    }
    if (body.startsWith('# ')) return this.#comment(text, body, indent);
    return /^\d+\.\.\d+/.test(body);
  }

  #comment(text: string, body: string, indent: number): boolean {
    const subtest = /^# Subtest: (.*)$/.exec(body)?.[1];
    if (subtest !== undefined) {
      this.#path = [...this.#path.filter((each) => each.indent < indent), { indent, name: subtest }];
      this.failures.close();
      return true;
    }
    const [, word, number] = /^# (pass|fail|skipped|skip|cancelled|suites)\s+(\d+)$/.exec(text) ?? [];
    if (word !== undefined) this.#summary.set(word, Number(number));
    for (const [, key = '', value] of /^# \{ .* \}$/.test(text) ? text.matchAll(/(pass|fail|skip|todo): (\d+)/g) : [])
      this.#summary.set(key, Number(value));
    return true;
  }

  #point({ body, indent }: Line): boolean {
    const [, verdict, , description = '', directive] = POINT.exec(body) ?? [];
    if (verdict === undefined) return false;
    this.#summary.clear();
    this.failures.close();
    const failedBelow = this.#pending.some((each) => each > indent);
    const passedBelow = this.#passedBelow.some((each) => each > indent);
    this.#pending = this.#pending.filter((each) => each <= indent);
    this.#passedBelow = this.#passedBelow.filter((each) => each <= indent);
    if (directive?.toLowerCase() === 'skip') this.#skipped++;
    else if (verdict === 'ok') {
      if (!failedBelow && !passedBelow) this.#passed++;
      if (!this.#passedBelow.includes(indent)) this.#passedBelow.push(indent);
    } else if (directive === undefined) {
      if (failedBelow) this.#failedParents++;
      else this.failures.open(this.#fullName(indent, description));
      if (!this.#pending.includes(indent)) this.#pending.push(indent);
    }
    return true;
  }

  #fullName(indent: number, description: string): string {
    const names = this.#path.filter((each) => each.indent <= indent).map(({ name }) => name);
    return (names.at(-1) === description || description === '' ? names : [...names, description]).join(' > ');
  }

  #inBlock({ text, body, indent }: Line): boolean {
    const block = this.#block;
    if (block === undefined) return false;
    if (body === '...' && indent <= block.indent) {
      this.#block = undefined;
      this.failures.close();
      return true;
    }
    if (indent === block.indent && body !== '') block.isTelling = TELLING.test(body) && !IDLE.test(body);
    if (block.isTelling) this.failures.add(text);
    return true;
  }
}
