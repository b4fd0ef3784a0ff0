/** What is asked of a structure: what is around a line, what kind of text is at a place, how a definition is shown. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { read, reader, show } from './outline.js';

const SOURCE = [
  'class Outer {',
  '  field = 1;',
  '  run() {',
  '    const table = [',
  '      1,',
  '    ];',
  '    function inner() {',
  '      return 2;',
  '    }',
  '  }',
  '}',
  'const top = 3;',
].join('\n');

const AROUND: [line: number, around: string | undefined][] = [
  [1, 'class Outer 1-11'],
  [2, 'class Outer 1-11'],
  [3, 'method Outer.run 3-10'],
  [5, 'method Outer.run 3-10'],
  [8, 'function Outer.run.inner 7-9'],
  [10, 'method Outer.run 3-10'],
  [11, 'class Outer 1-11'],
  [12, undefined],
  [99, undefined],
];
for (const [line, around] of AROUND) {
  test(`around line ${line} is ${around ?? 'nothing'}`, async () => {
    const found = (await read('a.ts', SOURCE)).enclosing(line);
    assert.equal(found === undefined ? undefined : show(found), around);
  });
}

test('every definition knows the one around it', async () => {
  const { definitions } = await read('a.ts', SOURCE);
  assert.deepEqual(
    definitions.map(({ name, parent }) => `${name} in ${definitions[parent]?.name ?? 'nothing'}`),
    ['Outer in nothing', 'field in Outer', 'run in Outer', 'inner in run', 'top in nothing'],
  );
});

const ROLES: [path: string, text: string, marks: string][] = [
  ['a.ts', "const a = 'b'; // c", '----------sss--cccc'],
  ['a.ts', `f(\`a \${b(\`c\`)} d\`)`, '--sss----sss--sss-'],
  ['a.ts', '/* a */ b /x/g', 'ccccccc-------'],
  ['a.py', "x = f'a {b} c' # d", '----ssss---sss-ccc'],
  ['a.py', "'''doc'''", 'sssssssss'],
  ['a.go', 'var a = "b" // c', '--------sss-cccc'],
  ['a.rs', "let a = 'b'; /* c */", '--------sss--ccccccc'],
  ['a.c', '#include "a.h" // b', '---------sssss-cccc'],
  ['a.c', 'int __init a; // b', '--------------cccc'],
  ['a.rb', 'a = "b #{c} d" # e', '----sss----sss-ccc'],
  ['a.sh', 'a "b $(c) d" # e', '--sss----sss-ccc'],
  ['A.java', 'String a = "b"; // c', '-----------sss--cccc'],
  ['A.cs', 'var a = $"b {c} d"; // e', '--------ssss---sss--cccc'],
  ['a.php', "<?php $a = 'b'; // c", '-----------sss--cccc'],
];
for (const [path, text, marks] of ROLES) {
  test(`comments and strings of ${path} are told from code: ${text}`, async () => {
    const structure = await read(path, text);
    const found = [...text].map((_, column) => ({ comment: 'c', string: 's', code: '-' })[structure.roleAt(1, column)]).join('');
    assert.equal(found, marks);
  });
}

test('all is code where roles were not wanted', async () => {
  const structure = await reader.read('a.ts', '// comment');
  assert.equal(structure.roleAt(1, 4), 'code');
});

test('only what is wanted is found', async () => {
  const text = "import 'a';\nf();";
  const bare = await reader.read('a.ts', text);
  assert.deepEqual([bare.calls.length, bare.imports.length], [0, 0]);
  const calls = await reader.read('a.ts', text, { wanted: { calls: true } });
  assert.deepEqual([calls.calls.length, calls.imports.length], [1, 0]);
});

const SIGNATURES: [path: string, text: string, signature: string][] = [
  [
    'a.ts',
    '@Deco()\nexport async function f(\n  a: number,\n  b = {},\n): Promise<void> {\n}',
    'export async function f( a: number, b = {}, ): Promise<void>',
  ],
  ['a.ts', 'export const f = (a) => a;', 'export const f = (a)'],
  ['a.ts', 'const table = {\n  a: 1,\n};', 'const table ='],
  ['a.py', '@deco\ndef f(a,\n      b: int = 1) -> str:\n    pass', 'def f(a, b: int = 1) -> str'],
  ['a.go', 'package p\nfunc (s *S) F(a int) error {\n}', 'func (s *S) F(a int) error'],
  ['a.rs', '#[inline]\npub fn f<T>(a: T) -> T\nwhere\n    T: Copy,\n{\n}', 'pub fn f<T>(a: T) -> T where T: Copy,'],
  ['a.c', 'static struct foo *\nf(int a)\n{\n}', 'static struct foo * f(int a)'],
  ['a.c', '#define MAX(a, b) \\\n\t(a)', '#define MAX(a, b) \\'],
  ['a.rb', 'def f(a,\n      b)\n  1\nend', 'def f(a, b)'],
  ['a.sh', 'f() {\n  a\n}', 'f()'],
];
for (const [path, text, signature] of SIGNATURES) {
  test(`the signature in ${path} is ${signature}`, async () => assert.equal((await read(path, text)).definitions[0]?.signature, signature));
}

test('a long signature is cut', async () => {
  const [definition] = (await read('a.ts', `function f(${'parameter, '.repeat(100)}) {}`)).definitions;
  assert.equal(definition?.signature.length, 240);
  assert.ok(definition.signature.endsWith('…'));
});

test('columns count UTF-16 units, lines end at LF alone', async () => {
  const { definitions } = await read('a.ts', '/* 😀\r\u2028 */ function f() {}\r\nfunction g() {}');
  assert.deepEqual(
    definitions.map(({ name, nameLine, nameColumn }) => `${name} ${nameLine}:${nameColumn}`),
    ['f 1:20', 'g 2:9'],
  );
});

test('carriage returns before line feeds change nothing', async () => {
  const text = 'int f(void)\n{\n#define A \\\n\t1\n\treturn 1;\n}\nint g(void) { return 2; }';
  const [unix, windows] = [await read('a.c', text), await read('a.c', text.replaceAll('\n', '\r\n'))];
  assert.deepEqual(windows.definitions, unix.definitions);
});

test('names that objects have of themselves are names like any other', async () => {
  const { definitions, calls } = await read('a.ts', 'function constructor() { toString(); __proto__(); }');
  assert.deepEqual(
    [...definitions, ...calls].map(({ name }) => name),
    ['constructor', 'toString', '__proto__'],
  );
});
