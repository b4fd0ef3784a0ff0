/** read_snippet with `target` and `expand`: what is read for each form, what is said about it, and what is refused. */
import assert from 'node:assert/strict';
import { chmodSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Args, type Lab, openLab, plant, type Tree } from '../../support/e2e-lab.js';
import { bytes } from '../../support/fixtures.js';
import { runCli } from '../../support/server.js';

const STORE = [
  "import { open } from './open.js';",
  '',
  'export class Store {',
  '  constructor() {',
  '    open();',
  '  }',
  '',
  '  load(name) {',
  '    const found = this.find(name);',
  '    return found;',
  '  }',
  '}',
  '',
  'export function fetchAll() {',
  '  return [];',
  '}',
  '',
].join('\n');
const TREE: Tree = {
  'src/store.js': STORE,
  'src/other.js': 'export function load() {\n  return 1;\n}\n',
  'src/use.js': "import { Store } from './store.js';\nnew Store().load('x');\nexternal();\n",
  'include/size.h': 'int size_of(int x);\n',
  'src/size.c': 'int size_of(int x)\n{\n\treturn x;\n}\n',
  'notes.txt': Array.from({ length: 60 }, (_, i) => `note ${i + 1}`).join('\n'),
  Makefile: 'all:\n\tcc\n',
  fetchAll: 'a file of that name\n',
  '.env': 'needle=1\n',
  'lib/names.js':
    'export const ts = 1;\nexport function other() {}\nexport class Car {\n  go() {\n    return 1;\n  }\n  run() {\n    return 2;\n  }\n}\n',
  'lib/found.js': 'class Finder {\n  find() {}\n}\n',
  'lib/start.run': 'a file\n',
};

async function shown(lab: Lab, args: Args): Promise<{ range: string; notes: readonly string[] }> {
  const { data, isError, text } = await lab.json('read_snippet', args);
  assert.ok(!isError, text);
  const { path, returnedLines } = data as { path?: string; returnedLines?: { start: number; end: number } };
  return { range: `${path}:${returnedLines?.start}-${returnedLines?.end}`, notes: data.notes ?? [] };
}

const READS: [title: string, args: Args, range: string, said?: RegExp][] = [
  ['a class', { target: 'Store' }, 'src/store.js:3-12', /class Store/],
  ['a method of a class', { target: 'Store.load' }, 'src/store.js:8-11', /method Store\.load/],
  ['a method written with ::', { target: 'Store::load' }, 'src/store.js:8-11', /method Store\.load/],
  ['a method that is called as a file ends', { target: 'Car.go' }, 'lib/names.js:4-6', /method Car\.go/],
  ['a method called as a file of the root ends', { target: 'Car.run' }, 'lib/names.js:7-9', /method Car\.run/],
  [
    'a method that the named class has not, saying so',
    { target: 'config.find' },
    'lib/found.js:2-2',
    /no find in config was found.*others of that name/,
  ],
  ['a namespace with backslashes', { target: 'Lib\\Store' }, 'src/store.js:3-12', /class Store/],
  ['a call', { target: 'Store.load()' }, 'src/store.js:8-11', /method Store\.load/],
  ['a method of a file', { target: 'other.load' }, 'src/other.js:1-3', /function load/],
  ['a symbol with expand', { target: 'Store', expand: true }, 'src/store.js:3-12'],
  ['a symbol without expand', { target: 'Store', expand: false }, 'src/store.js:3-3'],
  ['a body rather than its prototype', { target: 'size_of' }, 'src/size.c:1-4', /other candidate.*include\/size\.h:1/],
  ['a whole file', { target: 'src/store.js' }, 'src/store.js:1-16'],
  ['a whole file, whatever expand says', { target: 'src/store.js', expand: true }, 'src/store.js:1-16'],
  ['a line', { target: 'src/store.js:9' }, 'src/store.js:8-11', /expanded to method Store\.load/],
  ['a line between methods', { target: 'src/store.js:7' }, 'src/store.js:3-12', /expanded to class Store/],
  ['a line without expand', { target: 'src/store.js:9', expand: false }, 'src/store.js:9-9'],
  ['a range', { target: 'src/store.js:9-10' }, 'src/store.js:9-10'],
  ['a range with expand', { target: 'src/store.js:9-10', expand: true }, 'src/store.js:8-11', /expanded to method/],
  ['a range over two methods with expand', { target: 'src/store.js:5-9', expand: true }, 'src/store.js:3-12', /expanded to class/],
  ['a range in no block with expand', { target: 'src/store.js:1-14', expand: true }, 'src/store.js:1-14', /no function or class/],
  ['a line in no block', { target: 'src/store.js:1' }, 'src/store.js:1-11', /no function or class around line 1/],
  ['a line of plain text', { target: 'notes.txt:30' }, 'notes.txt:20-40', /no function or class/],
  ['a line of a file without a dot', { target: 'Makefile:1', expand: false }, 'Makefile:1-1'],
  ['a file that is also a symbol', { target: 'fetchAll' }, 'fetchAll:1-1'],
  ['spaces around', { target: '  Store  ' }, 'src/store.js:3-12'],
  ['a leading ./', { target: './src/store.js:9-10' }, 'src/store.js:9-10'],
  ['path and line with expand', { path: 'src/store.js', startLine: 9, expand: true }, 'src/store.js:8-11', /expanded to/],
  ['path and lines with expand', { path: 'src/store.js', startLine: 9, endLine: 10, expand: true }, 'src/store.js:8-11'],
  ['path and line without expand', { path: 'src/store.js', startLine: 15 }, 'src/store.js:15-16'],
  ['a symbol in another letter case', { target: 'fetchall' }, 'src/store.js:14-16', /function fetchAll/],
];
for (const [title, args, range, said] of READS) {
  test(`reads ${title}`, async () => {
    const tree = title === 'a symbol in another letter case' ? { 'src/store.js': STORE } : TREE;
    const outcome = await shown(openLab(plant(tree)), args);
    assert.equal(outcome.range, range, outcome.notes.join('\n'));
    if (said !== undefined) assert.match(outcome.notes.join('\n'), said);
  });
}

test('several candidates are named with their places, and each of them can be read', async () => {
  const tree = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`src/f${i}.js`, 'export function load() {\n  return 1;\n}\n']));
  const lab = openLab(plant(tree));
  const { range, notes } = await shown(lab, { target: 'load' });
  assert.equal(range, 'src/f0.js:1-3');
  assert.match(notes.join('\n'), /8 other candidates/);
  const places = [...notes.join('\n').matchAll(/src\/f\d\.js:\d+/g)].map(([place]) => place);
  assert.ok(places.length >= 3, notes.join('\n'));
  for (const place of places) assert.equal((await shown(lab, { target: place })).range, `${place.split(':')[0]}:1-3`);
});

const REFUSED: [title: string, args: Args, said: RegExp][] = [
  ['neither path nor target', {}, /argument_invalid.*"path".*"target"/s],
  ['both', { path: 'src/store.js', target: 'Store' }, /argument_invalid.*"path".*"target"/s],
  ['startLine with target', { target: 'Store', startLine: 1 }, /"startLine" belongs to "path"/],
  ['endLine with target', { target: 'Store', endLine: 1 }, /"endLine" belongs to "path"/],
  ['an empty target', { target: '' }, /"target"/],
  ['a blank target', { target: '   ' }, /argument_invalid|target_missing/],
  ['a folder', { target: 'src' }, /not_a_file.*list_files \{"scope":"src"\}/s],
  ['a folder with a slash', { target: 'src/' }, /not_a_file.*list_files/s],
  ['the root', { target: '.' }, /not_a_file.*list_files/s],
  ['a missing symbol', { target: 'Nothing' }, /target_missing/],
  ['a symbol that is only used', { target: 'external' }, /target_missing/],
  ['a missing file, with near names', { target: 'src/stores.js' }, /path_missing.*src\/store\.js/s],
  ['a line of a missing file', { target: 'src/stores.js:3' }, /path_missing.*src\/store\.js/s],
  ['a missing file whose ending is the name of a symbol', { target: 'src/nope.ts' }, /path_missing/],
  ['the same with a line', { target: 'src/nope.ts:2' }, /path_missing/],
  ['the same with backslashes', { target: 'src\\nope.ts' }, /path_missing/],
  ['the same without a folder', { target: 'nope.ts' }, /path_missing.*symbol.*"ts"/s],
  ['a missing file of an ending that other files have', { target: 'nope.run' }, /path_missing.*symbol.*"run"/s],
  ['a missing file without an ending, with the file that it may be', { target: 'src/load' }, /path_missing/],
  ['a missing file in a missing folder', { target: 'srv/store.js' }, /path_missing.*"src"/s],
  ['a file outside', { target: '../x.js' }, /path_outside_root/],
  ['an absolute path outside', { target: '/etc/passwd' }, /path_outside_root/],
  ['a secret', { target: '.env' }, /path_excluded/],
  ['a line of a secret', { target: '.env:1' }, /path_excluded/],
  ['words', { target: 'load all stores' }, /target_missing/],
  ['a range that ends before it starts', { target: 'src/store.js:9-3' }, /range_invalid/],
  ['a line beyond the end', { target: 'src/store.js:99' }, /range_invalid.*16 lines/s],
  ['a line beyond the end without expand', { target: 'src/store.js:99', expand: false }, /range_invalid.*16 lines/s],
  ['line 0', { target: 'src/store.js:0' }, /range_invalid.*count from 1/],
  ['line 0 without expand', { target: 'src/store.js:0', expand: false }, /range_invalid.*count from 1/],
  ['a line beyond all numbers', { target: `src/store.js:${'9'.repeat(30)}` }, /range_invalid/],
];
for (const [title, args, said] of REFUSED) {
  test(`refuses ${title}`, async () => {
    const { isError, text } = await openLab(plant(TREE)).text('read_snippet', args);
    assert.ok(isError, text);
    assert.match(text, said);
    assert.doesNotMatch(text, /needle=1|root:x/);
  });
}

test('a symbol that stands only in a secret is not found there', async () => {
  const { isError, text } = await openLab(plant({ '.env': 'function needle() {}\n', 'a.js': 'x\n' })).text('read_snippet', {
    target: 'needle',
  });
  assert.ok(isError);
  assert.match(text, /target_missing/);
  assert.doesNotMatch(text, /\.env/);
});

test('a link that leads out of the root is refused, by its path and by its line', {
  skip: process.platform === 'win32' && 'no links',
}, async () => {
  const outside = plant({ 'x.js': 'function leak() {\n}\n' });
  const dir = plant({ 'a.js': 'x\n' });
  symlinkSync(join(outside, 'x.js'), join(dir, 'link.js'));
  for (const target of ['link.js', 'link.js:1', 'leak']) {
    const { isError, text } = await openLab(dir).text('read_snippet', { target });
    assert.ok(isError, text);
    assert.doesNotMatch(text, /function leak/);
  }
});

const FILES: [title: string, text: string | Buffer, said: RegExp][] = [
  ['huge', `${'x();\n'.repeat(1_000)}`, /not expanded/],
  ['broken', 'function f( {\n  if (\n}}}\n\n\nx\n', /lines \d+-\d+ of/],
  ['not UTF-8', bytes('function f() {\n  return "', [0xe9, 0xff], '";\n}\n'), /lines 1-\d of 3/],
  ['UTF-16', Buffer.from('\ufefffunction f() {\n  return 1;\n}\n', 'utf16le'), /lines 1-3 of 3/],
  ['empty of lines with code', '\n\n\n', /no function or class/],
];
for (const [title, text, said] of FILES) {
  test(`a line of a file that is ${title} is read all the same`, async () => {
    const lab = openLab(plant({ 'a.js': text }), { limits: { maxFileBytes: 2_000 } });
    const reply = await lab.text('read_snippet', { target: 'a.js:2' });
    assert.ok(!reply.isError, reply.text);
    assert.match(reply.text, said);
    assert.match(reply.text, /^2\t/m);
  });
}

test('a binary file is refused as such, by target and by path', async () => {
  const lab = openLab(plant({ 'a.bin': bytes([0, 1, 2, 3, 0, 0, 0, 1], 'x', [0, 0, 0, 2]) }));
  for (const target of ['a.bin', 'a.bin:1', 'a.bin:1-2']) assert.match((await lab.text('read_snippet', { target })).text, /file_binary/);
});

test('a long body is cut within maxChars, and its next call goes on to its end and no further', async () => {
  const body = Array.from({ length: 300 }, (_, i) => `  call(${i}, 'some more text');`);
  const lab = openLab(plant({ 'a.js': `x();\nfunction long() {\n${body.join('\n')}\n}\ny();\n` }));
  let reply = await lab.text('read_snippet', { target: 'long', maxChars: 1_000 });
  let last = 0;
  for (let page = 0; page < 60; page++) {
    assert.ok(!reply.isError && reply.text.length <= 1_000, reply.text);
    last = Number([...reply.text.matchAll(/^(\d+)\t/gm)].at(-1)?.[1] ?? last);
    const more = /^# more: read_snippet (\{.*\})$/m.exec(reply.text)?.[1];
    if (more === undefined) break;
    reply = await lab.text('read_snippet', { ...(JSON.parse(more) as Args), maxChars: 1_000 });
  }
  assert.equal(last, 303);
});

test('names with controls in a target and in files cannot forge a line', {
  skip: process.platform === 'win32' && 'no such names',
}, async () => {
  const lab = openLab(plant({ 'a\n# 3 more.js': 'export function load() {\n}\n', 'b.js': 'export function load() {\n}\n' }));
  for (const target of ['load', 'x\n# forged', 'a\n# 3 more.js', 'a\u2028b.js:3']) {
    const { text } = await lab.text('read_snippet', { target });
    assert.doesNotMatch(text, /^# (?:forged|3 more)|[\u2028\u2029]/m, text);
  }
});

test('a file that cannot be read says so', {
  skip: process.platform === 'win32' || process.getuid?.() === 0 ? 'all is readable' : false,
}, async () => {
  const dir = plant({ 'a.js': 'x\n' });
  chmodSync(join(dir, 'a.js'), 0o000);
  assert.match((await openLab(dir).text('read_snippet', { target: 'a.js:1' })).text, /path_unreadable/);
});

const COMMANDS: [args: string[], code: number, said: RegExp][] = [
  [['src/store.js'], 0, /^src\/store\.js @[\w-]{6} {2}lines 1-16 of 16/],
  [['src/store.js', '9', '10'], 0, /^src\/store\.js @[\w-]{6} {2}lines 9-10 of 16/],
  [['src/store.js', '15'], 0, /^src\/store\.js @[\w-]{6} {2}lines 15-16 of 16/],
  [['src/store.js:9'], 0, /^src\/store\.js @[\w-]{6} {2}lines 8-11 of 16/],
  [['src/store.js:9-10'], 0, /^src\/store\.js @[\w-]{6} {2}lines 9-10 of 16/],
  [['Store'], 0, /^src\/store\.js @[\w-]{6} {2}lines 3-12 of 16/],
  [['Store.load'], 0, /^src\/store\.js @[\w-]{6} {2}lines 8-11 of 16/],
  [['src/store.js', '--start-line', '9', '--end-line', '10'], 0, /^src\/store\.js @[\w-]{6} {2}lines 9-10 of 16/],
  [['src/store.js', '--start-line', '9', '--expand'], 0, /^src\/store\.js @[\w-]{6} {2}lines 8-11 of 16/],
  [['--path', 'src/store.js', '--start-line', '15'], 0, /^src\/store\.js @[\w-]{6} {2}lines 15-16 of 16/],
  [['--target', 'Store.load'], 0, /^src\/store\.js @[\w-]{6} {2}lines 8-11 of 16/],
  [['Store', '--json'], 0, /"path":\s*"src\/store\.js"/],
  [['Nothing'], 2, /target_missing/],
  [['src'], 2, /not_a_file/],
];
for (const [args, code, said] of COMMANDS) {
  test(`the command: ripscope read ${args.join(' ')}`, async () => {
    const result = await runCli(['read', ...args, '--root', plant(TREE)], { cwd: '/' });
    assert.equal(result.code, code, result.stdout + result.stderr);
    assert.match(result.stdout + result.stderr, said);
  });
}
