import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ToolError } from '#dist/base/errors.js';
import { Slots } from '#dist/jsonrpc/slots.js';

const never = new AbortController().signal;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Work that starts by adding its name to `started` and ends when told. */
function workshop() {
  const started: string[] = [];
  const finish = new Map<string, () => void>();
  const work = (name: string) => (): Promise<string> => {
    started.push(name);
    return new Promise((resolve) => finish.set(name, () => resolve(name)));
  };
  return { started, work, finish: (name: string) => finish.get(name)!() };
}

test('runs up to maxInFlight at once and the rest in order of arrival', async () => {
  const slots = new Slots({ maxInFlight: 2, maxQueued: 10 });
  const { started, work, finish } = workshop();
  const results = ['a', 'b', 'c', 'd'].map((name) => slots.run(never, work(name)));
  assert.deepEqual(started, ['a', 'b'], 'free slots are taken without delay');
  finish('b');
  await turn();
  assert.deepEqual(started, ['a', 'b', 'c']);
  finish('a');
  await turn();
  assert.deepEqual(started, ['a', 'b', 'c', 'd']);
  finish('d');
  finish('c');
  assert.deepEqual(await Promise.all(results), ['a', 'b', 'c', 'd']);
});

test('a call over the queue is refused as busy, with both numbers', async () => {
  const slots = new Slots({ maxInFlight: 1, maxQueued: 2 });
  const { work, started } = workshop();
  for (const name of ['a', 'b', 'c']) void slots.run(never, work(name));
  await assert.rejects(slots.run(never, work('d')), (error) => {
    assert.ok(error instanceof ToolError);
    assert.equal(error.code, 'busy');
    assert.equal(error.message, '1 calls are running and 2 are waiting, which is the limit.');
    return true;
  });
  assert.deepEqual(started, ['a']);
});

test('without a queue the second call is busy', async () => {
  const slots = new Slots({ maxInFlight: 1, maxQueued: 0 });
  const { work, finish } = workshop();
  const first = slots.run(never, work('a'));
  await assert.rejects(slots.run(never, work('b')), ToolError);
  finish('a');
  await first;
  const third = slots.run(never, work('c'));
  finish('c');
  assert.equal(await third, 'c');
});

test('an aborted call leaves the queue, never starts, and makes room', async () => {
  const slots = new Slots({ maxInFlight: 1, maxQueued: 1 });
  const { started, work, finish } = workshop();
  const controller = new AbortController();
  const first = slots.run(never, work('a'));
  const aborted = slots.run(controller.signal, work('b'));
  const reason = new Error('cancelled');
  controller.abort(reason);
  await assert.rejects(aborted, reason);
  const third = slots.run(never, work('c'));
  finish('a');
  await first;
  await turn();
  finish('c');
  assert.equal(await third, 'c');
  assert.deepEqual(started, ['a', 'c']);
});

test('a call aborted in the moment in which it gets its slot does not start and passes the slot on', async () => {
  const slots = new Slots({ maxInFlight: 1, maxQueued: 5 });
  const { started, work, finish } = workshop();
  const controller = new AbortController();
  const first = slots.run(never, work('a'));
  const second = assert.rejects(slots.run(controller.signal, work('b')), /late/);
  const third = slots.run(never, work('c'));
  finish('a');
  queueMicrotask(() => controller.abort(new Error('late'))); // runs after the slot is handed over, before the work starts
  await first;
  await second;
  await turn();
  assert.deepEqual(started, ['a', 'c']);
  finish('c');
  await third;
});

test('a signal that is aborted already starts nothing and takes no slot', async () => {
  const slots = new Slots({ maxInFlight: 1, maxQueued: 0 });
  const { work, started, finish } = workshop();
  await assert.rejects(slots.run(AbortSignal.abort(new Error('gone')), work('a')), /gone/);
  const next = slots.run(never, work('b'));
  finish('b');
  assert.equal(await next, 'b');
  assert.deepEqual(started, ['b']);
});

test('work that throws frees its slot', async () => {
  const slots = new Slots({ maxInFlight: 1, maxQueued: 1 });
  await assert.rejects(
    slots.run(never, () => Promise.reject(new Error('bug'))),
    /bug/,
  );
  await assert.rejects(
    slots.run(never, () => {
      throw new Error('at once');
    }),
    /at once/,
  );
  assert.equal(await slots.run(never, () => Promise.resolve(1)), 1);
});

test('a running call keeps its slot when it is aborted, until it returns', async () => {
  const slots = new Slots({ maxInFlight: 1, maxQueued: 1 });
  const { started, work, finish } = workshop();
  const controller = new AbortController();
  const first = slots.run(controller.signal, work('a'));
  const second = slots.run(never, work('b'));
  controller.abort();
  await turn();
  assert.deepEqual(started, ['a']);
  finish('a');
  await first;
  await turn();
  finish('b');
  assert.equal(await second, 'b');
});
