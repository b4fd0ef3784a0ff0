/** The best files of a ranking pass: order, what is left out, and that keeping fewer changes nothing about them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HitTable } from '#dist/ranking/hits.js';
import { createScoring } from '#dist/ranking/score.js';
import { parseTerms, TermMatcher } from '#dist/ranking/terms.js';
import { type RankedFiles, rankFiles } from '#dist/search/rank-files.js';
import { Dice } from '../../support/e2e-lab.js';

interface File {
  readonly path: string;
  readonly bytes?: number;
  readonly words: readonly string[];
}

function rank(query: string, tables: readonly (readonly File[])[], options: { keep?: number; maxBytes?: number } = {}): RankedFiles {
  const terms = parseTerms(query);
  const matcher = new TermMatcher(terms.terms);
  const made = tables.map((files) => {
    const table = new HitTable(terms.terms, 100_000);
    for (const { path, bytes = 100, words } of files) {
      table.begin(path);
      for (const [at, word] of words.entries()) {
        const held = matcher.held(word);
        if (held !== undefined) table.add(at + 1, held, 1);
      }
      table.end(bytes);
    }
    return table;
  });
  const scoring = createScoring(made, terms, { files: 1_000, bytes: 100_000 }, matcher, new Set());
  return rankFiles(made, terms, scoring, { keep: options.keep ?? 10, maxBytes: options.maxBytes ?? 1_000 });
}
const paths = (ranked: RankedFiles): string[] => ranked.best.map(({ path }) => path);

test('equal scores are in path order, over all tables', () => {
  const file = (path: string): File => ({ path, words: ['needle'] });
  assert.deepEqual(paths(rank('needle', [[file('b.c'), file('a/z.c')], [file('a.c')]])), ['a/z.c', 'a.c', 'b.c']);
});

test('files that are too large are counted apart', () => {
  const found = rank('needle', [
    [
      { path: 'a.c', bytes: 1_001, words: ['needle'] },
      { path: 'b.c', bytes: 1_000, words: ['needle'] },
    ],
  ]);
  assert.deepEqual([paths(found), found.total, found.large], [['b.c'], 1, 1]);
});

test('a query of one identifier counts only files that hold it whole, when one does that is not too large', () => {
  const whole = { path: 'whole.c', words: ['openSession'] };
  const part = { path: 'part.c', words: ['session'] };
  assert.deepEqual(paths(rank('openSession', [[part, whole]])), ['whole.c']);
  assert.deepEqual(paths(rank('openSession', [[part]])), ['part.c']);
  assert.deepEqual(paths(rank('openSession', [[part, { ...whole, bytes: 5_000 }]])), ['part.c']);
});

test('folders are named to the second level, those with most files first, once there are many files', () => {
  const files = (folder: string, times: number): File[] =>
    Array.from({ length: times }, (_, at) => ({ path: `${folder}f${at}.c`, words: ['needle'] }));
  assert.deepEqual(rank('needle', [files('', 49)]).folders, []);
  assert.deepEqual(rank('needle', [[...files('', 2), ...files('a/b/c/', 40), ...files('a/d/', 8)]]).folders, [
    { dir: 'a/b', files: 40 },
    { dir: 'a/d', files: 8 },
    { dir: '(root)', files: 2 },
  ]);
});

test('fewer files to keep are the first of more, with the same scores, over random tables', () => {
  const vocabulary = ['alpha', 'beta', 'alphaBeta', 'gamma_alpha', 'beta', 'delta'];
  for (let seed = 1; seed <= 20; seed++) {
    const dice = new Dice(seed);
    const files = Array.from({ length: 600 }, (_, at) => ({
      path: `d${at % 7}/${dice.pick(['x', 'test', 'alpha'])}${at}.${dice.pick(['c', 'h', 'md'])}`,
      bytes: dice.int(1, 1_000),
      words: Array.from({ length: dice.int(1, 40) }, () => dice.pick(vocabulary)),
    }));
    const all = rank('alpha beta -gamma', [files], { keep: 600 });
    const few = rank('alpha beta -gamma', [files], { keep: 7 });
    assert.deepEqual(few.best, all.best.slice(0, 7), `seed ${seed}`);
    assert.deepEqual([few.total, few.folders], [all.total, all.folders]);
  }
});
