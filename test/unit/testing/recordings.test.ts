/** What the filter makes of real outputs of each runner, with 0, 1, 3 and 5,000 failing tests, and of runs that never got to one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filterOf, RECORDINGS, recording } from '../../support/recordings.js';

interface Expected {
  readonly kind: string;
  /** Name of the failing test with that number. */
  name(n: number): string;
  /** What must stand in the lines of a comparison. */
  readonly values: readonly RegExp[];
  readonly counts?: 'failed only';
  /** Numbers of the first failures, where the runner sorts them otherwise. */
  readonly order?: readonly number[];
}

const numbered = (n: number, prefix = ''): string => (n === 2 ? `${prefix}explodes on 2` : `${prefix}doubles number ${n}`);
const pad = (n: number): string => String(n).padStart(4, '0');
const node: Expected = {
  kind: 'node:test',
  name: (n) => numbered(n, 'numbers > '),
  values: [/value: 2\b/, /value: 9001/, /double\.test\.js:8/],
};
const tapLike: Expected = { ...node, kind: 'TAP' };

const RUNNERS: Readonly<Record<string, Expected>> = {
  'node-spec': node,
  'node-tap': tapLike,
  'node24-spec': node,
  'node24-tap': tapLike,
  mocha: { kind: 'mocha', name: (n) => numbered(n, 'numbers > '), values: [/"value": 2\b/, /"value": 9001/, /test\/double\.test\.js:7/] },
  jest: {
    kind: 'jest',
    name: (n) => numbered(n, 'double.test.js › numbers › '),
    values: [/"value": 2\b/, /"value": 9001/, /double\.test\.js:6/],
  },
  vitest: {
    kind: 'vitest',
    name: (n) => numbered(n, 'double.test.js > numbers > '),
    values: [/"value": 2\b/, /"value": 9001/, /double\.test\.js:7/],
  },
  ava: { kind: 'ava', name: (n) => numbered(n), values: [/value: 2\b/, /value: 9001/, /test\.js:6/] },
  tap: {
    kind: 'TAP',
    name: (n) => `${numbered(n, 'test/double.test.js > ')} > ${n === 2 ? 'cannot double 2' : 'should be equivalent'}`,
    values: [/"value": 2\b/, /"value": 9001/, /test\/double\.test\.js:6/],
  },
  pytest: {
    kind: 'pytest',
    name: (n) => (n === 2 ? 'test_explodes_on_2' : n > 3 ? `test_doubles_number[${n}]` : `test_doubles_number_${n}`),
    values: [/'value': 2\b/, /'value': 9001/, /test_double\.py:\d+: AssertionError/],
  },
  unittest: {
    kind: 'unittest',
    name: (n) => `test_number_${pad(n)} (test_double.Numbers.test_number_${pad(n)})`,
    values: [/'value': 2\b/, /'value': 9001/, /File "test_double\.py", line 17/],
    order: [2, 1, 3],
  },
  go: {
    kind: 'go test',
    name: (n) => (n < 3 ? `TestDoublesNumber${n}` : `TestNumbers/doubles_number_${n}`),
    values: [/received: 2\b/, /expected: 9001/, /double_test\.go:\d+/],
    counts: 'failed only',
  },
  cargo: { kind: 'cargo test', name: (n) => `tests::number_${pad(n)}`, values: [/left: 2\b/, /right: 9001/, /src\/lib\.rs:\d+/] },
};

for (const [runner, expected] of Object.entries(RUNNERS)) {
  for (const count of [1, 3, 5_000]) {
    if (!RECORDINGS.includes(`${runner}-${count}`)) continue;
    test(`${runner} with ${count} failing tests: names, messages, expected and received, first and last, and the counts`, () => {
      const result = filterOf(recording(`${runner}-${count}`));
      assert.deepEqual(result.runners, [expected.kind]);
      assert.equal(result.failuresTotal, count);
      const counts = expected.counts === undefined ? { passed: 1, skipped: 1 } : { passed: undefined, skipped: undefined };
      assert.deepEqual(result.counts, { ...counts, failed: count });
      const order = count === 1 ? [1] : (expected.order ?? [1, 2]).slice(0, count);
      for (const [index, n] of order.entries()) assert.equal(result.failures[index]?.name, expected.name(n));
      const compared = result.failures[order.indexOf(1)];
      for (const value of expected.values) assert.match(compared?.lines.join('\n') ?? '', value);
      const exploded = result.failures[order.indexOf(2)];
      if (count > 1 && runner !== 'go') assert.match(`${exploded?.name}\n${exploded?.lines.join('\n')}`, /cannot double 2/);
      // The list at the end of node:test names no suites.
      assert.ok(expected.name(count).endsWith(result.lastFailure ?? '-'), result.lastFailure);
      const text = result.failures.flatMap(({ lines }) => lines).join('\n');
      assert.doesNotMatch(text, /node:internal|node_modules|\/project\/|\u001b/);
      if (count === 5_000) assert.equal(result.failures.length, 120);
    });
  }
  if (RECORDINGS.includes(`${runner}-0`) && !['go', 'vitest'].includes(runner)) {
    test(`${runner} without a failing test`, () => {
      const result = filterOf(recording(`${runner}-0`));
      assert.deepEqual([result.runners, result.failuresTotal, result.hasNoTests], [[expected.kind], 0, false]);
      assert.deepEqual(result.counts, { passed: 1, failed: 0, skipped: 1 });
    });
  }
}

for (const name of RECORDINGS.filter((each) => each.startsWith('colours-'))) {
  test(`colours change nothing: ${name}`, () => {
    const plain = filterOf(recording(`${name === 'colours-node' ? 'node-spec' : name.replace('colours-', '')}-3`));
    const coloured = filterOf(recording(name));
    assert.deepEqual(
      coloured.failures.map((failure) => failure.name),
      plain.failures.map((failure) => failure.name),
    );
    assert.deepEqual(coloured.counts, plain.counts);
    assert.doesNotMatch(JSON.stringify(coloured), /\\u001b/);
  });
}

for (const name of RECORDINGS.filter((each) => each.startsWith('none-'))) {
  test(`nothing to run is told as such: ${name}`, () => {
    const result = filterOf(recording(name));
    assert.deepEqual([result.hasNoTests, result.failuresTotal], [true, 0]);
  });
}

const crashes: [name: string, failure: RegExp, says: RegExp][] = [
  ['crash-jest', /bad\.test\.js › Test suite failed to run/, /Unexpected token/],
  ['crash-vitest', /bad\.test\.js/, /Cannot find module '\.\/absent\.js'/],
  ['crash-pytest', /ERROR collecting test_bad\.py/, /No module named 'absent_module'/],
  ['crash-unittest', /test_bad/, /No module named 'absent_module'/],
  ['crash-go', /TestPanics/, /index out of range \[3\][\s\S]*double\.go:5/],
];
for (const [name, failure, says] of crashes) {
  test(`a crash is a failure that says why: ${name}`, () => {
    const result = filterOf(recording(name));
    assert.equal(result.failuresTotal, 1);
    assert.match(result.failures[0]?.name ?? '', failure);
    assert.match(result.failures[0]?.lines.join('\n') ?? '', says);
  });
}
for (const name of ['crash-node', 'crash-mocha']) {
  test(`a crash that the runner does not explain is found in the lines that stand out: ${name}`, () => {
    assert.match(filterOf(recording(name)).telling.join('\n'), /Cannot find module '(?:\.\/)?absent\.js'/);
  });
}
for (const [name, failure] of [
  ['compile-cargo', /mismatched types/],
  ['compile-go', /double\.go:3:33: cannot use/],
  ['compile-tsc', /double\.ts\(1,46\): error TS2322/],
] as const) {
  test(`errors of a compiler are told as such: ${name}`, () => {
    const result = filterOf(recording(name));
    assert.equal(result.compileErrors, 1);
    assert.match(result.failures[0]?.name ?? '', failure);
  });
}
test('a program that is not installed is named', () => {
  assert.match(filterOf(recording('npm-missing-program')).notes.join(), /"no-such-runner", which is not installed/);
});

test('any split of the output gives the same result', () => {
  for (const name of ['node-spec-3', 'jest-3', 'pytest-3', 'cargo-3']) {
    const whole = filterOf(recording(name));
    for (const size of [1, 7, 4_096]) assert.deepEqual(filterOf(recording(name), size), whole, `${name} in ${size}`);
  }
});

test('a run that was ended early still names the failures so far', () => {
  for (const name of ['node-spec-5000', 'node-tap-5000', 'jest-5000', 'vitest-5000', 'ava-5000', 'cargo-5000', 'mocha-5000']) {
    const whole = recording(name);
    const result = filterOf(whole.subarray(0, Math.floor(whole.length / 10)));
    assert.ok(result.failuresTotal > 100, `${name}: ${result.failuresTotal}`);
  }
});
