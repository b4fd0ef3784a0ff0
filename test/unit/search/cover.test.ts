/** What a search that runs out of time promises: pages by cursor cover every file exactly once, in any process, whatever the names,
 *  rules and options, and for files that are there all the time also while others come and go. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Args, Dice, openLab, plant, put, type Tree } from '../../support/e2e-lab.js';
import { comparePaths } from '../../support/replies.js';
import { posix, slowRipgrep } from '../../support/slow-ripgrep.js';
import { FEW, nameOf, pagesInTime, pagesOfLabs, promised, TEXT, TOOLS } from '../../support/time-pages.js';

const NAMES = ['a', 'a-b', 'a.d', 'B', '.h', 'é', '\u{1f600}', '[z]', '{b}', 'q\\', '!n', '#c', 'new\nline', ' s', 't ', '*', 'z'];
const RULES = ['*.log', '!keep.log', '/B/', '**/z/*.x', '!/a/**', 'a-b', '!**/a-b/*.x', '.h', '!/*/', '!*/', '!*.ts'];

function randomTree(dice: Dice): Tree {
  const tree: Record<string, string> = {};
  const files = dice.int(25, 45);
  for (let i = 0; i < files; i++) tree[`${dice.many(0, 3, () => `${dice.pick(NAMES)}/`).join('')}${dice.pick(NAMES)}${i}.ts`] = TEXT;
  if (dice.chance(0.7)) tree['.gitignore'] = dice.many(1, 3, () => `${dice.pick(RULES)}\n`).join('');
  if (dice.chance(0.4)) tree['.csignore'] = `${dice.pick(RULES)}\n`;
  if (dice.chance(0.4)) tree['a/.gitignore'] = `${dice.pick(RULES)}\n`;
  return tree;
}

for (const [title, { args, found }] of Object.entries(TOOLS)) {
  for (const seed of [1, 2]) {
    test(`${title}: pages cut by time are the whole, each file once (seed ${seed})`, posix, async () => {
      const dice = new Dice(seed * 100 + title.length);
      const tree = randomTree(dice);
      const dir = plant(tree);
      const takesAll = title !== 'search_code' && title !== 'locate';
      const choice = dice.pick<Args>([
        {},
        { globs: ['*.ts'] },
        { scope: 'a' },
        ...(takesAll ? [{ ignored: true }, { exclude: ['**/z/**'] }] : []),
      ]);
      if (choice.scope === 'a') put(dir, 'a/deep/one.ts', TEXT);
      const reply = await openLab(dir).json(nameOf(title), { ...args, ...choice, maxChars: 50_000 });
      assert.ok(!reply.isError, reply.text);
      const whole = found(reply.data as never);
      const pages = await pagesInTime(dir, slowRipgrep(20), title, { ...args, ...choice });
      assert.deepEqual(pages.flatMap(found).sort(comparePaths), promised(pages, whole).sort(comparePaths), JSON.stringify(choice));
      if (whole.length > 25) assert.ok(pages.length > 1);
    });
  }
}

for (const title of ['search_text, matches', 'search_code', 'list_files']) {
  test(`${title}: a server that has listed the tree covers it once as well`, posix, async () => {
    const { args, found } = TOOLS[title]!;
    const dir = plant(Object.fromEntries(Array.from({ length: 45 }, (_, i) => [`d${i % 4}/${i % 3 === 0 ? 'in/' : ''}s${i}.ts`, TEXT])));
    // Names cost nothing here, so that the listing comes to its end.
    const lab = openLab(dir, { program: slowRipgrep(20, title === 'list_files' ? 20 : 0) });
    await lab.json('list_files', { maxResults: 1, timeoutMs: 10_000 });
    const whole = found((await openLab(dir).json(nameOf(title), { ...args, maxChars: 50_000 })).data as never);
    const pages = await pagesOfLabs(() => lab, title, args);
    assert.deepEqual(pages.flatMap(found).sort(comparePaths), promised(pages, whole).sort(comparePaths));
    assert.ok(pages.length > 1);
  });
}

test('a large folder that is ignored costs a walk little, and loses nothing', posix, async () => {
  const files = Array.from({ length: 40 }, (_, i) => `${i % 2 === 0 ? 'a' : 'z'}/d${i % 5}/s${i}.ts`).sort(comparePaths);
  const ignored = Array.from({ length: 3_000 }, (_, i) => `build/o${i % 40}/x${i}.ts`);
  const dir = plant({ ...Object.fromEntries([...files, ...ignored].map((path) => [path, TEXT])), '.gitignore': 'build/\n' });
  const { args, found } = TOOLS['search_text, files']!;
  const pages = await pagesInTime(dir, slowRipgrep(20), 'search_text, files', args);
  assert.deepEqual(pages.flatMap(found), promised(pages, files));
  assert.ok(pages.length < 20, `${pages.length} pages`);
});

for (const [title, { args, found }] of Object.entries(FEW)) {
  test(`${title}: pages cut by number and by time in turn are the whole, each file once`, posix, async () => {
    const files = Array.from({ length: 40 }, (_, i) => `d${i % 4}/e${i % 3}/s${i}.ts`).sort(comparePaths);
    const dir = plant(Object.fromEntries(files.map((path) => [path, TEXT])));
    const pages = await pagesInTime(dir, slowRipgrep(20), title, args);
    assert.deepEqual(pages.flatMap(found), promised(pages, files), 'in path order as well');
    assert.ok(pages.length >= 6);
  });
}

for (const [title, { args, found }] of Object.entries(TOOLS)) {
  test(`${title}: what is there all the time is covered exactly once while other files come and go`, posix, async () => {
    const dice = new Dice(40 + title.length);
    const stable = Array.from({ length: 28 }, (_, i) => `d${i % 4}/e${i % 3}/s${i}.ts`);
    const dir = plant(Object.fromEntries(stable.map((path) => [path, TEXT])));
    const extra: string[] = [];
    const pages = await pagesInTime(dir, slowRipgrep(20), title, args, (page) => {
      for (const path of extra.splice(0, dice.int(0, 3))) rmSync(join(dir, path.split('/')[0] ?? ''), { recursive: true, force: true });
      for (let i = 0; i < 2 && page < 4; i++) {
        const path = dice.pick([`d9x${page}${i}/t.ts`, `c${page}${i}/t.ts`, `d1a${page}${i}/t.ts`]);
        extra.push(path);
        put(dir, path, TEXT);
      }
    });
    const all = pages.flatMap(found);
    const isStable = new Set(stable);
    assert.deepEqual(all.filter((path) => isStable.has(path)).sort(comparePaths), promised(pages, stable).sort(comparePaths));
    assert.equal(new Set(all).size, all.length, 'no file twice');
    assert.ok(pages.length > 1);
  });
}
