/** run_test_filtered with real processes: what it ends and when, what it answers meanwhile, and what it leaves behind. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { plant } from '../support/e2e-lab.js';
import { scratchOf } from '../support/e2e-processes.js';
import { HAS_PROC, isAlive, openServer, runCli, type Server, type StartOptions, until } from '../support/server.js';

const proc = { skip: !HAS_PROC && 'needs Linux: processes are looked up in /proc' };

/** Starts a grandchild that ignores every polite signal, then sleeps; both write their ids. */
const STUBBORN = `
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
const script = "process.on('SIGTERM', () => {}); process.on('SIGINT', () => {}); process.on('SIGHUP', () => {}); setInterval(() => {}, 1000); require('fs').writeFileSync('grandchild', String(process.pid));";
spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'inherit', 'inherit'] });
writeFileSync('child', String(process.pid));
console.log('not a test yet');
setInterval(() => {}, 1000);
`;

interface Scripts {
  readonly [name: string]: string;
}

/** A folder with these scripts, and a server whose operator allows each of them by its name. */
async function serve(scripts: Scripts, options: StartOptions = {}): Promise<{ server: Server; root: string }> {
  const files = Object.fromEntries(Object.entries(scripts).map(([name, text]) => [`${name}.mjs`, text]));
  const commands = Object.fromEntries(Object.keys(scripts).map((name) => [name, [process.execPath, `${name}.mjs`]]));
  const root = plant({ ...files, 'config.json': JSON.stringify({ tests: { commands } }) });
  const args = ['--config', join(root, 'config.json'), ...(options.args ?? [])];
  return { server: await openServer({ ...options, root, args }), root };
}

const idIn = (root: string, name: string): number =>
  Number(existsSync(join(root, name)) ? readFileSync(join(root, name), 'utf8') : Number.NaN);
const started = async (root: string): Promise<number[]> => {
  assert.ok(await until(() => idIn(root, 'child') > 0 && idIn(root, 'grandchild') > 0), 'both run');
  return [idIn(root, 'child'), idIn(root, 'grandchild')];
};
const allGone = (pids: readonly number[], ms: number): Promise<boolean> => until(() => !pids.some(isAlive), ms);
const handleIn = (text: string): string => /"wait": "([0-9a-f]{32})"/.exec(text)?.[1] ?? '';
const sourceIn = (text: string): string => /"source": ?"([0-9a-f]{32})"/.exec(text)?.[1] ?? '';

test('a timeout ends the whole group, also a grandchild that ignores SIGTERM, and is exit code 124', proc, async () => {
  const { server, root } = await serve({ stubborn: STUBBORN });
  const call = server.sendCall('run_test_filtered', { command: 'stubborn', timeoutMs: 1_000 });
  const pids = await started(root);
  const answer = await server.callReply(call);
  assert.equal(answer.isError, false);
  assert.match(answer.text, /^stubborn timed out after 1 s, exit code 124\./);
  assert.match(answer.text, /not a test yet/);
  assert.ok(await allGone(pids, 100));
});

test('a cancel ends the whole group, and the session goes on', proc, async () => {
  const { server, root } = await serve({ stubborn: STUBBORN });
  const id = server.sendCall('run_test_filtered', { command: 'stubborn' });
  const pids = await started(root);
  server.notify('notifications/cancelled', { requestId: id });
  assert.deepEqual((await server.request('ping')).result, {});
  assert.ok(await allGone(pids, 2_500));
  assert.equal(server.messages.filter((message) => message.id === id).length, 0);
});

for (const [how, leave] of [
  ['the end of stdin', (server: Server) => server.endInput()],
  ['SIGTERM', (server: Server) => server.signal('SIGTERM')],
  ['SIGINT', (server: Server) => server.signal('SIGINT')],
] as [string, (server: Server) => void][]) {
  test(`after ${how} nothing of a run is left within two seconds, and the server ends with 0`, proc, async () => {
    const { server, root } = await serve({ stubborn: STUBBORN });
    server.sendCall('run_test_filtered', { command: 'stubborn' });
    const pids = await started(root);
    leave(server);
    assert.deepEqual(await server.gone(2_000), { code: 0, signal: null });
    assert.ok(await allGone(pids, 100));
    assert.deepEqual(scratchOf(server.pid), []);
  });
}

test('a command that ends while its child lives on is answered at once, and the child is ended', proc, async () => {
  const leaving = STUBBORN.replace('setInterval(() => {}, 1000);\n', 'setTimeout(() => process.exit(7), 600);\n');
  const { server, root } = await serve({ leaving });
  const answer = await server.call('run_test_filtered', { command: 'leaving' });
  assert.match(answer.text, /exit code 7/);
  assert.match(answer.text, /# processes that the command left behind were ended/);
  assert.ok(await allGone([idIn(root, 'grandchild')], 100));
});

test('a command that is killed by a signal says so', proc, async () => {
  const { server } = await serve({ killed: "process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000);" });
  assert.match(
    (await server.call('run_test_filtered', { command: 'killed' })).text,
    /^killed was killed by SIGKILL after .*, exit code 137\./,
  );
});

const SLOW = "console.log('TAP version 13\\nok 1 - first'); setTimeout(() => console.log('not ok 2 - second\\n1..2'), 1500);";

test('an unfinished run answers with a handle, and waiting for it goes on to the end', async () => {
  const { server } = await serve({ slow: SLOW }, { args: ['--test-answer-ms', '500'] });
  const first = await server.call('run_test_filtered', { command: 'slow' });
  assert.match(first.text, /^slow is still running after 0\.\d s; so far: 0 failed, 1 passed/);
  const handle = handleIn(first.text);
  let last = first;
  for (let tries = 0; tries < 10 && handleIn(last.text) !== ''; tries++) last = await server.call('run_test_filtered', { wait: handle });
  assert.match(last.text, /^slow passed, exit code 0, in 1\.\d s: 1 failed, 1 passed, 0 skipped \(TAP\)\.\n\[1\] second\n/);
  assert.equal((await server.call('run_test_filtered', { wait: handle })).text, last.text, 'an ended run can be asked for again');
});

test('progress comes while a run goes on', async () => {
  const { server } = await serve({ slow: SLOW });
  await server.call('run_test_filtered', { command: 'slow' }, { meta: { progressToken: 'p' } });
  const messages = server.messages
    .filter((message) => message.method === 'notifications/progress')
    .map((message) => String(message.params?.message));
  assert.ok(messages.length >= 2 && messages.some((message) => /1 passed, 0 failed, 2 lines of output/.test(message)), messages.join('\n'));
});

test('a handle that nobody knows is an error that says so', async () => {
  const { server } = await serve({ slow: SLOW });
  const answer = await server.call('run_test_filtered', { wait: 'ffff' });
  assert.ok(answer.isError);
  assert.match(answer.text, /^test_run_unknown: "ffff" is no test run of this server\. No test run is going on\./);
});

test('more runs at once than the bound are answered busy', proc, async () => {
  const { server, root } = await serve({ stubborn: STUBBORN }, { args: ['--max-test-runs', '1'] });
  server.sendCall('run_test_filtered', { command: 'stubborn' });
  await started(root);
  assert.match((await server.call('run_test_filtered', { command: 'stubborn' })).text, /^busy: 1 test commands are running/);
});

/** The text that is kept under a handle, without the line about it. */
const logOf = (handle: string): string => {
  const base = join(tmpdir(), `ripscope-${userInfo().uid}`);
  const folder = readdirSync(base).find((name) => existsSync(join(base, name, `${handle}.txt`))) ?? '';
  const file = readFileSync(join(base, folder, `${handle}.txt`), 'utf8');
  return file.slice(file.indexOf('\n') + 1);
};

test('the log holds both outputs by whole lines, as any kept text has them', proc, async () => {
  const mixed =
    "process.stdout.write(Buffer.from([0, 255, 10, 65, 13, 10])); process.stderr.write('err\\n'); process.stdout.write('no newline');";
  const { server } = await serve({ mixed });
  const { text } = await server.call('run_test_filtered', { command: 'mixed' });
  const log = logOf(sourceIn(text));
  assert.deepEqual(log.split('\n').sort(), ['', '\u2400\ufffd', 'A', 'err', 'no newline'].sort());
  assert.match(text, /# log: 4 lines, /);
});

test('a flood stays within quota and memory, and the failure at its end is still found', proc, async () => {
  const flood = `
const line = 'x'.repeat(99) + '\\n';
const block = line.repeat(10_000);
let n = 0;
const more = () => { while (n++ < 100) if (!process.stdout.write(block)) { process.stdout.once('drain', more); return; }
  process.stdout.write('TAP version 13\\nnot ok 1 - the last one\\n1..1\\n'); process.exitCode = 1; };
more();`;
  const { server } = await serve({ flood });
  const before = server.memory('VmHWM');
  const { text } = await server.call('run_test_filtered', { command: 'flood' }, { ms: 60_000 });
  assert.match(text, /^flood failed, exit code 1, .*: 1 failed, 0 passed, 0 skipped \(TAP\)\.\n\[1\] the last one\n/);
  assert.match(text, /# log: 1,000,003 lines, .*, its end not kept/);
  const log = logOf(sourceIn(text));
  assert.ok(log.length <= 10_485_760 && log.length > 10_485_000 && log.endsWith('xxx\n'), `${log.length} bytes`);
  assert.ok(server.memory('VmHWM') - before < 120, `${server.memory('VmHWM') - before} MiB`);
});

test('a reply stays within 120 lines and its budget, and keeps the first failures whole', async () => {
  const many =
    "console.log('TAP version 13'); for (let n = 1; n <= 5000; n++) console.log('not ok ' + n + ' - number ' + n + \"\\n  ---\\n  error: 'broken \" + n + \"'\\n  ...\"); process.exitCode = 1;";
  const { server } = await serve({ many });
  for (const maxChars of [500, 2_000, 6_000, 50_000]) {
    const { text } = await server.call('run_test_filtered', { command: 'many', maxChars });
    assert.ok(text.length <= maxChars && text.split('\n').length <= 120, `${text.length} of ${maxChars}`);
    assert.match(text, /: 5,000 failed, 0 passed, 0 skipped \(TAP\)\.\n\[1\] number 1\n\| error: 'broken 1'\n/);
    assert.match(text, /more failures not shown whole; the last: "number 5000"\n/);
  }
});

test('a command gets no variable of the server but those of the list and the operator', async () => {
  const env =
    "console.log('TAP version 13\\nnot ok 1 - ' + JSON.stringify([process.env.SECRET_TOKEN, process.env.ALLOWED, process.env.NO_COLOR, process.env.CI]))";
  const root = plant({
    'env.mjs': env,
    'config.json': JSON.stringify({ tests: { commands: { env: [process.execPath, 'env.mjs'] }, env: ['ALLOWED'] } }),
  });
  const server = await openServer({ root, args: ['--config', join(root, 'config.json')], env: { SECRET_TOKEN: 's', ALLOWED: 'a' } });
  assert.match((await server.call('run_test_filtered', { command: 'env' })).text, /\[1\] \[null,"a","1","1"\]/);
});

test('the list of tools names what the operator has added, and a group can be left out', async () => {
  const { server } = await serve({ own_tests: '' });
  const { tools } = (await server.request('tools/list')).result as { tools: { name: string }[] };
  assert.match(JSON.stringify(tools.find(({ name }) => name === 'run_test_filtered')), /here also own_tests/);
  const searching = await openServer({ root: plant({ 'a.txt': '' }), args: ['--tools', 'search'] });
  assert.doesNotMatch(JSON.stringify((await searching.request('tools/list')).result), /run_test_filtered/);
});

const NODE_TEST =
  "import test from 'node:test'; import assert from 'node:assert'; test('adds', () => assert.equal(1 + 1, 3)); test('holds', () => {});\n";

test('node --test runs for real: one file, a folder, npm test, and the verb with the exit code of the command', async () => {
  const root = plant({
    'package.json': '{"type":"module","scripts":{"test":"node --test"}}',
    'a/one.test.js': NODE_TEST,
    'b/two.test.js': "import test from 'node:test'; test('fine', () => {});\n",
  });
  const server = await openServer({ root });
  for (const [args, expected] of [
    [{ command: 'node_test' }, /^node_test failed, exit code 1, .*: 1 failed, 2 passed, 0 skipped/],
    [{ command: 'node_test', path: 'a' }, /^node_test failed, exit code 1, .*: 1 failed, 1 passed/],
    [{ command: 'node_test', path: 'b/two.test.js' }, /^node_test passed, exit code 0, .*: 0 failed, 1 passed/],
    [{ command: 'npm_test' }, /^npm_test failed, exit code 1, .*: 1 failed, 2 passed/],
    [{ command: 'npm_test', path: 'b/two.test.js' }, /^npm_test passed, exit code 0/],
  ] as const) {
    const { text } = await server.call('run_test_filtered', args, { ms: 30_000 });
    assert.match(text, expected);
    if (text.includes(' failed, exit code 1')) assert.match(text, /\[1\] adds\n[\s\S]*1 \+ 1|\[1\] adds\n[\s\S]*a\/one\.test\.js/);
  }
  const failed = await runCli(['test', 'node_test'], { cwd: root });
  assert.equal(failed.code, 1);
  assert.match(failed.stdout, /^node_test failed/);
  assert.equal((await runCli(['test', 'node_test', 'b'], { cwd: root })).code, 0);
  assert.equal((await runCli(['test', 'no_test'], { cwd: root })).code, 2);
});

test('the verb exits with 124 after a timeout and with the code of the command otherwise', async () => {
  const root = plant({
    'config.json': JSON.stringify({
      tests: { commands: { long: ['node', '-e', 'setInterval(() => {}, 1000)'], nine: ['node', '-e', 'process.exit(9)'] } },
    }),
  });
  const config = ['--config', join(root, 'config.json')];
  assert.equal((await runCli(['test', 'long', '--timeout-ms', '1000', ...config], { cwd: root })).code, 124);
  assert.equal((await runCli(['test', 'nine', ...config], { cwd: root })).code, 9);
});
