/** The tree of src/ is the drawing of the architecture: who may import whom, who may touch the outside, and no way round. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** Room -> rooms that it may import; its own is always allowed. '' are the files at the top. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  base: [],
  security: ['base'],
  ranking: [],
  code: ['base'],
  chunks: ['base', 'ranking'],
  ripgrep: ['base', 'security'],
  search: ['base', 'security', 'ripgrep', 'ranking', 'code', 'chunks'],
  testing: ['base', 'security', 'chunks'],
  tools: ['base', 'security', 'ripgrep', 'search', 'testing', 'chunks'],
  hook: ['base', 'security', 'chunks'],
  jsonrpc: ['base'],
  mcp: ['base', 'jsonrpc', 'tools'],
  '': ['base', 'security', 'ripgrep', 'search', 'testing', 'tools', 'hook', 'jsonrpc', 'mcp'],
};

/** Outside module -> the only files (or rooms, with a slash) that may import it. What is missing here nobody may. */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  'node:fs': ['security/', 'cli.ts', 'server.ts', 'build.ts', 'docs.ts'],
  'node:child_process': ['security/child.ts'],
  'node:path': ['base/config.ts', 'security/'],
  'node:os': ['security/child.ts', 'security/private-folder.ts', 'security/scratch.ts', 'security/process-group.ts', 'cli.ts'],
  'node:stream': ['jsonrpc/connection.ts', 'jsonrpc/writer.ts'],
  'node:string_decoder': ['security/snippet.ts'],
  'node:buffer': ['base/path-bytes.ts', 'ripgrep/scanner.ts'],
  'node:crypto': ['search/cursor.ts', 'security/spool.ts', 'security/spools.ts', 'security/stamp.ts'],
  'node:module': ['base/log.ts', 'build.ts', 'code/parser.ts'],
  'node:util': ['cli.ts'],
  'node:url': ['docs.ts'],
  picomatch: ['ripgrep/glob.ts'],
  ajv: ['build.ts', 'base/validators.d.ts'],
  '@vscode/ripgrep': ['ripgrep/process.ts'],
  '@vscode/tree-sitter-wasm': ['code/parser.ts'],
};

/** Imports that may only be of types: a module for all files, or a room for another one. */
const TYPES_ONLY: readonly string[] = ['node:stream', 'tools>ripgrep'];

/** What may be used only by some files: name -> pattern and files. */
const GLOBALS: Readonly<Record<string, readonly [use: RegExp, files: readonly string[]]>> = {
  'the environment and the streams of the process': [/(?<![#.\w])process\.(?:env|stdin|stdout|stderr)\b/, ['cli.ts']],
  'the arguments of the process': [/(?<![#.\w])process\.argv\b/, ['cli.ts', 'docs.ts']],
  'the end of the process': [/(?<![#.\w])process\.(?:exit|exitCode|abort)\b/, ['cli.ts']],
  console: [/(?<![.\w])console\./, []],
  'the network': [/(?<![.\w])(?:fetch\(|WebSocket\b|EventSource\b|XMLHttpRequest\b)/, []],
  'code made from text': [/(?<![.\w])(?:eval\(|new Function\b)/, []],
  'mutable state of a module': [/^(?:export )?(?:let|var) /m, []],
  'a default export': [/^export default\b/m, []],
};

export function filesOf(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.split(path.sep).join('/'))
    .sort();
}

const withoutComments = (source: string): string => source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');

interface Import {
  readonly from: string;
  readonly isType: boolean;
}

const IMPORT =
  /(?:^|;)\s*(?:import|export)\b([^;'"]*?)\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;

export function importsOf(source: string): Import[] {
  return [...withoutComments(source).matchAll(IMPORT)].map(([, names = '', from, bare, dynamic]) => {
    const inner = /^\s*\{([\s\S]*)\}\s*$/
      .exec(names)?.[1]
      ?.split(',')
      .map((name) => name.trim());
    const isType = /^\s*type\b/.test(names) || (inner?.every((name) => name === '' || name.startsWith('type ')) ?? false);
    return { from: from ?? bare ?? dynamic ?? '', isType };
  });
}

const roomOf = (file: string): string => (file.includes('/') ? (file.split('/')[0] ?? '') : '');

/** A module by its package: node:fs/promises is node:fs, ajv/dist/2020.js is ajv. */
function packageOf(specifier: string): string {
  if (isBuiltin(specifier)) return `node:${specifier.replace(/^node:/, '').split('/')[0]}`;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function wrongImport(file: string, { from, isType }: Import): string | undefined {
  if (from.startsWith('.')) {
    const target = targetOf(file, from);
    const [here, there] = [roomOf(file), roomOf(target)];
    if (target.startsWith('..')) return `${file}: leaves src (${from})`;
    if (here === there) return undefined;
    if (!ROOMS[here]?.includes(there)) return `${file}: room '${here}' may not import room '${there}' (${target})`;
    if (TYPES_ONLY.includes(`${here}>${there}`) && !isType) return `${file}: may import only types of ${target}`;
    return undefined;
  }
  const name = packageOf(from);
  const allowed = MODULES[name];
  if (!allowed?.some((entry) => entry === file || (entry.endsWith('/') && file.startsWith(entry))))
    return `${file}: may not import ${from}`;
  if (TYPES_ONLY.includes(name) && !isType) return `${file}: may import only types of ${from}`;
  return undefined;
}

const targetOf = (file: string, from: string): string =>
  path.posix.normalize(path.posix.join(path.posix.dirname(file), from)).replace(/\.js$/, '.ts');

export function violations(root: string): string[] {
  const found: string[] = [];
  const graph = new Map<string, string[]>();
  for (const file of filesOf(root)) {
    if (file.split('/').length > 2) found.push(`${file}: deeper than two levels`);
    if (!Object.hasOwn(ROOMS, roomOf(file))) found.push(`${file}: in no known room`);
    if (path.posix.basename(file) === 'index.ts') found.push(`${file}: a barrel`);
    const source = readFileSync(path.join(root, file), 'utf8');
    const imports = importsOf(source);
    graph.set(
      file,
      imports.filter(({ from }) => from.startsWith('.')).map(({ from }) => targetOf(file, from)),
    );
    found.push(...imports.map((one) => wrongImport(file, one)).filter((wrong) => wrong !== undefined));
    for (const [what, [use, files]] of Object.entries(GLOBALS)) {
      if (!files.includes(file) && use.test(withoutComments(source))) found.push(`${file}: may not use ${what}`);
    }
  }
  return [...found, ...cyclesOf(graph)];
}

/** Cycles of imports, also of types. */
function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const state = new Map<string, 'open' | 'done'>();
  const visit = (file: string, above: readonly string[]): void => {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') {
      found.push(`cycle: ${[...above.slice(above.indexOf(file)), file].join(' -> ')}`);
      return;
    }
    state.set(file, 'open');
    for (const target of graph.get(file) ?? []) visit(target, [...above, file]);
    state.set(file, 'done');
  };
  for (const file of graph.keys()) visit(file, []);
  return found;
}

/** Entries of the tables that no file needs any more. */
function idleEntries(root: string): string[] {
  const used = new Set<string>();
  for (const file of filesOf(root)) {
    for (const { from } of importsOf(readFileSync(path.join(root, file), 'utf8'))) {
      if (from.startsWith('.')) used.add(`${roomOf(file)} -> ${roomOf(targetOf(file, from))}`);
    }
  }
  return Object.entries(ROOMS)
    .flatMap(([here, rooms]) => rooms.map((there) => `${here} -> ${there}`))
    .filter((edge) => !used.has(edge));
}

const SRC = fileURLToPath(new URL('../../src', import.meta.url));

test('imports follow the table of rooms, capabilities stay where they belong, and there is no cycle', () => {
  assert.deepEqual(violations(SRC), []);
});

test('the table of rooms allows nothing that no file needs', () => {
  assert.deepEqual(idleEntries(SRC), []);
});

test('every file of src says at its top what it owns', () => {
  for (const file of filesOf(SRC)) assert.match(readFileSync(path.join(SRC, file), 'utf8'), /^(?:#![^\n]*\n)?\/\*\* /, file);
});

test('the forms of imports are recognised', () => {
  const source = [
    "import a from 'a';",
    "import type { B } from 'b';",
    "import { type C, type D } from 'c';",
    "import {\n  type E,\n  f,\n} from 'd';",
    "export * from 'e';",
    "export { g } from 'f';",
    "import 'g';",
    "const h = await import('h');",
    "// import i from 'i';",
    "/* import j from 'j'; */",
    'const text = "import k from \'k\'";',
    "import * as l from 'l'; import m from 'm';",
  ].join('\n');
  assert.deepEqual(
    importsOf(source).map(({ from, isType }) => from + (isType ? ':type' : '')),
    ['a', 'b:type', 'c:type', 'd', 'e', 'f', 'g', 'h', 'l', 'm'],
  );
});

const broken: [title: string, files: Record<string, string>, found: string[]][] = [
  [
    'a room that imports one to its right',
    { 'ranking/a.ts': "import { b } from '../ripgrep/b.js';", 'ripgrep/b.ts': '' },
    ["ranking/a.ts: room 'ranking' may not import room 'ripgrep' (ripgrep/b.ts)"],
  ],
  [
    'an import of that kind over several lines',
    { 'base/a.ts': "import {\n  b\n} from '../security/b.js';" },
    ["base/a.ts: room 'base' may not import room 'security' (security/b.ts)"],
  ],
  [
    'an import of types alone',
    { 'jsonrpc/a.ts': "import type { T } from '../tools/t.js';" },
    ["jsonrpc/a.ts: room 'jsonrpc' may not import room 'tools' (tools/t.ts)"],
  ],
  ['a re-export', { 'base/a.ts': "export * from '../tools/t.js';" }, ["base/a.ts: room 'base' may not import room 'tools' (tools/t.ts)"]],
  ['fs outside of security', { 'tools/a.ts': "import { open } from 'node:fs/promises';" }, ['tools/a.ts: may not import node:fs/promises']],
  ['fs without its prefix', { 'tools/a.ts': "import fs from 'fs';" }, ['tools/a.ts: may not import fs']],
  ['fs by a dynamic import', { 'tools/a.ts': "const fs = await import('node:fs');" }, ['tools/a.ts: may not import node:fs']],
  [
    'a process started elsewhere in security',
    { 'security/a.ts': "import { spawn } from 'node:child_process';" },
    ['security/a.ts: may not import node:child_process'],
  ],
  ['the network', { 'mcp/a.ts': "import http from 'node:http';" }, ['mcp/a.ts: may not import node:http']],
  ['a package that is in no table', { 'base/a.ts': "import _ from 'lodash';" }, ['base/a.ts: may not import lodash']],
  [
    'a stream as a value',
    { 'jsonrpc/connection.ts': "import { Readable } from 'node:stream';" },
    ['jsonrpc/connection.ts: may import only types of node:stream'],
  ],
  ['console', { 'search/a.ts': 'console.log(1);' }, ['search/a.ts: may not use console']],
  [
    'the environment',
    { 'base/a.ts': 'const home = process.env.HOME;' },
    ['base/a.ts: may not use the environment and the streams of the process'],
  ],
  ['fetch', { 'tools/a.ts': "await fetch('http://x');" }, ['tools/a.ts: may not use the network']],
  ['mutable state', { 'base/a.ts': 'let count = 0;' }, ['base/a.ts: may not use mutable state of a module']],
  [
    'a cycle',
    { 'ripgrep/a.ts': "import './b.js';", 'ripgrep/b.ts': "import type { A } from './a.js';" },
    ['cycle: ripgrep/a.ts -> ripgrep/b.ts -> ripgrep/a.ts'],
  ],
  ['a folder too deep', { 'base/deep/a.ts': '' }, ['base/deep/a.ts: deeper than two levels']],
  ['a room that nobody knows', { 'utils/a.ts': '' }, ['utils/a.ts: in no known room']],
  ['a barrel', { 'tools/index.ts': '' }, ['tools/index.ts: a barrel']],
  ['an import from outside of src', { 'base/a.ts': "import x from '../../test/x.js';" }, ['base/a.ts: leaves src (../../test/x.js)']],
  ['nothing but comments', { 'base/a.ts': "// import fs from 'node:fs';\n/* console.log(process.env) */" }, []],
];
for (const [title, files, expected] of broken) {
  test(`the checker finds in a broken tree: ${title}`, (t) => {
    const root = mkdtempSync(path.join(tmpdir(), 'ripscope-architecture-'));
    t.after(() => rmSync(root, { recursive: true }));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
      writeFileSync(path.join(root, name), text);
    }
    assert.deepEqual(violations(root), expected);
  });
}
