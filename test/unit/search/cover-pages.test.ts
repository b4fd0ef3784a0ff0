/** Pages of searches that run out of time: what they say, and which cursors they take. */
import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Args, openLab, pagesOf, plant, put } from '../../support/e2e-lab.js';
import { comparePaths } from '../../support/replies.js';
import { posix, slowRipgrep } from '../../support/slow-ripgrep.js';
import { nameOf, pagesInTime, promised, TEXT, TOOLS } from '../../support/time-pages.js';

const { list_files: _, ...SEARCHES } = TOOLS;
for (const [title, { args, found }] of Object.entries(SEARCHES)) {
  test(`${title}: a .gitignore that hides every file stays set aside on all pages`, posix, async () => {
    const files = Array.from({ length: 24 }, (_, i) => `d${i % 3}/f${i}.ts`).sort(comparePaths);
    const dir = plant({ ...Object.fromEntries(files.map((path) => [path, TEXT])), '.gitignore': '/*\n' });
    const pages = await pagesInTime(dir, slowRipgrep(20, 0), title, args);
    assert.deepEqual(pages.flatMap(found).sort(comparePaths), promised(pages, files));
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

test('time that is over before a hidden tree is known to be hidden loses nothing', async () => {
  const files = Array.from({ length: 4_000 }, (_, i) => `m${i % 20}/f${i}.ts`);
  const dir = plant({ ...Object.fromEntries(files.map((path, i) => [path, i % 100 === 3 ? TEXT : ''])), '.gitignore': '*\n' });
  const hits = files.filter((_, i) => i % 100 === 3).sort(comparePaths);
  for (const title of ['search_text, matches', 'search_text, files', 'search_code', 'locate']) {
    const { args, found } = TOOLS[title]!;
    const all: string[] = [];
    let cursor: unknown;
    for (let page = 0; page === 0 || cursor !== undefined; page++) {
      assert.ok(page < 100, `${title} comes to no end`);
      const call = { ...args, maxChars: 50_000, timeoutMs: 100, ...(cursor === undefined ? {} : { cursor }) };
      const { data } = await openLab(dir).json(nameOf(title), call);
      const { covered } = data as { covered?: { uncovered?: string[] } };
      // A machine that is too busy for that in 100 ms says so.
      if ((covered?.uncovered ?? []).length > 0 || (data.timedOut === true && data.nextCursor === undefined)) return;
      all.push(...found(data as never));
      cursor = data.nextCursor;
    }
    assert.deepEqual(all.sort(comparePaths), hits, title);
  }
});

test('names that are no UTF-8 are covered once as well', posix, async () => {
  const dir = plant(Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`d${i % 5}/f${i}.ts`, TEXT])));
  for (const byte of [0xff, 0xc3, 0x80]) {
    put(dir, 'd2/x.ts', TEXT);
    renameSync(join(dir, 'd2/x.ts'), Buffer.concat([Buffer.from(`${dir}/d2/q`), Buffer.from([byte]), Buffer.from('.ts')]));
  }
  const pages = await pagesInTime(dir, slowRipgrep(20), 'search_text', { pattern: 'needle', maxMatches: 500 });
  const gaps = pages.flatMap((page) => (page as { covered?: { uncovered?: string[] } }).covered?.uncovered ?? []);
  const shown = pages.flatMap((page) => page.matches as unknown[]).length;
  assert.ok(gaps.length > 0 ? shown < 33 : shown === 33, `${shown} shown, ${gaps.length} too large`);
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
