import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallAborted, CallTable } from '#dist/jsonrpc/calls.js';

const accept = (): boolean => true;
const ping = { id: 1, method: 'ping' };

test('the first of reply and abort ends a call, and frees its id', async () => {
  const table = new CallTable();
  const replied = table.tryOpen(ping, accept)!;
  assert.equal(table.tryOpen(ping, accept), undefined);
  replied.finish('reply');
  replied.abort('too late');
  const aborted = table.tryOpen(ping, accept)!;
  aborted.abort('cancelled');
  aborted.finish('too late');
  assert.deepEqual(await Promise.all([replied.outcome, aborted.outcome]), ['reply', undefined]);
  assert.equal(replied.signal.aborted, false);
  assert.equal(table.find(1), undefined);
});

test('the end of an aborted call does not free the id of the next call', () => {
  const table = new CallTable();
  const first = table.tryOpen(ping, accept)!;
  first.abort('cancelled');
  const second = table.tryOpen(ping, accept)!;
  first.finish('late');
  assert.equal(table.find(1), second);
});

test('a signal that is asked for only after the abort is aborted, with the reason', () => {
  const call = new CallTable().tryOpen(ping, accept)!;
  call.abort('cancelled');
  assert.ok(call.signal.reason instanceof CallAborted);
  assert.equal(call.signal.reason.message, 'cancelled');
});

test('an abort listener can neither reply nor notify', async () => {
  const call = new CallTable().tryOpen(ping, accept)!;
  let wasNotified: boolean | undefined;
  call.signal.addEventListener('abort', () => {
    wasNotified = call.notify('n', {});
    call.finish('reply');
  });
  call.abort('cancelled');
  assert.equal(wasNotified, false);
  assert.equal(await call.outcome, undefined);
});

test('a call that is aborted with a reply ends with it', async () => {
  const table = new CallTable();
  const calls = [1, '1', 2].map((id) => table.tryOpen({ id, method: 'm' }, accept)!);
  assert.deepEqual(table.open, calls);
  for (const call of table.open) call.abort('stopping', 'refused');
  assert.ok(calls.every((call) => call.isOver && call.signal.aborted));
  assert.deepEqual(await Promise.all(calls.map((call) => call.outcome)), ['refused', 'refused', 'refused']);
  assert.deepEqual(table.open, []);
});
