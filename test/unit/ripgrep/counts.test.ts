import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CountDecoder } from '#dist/ripgrep/counts.js';

function decode(chunks: readonly Buffer[]): { counts: [string, number][]; isReadable: boolean } {
  const counts: [string, number][] = [];
  const decoder = new CountDecoder((path, count) => counts.push([path, count]));
  return { isReadable: chunks.every((chunk) => decoder.push(chunk)), counts };
}

const RECORDS = Buffer.concat([
  Buffer.from('./a.txt\x002\n./b/c.txt\x00123456789\r\n./two\nlines\x007\r\nbare\x001\n./\u00e9\x003\n./bad'),
  Buffer.from([0xff, 0x00]),
  Buffer.from('4\n./cut\x00'),
]);
const EXPECTED: [string, number][] = [
  ['a.txt', 2],
  ['b/c.txt', 123_456_789],
  ['two\nlines', 7],
  ['bare', 1],
  ['\u00e9', 3],
  ['bad\udcff', 4],
];

test('counts come out whole however the bytes are cut', () => {
  for (let width = 1; width <= RECORDS.length; width++) {
    const chunks: Buffer[] = [];
    for (let at = 0; at < RECORDS.length; at += width) chunks.push(RECORDS.subarray(at, at + width));
    assert.deepEqual(decode(chunks), { counts: EXPECTED, isReadable: true }, `width ${width}`);
  }
});

test('what is no count is told', () => {
  assert.equal(decode([Buffer.from('a\x00x\n')]).isReadable, false);
  assert.equal(decode([Buffer.from('a\x00\n')]).isReadable, false);
  assert.equal(decode([Buffer.alloc(70_000, 'a')]).isReadable, false);
});
