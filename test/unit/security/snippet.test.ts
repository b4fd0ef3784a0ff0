import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Deadline } from '#dist/base/deadline.js';
import { Root } from '#dist/security/root.js';
import { type RangeRequest, readBytes, readRange, type Snippet } from '#dist/security/snippet.js';
import { makePlace } from './place.js';

const SEED = 20_261_130;
/** The size in which a file is read; cases lie around its borders. */
const CHUNK = 65_536;
const BOM = { utf8: [0xef, 0xbb, 0xbf], utf16le: [0xff, 0xfe], utf16be: [0xfe, 0xff] } as const;
type Encoding = keyof typeof BOM;

const place = makePlace();
const root = await Root.open(place.path, { allowSecrets: false });
const never = new AbortController().signal;
const unhurried = { signal: never, deadline: new Deadline(60_000) };
let serial = 0;

const ALL: RangeRequest = { startLine: 1, endLine: 1_000_000_000, startColumn: 1, maxChars: 1_000_000_000, countLinesBytes: 1_000_000_000 };

async function readFile(data: string | Buffer, request: Partial<RangeRequest> = {}, signal = never): Promise<Snippet> {
  const name = `file-${++serial}`;
  place.put(name, data);
  return readRange(root, await root.resolve(name), { ...ALL, ...request }, { signal, deadline: new Deadline(60_000) });
}

const shown = (snippet: Snippet): string[] => snippet.lines.map(({ line, text, isCut }) => `${line}:${text}${isCut ? '…' : ''}`);

function encode(text: string, encoding: Encoding): Buffer {
  const body = encoding === 'utf8' ? Buffer.from(text) : Buffer.from(text, 'utf16le');
  return Buffer.concat([Buffer.from(BOM[encoding]), encoding === 'utf16be' ? body.swap16() : body]);
}

const ranges: [title: string, data: string, request: Partial<RangeRequest>, lines: string[], total: number][] = [
  ['a whole file', 'a\nb\nc\n', {}, ['1:a', '2:b', '3:c'], 3],
  ['a range', 'a\nb\nc\nd\n', { startLine: 2, endLine: 3 }, ['2:b', '3:c'], 4],
  ['one line', 'a\nb\nc\n', { startLine: 3, endLine: 3 }, ['3:c'], 3],
  ['a range that goes past the end', 'a\nb\n', { startLine: 2, endLine: 99 }, ['2:b'], 2],
  ['a range past the end', 'a\nb\n', { startLine: 3, endLine: 9 }, [], 2],
  ['a last line without a line end', 'a\nb', {}, ['1:a', '2:b'], 2],
  ['a file of one line without a line end', 'a', {}, ['1:a'], 1],
  ['an empty file', '', {}, [], 0],
  ['a file of one empty line', '\n', {}, ['1:'], 1],
  ['empty lines', '\n\na\n\n', {}, ['1:', '2:', '3:a', '4:'], 4],
  ['CR LF', 'a\r\nb\r\n', {}, ['1:a', '2:b'], 2],
  ['mixed line ends', 'a\r\nb\nc\r\n', {}, ['1:a', '2:b', '3:c'], 3],
  ['a lone CR, which ends no line', 'a\rb\nc\n', {}, ['1:a\rb', '2:c'], 2],
  ['two CR before a LF, of which one belongs to the line', 'a\r\r\nb\n', {}, ['1:a\r', '2:b'], 2],
  ['other line separators, which end no line', 'a\u2028b\u0085c\fd\n', {}, ['1:a\u2028b\u0085c\fd'], 1],
  ['a column', 'abcdef\nxyz\n', { startColumn: 4 }, ['1:def', '2:xyz'], 2],
  ['a column of a later line', 'abc\ndefgh\nxyz\n', { startLine: 2, startColumn: 3 }, ['2:fgh', '3:xyz'], 3],
  ['a column just past the line', 'abc\nx\n', { startColumn: 4 }, ['1:', '2:x'], 2],
  ['a column far past the line', 'abc\nx\n', { startColumn: 400 }, ['1:', '2:x'], 2],
  ['a wide character counts in UTF-16 units', '😀漢a\n', { startColumn: 3 }, ['1:漢a'], 1],
  ['room that the first line uses up exactly', 'abcde\nf\n', { maxChars: 5 }, ['1:abcde'], 2],
  ['room for the first line and its line end', 'abcde\nf\n', { maxChars: 6 }, ['1:abcde'], 2],
  ['room for a line and a character', 'abcde\nfg\nh\n', { maxChars: 7 }, ['1:abcde', '2:f…'], 3],
  ['room that ends within the first line', 'abcdef\ng\n', { maxChars: 3 }, ['1:abc…'], 2],
  ['room that ends within the last line, without a line end', 'abcdef', { maxChars: 3 }, ['1:abc…'], 1],
  ['room from a column on', 'abcdef\ng\n', { startColumn: 3, maxChars: 3 }, ['1:cde…'], 2],
  ['room that the rest of a line uses up exactly', 'abcdef\ng\n', { startColumn: 3, maxChars: 4 }, ['1:cdef'], 2],
  ['room that a line with CR LF uses up exactly', 'abcde\r\nf\n', { maxChars: 5 }, ['1:abcde'], 2],
];
for (const [title, data, request, lines, total] of ranges) {
  test(`reads ${title}`, async () => {
    const snippet = await readFile(data, request);
    assert.deepEqual(shown(snippet), lines);
    assert.equal(snippet.totalLines, total);
    assert.equal(snippet.size, Buffer.byteLength(data));
    assert.equal(snippet.hasNul, false);
  });
}

test('the length of a whole line is told, also from a column on', async () => {
  const { lines } = await readFile('abc😀\nx\n', { startColumn: 2 });
  assert.deepEqual(
    lines.map(({ length }) => length),
    [5, 1],
  );
});

test('a cut never splits a surrogate pair', async () => {
  for (const encoding of ['utf8', 'utf16le'] as const) {
    const { lines } = await readFile(encode('ab😀cd\n', encoding), { maxChars: 3 });
    assert.deepEqual([lines[0]?.text, lines[0]?.isCut], ['ab', true]);
  }
});

test('a long line is read in windows that join without a gap', async () => {
  const line = Array.from({ length: 40_000 }, (_, i) => String.fromCodePoint(0x61 + (i % 26))).join('');
  place.put('long', `head\n${line}\ntail\n`);
  const file = await root.resolve('long');
  let text = '';
  for (;;) {
    const [part] = (
      await readRange(root, file, { ...ALL, startLine: 2, endLine: 2, startColumn: text.length + 1, maxChars: 9_500 }, unhurried)
    ).lines;
    text += part?.text;
    if (part?.isCut !== true) break;
  }
  assert.equal(text, line);
});

// Encodings.
for (const encoding of ['utf8', 'utf16le', 'utf16be'] as const) {
  test(`a byte order mark of ${encoding} is followed and not shown`, async () => {
    assert.deepEqual(shown(await readFile(encode('é漢😀\r\nb\n', encoding))), ['1:é漢😀', '2:b']);
    assert.deepEqual(shown(await readFile(encode('', encoding))), []);
    assert.deepEqual(shown(await readFile(encode('a\nb\nc\n', encoding), { startLine: 2, endLine: 2 })), ['2:b']);
  });

  test(`characters of ${encoding} that lie across the borders of chunks stay whole`, async () => {
    for (let pad = 0; pad < 5; pad++) {
      const first = 'x'.repeat(pad) + '😀漢é'.repeat(Math.ceil(CHUNK / 4));
      const snippet = await readFile(encode(`${first}\nsecond\n`, encoding));
      assert.equal(snippet.lines[0]?.text, first);
      assert.deepEqual([snippet.lines[1]?.text, snippet.totalLines], ['second', 2]);
    }
  });

  test(`lines of a ${encoding} file of several chunks are counted and found`, async () => {
    const lines = Array.from({ length: 30_000 }, (_, i) => `${i % 7 === 0 ? '' : 'é'.repeat(i % 7)}${i}`);
    const data = encode(`${lines.join('\n')}\n`, encoding);
    assert.ok(data.length > 2 * CHUNK);
    const snippet = await readFile(data, { startLine: 15_000, endLine: 15_001 });
    assert.deepEqual(shown(snippet), [`15000:${lines[14_999]}`, `15001:${lines[15_000]}`]);
    assert.equal(snippet.totalLines, 30_000);
    assert.deepEqual(shown(await readFile(data, { startLine: 30_000 })), [`30000:${lines[29_999]}`]);
    assert.deepEqual(shown(await readFile(data, { startLine: 30_001 })), []);
  });
}

test('an odd byte at the end of a UTF-16 file is dropped', async () => {
  for (const encoding of ['utf16le', 'utf16be'] as const) {
    assert.deepEqual(shown(await readFile(Buffer.concat([encode('ab', encoding), Buffer.from([0x61])]))), ['1:ab']);
  }
});

test('in UTF-16 only the character U+000A ends a line', async () => {
  assert.deepEqual(shown(await readFile(encode('\u0a0a\u0a61\u610a\nb', 'utf16le'))), ['1:\u0a0a\u0a61\u610a', '2:b']);
});

test('bytes that are no UTF-8 become replacement characters', async () => {
  assert.deepEqual(shown(await readFile(Buffer.from([0x61, 0xe9, 0x62, 0x0a, 0x63]))), ['1:a\ufffdb', '2:c']);
});

test('a wide character across the border of a chunk, behind the last line shown, does not change the count of lines', async () => {
  for (const before of [CHUNK - 1, CHUNK - 2]) {
    const data = `a\n${'x'.repeat(before - 2)}漢\nlast\n`;
    const snippet = await readFile(data, { endLine: 1 });
    assert.deepEqual([shown(snippet), snippet.totalLines], [['1:a'], 3]);
  }
});

test('a line end that is the last or the first byte of a chunk is counted once', async () => {
  for (const width of [CHUNK - 2, CHUNK - 1, CHUNK, CHUNK + 1]) {
    for (const startLine of [1, 2, 3]) {
      const snippet = await readFile(`${'x'.repeat(width)}\nsecond\nthird`, { startLine });
      assert.equal(snippet.totalLines, 3);
      assert.equal(snippet.lines.at(-1)?.text, 'third');
      assert.equal(snippet.lines.length, 4 - startLine);
    }
  }
});

// Binary.
const noise = Buffer.from(Array.from({ length: 2_000 }, (_, i) => (i * 7) % 32));
const binaries: [title: string, data: Buffer][] = [
  ['a program', Buffer.concat([Buffer.from('\x7fELF'), noise])],
  ['UTF-16 without a byte order mark', Buffer.from('plain text\n', 'utf16le')],
  ['NUL bytes alone', Buffer.alloc(10)],
];
for (const [title, data] of binaries) {
  test(`refuses ${title} as binary, and says where the first NUL is`, async () => {
    await assert.rejects(readFile(data), { code: 'file_binary', message: new RegExp(`NUL byte at offset ${data.indexOf(0)}`) });
  });
}

test('control characters alone do not make a file binary', async () => {
  assert.equal((await readFile('\u001b[31m\u001b[0m\u0001\u0002\n')).lines.length, 1);
});

test('a text with a NUL in its middle is read, and the NUL reported', async () => {
  const early = await readFile('some text\0with a NUL\nmore text here\n');
  assert.deepEqual([shown(early), early.hasNul], [['1:some text\0with a NUL', '2:more text here'], true]);
  const late = await readFile(`${'text\n'.repeat(40_000)}\0\nend\n`, { startLine: 40_001 });
  assert.deepEqual([shown(late), late.hasNul], [['40001:\0', '40002:end'], true]);
});

test('a NUL far behind the lines shown is not reported', async () => {
  assert.equal((await readFile(`${'text\n'.repeat(40_000)}\0\n`, { endLine: 2 })).hasNul, false);
});

// Bounds.
test('a file larger than the counting bound has no total, but its lines', async () => {
  const data = 'line\n'.repeat(60_000);
  const bounded = await readFile(data, { endLine: 2, countLinesBytes: 100_000 });
  assert.deepEqual([shown(bounded), bounded.totalLines], [['1:line', '2:line'], undefined]);
  assert.equal((await readFile(data, { endLine: 2, countLinesBytes: data.length })).totalLines, 60_000);
  const far = await readFile(data, { startLine: 59_999, endLine: 59_999, countLinesBytes: 0 });
  assert.deepEqual(shown(far), ['59999:line']);
});

test('a file that ends within the chunk in hand is counted, whatever the bound', async () => {
  assert.equal((await readFile('a\nb\n', { endLine: 1, countLinesBytes: 0 })).totalLines, 2);
});

test('an aborted read ends with the reason of the signal', async () => {
  await assert.rejects(readFile('a\n', {}, AbortSignal.abort(new Error('enough'))), /enough/);
});

test('bytes are read from a place on, as many as there are', async () => {
  place.put('bytes', '0123456789');
  const file = await root.resolve('bytes');
  assert.equal((await readBytes(root, file, 3, 4)).toString(), '3456');
  assert.equal((await readBytes(root, file, 8, 4)).toString(), '89');
  assert.equal((await readBytes(root, file, 10, 4)).length, 0);
});

/** The whole file at once: what any reading must agree with. */
function naive(text: string, { startLine, endLine, startColumn, maxChars }: RangeRequest): { lines: string[]; total: number } {
  const all = text.split('\n');
  if (all.at(-1) === '') all.pop();
  const lines: string[] = [];
  let room = maxChars;
  for (let line = startLine; line <= Math.min(endLine, all.length) && room > 0; line++) {
    const kept = all[line - 1]!.slice(line === startLine ? startColumn - 1 : 0);
    lines.push(kept.length > room ? `${line}:${kept.slice(0, room)}…` : `${line}:${kept}`);
    room = kept.length > room ? 0 : room - kept.length - 1;
  }
  return { lines, total: all.length };
}

test(`any range of any text is what a naive reading gives, in every encoding (seed ${SEED})`, async () => {
  // Line ends of CR LF and cuts in surrogate pairs have cases of their own above; here a line may be as long as several chunks.
  const word = fc.constantFrom('', 'a', 'bc', 'é', '漢', 'word ', '\t', '\u2028');
  const line = fc.oneof(
    { weight: 6, arbitrary: fc.array(word, { maxLength: 6 }).map((words) => words.join('')) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('x', 'é', '漢'), fc.integer({ min: Math.floor(CHUNK / 3) - 4, max: CHUNK + 4 }))
        .map(([unit, times]) => unit.repeat(times)),
    },
  );
  const text = fc.tuple(fc.array(line, { maxLength: 12 }), fc.boolean()).map(([lines, ends]) => lines.join('\n') + (ends ? '\n' : ''));
  const request = fc.record({
    startLine: fc.integer({ min: 1, max: 9 }),
    length: fc.integer({ min: 0, max: 6 }),
    startColumn: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 8 })),
    maxChars: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constant(1_000_000)),
  });
  await fc.assert(
    fc.asyncProperty(
      text,
      request,
      fc.constantFrom<Encoding | 'plain'>('plain', 'utf8', 'utf16le', 'utf16be'),
      async (content, { length, ...from }, encoding) => {
        const range = { ...ALL, ...from, endLine: from.startLine + length };
        const snippet = await readFile(encoding === 'plain' ? content : encode(content, encoding), range);
        assert.deepEqual({ lines: shown(snippet), total: snippet.totalLines }, naive(content, range));
        serial--; // the next case takes the same file
      },
    ),
    { seed: SEED, numRuns: 1_500 },
  );
});
