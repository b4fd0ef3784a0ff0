/** Scores of files: a small case by hand, then one property of the formula a test. The weights come from the table that is tuned;
 *  the arithmetic is that of the formula. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HitTable } from '#dist/ranking/hits.js';
import { DEMOTION, liftedBy } from '#dist/ranking/path-class.js';
import { createScoring, type FileScore, FileScorer, scorePath, WEIGHTS } from '#dist/ranking/score.js';
import { parseTerms, TermMatcher } from '#dist/ranking/terms.js';
import { Dice } from '../../support/e2e-lab.js';

type Hit = readonly [line: number, identifier: string];
interface Given {
  readonly files: Readonly<Record<string, readonly Hit[]>>;
  readonly corpus?: { readonly files: number; readonly bytes: number };
  readonly bytes?: number;
  readonly lifted?: readonly string[];
}

const byScore = (a: FileScore, b: FileScore): number => b.score - a.score || (a.path < b.path ? -1 : 1);

function scores(query: string, { files, corpus = { files: 4, bytes: 400 }, bytes = 100, lifted }: Given): FileScore[] {
  const terms = parseTerms(query);
  const matcher = new TermMatcher(terms.terms);
  const table = new HitTable(terms.terms, 1_000);
  for (const [path, hits] of Object.entries(files)) {
    table.begin(path);
    for (const [line, identifier] of hits) {
      const held = matcher.held(identifier);
      assert.ok(held !== undefined, identifier);
      table.add(line, held, 1);
    }
    table.end(bytes);
  }
  const scorer = new FileScorer(table, createScoring([table], terms, corpus, matcher, liftedBy(lifted ?? terms.words)));
  return table.paths.map((_, file) => scorer.explain(file)).sort(byScore);
}
const paths = (found: readonly FileScore[]): string[] => found.map(({ path }) => path);
const near = (actual: number | undefined, expected: number): void =>
  assert.ok(actual !== undefined && Math.abs(actual - expected) < 1e-4, `${actual} is not ${expected}`);

test('one word once in one of four files of mean size', () => {
  const [only] = scores('needle', { files: { 'src/x.c': [[3, 'needle']] } });
  // idf = ln(1 + (4 - 1 + 0.5) / (1 + 0.5)) = 1.20397; file and window saturate to 2.2 / (1 + 1.2) = 1
  near(only?.parts.file, WEIGHTS.file * 1.20397);
  near(only?.parts.window, WEIGHTS.window * 1.20397);
  assert.deepEqual([only?.parts.multi, only?.parts.path, only?.parts.place, only?.parts.demotion], [0, 0, 0, 1]);
  near(only?.parts.line, WEIGHTS.line * 1.20397);
  near(only?.score, (WEIGHTS.file + WEIGHTS.window + WEIGHTS.line) * 1.20397);
  assert.deepEqual([only?.window.start, only?.window.end, only?.mask], [3, 3, 1]);
});

test('two words in one identifier, in the folder and in the base name', () => {
  const [only] = scores('session token', { files: { 'session/token.c': [[1, 'session_token']] } });
  // idf 1.20397 each; tf 0.7: 0.7 * 2.2 / (0.7 + 1.2) = 0.810526, for the file (ratio 1) and the window alike
  near(only?.parts.file, WEIGHTS.file * 2 * 1.20397 * 0.810526);
  near(only?.parts.window, WEIGHTS.window * 2 * 1.20397 * 0.810526);
  // both words in one identifier, once: saturate(1, 0) = 2.2 / (1 + 1.2) = 1; it holds every word
  near(only?.parts.multi, WEIGHTS.multi * WEIGHTS.everyWord * 2 * 1.20397);
  near(only?.parts.path, (WEIGHTS.folder + WEIGHTS.baseName) * 1.20397);
});

test('the parts and the factors give the score', () => {
  for (const { score, parts } of scores('session token src/a.c', {
    files: { 'src/a.c': [[1, 'token']], 'test/token.c': [[9, 'sessionToken']] },
  })) {
    const { demotion = 1, ...others } = parts;
    near(score, demotion * Object.values(others).reduce((sum, part) => sum + part, 0));
  }
});

test('a test weighs less than the same in source, unless the query names tests', () => {
  const files = { 'test/x.c': [[3, 'needle']], 'src/x.c': [[3, 'needle']] } as const;
  const [source, demoted] = scores('needle', { files });
  assert.equal(source?.path, 'src/x.c');
  near(demoted?.score, DEMOTION.test * (source?.score ?? 0));
  const [first, second] = scores('needle', { files, lifted: ['tests'] });
  near(first?.score, second?.score ?? 0);
});

test('a word to be absent adds nothing and pushes its file down', () => {
  const files = {
    'a.c': [
      [1, 'needle'],
      [2, 'pin'],
    ],
    'b.c': [[1, 'needle']],
  } as const;
  const found = scores('needle -pin', { files });
  assert.deepEqual(paths(found), ['b.c', 'a.c']);
  near(found[1]?.score, WEIGHTS.negative * (found[0]?.score ?? 0));
});

const NAMED: [title: string, query: string, share: number][] = [
  ['whole', 'needle in src/auth/x.c', 1],
  ['by its base name', 'needle in x.c', 1],
  ['by a folder', 'needle in src/auth', 0.5],
  ['by its subject', 'auth: needle', 0.5],
  ['not', 'needle in other/y.c', 0],
];
for (const [title, query, share] of NAMED) {
  test(`a file that the query names ${title} gets ${share} of what a place is worth`, () => {
    const [only] = scores(query, { files: { 'src/auth/x.c': [[3, 'needle']] } });
    near(only?.parts.place, WEIGHTS.place * share);
  });
}

test('a place named in one of several ways is worth its best one', () => {
  const [only] = scores('needle src/auth/x.c src/auth', { files: { 'src/auth/x.c': [[3, 'needle']] } });
  near(only?.parts.place, WEIGHTS.place);
});

test('the window is where the words come closest together, wherever single ones are', () => {
  const [only] = scores('session token', {
    files: {
      'a.c': [
        [1, 'session'],
        [200, 'session'],
        [205, 'token'],
        [900, 'token'],
        [902, 'token'],
      ],
    },
  });
  assert.deepEqual([only?.window.start, only?.window.end], [200, 205]);
});

test('words further apart than a window do not count together', () => {
  const at = (line: number): FileScore | undefined =>
    scores('session token', {
      files: {
        'a.c': [
          [1, 'session'],
          [line, 'token'],
        ],
      },
    })[0];
  assert.ok((at(WEIGHTS.windowLines)?.parts.window ?? 0) > (at(WEIGHTS.windowLines + 1)?.parts.window ?? 0));
  near(at(WEIGHTS.windowLines + 1)?.parts.window, at(500)?.parts.window ?? 0);
});

test('words on one line tell more than the same words on lines of their own', () => {
  const at = (lines: readonly number[]): FileScore | undefined =>
    scores('alpha beta', {
      files: {
        'a.c': [
          [lines[0]!, 'alpha'],
          [lines[1]!, 'beta'],
        ],
      },
    })[0];
  near(at([4, 4])?.parts.line, 2 * (at([4, 5])?.parts.line ?? 0));
  near(at([4, 4])?.parts.window, at([4, 5])?.parts.window ?? 0);
});

test('a rare word tells more than one that is in most files', () => {
  const files = { 'a.c': [[1, 'common']], 'b.c': [[1, 'common']], 'c.c': [[1, 'common']], 'd.c': [[1, 'rare']] } as const;
  assert.equal(paths(scores('common rare', { files }))[0], 'd.c');
});

test('a smaller file comes before a larger one with the same words', () => {
  const terms = parseTerms('needle');
  const matcher = new TermMatcher(terms.terms);
  const table = new HitTable(terms.terms, 10);
  for (const [path, bytes] of [
    ['a.c', 900],
    ['b.c', 100],
  ] as const) {
    table.begin(path);
    table.add(1, matcher.held('needle')!, 1);
    table.end(bytes);
  }
  const scoring = createScoring([table], terms, { files: 2, bytes: 1_000 }, matcher, new Set());
  assert.deepEqual(paths([0, 1].map((file) => new FileScorer(table, scoring).explain(file)).sort(byScore)), ['b.c', 'a.c']);
});

test('a file that cannot reach the least score gets some number below it, any other its score', () => {
  const terms = parseTerms('alpha beta');
  const matcher = new TermMatcher(terms.terms);
  const table = new HitTable(terms.terms, 10_000);
  const dice = new Dice(3);
  for (let file = 0; file < 200; file++) {
    table.begin(`f${file}.c`);
    for (let hit = 0; hit < dice.int(1, 30); hit++) table.add(dice.int(1, 400), matcher.held(dice.int(0, 1) === 0 ? 'alpha' : 'beta')!, 1);
    table.end(dice.int(10, 5_000));
  }
  const scorer = new FileScorer(table, createScoring([table], terms, { files: 400, bytes: 400_000 }, matcher, new Set()));
  const exact = table.paths.map((_, file) => scorer.score(file));
  const least = [...exact].sort((a, b) => b - a)[20]!;
  for (const [file, score] of exact.entries()) {
    const found = scorer.score(file, least);
    assert.ok(score >= least ? found === score : found < least, `file ${file}: ${found} for ${score}`);
  }
});

test('a path alone is worth its words and its place, demoted as any other', () => {
  const terms = parseTerms('token a/token.c');
  const matcher = new TermMatcher(terms.terms);
  const table = new HitTable(terms.terms, 10);
  const scoring = createScoring([table], terms, { files: 4, bytes: 400 }, matcher, new Set());
  // no file has the word: idf = ln(1 + 4.5 / 0.5) = 2.302585
  near(scorePath('x/token.py', scoring).score, WEIGHTS.baseName * Math.LN10);
  near(scorePath('token/x.py', scoring).score, WEIGHTS.folder * Math.LN10);
  near(scorePath('vendor/token.py', scoring).score, DEMOTION.vendor * WEIGHTS.baseName * Math.LN10);
  assert.ok(scorePath('a/token.c', scoring).score > scorePath('b/token.c', scoring).score);
  assert.deepEqual(scorePath('x/y.py', scoring), { score: 0, mask: 0 });
});

test('an empty table and an empty corpus give no files and no bad numbers', () => {
  assert.deepEqual(scores('needle', { files: {}, corpus: { files: 0, bytes: 0 } }), []);
  for (const { score } of scores('needle', { files: { 'a.c': [[1, 'needle']] }, corpus: { files: 0, bytes: 0 } }))
    assert.ok(Number.isFinite(score));
});
