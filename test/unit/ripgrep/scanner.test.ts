import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MatchScanner } from '#dist/ripgrep/scanner.js';

const SEED = 20_261_130;
const OPTIONS = { maxEventBytes: 400, maxSubmatches: 100 };

/** What a scanner reports for these chunks. */
function scan(...chunks: Buffer[]): string[] {
  const told: string[] = [];
  const scanner = new MatchScanner(
    {
      begin: (path) => told.push(`begin ${path}`),
      line: (line, text) => told.push(`${line} ${text}`),
      tooLong: () => told.push('too long'),
      binary: () => told.push('binary'),
      end: (bytes) => told.push(`end ${bytes}`),
      summary: (files, bytes) => told.push(`summary ${files} ${bytes}`),
    },
    OPTIONS,
  );
  for (const chunk of chunks) scanner.push(chunk);
  return told;
}

const begin = (path: string): string => JSON.stringify({ type: 'begin', data: { path: { text: `./${path}` } } });
const match = (path: string, line: number, lines: object): string =>
  JSON.stringify({ type: 'match', data: { path: { text: `./${path}` }, lines, line_number: line, absolute_offset: 0, submatches: [] } });
const end = (path: string): string =>
  JSON.stringify({ type: 'end', data: { path: { text: `./${path}` }, binary_offset: null, stats: { searches: 1, bytes_searched: 9 } } });
const summary = JSON.stringify({ data: { stats: { searches: 2, bytes_searched: 18 } }, type: 'summary' });
const stream = (...lines: string[]): Buffer => Buffer.from(lines.map((line) => `${line}\n`).join(''));

test('files, lines, ends and the summary are reported, with the text as JSON escapes it', () => {
  const told = scan(
    stream(
      begin('a'),
      match('a', 3, { text: 'x\t"é"\n' }),
      end('a'),
      begin('long/b'),
      match('long/b', 12, { text: 'y\n' }),
      end('long/b'),
      summary,
    ),
  );
  assert.deepEqual(told, ['begin a', '3 x\\t\\"é\\"\\n', 'end 9', 'begin long/b', '12 y\\n', 'end 9', 'summary 2 18']);
});

test('a line that is no UTF-8 is reported with replacement characters', () => {
  assert.deepEqual(scan(stream(begin('a'), match('a', 1, { bytes: Buffer.from([0x61, 0xff]).toString('base64') }))), [
    'begin a',
    '1 a\ufffd',
  ]);
});

test('a path that looks like the text does not deceive', () => {
  const path = 'a"lines":{"text":"b';
  assert.deepEqual(scan(stream(begin(path), match(path, 1, { text: 'x' }))), [`begin ${path}`, '1 x']);
});

test(`any split of the bytes gives the same report, also around lines that are too long (seed ${SEED})`, () => {
  const line = fc
    .tuple(fc.nat(99), fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom('é😀"\\\n', 'z'.repeat(900))))
    .map(([number, text]) => match('a', number, { text }));
  const events = fc.array(fc.oneof(line, fc.constant(begin('a')), fc.constant(end('a')), fc.constant(summary)), { maxLength: 8 });
  fc.assert(
    fc.property(events, fc.array(fc.nat(4_000), { maxLength: 10 }), (lines, cuts) => {
      const data = stream(begin('a'), ...lines);
      const places = [...new Set([0, ...cuts.map((cut) => cut % (data.length + 1)), data.length])].sort((a, b) => a - b);
      const chunks = places.slice(1).map((place, index) => data.subarray(places[index], place));
      assert.deepEqual(scan(...chunks), scan(data));
    }),
    { seed: SEED, numRuns: 10_000 },
  );
});

test('a matched line that is too long is told once, however its bytes come; what follows is not lost', () => {
  const bytes = stream(begin('a'), match('a', 1, { text: `${'x'.repeat(2_000)}\n` }), match('a', 2, { text: 'y\n' }), end('a'));
  for (const size of [1, 7, 300, 5_000]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
    assert.deepEqual(scan(...chunks), ['begin a', 'too long', '2 y\\n', 'end 9'], `${size}`);
  }
});

test('a file that was searched only up to a NUL byte is told of before its end, whatever its name is', () => {
  const cut = (path: string): string => end(path).replace('"binary_offset":null', '"binary_offset":7');
  const name = 'a "binary_offset":null';
  assert.deepEqual(scan(stream(begin('a'), cut('a'), begin('b'), end('b'))), ['begin a', 'binary', 'end 9', 'begin b', 'end 9']);
  assert.ok(scan(stream(begin(name), cut(name))).includes('binary'));
});
