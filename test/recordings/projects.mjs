// The fixture projects whose test runs are recorded: one function a runner, from the number of failing tests to files.
// Every project has passing tests, one skipped test where the runner has such a thing, and `failures` failing ones. The first
// compares two values, the second throws in code of its own project, all others compare.

const each = (count, make) => Array.from({ length: count }, (_, index) => make(index + 1)).join('\n');

const LIBRARY = {
  cjs: 'exports.double = (n) => n * 2;\nexports.explode = (n) => {\n  throw new TypeError(`cannot double ${n}`);\n};\n',
  esm: 'export const double = (n) => n * 2;\nexport const explode = (n) => {\n  throw new TypeError(`cannot double ${n}`);\n};\n',
};
const SCRIPT = (test, type = 'module') => `${JSON.stringify({ name: 'fixture', private: true, type, scripts: { test } })}\n`;

/** One file for the small cases, and for thousands of failures one loop, so that the project stays small. */
const cases = (failures, compare, explode) =>
  failures <= 3
    ? each(failures, (n) => (n === 2 ? explode(n) : compare(n)))
    : `${compare(1)}\n${explode(2)}\nfor (let n = 3; n <= ${failures}; n++) {\n${compare('n', '`', '${n}')}\n}`;

const title = (n, quote, hole) => `${quote ?? "'"}doubles number ${hole ?? n}${quote ?? "'"}`;

export const node = (failures) => ({
  'package.json': SCRIPT('node --test'),
  'double.js': LIBRARY.esm,
  'double.test.js': `import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { double, explode } from './double.js';
test('doubles zero', () => assert.equal(double(0), 0));
test.skip('is skipped', () => {});
describe('numbers', () => {
${cases(
  failures,
  (n, quote, hole) =>
    `  it(${title(n, quote, hole)}, () => {\n    assert.deepEqual({ value: double(${n}) }, { value: ${n} + 9000 });\n  });`,
  (n) => `  it('explodes on ${n}', () => {\n    explode(${n});\n  });`,
)}
});
`,
});

export const mocha = (failures) => ({
  'package.json': SCRIPT('mocha', 'commonjs'),
  'double.js': LIBRARY.cjs,
  'test/double.test.js': `const assert = require('node:assert/strict');
const { double, explode } = require('../double.js');
it('doubles zero', () => assert.equal(double(0), 0));
it.skip('is skipped', () => {});
describe('numbers', () => {
${cases(
  failures,
  (n, quote, hole) =>
    `  it(${title(n, quote, hole)}, () => {\n    assert.deepEqual({ value: double(${n}) }, { value: ${n} + 9000 });\n  });`,
  (n) => `  it('explodes on ${n}', () => {\n    explode(${n});\n  });`,
)}
});
`,
});

const expecting = (failures, head, compare) => ({
  'double.js': LIBRARY[head === '' ? 'cjs' : 'esm'],
  'double.test.js': `${head === '' ? "const { double, explode } = require('./double.js');" : `${head}\nimport { double, explode } from './double.js';`}
it('doubles zero', () => expect(double(0)).toBe(0));
it.skip('is skipped', () => {});
describe('numbers', () => {
${cases(failures, compare, (n) => `  it('explodes on ${n}', () => {\n    explode(${n});\n  });`)}
});
`,
});
const expectCase = (n, quote, hole) =>
  `  it(${title(n, quote, hole)}, () => {\n    expect({ value: double(${n}) }).toEqual({ value: ${n} + 9000 });\n  });`;

export const jest = (failures) => ({ 'package.json': SCRIPT('jest', 'commonjs'), ...expecting(failures, '', expectCase) });

export const vitest = (failures) => ({
  'package.json': SCRIPT('vitest run'),
  ...expecting(failures, "import { describe, expect, it } from 'vitest';", expectCase),
});

export const ava = (failures) => ({
  'package.json': SCRIPT('ava'),
  'double.js': LIBRARY.esm,
  'test.js': `import test from 'ava';
import { double, explode } from './double.js';
test('doubles zero', (t) => t.is(double(0), 0));
test.skip('is skipped', (t) => t.pass());
${cases(
  failures,
  (n, quote, hole) => `test(${title(n, quote, hole)}, (t) => {\n  t.deepEqual({ value: double(${n}) }, { value: ${n} + 9000 });\n});`,
  (n) => `test('explodes on ${n}', () => {\n  explode(${n});\n});`,
)}
`,
});

export const tap = (failures) => ({
  'package.json': SCRIPT('tap --disable-coverage'),
  'double.js': LIBRARY.esm,
  'test/double.test.js': `import t from 'tap';
import { double, explode } from '../double.js';
t.test('doubles zero', async (t) => t.equal(double(0), 0));
t.test('is skipped', { skip: true }, () => {});
${cases(
  failures,
  (n, quote, hole) => `t.test(${title(n, quote, hole)}, async (t) => {\n  t.same({ value: double(${n}) }, { value: ${n} + 9000 });\n});`,
  (n) => `t.test('explodes on ${n}', async () => {\n  explode(${n});\n});`,
)}
`,
});

const PYTHON_LIBRARY = 'def double(n):\n    return n * 2\n\n\ndef explode(n):\n    raise TypeError(f"cannot double {n}")\n';

export const pytest = (failures) => ({
  'double.py': PYTHON_LIBRARY,
  'test_double.py': `import pytest

from double import double, explode


def test_doubles_zero():
    assert double(0) == 0


@pytest.mark.skip
def test_is_skipped():
    pass


${
  failures <= 3
    ? each(failures, (n) =>
        n === 2
          ? `def test_explodes_on_2():\n    explode(2)\n\n`
          : `def test_doubles_number_${n}():\n    assert {"value": double(${n})} == {"value": ${n} + 9000}\n\n`,
      )
    : `def test_doubles_number_1():
    assert {"value": double(1)} == {"value": 1 + 9000}


def test_explodes_on_2():
    explode(2)


@pytest.mark.parametrize("n", range(3, ${failures + 1}))
def test_doubles_number(n):
    assert {"value": double(n)} == {"value": n + 9000}
`
}
`,
});

export const unittest = (failures) => ({
  'double.py': PYTHON_LIBRARY,
  'test_double.py': `import unittest

from double import double, explode


class Numbers(unittest.TestCase):
    def test_a_zero(self):
        self.assertEqual(double(0), 0)

    @unittest.skip("later")
    def test_is_skipped(self):
        pass


def compare(n):
    def test(self):
        self.assertEqual({"value": double(n)}, {"value": n + 9000})
    return test


def throw(n):
    return lambda self: explode(n)


for n in range(1, ${failures + 1}):
    setattr(Numbers, f"test_number_{n:04}", throw(n) if n == 2 else compare(n))
`,
});

export const go = (failures) => ({
  'go.mod': 'module fixture\n\ngo 1.19\n',
  'double.go': 'package fixture\n\nfunc Double(n int) int { return n * 2 }\n\nfunc At(list []int, n int) int { return list[n] }\n',
  'other/other.go': 'package other\n',
  'double_test.go': `package fixture

import (
	"fmt"
	"testing"
)

func TestDoublesZero(t *testing.T) {
	if Double(0) != 0 {
		t.Fatal("zero")
	}
}

func TestIsSkipped(t *testing.T) { t.Skip("later") }

func compare(t *testing.T, n int) {
	t.Helper()
	if got, want := Double(n), n+9000; got != want {
		t.Errorf("Double(%d)\\nexpected: %d\\nreceived: %d", n, want, got)
	}
}

func TestDoublesNumber1(t *testing.T) { compare(t, 1) }
${failures > 1 ? 'func TestDoublesNumber2(t *testing.T) {\n\tt.Log("before")\n\tcompare(t, 2)\n}\n' : ''}
func TestNumbers(t *testing.T) {
	for n := 3; n <= ${failures}; n++ {
		n := n
		t.Run(fmt.Sprintf("doubles_number_%d", n), func(t *testing.T) { compare(t, n) })
	}
}
`,
});

export const cargo = (failures) => ({
  'Cargo.toml': '[package]\nname = "fixture"\nversion = "0.1.0"\nedition = "2021"\n\n[profile.test]\ndebug = 0\nopt-level = 0\n',
  'src/lib.rs': `pub fn double(n: i64) -> i64 {
    n * 2
}

pub fn explode(n: i64) -> i64 {
    panic!("cannot double {n}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_zero() {
        assert_eq!(double(0), 0);
    }

    #[test]
    #[ignore]
    fn is_skipped() {}

${each(failures, (n) =>
  n === 2
    ? '    #[test]\n    fn number_0002() {\n        explode(2);\n    }\n'
    : `    #[test]\n    fn number_${String(n).padStart(4, '0')}() {\n        assert_eq!(double(${n}), ${n} + 9000);\n    }\n`,
)}}
`,
});
