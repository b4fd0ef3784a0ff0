/** What a test prints, or an assertion says, may look like a line of its runner: it ends no failure and changes no number. And where
 *  a runner counts more failures than are recognised, that is told. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultLimits } from '#dist/base/limits.js';
import { runTests } from '#dist/tools/run-tests.js';
import { filterOf } from '../../support/recordings.js';

interface Case {
  /** Output whose second failure comes behind the place of the printed lines. */
  output(printed: readonly string[]): readonly string[];
  readonly printed: readonly (readonly string[])[];
  readonly names: readonly string[];
  readonly counts: { readonly passed?: number; readonly failed: number; readonly skipped?: number };
}

const ruled = (text: string, mark = '='): string => {
  const room = (78 - text.length) / 2;
  return `${mark.repeat(Math.floor(room))} ${text} ${mark.repeat(Math.ceil(room))}`;
};
const NODE_NUMBERS = (passed: number, failed: number, mark: string): string[] => [
  `${mark} tests ${passed + failed}`,
  `${mark} suites 0`,
  `${mark} pass ${passed}`,
  `${mark} fail ${failed}`,
  `${mark} cancelled 0`,
  `${mark} skipped 0`,
  `${mark} todo 0`,
  `${mark} duration_ms 40.5`,
];
const RULE = '='.repeat(70);
const THIN = '-'.repeat(70);

const CASES: Readonly<Record<string, Case>> = {
  pytest: {
    output: (printed) => [
      'FF.                                                                      [100%]',
      ruled('FAILURES'),
      ruled('test_one', '_'),
      'E       assert 1 == 2',
      'test_a.py:2: AssertionError',
      ruled('Captured stdout call', '-'),
      ...printed,
      'still of the first',
      ruled('Captured stderr call', '-'),
      'on stderr',
      ruled('test_two', '_'),
      'E       assert 3 == 4',
      'test_a.py:5: AssertionError',
      ruled('short test summary info'),
      'FAILED test_a.py::test_one - assert 1 == 2',
      'FAILED test_a.py::test_two - assert 3 == 4',
      '2 failed, 1 passed in 0.10s',
    ],
    printed: [
      ['===== step 1 ====='],
      ['1 passed in 0.10s'],
      ['=== 7 passed in 1s ==='],
      ['=== no tests ran in 0.01s ==='],
      [ruled('short test summary info'), 'FAILED x'],
      [ruled('warnings summary'), '1 failed in 1s'],
      [ruled('test session starts')],
      [ruled('FAILURES')],
      ['__ unequal ____'],
    ],
    names: ['test_one', 'test_two'],
    counts: { passed: 1, failed: 2, skipped: 0 },
  },
  mocha: {
    output: (printed) => [
      '  ✔ works',
      '  1) first',
      '  2) second',
      '',
      '  1 passing (5ms)',
      '  1 pending',
      '  2 failing',
      '',
      '  1) first:',
      '     Error: first',
      ...printed,
      '      at Context.<anonymous> (test/a.js:7:12)',
      '',
      '  2) second:',
      '     Error: second',
    ],
    printed: [['  5 passing (1ms)', '  0 failing'], ['  9 passing (1ms)'], ['  0 failing'], ['  7 pending']],
    names: ['first', 'second'],
    counts: { passed: 1, failed: 2, skipped: 1 },
  },
  'cargo test': {
    output: (printed) => [
      'running 3 tests',
      'test a ... ok',
      'test b ... FAILED',
      'test c ... FAILED',
      '',
      'failures:',
      '',
      '---- b stdout ----',
      ...printed,
      'still of b',
      '---- c stdout ----',
      'panicked',
      '',
      'failures:',
      '    b',
      '    c',
      '',
      'test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s',
      '   Doc-tests fixture',
      'running 1 test',
      'test src/lib.rs - x (line 1) ... ok',
      'test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.1s',
    ],
    printed: [
      ['test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s'],
      ['running 5 tests', 'test z ... FAILED', 'test result: FAILED. 5 passed; 4 failed; 0 ignored; 0 measured; 0 filtered out'],
      ['failures:', '    z', 'test result: FAILED. 5 passed; 4 failed; 1 ignored; 0 measured; 0 filtered out'],
    ],
    names: ['b', 'c'],
    counts: { passed: 2, failed: 2, skipped: 0 },
  },
  'node:test': {
    output: (printed) => [
      '✖ first (1.5ms)',
      '  Error: first',
      ...printed,
      '✖ second (0.5ms)',
      '  Error: second',
      '✔ third (0.5ms)',
      ...NODE_NUMBERS(1, 2, 'ℹ'),
      '',
      '✖ failing tests:',
      '',
      'test at a.test.js:1:1',
      '✖ first (1.5ms)',
      '  Error: first',
      '',
      'test at a.test.js:2:1',
      '✖ second (0.5ms)',
      '  Error: second',
    ],
    printed: [NODE_NUMBERS(7, 0, 'ℹ'), ['ℹ fail 9'], ['✖ failing tests:'], ['ℹ skipped 4']],
    names: ['first', 'second'],
    counts: { passed: 1, failed: 2, skipped: 0 },
  },
  TAP: {
    output: (printed) => [
      'TAP version 13',
      '# Subtest: first',
      'not ok 1 - first',
      '  ---',
      "  error: 'first'",
      '  ...',
      ...printed,
      '# Subtest: second',
      'not ok 2 - second',
      '  ---',
      "  error: 'second'",
      '  ...',
      '# Subtest: third',
      'ok 3 - third',
      '1..3',
      ...NODE_NUMBERS(1, 2, '#'),
    ],
    printed: [NODE_NUMBERS(7, 5, '#'), ['# fail 9'], ['# { total: 4, pass: 1, fail: 3 }'], ['# cancelled 3']],
    names: ['first', 'second'],
    counts: { passed: 1, failed: 2, skipped: 0 },
  },
  jest: {
    output: (printed) => [
      'FAIL ./a.test.js',
      '  ● first',
      '',
      '    Error: first',
      ...printed,
      '      at Object.<anonymous> (a.test.js:1:1)',
      '',
      '  ● second',
      '',
      '    Error: second',
      '',
      'Test Suites: 1 failed, 1 total',
      'Tests:       2 failed, 1 passed, 3 total',
    ],
    printed: [['Tests:       7 passed, 7 total'], ['    Tests:       7 passed, 7 total'], ['Test Suites: 1 passed, 1 total']],
    names: ['a.test.js › first', 'a.test.js › second'],
    counts: { passed: 1, failed: 2, skipped: 0 },
  },
  vitest: {
    output: (printed) => [
      ' RUN  v4.1.12 /project',
      '   × first 4ms',
      '   × second 4ms',
      ' FAIL  a.test.js > first',
      'Error: first',
      ...printed,
      ' ❯ a.test.js:7:34',
      `${'⎯'.repeat(20)}[1/2]⎯`,
      ' FAIL  a.test.js > second',
      'Error: second',
      `${'⎯'.repeat(20)}[2/2]⎯`,
      ' Test Files  1 failed (1)',
      '      Tests  2 failed | 1 passed (3)',
      '   Duration  145ms',
    ],
    printed: [['      Tests  7 passed (7)'], [' Test Files  1 passed (1)', '      Tests  7 passed (7)', '   Duration  1ms']],
    names: ['a.test.js > first', 'a.test.js > second'],
    counts: { passed: 1, failed: 2, skipped: 0 },
  },
  ava: {
    output: (printed) => [
      '  ✔ works',
      '  ✘ [fail]: first',
      '  ✘ [fail]: second',
      '  ─',
      '',
      '  first',
      '',
      '  Error {',
      ...printed,
      '  }',
      '',
      '  second',
      '',
      '  Error {}',
      '',
      '  ─',
      '',
      '  2 tests failed',
      '  1 test passed',
    ],
    printed: [
      ['  5 tests passed', '  9 tests failed'],
      ['  ─', '  7 tests skipped'],
    ],
    names: ['first', 'second'],
    counts: { passed: 1, failed: 2, skipped: 0 },
  },
  unittest: {
    output: (printed) => [
      RULE,
      'FAIL: test_one (t.T.test_one)',
      THIN,
      'AssertionError: one',
      ...printed,
      '',
      RULE,
      'FAIL: test_two (t.T.test_two)',
      THIN,
      'AssertionError: two',
      '',
      THIN,
      'Ran 3 tests in 0.001s',
      '',
      'FAILED (failures=2)',
    ],
    printed: [
      ['Ran 7 tests in 0.1s', '', 'OK'],
      [THIN, 'Ran 7 tests in 0.1s', '', 'FAILED (failures=5, skipped=4)'],
    ],
    names: ['test_one (t.T.test_one)', 'test_two (t.T.test_two)'],
    counts: { passed: 1, failed: 2, skipped: 0 },
  },
  'go test': {
    output: (printed) => [
      '--- FAIL: TestOne (0.00s)',
      '    a_test.go:4: first',
      ...printed,
      '        last of the first',
      '--- FAIL: TestTwo (0.00s)',
      '    --- FAIL: TestTwo/inner (0.00s)',
      '        a_test.go:9: second',
      'FAIL',
      'FAIL\tfixture\t0.002s',
      'FAIL',
    ],
    printed: [['        --- FAIL: TestFake (0.00s)'], ['        --- PASS: TestFake (0.00s)'], ['        --- FAIL: TestOne/fake (0.00s)']],
    names: ['TestOne', 'TestTwo/inner'],
    counts: { failed: 2 },
  },
};

const textOf = (lines: readonly string[]): Buffer => Buffer.from(`${lines.join('\n')}\n`);

for (const [runner, { output, printed, names, counts }] of Object.entries(CASES)) {
  for (const lines of [[], ...printed]) {
    test(`${runner}: ${lines.length === 0 ? 'nothing' : JSON.stringify(lines)} inside of a failure changes nothing`, () => {
      const result = filterOf(textOf(output(lines)));
      assert.deepEqual(result.runners, [runner]);
      assert.deepEqual(
        result.failures.map(({ name }) => name),
        names,
      );
      const known = Object.fromEntries(Object.entries(result.counts).filter(([, value]) => value !== undefined));
      assert.deepEqual(known, counts);
      assert.equal(result.failuresUnseen, 0);
    });
  }
}

test('pytest: a line that a test printed does not hide what follows of the failure', () => {
  const { failures } = filterOf(textOf(CASES.pytest?.output(['===== step 1 =====']) ?? []));
  assert.match(failures[0]?.lines.join('\n') ?? '', /step 1[\s\S]*still of the first[\s\S]*on stderr/);
});

/** The second failure in a form that nobody knows. */
const UNSEEN: Readonly<Record<string, { lines: readonly string[]; unseen: number }>> = {
  pytest: { lines: [ruled('FAILURES'), ruled('test_one', '_'), 'E  one', '3 failed, 1 passed in 0.10s'], unseen: 2 },
  mocha: { lines: ['  1 passing (5ms)', '  3 failing', '', '  1) first:', '     Error: first'], unseen: 2 },
  'cargo test': {
    lines: [
      'running 3 tests',
      'failures:',
      '---- b stdout ----',
      'b',
      'failures:',
      '    b',
      'test result: FAILED. 0 passed; 3 failed; 0 ignored;',
    ],
    unseen: 2,
  },
  'node:test': { lines: ['✖ first (1.5ms)', '  Error: first', ...NODE_NUMBERS(1, 3, 'ℹ')], unseen: 2 },
  TAP: { lines: ['TAP version 13', 'not ok 1 - first', ...NODE_NUMBERS(1, 3, '#')], unseen: 2 },
  jest: { lines: ['FAIL ./a.test.js', '  ● first', '', '    Error: first', '', 'Tests:       3 failed, 1 passed, 4 total'], unseen: 2 },
  vitest: {
    lines: [' RUN  v4.1.12 /project', ' FAIL  a.test.js > first', 'Error', `${'⎯'.repeat(20)}[1/3]⎯`, '      Tests  3 failed (3)'],
    unseen: 2,
  },
  ava: { lines: ['  ✘ [fail]: first', '  ─', '', '  first', '', '  Error {}', '', '  ─', '', '  3 tests failed'], unseen: 2 },
  unittest: { lines: [RULE, 'FAIL: test_one (t)', THIN, 'one', THIN, 'Ran 3 tests in 0.001s', '', 'FAILED (failures=3)'], unseen: 2 },
};
for (const [runner, { lines, unseen }] of Object.entries(UNSEEN)) {
  test(`${runner}: failures that it counts and that were not recognised are told, as text and as data`, () => {
    const result = filterOf(textOf(lines));
    assert.deepEqual([result.runners, result.failuresTotal, result.failuresUnseen], [[runner], 1, unseen]);
    const report = {
      command: 'unit',
      handle: 'f'.repeat(32),
      isRunning: false,
      exitCode: 1,
      signal: null,
      reason: undefined,
      limitMs: 1_000,
      durationMs: 1,
      result,
      log: { bytes: 1, lines: 1, isCut: false, isKept: true },
      notes: [],
      isSearchable: true,
    };
    const { maxChars } = defaultLimits();
    const says = /2 more failed, which the output does not show in a known form/;
    assert.match(runTests.text(report, maxChars, { hit: (text: string) => text } as never), says);
    const data = runTests.data?.(report, maxChars) as { truncated: boolean; notes: string[] };
    assert.match(data.notes.join('\n'), says);
    assert.equal(data.truncated, true);
  });
}

test('mocha: a second run of the same command is added', () => {
  const run = (name: string): string[] => [
    `> ${name}@1.0.0 test`,
    '> mocha',
    '',
    '  ✔ works',
    '  1) fails',
    '',
    '  1 passing (5ms)',
    '  1 failing',
    '',
    `  1) ${name}:`,
    '     Error: x',
    '',
    'npm error Lifecycle script `test` failed with error:',
  ];
  const { counts, failures, failuresUnseen } = filterOf(textOf([...run('a'), ...run('b')]));
  assert.deepEqual(counts, { passed: 2, failed: 2, skipped: 0 });
  assert.deepEqual([failures.map(({ name }) => name), failuresUnseen], [['a', 'b'], 0]);
});

test('a test that fails with its subtests is counted by node:test and no failure that is missing', () => {
  const spec = ['▶ parent', '  ✖ child (0.5ms)', '    Error: x', '✖ parent (1.5ms)', ...NODE_NUMBERS(0, 2, 'ℹ')];
  const tap = [
    'TAP version 13',
    '# Subtest: parent',
    '    # Subtest: child',
    '    not ok 1 - child',
    '    1..1',
    'not ok 1 - parent',
    '1..1',
  ];
  for (const lines of [spec, [...tap, ...NODE_NUMBERS(0, 2, '#')]]) {
    const { failuresTotal, failuresUnseen, counts } = filterOf(textOf(lines));
    assert.deepEqual([failuresTotal, failuresUnseen, counts.failed], [1, 0, 2]);
  }
});
