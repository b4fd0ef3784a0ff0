/** Reads vitest's default reporter: blocks headed by " FAIL ", each ended by a ruled line. */
import { type FailureLimits, FailureList } from './failures.js';
import { type Counts, type Family, type Line, numbersIn } from './family.js';

const RULE = /^⎯{5,}/;

export class VitestFamily implements Family {
  readonly name = 'vitest';
  readonly notes: readonly string[] = [];
  isSeen = false;
  readonly #told: FailureList;
  readonly #marked: FailureList;
  #own: Map<string, number> | undefined;
  #amid: Map<string, number> | undefined;

  constructor(limits: FailureLimits) {
    this.#told = new FailureList(limits);
    this.#marked = new FailureList(limits);
  }

  get failures(): FailureList {
    return this.#told.total > 0 ? this.#told : this.#marked;
  }

  get counts(): Counts {
    const numbers = this.#own ?? this.#amid;
    if (numbers === undefined) return { failed: this.failures.total };
    return {
      passed: numbers.get('passed') ?? 0,
      failed: Math.max(numbers.get('failed') ?? 0, this.#told.total),
      skipped: (numbers.get('skipped') ?? 0) + (numbers.get('todo') ?? 0),
    };
  }

  take({ text, body, indent }: Line): boolean {
    if (!this.isSeen) {
      this.isSeen = /^ (?:RUN|DEV) {2}v\d+\./.test(text);
      return this.isSeen;
    }
    if (text.startsWith(' FAIL  ')) {
      this.#told.open(text.slice(7).trimEnd());
      return true;
    }
    if (RULE.test(text)) {
      const title = /^⎯+ (Unhandled Rejection|Uncaught Exception|Unhandled Error|Startup Error) ⎯+$/.exec(text)?.[1];
      if (title === undefined) this.#told.close();
      else this.#told.open(title);
      return true;
    }
    if (/^ +Tests {2}/.test(text)) {
      // The numbers and the failures come by different streams, so that one may stand amid the other; but a message may have such a line.
      const numbers = numbersIn(text, 'failed|passed|skipped|todo');
      if (this.#told.isOpen) this.#amid ??= numbers;
      else this.#own = numbers;
    }
    if (!this.#told.isOpen && /^ +(?:Test Files|Tests|Errors|Start at|Duration) {2}/.test(text)) return true;
    if (this.#told.isOpen) {
      this.#told.add(text);
      return true;
    }
    const marked = indent >= 3 ? /^× (.+?)(?: \d+ms)?$/.exec(body)?.[1] : undefined;
    if (marked !== undefined) this.#marked.open(marked);
    this.#marked.close();
    return marked !== undefined || /^[✓↓❯] /.test(body);
  }
}
