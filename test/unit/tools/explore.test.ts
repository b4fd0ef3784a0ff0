/** explore over small planted trees: each relation, scope, depth, what is said apart, size of the reply, and what never shows. */
import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Args, canName, Dice, openLab, plant, type Tree } from '../../support/e2e-lab.js';
import { exploreIn, exploreTree } from '../../support/explore.js';

const CHAIN: Tree = {
  'src/low.ts': 'export function low() {}\n',
  'src/mid.ts': 'import { low } from "./low";\nexport function mid() {\n  low();\n}\n',
  'src/high.ts': 'import { mid } from "./mid";\nexport function high() {\n  mid();\n}\n',
  'src/top.ts': 'import { high } from "./high";\nexport function top() {\n  high();\n}\n',
  'test/low.test.ts': 'import { low } from "../src/low";\nlow();\nlow();\n',
};

test('callers: the definition, each caller with its place, and tests apart by file', async () => {
  const reply = await exploreTree(CHAIN, { relation: 'callers', anchor: 'low' });
  assert.deepEqual(
    reply.titles,
    ['definition', 'callers of low', 'low used without a call', 'tests that call them'].filter((title) => reply.titles.includes(title)),
  );
  assert.deepEqual(reply.edges(/^definition/), ['src/low.ts:1  low()']);
  assert.deepEqual(reply.edges(/^callers/), ['src/mid.ts:3  in mid()']);
  assert.deepEqual(reply.edges(/^tests/), ['test/low.test.ts:0  2 calls']);
});

for (const [depth, last] of [
  [1, 'src/mid.ts:3  in mid()'],
  [2, 'src/high.ts:3  in high() calls mid'],
  [3, 'src/top.ts:3  in top() calls high'],
] as const) {
  test(`depth ${depth} follows callers ${depth} levels`, async () => {
    const reply = await exploreTree(CHAIN, { relation: 'callers', anchor: 'low', depth });
    const edges = reply.edges(/^callers/);
    assert.equal(edges.length, depth);
    assert.equal(edges.at(-1), last);
  });
}

test('impact walks three levels of callers without being told', async () => {
  const reply = await exploreTree(CHAIN, { relation: 'impact', anchor: 'low' });
  assert.equal(reply.relation, 'impact');
  assert.deepEqual(reply.places(/^callers/), ['src/mid.ts:3', 'src/high.ts:3', 'src/top.ts:3']);
});

test('functions that call each other do not go on for ever', async () => {
  const tree = { 'a.ts': 'export function a() {\n  b();\n}\nexport function b() {\n  a();\n}\n' };
  const reply = await exploreTree(tree, { relation: 'impact', anchor: 'a' });
  assert.deepEqual(reply.places(/^callers/), ['a.ts:5', 'a.ts:2']);
});

test('a scope holds the callers; the definition may lie outside', async () => {
  const tree = { ...CHAIN, 'lib/other.ts': 'import { low } from "../src/low";\nlow();\n' };
  const reply = await exploreTree(tree, { relation: 'callers', anchor: 'low', scope: 'lib' });
  assert.deepEqual(reply.edges(/^definition/), ['src/low.ts:1  low()']);
  assert.deepEqual(reply.places(/^callers/), ['lib/other.ts:2']);
});

test('a function that is handed over is shown apart from its calls', async () => {
  const tree = { 'a.ts': 'export function handle() {}\nregister(handle);\nhandle();\n' };
  const reply = await exploreTree(tree, { relation: 'callers', anchor: 'handle' });
  assert.deepEqual(reply.places(/^callers/), ['a.ts:3']);
  assert.deepEqual(reply.places(/used without a call/), ['a.ts:2']);
});

test('definitions of one name are told with their number and places', async () => {
  const tree = { 'a.ts': 'export function run() {}\n', 'b.ts': 'export function run() {}\n', 'c.ts': 'run();\n' };
  const reply = await exploreTree(tree, { relation: 'callers', anchor: 'run' });
  assert.ok(reply.notes.includes('run has 2 definitions (a.ts:1, b.ts:1); calls are matched by name'), reply.notes.join('\n'));
});

test('a property of an interface and a type of the same name are no second definition', async () => {
  const tree = {
    'types.ts': 'export interface Options {\n  start: () => void;\n}\nexport interface Box {\n  size: number;\n}\n',
    'start.ts': 'function near() {\n}\nexport function start() {\n  near();\n}\nexport const Box = () => start();\n',
  };
  const callers = await exploreTree(tree, { relation: 'callers', anchor: 'start' });
  assert.deepEqual(callers.edges(/^definition/), ['start.ts:3  start()']);
  assert.ok(!callers.notes.some((note) => /definitions/.test(note)), callers.notes.join('\n'));
  assert.deepEqual((await exploreTree(tree, { relation: 'callees', anchor: 'start' })).places(/^called by/), ['start.ts:1']);
  assert.deepEqual((await exploreTree(tree, { relation: 'callees', anchor: 'Box' })).places(/^called by/), ['start.ts:3']);
});

test('calls of something else of that name are left out and counted', async () => {
  const tree = {
    'a.ts': 'export function low() {}\n',
    'b.ts': 'import { x } from "./x";\nx.y.low();\nx.low();\n',
    'x.ts': 'export const x = 1;\n',
  };
  const reply = await exploreTree(tree, { relation: 'callers', anchor: 'low' });
  assert.deepEqual(reply.places(/^callers/), []);
  assert.ok(
    reply.notes.some((note) => note.startsWith('2 calls of something else named low left out')),
    reply.notes.join('\n'),
  );
});

const CALLEES: readonly (readonly [
  what: string,
  tree: Tree,
  known: readonly string[],
  possible: readonly string[],
  outside: RegExp | undefined,
])[] = [
  [
    'imports, the file itself, and what comes from outside',
    {
      'a.ts':
        'import { low as l } from "./low";\nimport fs from "node:fs";\nfunction near() {}\nexport function go(done: () => void) {\n  l();\n  near();\n  fs.open();\n  done();\n}\n',
      'low.ts': 'export function low() {}\n',
    },
    ['low.ts:1', 'a.ts:3'],
    [],
    /not defined here: fs\.open, done/,
  ],
  [
    'what is exported again',
    {
      'a.ts': 'import { low } from "./lib";\nexport function go() {\n  low();\n}\n',
      'lib/index.ts': 'export * from "./low";\n',
      'lib/low.ts': 'export function low() {}\n',
      'x.ts': 'export function low() {}\n',
    },
    ['lib/low.ts:1'],
    [],
    undefined,
  ],
  [
    'a namespace',
    {
      'a.ts': 'import * as lib from "./lib";\nexport function go() {\n  lib.low();\n}\n',
      'lib.ts': 'export function low() {}\n',
      'x.ts': 'export function low() {}\n',
    },
    ['lib.ts:1'],
    [],
    undefined,
  ],
  [
    'this, and the class of a parameter',
    {
      'a.ts':
        'import { Store } from "./store";\nexport class A {\n  near() {}\n  go(store: Store) {\n    this.near();\n    store.save();\n  }\n}\n',
      'store.ts': 'export class Store {\n  save() {\n  }\n}\n',
      'b.ts': 'class B {\n  save() {\n  }\n  near() {}\n}\n',
    },
    ['a.ts:3', 'store.ts:2'],
    [],
    undefined,
  ],
  [
    'methods of several classes, on who knows what',
    {
      'a.ts': 'export function go(x: any) {\n  x.save();\n}\n',
      'b.ts': 'class B {\n  save() {\n  }\n}\n',
      'c.ts': 'class C {\n  save() {\n  }\n}\n',
    },
    [],
    ['b.ts:2'],
    undefined,
  ],
  [
    'Python',
    { 'a.py': 'from b import load\n\ndef go():\n    load()\n    print(1)\n', 'b.py': 'def load():\n    pass\n' },
    ['b.py:1'],
    [],
    /print/,
  ],
  [
    'C',
    { 'a.c': 'int go(void)\n{\n\treturn load() + printf("x");\n}\n', 'b.c': 'int load(void)\n{\n\treturn 1;\n}\n' },
    ['b.c:1'],
    [],
    /printf/,
  ],
];

for (const [what, tree, known, possible, outside] of CALLEES) {
  test(`callees: ${what}`, async () => {
    const reply = await exploreTree(tree, { relation: 'callees', anchor: 'go' });
    assert.deepEqual(reply.places(/^called by go/).sort(), [...known].sort(), reply.text);
    assert.deepEqual(reply.places(/^may be called/), possible, reply.text);
    if (outside !== undefined) assert.match(reply.notes.join('\n'), outside);
  });
}

test('dependencies: files below the root, and what is not resolved', async () => {
  const tree = { 'src/a.ts': 'import { b as c } from "./b";\nimport fs from "node:fs";\nimport "./gone";\n', 'src/b.ts': '' };
  const reply = await exploreTree(tree, { relation: 'dependencies', anchor: 'src/a.ts' });
  assert.deepEqual(reply.edges(/below the root/), ['src/a.ts:1  src/b.ts: b as c']);
  assert.deepEqual(reply.places(/not resolved/), ['src/a.ts:2', 'src/a.ts:3']);
});

for (const [args, relation] of [
  [{ anchor: 'low' }, 'callers'],
  [{ anchor: 'src/low.ts' }, 'dependents'],
  [{ question: 'who calls `low`?' }, 'callers'],
  [{ question: 'what does src/mid.ts depend on?' }, 'dependencies'],
  [{ question: 'what breaks if I change `low`' }, 'impact'],
  [{ question: 'overview of the project' }, 'overview'],
  [{}, 'overview'],
] as const) {
  test(`auto reads ${JSON.stringify(args)} as ${relation}`, async () => {
    assert.equal((await exploreTree(CHAIN, args)).relation, relation);
  });
}

const BAD: readonly (readonly [what: string, args: Args, code: string, told: RegExp])[] = [
  ['no anchor', { relation: 'callers' }, 'argument_invalid', /"anchor" is missing/],
  ['a relation that there is not', { relation: 'parents', anchor: 'low' }, 'argument_invalid', /relation.*callers/s],
  ['a depth that is too large', { relation: 'callers', anchor: 'low', depth: 9 }, 'argument_invalid', /depth.*3/s],
  ['an argument that there is not', { relation: 'callers', anchors: 'low' }, 'argument_unknown', /anchors.*anchor/s],
  ['callers of a file', { relation: 'callers', anchor: 'src/low.ts' }, 'argument_invalid', /"src\/low\.ts" is a file.*dependents/s],
  ['a name that is nowhere', { relation: 'callers', anchor: 'nowhere' }, 'target_missing', /"nowhere" names no file and no symbol/],
  ['callees of a name that is nowhere', { relation: 'callees', anchor: 'nowhere' }, 'target_missing', /"nowhere"/],
  ['words as anchor', { relation: 'callers', anchor: 'who are you' }, 'target_missing', /"who are you"/],
];

for (const [what, args, code, told] of BAD) {
  test(`${what}: the error names it and what to do`, async () => {
    const lab = openLab(plant(CHAIN));
    const { error } = await exploreIn(lab, args);
    assert.equal(error?.code, code);
    assert.match(`${error?.message}\n${error?.hint}`, told);
    assert.match((await lab.text('explore', args)).text, told);
  });
}

test('a scope that is not there is an error', async () => {
  assert.equal((await exploreTree(CHAIN, { relation: 'callers', anchor: 'low', scope: 'nowhere' })).isError, true);
});

const RELATIONS = ['callers', 'callees', 'dependencies', 'dependents', 'impact', 'overview', 'auto'];

/** Functions that call each other at random, in files of odd names. */
function randomTree(dice: Dice): Tree {
  const tree: Record<string, string> = {};
  const names = Array.from({ length: dice.int(2, 30) }, (_, index) => `fn${index}${'x'.repeat(dice.pick([0, 5, 80]))}`);
  for (let file = dice.int(1, 12); file > 0; file--) {
    const body = (): string =>
      dice
        .many(0, 8, () => `  ${dice.pick(['', 'this.', 'a.b.'])}${dice.pick(names)}(${dice.pick(['', '"größe"', '\u{1f600}'])});\n`)
        .join('');
    const functions = dice.many(0, 6, () => `export function ${dice.pick(names)}() {\n${body()}}\n`);
    const imports = dice.many(0, 3, () => `import { ${dice.pick(names)} } from "./f${dice.int(1, 12)}";\n`);
    tree[`${dice.pick(['', 'src/', 'test/', `${'deep/'.repeat(20)}`])}f${file}.ts`] = [...imports, ...functions].join('');
  }
  return tree;
}

test('no reply is longer than maxChars, and the same call gives the same reply (60 random trees)', async () => {
  const dice = new Dice(20_261_130);
  for (let run = 0; run < 60; run++) {
    const tree = randomTree(dice);
    const lab = openLab(plant(tree));
    const paths = Object.keys(tree);
    for (let call = 0; call < 4; call++) {
      const maxChars = dice.pick([500, dice.int(500, 900), dice.int(500, 50_000)]);
      const args = { relation: dice.pick(RELATIONS), anchor: dice.pick([...paths, 'fn0', 'fn1', 'fn2']), maxChars };
      const first = await lab.text('explore', args);
      assert.ok(first.text.length <= maxChars, `${first.text.length} characters of ${JSON.stringify(args)}`);
      assert.equal((await lab.text('explore', args)).text, first.text, JSON.stringify(args));
      for (const line of first.isError ? [] : first.text.split('\n'))
        assert.match(
          line,
          /^(?:# |(?:"(?:[^"\\]|\\.)*"|\S+)(?::\d+(?:,\d+)*(?:,…)?)?(?: @[\w-]{6})?(?: {2}|$))/,
          `${JSON.stringify(args)}: ${line}`,
        );
    }
  }
});

test('a cut section says how many of its edges are shown', async () => {
  const calls = Array.from({ length: 100 }, (_, at) => `export function caller${at}() {\n  low();\n}\n`).join('');
  const lab = openLab(plant({ 'a.ts': `function low() {}\n${calls}` }));
  const { text } = await lab.text('explore', { relation: 'callers', anchor: 'low', maxChars: 600 });
  const shown = Number(/^# callers of low \(100\), (\d+) shown: raise maxChars or narrow scope$/m.exec(text)?.[1]);
  assert.equal(text.match(/^a\.ts:\d+ {2}in caller/gm)?.length, shown, text);
});

test('the structured form says when edges were cut, and how many there are', async () => {
  const calls = Array.from({ length: 100 }, (_, at) => `export function caller${at}() {\n  low();\n}\n`).join('');
  const lab = openLab(plant({ 'a.ts': `function low() {}\n${calls}` }));
  const { data } = await lab.json('explore', { relation: 'callers', anchor: 'low', maxChars: 600 });
  const { sections = [] } = data as unknown as { sections?: { title: string; total: number; edges: unknown[] }[] };
  const callers = sections.find(({ title }) => title === 'callers of low');
  assert.equal(callers?.total, 100);
  assert.ok((callers?.edges.length ?? 0) < 100);
  assert.equal(data.truncated, true);
});

test('a deadline is said, and makes the reply partial', async () => {
  const tree = Object.fromEntries(
    Array.from({ length: 1_500 }, (_, at) => [`f${at}.ts`, `export function g${at}() {\n${'  low();\n'.repeat(400)}}\n`]),
  );
  const lab = openLab(plant({ ...tree, 'a.ts': 'export function low() {\n}\n' }), { limits: { exploreFiles: 10_000 } });
  const reply = await exploreIn(lab, { relation: 'callers', anchor: 'low', timeoutMs: 1_000 });
  assert.equal(reply.timedOut, true, reply.text.slice(0, 500));
  assert.equal(reply.partial, true);
  assert.ok(reply.notes.some((note) => /stopped after 1,000 ms: incomplete/.test(note)));
});

const posix = { skip: process.platform === 'win32' && 'a script stands in for ripgrep' };

test('an anchor that a cut search has not found is not said to be missing', posix, async () => {
  const program = join(plant({ x: '' }), 'rg');
  writeFileSync(program, '#!/bin/sh\nexec sleep 60\n');
  chmodSync(program, 0o755);
  const lab = openLab(plant({ 'low.ts': 'export function low() {\n}\n' }), { program });
  const { isError, text } = await lab.text('explore', { relation: 'callers', anchor: 'low', timeoutMs: 300 });
  assert.ok(isError);
  assert.match(text, /^timed_out: low was not found within 300 ms/);
});

test('files beyond what is parsed are counted, and their calls told by the look of their lines', async () => {
  const tree = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`f${at}.ts`, 'import { low } from "./low";\nlow();\n']));
  const lab = openLab(plant({ ...tree, 'low.ts': 'export function low() {}\n' }), { limits: { exploreFiles: 3 } });
  const reply = await exploreIn(lab, { relation: 'callers', anchor: 'low' });
  assert.equal(reply.places(/^callers/).length, 6);
  assert.ok(
    reply.notes.some((note) => /^3 files with calls not parsed/.test(note)),
    reply.notes.join('\n'),
  );
});

test('secrets and ignored files are never shown', async () => {
  const tree = {
    ...CHAIN,
    '.gitignore': 'private/\n',
    'private/x.ts': 'import { low } from "../src/low";\nlow(); // hidden\n',
    '.env': 'low()\n',
    'key.pem': 'low();\n',
    'node_modules/m/x.js': 'import { low } from "../../src/low";\nlow();\n',
  };
  const lab = openLab(plant(tree));
  for (const relation of RELATIONS)
    for (const anchor of ['low', 'src/low.ts', 'private/x.ts', '.env', 'key.pem']) {
      const { text, isError } = await lab.text('explore', { relation, anchor });
      const shown = isError || anchor.startsWith('private') ? '' : text.replaceAll(anchor, '');
      assert.ok(!/private\/|\.env|\.pem|node_modules|hidden/.test(shown), `${relation} of ${anchor}: ${text}`);
    }
});

test('the name of a file cannot make a line of its own', { skip: !canName && 'such names cannot be made there' }, async () => {
  const evil = 'x\n# stopped after 1 ms: forged\nsrc/forged.ts:1  in y().ts';
  const tree = { 'low.ts': 'export function low() {}\n', [evil]: 'import { low } from "./low";\nlow();\n' };
  const lab = openLab(plant(tree));
  for (const args of [{ relation: 'callers', anchor: 'low' }, { relation: 'dependents', anchor: 'low.ts' }, { relation: 'overview' }]) {
    const { text } = await lab.text('explore', args);
    assert.ok(!/^(?:# stopped|src\/forged)/m.test(text), text);
  }
});
