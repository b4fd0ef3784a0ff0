/** How ripgrep is started: never on our stdin, never with a flag that came from the client, and never missing in silence. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import test from 'node:test';
import { backtracking, dash, makeWorld, plain, preprocessor, SLOW_PATTERN } from '../support/fixtures.js';
import { everything, filesOf, hits, linesOf, matchAt, places } from '../support/replies.js';
import { openForms, openServer, sharedForms } from '../support/server.js';

const world = makeWorld();
const plainRoot = plain(world);
const dashRoot = dash(world);
const preRoot = preprocessor(world);
const onPlain = sharedForms(() => ({ root: plainRoot }));
const onDash = sharedForms(() => ({ root: dashRoot }));

// https://github.com/BurntSushi/ripgrep/issues/2056
test('spawn-stdin-hang: finds hits while stdin stays open and silent', async () => {
  const answer = await (await onPlain()).search({ pattern: 'needle', regex: false });
  assert.equal(answer.isError, false);
  assert.deepEqual(places(answer), ['a.txt:2', 'sub/b.ts:1']);
  assert.match(answer.text, /a\.txt/);
  assert.match(answer.text, /sub\/b\.ts/);
});

for (const [name, args, expected] of [
  ['with a folder as scope', { scope: 'sub' }, ['sub/b.ts:1']],
  ['with a file as scope', { scope: 'a.txt' }, ['a.txt:2']],
  ['with globs', { globs: ['*.txt'] }, ['a.txt:2']],
  ['with a glob that fits no file', { globs: ['*.nothing'] }, []],
  ['as a regex', { pattern: 'need.e', regex: true }, ['a.txt:2', 'sub/b.ts:1']],
  ['as a PCRE2 regex', { pattern: 'needle(?= here)', regex: true }, ['a.txt:2']],
  ['with binary files and ignored ones', { binary: true, ignored: true }, ['a.txt:2', 'sub/b.ts:1']],
  ['without a hit', { pattern: 'absent_everywhere' }, []],
] as const) {
  test(`spawn-stdin-hang: answers a search ${name} while stdin is silent`, async () => {
    const answer = await (await onPlain()).search({ pattern: 'needle', ...args });
    assert.deepEqual(places(answer), expected);
  });
}

test('spawn-stdin-hang: lists files while stdin stays open and silent', async () => {
  assert.deepEqual(filesOf(await (await onPlain()).list({})), ['a.txt', 'sub/b.ts']);
});

test('spawn-stdin-hang: ripgrep takes nothing of what the client writes while it runs', async () => {
  const server = await openServer({ root: backtracking(world) });
  const search = server.sendCall('search_text', { pattern: SLOW_PATTERN, regex: true, timeoutMs: 1_500 });
  await server.childStarted();
  server.write('{"jsonrpc":"2.0","id":"half');
  await server.callReply(search);
  server.write('-and-half","method":"ping"}\n');
  assert.deepEqual((await server.reply('half-and-half')).result, {});
});

const noProgram = world.put('not-a-program', 'just text\n', 0o644);
for (const [variable, program] of [
  ['RG_PATH', '/nonexistent/rg'],
  ['RIPSCOPE_RG', '/nonexistent/rg'],
  ['RIPSCOPE_RG', noProgram],
  ['RIPSCOPE_RG', world.folder('a-folder')],
] as const) {
  // https://github.com/anthropics/claude-code/issues/6726
  test(`spawn-rg-missing: ${variable}=${program.replace(world.dir, '…')} is an error that names it, not an empty reply`, async () => {
    const forms = await openForms({ root: plainRoot, env: { [variable]: program } });
    assert.ok((await forms.text.request('tools/list')).result, 'the server still lists its tools');
    for (const answer of [await forms.search({ pattern: 'needle', regex: false }), await forms.list({})]) {
      assert.equal(answer.isError, true);
      assert.equal(answer.code, 'ripgrep_missing');
      assert.match(answer.text, /ripgrep/i);
      assert.ok(answer.text.includes(program), answer.text);
      assert.doesNotMatch(everything(answer), /no matches/i);
    }
    assert.equal(linesOf(await forms.read({ path: 'a.txt' }))[1]?.text, 'needle here', 'reading needs no ripgrep');
  });
}

for (const program of ['/bin/true', '/bin/false']) {
  test(`spawn-rg-missing: ${program} in its place is an error although it exits as ripgrep does`, {
    skip: !existsSync(program) && `no ${program} here`,
  }, async () => {
    const forms = await openForms({ root: plainRoot, env: { RIPSCOPE_RG: program } });
    const answer = await forms.search({ pattern: 'needle', regex: false });
    assert.equal(answer.isError, true, answer.text);
  });
}

test('spawn-rg-missing: a PATH without rg changes nothing, because the packaged one is used', async () => {
  const forms = await openForms({ root: plainRoot, env: { PATH: '/nonexistent' } });
  assert.deepEqual(places(await forms.search({ pattern: 'needle' })), ['a.txt:2', 'sub/b.ts:1']);
});

for (const [pattern, expected] of [
  ['-> Result', 'opts.txt:2'],
  ['--release', 'opts.txt:1'],
  ['-1', 'opts.txt:3'],
  ['- [ ]', 'opts.txt:5'],
  ['needle', '-needle.txt:1'],
] as const) {
  // https://github.com/polka-codes/polka-codes/issues/307
  test(`spawn-dash-pattern: finds ${pattern} as text`, async () => {
    const forms = await onDash();
    for (const regex of [undefined, false]) {
      const answer = await forms.search({ pattern, ...(regex === undefined ? {} : { regex }) });
      assert.equal(answer.isError, false, answer.text);
      assert.deepEqual(places(answer), [expected]);
    }
  });
}

const FLAGS = [
  '--files',
  '-f',
  '--',
  '-',
  '-e',
  '-e x',
  '@file',
  '--help',
  '--version',
  '-l',
  '--json',
  '-rX',
  '--no-config',
  '-uuu',
  '--type-list',
  '--regexp=x',
  '--search-zip',
] as const;
const flagsRoot = world.puts('flags', {
  'flags.txt': `${FLAGS.map((flag) => `<<${flag}>>`).join('\n')}\n`,
  '@file': 'a file whose name asks to be read as arguments\n',
});
const onFlags = sharedForms(() => ({ root: flagsRoot }));
for (const flag of FLAGS) {
  test(`spawn-dash-pattern: ${flag} is a pattern, not a flag`, async () => {
    const forms = await onFlags();
    const at = FLAGS.indexOf(flag) + 1;
    for (const args of [{ pattern: flag, regex: false }, { pattern: flag }, { pattern: flag, regex: true }]) {
      const answer = await forms.search(args);
      assert.equal(answer.isError, false, answer.text);
      assert.ok(places(answer).includes(`flags.txt:${at}`), answer.text);
      assert.ok(hits(matchAt(answer, 'flags.txt', at)).includes(flag));
    }
  });
}

for (const args of [{ globs: ['-needle.txt'] }, { scope: '-needle.txt' }, { scope: './-needle.txt' }, { globs: ['-*'] }]) {
  test(`spawn-dash-pattern: a file name that begins with a dash works in ${JSON.stringify(args)}`, async () => {
    assert.deepEqual(places(await (await onDash()).search({ pattern: 'needle', ...args })), ['-needle.txt:1']);
  });
}

test('spawn-dash-pattern: a file name that begins with a dash can be excluded, listed and read', async () => {
  const forms = await onDash();
  assert.deepEqual(places(await forms.search({ pattern: 'needle', exclude: ['-needle.txt'] })), []);
  assert.deepEqual(filesOf(await forms.list({ globs: ['-needle.txt'] })), ['-needle.txt']);
  assert.equal(linesOf(await forms.read({ path: '-needle.txt' }))[0]?.text, 'inside dash-named file: needle');
});

for (const glob of ['--files', '-g', '--', '-uuu', '--no-ignore', '--type-add=x:*']) {
  test(`spawn-dash-pattern: the glob ${glob} fits no file and sets no flag`, async () => {
    const forms = await onDash();
    const search = await forms.search({ pattern: 'needle', globs: [glob] });
    assert.deepEqual(places(search), []);
    assert.deepEqual(filesOf(await forms.list({ globs: [glob] })), []);
  });
}

test('spawn-dash-pattern: a name that begins with @ is a path like any other', async () => {
  const forms = await onFlags();
  assert.deepEqual(places(await forms.search({ pattern: 'asks', scope: '@file' })), ['@file:1']);
  assert.equal((await forms.read({ path: '@file' })).isError, false);
});

// https://github.com/LionSR/TeXRA/pull/6226
test('spawn-pre-injection: no argument makes ripgrep run a script', async () => {
  const forms = await openForms({ root: preRoot });
  const literal = await forms.search({ pattern: '--pre=./evil.sh' });
  assert.equal(literal.isError, false);
  assert.deepEqual(places(literal), []);
  for (const args of [{ globs: ['--pre=./evil.sh'] }, { scope: '--pre=./evil.sh' }]) {
    const answer = await forms.search({ pattern: 'text', ...args });
    assert.ok(answer.isError || places(answer).length === 0, answer.text);
  }
  assert.equal(existsSync(world.path('pre/PWNED')), false);
});

test('spawn-pre-injection: nor does any other way to smuggle a flag in', async () => {
  const forms = await openForms({ root: preRoot });
  const flag = '--pre=./evil.sh';
  for (const args of [
    { pattern: flag, regex: true },
    { pattern: flag, regex: false },
    { pattern: '--pre ./evil.sh' },
    { pattern: `text\n${flag}`, multiline: true },
    { pattern: 'text', exclude: [flag] },
    { pattern: 'text', globs: ['*', flag] },
    { pattern: 'text', globs: [`!${flag}`] },
    { pattern: 'text', globs: ['--pre', './evil.sh'] },
    { pattern: 'text', encoding: flag },
    { pattern: 'text', encoding: `none ${flag}` },
    { pattern: 'text', encoding: `auto\n${flag}` },
    { pattern: 'text', scope: `. ${flag}` },
    { pattern: 'text', cursor: flag },
    { pattern: 'text', context: flag },
    { pattern: 'text', maxMatches: flag },
    { pattern: 'text', timeoutMs: flag },
    { pattern: '--hostname-bin=./evil.sh', regex: false },
    { pattern: 'text', globs: ['--hostname-bin=./evil.sh'] },
  ]) {
    await Promise.all([forms.text.call('search_text', args), forms.json.call('search_text', args)]);
    assert.equal(existsSync(world.path('pre/PWNED')), false, JSON.stringify(args));
  }
  for (const args of [{ scope: flag }, { globs: [flag] }, { cursor: flag }, { sort: flag }]) await forms.text.call('list_files', args);
  await forms.text.call('read_snippet', { path: flag });
  assert.equal(existsSync(world.path('pre/PWNED')), false);
});

test('spawn-pre-injection: a ripgrep config file in the environment has no effect', async () => {
  const config = world.put('rg.conf', `--pre=${world.path('pre/evil.sh')}\n--max-count=0\n`);
  const forms = await openForms({ root: preRoot, env: { RIPGREP_CONFIG_PATH: config } });
  assert.deepEqual(places(await forms.search({ pattern: 'searchable' })), ['victim.txt:1']);
  assert.deepEqual(filesOf(await forms.list({})), ['evil.sh', 'victim.txt']);
  assert.equal(existsSync(world.path('pre/PWNED')), false);
});
