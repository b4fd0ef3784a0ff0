/** Which language a path is in. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languageOf } from '#dist/code/language.js';

const CASES: [path: string, text: string | undefined, language: string | undefined][] = [
  ['src/a.ts', undefined, 'typescript'],
  ['a.d.mts', undefined, 'typescript'],
  ['a.tsx', undefined, 'tsx'],
  ['a.jsx', undefined, 'javascript'],
  ['a.cjs', undefined, 'javascript'],
  ['a.pyi', undefined, 'python'],
  ['a.go', undefined, 'go'],
  ['a.rs', undefined, 'rust'],
  ['A.java', undefined, 'java'],
  ['a.h', undefined, 'c'],
  ['a.hh', undefined, 'cpp'],
  ['a.inl', undefined, 'cpp'],
  ['A.H', undefined, 'cpp'],
  ['MAIN.PY', undefined, 'python'],
  ['A.cs', undefined, 'csharp'],
  ['Rakefile', undefined, 'ruby'],
  ['x/Gemfile', undefined, 'ruby'],
  ['a.gemspec', undefined, 'ruby'],
  ['a.php', undefined, 'php'],
  ['a.bash', undefined, 'bash'],
  ['.bashrc', undefined, 'bash'],
  ['run', '#!/bin/sh\n', 'bash'],
  ['run', '#!/usr/bin/env -S node --test\n', 'javascript'],
  ['run', '\uFEFF#!/usr/bin/python3.12 -u\n', 'python'],
  ['run', '#!/usr/bin/awk\n', undefined],
  ['run', 'no first line', undefined],
  ['run', undefined, undefined],
  ['a.kt', '#!/bin/sh\n', undefined],
  ['a.folder/run', '', undefined],
  ['constructor', '', undefined],
  ['a.toString', '', undefined],
  ['', '', undefined],
];
for (const [path, text, language] of CASES) {
  test(`${JSON.stringify(path)}${text === undefined ? '' : ` with ${JSON.stringify(text)}`} is ${language ?? 'in no known language'}`, () =>
    assert.equal(languageOf(path, text), language));
}
