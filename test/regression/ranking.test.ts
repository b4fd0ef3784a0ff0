/** Ranked search: an exact symbol stays exact, and its definition comes before its uses. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { rankedPaths, readRanked, shownPaths } from '../ranking/reply.js';
import { makeWorld } from '../support/fixtures.js';
import { sharedForms } from '../support/server.js';

const world = makeWorld();
const FILES: Readonly<Record<string, string>> = {
  'src/cleanup.ts': [
    "import type { Mapping } from './scope.js';",
    '',
    '/** Drops mappings whose scope has ended. */',
    'export function cleanupScopeMappings(mappings: Map<string, Mapping>): number {',
    '  let removed = 0;',
    '  for (const [name, mapping] of mappings) if (mapping.hasEnded && mappings.delete(name)) removed++;',
    '  return removed;',
    '}',
    '',
  ].join('\n'),
  'src/index.ts': "export { cleanupScopeMappings } from './cleanup.js';\nexport { openScope } from './scope.js';\n",
  'src/use.ts': [
    "import { cleanupScopeMappings } from './cleanup.js';",
    "import { openScope } from './scope.js';",
    '',
    'export function run(): void {',
    '  const mappings = openScope();',
    '  cleanupScopeMappings(mappings);',
    '}',
    '',
  ].join('\n'),
  'src/scope.ts': [
    '/** A scope holds mappings; cleanup of a scope happens later. */',
    'export interface Mapping { readonly scope: string; hasEnded: boolean }',
    'export const cleanup = { scope: 1, mappings: 2 };',
    'export function openScope(): Map<string, Mapping> {',
    '  const scopeMappings = new Map<string, Mapping>(); // cleanup the scope mappings when done',
    '  return scopeMappings;',
    '}',
    '',
  ].join('\n'),
  'test/cleanup.test.ts': `import { cleanupScopeMappings } from '../src/cleanup.js';\n${Array.from(
    { length: 30 },
    (_, i) => `test('case ${i}', () => equal(cleanupScopeMappings(mappingsOf(${i})), ${i}));\n`,
  ).join('')}`,
  'docs/cleanup.md': '# Cleanup\n\n`cleanupScopeMappings` drops the mappings of a scope. Call `cleanupScopeMappings` at the end.\n',
  'CHANGELOG.md': '# Changelog\n\n- cleanupScopeMappings returns a number.\n- Added cleanupScopeMappings.\n',
  'src/payments.ts': 'export function charge(cents: number): void {\n  if (cents < 0) throw new RangeError();\n}\n',
};
const root = world.puts('ranking', FILES);
const onTree = sharedForms(() => ({ root }));

for (const query of ['"cleanupScopeMappings"', 'cleanupScopeMappings']) {
  // https://github.com/probelabs/probe/issues/525
  test(`rank-exact-symbol: search_code for ${query} returns only files that hold that very text`, async () => {
    const answer = await (await onTree()).call('search_code', { query, topK: 20, maxChars: 20_000 });
    for (const paths of [rankedPaths(answer.structured), shownPaths(answer.text)]) {
      for (const path of paths) assert.ok(FILES[path]?.includes('cleanupScopeMappings'), `${path}\n${answer.text}`);
      assert.ok(!paths.includes('src/scope.ts'), answer.text);
      for (const path of ['src/cleanup.ts', 'src/index.ts', 'src/use.ts']) assert.ok(paths.includes(path), `${path}\n${answer.text}`);
    }
  });
}

for (const query of ['cleanupScopeMappings', '"cleanupScopeMappings"', 'where is cleanupScopeMappings defined']) {
  // https://github.com/dean0x/skim/issues/411
  test(`rank-definition-first: the definition is the first result of ${query}, before uses, tests, changelog and docs`, async () => {
    const answer = await (await onTree()).call('search_code', { query, topK: 3 });
    const { results = [] } = answer.structured as { results?: { path: string; lines: { line: number }[] }[] };
    assert.equal(results.length, 3);
    assert.equal(results[0]?.path, 'src/cleanup.ts', answer.text);
    assert.ok(
      results[0].lines.some(({ line }) => line === 4),
      answer.text,
    );
    const [first] = readRanked(answer.text).packets;
    assert.equal(first?.path, 'src/cleanup.ts', answer.text);
    assert.ok(
      first.rows.some(({ line }) => line === 4),
      answer.text,
    );
    for (const path of ['test/cleanup.test.ts', 'CHANGELOG.md', 'docs/cleanup.md']) {
      assert.ok(!rankedPaths(answer.structured).slice(0, 3).includes(path), answer.text);
    }
  });
}

// https://github.com/dean0x/skim/issues/411
test('rank-definition-first: a definition in a file of another name comes before a file that calls it more often', async () => {
  const other = world.puts('ranking-calls', {
    'src/retry.ts': 'export async function withRetry(call) {\n  return call();\n}\n',
    'src/gateway.ts': "import { withRetry } from './retry.js';\n\nexport const charge = () => withRetry(fetchCharge);\n",
    'src/refund.ts': "import { withRetry } from './retry.js';\nwithRetry(a);\nwithRetry(b);\nwithRetry(c);\n",
  });
  const answer = await (await sharedForms(() => ({ root: other }))()).call('search_code', { query: 'withRetry', topK: 3 });
  assert.equal(rankedPaths(answer.structured)[0], 'src/retry.ts', answer.text);
});
