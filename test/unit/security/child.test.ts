import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, type ChildOptions, Children } from '#dist/security/child.js';
import { makePlace } from './place.js';

const place = makePlace();
const children = new Children();
const BASE: ChildOptions = { cwd: place.path, signal: new AbortController().signal, deadlineMs: 20_000, maxStderrBytes: 1_000 };

const node = (script: string, options: Partial<ChildOptions> = {}, args: readonly string[] = []): Child =>
  children.spawn(process.execPath, ['-e', script, ...args], { ...BASE, ...options });

const FOREVER = 'setInterval(() => {}, 1000);';
const STUBBORN = `process.on('SIGTERM', () => {}); process.on('SIGINT', () => {}); process.on('SIGHUP', () => {}); console.log('up'); ${FOREVER}`;

async function textOf(child: Child): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of child.chunks()) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function isAlive(pid: number | undefined): boolean {
  try {
    process.kill(pid ?? 0, 0);
    return true;
  } catch {
    return false;
  }
}

test('a program that ends by itself gives its output, its code and the reason end', async () => {
  const child = node("console.log('out'); console.error('err'); process.exitCode = 3");
  assert.equal(await textOf(child), 'out\n');
  assert.deepEqual(await child.stop('end'), { reason: 'end', code: 3, stderr: 'err\n', stderrLinesCut: 0 });
});

test('the output of a program comes whole, however large', async () => {
  const child = node("process.stdout.write('x'.repeat(3_000_000))");
  assert.equal((await textOf(child)).length, 3_000_000);
});

for (const reason of ['budget', 'cancelled', 'failed', 'deadline'] as const) {
  test(`stop('${reason}') ends a program that ignores every polite signal, and is its reason`, { timeout: 5_000 }, async () => {
    const child = node(STUBBORN);
    for await (const _ of child.chunks()) break;
    const exit = await child.stop(reason);
    assert.deepEqual([exit.reason, exit.code, isAlive(child.pid)], [reason, null, false]);
  });
}

test('the first reason wins', { timeout: 5_000 }, async () => {
  const controller = new AbortController();
  const child = node(FOREVER, { signal: controller.signal });
  void child.stop('budget');
  controller.abort();
  void child.stop('failed');
  assert.equal((await child.stop('end')).reason, 'budget');
  assert.equal((await child.over).reason, 'budget');
});

test('the deadline ends a program', { timeout: 5_000 }, async () => {
  const started = performance.now();
  const child = node(STUBBORN, { deadlineMs: 300 });
  await textOf(child);
  assert.equal((await child.stop('end')).reason, 'deadline');
  assert.ok(performance.now() - started < 3_000);
});

test('a deadline that is over already ends a program at once', { timeout: 5_000 }, async () => {
  assert.equal((await node(FOREVER, { deadlineMs: 0 }).over).reason, 'deadline');
});

test('the deadline also ends a program that closed its output and stays, after all was read', { timeout: 5_000 }, async () => {
  const child = node(`require('fs').closeSync(1); ${FOREVER}`, { deadlineMs: 400 });
  await textOf(child);
  const over = await Promise.race([child.stop('end').then(() => true), sleep(2_500, false)]);
  const wasAlive = isAlive(child.pid);
  child.kill();
  assert.deepEqual([over, wasAlive], [true, false]);
});

test('a cancel also ends a program that closed its output and stays, after all was read', { timeout: 5_000 }, async () => {
  const controller = new AbortController();
  const child = node(`require('fs').closeSync(1); ${FOREVER}`, { signal: controller.signal });
  await textOf(child);
  const end = child.stop('end');
  controller.abort();
  const over = await Promise.race([end.then(() => true), sleep(2_000, false)]);
  child.kill();
  assert.equal(over, true);
});

test('an abort ends a program', { timeout: 5_000 }, async () => {
  const controller = new AbortController();
  const child = node(FOREVER, { signal: controller.signal });
  setTimeout(() => controller.abort(), 50);
  assert.equal(await textOf(child), '');
  assert.equal((await child.stop('end')).reason, 'cancelled');
});

test('under a signal that is aborted already a program ends at once', { timeout: 5_000 }, async () => {
  const child = node(`setTimeout(() => require('fs').writeFileSync('written', ''), 500)`, { signal: AbortSignal.abort() });
  assert.equal((await child.over).reason, 'cancelled');
  assert.equal(isAlive(child.pid), false);
  assert.equal(existsSync(place.at('written')), false);
});

test('an abort after the end changes nothing and leaves no listener', async () => {
  const controller = new AbortController();
  const child = node('', { signal: controller.signal });
  await textOf(child);
  const exit = await child.stop('end');
  controller.abort();
  assert.equal((await child.over).reason, 'end');
  assert.equal(exit.code, 0);
});

test('leaving the loop early does not end a program, stop does', { timeout: 5_000 }, async () => {
  const child = node(`process.stdout.write('x'.repeat(100)); ${FOREVER}`);
  for await (const _ of child.chunks()) break;
  assert.equal(isAlive(child.pid), true);
  assert.equal((await child.stop('budget')).reason, 'budget');
});

test('stderr is kept up to its bound, and further lines are counted', async () => {
  const child = node("process.stderr.write('x'.repeat(9) + '\\n'); process.stderr.write('abcdefghi\\n'.repeat(199))");
  await textOf(child);
  const { stderr, stderrLinesCut } = await child.stop('end');
  assert.equal(stderr.length, 1_000);
  assert.equal(stderr.split('\n').length - 1 + stderrLinesCut, 200);
});

test('a flood on stderr neither blocks the program nor is kept', { timeout: 10_000 }, async () => {
  const child = node("for (let i = 0; i < 2_000; i++) require('fs').writeSync(2, 'y'.repeat(9_999) + '\\n'); console.log('done')");
  assert.equal(await textOf(child), 'done\n');
  const { stderr, stderrLinesCut } = await child.stop('end');
  assert.deepEqual([stderr.length, stderrLinesCut], [1_000, 2_000]);
});

test('a wide character cut by the bound of stderr does not throw', async () => {
  const child = node("process.stderr.write('漢'.repeat(1_000))");
  await textOf(child);
  assert.match((await child.stop('end')).stderr, /^漢{333}\ufffd?$/);
});

const failures: [title: string, file: string, code: string][] = [
  ['does not exist', place.at('nope'), 'ENOENT'],
  ['is no program', place.put('text.txt', 'just text', 0o644), 'EACCES'],
  ['is a folder', place.folder('folder'), 'EACCES'],
];
for (const [title, file, code] of failures) {
  test(`a file that ${title} gives the reason failed and says why`, { timeout: 5_000 }, async () => {
    const child = children.spawn(file, [], BASE);
    assert.equal(await textOf(child), '');
    const exit = await child.stop('end');
    assert.deepEqual([exit.reason, exit.code, (exit.error as NodeJS.ErrnoException).code, child.pid], ['failed', null, code, undefined]);
  });
}

test('a working folder that does not exist gives the reason failed', { timeout: 5_000 }, async () => {
  const child = node('', { cwd: place.at('nope') });
  await textOf(child);
  assert.equal((await child.stop('end')).reason, 'failed');
});

test('the environment of a child holds nothing of ours', { skip: process.platform === 'win32' && 'Windows needs SystemRoot' }, async () => {
  process.env.RIPSCOPE_TEST_SECRET = 'secret';
  process.env.RIPGREP_CONFIG_PATH = place.at('config');
  try {
    const child = children.spawn('/usr/bin/env', [], BASE);
    assert.equal(await textOf(child), 'LC_ALL=C\n');
  } finally {
    delete process.env.RIPSCOPE_TEST_SECRET;
    delete process.env.RIPGREP_CONFIG_PATH;
  }
});

test('stdin of a child is closed', { timeout: 5_000 }, async () => {
  const child = node("process.stdin.on('data', () => console.log('data')).on('end', () => console.log('end'))");
  assert.equal(await textOf(child), 'end\n');
});

test('arguments reach a program as they are, without a shell', async () => {
  const args = ['a b', '$HOME', '`id`', '; rm -rf /', '"', "'", '\\', '*', '', 'é\n漢', '-x'];
  assert.equal(await textOf(node('console.log(JSON.stringify(process.argv.slice(1)))', {}, ['--', ...args])), `${JSON.stringify(args)}\n`);
});

test('a program runs in its working folder', async () => {
  assert.equal(await textOf(node('console.log(process.cwd())', { cwd: place.folder('folder') })), `${place.at('folder')}\n`);
});

test('live children are counted, and an ended one no more', async () => {
  const own = new Children();
  const child = own.spawn(process.execPath, ['-e', FOREVER], BASE);
  const other = own.spawn(place.at('nope'), [], BASE);
  await other.over;
  assert.equal(own.size, 1);
  await child.stop('budget');
  assert.equal(own.size, 0);
});

test('killAll ends every child, synchronously', { timeout: 5_000 }, async () => {
  const own = new Children();
  const all = [1, 2, 3].map(() => own.spawn(process.execPath, ['-e', STUBBORN], BASE));
  for (const child of all) for await (const _ of child.chunks()) break;
  own.killAll();
  const exits = await Promise.all(all.map((child) => child.over));
  assert.deepEqual(
    exits.map(({ code }) => code),
    [null, null, null],
  );
  assert.ok(all.every((child) => !isAlive(child.pid)));
  assert.equal(own.size, 0);
});
