/** locate: names with signs are found whole, and a definition comes before all that only mentions it. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { makeWorld } from '../support/fixtures.js';
import { sharedForms } from '../support/server.js';

interface Located {
  readonly results?: readonly { readonly path: string; readonly startLine: number; readonly kind: string; readonly name: string }[];
}

const world = makeWorld();
const names = world.puts('names', {
  'names.js': [
    'const $scope = 1;',
    'use($scope, $scoped);',
    'class A { #priv = 0; get() { return this.#priv; } }',
    'time; start-time; time-period;',
    'a +% b;',
    'function handleRequest() {}',
    'handleRequest2();',
    'operator+ (x);',
    'obj.foo$bar = 2;',
    'na\u00efve = 3; na\u00efvet\u00e9 = 4;',
    'scoped(); private_(); operator++ (x); timer; handleRequests(); xna\u00efve;',
    '',
  ].join('\n'),
});
const onNames = sharedForms(() => ({ root: names }));

const BOUNDARIES: [symbol: string, ...lines: number[]][] = [
  ['$scope', 1, 2],
  ['#priv', 3],
  ['operator+', 8],
  ['+%', 5],
  ['handleRequest', 6],
  ['na\u00efve', 10],
  ['time', 4],
  ['$scoped', 2],
];
for (const [symbol, ...lines] of BOUNDARIES) {
  // https://github.com/BurntSushi/ripgrep/issues/389
  test(`symbol-boundaries: locate finds ${symbol} whole, also where an end of it is no word character`, async () => {
    const answer = await (await onNames()).call('locate', { query: symbol });
    const { results = [] } = answer.structured as Located;
    assert.deepEqual(
      results.map(({ startLine }) => startLine).sort((a, b) => a - b),
      lines,
      answer.text,
    );
    for (const line of lines) assert.match(answer.text, new RegExp(`^names\\.js:${line} `, 'm'));
  });
}

const root = world.puts('first', {
  'src/cleanup.ts': [
    "import type { Mapping } from './scope.js';",
    '',
    '/** cleanupScopeMappings drops what has ended. */',
    'export function cleanupScopeMappings(mappings: Map<string, Mapping>): number {',
    '  return mappings.size;',
    '}',
    '',
  ].join('\n'),
  'src/index.ts': "export { cleanupScopeMappings } from './cleanup.js';\n",
  'src/a.ts': "import { cleanupScopeMappings } from './cleanup.js';\ncleanupScopeMappings(new Map());\n",
  'test/cleanup.test.ts': 'equal(cleanupScopeMappings(mappings), 1);\n'.repeat(30),
  'docs/cleanup.md': '`cleanupScopeMappings` drops mappings.\n',
  'CHANGELOG.md': '- cleanupScopeMappings returns a number.\n',
});
const onTree = sharedForms(() => ({ root }));

for (const query of ['cleanupScopeMappings', '`cleanupScopeMappings`', 'cleanupScopeMappings()', 'cleanup.cleanupScopeMappings']) {
  // https://github.com/dean0x/skim/issues/411
  test(`rank-definition-first: the definition is the first place of ${query}, with its whole range`, async () => {
    const answer = await (await onTree()).call('locate', { query });
    const [first, ...others] = (answer.structured as Located).results ?? [];
    assert.deepEqual([first?.path, first?.startLine, first?.kind], ['src/cleanup.ts', 4, 'function'], answer.text);
    assert.match(answer.text.split('\n')[1] ?? '', /^src\/cleanup\.ts:4-6 @[\w-]{6} {2}function {2}cleanupScopeMappings/);
    const classes = others.map(({ path }) => (path.startsWith('src/') ? 0 : path.startsWith('test/') ? 1 : 2));
    assert.deepEqual(
      classes.filter((_, index) => others[index]?.kind !== 'comment'),
      classes.filter((_, index) => others[index]?.kind !== 'comment').sort(),
      answer.text,
    );
  });
}
