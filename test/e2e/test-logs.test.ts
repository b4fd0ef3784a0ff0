/** The log of a test run is a kept text: search_output finds it by its handle, from any server, and it leaves with its session. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { plant } from '../support/e2e-lab.js';
import { openServer, runCli, type Server, type StartOptions, until } from '../support/server.js';

const PLANTED = `
console.log('TAP version 13');
for (let n = 1; n <= 500; n++) console.log('ok ' + n + ' - number ' + n);
console.error('the \\u001b[31mreservoir\\u001b[0m was drained at item 431');
console.log('not ok 501 - holds water\\n  ---\\n  error: dry\\n  ...\\n1..501');
process.exitCode = 1;
`;
const ENDLESS = "console.log('begun'); require('fs').writeFileSync('begun', ''); setInterval(() => {}, 1000);";

interface Yard {
  readonly root: string;
  readonly tmp: string;
  serve(session?: string, options?: StartOptions, temp?: string): Promise<Server>;
}

function yard(): Yard {
  const dir = plant({
    'root/planted.mjs': PLANTED,
    'root/endless.cjs': ENDLESS,
    'config.json': JSON.stringify({
      tests: { commands: { planted: [process.execPath, 'planted.mjs'], endless: [process.execPath, 'endless.cjs'] } },
    }),
  });
  const [root, tmp] = [join(dir, 'root'), join(dir, 'tmp')];
  mkdirSync(tmp);
  return {
    root,
    tmp,
    serve: (session, options = {}, temp = tmp) =>
      openServer({
        root,
        ...options,
        args: ['--config', join(dir, 'config.json'), ...(options.args ?? [])],
        env: { TMPDIR: temp, ...(session === undefined ? {} : { CLAUDE_CODE_SESSION_ID: session }) },
      }),
  };
}
const handleIn = (text: string): string => /search_output \{"queries": ?\["…"\], ?"source": ?"([0-9a-f]{32})"\}/.exec(text)?.[1] ?? '';
const search = async (server: Server, source?: string): Promise<string> =>
  (await server.call('search_output', { queries: ['reservoir drained'], ...(source === undefined ? {} : { source }) })).text;

test('search_output finds a line of the log by the handle of the reply, in the same server and in one of the same session', async () => {
  const here = yard();
  const server = await here.serve('s');
  const { text } = await server.call('run_test_filtered', { command: 'planted' });
  assert.match(text, /\[1\] holds water/);
  const handle = handleIn(text);
  assert.match(await search(server, handle), /^\d+ {2}the reservoir was drained at item 431$/m);
  assert.match(await search(server, 'planted'), /the reservoir was drained/);
  const second = await here.serve('s');
  assert.match(await search(second, handle), /the reservoir was drained/);
  assert.match(await search(second), /the reservoir was drained/);
  await server.close();
  assert.match(await search(second, handle), /the reservoir was drained/, 'the session goes on');
  await second.close();
  assert.deepEqual(readdirSync(here.tmp), []);
});

test('without a session another server finds it by its handle alone, until the server that ran the tests ends', async () => {
  const here = yard();
  const [server, other] = [await here.serve(), await here.serve()];
  await other.request('tools/list');
  const handle = handleIn((await server.call('run_test_filtered', { command: 'planted' })).text);
  assert.match(await search(other, handle), /the reservoir was drained/);
  await server.close();
  assert.match(await search(other, handle), /^output_unknown/);
  await other.close();
  assert.deepEqual(readdirSync(here.tmp), []);
});

test('session_stats counts a log once, whoever asks for the run again', async () => {
  const here = yard();
  const server = await here.serve(undefined, { format: 'json' });
  const run = await server.call('run_test_filtered', { command: 'planted' });
  await server.call('run_test_filtered', { wait: (run.structured as unknown as { source: string }).source });
  const stats = (await server.call('session_stats', {})).structured as unknown as { bytesKept: number };
  assert.ok(stats.bytesKept > 9_000 && stats.bytesKept < 12_000, String(stats.bytesKept));
});

test('a reply names search_output only where it is offered', async () => {
  const here = yard();
  const server = await here.serve(undefined, { args: ['--tools', 'tests'] });
  const { text } = await server.call('run_test_filtered', { command: 'planted' });
  assert.doesNotMatch(text, /search_output/);
  assert.match(text, /# log: 5\d\d lines, /);
});

test('a log cannot be searched before its run has ended, and the reply does not say so', async () => {
  const here = yard();
  const server = await here.serve(undefined, { args: ['--test-answer-ms', '300'] });
  const { text } = await server.call('run_test_filtered', { command: 'endless' });
  assert.match(text, /still running/);
  assert.doesNotMatch(text, /search_output/);
});

for (const [how, leave] of [
  ['the end of stdin', (server: Server) => server.endInput()],
  ['SIGTERM', (server: Server) => server.signal('SIGTERM')],
] as [string, (server: Server) => void][]) {
  test(`after ${how} in the middle of a run nothing is left in the temp folder`, { skip: process.platform === 'win32' }, async () => {
    const here = yard();
    const server = await here.serve('s');
    server.sendCall('run_test_filtered', { command: 'endless' });
    assert.ok(await until(() => existsSync(join(here.root, 'begun'))));
    leave(server);
    assert.deepEqual(await server.gone(), { code: 0, signal: null });
    assert.deepEqual(readdirSync(here.tmp), []);
  });
}

test('after kill -9 in the middle of a run the next start leaves nothing', { skip: process.platform === 'win32' }, async () => {
  const here = yard();
  const server = await here.serve('s');
  server.sendCall('run_test_filtered', { command: 'endless', timeoutMs: 3_000 });
  assert.ok(await until(() => existsSync(join(here.root, 'begun'))));
  const children = server.descendants();
  server.signal('SIGKILL');
  await server.gone();
  const next = await here.serve('other');
  await next.request('tools/list');
  await next.close();
  assert.deepEqual(readdirSync(here.tmp), []);
  for (const pid of children) process.kill(pid, 'SIGKILL');
});

for (const answerMs of [45_000, 300]) {
  test(`a temp folder that cannot be written from the beginning costs the log, not the run (an answer after ${answerMs} ms)`, async () => {
    const here = yard();
    // As on a full disk: whatever is made below fails.
    const server = await here.serve('s', { args: ['--test-answer-ms', String(answerMs)] }, join(here.root, 'planted.mjs'));
    const first = await server.call('run_test_filtered', { command: 'planted' });
    const wait = /"wait": "([0-9a-f]{32})"/.exec(first.text)?.[1];
    const { text } = wait === undefined || !first.text.includes('still running') ? first : await server.call('run_test_filtered', { wait });
    assert.match(text, /^planted failed, exit code 1, .*: 1 failed, 500 passed/);
    assert.match(text, /\[1\] holds water/);
    assert.match(text, /# the log could not be kept: The folder for kept outputs cannot be used \(\w+\)\./);
    assert.doesNotMatch(text, /search_output/);
    const refused = await server.call('search_output', { queries: ['reservoir'], source: 'planted' });
    assert.match(refused.text, /^output_unknown|no /);
    await server.close();
  });
}

test('a folder that is not private is refused before anything is run', {
  skip: process.platform === 'win32' && 'no modes there',
}, async () => {
  const here = yard();
  const server = await here.serve();
  mkdirSync(join(here.tmp, `ripscope-${process.getuid?.()}`), { mode: 0o755 });
  chmodSync(join(here.tmp, `ripscope-${process.getuid?.()}`), 0o755);
  assert.match((await server.call('run_test_filtered', { command: 'endless' })).text, /^spool_refused: /);
  assert.equal(existsSync(join(here.root, 'begun')), false);
});

test('the verb names a log that the verb outputs finds', async () => {
  const here = yard();
  const env = { TMPDIR: here.tmp };
  const config = ['--config', join(here.root, '../config.json')];
  const run = await runCli(['test', 'planted', ...config], { cwd: here.root, env });
  assert.equal(run.code, 1, run.stderr);
  const handle = handleIn(run.stdout);
  const found = await runCli(['outputs', 'reservoir drained', '--source', handle, ...config], { cwd: here.root, env });
  assert.match(found.stdout, /the reservoir was drained/);
});
