import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { defaultLimits } from '#dist/base/limits.js';
import { encodeFrame, FrameDecoder } from '#dist/jsonrpc/framing.js';
import { chunksOf, type FrameLimits, readChapters, replay } from './chapters.js';

const LIMITS = defaultLimits();
const SEED = 20_261_130;
const RUNS = 10_000;

for (const { title, limits, input, expected } of readChapters()) {
  test(`${title}, in chunks of every width`, () => {
    for (let width = 1; width <= Math.max(input.length, 1); width++) {
      assert.deepEqual(replay(limits, chunksOf(input, width)), expected, `in chunks of ${width}`);
    }
  });
}

test('a frame that is encoded is decoded to the same text in both framings', () => {
  const json = JSON.stringify({ text: 'é漢😀\n\r\n\u2028' });
  for (const framing of ['newline', 'content-length'] as const) {
    const frame = encodeFrame(json, framing);
    const decoder = new FrameDecoder(LIMITS);
    assert.deepEqual(
      decoder.push(Buffer.concat([frame, frame])).map((event) => event.kind === 'frame' && event.body.toString()),
      [json, json],
    );
    assert.equal(decoder.framing, framing);
  }
});

test('an encoded length counts bytes', () => {
  assert.equal(encodeFrame('"漢"', 'content-length').toString(), 'Content-Length: 5\r\n\r\n"漢"');
  assert.equal(encodeFrame('"漢"', 'newline').toString(), '"漢"\n');
});

test('a header block of 9 KB is refused under the default limits', () => {
  const input = Buffer.from(`Content-Length: 2\r\nX-Pad: ${'a'.repeat(9_000)}\r\n\r\n{}`);
  for (const width of [1, 7, 4_096, input.length]) {
    assert.deepEqual(
      replay(LIMITS, chunksOf(input, width)).filter((line) => line.startsWith('f')),
      ['framing content-length', 'fatal A header block exceeds 8192 bytes'],
    );
  }
});

test('a header block just under 8 KiB is accepted', () => {
  const tail = '\r\nContent-Length: 2\r\n\r\n';
  const head = `Content-Type: ${'x'.repeat(LIMITS.maxHeaderBytes - 'Content-Type: '.length - tail.length)}${tail}`;
  assert.equal(head.length, LIMITS.maxHeaderBytes);
  assert.deepEqual(replay(LIMITS, chunksOf(Buffer.from(`${head}{}`), 1)), ['framing content-length', 'frame {}', 'end']);
});

test('a length of 999999999999 allocates nothing and is refused before any body comes', () => {
  const decoder = new FrameDecoder(LIMITS);
  assert.deepEqual(decoder.push(Buffer.from('Content-Length: 999999999999\r\n')), [
    { kind: 'fatal', reason: 'Content-Length exceeds 1048576 bytes' },
  ]);
  assert.equal(decoder.bufferedBytes, 0);
});

test('a length within the limit holds only the bytes that came', () => {
  const decoder = new FrameDecoder(LIMITS);
  decoder.push(Buffer.from('Content-Length: 1048576\r\n\r\n{"a"'));
  assert.equal(decoder.bufferedBytes, 4);
});

/** Time in ms of the quickest of three runs: the others were disturbed. */
function quickest(work: () => void): number {
  const times = [1, 2, 3].map(() => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return Math.min(...times);
}

const DRIPPED: [string, FrameLimits, (bytes: number) => string][] = [
  ['header line', { maxFrameBytes: 64, maxHeaderBytes: 10_000_000 }, (bytes) => `Content-Length: 2\r\nX: ${'a'.repeat(bytes)}\r\n\r\n{}`],
  ['header block of many lines', { maxFrameBytes: 64, maxHeaderBytes: 10_000_000 }, (bytes) => `C: 1\r\n${'A: 1\r\n'.repeat(bytes / 6)}`],
  ['body', { maxFrameBytes: 10_000_000, maxHeaderBytes: 64 }, (bytes) => `Content-Length: ${bytes}\r\n\r\n${'a'.repeat(bytes)}`],
  ['line', { maxFrameBytes: 10_000_000, maxHeaderBytes: 64 }, (bytes) => `${'a'.repeat(bytes)}\n`],
];

for (const [name, limits, inputOf] of DRIPPED) {
  test(`a ${name} that drips in byte by byte takes time in proportion to its length`, () => {
    const [small, large] = [100_000, 800_000].map((bytes) => {
      const input = Buffer.from(inputOf(bytes));
      return quickest(() => void replay(limits, chunksOf(input, 1)));
    });
    assert.ok(large! < 30 * small! + 50, `8 times the bytes took ${(large! / small!).toFixed(1)} times the time`); // quadratic: 64
  });
}

test('a line that drips in byte by byte does not cost an object per byte', () => {
  const decoder = new FrameDecoder(LIMITS);
  const byte = Buffer.from('a');
  const before = process.memoryUsage();
  for (let sent = 0; sent < LIMITS.maxFrameBytes; sent++) decoder.push(byte);
  const after = process.memoryUsage();
  assert.equal(decoder.bufferedBytes, LIMITS.maxFrameBytes);
  const grown = after.external - before.external;
  assert.ok(grown < 2 * LIMITS.maxFrameBytes, `${grown} bytes outside the heap`);
});

// ---- properties

const SMALL: FrameLimits = { maxFrameBytes: 48, maxHeaderBytes: 96 };

/** Cuts bytes at positions that are given as fractions, so that they shrink with the input. */
function split(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...new Set([0, ...cuts.map((cut) => Math.floor(cut * bytes.length)), bytes.length])].sort((a, b) => a - b);
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), { maxLength: 12 });
const json = fc
  .record({ id: fc.integer({ min: 0, max: 99 }), m: fc.string({ unit: 'grapheme', maxLength: 6 }) })
  .map((value) => JSON.stringify(value));
const lineEnd = fc.constantFrom('\n', '\r\n', '\n\n', '\n \t\r\n');
const newlineFrames = fc.array(fc.tuple(json, lineEnd), { minLength: 1, maxLength: 6 });

test(`any split of newline frames yields the same frames (seed ${SEED})`, () => {
  fc.assert(
    fc.property(newlineFrames, cuts, (frames, at) => {
      const limits = { maxFrameBytes: 400, maxHeaderBytes: 96 };
      const input = Buffer.from(frames.map(([body, end]) => body + end).join(''));
      const whole = replay(limits, [input]);
      const bodies = new FrameDecoder(limits).push(input).map((event) => event.kind === 'frame' && event.body.toString());
      assert.deepEqual(
        bodies,
        frames.map(([body]) => body),
      );
      assert.deepEqual(replay(limits, split(input, at)), whole);
    }),
    { seed: SEED, numRuns: RUNS },
  );
});

const eol = fc.constantFrom('\r\n', '\n');
const contentLengthFrames = fc.array(
  fc.tuple(
    json,
    fc.constantFrom('Content-Length: ', 'content-length:', 'CONTENT-LENGTH: \t'),
    fc.constantFrom('', 'Content-Type: application/vscode-jsonrpc; charset=utf-8', 'X-Trace: a:b'),
    eol,
    fc.constantFrom('', '\n', '\r\n\r\n'),
  ),
  { minLength: 1, maxLength: 6 },
);

test(`any split of Content-Length frames yields the same frames (seed ${SEED})`, () => {
  fc.assert(
    fc.property(contentLengthFrames, cuts, (frames, at) => {
      const limits = { maxFrameBytes: 400, maxHeaderBytes: 200 };
      const texts = frames.map(([body, name, extra, end, stray]) => {
        return `${name}${Buffer.byteLength(body)}${end}${extra === '' ? '' : extra + end}${end}${body}${stray}`;
      });
      const input = Buffer.from(texts.join(''));
      const whole = replay(limits, [input]);
      const bodies = new FrameDecoder(limits).push(input).map((event) => event.kind === 'frame' && event.body.toString());
      assert.deepEqual(
        bodies,
        frames.map(([body]) => body),
      );
      assert.deepEqual(replay(limits, split(input, at)), whole);
    }),
    { seed: SEED, numRuns: RUNS },
  );
});

/** Bytes that come near to both framings, which uniform bytes hardly ever do. */
const fragment = fc.oneof(
  fc.constantFrom('Content-Length: 2\r\n\r\n{}', 'content-length:8\n\n{"id":1}', 'Content-Length: 0\r\n\r\n', '{"id":1}\n', '[]\r\n'),
  fc.constantFrom('Content-Length: ', 'Content-Type: a; charset=', 'utf-8', '\r', '\n', '\r\n', '\r\n\r\n', ' ', ':'),
  fc.constantFrom('2', '48', '49', '-5', '999999999999', '{}', '"', 'C', '\\', 'a'.repeat(30), '\uFEFF'),
  fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes)),
);
const hostile = fc
  .tuple(
    fc.constantFrom('', 'C', Buffer.from([0xef]), '\uFEFF', 'Content-Length: 2\r\n\r\n{}'),
    fc.array(fragment, { maxLength: 24, size: 'max' }),
  )
  .map(([opening, parts]) => Buffer.concat([opening, ...parts].map((part) => Buffer.from(part as string))));

test(`arbitrary bytes never throw, give the same events however they are split and stay within the limit (seed ${SEED})`, () => {
  fc.assert(
    fc.property(hostile, cuts, (input, at) => {
      const pieces = split(input, at);
      assert.deepEqual(replay(SMALL, pieces), replay(SMALL, [input]));
      assert.deepEqual(replay(SMALL, chunksOf(input, 1)), replay(SMALL, [input]));
      const decoder = new FrameDecoder(SMALL);
      for (const piece of pieces) {
        decoder.push(piece);
        // One byte more than a line may have: it is a carriage return whose newline has not come yet.
        const limit = decoder.framing === 'content-length' ? Math.max(SMALL.maxFrameBytes, SMALL.maxHeaderBytes) : SMALL.maxFrameBytes + 1;
        assert.ok(decoder.bufferedBytes <= limit, `${decoder.bufferedBytes} bytes held`);
      }
      decoder.end();
      assert.deepEqual(decoder.push(Buffer.from('\n{}\n')), [], 'nothing is accepted after the end');
    }),
    { seed: SEED, numRuns: 2 * RUNS },
  );
});
