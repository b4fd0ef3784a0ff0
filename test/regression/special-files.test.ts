/** Pipes, sockets, devices, folders and loops of links: nothing that is opened may block for ever. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import test from 'node:test';
import { linkLoop, makeWorld } from '../support/fixtures.js';
import { filesOf, linesOf, places, SAYS } from '../support/replies.js';
import { openForms, sharedForms } from '../support/server.js';

const world = makeWorld();
const root = world.puts('fifo', { 'a.txt': 'needle\n', 'folder/b.txt': 'text\n' });
const noPipe = world.pipe('fifo/pipe');
const loopRoot = linkLoop(world);
const onPipe = sharedForms(() => ({ root }));
const onLoop = sharedForms(() => ({ root: loopRoot }));
const skip = noPipe ?? false;

// https://github.com/BurntSushi/ripgrep/issues/2761
test('fifo: a search of the folder passes the pipe by', { skip }, async () => {
  const answer = await (await onPipe()).search({ pattern: 'needle' });
  assert.deepEqual(places(answer), ['a.txt:1']);
  assert.equal(answer.isError, false);
});

test('fifo: the pipe as scope is an error at once', { skip }, async () => {
  const forms = await onPipe();
  for (const answer of [await forms.search({ pattern: 'needle', scope: 'pipe' }), await forms.list({ scope: 'pipe' })]) {
    assert.equal(answer.isError, true, answer.text);
    assert.equal(answer.code, 'not_a_file');
  }
});

test('fifo: reading the pipe is an error at once', { skip }, async () => {
  const answer = await (await onPipe()).read({ path: 'pipe' });
  assert.equal(answer.isError, true, answer.text);
  assert.equal(answer.code, 'not_a_file');
});

test('fifo: nor does it block as a glob, with ignored and binary files, or in a list', { skip }, async () => {
  const forms = await onPipe();
  for (const args of [{ globs: ['pipe'] }, { globs: ['**'], ignored: true }, { binary: true }, { output: 'files' }]) {
    const answer = await forms.search({ pattern: 'needle', ...args });
    assert.equal(answer.isError, false, answer.text);
    assert.equal(answer.structured.timedOut, false);
  }
  const list = await forms.list({ globs: ['**'] });
  assert.ok(filesOf(list).includes('a.txt'));
  assert.ok(!filesOf(list).includes('pipe'), 'a pipe is no file to search');
  for (const sort of ['path', 'modified']) assert.equal((await forms.list({ sort })).isError, false);
});

test('fifo: a link to the pipe is no way around', { skip }, async () => {
  world.link('pipe', 'fifo/to-pipe');
  const forms = await openForms({ root });
  assert.equal((await forms.read({ path: 'to-pipe' })).isError, true);
  assert.equal((await forms.search({ pattern: 'needle', scope: 'to-pipe' })).isError, true);
});

for (const name of ['.csignore', '.gitignore', '.ignore', 'sub/.gitignore']) {
  test(`fifo: a pipe in the place of ${name} delays no reply beyond its time limit`, async (t) => {
    const folder = `pipe-as-${name.replace('/', '-')}`;
    const dir = world.puts(folder, { 'a.txt': 'needle\n', 'sub/b.txt': 'needle\n' });
    const why = world.pipe(`${folder}/${name}`);
    if (why !== undefined) return t.skip(why);
    const forms = await openForms({ root: dir });
    const answer = await forms.search({ pattern: 'needle', timeoutMs: 1_000 });
    if (answer.isError || answer.structured.timedOut === true) assert.doesNotMatch(answer.text, SAYS.bareNothing);
    else assert.ok(places(answer).includes('a.txt:1'), answer.text);
    assert.equal(linesOf(await forms.read({ path: 'a.txt' }))[0]?.text, 'needle');
  });
}

test('fifo: a pipe as root keeps no server from answering', { skip }, async () => {
  const forms = await openForms({ root: world.path('fifo/pipe') });
  for (const answer of [await forms.search({ pattern: 'needle' }), await forms.list({}), await forms.read({ path: 'a.txt' })]) {
    assert.equal(answer.isError, true);
  }
});

test('fifo: a socket is neither searched nor read', { skip: process.platform === 'win32' && 'no socket files' }, async () => {
  const dir = world.puts('socket', { 'a.txt': 'needle\n' });
  const listener = createServer().listen(`${dir}/sock`);
  await once(listener, 'listening');
  try {
    const forms = await openForms({ root: dir });
    assert.deepEqual(places(await forms.search({ pattern: 'needle' })), ['a.txt:1']);
    const read = await forms.read({ path: 'sock' });
    assert.equal(read.isError, true);
    assert.equal(read.code, 'not_a_file');
    assert.equal((await forms.search({ pattern: 'needle', scope: 'sock' })).isError, true);
  } finally {
    listener.close();
  }
});

test('fifo: devices behind links are not read', { skip: process.platform === 'win32' && 'no device files' }, async () => {
  const dir = world.puts('devices', { 'a.txt': 'needle\n' });
  for (const device of ['zero', 'random', 'tty', 'stdin', 'full']) world.link(`/dev/${device}`, `devices/${device}`);
  const forms = await openForms({ root: dir });
  for (const device of ['zero', 'random', 'tty', 'stdin', 'full']) {
    assert.equal((await forms.read({ path: device })).isError, true, device);
    assert.equal((await forms.search({ pattern: 'needle', scope: device })).isError, true, device);
  }
  assert.deepEqual(places(await forms.search({ pattern: 'needle' })), ['a.txt:1']);
});

test('fifo: a folder is not a file to read', async () => {
  const answer = await (await onPipe()).read({ path: 'folder' });
  assert.equal(answer.isError, true);
  assert.equal(answer.code, 'not_a_file');
});

test('fifo: loops of links are passed by, and give an error when named', async () => {
  const forms = await onLoop();
  assert.deepEqual(places(await forms.search({ pattern: 'needle' })), ['a/file.txt:1']);
  assert.deepEqual(filesOf(await forms.list({ globs: ['**/file.txt'] })), ['a/file.txt']);
  assert.equal((await forms.read({ path: 'self' })).isError, true);
  assert.equal((await forms.search({ pattern: 'needle', scope: 'self' })).isError, true);
  const inside = await forms.read({ path: 'a/loop/a/loop/a/file.txt' });
  assert.ok(inside.isError || linesOf(inside)[0]?.text === 'needle', inside.text);
});
