import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ToolError } from '#dist/base/errors.js';
import type { Lane } from '#dist/base/lane.js';
import { type Claim, Slots, type Turn } from '#dist/jsonrpc/slots.js';

const open = (maxInFlight: number, maxQueued: number): Slots => new Slots({ maxInFlight, maxQueued, giveWayMs: 50 });
const claim = (lane: Lane, signal = new AbortController().signal, waitMs = 60_000): Claim => ({ lane, signal, waitMs });
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
  const slots = open(2, 10);
  const { started, work, finish } = workshop();
  const results = ['a', 'b', 'c', 'd'].map((name) => slots.run(claim('light'), work(name)));
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
  const slots = open(1, 2);
  const { work, started } = workshop();
  for (const name of ['a', 'b', 'c']) void slots.run(claim('light'), work(name));
  await assert.rejects(slots.run(claim('light'), work('d')), (error) => {
    assert.ok(error instanceof ToolError);
    assert.equal(error.code, 'busy');
    assert.equal(error.message, '1 call of this kind is running and 2 are waiting, which is the limit.');
    return true;
  });
  assert.deepEqual(started, ['a']);
});

test('without a queue the second call is busy', async () => {
  const slots = open(1, 0);
  const { work, finish } = workshop();
  const first = slots.run(claim('light'), work('a'));
  await assert.rejects(slots.run(claim('light'), work('b')), ToolError);
  finish('a');
  await first;
  const third = slots.run(claim('light'), work('c'));
  finish('c');
  assert.equal(await third, 'c');
});

test('an aborted call leaves the queue, never starts, and makes room', async () => {
  const slots = open(1, 1);
  const { started, work, finish } = workshop();
  const controller = new AbortController();
  const first = slots.run(claim('light'), work('a'));
  const aborted = slots.run(claim('light', controller.signal), work('b'));
  const reason = new Error('cancelled');
  controller.abort(reason);
  await assert.rejects(aborted, reason);
  const third = slots.run(claim('light'), work('c'));
  finish('a');
  await first;
  await turn();
  finish('c');
  assert.equal(await third, 'c');
  assert.deepEqual(started, ['a', 'c']);
});

test('a call aborted in the moment in which it gets its slot does not start and passes the slot on', async () => {
  const slots = open(1, 5);
  const { started, work, finish } = workshop();
  const controller = new AbortController();
  const first = slots.run(claim('light'), work('a'));
  const second = assert.rejects(slots.run(claim('light', controller.signal), work('b')), /late/);
  const third = slots.run(claim('light'), work('c'));
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
  const slots = open(1, 0);
  const { work, started, finish } = workshop();
  await assert.rejects(slots.run(claim('light', AbortSignal.abort(new Error('gone'))), work('a')), /gone/);
  const next = slots.run(claim('light'), work('b'));
  finish('b');
  assert.equal(await next, 'b');
  assert.deepEqual(started, ['b']);
});

test('work that throws frees its slot', async () => {
  const slots = open(1, 1);
  await assert.rejects(
    slots.run(claim('light'), () => Promise.reject(new Error('bug'))),
    /bug/,
  );
  await assert.rejects(
    slots.run(claim('light'), () => {
      throw new Error('at once');
    }),
    /at once/,
  );
  assert.equal(await slots.run(claim('light'), () => Promise.resolve(1)), 1);
});

test('a running call keeps its slot when it is aborted, until it returns', async () => {
  const slots = open(1, 1);
  const { started, work, finish } = workshop();
  const controller = new AbortController();
  const first = slots.run(claim('light', controller.signal), work('a'));
  const second = slots.run(claim('light'), work('b'));
  controller.abort();
  await turn();
  assert.deepEqual(started, ['a']);
  finish('a');
  await first;
  await turn();
  finish('b');
  assert.equal(await second, 'b');
});

// --- lanes

test('one slot is for light calls alone, and wide calls hold a quarter and one more', async () => {
  const slots = open(8, 50);
  const { started, work, finish } = workshop();
  for (let n = 0; n < 20; n++) void slots.run(claim('wide'), work(`wide${n}`));
  for (let n = 0; n < 20; n++) void slots.run(claim('narrow'), work(`narrow${n}`));
  assert.deepEqual(
    started,
    ['wide0', 'wide1', 'wide2', 'narrow0', 'narrow1', 'narrow2', 'narrow3'],
    'three wide ones, and all slots but one in all',
  );
  void slots.run(claim('light'), work('light0'));
  void slots.run(claim('light'), work('light1'));
  assert.deepEqual(started.slice(7), ['light0']);
  finish('narrow0');
  await turn();
  assert.deepEqual(started.slice(8), ['light1'], 'one light call runs, and three narrow ones');
});

test('a free slot goes to the lane with the fewest calls running, so that no lane starves', async () => {
  const slots = open(4, 50);
  const { started, work, finish } = workshop();
  for (let n = 0; n < 6; n++) void slots.run(claim('narrow'), work(`narrow${n}`));
  void slots.run(claim('wide'), work('wide0'));
  assert.deepEqual(started, ['narrow0', 'narrow1', 'narrow2']);
  finish('narrow0');
  await turn();
  assert.deepEqual(started.slice(3), ['wide0'], 'though narrow calls came before it');
  finish('wide0');
  await turn();
  assert.deepEqual(started.slice(4), ['narrow3']);
});

test('with a single slot every lane gets its turn', async () => {
  const slots = open(1, 10);
  const { started, work, finish } = workshop();
  for (const lane of ['wide', 'narrow', 'light'] as const) void slots.run(claim(lane), work(lane));
  finish('wide');
  await turn();
  finish('light');
  await turn();
  finish('narrow');
  assert.deepEqual(started, ['wide', 'light', 'narrow']);
});

test('each lane has a queue of its own: many wide calls keep no other out', async () => {
  const slots = open(4, 1);
  const { started, work } = workshop();
  for (let n = 0; n < 3; n++) void slots.run(claim('wide'), work(`wide${n}`));
  await assert.rejects(slots.run(claim('wide'), work('wide3')), /^ToolError: 2 calls of this kind are running and 1 is waiting/);
  void slots.run(claim('narrow'), work('narrow0'));
  void slots.run(claim('light'), work('light0'));
  void slots.run(claim('light'), work('light1'));
  assert.deepEqual(started, ['wide0', 'wide1', 'narrow0', 'light0']);
});

test('a busy answer says after how long to call again, by how long calls took', async () => {
  const slots = open(1, 1);
  await slots.run(claim('wide'), () => new Promise((resolve) => setTimeout(resolve, 1_200)));
  const { work } = workshop();
  for (const name of ['a', 'b']) void slots.run(claim('wide'), work(name));
  await assert.rejects(slots.run(claim('wide'), work('c')), (error) => {
    assert.ok(error instanceof ToolError);
    assert.equal(error.retryAfterMs, 3_000, 'the queue of one, and the call itself, at 1.2 s each');
    assert.match(error.hint, /^Call again in about 3 seconds, or run fewer calls at once\. A search with a scope waits in another queue/);
    return true;
  });
});

test('a call whose time is over while it waits says so, never starts, and makes room', async () => {
  const slots = open(1, 1);
  const { started, work, finish } = workshop();
  const first = slots.run(claim('wide'), work('a'));
  const alive = setTimeout(() => {}, 5_000); // a wait alone keeps no process alive
  await assert.rejects(slots.run(claim('wide', undefined, 30), work('b')), (error) => {
    assert.ok(error instanceof ToolError);
    assert.equal(error.code, 'queue_timed_out');
    assert.match(
      error.message,
      /^The call waited 30 ms, all of its time limit, and was never started, so nothing was searched; 1 call of this kind is running/,
    );
    return true;
  });
  clearTimeout(alive);
  const third = slots.run(claim('wide'), work('c'));
  finish('a');
  await first;
  await turn();
  finish('c');
  await third;
  assert.deepEqual(started, ['a', 'c']);
});

test('a call learns how long it waited, and a wide one whether more of them wait', async () => {
  const slots = open(1, 10);
  const turns: { waitedMs: number; isCrowded: boolean | undefined }[] = [];
  const take = async ({ waitedMs, courtesy }: Turn): Promise<void> => void turns.push({ waitedMs, isCrowded: courtesy?.isCrowded() });
  await slots.run(claim('wide'), take);
  await slots.run(claim('narrow'), take);
  await slots.run(claim('wide'), async (each) => {
    void slots.run(claim('wide'), take);
    await new Promise((resolve) => setTimeout(resolve, 60));
    await take(each);
  });
  await turn();
  assert.deepEqual(
    turns.map(({ isCrowded }) => isCrowded),
    [false, undefined, true, false],
  );
  assert.ok(turns[0]!.waitedMs < 50 && turns[3]!.waitedMs >= 55);
});

test('test runs, which last long, hold up no search', async () => {
  const slots = open(8, 10);
  const { started, work, finish } = workshop();
  const names = ['t1', 't2', 't3', 't4', 'w1', 'n1', 'r1'];
  const results = names.map((name) =>
    slots.run(
      claim(name.startsWith('t') ? 'tests' : name.startsWith('w') ? 'wide' : name.startsWith('n') ? 'narrow' : 'light'),
      work(name),
    ),
  );
  assert.deepEqual(started, names);
  for (const name of names) finish(name);
  assert.deepEqual(await Promise.all(results), names);
});

test('a wide search does not stand back for a test run', async () => {
  const slots = open(8, 10);
  const { work, finish } = workshop();
  const run = slots.run(claim('tests'), work('t'));
  const started = performance.now();
  await slots.run(claim('wide'), async ({ courtesy }) => {
    assert.ok(courtesy);
    for (let i = 0; i < 20; i++) await courtesy.giveWay();
  });
  assert.ok(performance.now() - started < 500, 'twenty times 50 ms would be a second');
  finish('t');
  await run;
});
