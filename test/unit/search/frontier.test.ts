/** The place that a search in path order has reached, over real folders. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inPart, type Part } from '#dist/ripgrep/part.js';
import { Frontier } from '#dist/search/frontier.js';
import { Root } from '#dist/security/root.js';
import { Dice, plant } from '../../support/e2e-lab.js';
import { comparePaths } from '../../support/replies.js';

const TREE = ['a/x/1', 'a/x/2', 'a/y', 'a-b/1', 'a.d/1', 'b/1', 'b/2', 'c'];
const open = async (dir: string, folder = '', from?: string, most = 1_000): Promise<Frontier | undefined> =>
  Frontier.open(await Root.open(dir, { allowSecrets: false }), folder, from, most);
const shown = ({ names, besides }: Part): unknown[] => [
  Object.fromEntries([...names].map(([folder, some]) => [folder, [...some]])),
  [...(besides ?? [])].sort(),
];
const take = (frontier: Frontier, entries: number): unknown[] => {
  frontier.begin();
  frontier.pass(entries);
  return shown(frontier.part());
};
const treeOf = (paths: readonly string[]): string => plant(Object.fromEntries(paths.map((path) => [path, ''])));

test('entries come in path order, and a folder that is entered before what follows it', async () => {
  const frontier = await open(treeOf(TREE));
  assert.ok(frontier);
  assert.equal(frontier.place, 'a');
  assert.ok(await frontier.enter());
  assert.equal(frontier.place, 'a/x');
  assert.deepEqual(take(frontier, 1), [{ a: ['x'] }, ['a-b', 'a.d', 'a/y', 'b', 'c']]);
  assert.deepEqual(take(frontier, 1), [{ a: ['y'] }, ['a-b', 'a.d', 'a/x', 'b', 'c']]);
  assert.equal(frontier.place, 'a-b');
  take(frontier, 4);
  assert.equal(frontier.place, undefined);
});

test('a part may begin and end within folders', async () => {
  const frontier = await open(treeOf(TREE), '', 'a/x/2');
  assert.ok(frontier);
  frontier.begin();
  for (const entries of [1, 1, 2]) frontier.pass(entries);
  assert.ok(await frontier.enter());
  frontier.pass(1);
  assert.equal(frontier.passed, 5);
  assert.equal(frontier.place, 'b/2');
  const expected = [{ 'a/x': ['2'], a: ['y'], '': ['a-b', 'a.d'], b: ['1'] }, ['a/x/1', 'b/2', 'c']];
  assert.deepEqual(shown(frontier.part()), expected);
});

test('going back is going to the first entry of the part, whatever was entered since', async () => {
  const frontier = await open(treeOf(TREE));
  assert.ok(frontier);
  frontier.begin();
  assert.ok(await frontier.enter());
  frontier.pass(2);
  frontier.pass(2);
  assert.ok(await frontier.enter());
  frontier.pass(1);
  frontier.back();
  assert.deepEqual([frontier.place, frontier.passed], ['a/x', 0]);
  assert.deepEqual(take(frontier, 1), [{ a: ['x'] }, ['a-b', 'a.d', 'a/y', 'b', 'c']]);
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
      for (let parts = dice.int(1, 3); parts > 0 && frontier.place !== undefined; parts--) {
        frontier.begin();
        for (let steps = dice.int(1, 5); steps > 0 && frontier.place !== undefined; steps--) {
          if (dice.chance(0.1)) frontier.back();
          if (dice.chance(0.4) && (await frontier.enter())) continue;
          frontier.pass(dice.int(1, Math.min(5, frontier.ahead.length)));
        }
        const part: Part = frontier.part();
        const taken = paths.filter(inPart(part));
        covered.push(...taken);
        const isBeside = (path: string): boolean => part.besides?.some((one) => path === one || path.startsWith(`${one}/`)) === true;
        for (const path of paths) assert.equal(isBeside(path), !taken.includes(path), `${path} is in the part or beside it`);
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
  assert.ok(frontier);
  assert.deepEqual(take(frontier, 2), [{ a: ['x', 'y'] }, ['a-b', 'a.d', 'b', 'c']]);
  assert.equal(frontier.place, undefined);
});
