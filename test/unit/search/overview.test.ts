/** What a folder is: folders, languages, entry points, README, definitions named most often. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openLab, plant } from '../../support/e2e-lab.js';
import { exploreIn, exploreTree } from '../../support/explore.js';

const TREE = {
  'README.md': '<img src="x">\n\n# Shop\n\nSells things.\n',
  'package.json': '{"name":"shop"}\n',
  'src/index.ts': 'import { total } from "./cart";\nimport { main } from "./main";\nmain(total([]));\n',
  'src/main.ts': 'export function main(n: number) {\n  return n;\n}\n',
  'src/cart.ts':
    'export function total(items: unknown[]) {\n  return items.length;\n}\nexport const twice = () => total([]) + total([]);\n',
  'src/deep/tax.py': 'def tax():\n    pass\n',
  'test/cart.test.ts': 'import { total } from "../src/cart";\ntotal([]); total([]); total([]);\n',
};

test('folders come with files, size and languages, the largest first', async () => {
  const reply = await exploreTree(TREE, { relation: 'overview' });
  assert.equal(reply.anchor, '.');
  assert.match(reply.titles[0] ?? '', /^7 files, /);
  const folders = reply.edges(/^7 files/);
  assert.match(folders[0] ?? '', /^src\/:0 {2}4 files, .*typescript \d+ %, python \d+ %$/);
  assert.deepEqual(folders.map((edge) => edge.split(':')[0]).sort(), ['.', 'src/', 'test/']);
});

test('manifests, entry points and the words of the README are shown', async () => {
  const reply = await exploreTree(TREE, { relation: 'overview' });
  assert.deepEqual(
    reply.edges(/^manifests/).map((edge) => edge.split(':')[0]),
    ['package.json', 'src/index.ts', 'src/main.ts'],
  );
  assert.deepEqual(reply.edges(/^README/), ['README.md:3  # Shop', 'README.md:5  Sells things.']);
});

test('definitions are ordered by how often the folder itself names them', async () => {
  const reply = await exploreTree(TREE, { relation: 'overview' });
  assert.deepEqual(reply.edges(/named most/).slice(0, 2), [
    'src/cart.ts:1  total()  named 4 times',
    'src/main.ts:1  main()  named 3 times',
  ]);
});

test('a name that several places define is not counted', async () => {
  const reply = await exploreTree(
    { 'a.ts': 'export function run() {}\nrun();\n', 'b.ts': 'export function run() {}\nrun();\n' },
    { relation: 'overview' },
  );
  assert.deepEqual(reply.edges(/named most/), []);
});

test('a scope is looked at alone', async () => {
  const reply = await exploreTree(TREE, { relation: 'overview', scope: 'src' });
  assert.equal(reply.anchor, 'src');
  assert.deepEqual(
    reply
      .edges(/^4 files/)
      .map((edge) => edge.split(':')[0])
      .sort(),
    ['src/', 'src/deep/'],
  );
});

test('a folder that is too large to be counted says so', async () => {
  const reply = await exploreIn(openLab(plant(TREE), { limits: { exploreChars: 10 } }), { relation: 'overview' });
  assert.deepEqual(reply.edges(/named most/), []);
  assert.ok(
    reply.notes.some((note) => /definitions were not counted: \d+ source files/.test(note)),
    reply.notes.join('\n'),
  );
});

test('ignored files and secrets are in no count', async () => {
  const tree = {
    ...TREE,
    '.gitignore': 'big/\n',
    'big/x.ts': 'export const x = 1;\n',
    '.env': 'KEY=1\n',
    'node_modules/m/index.js': 'x\n',
  };
  const reply = await exploreTree(tree, { relation: 'overview' });
  assert.match(reply.titles[0] ?? '', /^8 files, /);
  assert.ok(!/\.env|big\/|node_modules/.test(reply.text), reply.text);
});
