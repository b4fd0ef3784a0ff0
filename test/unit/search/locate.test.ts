/** One locate without its rendering: what comes first, which names are the same, which files count, what is said when it is not all. */
import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { rgPath } from '@vscode/ripgrep';
import { type LocateOutcome, type LocateQuery, locate } from '#dist/search/locate.js';
import { Dice, type Lab, openLab, plant, type Tree } from '../../support/e2e-lab.js';

const posix = { skip: process.platform === 'win32' && 'no sh' };

async function find(lab: Lab, query: Partial<LocateQuery> & { query: string }): Promise<LocateOutcome> {
  return locate({ kind: 'any', maxResults: 20, ...query }, lab.parts, await lab.context());
}
const open = (tree: Tree): Lab => openLab(plant(tree));
const rows = ({ places }: LocateOutcome): string[] => places.map(({ path, startLine, kind }) => `${path}:${startLine} ${kind}`);

const LAYERS: Tree = {
  'CHANGELOG.md': 'Added load.\n',
  'docs/use.md': 'Call load.\n',
  'a-test/a.ts': 'x;\n',
  'src/a.ts': "// load is slow\nimport { load } from './z.js';\nload(1);\nlog('load');\n",
  'src/z.ts': 'export function load(x: number): number {\n  return x;\n}\n',
  'test/a.test.ts': "import { load } from '../src/z.js';\nload(2);\n",
};

test('definitions come first, then uses, then tests, then comments, strings and docs', async () => {
  assert.deepEqual(rows(await find(open(LAYERS), { query: 'load' })), [
    'src/z.ts:1 function',
    'src/a.ts:2 reference',
    'src/a.ts:3 reference',
    'test/a.test.ts:1 test',
    'test/a.test.ts:2 test',
    'CHANGELOG.md:1 changelog',
    'docs/use.md:1 docs',
    'src/a.ts:1 comment',
    'src/a.ts:4 string',
  ]);
});

test('the totals count every line once', async () => {
  const { totals, files, places } = await find(open(LAYERS), { query: 'load' });
  assert.deepEqual(totals, { definitions: 1, references: 2, tests: 2, texts: 4 });
  assert.equal(files, 5);
  assert.equal(places.length, 9);
});

test('a definition in a test is counted as a definition alone', async () => {
  const { totals } = await find(open({ 'test/a.test.ts': 'function load() {}\nload();\n', 'src/a.ts': 'load();\n' }), { query: 'load' });
  assert.deepEqual(totals, { definitions: 1, references: 1, tests: 1, texts: 0 });
});

for (const [kind, expected] of [
  ['definition', ['src/z.ts:1 function']],
  ['reference', ['src/a.ts:2 reference', 'src/a.ts:3 reference', 'test/a.test.ts:1 test']],
] as const) {
  test(`kind ${kind} lists nothing else`, async () => {
    const outcome = await find(open(LAYERS), { query: 'load', kind });
    assert.deepEqual(rows(outcome).slice(0, 3), expected);
    assert.equal(
      rows(outcome).some((row) => row.endsWith(' function')),
      kind === 'definition',
    );
  });
}

const WHOLE: [query: string, text: string, lines: number[]][] = [
  ['$scope', 'const $scope = 1;\nuse($scoped);\nuse($scope, 2);\na$scope = 1;\n', [1, 3]],
  ['scope', 'const scope = 1;\nuse(scoped);\nmy_scope = 2;\nuse(scope);\n', [1, 4]],
  ['#priv', 'class A {\n  #priv = 0;\n  #private = 1;\n  get() { return this.#priv; }\n}\n', [2, 4]],
  ['operator+', 'operator+ (x);\noperator++ (x);\noperators + 1;\n', [1]],
  ['naïve', 'naïve = 3;\nnaïveté = 4;\nxnaïve = 5;\n', [1]],
  ['+%', 'a +% b;\na + % b;\n', [1]],
  ['time', 'timer;\nstart-time;\ntime;\ntimes;\n', [2, 3]],
  ['Store.load', 'class Store {\n  load() {}\n}\nloader();\ns.load();\n', [2, 5]],
  ['ns::f', 'f();\nff();\n', [1]],
  ['a->b', 'x->b = 1;\nx->bb = 1;\n', [1]],
  ['load()', 'function load() {}\nloads();\n', [1]],
  ['`load`', 'function load() {}\nloads();\n', [1]],
  ['größe', 'größe = 1;\ngröße2 = 1;\n', [1]],
];
for (const [query, text, lines] of WHOLE) {
  test(`only whole identifiers are found for ${query}`, async () => {
    const { places, matchMode, files } = await find(open({ 'a.js': text, 'b.js': 'operator++ (x);\n' }), { query });
    assert.equal(files, 1);
    assert.deepEqual(
      places.map(({ startLine }) => startLine).sort((a, b) => a - b),
      lines,
    );
    assert.equal(matchMode, 'symbol');
  });
}

test('letter case counts where a definition fits it, and any case is searched where none of a lower-case name does', async () => {
  const tree = { 'a.ts': 'export class Load {}\n', 'b.ts': 'export function load() {}\n' };
  assert.deepEqual(rows(await find(open(tree), { query: 'load' })), ['b.ts:1 function']);
  assert.deepEqual(rows(await find(open(tree), { query: 'Load' })), ['a.ts:1 class']);
  const loose = await find(open({ 'a.ts': 'export class LoadAll {}\n' }), { query: 'loadall' });
  assert.deepEqual([loose.matchMode, loose.places[0]?.name], ['symbol-any-case', 'LoadAll']);
});

const CHOICES: [title: string, choice: Partial<LocateQuery>, paths: string[]][] = [
  ['a folder', { scope: 'lib' }, ['lib/b.py', 'lib/c.ts']],
  ['a file', { scope: 'lib/c.ts' }, ['lib/c.ts']],
  ['globs', { globs: ['*.ts'] }, ['lib/c.ts', 'src/a.ts']],
  ['globs that leave out', { globs: ['!*.py'] }, ['lib/c.ts', 'src/a.ts']],
];
for (const [title, choice, paths] of CHOICES) {
  for (const query of ['needle', 'needle thread']) {
    test(`only files of ${title} count for ${query}`, async () => {
      const lab = open({ 'src/a.ts': 'needle(thread);\n', 'lib/b.py': 'needle(thread)\n', 'lib/c.ts': 'needle(thread);\n' });
      assert.deepEqual((await find(lab, { query, ...choice })).places.map(({ path }) => path).sort(), paths);
    });
  }
}

test('maxResults is the bound of places, and the totals stay', async () => {
  const tree = Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`src/f${i}.ts`, 'needle();\n']));
  const lab = open({ ...tree, 'src/z.ts': 'export function needle() {}\n' });
  for (const maxResults of [1, 500]) {
    const { places, totals } = await find(lab, { query: 'needle', maxResults });
    assert.equal(places.length, maxResults);
    assert.equal(places[0]?.kind, 'function');
    assert.deepEqual(totals, { definitions: 1, references: 600, tests: 0, texts: 0 });
  }
});

const QUALIFIED: [title: string, query: string, first: string][] = [
  ['a class', 'Store.load', 'src/a.ts:2 method'],
  ['a class that comes later', 'Vault.load', 'src/b.ts:2 method'],
  ['a file', 'plain.load', 'src/plain.ts:1 function'],
  ['a folder', 'net/load', 'net/x.ts:1 function'],
];
for (const [title, query, first] of QUALIFIED) {
  test(`a qualified name prefers ${title}`, async () => {
    const lab = open({
      'net/x.ts': 'export function load() {}\n',
      'src/a.ts': 'export class Store {\n  load() {}\n}\n',
      'src/b.ts': 'export class Vault {\n  load() {}\n}\n',
      'src/plain.ts': 'export function load() {}\n',
    });
    const outcome = await find(lab, { query });
    assert.equal(rows(outcome)[0], first);
    assert.deepEqual(outcome.notes, []);
  });
}

test('a container that nothing lies in is said, and the others are shown', async () => {
  const outcome = await find(open({ 'a.ts': 'export class Store {\n  load() {}\n}\n' }), { query: 'Nowhere.load' });
  assert.deepEqual(rows(outcome), ['a.ts:2 method']);
  assert.match(outcome.notes.join('\n'), /no load in Nowhere/);
});

test('a macro is found by its call, with its sign', async () => {
  const lab = open({ 'a.rs': 'macro_rules! vec_of {\n    () => {};\n}\nfn f() {\n    vec_of!();\n}\n' });
  assert.deepEqual(rows(await find(lab, { query: 'vec_of!' })), ['a.rs:1 macro', 'a.rs:5 reference']);
});

test('words rank the blocks that hold them', async () => {
  const lab = open({
    'a.ts':
      'export function other() {\n  return 1;\n}\nexport function renew() {\n  // refresh the expired token\n  return token.refresh();\n}\n',
    'b.ts': 'const x = 1;\n',
  });
  const { places, matchMode } = await find(lab, { query: 'refresh expired token' });
  assert.equal(matchMode, 'words');
  assert.deepEqual(
    places.map(({ path, startLine, endLine, kind, name }) => [path, startLine, endLine, kind, name]),
    [['a.ts', 4, 7, 'function', 'renew']],
  );
});

test('kind is not used for words, and the outcome says so', async () => {
  const { notes } = await find(open({ 'a.ts': 'refresh token\n' }), { query: 'refresh token', kind: 'definition' });
  assert.match(notes.join('\n'), /kind was not used/);
});

test('secrets, .git and ignored files are never shown', async () => {
  const tree = {
    '.env': 'needle=1\n',
    'deploy.pem': 'needle\n',
    '.git/config': 'needle\n',
    '.gitignore': 'out/\n',
    'out/a.ts': 'needle();\n',
    'a.ts': 'needle();\n',
  };
  for (const query of ['needle', 'needle env'])
    assert.deepEqual([...new Set((await find(open(tree), { query })).places.map(({ path }) => path))], ['a.ts']);
});

test('a .gitignore that hides every file is set aside, and the outcome names its rule', async () => {
  const outcome = await find(open({ '.gitignore': '/*\n', 'a.ts': 'needle();\n' }), { query: 'needle' });
  assert.deepEqual(rows(outcome), ['a.ts:1 reference']);
  assert.match(outcome.notes.join('\n'), /rule \/\* of \.gitignore/);
});

test('an empty query is refused', async () => {
  await assert.rejects(find(open({ 'a.ts': '' }), { query: '   ' }), /"query" is empty/);
});

test('a deadline is said, with what was seen before it', posix, async () => {
  const program = join(plant({ x: '' }), 'rg');
  writeFileSync(program, `#!/bin/sh\n"${rgPath}" "$@" | head -n 6\nexec sleep 60\n`);
  chmodSync(program, 0o755);
  const tree = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`src/f${i}.ts`, 'needle();\n']));
  const lab = openLab(plant(tree), { program, limits: { deadlineMs: 400 } });
  const outcome = await find(lab, { query: 'needle' });
  assert.deepEqual([outcome.timedOut, outcome.isPartial], [true, true]);
  // No part came to its end, so none counts; what was seen in passing is told.
  assert.deepEqual([outcome.places.length, outcome.covered?.files], [0, 0]);
  assert.match(outcome.covered?.seen[0]?.path ?? '', /^src\/f\d+\.ts$/);
  assert.equal(typeof outcome.nextCursor, 'string');
});

test('a file that cannot be read makes the outcome partial, and is named', posix, async () => {
  const program = join(plant({ x: '' }), 'rg');
  writeFileSync(program, `#!/bin/sh\necho "rg: ./b.ts: Permission denied (os error 13)" >&2\n"${rgPath}" "$@"\nexit 2\n`);
  chmodSync(program, 0o755);
  const outcome = await find(openLab(plant({ 'a.ts': 'needle();\n' }), { program }), { query: 'needle' });
  assert.equal(outcome.isPartial, true);
  assert.match(outcome.notes.join('\n'), /could not be searched: b\.ts/);
});

const PIECES = [
  'function load() {\n}\n',
  'load();\n',
  '// load\n',
  "x('load');\n",
  'class load {}\n',
  'const load = 1;\n',
  'load: 1,\n',
  '  load() {\n  }\n',
  '\n',
  'Load();\n',
];
for (let seed = 1; seed <= 8; seed++) {
  test(`the same call gives the same outcome, 20 times (seed ${seed})`, async () => {
    const dice = new Dice(seed);
    const name = (): string =>
      `${dice.pick(['src', 'lib', 'test', 'docs', 'a/b'])}/f${dice.int(1, 60)}.${dice.pick(['ts', 'js', 'py', 'c', 'md', 'rs'])}`;
    const tree = Object.fromEntries(dice.many(5, 60, () => [name(), dice.many(1, 12, () => dice.pick(PIECES)).join('')]));
    const lab = open(tree);
    const query = dice.pick(['load', 'Load', 'Store.load', 'load function']);
    const bytes = async (): Promise<string> => JSON.stringify({ ...(await find(lab, { query })), elapsedMs: 0 });
    const first = await bytes();
    for (let again = 1; again < 20; again++) assert.equal(await bytes(), first);
  });
}
