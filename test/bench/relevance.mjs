// How well does ranked search find the files that a fix touched?  By hand, never in the tests.
//   node test/bench/relevance.mjs [--ablate] CORPORA_DIR ISSUES.jsonl...
// Each line of ISSUES.jsonl is {"query": "...", "gold": ["src/a.c", ...]}; the file is named ANYTHING.KEY.jsonl and its tree lies in
// CORPORA_DIR/KEY. Prints MRR@10 and recall@10 per repository and as the mean over repositories; --ablate switches one part of the
// formula off at a time and gives the difference in MRR@10 with a paired bootstrap interval (2,000 resamples, 95 %).
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Deadline } from '../../dist/base/deadline.js';
import { defaultLimits } from '../../dist/base/limits.js';
import { FILE_BM25 } from '../../dist/ranking/bm25.js';
import { DEMOTION, liftedBy } from '../../dist/ranking/path-class.js';
import { createScoring, WEIGHTS } from '../../dist/ranking/score.js';
import { parseTerms, TermMatcher } from '../../dist/ranking/terms.js';
import { Ripgrep } from '../../dist/ripgrep/process.js';
import { rankFiles } from '../../dist/search/rank-files.js';
import { runRankingPass } from '../../dist/search/ranking-pass.js';
import { passesOf, readRootRules } from '../../dist/search/selection.js';
import { Children } from '../../dist/security/child.js';
import { Root } from '../../dist/security/root.js';
import { Scratch } from '../../dist/security/scratch.js';

const args = process.argv.slice(2).filter((arg) => arg !== '--ablate');
const [corpora, ...files] = args;
if (files.length === 0) {
  process.stderr.write('usage: node test/bench/relevance.mjs [--ablate] CORPORA_DIR ISSUES.jsonl...\n');
  process.exit(2);
}
const limits = defaultLimits();
const scratch = new Scratch();
const ripgrep = new Ripgrep({ children: new Children(), scratch, limits, program: undefined });
const quiet = { error() {}, warn() {}, info() {}, debug() {} };
const everything = { scope: '', isScopeFile: false, globs: [], excluded: [], ignored: false };

async function pass(root, rules, query) {
  const context = { root, signal: new AbortController().signal, deadline: new Deadline(60_000), log: quiet, progress: {} };
  const [first] = passesOf(everything, rules, root, { isSorted: false, main: 'all' });
  const terms = parseTerms(query);
  const matcher = new TermMatcher(terms.terms);
  const found = await runRankingPass(ripgrep, first.walk, terms, matcher, first.accepts, context, limits.maxRankedHits);
  return { terms, matcher, found };
}

function rank({ terms, matcher, found }) {
  const scoring = createScoring([found.table], terms, found.end.searched, matcher, liftedBy(terms.words));
  return rankFiles([found.table], terms, scoring, { keep: 10, maxBytes: limits.maxFileBytes }).best.map(({ path }) => path);
}

function measure(queries) {
  return queries.map(({ key, gold, ranked }) => {
    const top = rank(ranked).slice(0, 10);
    const first = top.findIndex((path) => gold.includes(path));
    return { key, mrr: first < 0 ? 0 : 1 / (first + 1), recall: gold.filter((path) => top.includes(path)).length / gold.length };
  });
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Mean over repositories of their means, so that large sets do not dominate. */
function macro(rows, field) {
  const keys = [...new Set(rows.map((row) => row.key))];
  return mean(keys.map((key) => mean(rows.filter((row) => row.key === key).map((row) => row[field]))));
}

/** 95 % interval of the mean difference, by a paired bootstrap with a fixed seed. */
function interval(before, after) {
  let state = 7;
  const random = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
  const differences = before.map((row, index) => after[index].mrr - row.mrr);
  const means = Array.from({ length: 2_000 }, () =>
    mean(differences.map(() => differences[Math.floor(random() * differences.length)])),
  ).sort((a, b) => a - b);
  return [means[50], means[1_949]];
}

const queries = [];
for (const file of files) {
  const key = basename(file).split('.').at(-2);
  const root = await Root.open(join(corpora, key), { allowSecrets: false });
  const rules = await readRootRules(root, { respectGitignore: true, excludeDirs: [] }, limits);
  for (const line of readFileSync(file, 'utf8')
    .split('\n')
    .filter((text) => text.trim() !== '')) {
    const { query, gold } = JSON.parse(line);
    queries.push({ key, query, gold, ranked: await pass(root, rules, query) });
  }
}

const base = measure(queries);
process.stdout.write(`${queries.length} queries\nMRR@10 ${macro(base, 'mrr').toFixed(3)}, recall@10 ${macro(base, 'recall').toFixed(3)}\n`);
for (const key of new Set(base.map((row) => row.key))) {
  const rows = base.filter((row) => row.key === key);
  process.stdout.write(
    `  ${key.padEnd(12)} ${mean(rows.map((row) => row.mrr)).toFixed(3)} ${mean(rows.map((row) => row.recall)).toFixed(3)}\n`,
  );
}
if (process.argv.includes('--ablate')) {
  const parts = [
    ['file score', WEIGHTS, 'file', 0],
    ['window', WEIGHTS, 'window', 0],
    ['best line', WEIGHTS, 'line', 0],
    ['several words in one identifier', WEIGHTS, 'multi', 0],
    ['every word in one identifier', WEIGHTS, 'everyWord', 1],
    ['base name', WEIGHTS, 'baseName', 0],
    ['folder name', WEIGHTS, 'folder', 0],
    ['named place', WEIGHTS, 'place', 0],
    ['length normalisation', FILE_BM25, 'b', 0],
    ...Object.keys(DEMOTION)
      .filter((kind) => DEMOTION[kind] < 1)
      .map((kind) => [`demotion: ${kind}`, DEMOTION, kind, 1]),
  ];
  process.stdout.write('\n| without | MRR@10 | recall@10 | difference in MRR@10 (95 %) |\n|---|---|---|---|\n');
  for (const [name, table, field, off] of parts) {
    const kept = table[field];
    table[field] = off;
    const rows = measure(queries);
    table[field] = kept;
    const [low, high] = interval(base, rows);
    const delta = mean(rows.map((row) => row.mrr)) - mean(base.map((row) => row.mrr));
    process.stdout.write(
      `| ${name} | ${macro(rows, 'mrr').toFixed(3)} | ${macro(rows, 'recall').toFixed(3)} | ${delta.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)}) |\n`,
    );
  }
}
scratch.close();
