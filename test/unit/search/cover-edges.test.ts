/** Pages and cut searches at their edges: what was covered in parts though nothing was cut, a second run of ripgrep, queries that were
 *  read in another way, a lone file, a ripgrep that is killed. */
import assert from 'node:assert/strict';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Progress } from '#dist/base/progress.js';
import { type Args, type Lab, openLab, plant, put, quietLog, toolNamed } from '../../support/e2e-lab.js';
import { comparePaths } from '../../support/replies.js';
import { killedRipgrep, pausingRipgrep, posix, slowRipgrep, stallingRipgrep } from '../../support/slow-ripgrep.js';
import { TEXT, TOOLS } from '../../support/time-pages.js';

const files = (amount: number, text = TEXT): Record<string, string> =>
  Object.fromEntries(Array.from({ length: amount }, (_, i) => [`d${i % 3}/s${String(i).padStart(2, '0')}.ts`, text]));

/** Walks all pages of a call; each must be a page and no error. */
async function walk(lab: Lab, tool: string, args: Args): Promise<Record<string, unknown>[]> {
  const pages: Record<string, unknown>[] = [];
  for (let cursor: unknown; pages.length < 40; ) {
    const reply = await lab.json(tool, cursor === undefined ? args : { ...args, cursor });
    assert.ok(!reply.isError, reply.text);
    pages.push(reply.data as Record<string, unknown>);
    cursor = reply.data.nextCursor;
    if (cursor === undefined) return pages;
  }
  throw new Error('the walk comes to no end');
}

const EVERYTHING = { scope: '', isScopeFile: false, globs: [], excluded: [], ignored: false };
/** Makes a lab believe that one run over everything takes longer than any call has. */
async function divideAtOnce(lab: Lab, kind: 'search' | 'list'): Promise<void> {
  lab.parts.trees.of((await lab.context()).root, EVERYTHING, 'all').cost(kind).wholeMs = 60_000;
}

test('pages of the newest files are the whole, also where the first was covered part by part', posix, async () => {
  const tree = files(12);
  const dir = plant(tree);
  // The newest file is the last in path order, so that a place in path order would leave out all that was changed before.
  for (const [i, path] of Object.keys(tree).sort(comparePaths).entries()) utimesSync(join(dir, path), 1_000 + i, 1_000 + i);
  const lab = openLab(dir, { program: slowRipgrep(0, 60) });
  await divideAtOnce(lab, 'list');
  const pages = await walk(lab, 'list_files', { sort: 'modified', maxResults: 5, timeoutMs: 2_500 });
  assert.equal(pages[0]?.timedOut, false);
  assert.deepEqual(
    pages.flatMap(({ files }) => files),
    Object.keys(tree).sort(comparePaths).reverse(),
  );
});

test('matches of files that only .csignore lets in are not lost where the run that finds them is cut', posix, async () => {
  const tree = { ...files(30), '.gitignore': 'd1/\n', '.csignore': '!d1/\n' };
  const dir = plant(tree);
  const limits = { maxHitsKept: 8 };
  const args = { pattern: 'needle', maxMatches: 7, force: true, maxChars: 50_000 };
  const found = TOOLS['search_text, matches']!.found;
  const whole = (await walk(openLab(dir, { limits }), 'search_text', args)).flatMap(found).sort(comparePaths);
  assert.equal(whole.length, 30);
  const stalled = openLab(dir, { limits, program: stallingRipgrep(['--no-ignore', '--sort']) });
  assert.deepEqual((await walk(stalled, 'search_text', { ...args, timeoutMs: 1_500 })).flatMap(found).sort(comparePaths), whole);
});

test('a word that was replaced by a near one is so on later pages as well', posix, async () => {
  const dir = plant({ ...files(20, 'const session = 1;\n'), 'd0/needle.ts': TEXT });
  const { found } = TOOLS.search_code!;
  const args = { query: 'needle sesion', topK: 50, maxChars: 50_000 };
  const whole = (await openLab(dir).json('search_code', args)).data as Record<string, unknown>;
  assert.equal(found(whole).length, 21);
  const pages = await walk(openLab(dir, { program: slowRipgrep(40) }), 'search_code', { ...args, timeoutMs: 1_600 });
  assert.ok(pages.length > 1, 'the second pass was cut');
  assert.deepEqual(pages.flatMap(found).sort(comparePaths), found(whole).sort(comparePaths));
});

test('the cursor of a macro that is asked for with its sign holds for the same call', posix, async () => {
  const uses = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`src/u${String(i).padStart(2, '0')}.rs`, 'use crate::helper;\n']));
  const dir = plant({ 'src/a.rs': 'macro_rules! helper {\n    () => {};\n}\n', ...uses });
  const { found } = TOOLS.locate!;
  const args = { query: 'helper!', maxResults: 100, maxChars: 50_000 };
  const whole = (await openLab(dir).json('locate', args)).data as Record<string, unknown>;
  assert.ok(found(whole).length > 20);
  const pages = await walk(openLab(dir, { program: slowRipgrep(50) }), 'locate', { ...args, timeoutMs: 1_000 });
  assert.ok(pages.length > 1);
  assert.deepEqual(pages.flatMap(found).sort(comparePaths), found(whole).sort(comparePaths));
});

test('a page of locate is not judged as if it were the whole, nor does it deny what other pages hold', posix, async () => {
  const dir = plant({ 'a.ts': TEXT, ...files(60, 'needle();\nneedle();\nneedle();\n') });
  const lab = openLab(dir, { program: slowRipgrep(20), gateMode: 'refuse' });
  const args = { query: 'needle', timeoutMs: 700 };
  const texts: string[] = [];
  for (let cursor: string | undefined; texts.length < 40; ) {
    const { text } = await lab.text('locate', cursor === undefined ? args : { ...args, cursor });
    texts.push(text);
    cursor = /cursor: "([^"]+)"/.exec(text)?.[1];
    if (cursor === undefined) break;
  }
  assert.ok(texts.length > 1);
  for (const text of texts) assert.doesNotMatch(text, /status: refine|no definition found/);
});

test('what was found in a lone file before its time was over is shown', posix, async () => {
  const dir = plant({ 'a.ts': TEXT.repeat(5) });
  const { data } = await openLab(dir, { program: pausingRipgrep(3) }).json('search_text', {
    pattern: 'needle',
    scope: 'a.ts',
    timeoutMs: 600,
  });
  assert.equal((data.matches as unknown[]).length, 5);
  assert.deepEqual([data.timedOut, data.partial], [true, true]);
});

test('a part whose ripgrep is killed is not covered', posix, async () => {
  const dir = plant(files(30));
  const { found, args } = TOOLS['search_text, matches']!;
  const program = killedRipgrep('d1/s10.ts');
  const lab = openLab(dir, { program });
  await divideAtOnce(lab, 'search');
  const pages = await walk(lab, 'search_text', { ...args, timeoutMs: 3_000 });
  const expected = Object.keys(files(30))
    .filter((path) => path !== 'd1/s10.ts')
    .sort(comparePaths);
  assert.deepEqual(pages.flatMap(found).sort(comparePaths), expected);
  assert.equal(pages.at(-1)?.partial, true);
});

test('a file for which a call had hardly any time, since it waited for its turn, is not passed over', posix, async () => {
  const dir = plant({ 'a.ts': TEXT, 'b.ts': TEXT });
  const lab = openLab(dir, { program: slowRipgrep(400) });
  const args = { pattern: 'needle', timeoutMs: 1_000 };
  const call = async (cursor: unknown, waitedMs: number) => {
    const options = { signal: new AbortController().signal, log: quietLog, progress: new Progress(), format: 'json' as const, waitedMs };
    const { data } = await lab.runner.run(toolNamed('search_text'), { ...args, ...(cursor === undefined ? {} : { cursor }) }, options);
    return data as { nextCursor?: string; covered?: { uncovered?: string[] }; matches: { path: string }[] };
  };
  const pages = [];
  let cursor: string | undefined;
  // Each other call has waited for nearly all of its time.
  do {
    const page = await call(cursor, pages.length % 2 === 0 ? 900 : 0);
    pages.push(page);
    cursor = page.nextCursor;
  } while (cursor !== undefined && pages.length < 20);
  assert.deepEqual(
    pages.flatMap(({ covered }) => covered?.uncovered ?? []),
    [],
  );
  assert.deepEqual(
    pages.flatMap(({ matches }) => matches.map(({ path }) => path)),
    ['a.ts', 'b.ts'],
  );
});

test('a root that was empty when it was listed is searched as any other once it has files', async () => {
  const dir = plant({});
  const lab = openLab(dir);
  await lab.json('list_files', {});
  for (const [path, text] of Object.entries(files(300))) put(dir, path, text);
  const { data } = await lab.json('search_text', { pattern: 'needle', output: 'count', timeoutMs: 5_000 });
  assert.deepEqual([data.timedOut, data.totalFiles], [false, 300]);
});
