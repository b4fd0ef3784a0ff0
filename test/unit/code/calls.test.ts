/** Calls, with what they are called on and in what they stand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calls } from './outline.js';

const CASES: [title: string, path: string, lines: string[], found: string[]][] = [
  [
    'loops of C that the grammar takes for functions',
    'a.c',
    ['void walk(void)', '{', '\tfor_each_online_cpu(cpu) {', '\t\tuse(cpu);', '\t}', '}'],
    ['for_each_online_cpu 3:1 in walk', 'use 4:2 in walk'],
  ],
  [
    'calls, methods and constructors',
    'a.ts',
    [
      'function f() {',
      '  a();',
      '  b.c.d(1);',
      '  new E.F();',
      '  super.g();',
      '  a?.h?.();',
      '  x.map((y) => i(y));',
      '}',
      'j();',
      'class K { l = m(); n() { return this.o(); } }',
    ],
    [
      'a 2:2 in f',
      'b.c|d 3:6 in f',
      'E|F 4:8 in f',
      'super|g 5:8 in f',
      'a|h 6:5 in f',
      'x|map 7:4 in f',
      'i 7:15 in f',
      'j 9:0 in top',
      'm 10:14 in K.l',
      'this|o 10:37 in K.n',
    ],
  ],
  ['components', 'a.tsx', ['const V = () => <A.B><C x={d()} /><div /></A.B>;'], ['A|B 1:19 in V', 'C 1:22 in V', 'd 1:27 in V']],
  [
    'calls of Python',
    'a.py',
    ['@deco(1)', 'def f():', '    a()', '    b.c(1).d()', '    self.x = e()', '    return [g(x) for x in h()]', 'class K:', '    y = i()'],
    ['deco 1:1 in f', 'a 3:4 in f', 'b|c 4:6 in f', 'b.c(1)|d 4:11 in f', 'e 5:13 in f', 'g 6:12 in f', 'h 6:26 in f', 'i 8:8 in K.y'],
  ],
  [
    'calls of Go',
    'a.go',
    [
      'package p',
      'func f() {',
      '\ta()',
      '\tb.C.D(1)',
      '\tg[int](1)',
      '\th[int, string](1)',
      '\tgo func() { i() }()',
      '\tdefer x.Close()',
      '}',
      'var v = j()',
    ],
    ['a 3:1 in f', 'b.C|D 4:5 in f', 'g 5:1 in f', 'h 6:1 in f', 'i 7:13 in f', 'x|Close 8:9 in f', 'j 10:8 in v'],
  ],
  [
    'calls of Rust, also in macros',
    'a.rs',
    ['fn f() {', '    a();', '    b::c(1);', '    self.d.e();', '    g::<u8>(1);', '    println!("{}", h(1));', '    m::n!();', '}'],
    ['a 2:4 in f', 'b|c 3:7 in f', 'self.d|e 4:11 in f', 'g 5:4 in f', 'println 6:4 in f', 'h 6:19 in f', 'm|n 7:7 in f'],
  ],
  [
    'calls of Java',
    'A.java',
    [
      'class A {',
      '  void f() {',
      '    a();',
      '    b.c.d(1);',
      '    new E<F>();',
      '    this.g();',
      '    list.map(H::i);',
      '  }',
      '  A() { super(); }',
      '}',
    ],
    ['a 3:4 in A.f', 'b.c|d 4:8 in A.f', 'E 5:8 in A.f', 'this|g 6:9 in A.f', 'list|map 7:9 in A.f', 'H|i 7:16 in A.f', 'super 9:8 in A.A'],
  ],
  [
    'calls of C, also in macros',
    'a.c',
    [
      '#define M(x) do { helper(x); } while (0)',
      'int f(void)',
      '{',
      '\ta(b(1));',
      '\tp->q->r(1);',
      '\tif (c())',
      '\t\treturn sizeof(int);',
      '}',
    ],
    ['helper 1:18 in M', 'a 4:1 in f', 'b 4:3 in f', 'p->q|r 5:7 in f', 'c 6:5 in f'],
  ],
  [
    'calls of C++',
    'a.cpp',
    ['void A::f() {', '  a();', '  x.b();', '  y->c<int>(1);', '  n::m::d();', '  new E(1);', '  auto l = [] { g(); };', '}'],
    ['a 2:2 in A.f', 'x|b 3:4 in A.f', 'y|c 4:5 in A.f', 'n::m|d 5:8 in A.f', 'E 6:6 in A.f', 'g 7:16 in A.f'],
  ],
  [
    'calls of C#',
    'A.cs',
    ['class A { void F() { B(); c.D(); c?.E(); G<int>(); h.I<int>(); new J(); } }'],
    ['B 1:21 in A.F', 'c|D 1:28 in A.F', 'c|E 1:36 in A.F', 'G 1:41 in A.F', 'h|I 1:53 in A.F', 'J 1:67 in A.F'],
  ],
  [
    'calls of Ruby',
    'a.rb',
    ['def f', '  a(1)', '  b.c', '  D::E.new(2).g', "  puts 'x'", 'end'],
    ['a 2:2 in f', 'b|c 3:4 in f', 'D::E|new 4:7 in f', 'D::E.new(2)|g 4:14 in f', 'puts 5:2 in f'],
  ],
  [
    'calls of PHP',
    'a.php',
    ['<?php', 'function f() { a(); $b->c(); D::e(); new G(); \\H\\i(); $j?->k(); }'],
    ['a 2:15 in f', '$b|c 2:24 in f', 'D|e 2:32 in f', 'G 2:41 in f', '\\H|i 2:49 in f', '$j|k 2:59 in f'],
  ],
  [
    'commands of a shell',
    'a.sh',
    ['f() {', '  grep x | wc -l', '  echo "$(date)"', '}', 'f'],
    ['grep 2:2 in f', 'wc 2:11 in f', 'echo 3:2 in f', 'date 3:10 in f', 'f 5:0 in top'],
  ],
  ['calls without a grammar', 'a.kt', ['fun f() {', '  a(b.c(1))', '  // no()', '  if (x) return', '}'], ['a 2:2 in f', 'b|c 2:6 in f']],
];
for (const [title, path, lines, found] of CASES) {
  test(`finds in ${path}: ${title}`, async () => assert.deepEqual(await calls(path, lines.join('\n')), found));
}
