/** How much the next part takes: with and without known sizes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Deadline } from '#dist/base/deadline.js';
import { Pace, type PaceOptions, type Sizes, type Stock } from '#dist/search/pace.js';

/** A tree of folders: how many files each has, or the folders and files in it (0 is a file). */
type Tree = number | { readonly [name: string]: Tree };
const filesIn = (tree: Tree): number =>
  typeof tree === 'number' ? Math.max(1, tree) : Object.values(tree).reduce((sum: number, one) => sum + filesIn(one), 0);

function sizesOf(tree: Tree): Sizes {
  const files = new Map<string, number>();
  const visit = (path: string, at: Tree): void => {
    if (at === 0) return;
    files.set(path, filesIn(at));
    if (typeof at === 'object') for (const [name, one] of Object.entries(at)) visit(path === '' ? name : `${path}/${name}`, one);
  };
  visit('', tree);
  return { of: (folder) => files.get(folder) ?? 0 };
}

/** What lies ahead in such a tree, as a frontier tells it. */
class Woods implements Stock {
  readonly taken: string[] = [];
  readonly #levels: { readonly folder: string; readonly names: string[]; readonly tree: { readonly [name: string]: Tree } }[];

  constructor(tree: { readonly [name: string]: Tree }) {
    this.#levels = [{ folder: '', names: Object.keys(tree), tree }];
  }

  get #level() {
    while (this.#levels.length > 1 && this.#levels.at(-1)?.names.length === 0) this.#levels.pop();
    return this.#levels.at(-1)!;
  }

  get passed(): number {
    return this.taken.length;
  }

  get ahead() {
    const { folder, names, tree } = this.#level;
    return names.map((name) => ({ path: folder === '' ? name : `${folder}/${name}`, isFolder: tree[name] !== 0 }));
  }

  pass(entries: number): void {
    for (const { path } of this.ahead.slice(0, entries)) this.taken.push(path);
    this.#level.names.splice(0, entries);
  }

  async enter(): Promise<boolean> {
    const { folder, names, tree } = this.#level;
    const [name = ''] = names;
    const inner = tree[name];
    if (typeof inner !== 'object') return false;
    names.shift();
    this.#levels.push({ folder: folder === '' ? name : `${folder}/${name}`, names: Object.keys(inner), tree: inner });
    return true;
  }
}

const many = (folders: number, files: number): { [name: string]: Tree } =>
  Object.fromEntries(Array.from({ length: folders }, (_, i) => [`d${i}`, files]));
const paceOf = (options: Partial<PaceOptions>, limitMs = 60_000): Pace =>
  new Pace({ deadline: new Deadline(limitMs), sizes: sizesOf({}), rate: undefined, ...options });
/** The paths that the next part takes. */
async function next(pace: Pace, tree: { readonly [name: string]: Tree }): Promise<readonly string[]> {
  const woods = new Woods(tree);
  await pace.fill(woods);
  return woods.taken;
}
const countOf = async (pace: Pace, tree: { readonly [name: string]: Tree }): Promise<number> => (await next(pace, tree)).length;

test('as long as nothing is known: twice as many files after a part that was too quick to tell', async () => {
  const tree = many(800, 100);
  const pace = paceOf({ sizes: sizesOf(tree) });
  const first = await countOf(pace, tree);
  pace.covered(2);
  assert.equal(await countOf(pace, tree), first * 2);
  pace.covered(2);
  assert.equal(await countOf(pace, tree), first * 4);
});

test('a rate that was worked out of nothing counts as unknown', async () => {
  const tree = many(800, 100);
  const first = await countOf(paceOf({ sizes: sizesOf(tree) }), tree);
  for (const rate of [0, Number.NaN, Number.POSITIVE_INFINITY, -1]) {
    const pace = paceOf({ sizes: sizesOf(tree), rate });
    assert.equal(await countOf(pace, tree), first, `${rate}`);
    assert.ok(pace.risked.limitMs > 1_000, `${rate}`);
  }
});

test('a part that was not filled by the rate says nothing of it', () => {
  const pace = paceOf({});
  pace.covered(500);
  assert.equal(pace.rate, undefined);
});

test('folders that are said to be empty are taken fewer at a time after a cut, since they may have been filled', async () => {
  const tree = many(900, 1);
  const pace = paceOf({ sizes: { of: () => 0 }, rate: 10 }, 1_000);
  let before = await countOf(pace, tree);
  for (let turn = 0; turn < 5; turn++) {
    pace.failed(pace.risked.limitMs);
    const after = await countOf(pace, tree);
    assert.ok(after < before || after === 1, `${after} after ${before}`);
    before = after;
  }
});

test('a first part that was cut tells a rate as well: the next one is much smaller', async () => {
  const tree = many(40, 50);
  const pace = paceOf({ sizes: sizesOf(tree) }, 500);
  const before = await countOf(pace, tree);
  pace.failed(400);
  assert.ok((await countOf(pace, tree)) < before / 2);
});

test('first as many as their files fit into a quarter of the limit, then into a third', async () => {
  // 1 file a millisecond, 60,000 ms: hardly less than 15,000 files, since ripgrep has to start.
  const tree = many(40, 1_900);
  const pace = paceOf({ sizes: sizesOf(tree), rate: 1 });
  assert.equal(await countOf(pace, tree), 7);
  pace.covered(14_000);
  assert.equal(await countOf(pace, tree), 10);
});

test('a part goes on above the folder that it begins in, and into one that does not fit as a whole', async () => {
  const tree = { a: { x: 6_000, y: 0 }, b: { p: 4_000, q: { r: 3_000, s: 30_000 } }, c: 9_000 };
  const pace = paceOf({ sizes: sizesOf(tree), rate: 1 });
  const woods = new Woods(tree);
  await woods.enter();
  await pace.fill(woods);
  assert.deepEqual(woods.taken, ['a/x', 'a/y', 'b/p', 'b/q/r']);
});

test('what is nearly full is not filled up out of one more folder', async () => {
  const tree = { a: 12_000, b: { p: 1_000, q: 9_000 } };
  assert.deepEqual(await next(paceOf({ sizes: sizesOf(tree), rate: 1 }), tree), ['a']);
});

test('what is too much and cannot be divided is a part of its own', async () => {
  const tree = { a: 20_000, b: 1 };
  assert.deepEqual(await next(paceOf({ sizes: sizesOf(tree), rate: 1 }), tree), ['a']);
});

test('a rate that was wrong is corrected by what parts take', async () => {
  const tree = many(40, 2_000);
  const pace = paceOf({ sizes: sizesOf(tree), rate: 1 });
  const before = await countOf(pace, tree);
  for (let parts = 0; parts < 2; parts++) pace.covered(60_000);
  assert.ok((await countOf(pace, tree)) < before);
  pace.failed(60_000);
  assert.ok((await countOf(pace, tree)) <= 2);
});

test('without a rate the first part tells it', async () => {
  const tree = many(4_000, 100);
  const pace = paceOf({ sizes: sizesOf(tree) });
  const taken = await countOf(pace, tree);
  // A third of the limit at the rate that it had, without what the start of ripgrep takes.
  pace.covered(1_000);
  const ratio = (await countOf(pace, tree)) / taken;
  assert.ok(ratio >= 20 && ratio < 20.5, `${ratio}`);
});

test('files that cost nothing, since they are ignored, do not make the parts after them much too large', async () => {
  const tree = many(4_000, 100);
  const pace = paceOf({ sizes: sizesOf(tree), rate: 1 });
  const taken = await countOf(pace, tree);
  pace.covered(20);
  assert.ok((await countOf(pace, tree)) < taken * 3);
});

test('no further part is begun when time is nearly over, or when one has failed and little is left', async () => {
  const tree = many(40, 1);
  assert.equal(await countOf(paceOf({}, 10), tree), 0);
  const pace = paceOf({ sizes: sizesOf(tree) }, 200);
  pace.covered(10);
  pace.failed(10);
  assert.notEqual(await countOf(pace, tree), 0);
  await new Promise((resolve) => setTimeout(resolve, 140));
  assert.equal(await countOf(pace, tree), 0);
});

test('a part never gets more time than there is', async () => {
  const tree = many(40, 50);
  for (const rate of [undefined, 0.001, 1_000]) {
    const deadline = new Deadline(500);
    const pace = paceOf({ deadline, sizes: sizesOf(tree), rate });
    await next(pace, tree);
    assert.ok(pace.risked.remainingMs <= deadline.remainingMs + 1);
  }
});

test('a part that failed makes the next one smaller, also where another page begins with the rate that it left', async () => {
  const tree = many(40, 2_000);
  let rate: number | undefined = 10;
  let entries = Number.POSITIVE_INFINITY;
  for (let page = 0; page < 10 && entries > 1; page++) {
    const pace = paceOf({ sizes: sizesOf(tree), rate }, 10_000);
    const taken = await countOf(pace, tree);
    assert.ok(taken <= entries && taken >= 1);
    entries = taken;
    pace.failed(1_000);
    rate = pace.rate;
  }
  assert.equal(entries, 1);
});
