/** No argument reaches a file outside the root: not by links, not by names that begin like the root, not by odd spellings. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import test from 'node:test';
import { confined, makeWorld } from '../support/fixtures.js';
import { everything, filesOf, linesOf, places } from '../support/replies.js';
import { openForms, sharedForms } from '../support/server.js';

const world = makeWorld();
const root = confined(world);
const onRepo = sharedForms(() => ({ root }));

for (const path of ['link.txt', 'dirlink/secret.txt', 'abs']) {
  // https://github.com/modelcontextprotocol/servers/issues/1845
  test(`symlink-escape: ${path}, which leads outside, is not read`, async () => {
    const answer = await (await onRepo()).read({ path });
    assert.equal(answer.isError, true, answer.text);
    assert.ok(!everything(answer).includes('SECRET'));
    assert.ok(!everything(answer).includes(world.dir), 'the place outside is not told');
  });
}

test('symlink-escape: a link that stays inside is read', async () => {
  const answer = await (await onRepo()).read({ path: 'inside-link.txt' });
  assert.equal(answer.isError, false, answer.text);
  assert.equal(linesOf(answer)[0]?.text, 'needle ok');
});

test('symlink-escape: a search from the root follows no link', async () => {
  const forms = await onRepo();
  for (const args of [{}, { ignored: true }, { globs: ['**'] }, { globs: ['dirlink/**', 'link.txt', '**'] }, { binary: true }]) {
    const answer = await forms.search({ pattern: 'needle', ...args });
    assert.deepEqual(places(answer), ['ok.txt:1'], JSON.stringify(args));
    assert.ok(!everything(answer).includes('SECRET'));
  }
});

for (const scope of ['dirlink', 'link.txt', 'dirlink/', 'dirlink/.', 'dirlink/secret.txt', './dirlink', 'inner/../dirlink', 'abs']) {
  test(`symlink-escape: ${scope} as scope is an error in both tools`, async () => {
    const forms = await onRepo();
    for (const answer of [await forms.search({ pattern: 'needle', scope }), await forms.list({ scope })]) {
      assert.equal(answer.isError, true, answer.text);
      assert.ok(!everything(answer).includes('SECRET'));
      assert.ok(!everything(answer).includes(world.dir), 'the place outside is not told');
    }
  });
}

test('symlink-escape: a list names nothing behind a link', async () => {
  const forms = await onRepo();
  for (const args of [{}, { ignored: true }, { globs: ['**'] }, { globs: ['dirlink/**'] }]) {
    const answer = await forms.list(args);
    assert.equal(answer.isError, false);
    assert.ok(
      filesOf(answer).every((file) => !file.includes('secret')),
      answer.text,
    );
  }
  assert.ok(filesOf(await forms.list({})).includes('ok.txt'));
});

test('symlink-escape: nor do chains of links, links to links and links in the middle of a path', async () => {
  world.link('dirlink', 'confine/repo/chain1');
  world.link('chain1', 'confine/repo/chain2');
  world.link('../dirlink', 'confine/repo/inner/up');
  world.link('../../outside', 'confine/repo/inner/out');
  world.link(world.path('confine/outside'), 'confine/repo/absolute-dir');
  world.link('/proc/self/environ', 'confine/repo/environ');
  world.link('/proc/self/cwd', 'confine/repo/cwd');
  world.link('/', 'confine/repo/slash');
  const forms = await openForms({ root });
  for (const folder of ['chain1', 'chain2', 'inner/up', 'inner/out', 'absolute-dir', 'inner/../chain2']) {
    for (const answer of [
      await forms.read({ path: `${folder}/secret.txt` }),
      await forms.search({ pattern: 'needle', scope: folder }),
      await forms.search({ pattern: 'needle', scope: `${folder}/secret.txt` }),
      await forms.list({ scope: folder }),
    ]) {
      assert.equal(answer.isError, true, `${folder}: ${answer.text}`);
      assert.ok(!everything(answer).includes('SECRET'));
    }
  }
  for (const path of ['environ', 'slash/etc/hostname', 'slash', 'cwd', `slash${world.path('confine/outside/secret.txt')}`]) {
    const answer = await forms.read({ path });
    assert.equal(answer.isError, true, path);
    assert.ok(!/PATH=|SECRET/.test(everything(answer)), path);
  }
  assert.deepEqual(places(await forms.search({ pattern: 'needle' })), ['ok.txt:1']);
});

const OUTSIDE = [
  '../repo-evil/secret.txt',
  world.path('confine/repo-evil/secret.txt'),
  './x/../../repo-evil/secret.txt',
  'ok.txt\u0000.png',
  '..%2frepo-evil/secret.txt',
];
for (const path of OUTSIDE) {
  // https://github.com/GLips/Figma-Context-MCP/pull/238
  test(`prefix-sibling: ${JSON.stringify(path.replace(world.dir, '/…'))} is not read`, async () => {
    const answer = await (await onRepo()).read({ path });
    assert.equal(answer.isError, true, answer.text);
    assert.ok(!everything(answer).includes('EVIL'));
  });
}

test('prefix-sibling: nor searched', async () => {
  const answer = await (await onRepo()).search({ pattern: 'needle', scope: '../repo-evil' });
  assert.equal(answer.isError, true, answer.text);
  assert.ok(!everything(answer).includes('EVIL'));
});

const ESCAPES = [
  '..',
  '../',
  '../..',
  '../outside',
  '../outside/secret.txt',
  '../repo-evil',
  '../repo/../outside/secret.txt',
  '../repo-evil/../repo-evil/secret.txt',
  'inner/../../outside/secret.txt',
  'foo/../../outside/secret.txt',
  './../outside/secret.txt',
  './/..//outside/secret.txt',
  'inner/./../../outside/secret.txt',
  '/',
  '/etc/passwd',
  '/proc/self/environ',
  '//etc/passwd',
  world.path('confine/outside'),
  world.path('confine/outside/secret.txt'),
  world.path('confine/repo-evil'),
  `${root}-evil/secret.txt`,
  `${root}/../outside/secret.txt`,
  '~/.bashrc',
  '~root/.bashrc',
  '$HOME/.bashrc',
  'file:///etc/passwd',
  'C:\\Windows\\win.ini',
  '..\\outside\\secret.txt',
  '..%2foutside%2fsecret.txt',
  '%2e%2e/outside/secret.txt',
  '\u2025/outside/secret.txt',
  '\uff0e\uff0e/outside/secret.txt',
  'ok.txt\u0000',
  '\u0000',
  'ok.txt/../../outside/secret.txt',
  'ok.txt/..',
  'ok.txt\n../outside',
  '',
  'x'.repeat(5_000),
];
for (const path of ESCAPES) {
  const shown = JSON.stringify(path.replace(world.dir, '/…').slice(0, 60));
  test(`prefix-sibling: ${shown} gives an error as path and as scope, and no text from outside`, async () => {
    const forms = await onRepo();
    const answers = [await forms.read({ path }), await forms.search({ pattern: 'needle', scope: path }), await forms.list({ scope: path })];
    for (const answer of path === '' ? answers.slice(0, 1) : answers) {
      // A file with "/.." behind it may be the root again, spelled oddly; what matters is that it never leaves it.
      if (path !== 'ok.txt/..') assert.equal(answer.isError, true, answer.text);
      assert.ok(!/SECRET|EVIL|root:x:|PATH=/.test(everything(answer)), answer.text);
    }
  });
}

for (const glob of [
  '../outside/**',
  '/../outside/**',
  '../**',
  'inner/../../outside/*',
  '{..,x}/outside/**',
  '[.][.]/outside/**',
  '/etc/**',
  '/proc/self/**',
]) {
  test(`prefix-sibling: the glob ${glob} reaches nothing outside`, async () => {
    const forms = await onRepo();
    for (const answer of [
      await forms.search({ pattern: 'needle|root:', regex: true, globs: [glob] }),
      await forms.list({ globs: [glob] }),
    ]) {
      assert.ok(answer.isError || (places(answer).length === 0 && filesOf(answer).length === 0), answer.text);
      assert.ok(!/SECRET|EVIL/.test(everything(answer)));
    }
  });
}

test('prefix-sibling: an argument root picks no folder that the server may not search', async () => {
  const forms = await onRepo();
  for (const other of [
    '..',
    '/',
    world.path('confine/outside'),
    '../repo-evil',
    `${root}-evil`,
    `${root}/../outside`,
    'repo-evil',
    `${root}/dirlink`,
  ]) {
    for (const answer of [
      await forms.search({ pattern: 'needle', root: other }),
      await forms.read({ path: 'secret.txt', root: other }),
      await forms.list({ root: other }),
    ]) {
      assert.equal(answer.isError, true, `${other}: ${answer.text}`);
      assert.ok(!/SECRET|EVIL/.test(everything(answer)));
    }
  }
});

test('prefix-sibling: with two roots each call stays in the one it names', async () => {
  const forms = await openForms({ roots: [root, world.path('confine/repo-evil')] });
  assert.deepEqual(places(await forms.search({ pattern: 'needle', root: 'repo' })), ['ok.txt:1']);
  assert.deepEqual(places(await forms.search({ pattern: 'needle', root: 'repo-evil' })), ['secret.txt:1']);
  assert.deepEqual(places(await forms.search({ pattern: 'needle' })), ['ok.txt:1']);
  const crossed = await forms.read({ path: '../repo-evil/secret.txt', root: 'repo' });
  assert.equal(crossed.isError, true);
});

test('prefix-sibling: a root that is itself a link works, and its neighbours stay outside', async () => {
  world.link('repo', 'confine/alias');
  const forms = await openForms({ root: world.path('confine/alias') });
  assert.deepEqual(places(await forms.search({ pattern: 'needle' })), ['ok.txt:1']);
  assert.equal(linesOf(await forms.read({ path: 'ok.txt' }))[0]?.text, 'needle ok');
  for (const path of ['../outside/secret.txt', 'link.txt', '../alias-evil/x'])
    assert.equal((await forms.read({ path })).isError, true, path);
});

test('prefix-sibling: errors and replies name neither the root nor the folders above it', async () => {
  const forms = await onRepo();
  const answers = [
    await forms.search({ pattern: 'needle' }),
    await forms.list({}),
    await forms.read({ path: 'ok.txt' }),
    await forms.read({ path: 'missing.txt' }),
    await forms.read({ path: 'inner' }),
    await forms.search({ pattern: 'x', scope: 'missing' }),
    await forms.search({ pattern: 'a(', regex: true }),
    await forms.list({ globs: ['{a'] }),
  ];
  for (const answer of answers) assert.ok(!everything(answer).includes(basename(world.dir)), answer.text);
  assert.ok(existsSync(root));
});
