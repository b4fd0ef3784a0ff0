/** The documentation says what the tables say, and the commands of the README exist. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { PAGES } from '#dist/docs.js';

const project = new URL('../../', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, project), 'utf8');

for (const [name, page] of Object.entries(PAGES)) {
  test(`docs/${name} is what the tables say (npm run docs writes it)`, () => assert.equal(read(`docs/${name}`), page()));
}

test('every local link in README and docs leads to a file', () => {
  for (const name of ['README.md', 'CHANGELOG.md', ...readdirSync(new URL('docs/', project)).map((file) => `docs/${file}`)]) {
    for (const [, target = ''] of read(name).matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
      assert.doesNotThrow(() => readFileSync(new URL(target, new URL(name, project))), `${name} links to ${target}`);
    }
  }
});

test('every npm script that README and docs name exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  for (const name of ['README.md', ...readdirSync(new URL('docs/', project)).map((file) => `docs/${file}`)]) {
    for (const [, script = ''] of read(name).matchAll(/npm run (?:-s )?([\w:-]+)/g))
      assert.ok(scripts[script], `${name} names npm run ${script}`);
  }
});

test('.ci/run runs exactly the test command of the README', () => {
  const command = /```sh\n(npm ci[^\n]*npm test[^\n]*|npm test)\n```/.exec(read('README.md'))?.[1];
  assert.ok(command !== undefined, 'the README has a test command in a block of its own');
  assert.ok(read('.ci/run').includes(command), `.ci/run runs: ${command}`);
});
