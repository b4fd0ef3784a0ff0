/** The table of hits: growth, files that are dropped, records that do not fit, sets of terms. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HitTable } from '#dist/ranking/hits.js';
import { type Held, parseTerms } from '#dist/ranking/terms.js';

const { terms } = parseTerms('alpha beta gamma');
const held = (...pairs: [term: number, weight: number][]): Held => ({
  terms: pairs.map(([term]) => term),
  weights: pairs.map(([, weight]) => weight),
  mask: pairs.reduce((mask, [term]) => mask | (1 << term), 0),
});
const frequenciesOf = (table: HitTable, file: number): number[] => terms.map((_, term) => table.frequency(file, term));

const setsOf = (table: HitTable, file: number): [mask: number, times: number][] => {
  const sets: [number, number][] = [];
  table.eachSet(file, (mask, times) => sets.push([mask, times]));
  return sets;
};

test('records stand per file, with line, term and weight, and frequencies are their sums', () => {
  const table = new HitTable(terms, 100);
  table.begin('a.ts');
  table.add(3, held([0, 1], [1, 0.7]), 1);
  table.add(9, held([0, 0.7]), 0.85);
  table.end(500);
  table.begin('b.ts');
  table.add(1, held([2, 1]), 1.3);
  table.end(20);
  assert.equal(table.size, 4);
  assert.deepEqual(
    [0, 1, 2, 3].map((record) => [table.line(record), table.term(record)]),
    [
      [3, 0],
      [3, 1],
      [9, 0],
      [1, 2],
    ],
  );
  // 0.7 * 0.85 = 0.595, kept as hundredths: 0.6 (59.5 is rounded up)
  assert.deepEqual(
    [0, 1, 2, 3].map((record) => table.weight(record)),
    [1, 0.7, 0.6, 1.3],
  );
  assert.deepEqual(frequenciesOf(table, 0), [1.6, 0.7, 0]);
  assert.deepEqual(frequenciesOf(table, 1), [0, 0, 1.3]);
  assert.deepEqual(
    [0, 1].map((file) => [table.path(file), table.from(file), table.to(file), table.bytes(file)]),
    [
      ['a.ts', 0, 3, 500],
      ['b.ts', 3, 4, 20],
    ],
  );
});

test('terms that stand as a whole identifier are flagged, those that are parts are not', () => {
  const table = new HitTable(terms, 100);
  table.begin('a.ts');
  table.add(1, held([0, 1], [1, 0.7]), 0.85);
  table.add(2, held([2, 1.5]), 1);
  assert.equal(table.wholes(0), 0b101);
});

test('sets of two terms and more are counted per identifier, by the factor of their line', () => {
  const table = new HitTable(terms, 100);
  table.begin('a.ts');
  table.add(1, held([0, 1]), 1);
  table.add(2, held([0, 0.7], [1, 0.7]), 1);
  table.add(3, held([0, 0.7], [1, 0.7]), 0.5);
  table.add(4, held([0, 0.7], [1, 0.7], [2, 0.7]), 1);
  assert.deepEqual(setsOf(table, 0), [
    [0b011, 1.5],
    [0b111, 1],
  ]);
});

test('no more than 32 sets are told apart in a file, and those that are known go on counting', () => {
  const many = parseTerms(Array.from({ length: 31 }, (_, i) => `word${i}`).join(' ')).terms;
  const table = new HitTable(many, 10_000);
  table.begin('a.ts');
  for (let a = 0; a < 20; a++) for (let b = a + 1; b < 20; b++) table.add(1, held([a, 1], [b, 1]), 1);
  table.add(2, held([0, 1], [1, 1]), 1);
  const sets = setsOf(table, 0);
  assert.equal(sets.length, 32);
  assert.equal(sets.find(([mask]) => mask === 0b11)?.[1], 2);
});

test('the table grows over its first blocks, in records and in files, and keeps what it has', () => {
  const table = new HitTable(terms, 1_000_000);
  for (let file = 0; file < 6_000; file++) {
    table.begin(`f${file}`);
    for (let line = 1; line <= 5; line++) table.add(line + file, held([line % 3, 1]), 1);
    table.end(file);
  }
  assert.equal(table.size, 30_000);
  assert.equal(table.dropped, 0);
  for (const file of [0, 1, 1_637, 1_638, 1_639, 2_730, 2_731, 5_999]) {
    const from = table.from(file);
    assert.deepEqual(
      [0, 1, 2, 3, 4].map((record) => table.line(from + record)),
      [1, 2, 3, 4, 5].map((line) => line + file),
    );
    assert.deepEqual(frequenciesOf(table, file), [1, 2, 2]);
  }
});

test('records over the bound are counted as dropped, and their words still count in the frequencies', () => {
  const table = new HitTable(terms, 3);
  table.begin('a.ts');
  for (let line = 1; line <= 5; line++) table.add(line, held([1, 1]), 1);
  table.end(1);
  assert.deepEqual([table.size, table.dropped], [3, 2]);
  assert.deepEqual(frequenciesOf(table, 0), [0, 5, 0]);
  assert.equal(table.to(0), 3);
  table.begin('b.ts');
  table.add(1, held([1, 1]), 1);
  assert.ok(table.hasHit, 'a file without a record counts too');
});

test('a file that is dropped leaves nothing behind', () => {
  const table = new HitTable(terms, 100);
  table.begin('a.ts');
  table.add(1, held([0, 1]), 1);
  table.begin('b.ts');
  table.add(1, held([1, 1], [2, 1]), 1);
  table.drop();
  table.begin('c.ts');
  assert.deepEqual(table.paths, ['a.ts', 'c.ts']);
  assert.equal(table.size, 1);
  assert.deepEqual(frequenciesOf(table, 1), [0, 0, 0]);
});

test('a hit without a file, and an end without one, are passed over', () => {
  const table = new HitTable(terms, 100);
  table.add(1, held([0, 1]), 1);
  table.end(4);
  table.drop();
  assert.equal(table.size, 0);
});

test('a great weight stays within what is kept', () => {
  const table = new HitTable(terms, 100);
  table.begin('a.ts');
  table.add(1, held([0, 9]), 1);
  assert.equal(table.weight(0), 2.55);
  assert.equal(table.frequency(0, 0), 2.55);
});
