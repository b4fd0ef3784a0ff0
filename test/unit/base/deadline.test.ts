import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Deadline } from '#dist/base/deadline.js';

test('a deadline counts down and ends at zero', async () => {
  const deadline = new Deadline(30);
  assert.equal(deadline.limitMs, 30);
  assert.ok(deadline.remainingMs > 0 && deadline.remainingMs <= 30);
  assert.equal(deadline.isOver, false);
  await sleep(40);
  assert.equal(deadline.remainingMs, 0);
  assert.equal(deadline.isOver, true);
});

test('a limit within another ends with it at the latest', () => {
  const outer = new Deadline(1_000);
  assert.equal(outer.within(10).limitMs, 10);
  assert.ok(outer.within(60_000).remainingMs <= 1_000);
});

test('within a limit that is over nothing is left', () => {
  const inner = new Deadline(0).within(5_000);
  assert.equal(inner.isOver, true);
});
