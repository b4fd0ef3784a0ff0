/** Globs: a bad one is an error that names it, a good one is taken from the root whatever the working folder is. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { brackets, makeWorld, plain } from '../support/fixtures.js';
import { everything, filesOf, linesOf, places } from '../support/replies.js';
import { openForms, sharedForms } from '../support/server.js';

const world = makeWorld();
const plainRoot = plain(world);
const bracketRoot = brackets(world);
const onPlain = sharedForms(() => ({ root: plainRoot, cwd: '/' }));
const onBrackets = sharedForms(() => ({ root: bracketRoot }));

for (const glob of ['{a', '[', '**/[[...sign-in]]/*', '']) {
  // https://github.com/BurntSushi/ripgrep/issues/444
  test(`glob-invalid: list_files answers the glob ${JSON.stringify(glob)} with an error that names it`, async () => {
    const answer = await (await onPlain()).list({ globs: [glob] });
    assert.equal(answer.isError, true, answer.text);
    assert.equal(answer.code, 'glob_invalid');
    assert.ok(answer.text.includes(glob === '' ? 'empty' : glob), answer.text);
  });
}

const BAD = [
  '{a',
  'a{b,{c}',
  '[',
  '[z-a]',
  '[!',
  'src/[abc',
  '!{a',
  '![',
  '!',
  '',
  '..',
  '../*',
  'sub/../*.ts',
  'sub/..',
  '/..',
  '!../x',
  'a\u0000b',
  'a\nb',
  'x'.repeat(1_001),
];
for (const glob of BAD) {
  const shown = JSON.stringify(glob.length > 50 ? `${glob.slice(0, 10)}…` : glob);
  test(`glob-invalid: ${shown} is refused by both tools, as a glob and among the excluded ones`, async () => {
    const forms = await onPlain();
    for (const answer of [
      await forms.search({ pattern: 'needle', globs: [glob] }),
      await forms.search({ pattern: 'needle', globs: ['*.txt', glob] }),
      await forms.search({ pattern: 'needle', exclude: [glob] }),
      await forms.list({ globs: [glob] }),
    ]) {
      assert.equal(answer.isError, true, answer.text);
      assert.match(answer.text, /glob|exclude/i);
      assert.ok(!everything(answer).includes(world.dir), 'no absolute path');
    }
  });
}

test('glob-invalid: one bad glob among good ones is the one that is named', async () => {
  const answer = await (await onPlain()).list({ globs: ['*.ts', 'good/**', 'bad/{x', '*.txt'] });
  assert.equal(answer.isError, true);
  assert.match(answer.text, /bad\/\{x/);
  assert.doesNotMatch(answer.text.split('\n')[0] ?? '', /good/);
});

test('glob-invalid: too many globs, and things that are no list of texts, are refused', async () => {
  const forms = await onPlain();
  for (const globs of [Array.from({ length: 51 }, (_, i) => `*.x${i}`), [null], [{}], [['*.ts', '*.js']], { 0: '*.ts' }]) {
    const answer = await forms.list({ globs });
    assert.equal(answer.isError, true, JSON.stringify(globs).slice(0, 60));
    assert.match(answer.text, /glob/);
  }
});

for (const [glob, expected] of [
  ['sub/**', ['sub/b.ts']],
  ['./sub/**', ['sub/b.ts']],
  ['sub//b.ts', ['sub/b.ts']],
  ['sub', ['sub/b.ts']],
  ['sub/', ['sub/b.ts']],
  ['sub/*', ['sub/b.ts']],
  ['/sub/b.ts', ['sub/b.ts']],
  ['/a.txt', ['a.txt']],
  ['./a.txt', ['a.txt']],
  ['b.ts', ['sub/b.ts']],
  ['*.ts', ['sub/b.ts']],
  ['**/*.ts', ['sub/b.ts']],
  ['*.{ts,txt}', ['a.txt', 'sub/b.ts']],
  ['[ab].t*', ['a.txt', 'sub/b.ts']],
  ['?.txt', ['a.txt']],
  ['!*.ts', ['a.txt']],
  ['!sub', ['a.txt']],
  ['**', ['a.txt', 'sub/b.ts']],
  ['*.nothing', []],
  ['*.TS', []],
] as const) {
  test(`glob-cwd: the glob ${glob} gives ${expected.join(' and ') || 'nothing'} in both tools`, async () => {
    const forms = await onPlain();
    assert.deepEqual(filesOf(await forms.list({ globs: [glob] })), expected);
    assert.deepEqual(filesOf(await forms.search({ pattern: 'needle', globs: [glob], output: 'files' })), expected);
  });
}

// https://github.com/optave/ops-codegraph-tool/issues/1143
test('glob-cwd: globs count from the root although the server was started in /', async () => {
  const answer = await (await onPlain()).search({ pattern: 'needle', globs: ['sub/**'] });
  assert.deepEqual(places(answer), ['sub/b.ts:1']);
});

test('glob-cwd: an argument that does not exist is an error that names it and those that do', async () => {
  const answer = await (await onPlain()).search({ pattern: 'needle', file_pattern: 'sub/**' });
  assert.equal(answer.isError, true);
  assert.equal(answer.code, 'argument_unknown');
  assert.match(answer.text, /file_pattern/);
  assert.match(answer.text, /globs/);
});

for (const [tool, args, unknown, near] of [
  ['search_text', { pattern: 'x', glob: '*.ts' }, 'glob', 'globs'],
  ['search_text', { pattern: 'x', max_matches: 5 }, 'max_matches', 'maxMatches'],
  ['search_text', { pattern: 'x', ignore_case: true }, 'ignore_case', 'ignoreCase'],
  ['search_text', { pattern: 'x', Scope: 'sub' }, 'Scope', 'scope'],
  ['search_text', { pattern: 'x', maxmatches: 5 }, 'maxmatches', 'maxMatches'],
  ['list_files', { glob: '*.ts' }, 'glob', 'globs'],
  ['list_files', { maxresults: 5 }, 'maxresults', 'maxResults'],
  ['read_snippet', { path: 'a.txt', start_line: 1 }, 'start_line', 'startLine'],
  ['read_snippet', { path: 'a.txt', endline: 2 }, 'endline', 'endLine'],
] as const) {
  test(`glob-cwd: ${tool} does not ignore the unknown argument ${unknown} but offers ${near}`, async () => {
    const answer = await (await onPlain()).call(tool, args);
    assert.equal(answer.isError, true);
    assert.equal(answer.code, 'argument_unknown');
    assert.ok(answer.text.includes(unknown), answer.text);
    assert.match(answer.text, new RegExp(`\\b${near}\\b`));
  });
}

test('glob-cwd: the working folder of the server has no say, nor does a relative root', async () => {
  const inSub = await openForms({ root: plainRoot, cwd: `${plainRoot}/sub` });
  assert.deepEqual(places(await inSub.search({ pattern: 'needle', globs: ['sub/**'] })), ['sub/b.ts:1']);
  assert.deepEqual(filesOf(await inSub.list({})), ['a.txt', 'sub/b.ts']);
  const relative = await openForms({ root: '..', cwd: `${plainRoot}/sub` });
  assert.deepEqual(filesOf(await relative.list({ globs: ['sub/**'] })), ['sub/b.ts']);
});

test('glob-cwd: scope, globs and exclude cut together', async () => {
  const forms = await onBrackets();
  const inApp = await forms.search({ pattern: 'needle', scope: 'app', globs: ['**/page.tsx'], exclude: ['app/i/**'], output: 'files' });
  assert.deepEqual([...filesOf(inApp)].sort(), ['app/[[...slug]]/page.tsx', 'app/[id]/page.tsx', 'app/star*/page.tsx', 'app/{x}/page.tsx']);
  const last = await forms.list({ globs: ['*.tsx', '!app/i/**', '!**/login.tsx'] });
  assert.deepEqual(filesOf(last), filesOf(inApp));
});

for (const [glob, expected] of [
  ['app/\\[id\\]/page.tsx', 'app/[id]/page.tsx'],
  ['app/\\{x\\}/**', 'app/{x}/page.tsx'],
  ['app/star\\*/*', 'app/star*/page.tsx'],
  ['app/\\[\\[...slug\\]\\]/*', 'app/[[...slug]]/page.tsx'],
  ['app/(auth)/*', 'app/(auth)/login.tsx'],
] as const) {
  test(`glob-invalid: brackets in folder names are escaped with a backslash: ${glob}`, async () => {
    assert.deepEqual(filesOf(await (await onBrackets()).list({ globs: [glob] })), [expected]);
  });
}

for (const folder of ['app/[id]', 'app/(auth)', 'app/[[...slug]]', 'app/{x}', 'app/star*']) {
  test(`glob-invalid: a scope is a name, never a glob: ${folder}`, async () => {
    const forms = await onBrackets();
    const file = `${folder}/${folder.includes('auth') ? 'login' : 'page'}.tsx`;
    assert.deepEqual(places(await forms.search({ pattern: 'needle', scope: folder })), [`${file}:1`]);
    assert.deepEqual(places(await forms.search({ pattern: 'needle', scope: file })), [`${file}:1`]);
    assert.deepEqual(filesOf(await forms.list({ scope: folder })), [file]);
    assert.match(linesOf(await forms.read({ path: file }))[0]?.text ?? '', /needle/);
  });
}

test('glob-invalid: brackets that are not escaped are a class, and may stand for themselves as well', async () => {
  const files = filesOf(await (await onBrackets()).list({ globs: ['app/[id]/page.tsx'] }));
  assert.ok(files.includes('app/i/page.tsx'), files.join(' '));
  assert.ok(
    files.every((file) => file === 'app/i/page.tsx' || file === 'app/[id]/page.tsx'),
    files.join(' '),
  );
});

test('glob-invalid: a glob given as scope is an error, not an empty reply', async () => {
  const forms = await onBrackets();
  for (const scope of ['app/*', '**', '*.tsx']) {
    assert.equal((await forms.search({ pattern: 'needle', scope })).isError, true);
    assert.equal((await forms.list({ scope })).isError, true);
  }
});
