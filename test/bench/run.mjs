/** Runs the benchmarks by hand: node test/bench/run.mjs [--only NAME] [--pairs N] CORPUS_DIR
 *  Build first. docs/benchmarks.md says how to get the corpus and what the rows mean. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { cancel } from './cancel.mjs';
import { capped } from './capped.mjs';
import { concurrency } from './concurrency.mjs';
import { continuation } from './continuation.mjs';
import { gate } from './gate.mjs';
import { describe } from './machine.mjs';
import { memory } from './memory.mjs';
import { partial } from './partial.mjs';
import { ranked } from './ranked.mjs';
import { rare } from './rare.mjs';
import { small } from './small.mjs';
import { start } from './start.mjs';
import { symbols } from './symbols.mjs';
import { zero } from './zero.mjs';

const BENCHMARKS = { rare, zero, capped, gate, ranked, symbols, continuation, partial, small, start, cancel, concurrency, memory };

const { values, positionals } = parseArgs({
  options: { only: { type: 'string', multiple: true }, pairs: { type: 'string', default: '15' } },
  allowPositionals: true,
});
const [corpus] = positionals;
const unknown = (values.only ?? []).find((name) => !(name in BENCHMARKS));
const times = Number(values.pairs);
if (corpus === undefined || positionals.length > 1 || unknown !== undefined || !(times >= 1)) {
  process.stderr.write('usage: node test/bench/run.mjs [--only NAME]... [--pairs N] CORPUS_DIR\n');
  process.stderr.write(`NAME is one of ${Object.keys(BENCHMARKS).join(', ')}\n`);
  process.exit(2);
}

const folder = smallRepository();
try {
  const given = { corpus: path.resolve(corpus), small: folder, times };
  for (const line of await describe(given.corpus)) print(line);
  print(`${times} pairs a row unless fewer make sense`, '');
  print('| what | median (min-max) | floor | goal | | ours / floor |', '|---|---|---|---|---|---|');
  for (const [name, benchmark] of Object.entries(BENCHMARKS)) {
    if (values.only !== undefined && !values.only.includes(name)) continue;
    for (const row of await benchmark(given)) print(line(row));
  }
} finally {
  rmSync(folder, { recursive: true });
}

function line({ what, median, min, max, digits, unit, floor, goal, detail }) {
  const shown = [median, min, max].map((value) => value.toFixed(digits));
  const verdict = floor === undefined ? '' : median > floor ? 'missed' : median > goal ? 'floor' : 'goal';
  const amount = `${shown[0]} (${shown[1]}-${shown[2]})${unit ? ` ${unit}` : ''}`;
  return `| ${[what, amount, floor ?? '-', goal ?? '-', verdict, detail ?? ''].join(' | ')} |`;
}

function print(...lines) {
  for (const text of lines) process.stdout.write(`${text}\n`);
}

/** 30 files, of which every third holds the word that is searched for. */
function smallRepository() {
  const root = mkdtempSync(path.join(tmpdir(), 'ripscope-bench-'));
  for (let n = 0; n < 30; n++) {
    const under = path.join(root, `part${n % 5}`);
    mkdirSync(under, { recursive: true });
    const lines = Array.from({ length: 40 }, (_, at) => `export const value${at} = ${n * at};`);
    if (n % 3 === 0) lines[20] = `export const alpha${n} = beta(${n}, 7);`;
    writeFileSync(path.join(under, `file${n}.ts`), `${lines.join('\n')}\n`);
  }
  return root;
}
