/** Which definition of a name comes first, which names are the same, and what lies within what. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWithin, sameName } from '#dist/search/definitions.js';
import { locate } from '#dist/search/locate.js';
import { openLab, plant, type Tree } from '../../support/e2e-lab.js';

/** `path:line kind name` of every definition, best first. */
async function defined(tree: Tree, query: string): Promise<string[]> {
  const lab = openLab(plant(tree));
  const { places } = await locate({ query, kind: 'definition', maxResults: 500 }, lab.parts, await lab.context());
  return places.map(({ path, startLine, kind, name }) => `${path}:${startLine} ${kind} ${name}`);
}

const ORDER: [title: string, tree: Tree, query: string, order: string[]][] = [
  [
    'a body comes before its prototype',
    { 'include/load.h': 'int load(int x);\n', 'src/load.c': 'int load(int x)\n{\n\treturn x;\n}\n' },
    'load',
    ['src/load.c:1 function load', 'include/load.h:1 declaration load'],
  ],
  [
    'source comes before tests, and tests before vendored copies',
    { 'vendor/a.ts': 'export function f() {}\n', 'test/a.test.ts': 'export function f() {}\n', 'src/z.ts': 'export function f() {}\n' },
    'f',
    ['src/z.ts:1 function f', 'test/a.test.ts:1 function f', 'vendor/a.ts:1 function f'],
  ],
  [
    'equal ones come in path order, component by component',
    { 'a-b/x.ts': 'export class F {}\n', 'a/x.ts': 'export class F {}\n', 'a.d/x.ts': 'export class F {}\n' },
    'F',
    ['a/x.ts:1 class F', 'a-b/x.ts:1 class F', 'a.d/x.ts:1 class F'],
  ],
  [
    'a method in a class of one line',
    {
      'a.ts': 'export class NotFound extends Error { codeOf() { return 1; } }\nnew NotFound().codeOf();\n',
      'b.ts': 'x = { a: codeOf(1) };\n',
    },
    'codeOf',
    ['a.ts:1 method NotFound.codeOf'],
  ],
  [
    'a signature in an interface of one line, and a class beside it',
    { 'a.ts': 'interface Shape { area(): number }\nclass A { name = 1; area() { return 2; } } class B { static area() { return 3; } }\n' },
    'area',
    ['a.ts:2 method A.area', 'a.ts:2 method B.area', 'a.ts:1 declaration Shape.area'],
  ],
  [
    'a method in a class of one line beside one that has its own',
    { 'a.ts': 'class A {\n  size() {\n    return 1;\n  }\n}\n', 'b.ts': 'class B { size() { return 2; } }\n' },
    'size',
    ['a.ts:2 method A.size', 'b.ts:1 method B.size'],
  ],
  ['Java in one line', { 'A.java': 'class A { int area() { return 1; } }\n' }, 'area', ['A.java:1 method A.area']],
  [
    'of equals the less deep one comes first',
    { 'arch/a/boot/x.c': 'void start(void)\n{\n}\n', 'init/main.c': 'void start(void)\n{\n}\n' },
    'start',
    ['init/main.c:1 function start', 'arch/a/boot/x.c:1 function start'],
  ],
  [
    'what everyone can use comes before a variable in a function',
    { 'a.ts': 'function g() {\n  const size = 1;\n  return size;\n}\n', 'b.ts': 'export function size() {\n  return 2;\n}\n' },
    'size',
    ['b.ts:1 function size'],
  ],
  [
    'a function comes before a field of its name',
    { 'a.ts': 'export interface A {\n  load: string;\n}\n', 'b.ts': 'export function load() {}\n' },
    'load',
    ['b.ts:1 function load'],
  ],
  [
    'a re-export comes behind what it exports',
    { 'a.ts': "export { load } from './b.js';\n", 'b.ts': 'export function load() {}\n' },
    'load',
    ['b.ts:1 function load'],
  ],
  [
    "the project's own language breaks a tie",
    { 'tsconfig.json': '{}', 'a.py': 'class Load:\n    pass\n', 'b.ts': 'export class Load {}\n' },
    'Load',
    ['b.ts:1 class Load', 'a.py:1 class Load'],
  ],
  ['a typedef by its closing line', { 'a.h': 'typedef struct {\n\tint x;\n} point_t;\n' }, 'point_t', ['a.h:1 struct point_t']],
  ['an enumerator', { 'a.h': 'enum color {\n\tRED,\n\tGREEN,\n};\n' }, 'GREEN', ['a.h:3 enumerator color.GREEN']],
  ['a constant of a group', { 'a.go': 'package a\n\nconst (\n\tLimit = 5\n\tOther = 6\n)\n' }, 'Other', ['a.go:5 constant Other']],
  ['an arrow function of an object', { 'a.js': 'export const api = {\n  load: async (x) => x,\n};\n' }, 'load', ['a.js:2 method api.load']],
  [
    'a private field',
    { 'a.js': 'class A {\n  #priv = 0;\n  get() {\n    return this.#priv;\n  }\n}\n' },
    '#priv',
    ['a.js:2 field A.#priv'],
  ],
  [
    'a method with its decorator',
    { 'a.py': 'class A:\n    @cached\n    def load(self):\n        pass\n' },
    'A.load',
    ['a.py:2 method A.load'],
  ],
  ['a macro of several lines', { 'a.h': '#define max(a, b) \\\n\t((a) > (b) ? (a) : (b))\n' }, 'max', ['a.h:1 macro max']],
  ['a Rust macro', { 'a.rs': 'macro_rules! vec_of {\n    () => {};\n}\n' }, 'vec_of', ['a.rs:1 macro vec_of']],
  [
    'a Rust macro by its call',
    { 'a.rs': 'macro_rules! vec_of {\n    () => {};\n}\nfn f() {\n    vec_of!();\n}\n' },
    'vec_of!',
    ['a.rs:1 macro vec_of'],
  ],
  ['a Ruby predicate', { 'a.rb': 'class A\n  def valid?\n    true\n  end\nend\n' }, 'valid?', ['a.rb:2 method A.valid?']],
  ['a language without a grammar', { 'a.kt': 'fun load(x: Int): Int {\n  return x\n}\n' }, 'load', ['a.kt:1 function load']],
  ['K&R C', { 'a.c': 'int\nload(path)\n\tchar *path;\n{\n\treturn 0;\n}\n' }, 'load', ['a.c:1 function load']],
];
for (const [title, tree, query, order] of ORDER) {
  test(`definitions in order: ${title}`, async () => {
    assert.deepEqual((await defined(tree, query)).slice(0, order.length), order);
  });
}

test('calls that are given a function are no definitions, however many come before the real one', async () => {
  const calls = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`src/a${i}.ts`, 'useEffect(() => {\n  f();\n});\n']));
  assert.deepEqual(await defined({ ...calls, 'src/z.ts': 'export function useEffect(f: () => void): void {\n  f();\n}\n' }, 'useEffect'), [
    'src/z.ts:1 function useEffect',
  ]);
});

test('a definition far down in a file that is too large to be parsed is not lost', async () => {
  const lab = openLab(plant({ 'big.c': `${'int x;\n'.repeat(2_000)}int load(void)\n{\n\treturn 1;\n}\n` }), {
    limits: { maxFileBytes: 2_000 },
  });
  const { places } = await locate({ query: 'load', kind: 'definition', maxResults: 5 }, lab.parts, await lab.context());
  assert.deepEqual(
    places.map(({ path, startLine }) => `${path}:${startLine}`),
    ['big.c:2001'],
  );
});

test('prose that looks like code defines nothing', async () => {
  const tree = {
    'README.md': 'See the module configuration for more.\n',
    'test/README.md': 'The module configuration.\n',
    'a.rb': 'def configuration\nend\n',
  };
  assert.deepEqual(await defined(tree, 'configuration'), ['a.rb:1 method configuration']);
});

test('what a macro stands for is not defined by it, however many do so before the real one', async () => {
  const calls = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`drivers/a${i}.c`, `#define DBG${i}(args) printk args\n`]));
  const tree = { ...calls, 'include/printk.h': '#define printk(fmt, ...) 0\n' };
  assert.deepEqual(await defined(tree, 'printk'), ['include/printk.h:1 macro printk']);
});

test('a method of the class that is named comes before one in a folder of that name', async () => {
  const tree = {
    'runtime/a.rs': 'impl Guard {\n    fn block_on(&self) {}\n}\n',
    'runtime/z.rs': 'impl Runtime {\n    fn block_on(&self) {}\n}\n',
  };
  assert.equal((await defined(tree, 'Runtime::block_on'))[0], 'runtime/z.rs:2 method Runtime.block_on');
});

test('a struct that is only used is not defined', async () => {
  assert.deepEqual(await defined({ 'a.c': 'static struct page *f(struct page *p)\n{\n\tstruct page q;\n\treturn p;\n}\n' }, 'page'), []);
});

const SAME: [wanted: string, name: string, isAnyCase: boolean, same: boolean][] = [
  ['load', 'load', false, true],
  ['load', 'Load', false, false],
  ['load', 'Load', true, true],
  ['state', '$state', false, true],
  ['state', '@state', false, true],
  ['#priv', '#priv', false, true],
  ['#priv', 'priv', false, false],
  ['operator+', 'operator +', false, true],
  ['load', 'loader', false, false],
];
for (const [wanted, name, isAnyCase, same] of SAME) {
  test(`${wanted} ${same ? 'is' : 'is not'} ${name}${isAnyCase ? ' in any letter case' : ''}`, () => {
    assert.equal(sameName(wanted, isAnyCase)(name), same);
  });
}

const WITHIN: [title: string, container: string, path: string, containers: string[], within: boolean][] = [
  ['no container is asked for', '', 'a.ts', [], true],
  ['the class', 'Session', 'a.ts', ['Session'], true],
  ['the class in another letter case', 'session', 'a.ts', ['Session'], true],
  ['an outer class', 'Session.Inner', 'a.ts', ['Session'], true],
  ['a namespace', 'ns::Inner', 'a.cpp', ['ns'], true],
  ['the file', '', 'src/session.ts', ['session'], true],
  ['a folder', '', 'src/session/a.ts', ['session'], true],
  ['another class', 'Other', 'a.ts', ['Session'], false],
  ['a part of a name', 'Sessions', 'sessions.ts', ['Session'], false],
];
for (const [title, container, path, containers, within] of WITHIN) {
  test(`a definition ${within ? 'lies' : 'does not lie'} within what is named: ${title}`, () => {
    assert.equal(isWithin(container, path, containers), within);
  });
}
