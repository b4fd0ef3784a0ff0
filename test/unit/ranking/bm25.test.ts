/** BM25 in its parts, against arithmetic by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FILE_BM25, idf, saturate, WINDOW_BM25 } from '#dist/ranking/bm25.js';

const near = (actual: number, expected: number): void => assert.ok(Math.abs(actual - expected) < 1e-6, `${actual} is not ${expected}`);

const IDF: [df: number, n: number, value: number][] = [
  [1, 4, 1.2039728], // ln(1 + 3.5 / 1.5) = ln(3.33333)
  [0, 4, Math.LN10], // ln(1 + 4.5 / 0.5) = ln(10)
  [4, 4, 0.1053605], // ln(1 + 0.5 / 4.5) = ln(1.11111)
  [50, 100, Math.LN2], // ln(1 + 50.5 / 50.5) = ln(2)
  [9, 4, 0.0512933], // more files with the term than were counted: as if n were 9, ln(1 + 0.5 / 9.5)
];
for (const [df, n, value] of IDF) test(`a term in ${df} of ${n} files tells ${value}`, () => near(idf(df, n), value));

const SATURATED: [tf: number, ratio: number, k1: number, b: number, value: number][] = [
  [0, 1, 1.2, 0.75, 0],
  [1, 1, 1.2, 0.75, 1], // 2.2 / (1 + 1.2 * 1)
  [2, 1, 1.2, 0.75, 1.375], // 4.4 / (2 + 1.2)
  [1, 3, 1.2, 0.5, 0.6470588], // 2.2 / (1 + 1.2 * (0.5 + 1.5)) = 2.2 / 3.4
  [1, 0, 1.2, 0.5, 1.375], // 2.2 / (1 + 1.2 * 0.5) = 2.2 / 1.6
  [1, 9, 1.2, 0, 1], // b 0: the size does not count
  [0.5, 1, 2, 1, 0.6], // 1.5 / (0.5 + 2)
];
for (const [tf, ratio, k1, b, value] of SATURATED) {
  test(`${tf} occurrences in a text of ${ratio} times the mean size saturate to ${value} with k1 ${k1} and b ${b}`, () =>
    near(saturate(tf, ratio, { k1, b }), value));
}

test('more occurrences tell more, but never more than k1 + 1', () => {
  let before = 0;
  for (const tf of [0.5, 1, 2, 5, 50, 1e6]) {
    const now = saturate(tf, 1, FILE_BM25);
    assert.ok(now > before && now < FILE_BM25.k1 + 1);
    before = now;
  }
});

test('a rarer term tells more, a larger file less, and windows have no size', () => {
  assert.ok(idf(1, 100) > idf(2, 100) && idf(99, 100) > 0);
  assert.ok(saturate(1, 2, FILE_BM25) < saturate(1, 1, FILE_BM25));
  assert.equal(saturate(3, 7, WINDOW_BM25), saturate(3, 1, WINDOW_BM25));
});
