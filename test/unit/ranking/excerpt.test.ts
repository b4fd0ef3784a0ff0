/** Which lines of a file are shown: the window first, then the best of the rest, merged, within the room. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  chooseRanges,
  type Evidence,
  type EvidenceLine,
  gatherBestLine,
  gatherEvidence,
  type Range,
  valueLines,
} from '#dist/ranking/excerpt.js';
import { LINE, LineReader } from '#dist/ranking/line-terms.js';
import { parseTerms, SUBWORD, TermMatcher } from '#dist/ranking/terms.js';
import { Dice } from '../../support/e2e-lab.js';

const found = (...pairs: [line: number, value: number][]): EvidenceLine[] =>
  pairs.map(([line, value]) => ({ line, value, at: 0, mask: 1 }));
const one = (): number => 1;
const evidenceOf = (lines: readonly EvidenceLine[], lineCount: number): Evidence => ({
  lineCount,
  found: lines,
  hits: Uint32Array.from(lines, ({ line }) => line),
  texts: new Map(),
});

const CASES: [title: string, found: EvidenceLine[], window: Range, room: number, ranges: [number, number][]][] = [
  ['one line with its context', found([10, 1]), { start: 10, end: 10 }, 100, [[8, 12]]],
  ['the first line of the file', found([1, 1]), { start: 1, end: 1 }, 100, [[1, 3]]],
  ['the last line of the file', found([50, 1]), { start: 50, end: 50 }, 100, [[48, 50]]],
  ['overlapping contexts as one range', found([10, 1], [13, 1]), { start: 10, end: 13 }, 100, [[8, 15]]],
  ['touching contexts as one range', found([10, 1], [15, 1]), { start: 10, end: 15 }, 100, [[8, 17]]],
  [
    'contexts with one line between as two ranges',
    found([10, 1], [16, 1]),
    { start: 10, end: 16 },
    100,
    [
      [8, 12],
      [14, 18],
    ],
  ],
  ['the window before a better line elsewhere', found([10, 1], [40, 9]), { start: 10, end: 10 }, 5, [[8, 12]]],
  [
    'the best line of the window first',
    found([10, 1], [20, 3], [30, 2]),
    { start: 10, end: 30 },
    10,
    [
      [18, 22],
      [28, 32],
    ],
  ],
  [
    'what is left for the rest, best first',
    found([10, 1], [30, 2], [45, 5]),
    { start: 10, end: 10 },
    10,
    [
      [8, 12],
      [43, 47],
    ],
  ],
  ['a line alone where its context does not fit', found([10, 1]), { start: 10, end: 10 }, 3, [[10, 10]]],
  ['a line even without any room', found([10, 1]), { start: 10, end: 10 }, 0, [[10, 10]]],
  ['nothing where there is nothing', [], { start: 1, end: 1 }, 100, []],
  ['the first of two equal lines', found([30, 1], [10, 1]), { start: 1, end: 50 }, 5, [[8, 12]]],
];
for (const [title, lines, window, room, ranges] of CASES) {
  test(`shows ${title}`, () => {
    assert.deepEqual(
      chooseRanges(evidenceOf(lines, 50), window, 2, one, room).map(({ start, end }) => [start, end]),
      ranges,
    );
  });
}

for (let seed = 1; seed <= 20; seed++) {
  test(`ranges are in order, apart, in the file, with a line that matters each, and within the room (seed ${seed})`, () => {
    const dice = new Dice(seed);
    for (let round = 0; round < 50; round++) {
      const lineCount = dice.int(1, 120);
      const lines = [...new Set(dice.many(1, 30, () => dice.int(1, lineCount)))].sort((a, b) => a - b);
      const evidence = lines.map((line) => ({ line, value: dice.int(0, 5), at: 0, mask: 1 }));
      const start = dice.pick(lines);
      const window = { start, end: Math.min(lineCount, start + dice.int(0, 20)) };
      const prices = Array.from({ length: lineCount + 1 }, () => dice.int(1, 40));
      const room = dice.int(0, 600);
      const context = dice.int(0, 3);
      const ranges = chooseRanges(evidenceOf(evidence, lineCount), window, context, (line) => prices[line]!, room);
      const shown = ranges.flatMap(({ start: from, end }) => Array.from({ length: end - from + 1 }, (_, at) => from + at));
      const about = JSON.stringify({ lines, window, lineCount, room, context, ranges });
      assert.ok(
        shown.some((line) => lines.includes(line)),
        about,
      );
      assert.ok(
        shown.every((line) => line >= 1 && line <= lineCount),
        about,
      );
      for (const [at, range] of ranges.entries()) {
        assert.ok(range.start <= range.end, about);
        assert.ok(at === 0 || range.start > ranges[at - 1]!.end + 1, about);
        assert.ok(
          lines.some((line) => line >= range.start && line <= range.end),
          about,
        );
      }
      const used = shown.reduce((sum, line) => sum + prices[line]!, 0);
      assert.ok(used <= room || shown.length === 1, `${used}: ${about}`);
    }
  });
}

test('each line with words has the value of what they tell, each word once', () => {
  const terms = parseTerms('session token');
  const reader = new LineReader(terms.terms, new TermMatcher(terms.terms), { isEscaped: false, wantsDefinition: false });
  const lines = ['session', 'nothing', 'sessionToken(session)', '// token', 'function token()', 'session session'];
  const values = valueLines(lines, reader, [2, 3]);
  assert.deepEqual(
    values.map(({ line }) => line),
    [1, 3, 4, 5, 6],
  );
  const expected = [2, (2 + 3) * SUBWORD, 3 * LINE.comment, 3 * LINE.definition, 2];
  for (const [at, { value }] of values.entries()) assert.ok(Math.abs(value - expected[at]!) < 1e-9, `line ${values[at]!.line}: ${value}`);
});

test('of a file the best lines are kept with their context, those of the window first; the others are only counted', () => {
  const terms = parseTerms('session token');
  const reader = new LineReader(terms.terms, new TermMatcher(terms.terms), { isEscaped: false, wantsDefinition: false });
  const lines = Array.from({ length: 40 }, (_, at) => (at % 4 === 0 ? `session ${at}` : `line ${at}`));
  lines[20] = 'session token';
  const window = { start: 33, end: 37 };
  const evidence = gatherEvidence(lines, reader, [1, 1], window, { lines: 3, context: 1 });
  assert.equal(evidence.lineCount, 40);
  assert.deepEqual([...evidence.hits], [1, 5, 9, 13, 17, 21, 25, 29, 33, 37]);
  assert.deepEqual(
    evidence.found.map(({ line }) => line),
    [21, 33, 37],
  );
  assert.deepEqual(
    [...evidence.texts.keys()].sort((a, b) => a - b),
    [20, 21, 22, 32, 33, 34, 36, 37, 38],
  );
  assert.equal(evidence.texts.get(21), 'session token');
});

test('of a file that is only pointed at, the best line of its window is kept; without one there, the best of what was read', () => {
  const terms = parseTerms('session token');
  const reader = new LineReader(terms.terms, new TermMatcher(terms.terms), { isEscaped: false, wantsDefinition: false });
  const lines = ['session token', 'nothing', 'session', 'token()', 'nothing'];
  const within = gatherBestLine(lines, reader, [1, 2], { start: 3, end: 4 });
  assert.deepEqual(
    within.found.map(({ line }) => line),
    [4],
  );
  assert.deepEqual([...within.hits], [3, 4]);
  assert.deepEqual([...within.texts], [[4, 'token()']]);
  const changed = gatherBestLine(lines, reader, [1, 2], { start: 5, end: 5 });
  assert.deepEqual([...changed.texts], [[1, 'session token']]);
  assert.deepEqual(gatherBestLine(['none'], reader, [1, 2], { start: 1, end: 1 }).found, []);
});
