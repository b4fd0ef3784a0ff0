import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mostEdits, NearWords } from '#dist/search/near-words.js';

test('one edit up to 4 letters, two up to 12, else three', () => {
  assert.deepEqual([1, 4, 5, 12, 13, 30].map(mostEdits), [1, 1, 2, 2, 3, 3]);
});

const cases: [title: string, wanted: string, line: string, nearest: string[]][] = [
  ['a letter too few', 'conection', 'the connection is closed', ['connection']],
  ['a part of an identifier', 'conection', 'closeConnectionNow()', ['connection']],
  ['nearest first, then the most frequent', 'tokne', 'token tokens tokens', ['token', 'tokens']],
  ['two edits in four letters are too many', 'abcd', 'abxy', []],
  ['a word behind an escape', 'refussed', 'a\\trefused', ['refused']],
];
for (const [title, wanted, line, nearest] of cases) {
  test(`near words: ${title}`, () => {
    const words = new NearWords(wanted, 100);
    words.add(line);
    assert.deepEqual(words.nearest(5), nearest);
  });
}

test('numbers and very short words have no near spelling', () => {
  for (const word of ['503', 'v2', 'ab']) assert.ok(new NearWords(word, 100).isHopeless, word);
  assert.ok(!new NearWords('abc', 100).isHopeless);
});
