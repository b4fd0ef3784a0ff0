import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Smallest } from '#dist/search/smallest.js';

const SEED = 20_261_130;
const RUNS = 5_000;
const byNumber = (a: number, b: number): number => a - b;

test(`keeps exactly what sorting and cutting would keep (${RUNS} runs, seed ${SEED})`, () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { maxLength: 400 }), fc.integer({ min: 0, max: 20 }), (items, limit) => {
      const first = new Smallest<number>(limit, byNumber);
      for (const item of items) first.add(item);
      assert.deepEqual(first.sorted(), [...items].sort(byNumber).slice(0, limit));
    }),
    { seed: SEED, numRuns: RUNS },
  );
});

test('goes on after it was asked, with the same result as if it had not been', () => {
  const first = new Smallest<number>(3, byNumber);
  for (const item of [5, 4, 9]) first.add(item);
  assert.deepEqual([...first.sorted()], [4, 5, 9]);
  for (const item of [1, 8, 7]) first.add(item);
  assert.deepEqual([...first.sorted()], [1, 4, 5]);
});

test('of equal items the earliest are kept', () => {
  const first = new Smallest<{ key: number; name: string }>(2, (a, b) => a.key - b.key);
  for (const name of ['a', 'b', 'c']) first.add({ key: 1, name });
  assert.deepEqual(
    first.sorted().map(({ name }) => name),
    ['a', 'b'],
  );
});

test('a million items pass by without being held', () => {
  let compared = 0;
  const first = new Smallest<number>(10, (a, b) => {
    compared++;
    return a - b;
  });
  for (let i = 0; i < 1_000_000; i++) first.add((i * 7_919) % 1_000_003);
  assert.deepEqual(first.sorted(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  assert.ok(compared < 40_000_000, `${compared} comparisons`);
});
