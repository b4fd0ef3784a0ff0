/** About how many files lie in a folder, over real ones. */
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FileEstimates } from '#dist/search/file-estimates.js';
import { Root } from '#dist/security/root.js';
import { plant } from '../../support/e2e-lab.js';

const estimatesOf = async (paths: readonly string[]): Promise<{ estimates: FileEstimates; dir: string }> => {
  const dir = plant(Object.fromEntries(paths.map((path) => [path, ''])));
  return { estimates: new FileEstimates(await Root.open(dir, { allowSecrets: false })), dir };
};
const numbered = (count: number, path: (i: number) => string): string[] => Array.from({ length: count }, (_, i) => path(i));

test('a folder of few folders is counted', async () => {
  const { estimates } = await estimatesOf(['a/1', 'a/b/1', 'a/b/2', 'a/c/d/1', 'z/1']);
  assert.equal(await estimates.of('a'), 4);
  assert.equal(await estimates.of('a/b'), 2);
});

test('of a folder of many folders some stand for all', async () => {
  const { estimates } = await estimatesOf(numbered(600, (i) => `many/d${Math.floor(i / 3)}/f${i}`));
  assert.equal(await estimates.of('many'), 600);
});

test('a folder that is none, is gone, or lies behind a link counts for nothing', async () => {
  const { estimates, dir } = await estimatesOf(['a/1', 'b/1']);
  symlinkSync(join(dir, 'b'), join(dir, 'a/link'));
  assert.deepEqual(await Promise.all(['a', 'a/1', 'gone'].map((path) => estimates.of(path))), [2, 0, 0]);
});
