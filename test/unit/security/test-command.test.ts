/** Which commands may run tests, with which arguments, and what a missing project or program says. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { testEnvironment } from '#dist/base/test-environment.js';
import { findProgram, type Places } from '#dist/security/program.js';
import { Root } from '#dist/security/root.js';
import { TestCommands } from '#dist/security/test-command.js';
import { plant } from '../../support/e2e-lab.js';

const MODE = 0o755;
const program = '#!/bin/sh\n';

async function prepare(name: string, files: Record<string, string>, given?: string, commands: Record<string, string[]> = {}) {
  const dir = plant({
    'bin/npm': program,
    'bin/pnpm': program,
    'bin/yarn': program,
    'bin/pytest': program,
    'bin/go': program,
    'bin/cargo': program,
    ...files,
  });
  for (const each of ['npm', 'pnpm', 'yarn', 'pytest', 'go', 'cargo']) chmodSync(`${dir}/bin/${each}`, MODE);
  const root = await Root.open(dir, { allowSecrets: false });
  const start = await new TestCommands({ commands, environment: { PATH: `${dir}/bin` } }).prepare(name, root, given);
  return { args: start.args, cwd: start.cwd.slice(root.path.length), notes: start.notes };
}

const PACKAGE = { 'package.json': '{"scripts":{"test":"x"}}' };
const GO = { 'go.mod': 'module x\n', 'pkg/a_test.go': '', 'pkg/deep/b.go': '' };
const CARGO = { 'Cargo.toml': '', 'src/lib.rs': '', 'src/net/mod.rs': '', 'src/net/dns.rs': '', 'tests/cli.rs': '', 'README.md': '' };
const posix = { skip: process.platform === 'win32' && 'programs are found otherwise there' };

const cases: [name: string, files: Record<string, string>, path: string | undefined, args: string[], cwd?: string][] = [
  ['npm_test', PACKAGE, undefined, ['test']],
  ['npm_test', { ...PACKAGE, 'a.test.js': '' }, 'a.test.js', ['test', '--', 'a.test.js']],
  ['npm_test', { ...PACKAGE, '-a.js': '' }, './-a.js', ['test', '--', './-a.js']],
  ['npm_test', { 'web/package.json': PACKAGE['package.json'], 'web/t/a.js': '' }, 'web/t/a.js', ['test', '--', 't/a.js'], '/web'],
  ['npm_test', { ...PACKAGE, 'web/package.json': '{}', 'web/a.js': '' }, 'web/a.js', ['test', '--', 'web/a.js']],
  ['pnpm_test', { ...PACKAGE, 'a.js': '' }, 'a.js', ['test', 'a.js']],
  ['yarn_test', { ...PACKAGE, 'a.js': '' }, 'a.js', ['test', 'a.js']],
  ['node_test', {}, undefined, ['--test']],
  ['node_test', { 'a.js': '' }, 'a.js', ['--test', 'a.js']],
  ['pytest', {}, undefined, ['-q']],
  ['pytest', { 't/a.py': '' }, 't', ['-q', 't']],
  ['go_test', GO, undefined, ['test', './...']],
  ['go_test', GO, 'pkg', ['test', './pkg/...']],
  ['go_test', GO, 'pkg/a_test.go', ['test', './pkg']],
  ['cargo_test', CARGO, undefined, ['test', '--no-fail-fast']],
  ['cargo_test', CARGO, 'tests/cli.rs', ['test', '--no-fail-fast', '--test', 'cli']],
  ['cargo_test', CARGO, 'src/net/dns.rs', ['test', '--no-fail-fast', 'net::dns::']],
  ['cargo_test', CARGO, 'src/net/mod.rs', ['test', '--no-fail-fast', 'net::']],
  ['cargo_test', CARGO, 'src/lib.rs', ['test', '--no-fail-fast']],
  ['pytest', { '@a.py': '' }, '@a.py', ['-q', './@a.py']],
  ['pytest', { '-p/a.py': '' }, './-p', ['-q', './-p']],
  ['go_test', { ...GO, '-x/a_test.go': '' }, './-x', ['test', './-x/...']],
  ['node_test', { '-r.js': '' }, './-r.js', ['--test', './-r.js']],
  ['cargo_test', { ...CARGO, 'tests/--nocapture.rs': '' }, 'tests/--nocapture.rs', ['test', '--no-fail-fast', '--test=--nocapture']],
  ['cargo_test', { ...CARGO, 'tests/-x/main.rs': '' }, 'tests/-x', ['test', '--no-fail-fast', '--test=-x']],
];
for (const [name, files, path, args, cwd = ''] of cases) {
  test(`${name} ${path ?? ''} in ${Object.keys(files)[0] ?? 'an empty folder'} runs ${args.join(' ')}`, posix, async () => {
    const start = await prepare(name, files, path);
    assert.deepEqual([start.args, start.cwd.replace(/\/$/, '')], [args, cwd]);
  });
}

const refused: [name: string, files: Record<string, string>, path: string | undefined, code: string, says: RegExp][] = [
  ['npm_tst', {}, undefined, 'test_command_unknown', /Did you mean "npm_test"/],
  ['constructor', {}, undefined, 'test_command_unknown', /not a test command/],
  ['npm_test', {}, undefined, 'test_project_missing', /package\.json is not there/],
  ['npm_test', { 'package.json': '{}' }, undefined, 'test_project_missing', /package\.json has no script "test"/],
  [
    'npm_test',
    { 'package.json': '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}' },
    undefined,
    'test_project_missing',
    /no script/,
  ],
  ['go_test', {}, undefined, 'test_project_missing', /go\.mod/],
  ['cargo_test', {}, undefined, 'test_project_missing', /Cargo\.toml/],
  ['cargo_test', CARGO, 'README.md', 'test_path_unusable', /README\.md/],
  ['cargo_test', { ...CARGO, 'src/--config=evil.rs': '' }, 'src/--config=evil.rs', 'test_path_unusable', /--config=evil\.rs/],
  ['cargo_test', { ...CARGO, 'src/-Z/mod.rs': '' }, 'src/-Z', 'test_path_unusable', /-Z/],
  ['pytest', {}, '../x', 'path_outside_root', /outside/],
  ['pytest', {}, '/etc/passwd', 'path_outside_root', /outside/],
  ['pytest', {}, 'absent.py', 'path_missing', /absent\.py/],
];
for (const [name, files, path, code, says] of refused) {
  test(`${name} ${path ?? ''} is refused: ${code} ${says}`, posix, async () => {
    await assert.rejects(
      prepare(name, files, path),
      (error: { code?: string; message: string }) => error.code === code && says.test(error.message),
    );
  });
}

const MARKERS = [
  ['npm_test', 'package.json'],
  ['pnpm_test', 'package.json'],
  ['yarn_test', 'package.json'],
  ['go_test', 'go.mod'],
  ['cargo_test', 'Cargo.toml'],
] as const;
for (const [name, marker] of MARKERS) {
  for (const [what, make, says] of [
    ['a named pipe', (file: string) => spawnSync('mkfifo', [file]), /is a named pipe, which is never opened\.$/],
    ['a link to a device', (file: string) => symlinkSync('/dev/zero', file), /links to a place outside the root\.$/],
    [
      'a link to a file outside the root',
      (file: string) => symlinkSync(fileURLToPath(import.meta.url), file),
      /links to a place outside the root\.$/,
    ],
    ['a folder', (file: string) => mkdirSync(file), /is a folder\.$/],
    ['larger than any', (file: string) => writeFileSync(file, ' '.repeat(1_048_577)), /is larger than 1048576 bytes\.$/],
  ] as const) {
    test(`${name} does not open a ${marker} that is ${what}`, { ...posix, timeout: 5_000 }, async () => {
      const dir = plant({ 'pkg/a.txt': '' });
      make(join(dir, marker));
      const root = await Root.open(dir, { allowSecrets: false });
      const commands = new TestCommands({ commands: {}, environment: { PATH: '/nonexistent' } });
      await assert.rejects(
        commands.prepare(name, root, 'pkg'),
        (error: { code?: string; message: string }) =>
          error.code === 'test_project_missing' && says.test(error.message) && error.message.split(marker).length === 3,
      );
    });
  }
}

test('a package.json that is a link within the root is followed', posix, async () => {
  const dir = plant({ 'shared/p.json': PACKAGE['package.json'], 'bin/npm': program });
  chmodSync(join(dir, 'bin/npm'), MODE);
  symlinkSync('shared/p.json', join(dir, 'package.json'));
  const root = await Root.open(dir, { allowSecrets: false });
  const start = await new TestCommands({ commands: {}, environment: { PATH: join(dir, 'bin') } }).prepare('npm_test', root, undefined);
  assert.deepEqual(start.args, ['test']);
});

test('the program must be on the PATH that the command gets', posix, async () => {
  const root = await Root.open(plant(PACKAGE), { allowSecrets: false });
  await assert.rejects(new TestCommands({ commands: {}, environment: { PATH: '/nonexistent' } }).prepare('npm_test', root, undefined), {
    code: 'test_program_missing',
  });
});

test("an operator's command takes a path only where it says so", posix, async () => {
  const commands = { unit: ['npm', 'run', 'unit', '--', '{path}'], all: ['npm', 'run', 'all'] };
  assert.deepEqual((await prepare('unit', { 'a.js': '' }, 'a.js', commands)).args, ['run', 'unit', '--', 'a.js']);
  assert.deepEqual((await prepare('unit', {}, undefined, commands)).args, ['run', 'unit', '--']);
  await assert.rejects(prepare('all', { 'a.js': '' }, 'a.js', commands), { code: 'test_path_unusable' });
});

test('on Windows the script behind npm is run by Node, without a shell', () => {
  const there = new Set(['C:\\nodejs\\node_modules\\npm\\bin\\npm-cli.js', 'C:\\go\\bin\\go.exe']);
  const places: Places = {
    platform: 'win32',
    path: 'C:\\go\\bin;relative;C:\\nodejs',
    first: [],
    node: 'C:\\nodejs\\node.exe',
    isProgram: (file) => there.has(file),
  };
  assert.deepEqual(findProgram('npm', places), { file: 'C:\\nodejs\\node.exe', args: ['C:\\nodejs\\node_modules\\npm\\bin\\npm-cli.js'] });
  assert.deepEqual(findProgram('go', places), { file: 'C:\\go\\bin\\go.exe', args: [] });
  assert.equal(findProgram('yarn', places), undefined);
});

test('of the environment only known names pass, and what the operator names', () => {
  const given = {
    PATH: '/bin',
    HOME: '/h',
    GITHUB_TOKEN: 't',
    AWS_SECRET_ACCESS_KEY: 'k',
    LC_ALL: 'C',
    DB: 'd',
    NODE_TEST_CONTEXT: 'child',
  };
  const passed = testEnvironment(given, ['DB']);
  assert.deepEqual([passed.PATH, passed.HOME, passed.LC_ALL, passed.DB, passed.CI], ['/bin', '/h', 'C', 'd', '1']);
  for (const name of ['GITHUB_TOKEN', 'AWS_SECRET_ACCESS_KEY', 'NODE_TEST_CONTEXT']) assert.equal(passed[name], undefined);
});
