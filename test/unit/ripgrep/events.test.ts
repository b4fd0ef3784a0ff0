import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { EventDecoder, type EventOptions, type LongEvent, type RgEvent } from '#dist/ripgrep/events.js';

const SEED = 20_261_130;
const RUNS = 10_000;
const OPTIONS: EventOptions = { maxEventBytes: 262_144, maxSubmatches: 100, wantsLines: true };
const SMALL: EventOptions = { maxEventBytes: 220, maxSubmatches: 2, wantsLines: true };

type Field = { text: string } | { bytes: string };
const textField = (text: string): Field => ({ text });
const bytesField = (data: Buffer): Field => ({ bytes: data.toString('base64') });

interface LineParts {
  readonly path?: Field;
  readonly lines: Field;
  readonly line?: number | null;
  readonly offset?: number;
  readonly submatches?: readonly { match: Field; start: number; end: number }[];
}

/** Lines in the order of keys in which ripgrep writes them. */
const begin = (path: Field): string => JSON.stringify({ type: 'begin', data: { path } });
const lineOf = (
  type: 'match' | 'context',
  { path = textField('./a.ts'), lines, line = 1, offset = 0, submatches = [] }: LineParts,
): string => JSON.stringify({ type, data: { path, lines, line_number: line, absolute_offset: offset, submatches } });
const end = (binaryOffset: number | null): string =>
  JSON.stringify({
    type: 'end',
    data: {
      path: textField('./a.ts'),
      binary_offset: binaryOffset,
      stats: { searches: 1, bytes_searched: 77, matched_lines: 2, matches: 3 },
    },
  });
const summary = JSON.stringify({ data: { stats: { searches: 5, bytes_searched: 900, matched_lines: 2 } }, type: 'summary' });

const streamOf = (...lines: string[]): Buffer => Buffer.from(lines.map((line) => `${line}\n`).join(''));

function decode(options: EventOptions, ...chunks: Buffer[]): RgEvent[] {
  const decoder = new EventDecoder(options);
  return chunks.flatMap((chunk) => decoder.push(chunk));
}

/** The bytes in chunks, split at the given places. */
function split(data: Buffer, places: readonly number[]): Buffer[] {
  const cuts = [...new Set([0, ...places.map((place) => place % (data.length + 1)), data.length])].sort((a, b) => a - b);
  return cuts.slice(1).map((cut, index) => data.subarray(cuts[index], cut));
}

const one = (line: string, options = OPTIONS): RgEvent | undefined => decode(options, streamOf(line))[0];

test('a file that begins names its path without ./', () => {
  assert.deepEqual(one(begin(textField('./src/a b.ts'))), { type: 'begin', path: 'src/a b.ts', isLossyPath: false });
  assert.deepEqual(one(begin(textField('.env'))), { type: 'begin', path: '.env', isLossyPath: false });
});

test('a path that is no UTF-8 keeps its bad bytes apart, and says so', () => {
  const path = Buffer.from([0x2e, 0x2f, 0x66, 0xff, 0x2e, 0x74]);
  assert.deepEqual(one(begin(bytesField(path))), { type: 'begin', path: 'f\udcff.t', isLossyPath: true });
});

test('an end tells about binary data and counts, a summary about the whole', () => {
  assert.deepEqual(decode(OPTIONS, streamOf(end(null), end(12), summary)), [
    { type: 'end', binaryOffset: undefined, matchedLines: 2, bytesSearched: 77 },
    { type: 'end', binaryOffset: 12, matchedLines: 2, bytesSearched: 77 },
    { type: 'summary', searches: 5, bytesSearched: 900 },
  ]);
});

/** A match of `found` in `before + found + after`, with the places in bytes as ripgrep counts them. */
function matchIn(before: string, found: string, after: string, asBytes = false): string {
  const start = Buffer.byteLength(before);
  const whole = before + found + after;
  const field = asBytes ? bytesField(Buffer.from(whole)) : textField(whole);
  return lineOf('match', { lines: field, submatches: [{ match: textField(found), start, end: start + Buffer.byteLength(found) }] });
}

const units: [title: string, before: string, found: string, after: string, start: number, end: number][] = [
  ['ASCII', 'let ', 'needle', ' = 1;\n', 4, 10],
  ['an em dash', '\u2014 ', 'needle', '\n', 2, 8],
  ['a character outside the basic plane', '\u{1D4B3} ', 'needle', '\n', 3, 9],
  ['a combining accent', 'e\u0301', 'needle', '\n', 2, 8],
  ['a wide match', 'é', '漢😀', 'x\n', 1, 4],
  ['a byte order mark', '\ufeff', 'needle', '\n', 1, 7],
  ['an empty match', 'é', '', 'a\n', 1, 1],
  ['a match across lines', 'é\n', 'a\nb', '\n', 2, 5],
];
for (const [title, before, found, after, start, stop] of units) {
  for (const asBytes of [false, true]) {
    test(`places count UTF-16 units in ${asBytes ? 'bytes' : 'text'}: ${title}`, () => {
      const event = one(matchIn(before, found, after, asBytes));
      assert.deepEqual(event, {
        type: 'match',
        line: 1,
        text: (before + found + after).replace(/\r?\n$/, ''),
        spans: [{ start, end: stop }],
      });
      assert.equal(event?.type === 'match' && event.text.slice(start, stop), found);
    });
  }
}

test('a match across lines of a CR LF file has line feeds for line ends, and its place follows', () => {
  for (const [lines, start, stop] of [
    ['x\r\nab\r\ncd\r\n', 3, 9],
    ['x\r\nab\r\ncd', 3, 9],
  ] as const) {
    const event = one(
      lineOf('match', { lines: textField(lines), submatches: [{ match: textField(lines.slice(start, stop)), start, end: stop }] }),
    );
    assert.deepEqual(event, { type: 'match', line: 1, text: 'x\nab\ncd', spans: [{ start: 2, end: 7 }] });
  }
});

test('bytes that are no UTF-8 count as the replacement characters that are shown', () => {
  const raw = Buffer.concat([Buffer.from([0xff, 0xfe, 0xe9]), Buffer.from('needle\r\n')]);
  const event = one(lineOf('match', { lines: bytesField(raw), submatches: [{ match: textField('needle'), start: 3, end: 9 }] }));
  assert.deepEqual(event, { type: 'match', line: 1, text: '\ufffd\ufffd\ufffdneedle', spans: [{ start: 3, end: 9 }] });
});

test('a match of the line end does not reach behind the text', () => {
  const event = one(lineOf('match', { lines: textField('ab\r\n'), submatches: [{ match: textField('b\r\n'), start: 1, end: 4 }] }));
  assert.deepEqual(event, { type: 'match', line: 1, text: 'ab', spans: [{ start: 1, end: 2 }] });
});

test('only the last line end is taken off', () => {
  const text = (lines: string): unknown => {
    const event = one(lineOf('context', { lines: textField(lines) }));
    return event?.type === 'context' && event.text;
  };
  assert.deepEqual(['a\n', 'a\r\n', 'a\n\n', 'a', 'a\r', '\n', ''].map(text), ['a', 'a', 'a\n', 'a', 'a\r', '', '']);
});

test('no more places of a line are kept than maxSubmatches', () => {
  const submatches = [0, 1, 2].map((start) => ({ match: textField('a'), start, end: start + 1 }));
  const event = one(lineOf('match', { lines: textField('aaa\n'), submatches }), { ...OPTIONS, maxSubmatches: 2 });
  assert.equal(event?.type === 'match' && event.spans.length, 2);
});

test('lines are passed over where they are not wanted, also long ones', () => {
  const lines = [
    begin(textField('./a')),
    matchIn('', 'a', '\n'),
    lineOf('context', { lines: textField('b') }),
    matchIn('x'.repeat(500), 'a', '\n'),
    end(null),
  ];
  const types = decode({ ...SMALL, wantsLines: false }, streamOf(...lines)).map((event) => event.type);
  assert.deepEqual(types, ['begin', 'end']);
});

test('what is no event is counted, and the next event comes all the same', () => {
  const decoder = new EventDecoder(OPTIONS);
  const events = decoder.push(
    streamOf('not json', '42', 'null', '{"type":"match"}', '{"type":"end","data":null}', '', '{"type":"new","data":{}}', end(3)),
  );
  assert.deepEqual(
    events.map((event) => event.type),
    ['end'],
  );
  assert.equal(decoder.unreadableLines, 5);
});

test('an unfinished last line is dropped', () => assert.deepEqual(decode(OPTIONS, Buffer.from(end(null))), []));

// Long events.
const long = (line: string, options = SMALL): LongEvent => {
  const event = one(line, options);
  assert.equal(event?.type, 'long');
  return event as LongEvent;
};

test('of a long event line, offset and the first match are kept', () => {
  const line = lineOf('match', {
    lines: textField(`${'x'.repeat(300)}needle`),
    line: 12,
    offset: 345,
    submatches: [{ match: textField('needle'), start: 300, end: 306 }],
  });
  assert.deepEqual(long(line), {
    type: 'long',
    isMatch: true,
    line: 12,
    offset: 345,
    matchStart: 300,
    matchText: 'needle',
    eventBytes: Buffer.byteLength(line),
  });
});

const longTexts: [title: string, found: Field, expected: string | undefined][] = [
  ['quotes and backslashes', textField('a"b\\"c\\'), 'a"b\\"c\\'],
  ['control characters', textField('a\n\t\u0001b'), 'a\n\t\u0001b'],
  ['characters of every width', textField('é漢😀'), 'é漢😀'],
  ['what looks like the place', textField('"},"line_number":9,"start":7'), '"},"line_number":9,"start":7'],
  ['nothing', textField(''), ''],
  ['bytes that are no UTF-8', bytesField(Buffer.from([0xff, 0x61])), undefined],
  ['more than is kept', textField('y'.repeat(10_000)), undefined],
];
for (const [title, found, expected] of longTexts) {
  test(`the match of a long event: ${title}`, () => {
    const line = lineOf('match', {
      lines: textField('z'.repeat(300)),
      line: 3,
      offset: 9,
      submatches: [{ match: found, start: 5, end: 6 }],
    });
    const { line: number, offset, matchText, matchStart } = long(line);
    assert.deepEqual([number, offset, matchText], [3, 9, expected]);
    if (title !== 'more than is kept') assert.equal(matchStart, 5);
  });
}

test('a line that contains what looks like a place does not deceive', () => {
  const bait = `{"match":{"text":"},"line_number":777,"absolute_offset":888,"submatches":[{"match":{"text":"x"},"start":999 ${'z'.repeat(300)}`;
  const { line, offset, matchStart } = long(
    lineOf('match', { lines: textField(bait), line: 4, offset: 5, submatches: [{ match: textField('z'), start: 6, end: 7 }] }),
  );
  assert.deepEqual([line, offset, matchStart], [4, 5, 6]);
});

test('a long context line has no match, and a long line without a number has none', () => {
  const event = long(lineOf('context', { lines: bytesField(Buffer.alloc(300, 0xff)), line: null, offset: 8 }));
  assert.deepEqual(
    [event.isMatch, event.line, event.offset, event.matchStart, event.matchText],
    [false, undefined, 8, undefined, undefined],
  );
});

test('a long event is the same in chunks of every width, also where its marks lie across two', () => {
  const line = lineOf('match', {
    lines: bytesField(Buffer.alloc(400, 0x80)),
    line: 12,
    offset: 345,
    submatches: [{ match: textField('"é\\'), start: 300, end: 306 }],
  });
  const data = streamOf(begin(textField('./a')), line, end(null));
  const expected = decode(SMALL, data);
  assert.deepEqual(
    expected.map((event) => event.type),
    ['begin', 'long', 'end'],
  );
  for (let width = 1; width <= data.length; width++) {
    const places = Array.from({ length: Math.floor(data.length / width) }, (_, i) => (i + 1) * width);
    assert.deepEqual(decode(SMALL, ...split(data, places)), expected, `in chunks of ${width}`);
  }
});

test('an event of exactly the limit is parsed whole, one byte more makes it long', () => {
  const line = lineOf('match', { lines: textField('abc'), submatches: [] });
  const at = (maxEventBytes: number): unknown => one(line, { ...SMALL, maxEventBytes })?.type;
  assert.deepEqual([at(line.length), at(line.length - 1)], ['match', 'long']);
});

// Properties.
const anyText = fc.oneof(
  fc.string({
    unit: fc.oneof(fc.constantFrom('"', '\\', '\n', '}', ',', 'é', '😀', '},"line_number":'), fc.string({ minLength: 1, maxLength: 3 })),
    maxLength: 40,
  }),
  fc.nat(400).map((length) => 'long '.repeat(length)),
);
const anyField = fc.oneof(
  anyText.map(textField),
  fc.uint8Array({ maxLength: 300 }).map((data) => bytesField(Buffer.from(data))),
);
const anyMatch = fc.record({ match: anyField, start: fc.nat(50), end: fc.nat(50) });
const anyLine = fc.oneof(
  anyField.map(begin),
  fc
    .tuple(
      fc.constantFrom<'match' | 'context'>('match', 'context'),
      fc.record({ lines: anyField, line: fc.option(fc.nat(9_999)), offset: fc.nat(), submatches: fc.array(anyMatch, { maxLength: 4 }) }),
    )
    .map(([type, parts]) => lineOf(type, parts)),
  fc.option(fc.nat(99)).map(end),
  fc.constant(summary),
  fc.constantFrom('', 'no json', '[]'),
);
const anyCuts = fc.array(fc.nat(20_000), { maxLength: 12 });

test(`any split of any events gives the same events (seed ${SEED})`, () => {
  let longOnes = 0;
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 6 }), anyCuts, (lines, cuts) => {
      const data = streamOf(...lines);
      const whole = decode(SMALL, data);
      longOnes += whole.filter((event) => event.type === 'long').length;
      assert.deepEqual(decode(SMALL, ...split(data, cuts)), whole);
    }),
    { seed: SEED, numRuns: RUNS },
  );
  assert.ok(longOnes > RUNS / 20, `only ${longOnes} long events, so this proves little`);
});

test(`any bytes, in any split, throw nothing and give the same (seed ${SEED})`, () => {
  const noise = fc.oneof(
    fc.uint8Array({ maxLength: 600 }).map((data) => Buffer.from(data)),
    fc
      .constantFrom(
        '\n',
        '\n',
        '{"type":"match"',
        '{"type":"begin","data":{"path":{"text":"',
        '},"line_number":',
        '"absolute_offset":',
        '12',
        ',"submatches":[{"match":{"text":"',
        '"},"start":',
        '\\',
        '\\x',
        '\\u12',
        '"',
        '\u0001',
        'x'.repeat(250),
      )
      .map((text) => Buffer.from(text)),
  );
  fc.assert(
    fc.property(fc.array(noise, { maxLength: 14 }), anyCuts, (parts, cuts) => {
      const data = Buffer.concat(parts);
      assert.deepEqual(decode(SMALL, ...split(data, cuts)), decode(SMALL, data));
    }),
    { seed: SEED, numRuns: RUNS },
  );
});

test('a long event whose match is no JSON text throws nothing', () => {
  const line = `{"type":"match","data":{"lines":{"text":"${'x'.repeat(300)}"},"line_number":1,"absolute_offset":2,"submatches":[{"match":{"text":"\\x"},"start":3,"end":4}]}}`;
  assert.equal(long(line).line, 1);
});

test(`JSON of any shape throws nothing (seed ${SEED})`, () => {
  const value = fc.jsonValue({ maxDepth: 2 });
  const optional = fc.option(fc.oneof(value, fc.constant({ text: 'a' }), fc.constant({ bytes: '/w==' })));
  const data = fc.record({
    path: optional,
    lines: optional,
    line_number: optional,
    submatches: optional,
    binary_offset: optional,
    stats: optional,
  });
  fc.assert(
    fc.property(fc.constantFrom('begin', 'match', 'context', 'end', 'summary', 'x'), fc.oneof(value, data), (type, content) => {
      decode(OPTIONS, streamOf(JSON.stringify({ type, data: content })));
    }),
    { seed: SEED, numRuns: RUNS },
  );
});

/** Bytes held by buffers, once what is garbage has been swept. */
async function heldBytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 4; i++) {
    collect();
    await setImmediate();
    least = Math.min(least, process.memoryUsage().arrayBuffers);
  }
  return least;
}

test('a line without an end, of 100 MB, holds no more than the limit and a chunk', async () => {
  const chunk = Buffer.alloc(65_536, 0x61);
  for (const head of ['', '{"type":"match","data":{"lines":{"text":"', '{"type":"match","data":{"lines":{"text":""},"line_number":1,']) {
    const decoder = new EventDecoder(OPTIONS);
    const before = await heldBytes();
    decoder.push(Buffer.from(head));
    for (let sent = 0; sent < 100_000_000; sent += chunk.length) {
      decoder.push(chunk);
      if (sent % 25_000_000 >= chunk.length) continue;
      const held = (await heldBytes()) - before;
      assert.ok(held <= OPTIONS.maxEventBytes + chunk.length, `${held} bytes after ${sent}`);
    }
    assert.equal(decoder.push(Buffer.from('\n')).length, 1);
  }
});

test('the short rest of a chunk does not keep the chunk alive', async () => {
  const decoder = new EventDecoder(OPTIONS);
  const before = await heldBytes();
  for (let i = 0; i < 200; i++) {
    const chunk = Buffer.alloc(65_536, 0x61, 'latin1');
    decoder.push(chunk.subarray(0, 100));
  }
  assert.ok((await heldBytes()) - before < 1_000_000);
});
