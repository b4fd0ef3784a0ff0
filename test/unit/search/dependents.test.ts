/** Which files import a file: resolved ones as edges, what cannot be resolved apart. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tree } from '../../support/e2e-lab.js';
import { exploreTree } from '../../support/explore.js';

const EDGES = /^files that import/;
const CASES: readonly (readonly [what: string, file: string, tree: Tree, expected: readonly string[]])[] = [
  [
    'TypeScript, by every form of an import',
    'src/util.ts',
    {
      'src/util.ts': 'export const x = 1;\n',
      'src/a.ts': 'import { x } from "./util";\n',
      'src/b.ts': 'export * from "./util.js";\n',
      'src/c.js': '\nconst { x } = require("./util");\n',
      'src/d.ts': 'const u = await import("./util.ts");\n',
      'src/e.ts': 'import {\n  x,\n} from "./util";\n',
    },
    ['src/a.ts:1', 'src/b.ts:1', 'src/c.js:2', 'src/d.ts:1', 'src/e.ts:3'],
  ],
  [
    'another file of the same name is not meant',
    'src/util.ts',
    { 'src/util.ts': '', 'lib/util.ts': '', 'lib/a.ts': 'import "./util";\n', 'src/a.ts': 'import "./util";\n' },
    ['src/a.ts:1'],
  ],
  ['a folder by its index', 'src/lib/index.ts', { 'src/lib/index.ts': '', 'src/a.ts': 'import { x } from "./lib";\n' }, ['src/a.ts:1']],
  [
    'words in comments and strings import nothing',
    'src/util.ts',
    { 'src/util.ts': '', 'src/a.ts': '// import "./util"\nlog("./util");\n' },
    [],
  ],
  [
    'Python',
    'p/util.py',
    { 'p/__init__.py': '', 'p/util.py': '', 'p/a.py': 'from .util import x\n', 'b.py': 'import p.util\n' },
    ['b.py:1', 'p/a.py:1'],
  ],
  [
    'Go, by the package',
    'cart/cart.go',
    { 'go.mod': 'module m\n', 'cart/cart.go': 'package cart\n', 'main.go': 'package main\nimport "m/cart"\n' },
    ['main.go:2'],
  ],
  [
    'Rust',
    'src/net.rs',
    { 'src/main.rs': 'mod net;\n', 'src/net.rs': '', 'src/io.rs': 'use crate::net::Socket;\n' },
    ['src/io.rs:1', 'src/main.rs:1'],
  ],
  ['C headers', 'src/util.h', { 'src/util.h': '', 'src/a.c': '#include "util.h"\n#include <stdio.h>\n' }, ['src/a.c:1']],
  [
    'Java',
    'org/shop/Cart.java',
    { 'org/shop/Cart.java': 'package org.shop;\n', 'org/x/A.java': 'package org.x;\nimport org.shop.Cart;\n' },
    ['org/x/A.java:2'],
  ],
  [
    'components of Vue, Svelte and Astro',
    'src/util.ts',
    {
      'src/util.ts': 'export const x = 1;\n',
      'src/A.vue':
        '<template>\n  <p>{{ x }}</p>\n</template>\n<script setup lang="ts" generics="T extends Array<string>">\nimport { x } from "./util";\n</script>\n',
      'src/B.svelte': '<script context="module">\n  import {\n    x,\n  } from "./util.js";\n</script>\n<p>{x}</p>\n',
      'src/C.astro': '---\nimport { x } from "./util";\n---\n<p>{x}</p>\n',
      'src/D.vue': '<template><p>import "./util"</p></template>\n<script lang="ts" src="./util.ts"></script>\n',
      'src/E.vue': '<template><p>import { x } from "./util"</p></template>\n',
    },
    ['src/A.vue:5', 'src/B.svelte:4', 'src/C.astro:2', 'src/D.vue:2'],
  ],
  [
    'a component of Vue, by other files',
    'src/A.vue',
    {
      'src/A.vue': '<script setup>\n</script>\n',
      'src/main.ts': 'import A from "./A.vue";\n',
      'src/B.vue': '<script setup>\nimport A from "./A.vue";\n</script>\n',
    },
    ['src/B.vue:2', 'src/main.ts:1'],
  ],
  ['Ruby', 'lib/cart.rb', { 'lib/cart.rb': '', 'lib/shop.rb': 'require_relative "cart"\n' }, ['lib/shop.rb:1']],
];

for (const [what, file, tree, expected] of CASES) {
  test(`dependents: ${what}`, async () => {
    const reply = await exploreTree(tree, { relation: 'dependents', anchor: file });
    assert.deepEqual(reply.places(EDGES).sort(), expected, reply.text);
  });
}

test('tests stand apart from other files', async () => {
  const tree = { 'src/util.ts': '', 'src/a.ts': 'import "./util";\n', 'test/util.test.ts': 'import "../src/util";\n' };
  const reply = await exploreTree(tree, { relation: 'dependents', anchor: 'src/util.ts' });
  assert.deepEqual(reply.places(EDGES), ['src/a.ts:1']);
  assert.deepEqual(reply.places(/^tests/), ['test/util.test.ts:1']);
});

test('an import that fits by its name alone is said apart', async () => {
  const tree = { 'src/util.ts': '', 'lib/a.ts': 'import "./gone/util";\n' };
  const reply = await exploreTree(tree, { relation: 'dependents', anchor: 'src/util.ts' });
  assert.deepEqual(reply.places(EDGES), []);
  assert.deepEqual(reply.places(/^may import/), ['lib/a.ts:1']);
});

test('of a symbol, its file is meant', async () => {
  const tree = { 'src/util.ts': 'export function helper() {}\n', 'src/a.ts': 'import { helper } from "./util";\n' };
  const reply = await exploreTree(tree, { relation: 'dependents', anchor: 'helper' });
  assert.equal(reply.anchor, 'src/util.ts');
  assert.deepEqual(reply.places(EDGES), ['src/a.ts:1']);
});
