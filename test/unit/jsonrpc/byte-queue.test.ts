import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteQueue } from '#dist/jsonrpc/byte-queue.js';

test('hands out what was added, in order, across the borders of its blocks', () => {
  const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251));
  for (const width of [1, 3, 65_535, 65_536, 65_537, 200_000]) {
    const queue = new ByteQueue();
    for (let at = 0; at < bytes.length; at += width) {
      queue.add(bytes.subarray(at, at + width));
      assert.equal(queue.last, bytes[Math.min(at + width, bytes.length) - 1]);
    }
    assert.equal(queue.length, bytes.length);
    assert.ok(queue.take().equals(bytes), `in chunks of ${width}`);
    assert.equal(queue.length, 0);
  }
});

test('what was handed out does not change when the queue is used again', () => {
  const queue = new ByteQueue();
  queue.add(Buffer.from('first'));
  const first = queue.take();
  queue.add(Buffer.from('other'));
  assert.equal(first.toString(), 'first');
  assert.equal(queue.take().toString(), 'other');
});

test('an empty queue has no last byte', () => {
  const queue = new ByteQueue();
  assert.equal(queue.last, undefined);
  queue.add(Buffer.from('a'));
  queue.clear();
  assert.equal(queue.last, undefined);
  assert.equal(queue.take().length, 0);
});
