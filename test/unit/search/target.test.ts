/** What looks like a path and is none: it is never read as a symbol that happens to be called like its ending. */
import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { rgPath } from '@vscode/ripgrep';
import { openLab, plant, type Tree } from '../../support/e2e-lab.js';
import { exploreTree } from '../../support/explore.js';

const TREE = {
  'src/cli.js': "import { run } from './run.js';\nconst ts = 1;\nconst path = 2;\nexport function main() {\n  run(ts, path);\n}\n",
  'src/run.js': 'export class Connection {\n  run() {\n    return helper();\n  }\n}\nfunction helper() {}\n',
};
const RELATIONS = ['callers', 'callees', 'dependencies', 'dependents', 'impact', 'auto'] as const;
for (const relation of RELATIONS) {
  for (const anchor of ['src/missing.ts', 'src/missing.path', 'src/cli.ts', 'src/mis-sing.ts', 'missing.ts', 'src/cli']) {
    test(`${relation} of ${anchor}, which does not exist, says so`, async () => {
      const { error, text } = await exploreTree(TREE, { relation, anchor });
      assert.equal(error?.code, 'path_missing', text);
      if (anchor.startsWith('src/cli')) assert.match(text, /src\/cli\.js/);
    });
  }
  test(`${relation} of a folder says that it is one`, async () => {
    assert.equal((await exploreTree({ ...TREE, 'src/path/a.js': '\n' }, { relation, anchor: 'src/path' })).error?.code, 'not_a_file');
  });
  test(`${relation} of a method of something that has none says whose it is not`, async () => {
    const { text, isError } = await exploreTree(TREE, { relation, anchor: 'config.run' });
    assert.ok(!isError, text);
    assert.match(text, /no run in config was found; these are others of that name/);
  });
}

const HEIRS: Tree = {
  'base.py': 'class Base:\n    def hook(self):\n        return 1\n',
  'heir.py': 'from base import Base\n\nclass Heir(Base):\n    def hook(self):\n        return super().hook() + 1\n',
  'heir.ts': 'class Root {\n  go() {}\n}\nclass Leaf extends Root {\n  go() { super.go(); }\n}\n',
  'lone.py': 'class Lone(away.Thing):\n    def only(self):\n        return super().only()\n',
};
for (const [anchor, said] of [
  ['Heir.hook', /^base\.py:2 @\S+ {2}super\(\)\.hook {2}called in line 5$/m],
  ['Leaf.go', /^heir\.ts:2 {2}super\.go {2}called in line 5$/m],
  ['Lone.only', /^# not defined here: .*super\(\)\.only$/m],
] as const)
  test(`a method that calls that of its base class does not call itself: ${anchor}`, async () => {
    assert.match((await openLab(plant(HEIRS)).text('explore', { relation: 'callees', anchor })).text, said);
  });

test('a method is not among its own callers for calling that of its base class', async () => {
  const { text } = await openLab(plant(HEIRS)).text('explore', { relation: 'callers', anchor: 'Lone.only' });
  assert.match(text, /^# no callers found$/m);
});

test('callers of a name that is defined nowhere says so', async () => {
  const lab = openLab(plant({ 'a.ts': 'export function run() {\n  elsewhere();\n}\n' }));
  const { text } = await lab.text('explore', { relation: 'callers', anchor: 'elsewhere' });
  assert.match(text, /^a\.ts:2 @\S+ {2}in run\(\)\n# no definition of elsewhere was found here; these are uses of that name$/m);
});

test('locate takes a path as words', async () => {
  const { text } = await openLab(plant(TREE)).text('locate', { query: 'src/nope.ts' });
  assert.doesNotMatch(text, /const ts/);
});

const LONG = `${'var a=1;'.repeat(60_000)}function bigfn(){return helper()}\n`;
for (const [tool, args] of [
  ['locate', { query: 'bigfn' }],
  ['locate', { query: 'where is bigfn defined' }],
  ['search_code', { query: 'bigfn' }],
  ['explore', { relation: 'callers', anchor: 'bigfn' }],
] as const) {
  test(`${tool} ${JSON.stringify(args)} names a file whose line with the name is too long to be looked at`, async () => {
    const lab = openLab(plant({ 'lib/bundle.js': LONG, 'a.js': 'export function bigfn() {}\n' }));
    const { text } = await lab.text(tool, args);
    const [, call = ''] =
      /^# incomplete: 1 file with matches in a line too long to be looked at \(--max-event-bytes\): lib\/bundle\.js; search_text (\{.*\}) shows them$/m.exec(
        text,
      ) ?? [];
    assert.match((await lab.text('search_text', JSON.parse(call))).text, /^lib\/bundle\.js.*\n.*bigfn/m, 'the call that is named shows it');
    assert.equal((await lab.json(tool, args)).data.partial, true);
  });
}

test('what stands only in a line too long to be looked at is not said to be nowhere', async () => {
  const lab = openLab(plant({ 'bundle.js': LONG, 'a.js': 'other\n' }));
  for (const [tool, args] of [
    ['read_snippet', { target: 'bigfn' }],
    ['explore', { relation: 'callees', anchor: 'bigfn' }],
    ['explore', { relation: 'callers', anchor: 'bigfn' }],
    ['locate', { query: 'bigfn' }],
    ['search_code', { query: 'bigfn' }],
  ] as const) {
    const { text } = await lab.text(tool, args);
    assert.match(text, /bundle\.js; search_text .* shows them/, `${tool}: ${text}`);
    assert.doesNotMatch(text, /no symbol that is defined here/);
  }
});

const posix = { skip: process.platform === 'win32' && 'the stand-in for rg is a shell script' };
for (const [tool, args] of [
  ['read_snippet', { target: 'hidden' }],
  ['read_snippet', { target: 'Box.hidden' }],
  ['explore', { relation: 'callees', anchor: 'hidden' }],
  ['explore', { relation: 'callers', anchor: 'hidden' }],
] as const) {
  test(`${tool} ${JSON.stringify(args)} beside a folder that cannot be read is incomplete, and proves no absence`, posix, async () => {
    const lab = openLab(plant({ 'a.js': 'other\n' }), { program: closedBeside(plant({ rg: '' })) });
    const { text, isError } = await lab.text(tool, args);
    assert.ok(isError, text);
    assert.match(
      text,
      /^target_missing: .*not everything was searched.*incomplete: 1 path could not be searched: closed \(Permission denied\)/m,
    );
    assert.doesNotMatch(text, /no symbol that is defined here/);
  });
}

/** A ripgrep that also says that it may not enter a folder, as the real one does. */
function closedBeside(dir: string): string {
  const script = join(dir, 'rg');
  const complaint = "printf '%s\\n' 'rg: ./closed: Permission denied (os error 13)' >&2; exit 2";
  writeFileSync(script, `#!/bin/sh\n"${rgPath}" "$@"\ncase "$*" in *--files*) ;; *) ${complaint};; esac\n`);
  chmodSync(script, 0o755);
  return script;
}

const CALLED: Tree = {
  'src/a.js':
    'export function alone() {\n  external();\n}\nexport function tested() {}\nexport function used() {}\nexport function outer() {\n  used();\n}\n',
  'src/b.js': "import { passed } from './c.js';\nregister(passed);\n",
  'src/c.js': 'export function passed() {}\n',
  'test/a.test.js': 'tested();\n',
};
const NONE: [relation: string, anchor: string, said: RegExp | undefined][] = [
  ['callers', 'alone', /^# no callers found$/m],
  ['impact', 'alone', /^# no callers found$/m],
  ['callers', 'passed', /^# no callers found$/m],
  ['callers', 'tested', /^# no callers found outside of tests$/m],
  ['callees', 'alone', /^# no callees found that are defined here$/m],
  ['callers', 'used', undefined],
  ['callees', 'outer', undefined],
];
for (const [relation, anchor, said] of NONE) {
  test(`${relation} of ${anchor}: ${said === undefined ? 'nothing is said to be missing' : 'what is missing is said, also as data'}`, async () => {
    const lab = openLab(plant(CALLED));
    const { text } = await lab.text('explore', { relation, anchor });
    const notes = (await exploreTree(CALLED, { relation, anchor })).notes.join('\n');
    assert.match(text, said ?? /^# (?:callers of|called by)/m);
    if (said === undefined) assert.doesNotMatch(`${text}${notes}`, /no call/);
    else assert.match(notes, /^no call/m);
  });
}
