import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Precedence } from '#dist/jsonrpc/precedence.js';

const settled = async (promise: Promise<void>, ms: number): Promise<boolean> =>
  await Promise.race([promise.then(() => true), new Promise<boolean>((resolve) => setTimeout(resolve, ms, false))]);

test('while nothing short runs, long calls take turns, one for each turn of the event loop', async () => {
  const precedence = new Precedence({ giveWayMs: 1_000 });
  const order: string[] = [];
  const long = async (name: string): Promise<void> => {
    for (let piece = 0; piece < 3; piece++) {
      await precedence.giveWay();
      order.push(name);
    }
  };
  let turns = 0;
  const counter = setInterval(() => {}, 1_000);
  const count = (): void => {
    turns++;
    if (order.length < 6) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all([long('a'), long('b')]);
  clearInterval(counter);
  assert.deepEqual(order, ['a', 'b', 'a', 'b', 'a', 'b']);
  assert.ok(turns >= 5, `${turns} turns of the loop for six pieces`);
});

test('a long call stands back until the last short one has ended', async () => {
  const precedence = new Precedence({ giveWayMs: 5_000 });
  precedence.enter();
  precedence.enter();
  const wait = precedence.giveWay();
  assert.equal(await settled(wait, 20), false);
  precedence.leave();
  assert.equal(await settled(wait, 20), false);
  precedence.leave();
  assert.equal(await settled(wait, 1_000), true);
});

test('a long call stands back no longer than giveWayMs, and then goes on for as long', async () => {
  const precedence = new Precedence({ giveWayMs: 60 });
  precedence.enter();
  const started = performance.now();
  await precedence.giveWay();
  const first = performance.now() - started;
  assert.ok(first >= 55, `${first} ms`);
  const resumed = performance.now();
  let pieces = 0;
  while (performance.now() - resumed < 40) {
    await precedence.giveWay();
    pieces++;
  }
  assert.ok(pieces > 1, `${pieces} pieces`);
  await new Promise((resolve) => setTimeout(resolve, 40));
  assert.equal(await settled(precedence.giveWay(), 20), false, 'then it stands back again');
  precedence.leave();
});
