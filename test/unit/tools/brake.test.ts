import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultLimits } from '#dist/base/limits.js';
import { Brake } from '#dist/tools/brake.js';

test('five calls are free, five get one result a query, then one; two minutes later all is as before', () => {
  const brake = new Brake(defaultLimits());
  const given = Array.from({ length: 12 }, (_, n) => brake.take(n * 1_000));
  assert.deepEqual(given, [...Array(5).fill('all'), ...Array(5).fill('one a query'), 'one', 'one']);
  assert.equal(brake.take(11_000 + 120_000), 'all');
});

test('calls leave the count one by one, and a time of 0 lifts the brakes', () => {
  const brake = new Brake(defaultLimits());
  for (let n = 0; n < 30; n++) assert.equal(brake.take(n * 25_000), 'all');
  const free = new Brake({ ...defaultLimits(), brakeMs: 0 });
  for (let n = 0; n < 30; n++) assert.equal(free.take(0), 'all');
});
