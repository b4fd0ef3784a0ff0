/** Relations in whole processes: files that are odd in form answer in time and are not missed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plant } from '../support/e2e-lab.js';
import { openServer } from '../support/server.js';

const BLANK = '\n'.repeat(200_000);

for (const [title, files, tool, args] of [
  [
    'explore callers',
    { 'a.js': `function fooBar() { return 1; }${BLANK}x`, 'b.js': 'const a = require("./a");' },
    'explore',
    { relation: 'callers', anchor: 'fooBar' },
  ],
  ['locate', { 'p.php': `<?php\nnamespace App;\nfunction foo_bar() { return 1; }${BLANK}x();` }, 'locate', { query: 'foo_bar' }],
] as const) {
  test(`${title}: many blank lines in a row take no more time than others`, async () => {
    const server = await openServer({ root: plant(files) });
    const { text, isError } = await server.call(tool, { ...args, timeoutMs: 10_000 });
    assert.ok(!isError, text);
    assert.doesNotMatch(text, /stopped after/);
    assert.match(text, /\bfoo(?:Bar|_bar)\(\)/);
  });
}

test('explore dependents: a file whose name has a dot of its own is imported by that name', async () => {
  const root = plant({
    'src/user.service.ts': 'export class UserService {}\n',
    'src/app.ts': "import { UserService } from './user.service';\n",
    'src/main.ts': "import { UserService } from './user.service.js';\n",
    'src/other.ts': "import { User } from './user';\n",
    'src/user.ts': 'export class User {}\n',
  });
  const server = await openServer({ root });
  const { text } = await server.call('explore', { relation: 'dependents', anchor: 'src/user.service.ts' });
  assert.match(text, /^src\/app\.ts:1 /m);
  assert.match(text, /^src\/main\.ts:1 /m);
  assert.doesNotMatch(text, /other\.ts/);
});

test('explore callers: more uses without a call than are shown are counted', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 60 }, (_, n) => [`src/t${n}.ts`, `import { handler } from './h';\nexport const t${n} = [handler];\n`]),
  );
  const server = await openServer({ root: plant({ 'src/h.ts': 'export function handler() {}\n', ...files }) });
  const { text } = await server.call('explore', { relation: 'callers', anchor: 'handler', force: true, maxChars: 20_000 });
  assert.match(text, /^# 20 further places that use handler without a call; narrow scope$/m);
});

test('explore dependents: modules that one import names together, and a file behind an alias', async () => {
  const root = plant({
    'pkg/__init__.py': '',
    'pkg/a.py': 'x = 1\n',
    'pkg/b.py': 'y = 1\n',
    'pkg/c.py': 'from . import a, b\n',
    'main.py': 'from pkg import a, b\n',
    'src/lib/money.ts': 'export const money = 1;\n',
    'src/app.ts': "import { money } from '@/lib/money';\n",
    'src/far.ts': "import { money } from 'money/lib';\n",
  });
  const server = await openServer({ root });
  const { text: python } = await server.call('explore', { relation: 'dependents', anchor: 'pkg/b.py' });
  assert.match(python, /^main\.py:1 /m);
  assert.match(python, /^pkg\/c\.py:1 /m);
  const { text: aliased } = await server.call('explore', { relation: 'dependents', anchor: 'src/lib/money.ts' });
  assert.match(aliased, /may import it[\s\S]*^src\/app\.ts:1 /m);
  assert.doesNotMatch(aliased, /far\.ts/);
});

test('what was searched only up to a NUL byte is named, and an empty answer tells of such files', async () => {
  const long = 'const filler = 1;\n'.repeat(20_000);
  const root = plant({
    'a.ts': 'export function fooBar() { return 1; }\n',
    'b.ts': `fooBar();\n${long}const k = "\0";\nfooBar();\n`,
    'c.ts': 'const k = "\0";\nexport function onlyHere() {}\n',
  });
  const server = await openServer({ root });
  for (const [tool, args] of [
    ['locate', { query: 'fooBar' }],
    ['explore', { relation: 'callers', anchor: 'fooBar' }],
    ['search_code', { query: 'fooBar' }],
  ] as const) {
    const { text } = await server.call(tool, args);
    assert.match(text, /^# searched only up to a NUL byte, as binary: b\.ts; search_text with binary: true searches the rest$/m, tool);
  }
  const { text } = await server.call('locate', { query: 'onlyHere' });
  assert.match(text, /Files with a NUL byte count as binary and are passed over/);
});

test('explore callers: a label of C is no use, and a number is a least one where files were not parsed', async () => {
  const files = Object.fromEntries(Array.from({ length: 230 }, (_, n) => [`src/f${n}.c`, `int g${n}(void)\n{\n\treturn load(${n});\n}\n`]));
  const root = plant({
    'src/load.c': 'int load(int n)\n{\n\treturn n;\n}\n',
    'src/z.c': 'int z(int n)\n{\n\tif (n)\n\t\tgoto load;\n\tn = n ? load : 0;\nload:\n\treturn n;\n}\n',
    ...files,
  });
  const server = await openServer({ root });
  const { text } = await server.call('explore', { relation: 'callers', anchor: 'load', force: true, maxChars: 50_000 });
  assert.match(text, /^# callers of load \(at least \d+\)/m);
  assert.match(text, /files? with calls not parsed/);
  assert.match(text, /^src\/z\.c:5 /m);
  assert.doesNotMatch(text, /goto load|load:$/m);
});
