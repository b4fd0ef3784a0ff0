import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FolderCounter } from '#dist/search/folder-sizes.js';
import { Dice } from '../../support/e2e-lab.js';

test('a folder counts all files below it, in whatever order they come', () => {
  for (const seed of [1, 2, 3]) {
    const dice = new Dice(seed);
    const paths = Array.from({ length: 3_000 }, (_, i) => `${['a', 'a/b', 'a/b/c', 'd', ''][dice.int(0, 4)]}/f${i}`.replace(/^\//, ''));
    const counter = new FolderCounter();
    for (const path of paths) counter.add(path);
    const sizes = counter.sizes();
    for (const folder of ['a', 'a/b', 'a/b/c', 'd'])
      assert.equal(sizes.of(folder), paths.filter((path) => path.startsWith(`${folder}/`)).length);
    assert.equal(sizes.of(''), 3_000, 'the root is a folder as well');
  }
});

test('small folders and files are few', () => {
  const counter = new FolderCounter();
  for (let i = 0; i < 10; i++) counter.add(`small/f${i}`);
  const sizes = counter.sizes();
  assert.ok(sizes.of('small') < 50);
  assert.ok(sizes.of('small/f1') < 50);
});

test('names that begin alike are different folders', () => {
  const counter = new FolderCounter();
  for (let i = 0; i < 100; i++) counter.add(`lib/f${i}`);
  for (let i = 0; i < 60; i++) counter.add(`lib-x/f${i}`);
  const sizes = counter.sizes();
  assert.deepEqual([sizes.of('lib'), sizes.of('lib-x')], [100, 60]);
});
