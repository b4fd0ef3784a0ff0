import assert from 'node:assert/strict';
import { rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Dice, openLab, pagesOf, plant, put, type Tree } from '../../support/e2e-lab.js';
import { comparePaths } from '../../support/replies.js';

const NAMES = ['a', 'a-b', 'a.d', 'B', '.h', '12:x', '# y', '\u00e9', '\u{1f600}', '[z]', 'q\\', '!n', 'new\nline', ' s', 't '];

function randomNames(dice: Dice): string[] {
  const names = dice.many(1, 40, () => `${dice.many(0, 3, () => `${dice.pick(NAMES)}/`).join('')}${dice.pick(NAMES)}.x`);
  return [...new Set(names)].sort(comparePaths);
}

for (const seed of [1, 2, 3, 4, 5, 6]) {
  test(`pages are the whole listing in path order, each file once (seed ${seed})`, async () => {
    const dice = new Dice(seed);
    const names = randomNames(dice);
    const lab = openLab(plant(Object.fromEntries(names.map((name) => [name, '']))));
    for (const maxResults of [1, dice.int(2, 9), 500]) {
      for (const maxChars of [500, 50_000]) {
        const pages = await pagesOf(lab, 'json', 'list_files', { maxResults, maxChars });
        assert.deepEqual(
          pages.flatMap((page) => page.data.files ?? []),
          names,
        );
        for (const page of pages) assert.ok((page.data.files ?? []).length === page.data.returned);
      }
    }
  });
}

for (const seed of [11, 12, 13]) {
  test(`sort modified is newest first, ties in path order, page by page (seed ${seed})`, async () => {
    const dice = new Dice(seed);
    const names = randomNames(dice);
    const dir = plant(Object.fromEntries(names.map((name) => [name, ''])));
    const times = new Map(names.map((name) => [name, dice.int(1, 5) * 1_000_000]));
    for (const [name, time] of times) utimesSync(join(dir, name), time, time);
    const wanted = [...names].sort((a, b) => times.get(b)! - times.get(a)! || comparePaths(a, b));
    const pages = await pagesOf(openLab(dir), 'json', 'list_files', { sort: 'modified', maxResults: dice.int(1, 7) });
    assert.deepEqual(
      pages.flatMap((page) => page.data.files ?? []),
      wanted,
    );
  });
}

test('the total is the same on every page', async () => {
  const lab = openLab(plant(Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`f${i}`, '']))));
  for (const page of await pagesOf(lab, 'json', 'list_files', { maxResults: 10 })) assert.equal(page.data.totalFiles, 25);
  const heads = (await pagesOf(lab, 'text', 'list_files', { maxResults: 10 })).map((page) => page.text.split('\n')[0]);
  assert.deepEqual(heads, ['# 25 files, 1-10 shown.', '# 25 files, 11-20 shown.', '# 25 files, 21-25 shown.']);
});

test('files that come and go between pages break nothing, and what stays is listed once', async () => {
  const dice = new Dice(21);
  const names = Array.from({ length: 60 }, (_, i) => `d${i % 6}/f${i}.x`).sort(comparePaths);
  const dir = plant(Object.fromEntries(names.map((name) => [name, ''])));
  const lab = openLab(dir);
  const gone = new Set<string>();
  const seen: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 200; page++) {
    const { data } = await lab.json('list_files', { maxResults: 7, ...(cursor === undefined ? {} : { cursor }) });
    seen.push(...(data.files ?? []));
    cursor = data.nextCursor;
    if (cursor === undefined) break;
    const victim = dice.pick(names);
    rmSync(join(dir, victim), { force: true });
    gone.add(victim);
    put(dir, `d${page % 6}/new${page}.y`, '');
  }
  assert.equal(cursor, undefined);
  assert.equal(new Set(seen).size, seen.length);
  assert.deepEqual(
    seen.filter((name) => name.endsWith('.x') && !gone.has(name)),
    names.filter((name) => !gone.has(name)),
  );
});

/** title, tree, what the only fact says */
const EMPTY: [string, Tree, RegExp][] = [
  [
    'a rule of .gitignore',
    { '.gitignore': '*.log\n', 'x.log': '', 'keep.c': '' },
    /^# 1 file with ignored: true \(rule \*\.log of \.gitignore\), first x\.log$/m,
  ],
  [
    'a built-in rule',
    { 'node_modules/x.log': '', 'keep.c': '' },
    /^# 1 file with ignored: true \((?:built-in )?rule node_modules\/\), first node_modules\/x\.log$/m,
  ],
  [
    'a rule of .csignore',
    { '.csignore': '*.log\n', 'x.log': '', 'keep.c': '' },
    /^# 1 file with ignored: true \(rule \*\.log(?: of \.csignore)?\), first x\.log$/m,
  ],
  ['nothing', { 'keep.c': '' }, /^# ignored files were looked at as well; secrets .* never listed$/m],
];
for (const [title, tree, fact] of EMPTY) {
  test(`an empty listing says what hides the files: ${title}`, async () => {
    const { text, found } = await openLab(plant(tree)).text('list_files', { globs: ['*.log'] });
    assert.ok(!found);
    assert.match(text, /^# No files match\.\n/);
    assert.match(text, fact);
  });
}

test('hidden files are listed; secrets, .git and ignored files are not', async () => {
  const tree = {
    '.github/ci.yml': '',
    '.eslintrc': '',
    '.env': '',
    '.env.example': '',
    'a.pem': '',
    '.git/HEAD': '',
    'node_modules/i.js': '',
    'package-lock.json': '',
  };
  const lab = openLab(plant(tree));
  assert.deepEqual((await lab.json('list_files', {})).data.files, ['.env.example', '.eslintrc', '.github/ci.yml']);
  assert.deepEqual((await lab.json('list_files', { ignored: true })).data.files, [
    '.env.example',
    '.eslintrc',
    '.github/ci.yml',
    'node_modules/i.js',
    'package-lock.json',
  ]);
});
