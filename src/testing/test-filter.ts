/** What a run of tests has printed, reduced to what failed. All readers see every line and the ones that recognise it answer,
 *  since one command may run several runners. Pure; memory is bounded whatever comes. */
import type { Limits } from '../base/limits.js';
import { AvaFamily } from './ava.js';
import { CargoTestFamily } from './cargo-test.js';
import { CompilerFamily } from './compiler.js';
import type { Failure, FailureLimits } from './failures.js';
import { type Counts, type Family, lineOf } from './family.js';
import { type GenericLimits, GenericReader } from './generic.js';
import { GoTestFamily } from './go-test.js';
import { JestFamily } from './jest.js';
import { MochaFamily } from './mocha.js';
import { NodeSpecFamily } from './node-spec.js';
import { PytestFamily } from './pytest.js';
import { TapFamily } from './tap.js';
import { type Trouble, troubleIn } from './trouble.js';
import { UnittestFamily } from './unittest.js';
import { VitestFamily } from './vitest.js';

export interface TestResult {
  /** Names of the kinds of output that were recognised. */
  readonly runners: readonly string[];
  readonly counts: Counts;
  /** The first failures, whole. */
  readonly failures: readonly Failure[];
  /** How many there were. */
  readonly failuresTotal: number;
  /** How many more the runners count, which the output does not show in a form that is known. */
  readonly failuresUnseen: number;
  readonly lastFailure: string | undefined;
  readonly compileErrors: number;
  readonly hasNoTests: boolean;
  /** Telling lines that belong to no recognised test, then the last lines. */
  readonly telling: readonly string[];
  readonly tail: readonly string[];
  readonly notes: readonly string[];
  readonly lines: number;
}

export type FilterLimits = Pick<Limits, keyof FailureLimits | keyof GenericLimits>;

export class TestFilter {
  readonly #compiler: CompilerFamily;
  readonly #go: GoTestFamily;
  readonly #families: readonly Family[];
  readonly #generic: GenericReader;
  readonly #troubles = new Map<Trouble, string>();
  #lines = 0;

  constructor(limits: FilterLimits) {
    this.#compiler = new CompilerFamily(limits);
    this.#go = new GoTestFamily(limits);
    this.#families = [
      this.#compiler,
      new NodeSpecFamily(limits),
      new TapFamily(limits),
      new JestFamily(limits),
      new VitestFamily(limits),
      new MochaFamily(limits),
      new AvaFamily(limits),
      new PytestFamily(limits),
      new UnittestFamily(limits),
      this.#go,
      new CargoTestFamily(limits),
    ];
    this.#generic = new GenericReader(limits);
  }

  /** @param text a cleaned line */
  take(text: string): void {
    this.#lines++;
    const line = lineOf(text);
    let isClaimed = false;
    for (const family of this.#families) isClaimed = family.take(line) || isClaimed;
    this.#generic.take(text, isClaimed);
    const trouble = troubleIn(text);
    if (trouble !== undefined) this.#troubles.set(trouble.kind, trouble.note);
  }

  /** What is known so far; may be asked at any time. */
  get result(): TestResult {
    const seen = this.#families.filter((family) => family.isSeen);
    const counts = sumOf(seen.map((family) => family.counts));
    const total = seen.reduce((sum, { failures }) => sum + failures.total, 0);
    const ran = (counts.passed ?? 0) + (counts.failed ?? 0) + (counts.skipped ?? 0);
    const isCounted = counts.passed !== undefined && counts.failed !== undefined;
    const last = seen.findLast(({ failures }) => failures.total > 0);
    const hasNoTests = total === 0 && (this.#troubles.has('no_tests') || (isCounted && ran === 0) || this.#go.hasNoTests);
    return {
      runners: seen.map((family) => family.name),
      counts,
      failures: seen.flatMap(({ failures }) => failures.kept()),
      failuresTotal: total,
      failuresUnseen: seen.reduce((sum, family) => sum + unseenOf(family), 0),
      lastFailure: last?.failures.lastName,
      compileErrors: this.#compiler.failures.total,
      hasNoTests,
      telling: this.#generic.telling,
      tail: this.#generic.tail,
      notes: [
        ...[...this.#troubles].filter(([kind]) => kind !== 'no_tests').map(([, note]) => note),
        ...seen.flatMap((family) => family.notes),
      ],
      lines: this.#lines,
    };
  }
}

const unseenOf = ({ unseen, counts, failures }: Family): number => Math.max(0, unseen ?? (counts.failed ?? 0) - failures.total);

function sumOf(all: readonly Counts[]): Counts {
  const sum = (name: keyof Counts): number | undefined => {
    const known = all.map((counts) => counts[name]).filter((value) => value !== undefined);
    return known.length === 0 ? undefined : known.reduce((total, value) => total + value, 0);
  };
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}
