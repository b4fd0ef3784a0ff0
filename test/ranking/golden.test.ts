/** Golden rankings over the corpus: a change of the ranking shows as a diff. `UPDATE_GOLDEN=1` writes the files anew. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import test, { before } from 'node:test';
import { type Lab, openLab, plant } from '../support/e2e-lab.js';
import { RANKING_FOLDER, readCorpus } from './corpus.js';
import { type GoldenQuery, QUERIES } from './queries.js';
import { rankedPaths } from './reply.js';

const SHOWN = 5;
const CHAPTERS = [...new Set(QUERIES.map(({ chapter }) => chapter))];
/** Floors, so that golden files cannot be written anew over a ranking that has come apart. */
const FLOOR = { recallAt1: 0.8, recallAt5: 0.93, mrr: 0.86 };

interface Ranked extends GoldenQuery {
  readonly paths: readonly string[];
  /** 1-based rank of the first expected file; 0 when there is none. */
  readonly rank: number;
}

const corpus = readCorpus();
let lab: Lab;
const ranked: Ranked[] = [];

before(async () => {
  lab = openLab(plant(corpus));
  for (const golden of QUERIES) {
    const { isError, data, text } = await lab.json('search_code', { query: golden.query, maxChars: 20_000, topK: 10, ...golden.args });
    assert.ok(!isError, `${golden.query}: ${text}`);
    const paths = rankedPaths(data);
    ranked.push({ ...golden, paths, rank: paths.findIndex((path) => golden.expected.includes(path)) + 1 });
  }
});

test('the corpus has about 60 files, and every expected file is one of them', () => {
  assert.ok(Object.keys(corpus).length >= 60, `${Object.keys(corpus).length} files`);
  assert.ok(QUERIES.length >= 40, `${QUERIES.length} queries`);
  for (const { query, expected } of QUERIES) for (const path of expected) assert.ok(path in corpus, `${query}: no file ${path}`);
});

for (const chapter of CHAPTERS) {
  test(`the five best files of the ${chapter} queries are those of ${chapter}.golden.txt (UPDATE_GOLDEN=1 writes it)`, () => {
    const lines = ranked
      .filter((one) => one.chapter === chapter)
      .map(({ query, args, expected, paths, rank }) => {
        const options = Object.keys(args ?? {}).length > 0 ? `  ${JSON.stringify(args)}` : '';
        const best = paths.slice(0, SHOWN).map((path, at) => `${expected.includes(path) ? '*' : ' '} ${at + 1} ${path}`);
        return [`? ${query}${options}`, ...best, ...(rank === 0 || rank > SHOWN ? [`! expected ${expected.join(' ')}`] : [])].join('\n');
      });
    compareGolden(`${chapter}.golden.txt`, `${lines.join('\n\n')}\n`);
  });
}

test('recall@1, recall@5 and MRR of all golden queries are those of summary.txt (UPDATE_GOLDEN=1 writes it)', () => {
  const rows = [...CHAPTERS, undefined].map((chapter) => {
    const { queries, recallAt1, recallAt5, mrr } = figuresOf(chapter);
    const columns = [String(queries).padStart(7), recallAt1.toFixed(3).padStart(9), recallAt5.toFixed(3).padStart(9)];
    return `${(chapter ?? 'all').padEnd(12)}${columns.join('')}${mrr.toFixed(3).padStart(8)}`;
  });
  compareGolden('summary.txt', `${['            queries recall@1 recall@5     MRR', ...rows].join('\n')}\n`);
});

test('recall@1, recall@5 and MRR stay above their floors', () => {
  const { recallAt1, recallAt5, mrr } = figuresOf(undefined);
  assert.ok(recallAt1 >= FLOOR.recallAt1, `recall@1 ${recallAt1}`);
  assert.ok(recallAt5 >= FLOOR.recallAt5, `recall@5 ${recallAt5}`);
  assert.ok(mrr >= FLOOR.mrr, `MRR ${mrr}`);
});

test('no golden file is left of a chapter that is gone', () => {
  const files = readdirSync(RANKING_FOLDER).filter((name) => name.endsWith('.golden.txt'));
  assert.deepEqual(files.sort(), CHAPTERS.map((chapter) => `${chapter}.golden.txt`).sort());
});

/** Recall counts queries with an expected file among the first; MRR is the mean of 1 / rank. */
function figuresOf(chapter: string | undefined): { queries: number; recallAt1: number; recallAt5: number; mrr: number } {
  const some = ranked.filter((one) => chapter === undefined || one.chapter === chapter);
  const share = (most: number): number => some.filter(({ rank }) => rank > 0 && rank <= most).length / some.length;
  const mrr = some.reduce((sum, { rank }) => sum + (rank === 0 ? 0 : 1 / rank), 0) / some.length;
  return { queries: some.length, recallAt1: share(1), recallAt5: share(SHOWN), mrr };
}

function compareGolden(name: string, actual: string): void {
  const file = `${RANKING_FOLDER}${name}`;
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, actual);
  // Whole texts: node shows the lines that differ.
  assert.equal(actual, readFileSync(file, 'utf8'), `${name} differs; UPDATE_GOLDEN=1 writes it anew`);
}
