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
  /** Numbers and failures of earlier runs of the same command, as `npm test --workspaces` has them. */
  readonly #earlier = new Map<string, number>();
  #earlierFailures = 0;
  /** Whether npm has begun another script since the numbers. */
  #isNext = false;
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
    return this.#isCounted || (this.#titles.total > 0 && this.#passed > 0);
  }

  get failures(): FailureList {
    return this.#isCounted ? this.#told : this.#titles;
  }

  get counts(): Counts {
    if (!this.#isCounted) return { passed: this.#passed, failed: this.#titles.total };
    const of = (word: string): number => (this.#earlier.get(word) ?? 0) + (this.#summary.get(word) ?? 0);
    return { passed: of('passing'), failed: of('failing'), skipped: of('pending') };
  }

  take(line: Line): boolean {
    const { text, body, indent } = line;
    const [, number, word] = SUMMARY.exec(text) ?? [];
    // Once it tells failures, such a line is part of a message.
    const isSummary = word !== undefined && (!this.#isTelling || this.#isNext) && (word === 'passing' || this.#isCounting);
    this.#isCounting = isSummary;
    if (isSummary) {
      if (word === 'passing') this.#beginNumbers();
      this.#summary.set(word, Number(number));
      return true;
    }
    if (/^> \S+@\S+ \S/.test(text)) this.#isNext = this.#summary.has('passing');
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
    const next = this.#told.total - this.#earlierFailures + 1;
    if (indent === 2 && body.startsWith(`${next}) `)) {
      this.#told.close();
      this.#title = [];
      return this.#extendTitle(body.slice(String(next).length + 2));
    }
    if (this.#title !== undefined) return this.#extendTitle(body);
    this.#told.add(text);
    return this.#told.isOpen;
  }

  get #isCounted(): boolean {
    return this.#summary.has('passing') || this.#earlier.size > 0;
  }

  #beginNumbers(): void {
    if (this.#isNext) for (const [word, number] of this.#summary) this.#earlier.set(word, (this.#earlier.get(word) ?? 0) + number);
    this.#isNext = false;
    this.#summary.clear();
    this.#earlierFailures = this.#told.total;
    this.#told.close();
  }

  get #isTelling(): boolean {
    return this.#told.total > this.#earlierFailures || this.#title !== undefined;
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
