/** Reads go test: "--- FAIL:" lines with their indented output, panics, and one result a package. */
import { type FailureLimits, FailureList } from './failures.js';
import type { Counts, Family, Line } from './family.js';
import { isForeignGo } from './stack.js';

const RESULT = /^--- (FAIL|PASS|SKIP): (.+) \([\d.]+s\)$/;
const PACKAGE = /^(ok {2}|FAIL|\? {3})\t(\S+)(?:\t(.*)| (\[.*\]))?$/;

export class GoTestFamily implements Family {
  readonly name = 'go test';
  readonly failures: FailureList;
  isSeen = false;
  readonly #packages = { ok: 0, failed: 0, without: 0 };
  #passed = 0;
  #skipped = 0;
  #isVerbose = false;
  /** The failed test that was named last, while it may turn out to be a mere parent of the next one. */
  #open: { name: string; indent: number } | undefined;
  /** The test at the margin that was named last. */
  #outer = '';
  #isPanic = false;
  #goroutines = 0;
  #call: string | undefined;

  constructor(limits: FailureLimits) {
    this.failures = new FailureList(limits);
  }

  get counts(): Counts {
    const counted = this.#isVerbose ? { passed: this.#passed, skipped: this.#skipped } : {};
    return { ...counted, failed: this.failures.total };
  }

  get notes(): string[] {
    const { ok, failed, without } = this.#packages;
    const parts = [`${ok} ok`, `${failed} failed`, ...(without === 0 ? [] : [`${without} without tests`])];
    return ok + failed + without === 0 ? [] : [`packages: ${parts.join(', ')}`];
  }

  /** Whether packages were built and none has a test. */
  get hasNoTests(): boolean {
    return this.#packages.without > 0 && this.#packages.ok + this.#packages.failed === 0;
  }

  take({ text, body, indent }: Line): boolean {
    const [, mark, , rest = '', why = ''] = PACKAGE.exec(text) ?? [];
    if (mark !== undefined) {
      this.isSeen = true;
      if (mark === 'FAIL') this.#packages.failed++;
      else if (mark.startsWith('?') || `${rest}${why}`.includes('[no test')) this.#packages.without++;
      else this.#packages.ok++;
      this.#end();
      return true;
    }
    const [, verdict, name = ''] = body.startsWith('--- ') ? (RESULT.exec(body) ?? []) : [];
    if (verdict !== undefined && this.#isOwn(name, indent)) return this.#result(verdict, name, indent);
    if (text === 'FAIL' || text === 'PASS') {
      this.#end();
      return this.isSeen;
    }
    if (/^=== (?:RUN|PAUSE|CONT|NAME) /.test(body)) {
      this.#isVerbose = true;
      this.#end();
      return true;
    }
    if (this.isSeen && /^(?:panic: |fatal error: )/.test(text)) this.#beginPanic(text);
    if (this.#isPanic) return this.#inPanic(text);
    if (this.#open === undefined) return false;
    if (body !== '' && indent <= this.#open.indent) return false;
    this.failures.add(text);
    return true;
  }

  /** Subtests stand below their parent, four columns deeper each; a line of a message that looks like one does not. */
  #isOwn(name: string, indent: number): boolean {
    if (indent === 0) return true;
    const inner = name.startsWith(`${this.#outer}/`) ? name.slice(this.#outer.length).split('/').length - 1 : 0;
    return inner * 4 >= indent;
  }

  #result(verdict: string, name: string, indent: number): boolean {
    this.isSeen = true;
    if (indent === 0) this.#outer = name;
    const parent = this.#open;
    this.#open = undefined;
    if (verdict !== 'FAIL') {
      this.failures.close();
      if (verdict === 'PASS') this.#passed++;
      else this.#skipped++;
      return true;
    }
    // A parent fails with its subtests; only one that says something itself is shown beside them.
    if (parent !== undefined && name.startsWith(`${parent.name}/`) && this.failures.openLines === 0) this.failures.withdraw();
    this.failures.open(name);
    this.#open = { name, indent };
    return true;
  }

  #beginPanic(text: string): void {
    if (this.#isPanic) return;
    if (this.#open === undefined) this.failures.open(text);
    this.#isPanic = true;
    this.#goroutines = 0;
  }

  /** Of the dump only the first goroutine, and of that the calls whose file is the project's own. */
  #inPanic(text: string): boolean {
    if (/^goroutine \d+ /.test(text)) this.#goroutines++;
    else if (this.#goroutines === 0) this.failures.add(text);
    else if (this.#goroutines > 1) return true;
    else if (text.startsWith('\t')) {
      if (this.#call !== undefined && !isForeignGo(text)) for (const line of [this.#call, text]) this.failures.add(line);
      this.#call = undefined;
    } else this.#call = text;
    return true;
  }

  #end(): void {
    this.#open = undefined;
    this.#isPanic = false;
    this.#call = undefined;
    this.failures.close();
  }
}
