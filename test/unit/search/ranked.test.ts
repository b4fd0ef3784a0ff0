/** One ranked search without its rendering: statistics, order, passes, what is counted and what is left out. */
import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { rgPath } from '@vscode/ripgrep';
import { type RankedOutcome, type RankedQuery, searchRanked } from '#dist/search/ranked.js';
import { type Lab, openLab, plant, put, type Tree } from '../../support/e2e-lab.js';

async function search(lab: Lab, query: Partial<RankedQuery> & { query: string }): Promise<RankedOutcome> {
  return searchRanked({ topK: 5, includeTests: false, ...query }, lab.parts, await lab.context());
}
const paths = ({ places }: RankedOutcome): string[] => places.map(({ path }) => path);
const many = (count: number, text: string): Tree => Object.fromEntries(Array.from({ length: count }, (_, i) => [`src/f${i}.ts`, text]));

test('counts lines and files with words, and files and bytes searched', async () => {
  const lab = openLab(plant({ 'a.ts': 'needle needle\nhay\nneedle\n', 'b.ts': 'Needle\n', 'c.ts': 'hay\n' }));
  const outcome = await search(lab, { query: 'needle' });
  assert.deepEqual([outcome.totalMatches, outcome.totalFiles, outcome.searched], [3, 2, { files: 3, bytes: 36 }]);
  assert.deepEqual([outcome.timedOut, outcome.isPartial, outcome.unmatched, outcome.distribution], [false, false, [], []]);
});

test('lines that only look like a word to ripgrep are not counted', async () => {
  const outcome = await search(openLab(plant({ 'a.ts': 'tokenizer\n', 'b.ts': 'token\n', 'c.ts': 'detokened\n' })), { query: 'token' });
  assert.deepEqual([outcome.totalMatches, outcome.totalFiles], [1, 1]);
});

test('the parts of a score and the lines of its place are kept for whoever explains it', async () => {
  const { places } = await search(openLab(plant({ 'src/token.ts': 'hay\nconst token = 1;\n' })), { query: 'token' });
  const [first] = places;
  assert.deepEqual(Object.keys(first?.parts ?? {}).sort(), ['demotion', 'file', 'multi', 'path', 'place', 'window']);
  assert.deepEqual(first?.window && [first.window.start, first.window.end], [2, 2]);
  assert.deepEqual([...(first?.evidence?.texts ?? [])].sort(), [
    [1, 'hay'],
    [2, 'const token = 1;'],
  ]);
  assert.deepEqual(
    first?.evidence?.found.map(({ line }) => line),
    [2],
  );
});

test('no more than the best 60 files are read, whatever topK is', async () => {
  const outcome = await search(openLab(plant(many(90, 'needle\n'))), { query: 'needle', topK: 50 });
  assert.equal(outcome.places.length, 60);
  assert.equal(outcome.totalFiles, 90);
  assert.ok(outcome.places.every(({ evidence }) => evidence !== undefined));
});

test('the folders that hold most of the files are named from 50 files on, two levels deep', async () => {
  const tree = { ...many(49, 'needle\n'), 'lib/a/b/c/x.ts': 'needle\n', 'x.ts': 'needle\n' };
  const { distribution } = await search(openLab(plant(tree)), { query: 'needle' });
  assert.deepEqual(new Set(distribution.map(({ dir, files }) => `${dir} ${files}`)), new Set(['src 49', '(root) 1', 'lib/a 1']));
  assert.equal(distribution[0]?.dir, 'src');
  assert.deepEqual((await search(openLab(plant(many(49, 'needle\n'))), { query: 'needle' })).distribution, []);
});

test('what .csignore includes again is ranked with the rest, and no file twice', async () => {
  const lab = openLab(plant({ '.gitignore': 'out/\n', '.csignore': '!out/\n', 'out/a.ts': 'needle needle\n', 'src/b.ts': 'needle\n' }));
  const outcome = await search(lab, { query: 'needle' });
  assert.deepEqual(paths(outcome).sort(), ['out/a.ts', 'src/b.ts']);
  assert.equal(outcome.totalFiles, 2);
});

test('what is ignored is not ranked', async () => {
  const lab = openLab(plant({ '.gitignore': 'out/\n', 'out/a.ts': 'needle\n', 'node_modules/x/a.js': 'needle\n', 'src/b.ts': 'needle\n' }));
  assert.deepEqual(paths(await search(lab, { query: 'needle' })), ['src/b.ts']);
});

test('a .gitignore that hides every file is set aside, and the outcome names its rule', async () => {
  const outcome = await search(openLab(plant({ '.gitignore': '/*\n', 'src/b.ts': 'needle\n' })), { query: 'needle' });
  assert.deepEqual(paths(outcome), ['src/b.ts']);
  assert.match(outcome.notes.join('\n'), /rule \/\* of \.gitignore hides every file/);
});

test('near spellings replace a word that stands nowhere, and leave one alone that stands somewhere', async () => {
  const tree = { 'a.ts': 'const specificity = 1;\n', 'b.ts': 'const specify = 2;\n', 'c.ts': 'color\n' };
  const outcome = await search(openLab(plant(tree)), { query: 'specifcity colour' });
  assert.equal(outcome.unmatched[0]?.word, 'specifcity');
  assert.equal(outcome.unmatched[0]?.near[0], 'specificity');
  assert.equal(paths(outcome)[0], 'a.ts');
  assert.deepEqual((await search(openLab(plant(tree)), { query: 'specificity' })).unmatched, []);
});

const NO_SPELLING: [title: string, query: string][] = [
  ['a short word', 'spec'],
  ['a name', 'specifcityRule'],
  ['a phrase', '"specifcity"'],
  ['a number', '123456'],
];
for (const [title, query] of NO_SPELLING) {
  test(`${title} that stands nowhere gets no near spelling`, async () => {
    const { unmatched } = await search(openLab(plant({ 'a.ts': 'const specificity = 12345;\n' })), { query });
    assert.deepEqual(
      unmatched.filter(({ near }) => near.length > 0),
      [],
    );
  });
}

test('files are looked for by name where few hold the words, and not where many do', async () => {
  const tree = { 'src/token/x.ts': 'hay\n', 'a.ts': 'token\n' };
  const outcome = await search(openLab(plant(tree)), { query: 'token' });
  const byName = outcome.places.find(({ path }) => path === 'src/token/x.ts');
  assert.deepEqual(byName?.window, { start: 1, end: 1 });
  assert.deepEqual(byName?.evidence?.found, []);
  const bounded = openLab(plant(tree), { limits: { pathOnlyFiles: 1 } });
  assert.deepEqual(paths(await search(bounded, { query: 'token' })), ['a.ts']);
});

test('a query that is one identifier does not look for files by name', async () => {
  const lab = openLab(plant({ 'refreshToken.ts': 'hay\n', 'a.ts': 'refreshToken()\n' }));
  assert.deepEqual(paths(await search(lab, { query: 'refreshToken' })), ['a.ts']);
});

test('binary files are neither ranked nor read', async () => {
  const outcome = await search(openLab(plant({ 'a.bin': Buffer.from('needle\0needle\n'), 'b.ts': 'needle\n' })), { query: 'needle' });
  assert.deepEqual(paths(outcome), ['b.ts']);
});

test('words are ranked past the bound on kept places, by their frequencies', async () => {
  const lab = openLab(plant({ 'a.ts': 'needle\n'.repeat(12_000), 'b.ts': 'needle thread\n' }), { limits: { maxRankedHits: 10_000 } });
  const outcome = await search(lab, { query: 'needle thread' });
  assert.deepEqual(paths(outcome).sort(), ['a.ts', 'b.ts']);
  assert.equal(outcome.totalMatches, 12_001);
});

test('a file that is gone between the ranking pass and the reading is left out', {
  skip: process.platform === 'win32' && 'no sh',
}, async () => {
  const program = join(plant({ x: '' }), 'rg');
  writeFileSync(program, `#!/bin/sh\n"${rgPath}" "$@"\ncode=$?\nrm -f a.ts\nexit $code\n`);
  chmodSync(program, 0o755);
  const outcome = await search(openLab(plant({ 'a.ts': 'needle\n', 'b.ts': 'needle\n' }), { program }), { query: 'needle' });
  assert.deepEqual(paths(outcome), ['b.ts']);
});

test('a cancelled search throws the reason of the signal', async () => {
  const lab = openLab(plant({ 'a.ts': 'needle\n' }));
  const stop = new AbortController();
  stop.abort(new Error('no longer wanted'));
  const context = { ...(await lab.context()), signal: stop.signal };
  await assert.rejects(searchRanked({ query: 'needle', topK: 5, includeTests: false }, lab.parts, context), /no longer wanted/);
});

test('a changed tree is seen by the next call: nothing is indexed', async () => {
  const dir = plant({ 'a.ts': 'needle\n' });
  const lab = openLab(dir);
  assert.deepEqual(paths(await search(lab, { query: 'needle' })), ['a.ts']);
  put(dir, 'b.ts', 'needle needle needle\n');
  assert.deepEqual(paths(await search(lab, { query: 'needle' })).sort(), ['a.ts', 'b.ts']);
});
