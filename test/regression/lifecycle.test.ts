/** Cancel, progress, logs, slow readers and every way in which a client can leave. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { backtracking, flood, makeWorld, plain, SLOW_PATTERN } from '../support/fixtures.js';
import {
  HAS_PROC,
  isAlive,
  messagesOf,
  openServer,
  runCli,
  runCliToSlowReader,
  type Server,
  startServer,
  until,
} from '../support/server.js';
import type { Message } from '../support/wire.js';

const world = makeWorld();
const plainRoot = plain(world);
const slowRoot = backtracking(world);
const floodRoot = flood(world);
const SLOW = { pattern: SLOW_PATTERN, regex: true } as const;
const proc = { skip: !HAS_PROC && 'needs /proc' };
const signals = { skip: process.platform === 'win32' && 'no signals there' };

const INIT = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
};
const READY = { jsonrpc: '2.0', method: 'notifications/initialized' };
const LIST = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} };
const lines = (...messages: readonly unknown[]): string => messages.map((message) => `${JSON.stringify(message)}\n`).join('');

const answersTo = (server: Server, id: string | number): Message[] =>
  server.messages.filter((message) => message.id === id && message.method === undefined);
const progressOf = (server: Server, token: string | number): Message[] =>
  server.messages.filter((message) => message.method === 'notifications/progress' && message.params?.progressToken === token);

// https://github.com/openai/codex/issues/20925
test('rpc-cancel: a cancelled search ends ripgrep, gets no answer, and the session goes on', proc, async () => {
  const server = await openServer({ root: slowRoot });
  server.sendCall('search_text', SLOW, { id: 50 });
  const [child] = await server.childStarted();
  assert.ok(child !== undefined, 'ripgrep runs');
  assert.deepEqual((await server.request('ping', undefined, { id: 49 })).result, {}, 'ping is answered while the search runs');
  server.notify('notifications/cancelled', { requestId: 50, reason: 'test' });
  server.send('ping', undefined, 51);
  server.notify('notifications/cancelled', { requestId: 999 });
  server.notify('notifications/cancelled', { requestId: 50 });
  assert.deepEqual((await server.reply(51)).result, {});
  assert.ok(await until(() => server.descendants().length === 0), 'ripgrep is gone');
  assert.equal((await server.call('search_text', { pattern: 'new last' })).isError, false);
  assert.deepEqual(answersTo(server, 50), []);
  assert.equal(server.exit, undefined);
});

test('rpc-cancel: every way to search and to list can be cancelled', proc, async () => {
  const server = await openServer({ root: slowRoot });
  for (const args of [
    { ...SLOW, output: 'files' },
    { ...SLOW, output: 'count' },
    { pattern: SLOW_PATTERN },
    { ...SLOW, ignored: true, binary: true },
  ]) {
    const id = server.sendCall('search_text', args);
    await server.childStarted();
    server.notify('notifications/cancelled', { requestId: id });
    assert.ok(await until(() => server.descendants().length === 0), JSON.stringify(args));
    await server.request('ping');
    assert.deepEqual(answersTo(server, id), []);
  }
});

test('rpc-cancel: a cancel before the request, after the reply or without sense is passed over', async () => {
  const server = await openServer({ root: plainRoot });
  server.notify('notifications/cancelled', { requestId: 'early' });
  assert.equal((await server.call('search_text', { pattern: 'needle' }, { id: 'early' })).isError, false);
  server.notify('notifications/cancelled', { requestId: 'early' });
  for (const params of [undefined, {}, { requestId: null }, { requestId: {} }, { requestId: [1] }, { id: 5 }, { requestId: 1.5 }]) {
    server.notify('notifications/cancelled', params);
  }
  assert.equal((await server.call('search_text', { pattern: 'needle' })).isError, false);
  assert.ok(server.messages.every((message) => message.error === undefined));
});

test('rpc-cancel: a cancel must name the id with its type', proc, async () => {
  const server = await openServer({ root: slowRoot });
  server.sendCall('search_text', { ...SLOW, timeoutMs: 1_500 }, { id: 60 });
  await server.childStarted();
  server.notify('notifications/cancelled', { requestId: '60' });
  assert.match((await server.callReply(60)).text, /./);
});

test('rpc-cancel: a call that waits in the queue can be cancelled, and those behind it are served', proc, async () => {
  const server = await openServer({ root: slowRoot, env: { RIPSCOPE_MAX_IN_FLIGHT: '1' } });
  server.sendCall('search_text', SLOW, { id: 'runs' });
  await server.childStarted();
  server.sendCall('search_text', SLOW, { id: 'waits' });
  server.sendCall('search_text', { pattern: 'new last' }, { id: 'last' });
  server.notify('notifications/cancelled', { requestId: 'waits' });
  server.notify('notifications/cancelled', { requestId: 'runs' });
  assert.match((await server.callReply('last')).text, /new\.txt/);
  assert.deepEqual([...answersTo(server, 'runs'), ...answersTo(server, 'waits')], []);
});

test('rpc-cancel: ping and the list of tools are answered while all places are taken', proc, async () => {
  const server = await openServer({ root: slowRoot, env: { RIPSCOPE_MAX_IN_FLIGHT: '2' } });
  for (let i = 0; i < 6; i++) server.sendCall('search_text', SLOW, { id: `slow-${i}` });
  await server.childStarted();
  assert.deepEqual((await server.request('ping')).result, {});
  assert.ok((await server.request('tools/list')).result);
  assert.ok(server.descendants().length <= 4, 'no more searches than allowed run at once');
});

test('rpc-cancel: an initialize cannot be cancelled', async () => {
  const server = startServer({ root: plainRoot });
  server.write(lines(INIT, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }));
  assert.ok((await server.reply(1)).result);
});

async function assertLeaves(server: Server, children: readonly number[] = []): Promise<void> {
  assert.deepEqual(await server.gone(6_000), { code: 0, signal: null }, server.stderr.slice(-1_000));
  for (const child of children) assert.ok(await until(() => !isAlive(child), 3_000), `child ${child} is gone`);
}

/** A server in the midst of a search, and the children that it has. */
async function searching(): Promise<{ server: Server; children: number[] }> {
  const server = await openServer({ root: slowRoot });
  server.sendCall('search_text', SLOW, { id: 'search' });
  return { server, children: await server.childStarted() };
}

// https://github.com/modelcontextprotocol/typescript-sdk/issues/2002
test('rpc-orphan: an idle server leaves at the end of stdin', async () => {
  const server = await openServer({ root: plainRoot });
  server.endInput();
  await assertLeaves(server);
});

test('rpc-orphan: so does one that was never spoken to, and one that got blanks or half a message', async () => {
  for (const stdin of ['', '\n\n', '{"jsonrpc":"2.0","id":1,"meth', 'Content-Length: 50\r\n\r\n{"json', 'Content-Len']) {
    const server = startServer({ root: plainRoot });
    server.write(stdin);
    server.endInput();
    await assertLeaves(server);
  }
});

test('rpc-orphan: one in the midst of a search leaves too, and takes ripgrep with it', proc, async () => {
  const { server, children } = await searching();
  assert.ok(children.length > 0);
  server.endInput();
  await assertLeaves(server, children);
});

test('rpc-orphan: one with running and waiting calls as well', proc, async () => {
  const server = await openServer({ root: slowRoot, env: { RIPSCOPE_MAX_IN_FLIGHT: '2' } });
  for (let i = 0; i < 12; i++) server.sendCall('search_text', SLOW);
  const children = await server.childStarted();
  server.endInput();
  await assertLeaves(server, children);
});

test('rpc-orphan: a client that closed its end of stdout is noticed', async () => {
  const server = await openServer({ root: plainRoot });
  server.closeOutput();
  server.sendCall('search_text', { pattern: 'needle' });
  await assertLeaves(server);
});

test('rpc-orphan: also when stdout was closed before the end of stdin, in the midst of a search', proc, async () => {
  const { server, children } = await searching();
  server.closeOutput();
  server.endInput();
  await assertLeaves(server, children);
});

test('rpc-orphan: an end in the middle of a message, in a session', async () => {
  const server = await openServer({ root: plainRoot });
  server.write('{"jsonrpc":"2.0","id":2,"method":"tools/list"');
  server.endInput();
  await assertLeaves(server);
});

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  test(`rpc-orphan: ${signal} ends an idle server`, signals, async () => {
    const server = await openServer({ root: plainRoot });
    server.signal(signal);
    await assertLeaves(server);
  });

  test(`rpc-orphan: ${signal} ends a search and its server`, proc, async () => {
    const { server, children } = await searching();
    server.signal(signal);
    await assertLeaves(server, children);
  });
}

test('rpc-orphan: a second signal, or a signal after the end of stdin, does no harm', proc, async () => {
  const { server, children } = await searching();
  server.signal('SIGTERM');
  server.signal('SIGINT');
  server.endInput();
  await assertLeaves(server, children);
});

test('rpc-orphan: what is being answered is flushed first', async () => {
  const pings = Array.from({ length: 500 }, (_, i) => ({ jsonrpc: '2.0', id: i + 10, method: 'ping' }));
  const call = { jsonrpc: '2.0', id: 'call', method: 'tools/call', params: { name: 'search_text', arguments: { pattern: 'needle' } } };
  const result = await runCli([], { env: { REPO_ROOT: plainRoot }, input: lines(INIT, READY, call, ...pings, LIST) });
  const ids = messagesOf(result.stdout)
    .messages.flat()
    .map(({ id }) => id);
  assert.equal(new Set(ids).size, 503);
  for (const id of [1, 2, 'call', 10, 509]) assert.ok(ids.includes(id), `answer to ${id}`);
  assert.equal(result.code, 0);
});

test('rpc-orphan: no temporary files stay behind', async () => {
  const tmp = world.folder('tmp');
  for (const end of ['input', 'SIGTERM'] as const) {
    const server = await openServer({ root: plainRoot, env: { TMPDIR: tmp } });
    await server.call('search_text', { pattern: 'needle', globs: ['sub/**'], scope: 'sub' });
    await server.call('list_files', { globs: ['*.ts'] });
    if (end === 'input') server.endInput();
    else if (process.platform !== 'win32') server.signal(end);
    else server.endInput();
    await assertLeaves(server);
    // The folder of the user may stay for the next server, but nothing in it.
    for (const name of readdirSync(tmp)) {
      assert.match(name, /^ripscope-/, end);
      assert.deepEqual(readdirSync(`${tmp}/${name}`), [], end);
    }
  }
});

const isJsonLine = (line: string): boolean => {
  try {
    return typeof JSON.parse(line) === 'object';
  } catch {
    return false;
  }
};

for (const [name, env, args] of [
  ['LOG_LEVEL and RIPSCOPE_LOG_LEVEL trace', { LOG_LEVEL: 'trace', RIPSCOPE_LOG_LEVEL: 'trace', NODE_OPTIONS: '--trace-warnings' }, []],
  ['LARGE_REPO_MCP_DEBUG', { LARGE_REPO_MCP_DEBUG: '1' }, []],
  ['--debug', {}, ['--debug']],
  ['no log at all', {}, []],
] as const) {
  // https://github.com/hurttlocker/o8/issues/1541
  test(`rpc-stdout-clean: with ${name}, stdout has messages only and stderr lines of JSON`, async () => {
    const calls = [
      ['search_text', { pattern: 'needle' }],
      ['search_text', { pattern: 'a(', regex: true }],
      ['search_text', { pattern: 5 }],
      ['list_files', { globs: ['{a'] }],
      ['read_snippet', { path: '../x' }],
      ['no_such_tool', {}],
    ].map(([tool, arg], i) => ({ jsonrpc: '2.0', id: 100 + i, method: 'tools/call', params: { name: tool, arguments: arg } }));
    const input = `${lines(INIT, READY, LIST, ...calls)}not json\n[]\n${lines({ jsonrpc: '2.0', id: 9, method: 'no/such' })}`;
    const result = await runCli(args, { env: { REPO_ROOT: plainRoot, ...env }, input });
    const { messages } = messagesOf(result.stdout);
    for (const message of messages.flat()) assert.equal(message.jsonrpc, '2.0');
    assert.equal(messages.length, 11);
    const logged = result.stderr.split('\n').filter((line) => line !== '');
    for (const line of logged) assert.ok(isJsonLine(line), `on stderr: ${line.slice(0, 200)}`);
    if (name !== 'no log at all') assert.ok(logged.length > 0, 'something is logged');
    assert.equal(result.code, 0);
  });
}

test('rpc-stdout-clean: a log file takes the log, and stderr nobody reads stops nothing', async () => {
  const log = world.path('server.log');
  const result = await runCli(['--log-file', log, '--debug'], { env: { REPO_ROOT: plainRoot }, input: lines(INIT, READY, LIST) });
  assert.equal(messagesOf(result.stdout).messages.length, 2);
  assert.ok(existsSync(log));
  for (const line of readFileSync(log, 'utf8')
    .split('\n')
    .filter((each) => each !== ''))
    assert.ok(isJsonLine(line));
});

for (const [name, args] of [
  ['a flag that does not exist', ['--no-such-flag']],
  ['a config file that does not exist', ['--config', '/nonexistent/config.json']],
  ['a limit that is no number', ['--max-frame-bytes', 'many']],
] as const) {
  test(`rpc-stdout-clean: ${name} leaves stdout clean`, async () => {
    const result = await runCli(args, { env: { REPO_ROOT: plainRoot }, input: lines(INIT, READY, LIST) });
    const { messages } = messagesOf(result.stdout);
    assert.ok(messages.length > 0 || (result.code !== 0 && result.stderr.length > 0), 'it serves, or says on stderr why not');
  });
}

// https://github.com/philschmid/mcp-cli/issues/23
test('rpc-backpressure: three replies at once come whole to a slow reader', {
  skip: process.platform === 'win32' && 'needs /bin/sh',
}, async () => {
  const args = { pattern: 'needle', maxMatches: 500, maxChars: 30_000 };
  const calls = ['a', 'b', 'c'].map((id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'search_text', arguments: args },
  }));
  const result = await runCliToSlowReader({ env: { REPO_ROOT: floodRoot }, input: lines(INIT, READY, ...calls), endAfterLines: 4 });
  const messages = messagesOf(result.stdout).messages.flat();
  for (const { id } of calls) {
    const reply = messages.find((message) => message.id === id)?.result?.content as readonly { readonly text: string }[] | undefined;
    const size = reply?.[0]?.text.length ?? 0;
    assert.ok(size > 25_000 && size <= 30_000, `reply ${id} has ${size} characters`);
  }
  assert.equal(messages.length, 4);
});

test('rpc-backpressure: more than a pipe holds is written whole before the exit', async () => {
  const root = world.puts('wide', { 'wide.txt': `${`${'\u6f22'.repeat(99)}\n`.repeat(3_000)}` });
  const server = await openServer({ root });
  server.stdout.pause();
  const ids = Array.from({ length: 8 }, () => server.sendCall('read_snippet', { path: 'wide.txt', maxChars: 50_000 }));
  server.endInput();
  await new Promise((resolve) => setTimeout(resolve, 100)); // the slowness of the reader is what is tested
  server.stdout.resume();
  for (const id of ids) assert.ok(Buffer.byteLength((await server.callReply(id)).text) > 100_000, `reply ${id}`);
  await assertLeaves(server);
  assert.deepEqual(server.reader.garbage, []);
  assert.equal(server.reader.unfinished, '');
});

test('rpc-backpressure: a cancel reaches a server whose client does not read', proc, async () => {
  const server = await openServer({ root: slowRoot });
  server.stdout.pause();
  server.sendCall('search_text', SLOW, { id: 'search' });
  await server.childStarted();
  for (let i = 0; i < 20; i++) server.send('tools/list');
  server.notify('notifications/cancelled', { requestId: 'search' });
  assert.ok(await until(() => server.descendants().length === 0), 'ripgrep is gone');
  server.stdout.resume();
  await server.request('ping');
});

// https://github.com/modelcontextprotocol/typescript-sdk/pull/849
test('rpc-progress-timeout: progress rises, comes only where it was asked for, and ends with the reply', async () => {
  const server = await openServer({ root: slowRoot });
  const withToken = server.sendCall('search_text', { ...SLOW, timeoutMs: 3_000 }, { meta: { progressToken: 'p1' } });
  const withNumber = server.sendCall('search_text', { ...SLOW, timeoutMs: 2_000 }, { meta: { progressToken: 0 } });
  const without = server.sendCall('search_text', { ...SLOW, timeoutMs: 2_500 });
  await Promise.all([withToken, withNumber, without].map((id) => server.callReply(id)));
  await server.request('ping');
  for (const [token, id] of [
    ['p1', withToken],
    [0, withNumber],
  ] as const) {
    const notices = progressOf(server, token);
    assert.ok(notices.length > 0, `progress for ${JSON.stringify(token)}`);
    const values = notices.map(({ params }) => params?.progress as number);
    for (let i = 1; i < values.length; i++) assert.ok(values[i]! > values[i - 1]!, values.join(' '));
    const reply = server.messages.findIndex((message) => message.id === id);
    assert.ok(
      notices.every((notice) => server.messages.indexOf(notice) < reply),
      'none behind the reply',
    );
  }
  const all = server.messages.filter(({ method }) => method === 'notifications/progress');
  assert.equal(all.length, progressOf(server, 'p1').length + progressOf(server, 0).length, 'no other progress');
});

test('rpc-progress-timeout: no progress for a quick call, and none after a cancel', async () => {
  const server = await openServer({ root: slowRoot });
  await server.call('search_text', { pattern: 'new last' }, { meta: { progressToken: 'quick' } });
  const id = server.sendCall('search_text', SLOW, { meta: { progressToken: 'cancelled' } });
  await server.message('progress', (message) => message.method === 'notifications/progress');
  server.notify('notifications/cancelled', { requestId: id });
  await server.request('ping');
  const seen = progressOf(server, 'cancelled').length;
  await server.call('search_text', { ...SLOW, timeoutMs: 1_000 });
  assert.equal(progressOf(server, 'cancelled').length, seen);
  assert.equal(progressOf(server, 'quick').length, 0);
});

test('rpc-progress-timeout: no search can ask for more than a minute', async () => {
  const server = await openServer({ root: plainRoot });
  const tools = (await server.request('tools/list')).result?.tools as {
    name: string;
    inputSchema: { properties: Record<string, { maximum?: number }> };
  }[];
  // A test run may take longer, but its calls answer after 45 s with a handle.
  const searches = tools.filter(({ name }) => name !== 'run_test_filtered');
  const limits = searches.flatMap(({ inputSchema }) => inputSchema.properties.timeoutMs ?? []);
  assert.ok(limits.length >= 2);
  for (const { maximum } of limits) assert.ok(maximum !== undefined && maximum <= 60_000);
});
