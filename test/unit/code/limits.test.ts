/** Every text has an answer, in bounded time and memory: what is too large, too deep, broken or made to hurt. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { defaultLimits } from '#dist/base/limits.js';
import { StructureReader } from '#dist/code/reader.js';
import type { SourceStructure } from '#dist/code/structure.js';
import { EVERYTHING, parser } from './outline.js';

const limits = defaultLimits();
const reader = new StructureReader(limits, parser);
/** Most of what hurts uses up its time, whatever that is. */
const hasty = new StructureReader({ ...limits, parseMs: 100 }, parser);
/** Parsing, finding and falling back together; slow machines included. */
const MOST_MS = 10_000;

async function readInTime(path: string, text: string, by = hasty): Promise<SourceStructure> {
  const start = performance.now();
  const structure = await by.read(path, text, { wanted: EVERYTHING });
  assert.ok(performance.now() - start < MOST_MS, `${path} took ${Math.round(performance.now() - start)} ms`);
  return structure;
}

const PATHS = 'a.ts a.tsx a.js a.py a.go a.rs A.java a.c a.cpp A.cs a.rb a.php a.sh a.kt'.split(' ');

const HOSTILE: [title: string, text: string][] = [
  ['a hundred thousand parentheses', '('.repeat(100_000)],
  ['a hundred thousand braces', '{'.repeat(100_000)],
  ['nested blocks', 'if(a){'.repeat(50_000)],
  ['nested templates', '`${'.repeat(50_000)],
  ['generics that never close', 'a<b,'.repeat(50_000)],
  ['a megabyte in one line', 'x = f(1); '.repeat(100_000)],
  ['a million line feeds', '\n'.repeat(1_000_000)],
  ['replacement characters and NULs', '\uFFFD\0'.repeat(50_000)],
  ['attributes without end', `${'__attribute__(('.repeat(20_000)}MODULE_X(`],
  ['modifiers without a name', 'static '.repeat(50_000)],
  ['headers without a body', 'void f(\n'.repeat(50_000)],
];
for (const [title, text] of HOSTILE) {
  test(`an answer comes in time for ${title}`, async () => {
    for (const path of PATHS) await readInTime(path, text);
  });
}

test('five megabytes are read by their lines', async () => {
  const structure = await readInTime('a.c', 'int f(int a)\n{\n\treturn g(a);\n}\n'.repeat(160_000));
  assert.deepEqual([structure.source, structure.reason, structure.isCut], ['fallback', 'too-large', true]);
  assert.equal(structure.definitions.length, limits.maxDefinitions);
});

test('only the head of a huge text is looked at, and the structure says so', async () => {
  const short = new StructureReader({ ...limits, maxParseChars: 0, maxScanChars: 100 }, parser);
  const structure = await short.read('a.ts', 'function f() {\n}\n'.repeat(10));
  assert.deepEqual([structure.definitions.length, structure.isCut], [6, true]);
});

test('what takes too long is read by its lines', async () => {
  const slow = new StructureReader({ ...limits, parseMs: 10 }, parser);
  const structure = await slow.read('a.ts', 'function f() { return [1, 2, 3].map((x) => x); }\n'.repeat(20_000));
  assert.deepEqual([structure.source, structure.reason], ['fallback', 'out-of-time']);
  assert.ok(structure.definitions.length > 0);
});

test('a call that was cancelled is not parsed', async () => {
  const structure = await reader.read('a.ts', 'class A {\n}', { signal: AbortSignal.abort() });
  assert.deepEqual([structure.source, structure.reason, structure.definitions[0]?.name], ['fallback', 'cancelled', 'A']);
});

test('definitions and calls beyond their bounds are left out, and the structure says so', async () => {
  const small = new StructureReader({ ...limits, maxDefinitions: 3, maxCalls: 2 }, parser);
  const text = 'function f() { g(); }\n'.repeat(5);
  const structure = await small.read('a.ts', text, { wanted: EVERYTHING });
  assert.deepEqual([structure.definitions.length, structure.calls.length, structure.isCut], [3, 2, true]);
  assert.equal((await reader.read('a.ts', text)).isCut, false);
});

const SOURCES: Readonly<Record<string, string>> = {
  'a.ts': `export class A<T> extends B {\n  #x = 1;\n  run(a: string): void { const f = () => \`a \${b(c)}\`; }\n}\nenum E { A }\n`,
  'a.py': '@deco\nclass A(B):\n    x: int = 1\n    def f(self, a):\n        self.y = g(f"{a}")\n',
  'a.go': 'package p\ntype S struct { A int }\nfunc (s *S) F() { go func() { g() }() }\nconst ( A = iota; B )\n',
  'a.rs': '#[derive(D)]\npub enum E { A(u8) }\nimpl T for E { fn f(&self) { m!(g(1)); } }\ncfg! { fn x() {} }\n',
  'A.java': 'class A<T> { @O int f() { return new R() { void g() {} }.h(); } enum E { X } }\n',
  'a.c': '#ifdef X\nstatic int __init f(struct s *p)\n#else\nint f(void)\n#endif\n{\n\treturn g(p);\n}\nDEFINE_MUTEX(m);\n',
  'a.cpp': 'template <class T> class A : B { A(); ~A() {} T operator+(T); };\nint A<int>::f() { return [] { return g(); }(); }\n',
  'A.cs': 'namespace N; record R(int X) { public int P { get; } event E F; int G() => h?.I(); }\n',
  'a.rb': 'module M\n  class A < B\n    attr_reader :a\n    def f(x) = "#{g(x)}"\n  end\nend\n',
  'a.php': '<?php namespace N; class A { public $x; function f() { return $this->g()["a"]; } }\n',
  'a.sh': 'f() { local x=$(g "a $(h)"); }\ncat <<EOF\n$(i)\nEOF\n',
  'a.kt': 'data class A(val x: Int) {\n  fun f() = g(x)\n}\n',
};

test('a source that was cut, mixed and spoiled gives plain data in order (seed 7)', async () => {
  const cut = fc.record({
    path: fc.constantFrom(...Object.keys(SOURCES)),
    text: fc
      .array(
        fc.record({
          source: fc.constantFrom(...Object.values(SOURCES)),
          from: fc.nat(120),
          length: fc.nat(200),
          noise: fc.string({ maxLength: 4, unit: 'binary' }),
        }),
        { maxLength: 4 },
      )
      .map((parts) => parts.map(({ source, from, length, noise }) => source.slice(from, from + length) + noise).join('')),
  });
  await fc.assert(
    fc.asyncProperty(cut, async ({ path, text }) => {
      const structure = await readInTime(path, text);
      const lines = text.split('\n').length;
      for (const [index, definition] of structure.definitions.entries()) {
        const { startLine, nameLine, endLine, parent, name } = definition;
        assert.ok(startLine >= 1 && startLine <= nameLine && nameLine <= endLine && endLine <= lines, `${name} ${startLine}-${endLine}`);
        assert.ok(parent < index && name !== '' && startLine >= (structure.definitions[parent]?.startLine ?? 1));
      }
      for (const { line, within } of structure.calls) assert.ok(line <= lines && within < structure.definitions.length);
      for (const { line } of structure.imports) assert.ok(line >= 1 && line <= lines);
    }),
    { seed: 7, numRuns: 500 },
  );
});

test('any text at all gives an answer (seed 11)', async () => {
  const any = fc.tuple(fc.constantFrom(...PATHS), fc.string({ unit: 'binary', maxLength: 300 }));
  await fc.assert(
    fc.asyncProperty(any, async ([path, text]) => void (await readInTime(path, text))),
    { seed: 11, numRuns: 500 },
  );
});
