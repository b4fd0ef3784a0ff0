/** The counting pass: after a page that has the processors first, and never longer than it may. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterHeadStart, countMatches } from '#dist/search/counting.js';
import { toRipgrep } from '#dist/search/reading.js';
import { passesOf, readRootRules, select } from '#dist/search/selection.js';
import { type Lab, openLab, plant } from '../../support/e2e-lab.js';

const QUERY = toRipgrep({
  pattern: 'needle',
  isLiteral: true,
  ignoreCase: false,
  word: false,
  multiline: false,
  binary: false,
  context: 0,
  encoding: undefined,
  isFirstOnly: false,
});

async function count(lab: Lab, limitMs: number, asksWholeWord: boolean) {
  const { parts } = lab;
  const context = await lab.context();
  const [selection, rules] = [await select({}, parts.ripgrep, context), await readRootRules(context.root, parts.scan, parts.limits)];
  const passes = passesOf(selection, rules, context.root, { isSorted: false, main: 'all' });
  return countMatches(parts.ripgrep, passes, QUERY, context, { limitMs, asksWholeWord });
}

test('counts lines in every file, and those with whole words where that is asked for', async () => {
  const dir = plant({ 'a.txt': 'needle needle\nneedles\n', 'b/c.txt': 'needles\n', 'none.txt': 'x\n' });
  const { files, ...rest } = await count(openLab(dir), 5_000, true);
  assert.deepEqual(
    [...files].sort((a, b) => (a.path < b.path ? -1 : 1)),
    [
      { path: 'a.txt', hits: 2 },
      { path: 'b/c.txt', hits: 1 },
    ],
  );
  assert.deepEqual(rest, { hits: 3, isWhole: true, wholeWord: 1, limitMs: 5_000 });
  assert.equal((await count(openLab(dir), 5_000, false)).wholeWord, undefined);
});

test('files that .csignore includes again are counted once', async () => {
  const dir = plant({ '.gitignore': 'gen\n', '.csignore': '!gen\n', 'gen/a.txt': 'needle\n', 'b.txt': 'needle\n' });
  const { files, hits } = await count(openLab(dir), 5_000, false);
  assert.deepEqual([files.map(({ path }) => path).sort(), hits], [['b.txt', 'gen/a.txt'], 2]);
});

test('what has no time is not whole', async () => {
  const dir = plant(Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`f${n}.txt`, 'needle\n'.repeat(2_000)])));
  const { isWhole, wholeWord, hits, limitMs } = await count(openLab(dir), 1, true);
  assert.deepEqual([isWhole, wholeWord, limitMs], [false, undefined, 1]);
  assert.ok(hits < 1_000_000);
});

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test('a page that is there leaves the whole time', async () => {
  const left = await afterHeadStart(Promise.resolve(), 10_000);
  assert.ok(left > 9_000, `${left}`);
});

test('a page that takes long is waited for only a part of the time', async () => {
  const page = after(2_000);
  const left = await afterHeadStart(page, 500);
  assert.ok(left > 100 && left <= 400, `${left}`);
  await page;
});

test('after a page that failed nothing is counted', async () => {
  await assert.rejects(afterHeadStart(Promise.reject(new Error('no page')), 500), /no page/);
});
