/** Reads mocha's spec reporter: numbered failures behind "N passing". A run that was ended before that has only numbered titles. */
import { type FailureLimits, FailureList } from './failures.js';
import type { Counts, Family, Line } from './family.js';

const SUMMARY = /^ {2}(\d+) (passing|pending|failing)(?: \(.+\))?$/;

export class MochaFamily implements Family {
  readonly name = 'mocha';
  readonly notes: readonly string[] = [];
  readonly #told: FailureList;
  readonly #titles: FailureList;
  readonly #summary = new Map<string, number>();
  /** Whether the line before was one of the summary, whose lines stand together. */
  #isCounting = false;
  /** Parts of a title that has not come to its colon yet. */
  #title: string[] | undefined;
  #passed = 0;

  constructor(limits: FailureLimits) {
    this.#told = new FailureList(limits);
    this.#titles = new FailureList(limits);
  }

  get isSeen(): boolean {
    return this.#summary.has('passing') || (this.#titles.total > 0 && this.#passed > 0);
  }

  get failures(): FailureList {
    return this.#summary.has('passing') ? this.#told : this.#titles;
  }

  get counts(): Counts {
    if (!this.#summary.has('passing')) return { passed: this.#passed, failed: this.#titles.total };
    return {
      passed: this.#summary.get('passing'),
      failed: this.#summary.get('failing') ?? 0,
      skipped: this.#summary.get('pending') ?? 0,
    };
  }

  take(line: Line): boolean {
    const { text, body, indent } = line;
    const [, number, word] = SUMMARY.exec(text) ?? [];
    // Once it tells failures, such a line is part of a message.
    const isSummary = word !== undefined && !this.#isTelling && (word === 'passing' || this.#isCounting);
    this.#isCounting = isSummary;
    if (isSummary) {
      if (word === 'passing') this.#summary.clear();
      this.#summary.set(word, Number(number));
      return true;
    }
    if (!this.#summary.has('failing')) {
      if (indent >= 2 && body.startsWith('✔ ')) this.#passed++;
      if (indent < 2 || !body.startsWith(`${this.#titles.total + 1}) `)) return false;
      this.#titles.open(body.slice(body.indexOf(' ') + 1));
      return true;
    }
    if (/^npm (?:error|ERR!)|^> /.test(text)) {
      this.#told.close();
      return false;
    }
    const next = this.#told.total + 1;
    if (indent === 2 && body.startsWith(`${next}) `)) {
      this.#told.close();
      this.#title = [];
      return this.#extendTitle(body.slice(String(next).length + 2));
    }
    if (this.#title !== undefined) return this.#extendTitle(body);
    this.#told.add(text);
    return this.#told.isOpen;
  }

  get #isTelling(): boolean {
    return this.#told.total > 0 || this.#title !== undefined;
  }

  /** The title of a failure: suites and test, one a line, the last with a colon. */
  #extendTitle(part: string): boolean {
    this.#title?.push(part.replace(/:$/, ''));
    if (!part.endsWith(':') && part !== '') return true;
    this.#told.open((this.#title ?? []).filter((each) => each !== '').join(' > '));
    this.#title = undefined;
    return true;
  }
}
