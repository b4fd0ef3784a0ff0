/** Reads pytest: blocks headed by "____ test ____" below FAILURES and ERRORS. Of a traceback through packages only the project's
 *  own parts stay, with the lines that pytest marks with E. */
import { showJson } from '../base/display.js';
import { type FailureLimits, FailureList } from './failures.js';
import { type Counts, type Family, type Line, numbersIn } from './family.js';
import { isForeignPython } from './stack.js';

const SECTION = /^=+ (.+?) =+$/;
/** Those that may follow a failure. Any other ruled line there was printed by a test. */
const AFTER =
  /^(?:test session starts|FAILURES|ERRORS|PASSES|XFAILURES|XPASSES|(?:rerun |short )?test summary info|warnings summary.*|slowest .*durations|.*\bcoverage\b.*)$/;
const HEAD = /^(_+) (.+) (_+)$/;
const CAPTURED = /^-+ Captured .+ -+$/;
const WORDS = 'failed|passed|skipped|errors?|xfailed|xpassed|deselected|warnings?|rerun';
const RESULT = new RegExp(`^(?:=+ )?(?:\\d+ (?:${WORDS})(?:, )?)+ in [\\d.]+s\\b|^(?:=+ )?no tests ran in [\\d.]+s`);
const PLACE = /^(\S[^:]*(?::\\[^:]*)?):(\d+): ?/;
/** A part of a traceback is held back until its last line tells whose it is. */
const LONGEST_PART = 200;

export class PytestFamily implements Family {
  readonly name = 'pytest';
  readonly failures: FailureList;
  readonly notes: string[] = [];
  isSeen = false;
  #section = '';
  /** Whether FAILURES or ERRORS came: only below them stand heads. */
  #hasBlocks = false;
  /** Whether a line said that the run is over. Until something follows that only a failure has, that is taken for true. */
  #isOver = false;
  #summary: Map<string, number> | undefined;
  #part: string[] = [];
  #marked = 0;

  constructor(limits: FailureLimits) {
    this.failures = new FailureList(limits);
  }

  get counts(): Counts {
    const sum = this.#summary;
    if (sum === undefined) return { failed: Math.max(this.failures.total, this.#marked) };
    const of = (...words: string[]): number => words.reduce((total, word) => total + (sum.get(word) ?? 0), 0);
    return { passed: of('passed', 'xpassed'), failed: of('failed', 'error', 'errors'), skipped: of('skipped', 'xfailed') };
  }

  take({ text }: Line): boolean {
    if (RESULT.test(text)) {
      this.isSeen = true;
      this.#endPart(undefined);
      this.#isOver = true;
      this.#summary = numbersIn(text, WORDS);
      return true;
    }
    const name = this.#hasBlocks ? headIn(text) : undefined;
    if (name !== undefined) {
      this.#goOn();
      this.#close();
      this.failures.open(name);
      if (!this.#isInBlocks) this.#section = 'FAILURES';
      return true;
    }
    const section = SECTION.exec(text)?.[1];
    if (section !== undefined && (!this.failures.isOpen || AFTER.test(section))) {
      if (this.#isOver && this.#isInBlocks) this.#goOn();
      this.#close();
      this.#section = section;
      this.#hasBlocks ||= this.#isInBlocks;
      this.isSeen ||= /^(?:test session starts|FAILURES|ERRORS|short test summary info)$/.test(section);
      return this.isSeen;
    }
    if (!this.isSeen) return false;
    if (this.#section === 'short test summary info') return this.#short(text);
    if (this.#isOver) {
      if (!CAPTURED.test(text) || !this.failures.isOpen) return false;
      this.#goOn();
    }
    if (!this.#isInBlocks) return /^[.sFExX]+ +\[ *\d+%\]$/.test(text);
    if (/^!+ .* !+$/.test(text)) {
      this.notes.push(`pytest says: ${showJson(text.replace(/^!+ | !+$/g, ''))}`);
      return true;
    }
    this.#keep(text);
    return true;
  }

  get #isInBlocks(): boolean {
    return this.#section === 'FAILURES' || this.#section === 'ERRORS';
  }

  /** What looked like the end was printed by a test. */
  #goOn(): void {
    if (!this.#isOver) return;
    this.#isOver = false;
    this.#summary = undefined;
  }

  /** A run that was ended by --maxfail or at collection has failures in the summary alone. */
  #short(text: string): boolean {
    if (/^(?:FAILED|ERROR) /.test(text)) this.#marked++;
    return true;
  }

  #keep(text: string): void {
    // Lines of source and of messages are indented or marked, so a place at the margin ends a part.
    if (PLACE.test(text)) this.#endPart(text);
    else if (/^(?:_ )+_?$/.test(text)) this.#endPart(undefined);
    else this.#part.push(text);
    if (this.#part.length >= LONGEST_PART) this.#endPart(undefined);
  }

  #endPart(place: string | undefined): void {
    const file = place === undefined ? undefined : PLACE.exec(place)?.[1];
    const isForeign = file !== undefined && isForeignPython(file);
    for (const line of this.#part) if (!isForeign || line.startsWith('E ')) this.failures.add(line);
    if (place !== undefined && !isForeign) this.failures.add(place);
    this.#part = [];
  }

  #close(): void {
    this.#endPart(undefined);
    this.failures.close();
  }
}

/** pytest draws as many lines on the left as on the right, or one more there. */
function headIn(text: string): string | undefined {
  const [, left = '', name = '', right = ''] = HEAD.exec(text) ?? [];
  return /^[_ ]*$/.test(name) || right.length - left.length > 1 || right.length < left.length ? undefined : name;
}
