import assert from 'node:assert/strict';
import { test } from 'node:test';
import { distinctiveWords } from '#dist/chunks/distinctive.js';

const lines = Array.from(
  { length: 200 },
  (_, n) => `request number ${n} served${n === 150 ? ' ECONNREFUSED' : ''}${n % 50 === 3 ? ' walletService' : ''}`,
);

test('trouble and names come first; what stands everywhere, ids and stop words do not come', () => {
  const words = distinctiveWords([...lines, 'deadbeef01234567 deadbeef01234567', 'which would', 'which would']);
  assert.equal(words[0], 'ECONNREFUSED');
  assert.ok(words.includes('walletService'));
  for (const word of ['request', 'served', 'which', 'deadbeef01234567']) assert.ok(!words.includes(word), word);
});

test('a short text gets few words, and no text more than twenty', () => {
  assert.ok(distinctiveWords(['timeoutError failedError crashError']).length <= 1);
  const many = Array.from({ length: 3_000 }, (_, n) => `alpha${String.fromCharCode(97 + Math.floor(n / 116)).repeat(3)} beta`);
  assert.equal(distinctiveWords(many).length, 20);
});
