import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RootRules, Selection } from '#dist/ripgrep/accept.js';
import {
  globCheckArgs,
  listArgs,
  pruneRules,
  queryArgs,
  type RuleFiles,
  searchArgs,
  type TextQuery,
  type Walk,
} from '#dist/ripgrep/args.js';
import { literalGlob, parseGlob, RuleSet } from '#dist/ripgrep/glob.js';
import { OWN_GLOBS } from '#dist/security/secrets.js';

const EVERYTHING: Selection = { scope: '', isScopeFile: false, globs: [], excluded: [], ignored: false };
const RULES: RootRules = {
  isGit: true,
  usesGitignore: true,
  builtin: ['node_modules/', '*.min.*'],
  rules: new RuleSet([]),
  csignore: undefined,
  notes: [],
};
const WALK: Walk = { selection: EVERYTHING, rules: RULES, pass: 'all', allowsSecrets: false, isSorted: false };
const QUERY: TextQuery = {
  pattern: 'needle',
  isLiteral: false,
  ignoreCase: false,
  word: false,
  multiline: false,
  binary: false,
  encoding: undefined,
  context: 0,
  isFirstOnly: false,
};

const HEAD = ['--no-config', '--hidden', '--no-ignore-global', '--no-ignore-parent'];
const NEVER = ['--iglob', '!.git', ...OWN_GLOBS.flatMap((glob) => ['-g', `!${glob}`])];
const SECRETS = '.env *.pem *.key *.p12 *.pfx id_rsa* id_ed25519* .netrc .npmrc .pypirc **/.aws/credentials'
  .split(' ')
  .flatMap((glob) => ['--iglob', `!${glob}`]);
const BUILTIN = ['-g', '!node_modules/', '-g', '!*.min.*'];
const list = (walk: Partial<Walk>, files: RuleFiles = {}): string[] => listArgs({ ...WALK, ...walk }, files);

test('a listing of everything', () => {
  assert.deepEqual(list({}), ['--files', '--null', ...HEAD, ...NEVER, ...SECRETS, ...BUILTIN, '--', './']);
});

test('a search of everything', () => {
  assert.deepEqual(searchArgs(WALK, QUERY, {}), [
    '--json',
    ...HEAD,
    ...NEVER,
    ...SECRETS,
    ...BUILTIN,
    '--crlf',
    '--engine',
    'auto',
    '-e',
    'needle',
    '--',
    './',
  ]);
});

test('a search with all there is', () => {
  const walk: Walk = {
    selection: { ...EVERYTHING, scope: 'src', globs: [parseGlob('*.ts')], excluded: [parseGlob('*.d.ts'), parseGlob('gen/**')] },
    rules: { ...RULES, isGit: false, csignore: 'x' },
    pass: 'all',
    allowsSecrets: false,
    isSorted: true,
  };
  assert.deepEqual(searchArgs(walk, { ...QUERY, pattern: '-x' }, { prune: '/tmp/1', csignore: '/tmp/2' }), [
    '--json',
    ...HEAD,
    '--no-require-git',
    ...NEVER,
    ...SECRETS,
    '-g',
    '!/**/*.d.ts',
    '-g',
    '!/**/*.d.ts/**',
    '-g',
    '!/gen/**',
    ...BUILTIN,
    '--ignore-file',
    '/tmp/1',
    '--ignore-file',
    '/tmp/2',
    '--sort',
    'path',
    '--crlf',
    '--engine',
    'auto',
    '-e',
    '-x',
    '--',
    './',
  ]);
});

const walks: [title: string, walk: Partial<Walk>, args: string[]][] = [
  ['outside git', { rules: { ...RULES, isGit: false } }, [...HEAD, '--no-require-git', ...NEVER, ...SECRETS, ...BUILTIN]],
  ['without .gitignore', { pass: 'without-gitignore' }, [...HEAD, '--no-ignore-vcs', ...NEVER, ...SECRETS, ...BUILTIN]],
  [
    'under a configuration without .gitignore',
    { rules: { ...RULES, usesGitignore: false } },
    [...HEAD, '--no-ignore-vcs', ...NEVER, ...SECRETS, ...BUILTIN],
  ],
  ['without any rules', { pass: 'none' }, [...HEAD, '--no-ignore', ...NEVER, ...SECRETS]],
  ['of ignored files too', { selection: { ...EVERYTHING, ignored: true } }, [...HEAD, '--no-ignore', ...NEVER, ...SECRETS]],
  ['with secrets allowed, but never .git', { allowsSecrets: true }, [...HEAD, ...NEVER, ...BUILTIN]],
  ['in path order', { isSorted: true }, [...HEAD, ...NEVER, ...SECRETS, ...BUILTIN, '--sort', 'path']],
];
for (const [title, walk, args] of walks)
  test(`a walk ${title}`, () => assert.deepEqual(list(walk), ['--files', '--null', ...args, '--', './']));

const queries: [title: string, query: Partial<TextQuery>, args: string[]][] = [
  ['a literal', { isLiteral: true }, ['--crlf', '-F', '-e', 'needle']],
  ['a regex', {}, ['--crlf', '--engine', 'auto', '-e', 'needle']],
  ['any letter case', { ignoreCase: true }, ['--crlf', '--engine', 'auto', '-i', '-e', 'needle']],
  ['whole words', { isLiteral: true, word: true }, ['--crlf', '-F', '-w', '-e', 'needle']],
  ['lines', { multiline: true }, ['--crlf', '--engine', 'auto', '-U', '-e', 'needle']],
  ['binary files', { binary: true }, ['--crlf', '--engine', 'auto', '-a', '-e', 'needle']],
  ['an encoding', { encoding: 'latin1' }, ['--crlf', '--engine', 'auto', '--encoding', 'latin1', '-e', 'needle']],
  ['context', { context: 3 }, ['--crlf', '--engine', 'auto', '-C', '3', '-e', 'needle']],
  ['the first match only', { isFirstOnly: true }, ['--crlf', '--engine', 'auto', '-m', '1', '-e', 'needle']],
  ['a pattern that looks like a flag', { pattern: '--pre=sh' }, ['--crlf', '--engine', 'auto', '-e', '--pre=sh']],
  ['an empty pattern', { pattern: '', isLiteral: true }, ['--crlf', '-F', '-e', '']],
];
for (const [title, query, args] of queries) test(`a query for ${title}`, () => assert.deepEqual(queryArgs({ ...QUERY, ...query }), args));

test('a pattern is always the value of -e, the only path is the root, and no flag starts another program', () => {
  for (const pattern of ['--pre', '-f/etc/passwd', '--hostname-bin=x', '-z', '--', '']) {
    const args = searchArgs(WALK, { ...QUERY, pattern }, {});
    assert.deepEqual(args.slice(-4), ['-e', pattern, '--', './']);
    assert.ok(!args.slice(0, -4).some((arg) => /^(?:-z|-f|-L|--pre|--hostname-bin|--follow|--search-zip)/.test(arg)));
  }
});

const prunes: [title: string, selection: Partial<Selection>, skip: string[], rules: string[] | undefined][] = [
  ['everything needs none', {}, [], undefined],
  ['a glob', { globs: [parseGlob('*.ts')] }, [], ['*', '!*/', '!/**/*.ts', '!/**/*.ts/**']],
  ['an anchored glob', { globs: [parseGlob('src/*.ts')] }, [], ['*', '!*/', '!/src/*.ts', '!/src/*.ts/**']],
  ['two globs', { globs: [parseGlob('a/**'), parseGlob('b/**')] }, [], ['*', '!*/', '!/a/**', '!/b/**']],
  ['a folder at the top', { scope: 'drivers' }, [], ['/*', '!/drivers/']],
  ['a folder further down', { scope: 'drivers/usb' }, [], ['/*', '!/drivers/', '/drivers/*', '!/drivers/usb/']],
  ['a file', { scope: 'a/b.c', isScopeFile: true }, [], ['/*', '!/a/', '/a/*', '!/a/b.c']],
  ['globs come before the scope', { scope: 'src', globs: [parseGlob('*.c')] }, [], ['*', '!*/', '!/**/*.c', '!/**/*.c/**', '/*', '!/src/']],
  ['a scope with glob characters', { scope: 'a [b]/{c}*?' }, [], ['/*', '!/a \\[b\\]/', '/a \\[b\\]/*', '!/a \\[b\\]/\\{c\\}\\*\\?/']],
  ['a scope that begins with # or !', { scope: '#a/!b', isScopeFile: true }, [], ['/*', '!/\\#a/', '/\\#a/*', '!/\\#a/\\!b']],
  ['a scope that ends in spaces', { scope: 'a  ', isScopeFile: true }, [], ['/*', '!/a[ ][ ]']],
  ['a literal glob', { globs: [literalGlob('a[1].ts')] }, [], ['*', '!*/', '!/a\\[1\\].ts']],
  ['what earlier pages covered', {}, ['a/b', 'c[d].ts'], ['/a/b', '/c\\[d\\].ts']],
  ['what earlier pages covered comes last', { scope: 'src' }, ['src/a'], ['/*', '!/src/', '/src/a']],
];
for (const [title, selection, skip, rules] of prunes) {
  test(`rules for ripgrep: ${title}`, () => {
    assert.equal(
      pruneRules({ selection: { ...EVERYTHING, ...selection } }, skip),
      rules === undefined ? undefined : `${rules.join('\n')}\n`,
    );
  });
}

test('globs are checked as negative ones, over a folder', () => {
  assert.deepEqual(globCheckArgs(['a[', '**/b']), ['--files', '--no-config', '-g', '!/a[', '-g', '!/**/b', '--', './']);
});
