import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { editDistance, nearest } from '#dist/base/near.js';

const SEED = 20_261_130;

const distances: [string, string, number][] = [
  ['', '', 0],
  ['', 'abc', 3],
  ['abc', '', 3],
  ['abc', 'abc', 0],
  ['kitten', 'sitting', 3],
  ['flaw', 'lawn', 2],
  ['ab', 'ba', 1],
];
for (const [a, b, distance] of distances) {
  test(`from "${a}" to "${b}" it is ${distance} edits`, () => assert.equal(editDistance(a, b), distance));
}

test(`the edit distance is a metric (seed ${SEED})`, () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
  fc.assert(
    fc.property(word, word, word, (a, b, c) => {
      assert.equal(editDistance(a, b), editDistance(b, a));
      assert.equal(editDistance(a, b) === 0, a === b);
      assert.ok(editDistance(a, c) <= editDistance(a, b) + editDistance(b, c));
      assert.ok(editDistance(a, b) <= Math.max(a.length, b.length));
    }),
    { seed: SEED, numRuns: 1_000 },
  );
});

const finds: [string, string, string[], string[]][] = [
  ['a swapped letter', 'patern', ['pattern', 'path', 'scope'], ['pattern']],
  ['another case and separator', 'max_matches', ['maxMatches', 'maxChars'], ['maxMatches']],
  ['a part of a name', 'match', ['maxMatches', 'scope'], ['maxMatches']],
  ['a name with more around it', 'search_text_tool', ['search_text', 'list_files'], ['search_text']],
  ['the best first', 'roat', ['roads', 'root', 'roa'], ['roa', 'root']],
  ['equals in alphabetical order', 'aa', ['ac', 'ab'], ['ab', 'ac']],
  ['nothing that is far off', 'pattern', ['globs', 'cursor'], []],
  ['nothing of nothing', 'x', [], []],
];
for (const [title, name, names, expected] of finds) {
  test(`finds ${title}`, () => assert.deepEqual(nearest(name, names), expected));
}

test('no more names are offered than asked for', () => {
  assert.equal(nearest('aa', ['ab', 'ac', 'ad', 'ae']).length, 3);
  assert.deepEqual(nearest('aa', ['ab', 'ac', 'ad', 'ae'], 1), ['ab']);
});
