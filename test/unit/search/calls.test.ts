/** Which lines call a function, and of whom a call is: every form of a call, aliases, other things of the same name. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openLab, plant, type Tree } from '../../support/e2e-lab.js';
import { exploreIn, exploreTree } from '../../support/explore.js';

const CALLS = /^callers of /;
const DEFINED = 'export function target<T>(value?: T): T | undefined {\n  return value;\n}\n';

/** Each is line 3 of a file that imports the target, inside of a function. */
const FORMS: readonly (readonly [what: string, line: string])[] = [
  ['a call', 'target();'],
  ['a call in a call', 'outer(target(1));'],
  ['an optional call', 'target?.(1);'],
  ['a call that is asserted', 'target!(1);'],
  ['a call in brackets', '(target)(1);'],
  ['a call with a cast', '(target as any)(1);'],
  ['type arguments', 'target<string>("a");'],
  ['nested type arguments', 'target<Map<string, Set<number>>>(new Map());'],
  ['type arguments and brackets in later lines', 'target<\n  string\n>("a");'],
  ['a tagged template', 'target`text`;'],
  ['new', 'new target();'],
  ['new without brackets', 'new target;'],
  ['.call', 'target.call(null, 1);'],
  ['.apply', 'target.apply(null, [1]);'],
  ['the hole of a template', `log(\`a \${target(1)} b\`);`],
  ['a default parameter', 'const f = (a = target()) => a;'],
  ['a field that is initialised', 'class A { x = target(1); }'],
  ['a line that looks like a method', 'target(1, (key) => {});'],
  ['await', 'await target(1);'],
  ['a name that stands twice on its line', 'const x: typeof target = target(1);'],
];

for (const [what, line] of FORMS) {
  test(`a caller in TypeScript: ${what}`, async () => {
    const tree = {
      'src/target.ts': DEFINED,
      'src/user.ts': `import { target } from "./target.js";\nasync function user() {\n  ${line}\n}\n`,
    };
    const reply = await exploreTree(tree, { relation: 'callers', anchor: 'target' });
    assert.deepEqual(reply.places(CALLS), ['src/user.ts:3'], reply.text);
  });
}

const TREES: readonly (readonly [what: string, anchor: string, tree: Tree, expected: readonly string[]])[] = [
  ['an import under another name', 'target', { 'a.ts': DEFINED, 'b.ts': 'import { target as t } from "./a";\nt(1);\n' }, ['b.ts:2']],
  ['a namespace', 'target', { 'a.ts': DEFINED, 'b.ts': 'import * as all from "./a";\nall.target(1);\n' }, ['b.ts:2']],
  [
    'a namespace of something else',
    'target',
    { 'a.ts': DEFINED, 'other.ts': 'export const x = 1;\n', 'b.ts': 'import * as all from "./other";\nall.target(1);\n' },
    [],
  ],
  ['a parameter of the same name', 'target', { 'a.ts': DEFINED, 'b.ts': 'export function f(target: () => void) {\n  target();\n}\n' }, []],
  ['a private method', '#step', { 'a.ts': 'class A {\n  #step() {}\n  run() {\n    this.#step();\n  }\n}\n' }, ['a.ts:4']],
  [
    'super',
    'Base.begin',
    { 'a.ts': 'export class Base {\n  begin() {}\n}\nexport class Sub extends Base {\n  go() {\n    super.begin();\n  }\n}\n' },
    ['a.ts:6'],
  ],
  ['a bare call that cannot be a method', 'refresh', { 'a.ts': 'export class A {\n  refresh() {}\n}\n', 'b.ts': 'refresh();\n' }, []],
  [
    'a decorator',
    'marked',
    { 'a.ts': 'export function marked(x: any) {}\n', 'b.ts': 'import { marked } from "./a";\n@marked\nclass B {}\n' },
    ['b.ts:2'],
  ],
  [
    'an element of JSX',
    'Panel',
    { 'a.tsx': 'export function Panel() {\n  return null;\n}\n', 'b.tsx': 'import { Panel } from "./a";\nexport const x = <Panel />;\n' },
    ['b.tsx:2'],
  ],
  ['Python', 'load', { 'a.py': 'def load():\n    pass\n', 'b.py': 'from a import load\n\ndef main():\n    load()\n' }, ['b.py:4']],
  ['Python by its module', 'load', { 'a.py': 'def load():\n    pass\n', 'b.py': 'import a\na.load()\n' }, ['b.py:2']],
  [
    'a method in Python',
    'A.go',
    { 'a.py': 'class A:\n    def go(self):\n        pass\n    def run(self):\n        self.go()\n' },
    ['a.py:5'],
  ],
  [
    'Go',
    'Load',
    {
      'go.mod': 'module m\n',
      'a/a.go': 'package a\nfunc Load() {}\n',
      'main.go': 'package main\nimport "m/a"\nfunc main() {\n\ta.Load()\n}\n',
    },
    ['main.go:4'],
  ],
  ['Rust', 'load', { 'src/main.rs': 'mod a;\nfn main() {\n    a::load();\n}\n', 'src/a.rs': 'pub fn load() {}\n' }, ['src/main.rs:3']],
  ['C', 'load', { 'a.c': 'int load(void)\n{\n\treturn 1;\n}\n', 'b.c': 'int main(void)\n{\n\treturn load();\n}\n' }, ['b.c:3']],
  ['Java', 'load', { 'A.java': 'class A {\n  void load() {}\n  void run() {\n    load();\n  }\n}\n' }, ['A.java:4']],
  [
    'scripts and templates of Vue and Svelte',
    'target',
    {
      'a.ts': DEFINED,
      'b.vue':
        '<template>\n  <a @click="target(1)">it\'s</a>\n</template>\n<script setup>\nimport { target as t } from "./a";\nt(2);\n</script>\n',
      'c.svelte': '<script>\n  import { target } from "./a";\n  function go() {\n    target(2);\n  }\n</script>\n',
    },
    ['b.vue:2', 'b.vue:6', 'c.svelte:4'],
  ],
  ['Ruby without brackets', 'load_all', { 'a.rb': 'def load_all(x)\n  x\nend\n', 'b.rb': 'def main\n  load_all 1\nend\n' }, ['b.rb:2']],
  ['a shell', 'load_all', { 'a.sh': 'load_all() {\n  true\n}\nload_all x\n' }, ['a.sh:4']],
];

for (const [what, anchor, tree, expected] of TREES) {
  test(`callers: ${what}`, async () => {
    const reply = await exploreTree(tree, { relation: 'callers', anchor });
    assert.deepEqual(reply.places(CALLS), expected, reply.text);
  });
}

test('a method with the name of a built-in one is called by an object named like its class alone', async () => {
  const tree = {
    'cache.ts': 'export class UserCache {\n  has(key: string) {\n    return key;\n  }\n}\n',
    'a.ts': 'import { userCache } from "./made";\nnew Set().has(1);\nnames.has(2);\nuserCache.has("x");\n',
  };
  const reply = await exploreTree(tree, { relation: 'callers', anchor: 'UserCache.has' });
  assert.deepEqual(reply.places(CALLS), ['a.ts:4'], reply.text);
});

test('a comment and a string call nothing', async () => {
  const tree = {
    'a.ts': DEFINED,
    'b.ts': 'import { target } from "./a";\n// target(1)\nconst x = "target(1)";\n/* target(2) */\ntarget(3);\n',
  };
  assert.deepEqual((await exploreTree(tree, { relation: 'callers', anchor: 'target' })).places(CALLS), ['b.ts:5']);
});

test('calls of one function are one edge with all its lines, and its caller is named', async () => {
  const tree = { 'a.ts': DEFINED, 'b.ts': 'import { target } from "./a";\nfunction user() {\n  target(1);\n  target(2);\n}\ntarget(3);\n' };
  const reply = await exploreTree(tree, { relation: 'callers', anchor: 'target' });
  assert.deepEqual(reply.edges(CALLS), ['b.ts:3,4  in user()', 'b.ts:6  top level']);
});

/** What is said about each call: proved, possible, used as a value; nothing may be taken for something else. */
const TOLD: readonly (readonly [what: string, tree: Tree, calls: readonly string[], possible: readonly string[]])[] = [
  [
    'a module of Python under another name',
    { 'p/__init__.py': '', 'p/a.py': 'def target():\n    pass\n', 'p/b.py': 'from . import a as h\nh.target()\n' },
    ['p/b.py:2'],
    [],
  ],
  [
    'a module of a package of Python under another name, beside others',
    {
      'p/__init__.py': '',
      'p/c.py': '',
      'p/a.py': 'def target():\n    pass\n',
      'b.py': 'from p import c, a as h\nh.target()\nc.target()\n',
    },
    ['b.py:2'],
    [],
  ],
  [
    'a package of Python that imports the name',
    { 'p/__init__.py': 'from .a import target\n', 'p/a.py': 'def target():\n    pass\n', 'b.py': 'import p as q\nq.target()\n' },
    ['b.py:2'],
    [],
  ],
  [
    'a namespace under another name',
    {
      'a.ts': 'export namespace NS {\n  export function target() {}\n}\n',
      'b.ts': 'import { NS as Q } from "./a";\nQ.target();\n',
    },
    ['b.ts:2'],
    [],
  ],
  [
    'a barrel that exports a module as a namespace',
    {
      'a.ts': DEFINED,
      'all.ts': 'export * as svc from "./a";\n',
      'b.ts': 'import { svc } from "./all";\nsvc.target(1);\n',
      'c.ts': 'import { svc as s } from "./all";\ns.target(1);\n',
      'd.ts': 'import * as all from "./all";\nall.svc.target(1);\n',
    },
    ['b.ts:2', 'c.ts:2', 'd.ts:2'],
    [],
  ],
  [
    'a module that is imported where it is called',
    { 'a.ts': DEFINED, 'b.ts': 'async function f() {\n  (await import("./a")).target(1);\n}\n', 'c.js': 'require("./a").target(1);\n' },
    ['b.ts:2', 'c.js:1'],
    [],
  ],
  [
    'an object that a module makes of it',
    {
      'a.ts': DEFINED,
      'o.ts': 'import { target } from "./a";\nexport const o = { target };\n',
      'b.ts': 'import { o } from "./o";\no.target(1);\n',
      'c.ts': 'export function run(host: Host) {\n  host.target(1);\n}\n',
    },
    [],
    ['b.ts:2', 'c.ts:2'],
  ],
  [
    'a plain script that hands it over as well',
    {
      'a.js': 'function target() {}\n',
      'b.js': 'wrap(target);\ntarget();\n',
      'c.js': 'var table = {target: target};\nfunction f() {\n  target();\n}\n',
      'd.js': 'function g(target) {\n  target();\n}\nfunction h() {\n  target();\n}\n',
    },
    ['b.js:2', 'c.js:3', 'd.js:5'],
    [],
  ],
  [
    'a name alone on a line before it',
    { 'a.js': 'function target() {}\n', 'b.js': 'function f(\n  target,\n  x,\n) {\n  target();\n}\n' },
    [],
    ['b.js:5'],
  ],
];

for (const [what, tree, calls, possible] of TOLD) {
  test(`callers are told, not taken for something else: ${what}`, async () => {
    const reply = await exploreTree(tree, { relation: 'callers', anchor: 'target' });
    assert.deepEqual(reply.places(CALLS), calls, reply.text);
    assert.deepEqual(reply.places(/^may be called/), possible, reply.text);
  });
}

const DEFAULTS: readonly (readonly [what: string, tree: Tree, calls: readonly string[], values: readonly string[]])[] = [
  [
    'a default export under other names',
    {
      'lib.js': 'export default function target() {}\n',
      'a.js': "import build from './lib.js';\nbuild();\n",
      'b.js': "import { default as made } from './lib.js';\nmade();\n[1].map(made);\n",
      'c.js': "import build from './other.js';\nbuild();\n",
      'other.js': 'export default function other() {}\n',
    },
    ['a.js:2', 'b.js:2'],
    ['b.js:3'],
  ],
  [
    'a default export that is exported again',
    {
      'lib.ts': 'function target() {}\nexport default target;\n',
      'all.ts': "export { default as build } from './lib';\n",
      'a.ts': "import { build } from './all';\nbuild();\n",
    },
    ['a.ts:2'],
    ['lib.ts:2'],
  ],
  [
    'module.exports under another name',
    { 'lib.js': 'function target() {}\nmodule.exports = target;\n', 'a.js': "const doit = require('./lib');\ndoit();\n" },
    ['a.js:2'],
    ['lib.js:2'],
  ],
  [
    'a name of an import that is handed over',
    {
      'lib.ts': 'export function target() {}\n',
      'a.ts': "import { target as h } from './lib';\n[1].map(h);\nconst text = 'h'; // h\nconst o = { h: 1 };\nh();\n",
    },
    ['a.ts:5'],
    ['a.ts:2'],
  ],
  [
    'a function of Python in a dict under its own name',
    { 'a.py': 'def target():\n    pass\n', 'b.py': 'from a import target\nTABLE = {"target": target}\ntext = "target"\n' },
    [],
    ['b.py:2'],
  ],
];

for (const [what, tree, calls, values] of DEFAULTS) {
  test(`callers and uses: ${what}`, async () => {
    const reply = await exploreTree(tree, { relation: 'callers', anchor: 'target' });
    assert.deepEqual(reply.places(CALLS), calls, reply.text);
    assert.deepEqual(reply.places(/used without a call/), values, reply.text);
  });
}

test('a file that is read by its lines alone is no shadow of its own import', async () => {
  const filler = 'export const x = 1;\n'.repeat(200);
  const tree = { 'a.ts': DEFINED, 'b.ts': `import {target} from "./a";\n${filler}target(1);\nhost.target(2);\n` };
  const reply = await exploreIn(openLab(plant(tree), { limits: { maxParseChars: 1000 } }), { relation: 'callers', anchor: 'target' });
  assert.deepEqual(reply.places(CALLS), ['b.ts:202'], reply.text);
  assert.deepEqual(reply.places(/^may be called/), ['b.ts:203'], reply.text);
});

test('of several functions on one line the one that holds the call is named', async () => {
  const tree = {
    'a.ts': `${DEFINED}function one() { target(1); } function two() {} target(2);\nclass A { f() { target(3); } g() {} }\n`,
  };
  const reply = await exploreTree(tree, { relation: 'callers', anchor: 'target' });
  assert.deepEqual(reply.edges(CALLS), ['a.ts:4  in one()', 'a.ts:4  top level', 'a.ts:5  in A.f()'], reply.text);
  assert.deepEqual((await exploreTree(tree, { relation: 'callees', anchor: 'two' })).places(/^called by/), []);
  assert.deepEqual((await exploreTree(tree, { relation: 'callees', anchor: 'one' })).places(/^called by/), ['a.ts:1']);
});

test('an impact says that callers of what may be called are not followed', async () => {
  const tree = { 'a.ts': DEFINED, 'b.ts': 'export function run(host: Host) {\n  host.target(1);\n}\nrun();\n' };
  const reply = await exploreTree(tree, { relation: 'impact', anchor: 'target' });
  assert.deepEqual(reply.places(/^may be called/), ['b.ts:2'], reply.text);
  assert.ok(reply.notes.includes('callers of what may be called are not followed'), reply.notes.join('\n'));
});
