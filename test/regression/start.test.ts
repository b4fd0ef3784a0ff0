/** From the start of the process to the first reply: nothing is looked at that the first reply does not need. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { makeWorld, manyFiles } from '../support/fixtures.js';
import { everything, places } from '../support/replies.js';
import { HAS_PROC, openForms, openServer, PROJECT, startServer } from '../support/server.js';

const world = makeWorld();
const root = manyFiles(world);
world.link('nowhere', 'broken-link');

// https://github.com/openai/codex/issues/2905
test('start-time: initialize is answered without a child process and without writing anything', {
  skip: !HAS_PROC && 'needs /proc',
}, async () => {
  const tmp = world.folder('tmp');
  const server = startServer({ root, env: { TMPDIR: tmp } });
  const reply = await server.initialize();
  assert.deepEqual(server.descendants(), []);
  assert.ok(reply.result);
  await server.request('tools/list');
  assert.deepEqual(server.descendants(), [], 'nor does the list of tools need one');
  assert.deepEqual(readdirSync(tmp), [], 'no temporary files yet');
});

for (const [name, options] of [
  ['is missing', { root: '/nonexistent/repository' }],
  ['is a file', { root: world.put('a-file.txt', 'x') }],
  ['is a link to nothing', { root: world.path('broken-link') }],
  ['was left as a variable', { root: `$${'{workspaceFolder}'}` }],
  ['is not given, in /', { cwd: '/' }],
  ['is not given, in the home folder', { cwd: world.folder('home'), env: { HOME: world.folder('home') } }],
] as const) {
  test(`start-time: a root that ${name} does not hinder the handshake; the calls say what to set`, async () => {
    const forms = await openForms(options);
    assert.ok((await forms.text.request('tools/list')).result);
    for (const answer of [await forms.search({ pattern: 'x' }), await forms.list({}), await forms.read({ path: 'x' })]) {
      assert.equal(answer.isError, true, answer.text);
      assert.equal(answer.code, 'root_missing', answer.text);
      assert.match(everything(answer), /REPO_ROOT|--root/);
    }
  });
}

test('start-time: a root that appears later is found by the next call', async () => {
  const late = world.path('late');
  const server = await openServer({ root: late, format: 'json' });
  assert.equal((await server.call('search_text', { pattern: 'needle' })).isError, true);
  world.put('late/a.txt', 'needle\n');
  const answer = await server.call('search_text', { pattern: 'needle' });
  assert.deepEqual(places(answer), ['a.txt:1'], answer.text);
});

test('start-time: the first call works without a pause after the handshake', async () => {
  const server = startServer({ root, format: 'json' });
  server.send('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } }, 'init');
  server.notify('notifications/initialized');
  const call = server.sendCall('search_text', { pattern: 'needle 7', scope: 'd07', maxMatches: 1 });
  assert.ok((await server.reply('init')).result);
  assert.equal((await server.callReply(call)).structured?.matches?.length, 1);
});

test('start-time: SIGTERM at once leaves nothing behind', { skip: process.platform === 'win32' && 'no signals there' }, async () => {
  const tmp = world.folder('tmp-signal');
  const server = await openServer({ root, env: { TMPDIR: tmp } });
  server.signal('SIGTERM');
  assert.deepEqual(await server.gone(), { code: 0, signal: null });
  assert.deepEqual(readdirSync(tmp), []);
});

for (const [name, options] of [
  ['--root', { args: ['--root', root] }],
  ['--project-root', { args: ['--project-root', root] }],
  ['CLAUDE_PROJECT_DIR', { env: { CLAUDE_PROJECT_DIR: root } }],
  ['CODE_CONTEXT_GATE_ROOT', { env: { CODE_CONTEXT_GATE_ROOT: root } }],
  ['the working folder', { cwd: root }],
  ['--root before REPO_ROOT', { args: ['--root', root], root: '/nonexistent' }],
  ['REPO_ROOT before CLAUDE_PROJECT_DIR', { root, env: { CLAUDE_PROJECT_DIR: '/nonexistent' } }],
  ['the verb serve', { args: ['serve'], root }],
] as const) {
  test(`start-time: the root is taken from ${name}`, async () => {
    const server = await openServer({ ...options, format: 'json' });
    const answer = await server.call('list_files', { scope: 'd07', maxResults: 1 });
    assert.deepEqual(answer.structured?.files, ['d07/f007.txt'], answer.text);
  });
}

interface ServerConfig {
  readonly command?: unknown;
  readonly args?: unknown;
}

/** Every object with a `command` in a config block. */
function serversIn(value: unknown): ServerConfig[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'command' in value ? [value as ServerConfig] : [];
  return [...own, ...Object.values(value).flatMap(serversIn)];
}

// https://github.com/zed-industries/zed/issues/41435
test('win-npx: the README gives node with an absolute path to dist/cli.js as the first way to start the server', () => {
  assert.ok(existsSync(`${PROJECT}README.md`), 'README.md exists');
  const readme = readFileSync(`${PROJECT}README.md`, 'utf8');
  const servers = [...readme.matchAll(/```jsonc?\n([\s\S]*?)```/g)].flatMap((block) => {
    try {
      return serversIn(JSON.parse(block[1]!));
    } catch {
      return [];
    }
  });
  assert.ok(servers.length > 0, 'a JSON block configures a server');
  const [first] = servers;
  assert.equal(first?.command, 'node');
  const [path] = (first?.args ?? []) as readonly unknown[];
  assert.match(String(path), /^(\/|[A-Z]:[\\/]).*dist[\\/]cli\.js$/);
});
