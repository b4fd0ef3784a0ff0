/** What a search that runs out of time promises: pages by cursor cover every file exactly once, in any process, whatever the names,
 *  rules and options, and for files that are there all the time also while others come and go. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Args, Dice, openLab, pagesOf, plant, put, type Tree } from '../../support/e2e-lab.js';
import { comparePaths } from '../../support/replies.js';
import { posix, slowRipgrep } from '../../support/slow-ripgrep.js';

const NAMES = ['a', 'a-b', 'a.d', 'B', '.h', 'é', '\u{1f600}', '[z]', '{b}', 'q\\', '!n', '#c', 'new\nline', ' s', 't ', '*', 'z'];
const RULES = ['*.log', '!keep.log', '/B/', '**/z/*.x', '!/a/**', 'a-b', '!**/a-b/*.x', '.h', '!/*/', '!*/', '!*.ts'];
const TEXT = 'export function needle() {}\n';

function randomTree(dice: Dice): Tree {
  const tree: Record<string, string> = {};
  const files = dice.int(25, 45);
  for (let i = 0; i < files; i++) tree[`${dice.many(0, 3, () => `${dice.pick(NAMES)}/`).join('')}${dice.pick(NAMES)}${i}.ts`] = TEXT;
  if (dice.chance(0.7)) tree['.gitignore'] = dice.many(1, 3, () => `${dice.pick(RULES)}\n`).join('');
  if (dice.chance(0.4)) tree['.csignore'] = `${dice.pick(RULES)}\n`;
  if (dice.chance(0.4)) tree['a/.gitignore'] = `${dice.pick(RULES)}\n`;
  return tree;
}

type Found = (data: Record<string, unknown>) => string[];
const TOOLS: Readonly<Record<string, { args: Args; found: Found }>> = {
  'search_text, matches': {
    args: { pattern: 'needle', maxMatches: 500 },
    found: (data) => (data.matches as { path: string }[]).map(({ path }) => path),
  },
  'search_text, files': { args: { pattern: 'needle', output: 'files', maxMatches: 500 }, found: (data) => data.files as string[] },
  search_code: {
    args: { query: 'needle', topK: 50 },
    found: (data) => [data.results, data.pointers].flatMap((places) => (places as { path: string }[]).map(({ path }) => path)),
  },
  locate: {
    args: { query: 'needle', maxResults: 100 },
    found: (data) => (data.results as { path: string }[]).map(({ path }) => path),
  },
  list_files: { args: { maxResults: 500 }, found: (data) => (data.files as string[]).filter((path) => path.endsWith('.ts')) },
};
const nameOf = (title: string): string => title.split(',')[0] ?? '';

/** All pages, each of a server that knows nothing of the others. */
async function pagesInTime(dir: string, program: string, title: string, args: Args, between: (page: number) => void = () => {}) {
  const pages: Record<string, unknown>[] = [];
  let cursor: unknown;
  do {
    assert.ok(pages.length < 60, `${title} comes to no end`);
    between(pages.length);
    const call = { ...args, maxChars: 50_000, timeoutMs: 500, ...(cursor === undefined ? {} : { cursor }) };
    const reply = await openLab(dir, { program }).json(nameOf(title), call);
    assert.ok(!reply.isError, reply.text);
    pages.push(reply.data as Record<string, unknown>);
    cursor = reply.data.nextCursor;
    if (cursor !== undefined) assert.equal(reply.data.partial, true, `${title}: a page that another one follows is partial`);
    assert.equal((reply.data as { covered?: { uncovered?: unknown } }).covered?.uncovered, undefined, 'no file is too large here');
  } while (cursor !== undefined);
  return pages;
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
      assert.deepEqual(pages.flatMap(found).sort(comparePaths), whole.sort(comparePaths), JSON.stringify(choice));
      if (whole.length > 25) assert.ok(pages.length > 1);
    });
  }
}

for (const [title, { args, found }] of Object.entries(TOOLS)) {
  test(`${title}: what is there all the time is covered exactly once while other files come and go`, posix, async () => {
    const dice = new Dice(40 + title.length);
    const stable = Array.from({ length: 40 }, (_, i) => `d${i % 4}/e${i % 3}/s${i}.ts`);
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
    assert.deepEqual(all.filter((path) => isStable.has(path)).sort(comparePaths), stable.sort(comparePaths));
    assert.equal(new Set(all).size, all.length, 'no file twice');
    assert.ok(pages.length > 1);
  });
}

const { list_files: _, ...SEARCHES } = TOOLS;
for (const [title, { args, found }] of Object.entries(SEARCHES)) {
  test(`${title}: a .gitignore that hides every file stays set aside on all pages`, posix, async () => {
    const files = Array.from({ length: 24 }, (_, i) => `d${i % 3}/f${i}.ts`).sort(comparePaths);
    const dir = plant({ ...Object.fromEntries(files.map((path) => [path, TEXT])), '.gitignore': '/*\n' });
    const pages = await pagesInTime(dir, slowRipgrep(20, 0), title, args);
    assert.deepEqual(pages.flatMap(found).sort(comparePaths), files);
    assert.ok(pages.length > 1);
  });
}

test('list_files: a .gitignore that hides every file stays set aside on all pages', async () => {
  const files = Array.from({ length: 24 }, (_, i) => `d${i % 3}/f${i}.ts`).sort(comparePaths);
  const lab = openLab(plant({ ...Object.fromEntries(files.map((path) => [path, TEXT])), '.gitignore': '/*\n' }));
  const pages = await pagesOf(lab, 'json', 'list_files', { maxResults: 10 });
  const listed = pages.flatMap((page) => page.data.files ?? []);
  assert.deepEqual(
    listed.filter((path) => path !== '.gitignore'),
    files,
  );
});

test('names that are no UTF-8 are covered once as well', posix, async () => {
  const dir = plant(Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`d${i % 5}/f${i}.ts`, TEXT])));
  for (const byte of [0xff, 0xc3, 0x80]) {
    put(dir, 'd2/x.ts', TEXT);
    const { renameSync } = await import('node:fs');
    renameSync(join(dir, 'd2/x.ts'), Buffer.concat([Buffer.from(`${dir}/d2/q`), Buffer.from([byte]), Buffer.from('.ts')]));
  }
  const pages = await pagesInTime(dir, slowRipgrep(20), 'search_text', { pattern: 'needle', maxMatches: 500 });
  assert.equal(pages.flatMap((page) => page.matches as unknown[]).length, 33);
});

test('pages say how much they covered, and together it is everything', posix, async () => {
  const dir = plant(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`d${i % 5}/f${i}.ts`, TEXT])));
  for (const name of ['search_text, matches', 'search_code', 'list_files']) {
    const { args } = TOOLS[name] ?? { args: {} };
    const pages = (await pagesInTime(dir, slowRipgrep(20), name, args)) as { covered?: { files: number; upTo?: string } }[];
    const covered = pages.slice(0, -1).map((page) => page.covered);
    assert.ok(covered.every((one) => one?.upTo !== undefined));
    const before = covered.reduce((sum, one) => sum + (one?.files ?? 0), 0);
    assert.ok(before > 0 && before < 40, `${name}: ${before}`);
    // Up to the named place, in path order, nothing is left out.
    const upTo = covered.at(-1)?.upTo ?? '';
    const earlier = Array.from({ length: 40 }, (_, i) => `d${i % 5}/f${i}.ts`).filter((path) => comparePaths(path, upTo) < 0);
    assert.equal(before, earlier.length, name);
  }
});

test('a server that has listed or searched a tree says how much of it a cut search has covered', posix, async () => {
  const dir = plant(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`d${i % 5}/f${i}.ts`, TEXT])));
  const lab = openLab(dir, { program: slowRipgrep(20) });
  await lab.json('search_text', { pattern: 'needle' });
  const { text } = await lab.text('search_text', { pattern: 'export', timeoutMs: 300 });
  assert.match(text, /this call covered \d+ files? \([^)]+\) of 40 files \(/);
});

test('a cursor belongs to its tool, root, query and options', posix, async () => {
  const tree = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`d${i % 5}/f${i}.ts`, TEXT]));
  const dir = plant(tree);
  const program = slowRipgrep(20);
  const cursors = new Map<string, string>();
  for (const [title, { args }] of Object.entries(TOOLS)) {
    const { data } = await openLab(dir, { program }).json(nameOf(title), { ...args, timeoutMs: 400 });
    cursors.set(title, data.nextCursor ?? '');
  }
  const other = openLab(plant(tree));
  const same = openLab(dir);
  for (const [title, { args }] of Object.entries(TOOLS)) {
    const cursor = cursors.get(title) ?? '';
    assert.notEqual(cursor, '', title);
    const refused: [ReturnType<typeof openLab>, Args][] = [
      [other, args],
      [same, { ...args, scope: 'd1' }],
      ...(title === 'search_code' || title === 'locate' ? [] : [[same, { ...args, ignored: true }] satisfies [typeof same, Args]]),
      [same, { ...args, globs: ['*.ts'] }],
      ...(args.query === undefined ? [] : [[same, { ...args, query: 'export' }] satisfies [typeof same, Args]]),
      ...(args.pattern === undefined ? [] : [[same, { ...args, pattern: 'export' }] satisfies [typeof same, Args]]),
    ];
    for (const [lab, wrong] of refused) {
      const reply = await lab.json(nameOf(title), { ...wrong, cursor });
      assert.ok(reply.data.error?.code === 'cursor_invalid', `${title} ${JSON.stringify(wrong)}: ${reply.text.slice(0, 200)}`);
    }
    for (const [to, { args: theirs }] of Object.entries(TOOLS)) {
      if (to === title) continue;
      const reply = await same.json(nameOf(to), { ...theirs, cursor });
      assert.ok(reply.data.error?.code === 'cursor_invalid', `${title} -> ${to}: ${reply.text.slice(0, 200)}`);
    }
  }
});
