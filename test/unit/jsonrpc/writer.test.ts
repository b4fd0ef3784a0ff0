import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { Writer } from '#dist/jsonrpc/writer.js';

/** A client that takes one write at a time, when the test lets it. */
function slowClient(maxUnsentBytes: number) {
  const taken: string[] = [];
  const events: string[] = [];
  let release: (() => void) | undefined;
  const output = new Writable({
    highWaterMark: 10,
    write(chunk: Buffer, _encoding, done) {
      taken.push(chunk.toString());
      release = done;
    },
  });
  const writer = new Writer(
    output,
    { maxUnsentBytes, flushMs: 5_000 },
    { onFull: () => events.push('full'), onDrain: () => events.push('drain'), onClosed: () => events.push('closed') },
  );
  const take = async (): Promise<void> => {
    release!();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { writer, output, taken, events, take, send: (text: string) => writer.send(Buffer.from(text)) };
}

test('frames go out at once as long as the output takes them', async () => {
  const client = slowClient(100);
  client.send('a');
  assert.deepEqual(client.taken, ['a']);
  assert.equal(client.writer.isBlocked, false);
  await client.take();
  client.send('b');
  assert.deepEqual(client.taken, ['a', 'b']);
  assert.deepEqual(client.events, []);
});

test('frames that wait for a blocked output are packed into one write and keep their order', async () => {
  const client = slowClient(1_000_000);
  client.send('0,1,2,3,4,5,');
  assert.equal(client.writer.isBlocked, true);
  const late = Array.from({ length: 10_000 }, (_, index) => `${index + 6},`);
  for (const frame of late) client.send(frame);
  await client.take();
  assert.deepEqual(client.taken, ['0,1,2,3,4,5,', late.join('')]);
  assert.equal(client.writer.isBlocked, true);
  client.send('end');
  await client.take();
  assert.equal(client.taken[2], 'end');
  assert.deepEqual(client.events, ['drain']);
});

test('tells that too much is unsent, counting the packed frames, and tells when nothing waits any more', async () => {
  const client = slowClient(30);
  client.send('x'.repeat(20));
  client.send('y'.repeat(10));
  assert.deepEqual(client.events, []);
  client.send('z');
  assert.deepEqual(client.events, ['full']);
  await client.take();
  assert.deepEqual(client.events, ['full'], 'the packed frames are still on their way');
  await client.take();
  assert.deepEqual(client.events, ['full', 'drain']);
});

test('flush waits for the packed frames, too', async () => {
  const client = slowClient(1_000);
  client.send('x'.repeat(20));
  client.send('y');
  let isFlushed = false;
  const flushed = client.writer.flush().then(() => {
    isFlushed = true;
  });
  await client.take();
  assert.equal(isFlushed, false);
  await client.take();
  await flushed;
  assert.deepEqual(client.taken, ['x'.repeat(20), 'y']);
});

test('flush has nothing to wait for when nothing was sent', async () => {
  await slowClient(10).writer.flush();
});

test('an output that breaks is told once, ends a flush and forgets what waits', async () => {
  const client = slowClient(1_000);
  client.send('x'.repeat(20));
  client.send('y');
  const flushed = client.writer.flush();
  client.output.destroy(new Error('EPIPE'));
  await flushed;
  client.send('z');
  client.output.emit('error', new Error('late'));
  client.output.emit('drain');
  assert.deepEqual(client.events, ['closed']);
  assert.deepEqual(client.taken, ['x'.repeat(20)]);
  assert.equal(client.writer.isBlocked, true);
});
