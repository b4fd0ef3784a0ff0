/** Reads ava: marks first, then, below a ruled line, what each failure was, in the same order and headed by its title. */
import { type FailureLimits, FailureList } from './failures.js';
import type { Counts, Family, Line } from './family.js';

const FAIL = /^ {2}[✘✖] \[fail\]: (.+)$/;
const SUMMARY = /^ {2}(\d+) (?:tests?|uncaught exceptions?|unhandled rejections?)(?: (failed|passed|skipped|todo))?$/;

export class AvaFamily implements Family {
  readonly name = 'ava';
  readonly notes: readonly string[] = [];
  readonly #told: FailureList;
  readonly #marked: FailureList;
  /** Titles of the first failures, with what ava writes behind them. */
  readonly #titles: string[] = [];
  readonly #titlesKept: number;
  readonly #summary = new Map<string, number>();
  #passed = 0;
  #skipped = 0;
  #uncaught = 0;
  #isTelling = false;

  constructor(limits: FailureLimits) {
    this.#told = new FailureList(limits);
    this.#marked = new FailureList(limits);
    // One more than is shown: where it begins, the last one shown ends.
    this.#titlesKept = limits.failuresKept + 1;
  }

  get isSeen(): boolean {
    return this.#marked.total > 0 || this.#isTelling || this.#uncaught > 0;
  }

  /** A failure is told only after all marks, so an ended run has marks alone. */
  get failures(): FailureList {
    if (this.#told.total < Math.min(this.#marked.total, this.#titlesKept)) return this.#marked;
    this.#told.countAs(this.#marked);
    return this.#told;
  }

  get counts(): Counts {
    return {
      passed: this.#summary.get('passed') ?? this.#passed,
      failed: this.#summary.get('failed') ?? this.#marked.total,
      skipped: this.#summary.get('skipped') ?? this.#skipped,
    };
  }

  take({ text, body, indent }: Line): boolean {
    const marked = FAIL.exec(text)?.[1];
    if (marked !== undefined) {
      this.#marked.open(marked);
      this.#marked.close();
      if (this.#titles.length < this.#titlesKept) this.#titles.push(marked);
      return true;
    }
    if (/^ {2}✔ /.test(text)) this.#passed++;
    if (/^ {2}- \[skip\] /.test(text)) this.#skipped++;
    if (indent === 2 && body === '─') {
      this.#isTelling = true;
      this.#told.close();
      return true;
    }
    if (!this.#isTelling && !this.isSeen) return this.#uncaughtIn(text);
    const [, number, word] = SUMMARY.exec(text) ?? [];
    // A ruled line ends the last failure.
    if (number !== undefined && !this.#told.isOpen) {
      this.#summary.set(word ?? 'uncaught', Number(number));
      return true;
    }
    const title = this.#isTelling && indent === 2 ? this.#titles[this.#told.total - this.#uncaught] : undefined;
    if (title !== undefined && body !== '' && (title === body || title.startsWith(`${body} `))) {
      this.#told.open(body);
      this.#summary.clear();
      return true;
    }
    if (this.#uncaughtIn(text)) return true;
    this.#told.add(text);
    return this.#told.isOpen;
  }

  #uncaughtIn(text: string): boolean {
    if (!/^ {2}(?:[✘✖] )?(?:Uncaught exception|Unhandled rejection) in \S+/.test(text)) return false;
    this.#uncaught++;
    this.#told.open(text.trim());
    return true;
  }
}
