import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonical } from '#dist/chunks/canonical.js';
import type { Chunk } from '#dist/chunks/chunk.js';
import { chunk } from '#dist/chunks/chunker.js';
import { layOutJson } from '#dist/chunks/json.js';
import { Dice } from '../../support/e2e-lab.js';

const cut = (text: string): { kind: string; lines: readonly string[]; chunks: Chunk[] } => {
  const { kind, lines } = canonical(text);
  return { kind, lines, chunks: chunk(kind, lines) };
};
const textOf = (lines: readonly string[], { startLine, endLine }: Chunk): string => lines.slice(startLine - 1, endLine).join('\n');
const numbered = (count: number, line: (n: number) => string): string => Array.from({ length: count }, (_, n) => line(n + 1)).join('\n');

const kinds: [title: string, text: string, kind: string][] = [
  ['an object is JSON', '{"a": [1, 2]}', 'json'],
  ['a list behind a byte order mark is JSON', '\uFEFF[1]', 'json'],
  ['half an object is text', '{"a": ', 'text'],
  ['headings that stand apart are Markdown', '# A\n\ntext\n\n## B\n\ntext', 'markdown'],
  ['comments of a script are text', 'x=1\n# one\ny=2\n# two\nz=3', 'text'],
  ['lines with times are a log', numbered(9, (n) => `2025-03-0${n}T10:00:00Z started`), 'log'],
  ['lines with addresses are a log', numbered(9, (n) => `10.0.0.${n} GET /x`), 'log'],
  ['verdicts of tests are a log', numbered(9, (n) => `ok ${n} - works`), 'log'],
  ['frames are a trace', 'TypeError: x\n    at a (b.js:1:2)\n    at c (d.js:3:4)\n    at e (f.js:5:6)', 'trace'],
  [
    'frames of Python are a trace',
    `Traceback (most recent call last):\n${numbered(4, (n) => `  File "a.py", line ${n}, in f\n    f()`)}\nValueError: x`,
    'trace',
  ],
  ['prose is text', 'one\ntwo\nthree', 'text'],
  ['nothing is text', '', 'text'],
];
for (const [title, text, kind] of kinds) test(title, () => assert.equal(canonical(text).kind, kind));

test('a kept text has LF line ends, no colours and no NUL, and no line is longer than the fold', () => {
  assert.equal(canonical('a\r\n\u001b[31mred\u001b[0m\0\n\n').text, 'a\nred\u2400\n');
  const { lines } = canonical(`  ${'word '.repeat(900)}end`);
  assert.ok(lines.length > 4);
  for (const line of lines) assert.ok(line.length <= 1_010, String(line.length));
  assert.equal(lines.join('').replace(/\s+/g, ' '), ` ${'word '.repeat(900)}end`);
});

test('laid out JSON has the same value, and numbers stay as they are written', () => {
  const text = '{"a":12345678901234567890,"b":[1.0,{"c":"x,{}[]\\"\\\\"}],"e":{},"f":[]}';
  assert.deepEqual(JSON.parse(layOutJson(text)), JSON.parse(text));
  assert.ok(layOutJson(text).includes('12345678901234567890') && layOutJson(text).includes('1.0'));
});

for (let seed = 1; seed <= 10; seed++) {
  test(`any JSON keeps its value, and its pieces hold every line once or twice (seed ${seed})`, () => {
    const dice = new Dice(seed);
    const make = (depth: number): unknown => {
      if (depth === 0 || dice.chance(0.3)) return dice.pick([1, -0.5, null, true, '', 'a "b" \\ {', 'é\n', 'x'.repeat(100)]);
      if (dice.chance(0.5)) return dice.many(0, 12, () => make(depth - 1));
      return Object.fromEntries(dice.many(0, 12, () => [dice.pick(['k', 'a b', '"', '[', '']) + dice.int(0, 99), make(depth - 1)]));
    };
    for (let round = 0; round < 10; round++) {
      const value = { value: make(5) };
      for (const text of [JSON.stringify(value), JSON.stringify(value, undefined, 3)]) {
        assert.deepEqual(JSON.parse(layOutJson(text)), value);
      }
      const { lines, chunks } = cut(JSON.stringify(value));
      for (const { startLine, endLine } of chunks) assert.ok(endLine - startLine < 50 && startLine >= 1 && endLine <= lines.length);
    }
  });
}

test('JSON that is nested very deeply does not grow with the square of its depth', () => {
  const text = '['.repeat(20_000) + ']'.repeat(20_000);
  assert.ok(layOutJson(text).length < 100_000);
});

test('JSON is cut by keys and items, and each piece says where it stands', () => {
  const big = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [`/v1/thing${n}`, { get: { summary: `Reads thing ${n} ${'.'.repeat(80)}` } }]),
  );
  const { lines, chunks } = cut(
    JSON.stringify({ info: 'x', paths: big, list: Array.from({ length: 60 }, (_, n) => ({ n, text: 'y'.repeat(90) })) }),
  );
  const thing = chunks.find((one) => one.path.join('|') === 'paths|/v1/thing7');
  assert.ok(thing !== undefined);
  assert.match(textOf(lines, thing), /Reads thing 7 /);
  assert.doesNotMatch(textOf(lines, thing), /thing8|thing6/);
  assert.match(textOf(lines, chunks.find((one) => one.path.join('|') === 'list[3]')!), /"n": 3,/);
  assert.match(textOf(lines, chunks.find((one) => one.path.length === 0)!), /"info": "x"/);
});

test('Markdown is cut by headings with their path, and a heading in a fence is none', () => {
  const { kind, lines, chunks } = cut(
    'intro\n\n# Guide\n\nhello\n\n## Install\n\n```sh\n# no heading\n```\n\n### Linux\n\napt\n\n## Use\n\ngo\n',
  );
  assert.equal(kind, 'markdown');
  assert.deepEqual(
    chunks.map(({ path }) => path.join(' > ')),
    ['', 'Guide', 'Guide > Install', 'Guide > Install > Linux', 'Guide > Use'],
  );
  assert.match(textOf(lines, chunks[2]!), /no heading/);
});

test('a stack trace is one piece with its message and its causes, however long it is', () => {
  const trace = [
    'Error: broken pipe',
    ...Array.from({ length: 80 }, (_, n) => `    at f${n} (m.js:${n}:1)`),
    'Caused by: Error: reset',
    '    at g (n.js:1:1)',
  ];
  const { lines, chunks } = cut(['before', '', ...trace, '', 'after'].join('\n'));
  const [whole] = chunks.filter((one) => textOf(lines, one).includes('broken pipe'));
  assert.equal(textOf(lines, whole!), trace.join('\n'));
});

test('a log is cut by records; lines that start none belong to the one before', () => {
  const text = numbered(
    20,
    (n) => `2025-03-01 10:00:${String(n).padStart(2, '0')} INFO ${n}${n === 7 ? '\n  at a (b.js:1:1)\n  at c (d.js:1:1)' : ''}`,
  );
  const { kind, lines, chunks } = cut(text);
  assert.equal(kind, 'log');
  assert.equal(chunks.length, 20);
  assert.match(textOf(lines, chunks[6]!), /INFO 7\n.*\n {2}at c/);
});

test('other text is cut every 50 lines, with 5 in common', () => {
  const { chunks } = cut(numbered(120, (n) => `line ${n}`));
  assert.deepEqual(
    chunks.map(({ startLine, endLine }) => [startLine, endLine]),
    [
      [1, 50],
      [46, 95],
      [91, 120],
    ],
  );
});

for (let seed = 1; seed <= 10; seed++) {
  test(`pieces of any text come in order and leave out no line (seed ${seed})`, () => {
    const dice = new Dice(seed);
    const parts = [
      '# Title',
      '',
      'plain words',
      '    at f (a.js:1:2)',
      'Error: x',
      '10.0.0.1 GET',
      '```',
      '2025-01-01T00:00:00 x',
      '\tindented',
      '{"a":1}',
    ];
    for (let round = 0; round < 30; round++) {
      const { lines, chunks } = cut(dice.many(1, 200, () => dice.pick(parts)).join('\n'));
      let covered = 0;
      for (const { startLine, endLine } of chunks) {
        assert.ok(startLine <= covered + 1 && startLine <= endLine, JSON.stringify(chunks));
        covered = Math.max(covered, endLine);
      }
      assert.equal(covered, lines.length);
    }
  });
}

/** How much longer eight times as much takes; the best of several runs, since others use the machine as well. */
function growth(work: (size: number) => void, size: number): number {
  const best = (of: number): number => {
    let least = Number.POSITIVE_INFINITY;
    for (let run = 0; run < 3; run++) {
      const started = performance.now();
      work(of);
      least = Math.min(least, performance.now() - started);
    }
    return least;
  };
  return best(size * 8) / Math.max(best(size), 1);
}
const times = (text: string, size: number): string => text.repeat(Math.ceil(size / text.length));
const worst: [title: string, make: (size: number) => string][] = [
  ['one line without a blank', (size) => 'q'.repeat(size)],
  ['blanks far apart', (size) => times(`${'q'.repeat(5_000)} `, size)],
  ['a list in a list in a list', (size) => '['.repeat(size / 2) + ']'.repeat(size / 2)],
  ['lists far apart in lists', (size) => times(`[${' '.repeat(500)}`, size / 2) + ']'.repeat(Math.ceil(size / 2 / 501))],
  ['an object in an object', (size) => `${times('{"a":', size)}1${'}'.repeat(Math.ceil(size / 5))}`],
  ['lists around long strings', (size) => `[${times(`${'['.repeat(70)}"${'q'.repeat(900)}"${']'.repeat(70)},`, size)}1]`],
  ['empty lines', (size) => `a${'\n'.repeat(size)}b`],
  ['a heading of blanks', (size) => times(`# a${' '.repeat(990)}b\n`, size)],
  ['a heading of marks', (size) => times(`# a${' #'.repeat(490)} b\n`, size)],
  ['colours', (size) => times('\u001b[1;', size)],
];
for (const [title, make] of worst) {
  test(`eight times as much takes about eight times as long: ${title}`, () => {
    const ratio = growth((size) => canonical(make(size)), 250_000);
    assert.ok(ratio < 28, `${ratio} times as long`);
  });
}

test('JSON of any depth keeps its text, and its layout is not much larger', () => {
  const text = '['.repeat(1_000_000) + ']'.repeat(1_000_000);
  const { kind, lines } = canonical(text);
  assert.equal(kind, 'json');
  const shown = lines.join('');
  assert.ok(shown.length < text.length * 1.1);
  assert.equal(shown.replaceAll(' ', ''), text);
  assert.ok(chunk('json', lines).length > 0);
});

test('a text of millions of lines is cut', () => {
  const lines = Array.from({ length: 9_000_000 }, () => '');
  assert.ok(chunk('text', lines).length > 190_000);
});

test('titles of Markdown are without the marks that close them', () => {
  const { chunks } = cut('# One ##\n\na\n\n## Two#  \n\nb\n\n### #\n\nc');
  assert.deepEqual(
    chunks.map(({ path }) => path.at(-1)),
    ['One', 'Two', '#'],
  );
});
