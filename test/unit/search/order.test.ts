import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { comparePaths } from '#dist/search/order.js';
import { canName, plant, rg } from '../../support/e2e-lab.js';

const SEED = 20_261_130;
const RUNS = 10_000;

/** Names that sort differently by whole paths, by UTF-16 units, by locale or with escapes. */
const NASTY = [
  'a/x',
  'a-b/x',
  'a.d/q',
  'a.txt',
  'a b/x',
  'a!/x',
  'a\u0001/x',
  'a\tb',
  'a\nb/x',
  'A/x',
  'Z',
  '_',
  '~',
  '-dash/x',
  '#hash',
  '!bang',
  '..dots',
  '.hidden/x',
  ' lead',
  'trail ',
  '12:foo',
  'b/1',
  'b/10',
  'b/2',
  'b/a/z',
  'b/a.z',
  'b/a-z',
  '\u00e9/x',
  'e\u0301/x',
  '\u4e2d/x',
  '\uffee',
  '\ue000private',
  '\u{1f600}',
  '\u{10ffff}/deep/er',
  '\ufffd',
  '[x]/{y}',
  'back\\slash',
  'q"uote',
  'st*r',
];

const component = fc.string({
  unit: fc.constantFrom('a', 'b', '-', '.', '!', '\u0001', ' ', 'A', '\u00e9', '\uffff', '\ue000', '\u{1f600}', '\u{10000}'),
  minLength: 1,
  maxLength: 4,
});
const path = fc.array(component, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));

/** The rule as PRODUCT.md states it, written apart from the one that is tested. */
function byComponents(a: string, b: string): number {
  const left = a.split('/');
  const right = b.split('/');
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const order = Buffer.compare(Buffer.from(left[i]!), Buffer.from(right[i]!));
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

test('orders a tree of nasty names exactly as rg --sort path walks it', { skip: !canName && 'such names cannot be made here' }, () => {
  const dir = plant(Object.fromEntries(NASTY.map((name) => [name, 'x\n'])));
  const walked = rg(dir, ['--files', '--hidden', '--no-ignore', '--null', '--sort', 'path', './'])
    .stdout.split('\0')
    .filter((name) => name !== '')
    .map((name) => name.replace(/^\.\//, ''));
  assert.equal(walked.length, NASTY.length);
  assert.deepEqual([...walked].reverse().sort(comparePaths), walked);
});

test('compares component by component, each by its UTF-8 bytes', () => {
  const rows: [string, string][] = [
    ['a/x', 'a-b/x'],
    ['a-b/x', 'a.d/q'],
    ['a.d/q', 'a.txt'],
    ['a', 'a/x'],
    ['a/x', 'a\u0001'],
    ['Z', 'a'],
    ['b/10', 'b/2'],
    ['\uffff', '\u{10000}'],
    ['\ue000', '\u{1f600}'],
  ];
  for (const [first, second] of rows) {
    assert.ok(comparePaths(first, second) < 0, `${first} before ${second}`);
    assert.ok(comparePaths(second, first) > 0, `${second} after ${first}`);
  }
});

test(`agrees with a comparison by components (${RUNS} runs, seed ${SEED})`, () => {
  fc.assert(
    fc.property(path, path, (a, b) => {
      assert.equal(Math.sign(comparePaths(a, b)), Math.sign(byComponents(a, b)));
    }),
    { seed: SEED, numRuns: RUNS },
  );
});

test(`is a total order: antisymmetric, transitive, and zero only for equal paths (${RUNS} runs, seed ${SEED})`, () => {
  fc.assert(
    fc.property(path, path, path, (a, b, c) => {
      assert.equal(Math.sign(comparePaths(a, b)), -Math.sign(comparePaths(b, a)) + 0);
      assert.equal(comparePaths(a, b) === 0, a === b);
      const [x, y, z] = [a, b, c].sort(comparePaths);
      assert.ok(comparePaths(x!, y!) <= 0 && comparePaths(y!, z!) <= 0 && comparePaths(x!, z!) <= 0);
    }),
    { seed: SEED, numRuns: RUNS },
  );
});
