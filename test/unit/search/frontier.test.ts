/** The place that a search in path order has reached, over real folders. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inPart } from '#dist/ripgrep/part.js';
import { Frontier } from '#dist/search/frontier.js';
import { Root } from '#dist/security/root.js';
import { Dice, plant } from '../../support/e2e-lab.js';
import { comparePaths } from '../../support/replies.js';

const TREE = ['a/x/1', 'a/x/2', 'a/y', 'a-b/1', 'a.d/1', 'b/1', 'b/2', 'c'];
const open = async (dir: string, folder = '', from?: string, most = 1_000): Promise<Frontier | undefined> =>
  Frontier.open(await Root.open(dir, { allowSecrets: false }), folder, from, most);
const treeOf = (paths: readonly string[]): string => plant(Object.fromEntries(paths.map((path) => [path, ''])));

test('entries come in path order, and a folder that is entered before what follows it', async () => {
  const frontier = await open(treeOf(TREE));
  assert.ok(frontier);
  assert.equal(frontier.place, 'a');
  assert.ok(await frontier.enter());
  assert.equal(frontier.place, 'a/x');
  const part = frontier.peek(1);
  assert.deepEqual([part.folder, [...part.names]], ['a', ['x']]);
  assert.deepEqual([...(part.besides ?? [])].sort(), ['a-b', 'a.d', 'a/y', 'b', 'c']);
  frontier.pass(2);
  assert.equal(frontier.place, 'a-b');
  frontier.pass(4);
  assert.equal(frontier.place, undefined);
});

for (const seed of [1, 2, 3, 4]) {
  test(`however it is divided, every file lies in exactly one part, and what comes before the place is covered (seed ${seed})`, async () => {
    const dice = new Dice(seed);
    const name = (): string => dice.pick(['a', 'a-b', 'a.d', 'B', '.h', 'é', '[z]', '!n', 'new\nline', ' s']);
    const paths = [...new Set(Array.from({ length: 40 }, (_, i) => `${dice.many(0, 3, () => `${name()}/`).join('')}${name()}${i}`))];
    const dir = treeOf(paths);
    let from: string | undefined;
    const covered: string[] = [];
    for (;;) {
      // Each page begins anew, as another process would.
      const frontier = await open(dir, '', from);
      assert.ok(frontier);
      for (let steps = dice.int(1, 4); steps > 0 && frontier.place !== undefined; steps--) {
        if (dice.chance(0.4) && (await frontier.enter())) continue;
        const most = dice.int(1, 5);
        const part = frontier.peek(most);
        covered.push(...paths.filter(inPart(part)));
        frontier.pass(part.names.size);
      }
      from = frontier.place;
      if (from === undefined) break;
      for (const path of paths) assert.equal(covered.includes(path), comparePaths(path, from) < 0, `${path} at ${from}`);
    }
    assert.deepEqual(covered.sort(comparePaths), paths.sort(comparePaths));
  });
}

test('a place that is gone, has become a file, or lies behind everything is no trouble', async () => {
  const dir = treeOf(TREE);
  for (const [from, place] of [
    ['a/x/15', 'a/x/2'],
    ['a/zz', 'a-b'],
    ['c/no/more', 'c'],
    ['aa/b', 'b'],
    ['zzz', undefined],
  ] as const)
    assert.equal((await open(dir, '', from))?.place, place, from);
});

test('a folder with too many entries is not divided', async () => {
  const dir = treeOf(Array.from({ length: 20 }, (_, i) => `many/f${i}`));
  const frontier = await open(dir, '', undefined, 10);
  assert.equal(await frontier?.enter(), false);
  assert.equal(frontier?.place, 'many');
  assert.equal(await open(dir, 'many', undefined, 10), undefined);
});

test('within a scope nothing above or beside it is part of anything', async () => {
  const frontier = await open(treeOf(TREE), 'a');
  assert.equal(frontier?.place, 'a/x');
  assert.deepEqual([...(frontier?.peek(5).besides ?? [])].sort(), ['a-b', 'a.d', 'b', 'c']);
  frontier?.pass(2);
  assert.equal(frontier?.place, undefined);
});
