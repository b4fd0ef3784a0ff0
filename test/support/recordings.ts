/** The recorded outputs of real test runners (test/recordings/), put through the filter as a run does it. */
import { readdirSync, readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { defaultLimits } from '#dist/base/limits.js';
import { LineCleaner } from '#dist/testing/clean-line.js';
import { LineCutter } from '#dist/testing/line-cutter.js';
import { TestFilter, type TestResult } from '#dist/testing/test-filter.js';

const folder = new URL('../../../test/recordings/', import.meta.url);
const limits = defaultLimits();

export const RECORDINGS: readonly string[] = readdirSync(folder)
  .filter((name) => name.endsWith('.txt.br'))
  .map((name) => name.slice(0, -'.txt.br'.length));

export const recording = (name: string): Buffer => brotliDecompressSync(readFileSync(new URL(`${name}.txt.br`, folder)));

export function filterOf(output: Buffer, chunkBytes = 65_536): TestResult {
  const filter = new TestFilter(limits);
  const cutter = new LineCutter(limits.testLineBytes);
  const cleaner = new LineCleaner('/project', limits.testLineChars);
  const take = (line: Buffer): void => {
    if (cutter.goesOn) cleaner.hold(line);
    else filter.take(cleaner.clean(line));
  };
  for (let at = 0; at < output.length; at += chunkBytes) for (const line of cutter.push(output.subarray(at, at + chunkBytes))) take(line);
  const rest = cutter.end();
  if (rest !== undefined) take(rest);
  return filter.result;
}
