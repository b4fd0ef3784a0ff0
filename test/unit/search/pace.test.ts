/** How many entries the next part takes: with and without known sizes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Deadline } from '#dist/base/deadline.js';
import { FolderSizes } from '#dist/search/folder-sizes.js';
import { Pace } from '#dist/search/pace.js';

const PATHS = Array.from({ length: 40 }, (_, i) => `d${i}`);
const sizesOf = (files: number, of: readonly string[] = PATHS): FolderSizes =>
  new FolderSizes(new Map(of.map((path) => [path, files])), files * of.length);

test('without sizes: twice as many after a quick part, a quarter after one that was cut', () => {
  const pace = new Pace({ deadline: new Deadline(60_000), entries: 4, sizes: undefined, rate: undefined });
  assert.equal(pace.next(PATHS), 4);
  pace.covered(4, 10);
  assert.equal(pace.next(PATHS), 8);
  pace.covered(8, 10);
  assert.equal(pace.next(PATHS), 16);
  pace.failed(16);
  assert.equal(pace.next(PATHS), 4);
  pace.entered();
  assert.equal(pace.next(PATHS.slice(0, 3)), 3);
});

test('with sizes: as many as their files fit into a quarter of the limit', () => {
  // 1 file a millisecond, 60,000 ms: 15,000 files a part.
  const pace = new Pace({ deadline: new Deadline(60_000), entries: 4, sizes: sizesOf(2_000), rate: 1 });
  assert.equal(pace.next(PATHS), 7);
});

test('with sizes: what is too much for any part is to be divided', () => {
  const pace = new Pace({ deadline: new Deadline(60_000), entries: 4, sizes: sizesOf(20_000), rate: 1 });
  assert.equal(pace.next(PATHS), 0);
});

test('with sizes: a rate that was wrong is corrected by what parts take', () => {
  const pace = new Pace({ deadline: new Deadline(60_000), entries: 4, sizes: sizesOf(2_000), rate: 1 });
  const before = pace.next(PATHS) ?? 0;
  pace.covered(before, 60_000);
  assert.ok((pace.next(PATHS) ?? 0) < before);
  pace.failed(2);
  assert.ok((pace.next(PATHS) ?? 0) <= 2);
});

test('without a rate the first part tells it', () => {
  const pace = new Pace({ deadline: new Deadline(60_000), entries: 2, sizes: sizesOf(2_000), rate: undefined });
  assert.equal(pace.next(PATHS), 2);
  pace.covered(2, 4_000);
  assert.equal(pace.next(PATHS), 7);
});

test('no further part is begun when time is nearly over, or when one has failed and little is left', async () => {
  const short = new Pace({ deadline: new Deadline(10), entries: 4, sizes: undefined, rate: undefined });
  assert.equal(short.next(PATHS), undefined);
  const deadline = new Deadline(200);
  const pace = new Pace({ deadline, entries: 4, sizes: undefined, rate: undefined });
  pace.covered(4, 10);
  pace.failed(8);
  assert.notEqual(pace.next(PATHS), undefined);
  await new Promise((resolve) => setTimeout(resolve, 140));
  assert.equal(pace.next(PATHS), undefined);
});

test('a part never gets more time than there is', () => {
  for (const rate of [undefined, 0.001, 1_000]) {
    const deadline = new Deadline(500);
    const pace = new Pace({ deadline, entries: 4, sizes: sizesOf(50), rate });
    pace.next(PATHS);
    assert.ok(pace.risked.remainingMs <= deadline.remainingMs + 1);
  }
});

test('a part that failed makes the next one smaller, also where another page begins with the rate that it left', () => {
  let rate: number | undefined = 10;
  let entries: number | undefined;
  for (let page = 0; page < 10; page++) {
    const pace = new Pace({ deadline: new Deadline(1_000), entries: 4, sizes: sizesOf(2_000), rate });
    const next = pace.next(PATHS);
    if (entries !== undefined && next !== 0) assert.ok((next ?? 0) <= entries);
    entries = next;
    if (next === 0) return;
    pace.failed(next ?? 1);
    rate = pace.rate;
  }
  assert.fail('what is too much is divided in the end');
});
