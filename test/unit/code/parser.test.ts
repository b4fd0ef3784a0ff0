/** The runtime of the parser: started late, thrown away when it breaks or grows, given up when it cannot start. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultLimits } from '#dist/base/limits.js';
import { SyntaxParser } from '#dist/code/parser.js';
import { StructureReader } from '#dist/code/reader.js';

const limits = defaultLimits();
const VISIT = { grammar: 'tree-sitter-go.wasm', types: ['function_declaration'], parseMs: 5_000 };

test('nothing is started before the first parse', async () => {
  assert.equal(await new SyntaxParser(limits.maxParserMiB).memoryMiB(), 0);
});

test('nodes are visited in the order of the text', async () => {
  const starts: number[] = [];
  const parser = new SyntaxParser(limits.maxParserMiB);
  const visited = await parser.visit('package p\nfunc a() {}\nfunc b() {}', VISIT, (type, node) => starts.push(type, node.startIndex));
  assert.deepEqual(visited, { kind: 'visited', hasErrors: false });
  assert.deepEqual(starts, [0, 10, 0, 22]);
});

test('an error of the visitor passes through, and the parser goes on', async () => {
  const parser = new SyntaxParser(limits.maxParserMiB);
  const visit = (): Promise<unknown> =>
    parser.visit('package p\nfunc a() {}', VISIT, () => {
      throw new Error('mine');
    });
  await assert.rejects(visit, /mine/);
  assert.equal((await parser.visit('package p', VISIT, () => {})).kind, 'visited');
});

test('a parser that cannot start is tried three times and then given up', async () => {
  let starts = 0;
  const parser = new SyntaxParser(limits.maxParserMiB, () => {
    starts++;
    throw new Error('no WebAssembly here');
  });
  const reader = new StructureReader(limits, parser);
  for (let index = 0; index < 5; index++) {
    const { source, reason, definitions } = await reader.read('a.go', 'package p\nfunc a() {\n}\n');
    assert.deepEqual([source, reason, definitions.map(({ name }) => name)], ['fallback', 'parser-failed', ['p', 'a']]);
  }
  assert.equal(starts, 3);
  assert.equal(parser.failure, 'no WebAssembly here');
});

test('a text that fills the memory of the runtime is read by its lines, and the next one has a new runtime', async () => {
  const parser = new SyntaxParser(64);
  const reader = new StructureReader({ ...limits, parseMs: 10_000 }, parser);
  const hostile = await reader.read('a.ts', 'a<b,'.repeat(50_000));
  assert.equal(hostile.reason, 'parser-failed');
  assert.ok(parser.failure !== undefined);
  assert.equal((await reader.read('a.ts', 'class A {}')).source, 'tree');
  assert.ok((await parser.memoryMiB()) < 64);
});

test('a runtime that used half of its memory is replaced', async () => {
  const parser = new SyntaxParser(128);
  const reader = new StructureReader({ ...limits, parseMs: 10_000 }, parser);
  await reader.read('a.js', 'x = f(1);\n'.repeat(60_000));
  assert.equal(await parser.memoryMiB(), 0);
  assert.equal((await reader.read('a.js', 'class A {}')).source, 'tree');
});

test('parses of several languages at once do not meet', async () => {
  const reader = new StructureReader({ ...limits, parseMs: 10_000 }, new SyntaxParser(limits.maxParserMiB));
  const texts: [path: string, text: string][] = [
    ['a.go', 'package p\nfunc f() {}'],
    ['a.py', 'def f(): pass'],
    ['a.rs', 'fn f() {}'],
    ['a.rb', 'def f; end'],
  ];
  const found = await Promise.all([...texts, ...texts].map(([path, text]) => reader.read(path, text)));
  for (const { source, definitions } of found) assert.deepEqual([source, definitions.map(({ name }) => name)], ['tree', ['f']]);
});

test('small sources leave no memory behind (test/bench/structure.mjs parses ten thousand)', async () => {
  const parser = new SyntaxParser(limits.maxParserMiB);
  const reader = new StructureReader({ ...limits, parseMs: 10_000 }, parser);
  const parse = async (count: number): Promise<number> => {
    for (let index = 0; index < count; index++) await reader.read('a.ts', `class A${index} { run() { return ${index}; } }`);
    return await parser.memoryMiB();
  };
  const before = await parse(100);
  assert.equal(await parse(1_000), before);
});
