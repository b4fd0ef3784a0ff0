/** What keeps ripgrep within a part of a tree, asked of ripgrep itself. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { rgPath } from '@vscode/ripgrep';
import { inPart, type Part, partGlobs, partRules } from '#dist/ripgrep/part.js';
import { plant } from '../../support/e2e-lab.js';

const TREE = ['a/x/1', 'a/x/2', 'a/y', 'a-b/1', '[z]/!n/1', '[z]/!n/2', '[z]/k', 'b\\/q/1', 'b\\/r', 'c'];
const NAMES = { 'a/x': ['2'], a: ['y'], '': ['a-b', 'c'], '[z]/!n': ['1'], 'b\\': ['q'] };
const WANTED = ['[z]/!n/1', 'a-b/1', 'a/x/2', 'a/y', 'b\\/q/1', 'c'];
const part = (besides: Part['besides']): Part => ({
  names: new Map(Object.entries(NAMES).map(([folder, names]) => [folder, new Set(names)])),
  besides,
});

function listed(args: readonly string[]): string[] {
  const dir = plant(Object.fromEntries(TREE.map((path) => [path, ''])));
  return execFileSync(rgPath, ['--files', '--no-config', '--hidden', ...args, '--', '.'], { cwd: dir, encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replace(/^\.\//, ''))
    .sort();
}

test('a path lies in a part when it is, or lies below, one of its entries', () => {
  assert.deepEqual(TREE.filter(inPart(part(undefined))).sort(), WANTED);
  assert.ok(!inPart(part(undefined))('a'));
});

test('ripgrep lists a part by its rules, where too much lies beside it', { skip: process.platform === 'win32' }, () => {
  const file = join(plant({}), 'rules');
  writeFileSync(file, `${partRules(part(undefined)).join('\n')}\n`);
  assert.deepEqual(listed(['--ignore-file', file]), WANTED);
});

test('ripgrep lists a part by what lies beside it', { skip: process.platform === 'win32' }, () => {
  const beside = part(['a/x/1', '[z]/!n/2', '[z]/k', 'b\\/r']);
  assert.deepEqual(partRules(beside), []);
  assert.deepEqual(listed(partGlobs(beside).flatMap((glob) => ['-g', glob])), WANTED);
});
