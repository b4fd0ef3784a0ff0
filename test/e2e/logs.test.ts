/** Logs: one JSON line an event, enough to debug a call from, and never what a file holds. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { plant } from '../support/e2e-lab.js';
import { plantFlood, plantSlow, SLOW } from '../support/e2e-processes.js';
import { openServer, type Server, until } from '../support/server.js';

type Line = Readonly<Record<string, unknown>>;
const root = plant({ 'a.txt': 'needle SECRETCONTENT\n', 'sub/b.txt': 'needle SECRETCONTENT two\n', '.gitignore': 'x\n' });

const linesOf = (text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);

/** All log lines of a session. */
async function logged(env: Readonly<Record<string, string>>, session: (server: Server) => Promise<void>, where = root): Promise<Line[]> {
  const server = await openServer({ root: where, env });
  await session(server);
  await server.close();
  await server.exited;
  return linesOf(server.stderr);
}
const byMessage = (lines: readonly Line[], message: string): Line[] => lines.filter((line) => line.msg === message);

test('at debug level every line is JSON and a call can be followed from request to ripgrep and reply', async () => {
  const lines = await logged({ RIPSCOPE_LOG_LEVEL: 'debug' }, async (server) => {
    await server.call('search_text', { pattern: 'needle' }, { id: 'first' });
    await server.call('list_files', {}, { id: 17 });
    await server.call('read_snippet', { path: 'a.txt' }, { id: 18 });
    await server.call('read_snippet', { path: 'none' }, { id: 19 });
  });
  for (const line of lines) {
    for (const key of ['level', 'time', 'msg']) assert.ok(key in line, JSON.stringify(line));
  }
  const [search] = byMessage(lines, 'ripgrep ended').filter((line) => line.request === 'first');
  assert.ok(search !== undefined);
  assert.equal(search.tool, 'search_text');
  const argv = search.argv as string[];
  assert.match(argv[0]!, /rg(\.exe)?$/);
  assert.ok(argv.includes('--json') && argv.includes('needle'));
  for (const key of ['child', 'ms', 'bytesRead', 'firstByteMs', 'exitCode']) assert.equal(typeof search[key], 'number', key);
  assert.equal(search.stopped, 'end');
  const [answer] = byMessage(lines, 'call answered').filter((line) => line.request === 'first');
  assert.deepEqual([answer?.tool, answer?.hits, answer?.reading, answer?.partial], ['search_text', 2, 'literal', false]);
  for (const key of ['ms', 'bytesReturned']) assert.equal(typeof answer?.[key], 'number', key);
  assert.ok(byMessage(lines, 'ripgrep ended').some((line) => line.request === 17 && line.tool === 'list_files'));
  assert.ok(byMessage(lines, 'call answered').some((line) => line.request === 18 && line.tool === 'read_snippet'));
  const [refused] = byMessage(lines, 'call refused');
  assert.deepEqual([refused?.request, refused?.tool, refused?.code], [19, 'read_snippet', 'path_missing']);
});

test('a log never holds what a file holds', async () => {
  const lines = await logged({ RIPSCOPE_LOG_LEVEL: 'trace' }, async (server) => {
    await server.call('search_text', { pattern: 'needle' });
    await server.call('search_text', { pattern: 'NEEDLE', context: 2 });
    await server.call('read_snippet', { path: 'a.txt' });
    await server.call('search_text', { pattern: 'nee.le', output: 'count' });
  });
  assert.ok(lines.length > 4);
  assert.ok(!JSON.stringify(lines).includes('SECRETCONTENT'));
});

test('why a search was stopped is in the log: budget, deadline, cancel', async () => {
  const flood = plantFlood();
  const stopped = (lines: readonly Line[]): unknown[] => byMessage(lines, 'ripgrep ended').map((line) => line.stopped);
  const budget = await logged(
    { RIPSCOPE_LOG_LEVEL: 'info' },
    async (server) => void (await server.call('search_text', { pattern: 'needle' })),
    flood,
  );
  assert.ok(stopped(budget).includes('budget'));
  const slow = plantSlow();
  const late = await logged(
    { RIPSCOPE_LOG_LEVEL: 'info' },
    async (server) => void (await server.call('search_text', { ...SLOW, timeoutMs: 200 })),
    slow,
  );
  assert.ok(stopped(late).includes('deadline'));
  const cancelled = await logged(
    { RIPSCOPE_LOG_LEVEL: 'info' },
    async (server) => {
      const requestId = server.sendCall('search_text', SLOW);
      await server.childStarted();
      server.notify('notifications/cancelled', { requestId });
      await server.request('ping');
      assert.ok(await until(() => server.stderr.includes('"cancelled"'), 2_000));
    },
    slow,
  );
  assert.ok(stopped(cancelled).includes('cancelled'));
});

test('by default nothing is logged for what went well or what the caller can repair', async () => {
  const lines = await logged({}, async (server) => {
    await server.call('search_text', { pattern: 'needle' });
    await server.call('search_text', { pattern: '(', regex: true });
    await server.request('nonsense');
  });
  assert.deepEqual(lines, []);
});

for (const [name, value] of [
  ['LARGE_REPO_MCP_LOG_LEVEL', 'info'],
  ['LARGE_REPO_MCP_DEBUG', '1'],
] as const) {
  test(`${name}=${value} turns the log on as well`, async () => {
    const lines = await logged({ [name]: value }, async (server) => void (await server.call('search_text', { pattern: 'needle' })));
    assert.equal(byMessage(lines, 'call answered').length, 1);
  });
}

test('--log-file takes the log instead of stderr', async () => {
  const file = join(plant({}), 'log.jsonl');
  const server = await openServer({ root, args: ['--log-file', file, '--debug'] });
  await server.call('search_text', { pattern: 'needle' });
  await server.close();
  await server.exited;
  assert.equal(server.stderr, '');
  assert.equal(byMessage(linesOf(readFileSync(file, 'utf8')), 'call answered').length, 1);
  rmSync(file);
});

test('a log file that cannot be written sends the log to stderr', async () => {
  const server = await openServer({ root, args: ['--log-file', '/no/such/folder/log', '--debug'] });
  assert.equal((await server.call('search_text', { pattern: 'needle' })).isError, false);
  await server.close();
  await server.exited;
  assert.equal(byMessage(linesOf(server.stderr), 'call answered').length, 1);
});

test('lines that a slow stderr cannot take are dropped and counted, not queued', async () => {
  const server = await openServer({ root, env: { RIPSCOPE_LOG_LEVEL: 'debug', RIPSCOPE_MAX_UNSENT_LOG_BYTES: '0' } });
  for (let i = 0; i < 30; i++) assert.equal((await server.call('search_text', { pattern: 'needle' })).isError, false);
  await server.close();
  await server.exited;
  for (const line of linesOf(server.stderr)) assert.ok('msg' in line);
});
