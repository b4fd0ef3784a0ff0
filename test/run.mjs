// Runs the compiled tests: node test/run.mjs [folder or file below test, without extension]...   e.g. unit/base e2e
import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';

const base = fileURLToPath(new URL('../dist/test/', import.meta.url));
const wanted = process.argv.slice(2).map((name) => name.replace(/^test\//, '').replace(/\.ts$/, ''));
const files = readdirSync(base, { recursive: true })
  .filter(
    (name) => name.endsWith('.test.js') && (wanted.length === 0 || wanted.some((prefix) => name.split(sep).join('/').startsWith(prefix))),
  )
  .sort()
  .map((name) => join(base, name));
if (files.length === 0) {
  process.stderr.write(`no tests match ${wanted.join(' ')}\n`);
  process.exit(1);
}
// A file has this long; the test of many sessions takes a second for each where the machine is busy.
const timeout = 120_000 + 1_000 * Number(process.env.RIPSCOPE_TEST_SESSIONS ?? 0);
const stream = run({ files, concurrency: 2, timeout });
stream.on('test:fail', (event) => {
  if (event.todo === undefined || event.todo === false) process.exitCode = 1;
});
stream.compose(new spec()).pipe(process.stdout);
