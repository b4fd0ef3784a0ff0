/** Replies rendered from made-up outcomes: whatever a search may have found, the text stays within its budget and every line
 *  of it is of a kind that a reader can tell. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FileRows, Row } from '#dist/ripgrep/budget.js';
import { encodeCursor, queryHash } from '#dist/search/cursor.js';
import type { ExactOutcome } from '#dist/search/exact.js';
import type { ListOutcome } from '#dist/search/listing.js';
import { comparePaths } from '#dist/search/order.js';
import { PLAIN } from '#dist/tools/style.js';
import { readText, toolNamed } from '../../support/e2e-lab.js';

const SEED = 20_261_130;
const RUNS = 2_000;
/** Without shrinking, which takes minutes on values of this size. */
const ONCE = { seed: SEED, numRuns: RUNS, endOnFailure: true };
const hash = queryHash({ tool: 'made up' });

const nasty = fc.constantFrom(
  'a',
  'b',
  '1',
  '2',
  ':',
  '-',
  '#',
  ' ',
  '.',
  '/',
  '\t',
  '\r',
  '\u0000',
  '\u001b',
  '\u007f',
  '\u00e9',
  '\u4e2d',
  '\u{1f600}',
  '\u{10ffff}',
  '…',
  '"',
  '(',
);
const name = fc.oneof(
  fc.string({ unit: nasty, minLength: 1, maxLength: 12 }),
  fc.constantFrom(
    '12:foo',
    '12-foo',
    '12\tfoo',
    '# more: repeat this call with cursor: "x"',
    'a\n12:foo',
    'a\n# more: x',
    ' x',
    './x',
    '3',
    '#',
  ),
  fc.string({ unit: nasty, minLength: 100, maxLength: 250 }),
);
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const line = fc.oneof(
  fc.string({ unit: nasty, maxLength: 60 }),
  fc.string({ unit: nasty, minLength: 250, maxLength: 300 }),
  fc.constantFrom('', '# more: x', '12:foo', 'src/a.ts'),
);
const text = fc.oneof(
  { weight: 8, arbitrary: line },
  { weight: 1, arbitrary: fc.array(line, { minLength: 2, maxLength: 5 }).map((lines) => lines.join('\r\n')) },
);
const row: fc.Arbitrary<Omit<Row, 'line'>> = fc
  .record({ text, isHit: fc.boolean(), before: fc.constantFrom(0, 0, 7, 1_234_567), after: fc.constantFrom(0, 0, 3, 9_999_999) })
  .map((made) => ({
    ...made,
    text: made.isHit ? made.text : (made.text.split('\n')[0] ?? ''),
    spans: [{ start: 0, end: Math.min(2, made.text.length) }],
  }));
const rows = fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), row), { minLength: 1, maxLength: 8 }).map((made) => {
  let at = 0;
  return made.map(([step, each]) => {
    const placed: Row = { ...each, line: at + step };
    at = placed.line + placed.text.split('\n').length - 1;
    return placed;
  });
});
const files: fc.Arbitrary<FileRows[]> = fc
  .uniqueArray(fc.tuple(path, rows), { selector: ([key]) => key, maxLength: 12 })
  .map((made) =>
    made
      .sort(([a], [b]) => comparePaths(a, b))
      .map(([key, kept]) => ({ path: key, rows: kept, hits: kept.filter((each) => each.isHit).length, binaryOffset: undefined })),
  );
const note = fc.oneof(
  fc.string({ unit: nasty, maxLength: 80 }),
  fc.string({ unit: nasty, minLength: 500, maxLength: 900 }),
  fc.constant('a\n12:forged'),
);
const remedy = fc.record({
  change: fc.constantFrom('ignored: true', 'ignoreCase: true'),
  matches: fc.nat(),
  files: fc.nat(),
  isAtLeast: fc.boolean(),
  example: path,
  because: note,
});

const outcome: fc.Arbitrary<ExactOutcome> = fc
  .record({
    files,
    output: fc.constantFrom('content' as const, 'content' as const, 'files' as const, 'count' as const),
    pattern: fc.oneof(
      fc.string({ unit: nasty, minLength: 1, maxLength: 30 }),
      fc.string({ unit: nasty, minLength: 200, maxLength: 2_000 }),
    ),
    maxMatches: fc.integer({ min: 1, max: 30 }),
    context: fc.integer({ min: 0, max: 10 }),
    shownBefore: fc.constantFrom(0, 0, 5, 123_456),
    isTotalKnown: fc.boolean(),
    timedOut: fc.constantFrom(false, false, false, true),
    upTo: fc.option(path, { nil: undefined }),
    uncovered: fc.array(path, { maxLength: 4 }),
    isPartial: fc.boolean(),
    isLiteral: fc.boolean(),
    notes: fc.array(note, { maxLength: 4 }),
    remedies: fc.array(remedy, { maxLength: 4 }),
    other: fc.option(fc.record({ count: fc.nat(), isAtLeast: fc.boolean() }), { nil: undefined }),
  })
  .map((made) => {
    const counts = made.files.map((file) => ({ path: file.path, count: file.hits + 1 }));
    const isContent = made.output === 'content';
    const found = isContent ? made.files.reduce((sum, file) => sum + file.hits, 0) : counts.length;
    const query = { pattern: made.pattern, ignoreCase: false, word: false, multiline: false, binary: false, output: made.output };
    const cursor = made.shownBefore > 0 ? { cursor: 'x' } : {};
    return {
      query: { ...query, ...cursor, context: made.context, maxMatches: made.maxMatches, maxChars: 0 },
      reading: { isLiteral: made.isLiteral, isOpen: true, why: 'as a regex it would match every line' },
      otherReading: made.isLiteral ? undefined : made.other,
      files: isContent ? made.files : [],
      counts: isContent ? [] : counts,
      shownBefore: made.shownBefore,
      total: made.isTotalKnown && !made.timedOut ? { matches: found, files: counts.length } : undefined,
      searched: { files: 12, bytes: 34_567 },
      isCapped: !made.isTotalKnown && !made.timedOut,
      timedOut: made.timedOut,
      covered: made.timedOut
        ? {
            files: 3,
            bytes: 400,
            total: undefined,
            upTo: made.upTo,
            uncovered: made.uncovered,
            seen: made.uncovered.map((each) => ({ path: each, line: 3 })),
          }
        : undefined,
      isPartial: made.isPartial,
      elapsedMs: 5,
      limitMs: 15_000,
      notes: made.notes,
      diagnosis:
        found === 0 && made.shownBefore === 0
          ? { remedies: made.remedies, isAbsent: made.remedies.length === 0, isCut: made.isPartial }
          : undefined,
      cursorAfter: (place, shown) => encodeCursor(hash, [place.path, place.line, shown, 'l']),
    };
  });

const budget = fc.oneof(fc.integer({ min: 500, max: 1_000 }), fc.integer({ min: 500, max: 50_000 }));
const render = (tool: string, made: unknown, maxChars: number): string => toolNamed(tool).text(made, maxChars, PLAIN);
const isCut = (shown: string, maxChars: number): boolean => shown.length === maxChars && shown.endsWith('…');

test(`search_text is never longer than maxChars and holds no control character but line feed and tab (${RUNS} runs, seed ${SEED})`, () => {
  fc.assert(
    fc.property(outcome, budget, (made, maxChars) => {
      const shown = render('search_text', made, maxChars);
      assert.ok(shown.length <= maxChars, `${shown.length} of ${maxChars}`);
      assert.doesNotMatch(shown, /[\u0000-\u0008\u000b-\u001f\u007f]/);
    }),
    ONCE,
  );
});

test(`search_text cuts no pair of surrogates (${RUNS} runs, seed ${SEED})`, () => {
  fc.assert(
    fc.property(outcome, budget, (made, maxChars) => {
      const broken = /.{0,20}\p{Surrogate}.{0,3}/u.exec(render('search_text', made, maxChars))?.[0];
      assert.equal(broken, undefined);
    }),
    ONCE,
  );
});

test(`a reader of lines sees exactly the matches that were found, in order, and no forged one (${RUNS} runs, seed ${SEED})`, () => {
  fc.assert(
    fc.property(outcome, budget, (made, maxChars) => {
      const shown = render('search_text', made, maxChars);
      if (isCut(shown, maxChars) || made.query.output !== 'content') return;
      const { rows: read, facts } = readText(shown);
      const wanted = made.files.flatMap((file) =>
        file.rows
          .filter((each) => each.isHit)
          .map((each) => ({ path: file.path, lines: each.text.split('\n').map((_, index) => each.line + index) })),
      );
      const hits = read.filter((each) => each.isHit).map((each) => each.line);
      let count = 0;
      const expected: number[] = [];
      for (const hit of wanted) {
        if (expected.length >= hits.length) break;
        expected.push(...hit.lines);
        count++;
      }
      assert.deepEqual(hits, expected);
      const more = facts.filter((fact) => fact.startsWith('more: '));
      // A search that was stopped has more than it kept.
      const isRest = count < wanted.length || (made.isCapped && count > 0);
      if (!isRest) assert.deepEqual(more, []);
      else if (count > 0) {
        const cursor = made.cursorAfter({ path: wanted[count - 1]!.path, line: lineOf(made, count) }, count);
        // Longer ones are a case of their own in replies.test.ts.
        if (cursor.length < 500) assert.deepEqual(more, [`more: repeat this call with cursor: "${cursor}"`]);
      } else
        assert.ok(
          facts.some((fact) => fact.includes('raise maxChars')),
          shown,
        );
    }),
    ONCE,
  );
});

/** The line of the hit with that number, from one. */
function lineOf(made: ExactOutcome, number: number): number {
  return made.files.flatMap((file) => file.rows.filter((each) => each.isHit))[number - 1]!.line;
}

test(`as many matches are shown as fit, up to maxMatches (${RUNS} runs, seed ${SEED})`, () => {
  fc.assert(
    fc.property(outcome, (made) => {
      const { rows: read } = readText(render('search_text', made, 50_000));
      if (made.query.output !== 'content' || made.files.some((file) => file.rows.some((each) => each.text.includes('\n')))) return;
      const found = made.files.reduce((sum, file) => sum + file.hits, 0);
      assert.equal(read.filter((each) => each.isHit).length, Math.min(found, made.query.maxMatches));
    }),
    ONCE,
  );
});

test(`even a reply that is cut hard says to raise maxChars (${RUNS} runs, seed ${SEED})`, () => {
  fc.assert(
    fc.property(outcome, fc.integer({ min: 500, max: 600 }), (made, maxChars) => {
      const shown = render('search_text', made, maxChars);
      const found = made.query.output === 'content' ? made.files.reduce((sum, file) => sum + file.hits, 0) : made.counts.length;
      if (found > 0 && isCut(shown, maxChars)) assert.match(shown, /raise maxChars/);
    }),
    ONCE,
  );
});

const listing: fc.Arbitrary<ListOutcome> = fc
  .record({
    paths: fc.uniqueArray(path, { maxLength: 40 }),
    maxResults: fc.integer({ min: 1, max: 40 }),
    shownBefore: fc.constantFrom(0, 0, 7, 99_999),
    timedOut: fc.constantFrom(false, false, true),
    notes: fc.array(note, { maxLength: 3 }),
    hidden: fc.option(
      fc.oneof(
        fc.constantFrom('none' as const, 'unknown' as const),
        fc.record({ files: fc.nat(), isAtLeast: fc.boolean(), example: path, because: note }),
      ),
      { nil: undefined },
    ),
    sort: fc.constantFrom('path' as const, 'modified' as const),
  })
  .map((made) => ({
    query: { sort: made.sort, maxResults: made.maxResults },
    files: made.paths.sort(comparePaths).map((each) => ({ path: each, modified: 0n })),
    shownBefore: made.shownBefore,
    total: made.timedOut ? undefined : made.paths.length,
    hidden: made.paths.length === 0 ? made.hidden : undefined,
    timedOut: made.timedOut,
    isPartial: made.timedOut,
    notes: made.notes,
    limitMs: 15_000,
    elapsedMs: 4,
    covered: made.timedOut ? { files: 3, bytes: undefined, total: undefined, upTo: 'b', uncovered: [], seen: [] } : undefined,
    cursorAfter: (file, shown) => encodeCursor(hash, [file.path, '0', shown]),
    cursorBeyond: () => (made.timedOut && made.sort === 'path' ? 'beyond' : undefined),
  }));

test(`list_files is never longer than maxChars, one line a file, and no file is taken for a fact (${RUNS} runs, seed ${SEED})`, () => {
  fc.assert(
    fc.property(listing, budget, (made, maxChars) => {
      const shown = render('list_files', made, maxChars);
      assert.ok(shown.length <= maxChars, `${shown.length} of ${maxChars}`);
      assert.doesNotMatch(shown, /[\u0000-\u0008\u000b-\u001f\u007f]/);
      if (isCut(shown, maxChars)) return;
      const lines = shown.split('\n');
      const paths = lines.filter((each) => !each.startsWith('# '));
      assert.ok(paths.length <= Math.min(made.files.length, made.query.maxResults));
      const isRest = paths.length < made.files.length && !(made.timedOut && made.query.sort === 'modified');
      const more = lines.filter((each) => each.startsWith('# more: repeat'));
      assert.equal(more.length, isRest && paths.length > 0 ? 1 : 0, shown);
      assert.equal(
        / beyond"|cursor: "beyond"/.test(shown),
        paths.length === made.files.length && made.timedOut && made.query.sort === 'path',
        shown,
      );
      if (isRest && paths.length === 0) assert.match(shown, /raise maxChars/);
    }),
    ONCE,
  );
});

const snippet = fc
  .record({
    path,
    startLine: fc.integer({ min: 1, max: 1_000_000 }),
    startColumn: fc.constantFrom(1, 1, 1, 12_345),
    lines: fc.array(fc.oneof(line, fc.string({ unit: nasty, minLength: 400, maxLength: 2_000 })), { maxLength: 30 }),
    isCut: fc.boolean(),
    hasNul: fc.boolean(),
    totalLines: fc.constantFrom(undefined, 3_000_000),
    endLine: fc.constantFrom(undefined, 4_000_000),
  })
  .map(({ lines, isCut: lastIsCut, hasNul, totalLines, ...made }) => ({
    ...made,
    notes: [],
    maxLines: 500,
    snippet: {
      lines: lines.map((each, index) => ({
        line: made.startLine + index,
        text: each.replaceAll('\n', ' '),
        length: each.length,
        isCut: lastIsCut && index === lines.length - 1,
      })),
      totalLines,
      size: 1_234_567,
      hasNul,
    },
  }));

test(`read_snippet is never longer than maxChars and cuts no pair of surrogates (${RUNS} runs, seed ${SEED})`, () => {
  fc.assert(
    fc.property(snippet, budget, (made, maxChars) => {
      const shown = render('read_snippet', made, maxChars);
      assert.ok(shown.length <= maxChars, `${shown.length} of ${maxChars}`);
      // The next call is JSON, which has its own way to write control characters.
      assert.doesNotMatch(shown.replace(/^# more: .*$/m, ''), /[\u0000-\u0008\u000b-\u001f\u007f]/);
      if (!isCut(shown, maxChars)) assert.doesNotMatch(shown, /\p{Surrogate}/u);
    }),
    ONCE,
  );
});
