/** Reads what keeps tests from being run at all: errors of rustc, go and tsc, one entry each. */
import { type FailureLimits, FailureList } from './failures.js';
import type { Counts, Family, Line } from './family.js';

const TSC = /^\S.*?(?:\(\d+,\d+\): |:\d+:\d+ - )error TS\d+: /;
const GO = /^(?:\.{0,2}\/)?[^\s:]+\.go:\d+(?::\d+)?: /;
const RUST = /^error(?:\[E\d+\])?: /;
/** What cargo says after the errors themselves. */
const RUST_ECHO = /^error: (?:could not compile|aborting due|test failed|\d+ targets? failed|doctest failed)/;

export class CompilerFamily implements Family {
  readonly name = 'compiler';
  readonly counts: Counts = {};
  readonly notes: readonly string[] = [];
  readonly failures: FailureList;
  #kind: 'rust' | 'go' | 'tsc' | undefined;
  /** A line that is an error of rustc only if a place follows. */
  #held: string | undefined;
  #isGoPackage = false;

  constructor(limits: FailureLimits) {
    this.failures = new FailureList(limits);
  }

  get isSeen(): boolean {
    return this.failures.total > 0;
  }

  take({ text, indent, body }: Line): boolean {
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined && /^ *--> /.test(text)) {
      this.#open('rust', held);
      this.failures.add(text);
      return true;
    }
    if (RUST_ECHO.test(text)) return this.isSeen;
    if (RUST.test(text)) {
      this.failures.close();
      this.#held = text;
      return true;
    }
    if (TSC.test(text)) return this.#open('tsc', text);
    // go vet and go build head the errors of a package with its name.
    if (/^# \S+(?: \[\S+\])?$/.test(text)) {
      this.#isGoPackage = true;
      this.failures.close();
      return false;
    }
    if (this.#isGoPackage && GO.test(text)) return this.#open('go', text);
    if (indent === 0 && body !== '') this.#isGoPackage = false;
    if (!this.failures.isOpen) return false;
    const isOver = this.#kind === 'rust' ? body === '' : indent === 0;
    if (isOver) {
      this.failures.close();
      return false;
    }
    this.failures.add(text);
    return true;
  }

  #open(kind: 'rust' | 'go' | 'tsc', name: string): boolean {
    this.#kind = kind;
    this.failures.open(name);
    return true;
  }
}
