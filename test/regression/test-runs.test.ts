/** Killing a test command kills what it started. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { plant } from '../support/e2e-lab.js';
import { openServer } from '../support/server.js';

// https://github.com/renovatebot/renovate/issues/16197
test('test-grandchild: a timeout of npm test ends its grandchildren, which hold the pipes, and the call comes back', {
  skip: process.platform === 'win32' && 'no process groups there',
}, async () => {
  const grandchild = "setTimeout(() => require('fs').writeFileSync('SURVIVED', ''), 5000)";
  const root = plant({
    'package.json': JSON.stringify({ name: 'testrun', scripts: { test: 'node child.cjs' } }),
    'child.cjs': `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(grandchild)}], { stdio: 'inherit' });\nconsole.log('started'); setInterval(() => {}, 1000);\n`,
  });
  const server = await openServer({ root, format: 'json' });
  const started = performance.now();
  const answer = await server.call('run_test_filtered', { command: 'npm_test', timeoutMs: 2_500 });
  assert.ok(performance.now() - started < 5_000);
  const { timedOut, exitCode, failures } = answer.structured as unknown as {
    timedOut: boolean;
    exitCode: number;
    failures: { lines: string[] }[];
  };
  assert.deepEqual([timedOut, exitCode], [true, 124]);
  assert.match(JSON.stringify(failures), /started/);
  await new Promise((resolve) => setTimeout(resolve, 4_500));
  assert.equal(existsSync(join(root, 'SURVIVED')), false);
});
