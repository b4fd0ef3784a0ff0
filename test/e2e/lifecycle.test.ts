/** However a session ends, no rg outlives it for long and nothing is left behind. Real processes, seen through /proc. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { numberedTree, plantFlood, plantSlow, ripgrepsIn, SLOW, scratchOf } from '../support/e2e-processes.js';
import { baseEnvironment, CLI, HAS_PROC, isAlive, openServer, type Server, until } from '../support/server.js';

const slow = realpathSync(plantSlow());
const flood = realpathSync(plantFlood());
const proc = { skip: !HAS_PROC && 'needs Linux: children are counted in /proc' };

/** A server in the middle of a search, and the rg that does it. */
async function searching(root = slow, args: object = SLOW): Promise<{ server: Server; child: number; id: string | number }> {
  const server = await openServer({ root });
  const id = server.sendCall('search_text', { ...args });
  assert.ok(await until(() => ripgrepsIn(root).length > 0), 'rg runs');
  const [child = -1] = ripgrepsIn(root);
  return { server, child, id };
}
const noneIn = (root: string, ms: number): Promise<boolean> => until(() => ripgrepsIn(root).length === 0, ms);
const milliseconds = async (what: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await what();
  return performance.now() - started;
};

test('after a cancel no rg survives 200 ms', proc, async () => {
  const { server, id } = await searching();
  server.notify('notifications/cancelled', { requestId: id });
  assert.ok(await noneIn(slow, 200));
  assert.deepEqual((await server.request('ping')).result, {});
});

for (const [title, args] of [
  ['a search that has matched nothing yet', SLOW],
  ['a search for files', { ...SLOW, output: 'files' }],
  ['an empty search with its explanation', { pattern: '(?=.*test)(?=.*ripgrep)' }],
] as [string, object][]) {
  test(`a cancel reaches ${title} at any moment`, proc, async () => {
    const server = await openServer({ root: slow });
    for (const wait of [0, 5, 30, 100]) {
      const id = server.sendCall('search_text', args as Record<string, unknown>);
      await new Promise((resolve) => setTimeout(resolve, wait));
      server.notify('notifications/cancelled', { requestId: id });
      await server.request('ping');
      assert.ok(await noneIn(slow, 200), `after ${wait} ms`);
      assert.equal(server.messages.filter((message) => message.id === id).length, 0);
    }
  });
}

test('eight searches at once are all gone 200 ms after eight cancels', proc, async () => {
  const server = await openServer({ root: slow, env: { RIPSCOPE_MAX_IN_FLIGHT: '32' } });
  const ids = Array.from({ length: 8 }, () => server.sendCall('search_text', SLOW));
  assert.ok(await until(() => ripgrepsIn(slow).length === 8));
  for (const requestId of ids) server.notify('notifications/cancelled', { requestId });
  assert.ok(await noneIn(slow, 200));
});

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  test(`after ${signal} no rg survives 200 ms, and the server ends with 0`, proc, async () => {
    const { server } = await searching();
    assert.ok(scratchOf(server.pid).length <= 1);
    server.signal(signal);
    assert.ok(await noneIn(slow, 200));
    assert.deepEqual(await server.gone(2_000), { code: 0, signal: null });
    assert.deepEqual(scratchOf(server.pid), []);
  });

  test(`${signal} right after the start leaves nothing`, proc, async () => {
    const server = await openServer({ root: slow });
    server.signal(signal);
    assert.deepEqual(await server.gone(2_000), { code: 0, signal: null });
    assert.deepEqual(scratchOf(server.pid), []);
  });
}

test('two signals in a row end it as one does', proc, async () => {
  const { server } = await searching();
  server.signal('SIGINT');
  server.signal('SIGTERM');
  assert.ok(await noneIn(slow, 200));
  assert.deepEqual(await server.gone(2_000), { code: 0, signal: null });
});

test('after stdout is closed no rg survives 200 ms once the server notices, and the exit is quiet', proc, async () => {
  const { server } = await searching();
  server.closeOutput();
  server.send('ping'); // the answer finds nobody
  assert.ok(await noneIn(slow, 200));
  assert.deepEqual(await server.gone(2_000), { code: 0, signal: null });
  assert.equal(server.stderr, '');
});

test('after the end of stdin no rg survives 1.2 s, and the exit code is 0 within 2 s', proc, async () => {
  const { server } = await searching();
  const took = await milliseconds(async () => {
    server.endInput();
    assert.ok(await noneIn(slow, 1_200));
    assert.deepEqual(await server.gone(2_000), { code: 0, signal: null });
  });
  assert.ok(took < 2_000, `${took} ms`);
  assert.deepEqual(scratchOf(server.pid), []);
});

test('the end of stdin ends an idle server at once', async () => {
  const server = await openServer({ root: slow });
  const took = await milliseconds(async () => assert.deepEqual(await server.close(), { code: 0, signal: null }));
  assert.ok(took < 500, `${took} ms`);
});

test('the end of stdin lets calls finish that need less than a second', async () => {
  const server = await openServer({ root: numberedTree() });
  const ids = Array.from({ length: 8 }, (_, i) => server.sendCall('search_text', { pattern: `needle ${i}` }));
  server.endInput();
  for (const id of ids) assert.equal((await server.callReply(id)).isError, false);
  assert.deepEqual(await server.gone(2_000), { code: 0, signal: null });
});

test('after SIGKILL of the server an rg that writes dies at its next write', proc, async () => {
  // Single-threaded and blocked on a full pipe is where the pipe's end is the only way to learn of it.
  const server = await openServer({ root: flood });
  for (let i = 0; i < 4; i++) server.sendCall('search_text', { pattern: `needle|q${i}`, regex: true, maxMatches: 500 });
  assert.ok(await until(() => ripgrepsIn(flood).length > 0), 'rg runs');
  server.signal('SIGKILL');
  assert.ok(await noneIn(flood, 2_000), 'its next write fails');
  await server.gone();
});

test('what a killed server left in the temporary folder is removed by the next one', proc, async () => {
  // A temporary folder of its own: any server of this user would tidy up the common one.
  const temporary = realpathSync(mkdtempSync(join(tmpdir(), 'ripscope-own-')));
  try {
    const server = await openServer({ root: slow, env: { TMPDIR: temporary } });
    server.sendCall('search_text', { ...SLOW, globs: ['*.txt'] });
    const [child = -1] = await server.childStarted();
    assert.equal(scratchOf(server.pid, temporary).length, 1);
    server.signal('SIGKILL');
    await server.gone();
    process.kill(child, 'SIGKILL'); // it writes nothing, so it would go on for seconds
    assert.ok(await until(() => !isAlive(child)));
    assert.equal(scratchOf(server.pid, temporary).length, 1);
    const next = await openServer({ root: slow, env: { TMPDIR: temporary } });
    await next.call('list_files', { globs: ['*.txt'], scope: '.' });
    assert.deepEqual(scratchOf(server.pid, temporary), []);
    await next.close();
    assert.deepEqual(scratchOf(next.pid, temporary), []);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
});

test('a search stopped by its budget leaves no rg and no rule file', proc, async () => {
  const server = await openServer({ root: flood });
  const reply = await server.call('search_text', { pattern: 'needle', globs: ['*.txt'], scope: '.', force: true });
  assert.match(reply.text, /^At least \d+ matches \(stopped there\), 1-\d+ shown/);
  assert.ok(await noneIn(flood, 200));
  await server.close();
  assert.deepEqual(scratchOf(server.pid), []);
});

test('a search out of time leaves no rg', proc, async () => {
  const server = await openServer({ root: slow });
  const reply = await server.call('search_text', { ...SLOW, timeoutMs: 300 });
  assert.match(reply.text, /[Ss]topped after 300 ms/);
  assert.ok(await noneIn(slow, 200));
});

test('starting and listing tools starts no process and makes no file', proc, async () => {
  const server = await openServer({ root: slow });
  await server.request('tools/list');
  assert.deepEqual(server.descendants(), []);
  assert.deepEqual(scratchOf(server.pid), []);
});

// --- stderr

const children = new Set<ChildProcess>();
after(() => {
  for (const child of children) child.kill('SIGKILL');
});
const HELLO = `${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } } })}\n`;
const ask = (id: number): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'search_text', arguments: { pattern: 'needle', globs: [`*.q${id}`] } } })}\n`;

/** Runs a server whose stderr goes where nobody reads, with these calls, and gives the ids that were answered. */
async function answers(stderr: number | 'pipe', calls: number, env: Record<string, string>): Promise<number[]> {
  const child = spawn(process.execPath, [CLI], {
    cwd: '/',
    env: baseEnvironment({ REPO_ROOT: numberedTree(), ...env }),
    stdio: ['pipe', 'pipe', stderr],
  });
  children.add(child);
  if (stderr === 'pipe') child.stderr?.pause();
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
  });
  const ids = (): number[] =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { id: number }).id)
      .sort((a, b) => a - b);
  child.stdin?.write(HELLO);
  for (let from = 1; from <= calls; from += 40) {
    for (let id = from; id < Math.min(from + 40, calls + 1); id++) child.stdin?.write(ask(id));
    await until(() => text.split('\n').length > Math.min(from + 40, calls + 1) - 1, 20_000);
  }
  child.stdin?.end();
  await until(() => child.exitCode !== null || child.signalCode !== null);
  children.delete(child);
  assert.equal(child.exitCode, 0);
  return ids();
}
const upTo = (calls: number): number[] => Array.from({ length: calls + 1 }, (_, i) => i);

test('a stderr that nobody reads blocks nothing at debug level', async () => {
  const calls = 160;
  assert.deepEqual(await answers('pipe', calls, { RIPSCOPE_LOG_LEVEL: 'debug', RIPSCOPE_MAX_UNSENT_LOG_BYTES: '20000' }), upTo(calls));
});

test('a closed stderr disturbs nothing at debug level', async () => {
  const child = spawn('/bin/sh', ['-c', 'exec "$0" "$1" 2>&-', process.execPath, CLI], {
    cwd: '/',
    env: baseEnvironment({ REPO_ROOT: numberedTree(), RIPSCOPE_LOG_LEVEL: 'debug' }),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  children.add(child);
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
  });
  child.stdin.write(HELLO + ask(1) + ask(2));
  assert.ok(await until(() => text.split('\n').length === 4));
  child.stdin.end();
  assert.ok(await until(() => child.exitCode !== null));
  children.delete(child);
  assert.equal(child.exitCode, 0);
});

test('a stderr whose reader went away disturbs nothing', async () => {
  const child = spawn(process.execPath, [CLI], {
    cwd: '/',
    env: baseEnvironment({ REPO_ROOT: numberedTree(), RIPSCOPE_LOG_LEVEL: 'debug' }),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  children.add(child);
  child.stderr.destroy();
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
  });
  child.stdin.write(HELLO + ask(1) + ask(2));
  assert.ok(await until(() => text.split('\n').length === 4));
  child.stdin.end();
  assert.ok(await until(() => child.exitCode !== null));
  children.delete(child);
  assert.equal(child.exitCode, 0);
});

test('a full disk under stderr disturbs nothing', { skip: process.platform !== 'linux' && 'needs /dev/full' }, async () => {
  const full = openSync('/dev/full', 'w');
  try {
    assert.deepEqual(await answers(full, 5, { RIPSCOPE_LOG_LEVEL: 'debug' }), upTo(5));
  } finally {
    closeSync(full);
  }
});

test('a temporary folder that cannot be used is an error of the call, not of the server', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'ripscope-gone-'));
  const server = await openServer({ root: numberedTree(), env: { TMPDIR: join(dir, 'none', 'such') } });
  try {
    const plain = await server.call('search_text', { pattern: 'needle 1', word: true });
    assert.equal(plain.isError, false, 'what needs no rule file works');
    const raw = await server.request('tools/call', { name: 'search_text', arguments: { pattern: 'needle', globs: ['*.txt'] } });
    assert.ok(raw.result !== undefined || raw.error?.code === -32603, JSON.stringify(raw));
    assert.deepEqual((await server.request('ping')).result, {});
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
