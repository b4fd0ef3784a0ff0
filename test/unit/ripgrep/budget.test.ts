import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BudgetOptions, MatchBudget } from '#dist/ripgrep/budget.js';
import type { LongEvent, RgEvent, Span } from '#dist/ripgrep/events.js';

const OPTIONS: BudgetOptions = { maxHits: 100, maxText: 10_000, maxLineChars: 40, accepts: () => true };
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const begin = (path: string, isLossyPath = false): RgEvent => ({ type: 'begin', path, isLossyPath });
const match = (line: number, text = 'hit', spans: readonly Span[] = [{ start: 0, end: 3 }]): RgEvent => ({
  type: 'match',
  line,
  text,
  spans,
});
const context = (line: number, text = 'beside'): RgEvent => ({ type: 'context', line, text, spans: [] });
const end = (binaryOffset?: number): RgEvent => ({ type: 'end', binaryOffset, matchedLines: 0, bytesSearched: 0 });
const long = (parts: Partial<LongEvent>): RgEvent => ({
  type: 'long',
  isMatch: true,
  line: 1,
  offset: 0,
  matchStart: 9,
  matchText: 'hit',
  eventBytes: 300_000,
  ...parts,
});

/** A budget after `events`, and whether each event was the last one wanted. */
function spend(options: Partial<BudgetOptions>, ...events: RgEvent[]) {
  const budget = new MatchBudget({ ...OPTIONS, ...options });
  const answers = events.map((event) => budget.accept(event));
  const rows = budget.files.map((file) => `${file.path} ${file.rows.map((row) => `${row.line}${row.isHit ? ':' : '-'}`).join(' ')}`);
  return { budget, answers, rows };
}

test('files with matches are kept in order, with their context', () => {
  const { budget, rows } = spend({}, begin('a'), context(1), match(2), end(), begin('b'), end(), begin('c'), match(7), match(8), end());
  assert.deepEqual(rows, ['a 1- 2:', 'c 7: 8:']);
  assert.deepEqual([budget.hits, budget.isSpent], [3, false]);
  assert.deepEqual(
    budget.files.map((file) => file.hits),
    [1, 2],
  );
});

test('one match more than the cap is kept, and spends the budget', () => {
  const { budget, answers } = spend({ maxHits: 2 }, begin('a'), match(1), match(2), match(3));
  assert.deepEqual(answers, [true, true, true, false]);
  assert.deepEqual([budget.hits, budget.isSpent], [3, true]);
});

test('exactly as many matches as the cap do not spend the budget', () => {
  assert.equal(spend({ maxHits: 2 }, begin('a'), match(1), match(2), end()).budget.isSpent, false);
});

test('context lines are no matches', () => {
  assert.equal(spend({ maxHits: 1 }, begin('a'), context(1), match(2), context(3), context(4)).budget.isSpent, false);
});

test('the text kept spends the budget, paths and context included', () => {
  assert.equal(spend({ maxText: 10 }, begin('path'), match(1, 'x'.repeat(6), [])).budget.isSpent, false);
  assert.equal(spend({ maxText: 10 }, begin('path'), match(1, 'x'.repeat(7), [])).budget.isSpent, true);
  assert.equal(spend({ maxText: 10 }, begin('path'), context(1, 'x'.repeat(7))).budget.isSpent, true);
});

test('the text of files that are not accepted costs nothing', () => {
  const { budget, rows } = spend(
    { maxText: 10, maxHits: 1, accepts: (path) => path !== '.env' },
    begin('.env'),
    match(1, 'x'.repeat(99)),
    match(2),
    end(),
    begin('a'),
    match(1),
  );
  assert.deepEqual(rows, ['a 1:']);
  assert.deepEqual([budget.hits, budget.isSpent], [1, false]);
});

test('a file is asked about once', () => {
  const asked: string[] = [];
  spend({ accepts: (path) => asked.push(path) > 0 }, begin('a'), match(1), match(2), end(), begin('b'), match(1), end());
  assert.deepEqual(asked, ['a', 'b']);
});

test('what was shown up to a place is passed over: files before it, and its own lines up to it', () => {
  const { rows, budget } = spend(
    { after: { place: { path: 'b', line: 5 }, compare } },
    ...['a', 'b', 'c'].flatMap((path) => [begin(path), match(4), context(5), match(5), match(6), end()]),
  );
  assert.deepEqual(rows, ['b 6:', 'c 4: 5- 5: 6:']);
  assert.equal(budget.hits, 4);
});

test('a file before the place is not asked about', () => {
  spend(
    { after: { place: { path: 'b', line: 5 }, compare }, accepts: (path) => assert.notEqual(path, 'a') === undefined },
    begin('a'),
    match(1),
    end(),
  );
});

test('where a NUL stopped ripgrep in a file is kept', () => {
  const { budget } = spend({}, begin('a'), match(1), end(77), begin('b'), match(1), end());
  assert.deepEqual(
    budget.files.map((file) => file.binaryOffset),
    [77, undefined],
  );
});

test('names that are no UTF-8 are counted where their file is accepted', () => {
  const { budget } = spend({ accepts: (path) => path !== 'no' }, begin('\ufffd', true), end(), begin('no', true), end(), begin('a'), end());
  assert.equal(budget.lossyPaths, 1);
});

const row = (options: Partial<BudgetOptions>, event: RgEvent) => spend(options, begin('a'), event).budget.files[0]!.rows[0]!;

test('a short line is kept whole, with its places', () => {
  assert.deepEqual(
    row(
      {},
      match(3, 'a hit, a hit', [
        { start: 2, end: 5 },
        { start: 9, end: 12 },
      ]),
    ),
    {
      line: 3,
      isHit: true,
      text: 'a hit, a hit',
      spans: [
        { start: 2, end: 5 },
        { start: 9, end: 12 },
      ],
      before: 0,
      after: 0,
    },
  );
});

test('a long line is cut around its first match, and places move with it', () => {
  const text = `${'x'.repeat(100)}hit${'y'.repeat(100)}hit`;
  const cut = row(
    {},
    match(1, text, [
      { start: 100, end: 103 },
      { start: 203, end: 206 },
    ]),
  );
  assert.equal(cut.text.length, 40);
  assert.equal(cut.before + cut.text.length + cut.after, text.length);
  assert.deepEqual(
    cut.spans.map(({ start, end: stop }) => cut.text.slice(start, stop)),
    ['hit'],
  );
});

test('a match longer than the room shows its beginning, and its place ends with the text', () => {
  const cut = row({}, match(1, `ab${'m'.repeat(500)}`, [{ start: 2, end: 502 }]));
  assert.equal(cut.text.length, 40);
  const [span] = cut.spans;
  assert.equal(cut.text.slice(span?.start, span?.end), 'm'.repeat(span!.end - span!.start));
  assert.equal(span?.end, cut.text.length);
});

test('a match across lines has room for several of them', () => {
  const text = `${'line of text\n'.repeat(12)}last`;
  assert.equal(row({}, match(1, text, [{ start: 0, end: text.length }])).text, text);
});

test('a cut of a long line keeps no more of it alive', () => {
  const cut = row({}, match(1, '😀'.repeat(50), [{ start: 20, end: 22 }]));
  assert.ok(cut.text.length <= 40);
  assert.doesNotMatch(cut.text, /\p{Surrogate}/u);
});

test('a match without a place is a match', () => {
  const { budget } = spend({}, begin('a'), match(1, 'x', []));
  assert.deepEqual([budget.hits, budget.files[0]?.rows[0]?.spans], [1, []]);
});

test('of a line too long for an event the match stands in, and the event comes along', () => {
  const event = long({ line: 5, matchText: 'hit' });
  const kept = row({}, event);
  assert.deepEqual([kept.line, kept.isHit, kept.text, kept.spans, kept.long], [5, true, 'hit', [{ start: 0, end: 3 }], event]);
  assert.equal(row({}, long({ matchText: undefined })).text, '');
  assert.ok(row({}, long({ matchText: 'm'.repeat(8_000) })).text.length <= 200);
  assert.equal(row({}, long({ isMatch: false })).isHit, false);
});

test('long lines count as matches and are passed over up to a place', () => {
  assert.equal(spend({ maxHits: 1 }, begin('a'), long({}), long({ line: 2 })).budget.isSpent, true);
  assert.deepEqual(spend({ after: { place: { path: 'a', line: 1 }, compare } }, begin('a'), long({}), long({ line: 2 })).rows, ['a 2:']);
});

test('events outside of a file are passed over', () => {
  const { budget, answers } = spend({}, match(1), end(), begin('a'), end(), match(1));
  assert.deepEqual([budget.hits, budget.files.length, answers.every(Boolean)], [0, 0, true]);
});

test('a million matches are bounded by the cap, not by their number', () => {
  const budget = new MatchBudget({ ...OPTIONS, maxHits: 50 });
  budget.accept(begin('a'));
  let sent = 0;
  while (sent < 1_000_000 && budget.accept(match(++sent))) {}
  assert.equal(sent, 51);
  assert.equal(budget.files[0]?.rows.length, 51);
});
