/** What an import says -> the file it means, by the rules of each language. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languageOf } from '#dist/code/language.js';
import type { Import } from '#dist/code/structure.js';
import { ImportResolver } from '#dist/search/imports.js';
import { openLab, plant } from '../../support/e2e-lab.js';

const dir = plant({
  'go.mod': 'module example.org/shop\n\ngo 1.22\n',
  'main.go': '',
  'cart/cart.go': '',
  'src/app.ts': '',
  'src/util.ts': '',
  'src/view.tsx': '',
  'src/plain.js': '',
  'src/types.d.ts': '',
  'src/data.json': '{}',
  'src/lib/index.ts': '',
  'pkg/__init__.py': '',
  'pkg/a.py': '',
  'pkg/sub/__init__.py': '',
  'pkg/sub/b.py': '',
  'crates/x/src/lib.rs': '',
  'crates/x/src/net.rs': '',
  'crates/x/src/net/tcp.rs': '',
  'crates/x/src/io/mod.rs': '',
  'src/main/java/org/shop/Cart.java': '',
  'src/main/java/org/shop/Item.java': '',
  'include/shop/all.h': '',
  'c/local.h': '',
  'c/main.c': '',
  'lib/shop/cart.rb': '',
  'lib/shop.rb': '',
  'php/a.php': '',
  'php/b.php': '',
  'bin/run.sh': '',
  'bin/common.sh': '',
});
const lab = openLab(dir);

type Case = readonly [from: string, module: string, isRelative: boolean, expected: string | undefined, rest?: Partial<Import>];
const CASES: readonly Case[] = [
  ['src/app.ts', './util', true, 'src/util.ts'],
  ['src/app.ts', './util.js', true, 'src/util.ts'],
  ['src/app.ts', './util.ts', true, 'src/util.ts'],
  ['src/app.ts', './view.js', true, 'src/view.tsx'],
  ['src/app.ts', './plain.js', true, 'src/plain.js'],
  ['src/app.ts', './types', true, 'src/types.d.ts'],
  ['src/app.ts', './data.json', true, 'src/data.json'],
  ['src/app.ts', './lib', true, 'src/lib/index.ts'],
  ['src/app.ts', './lib/', true, 'src/lib/index.ts'],
  ['src/lib/index.ts', '..', true, undefined],
  ['src/lib/index.ts', '../util', true, 'src/util.ts'],
  ['src/app.ts', '../../outside', true, undefined],
  ['src/app.ts', './nothing', true, undefined],
  ['src/app.ts', 'react', false, undefined],
  ['pkg/a.py', 'pkg.sub.b', false, 'pkg/sub/b.py'],
  ['pkg/a.py', '.sub', true, 'pkg/sub/b.py', { names: [{ name: 'b' }] }],
  ['pkg/a.py', '.sub.b', true, 'pkg/sub/b.py', { names: [{ name: 'run' }] }],
  ['pkg/sub/b.py', '..a', true, 'pkg/a.py', { names: [{ name: 'x' }] }],
  ['pkg/sub/b.py', '..', true, 'pkg/a.py', { names: [{ name: 'a' }] }],
  ['pkg/a.py', 'pkg', false, 'pkg/__init__.py'],
  ['pkg/a.py', 'os.path', false, undefined],
  ['main.go', 'example.org/shop/cart', false, 'cart'],
  ['cart/cart.go', 'example.org/shop', false, ''],
  ['main.go', 'fmt', false, undefined],
  ['crates/x/src/lib.rs', 'net', true, 'crates/x/src/net.rs', { kind: 'module' }],
  ['crates/x/src/lib.rs', 'io', true, 'crates/x/src/io/mod.rs', { kind: 'module' }],
  ['crates/x/src/net.rs', 'tcp', true, 'crates/x/src/net/tcp.rs', { kind: 'module' }],
  ['crates/x/src/io/mod.rs', 'crate::net', true, 'crates/x/src/net.rs', { names: [{ name: 'Socket' }] }],
  ['crates/x/src/io/mod.rs', 'crate::net', true, 'crates/x/src/net/tcp.rs', { names: [{ name: 'tcp' }] }],
  ['crates/x/src/lib.rs', 'std::io', false, undefined, { names: [{ name: 'Read' }] }],
  ['src/main/java/org/shop/Item.java', 'org.shop.Cart', false, 'src/main/java/org/shop/Cart.java'],
  ['src/main/java/org/shop/Item.java', 'java.util.List', false, undefined],
  ['c/main.c', 'local.h', true, 'c/local.h'],
  ['c/main.c', 'shop/all.h', false, 'include/shop/all.h'],
  ['c/main.c', 'stdio.h', false, undefined],
  ['lib/shop.rb', 'shop/cart', true, 'lib/shop/cart.rb'],
  ['lib/shop.rb', 'shop/cart', false, 'lib/shop/cart.rb'],
  ['lib/shop.rb', 'json', false, undefined],
  ['php/a.php', 'b.php', true, 'php/b.php'],
  ['bin/run.sh', 'common.sh', true, 'bin/common.sh'],
];

for (const [from, module, isRelative, expected, rest] of CASES) {
  const names = rest?.names?.map(({ name }) => name).join(', ');
  test(`${from}: ${module}${names === undefined ? '' : ` (${names})`} means ${expected === undefined ? 'nothing here' : expected || 'the root'}`, async () => {
    const resolver = new ImportResolver((await lab.context()).root);
    const one: Import = { kind: 'import', module, names: [], line: 1, isRelative, ...rest };
    assert.equal((await resolver.resolve(from, languageOf(from), one)).path, expected);
  });
}
