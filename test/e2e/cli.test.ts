/** The command line: verbs, flags, exit codes, streams. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { plant } from '../support/e2e-lab.js';
import { numberedTree, plantFlood, plantSlow, scratchOf } from '../support/e2e-processes.js';
import { unstamped } from '../support/replies.js';
import { baseEnvironment, CLI, descendantsOf, HAS_PROC, isAlive, PROJECT, runCli, until } from '../support/server.js';

const root = plant({
  'a.txt': 'needle one\n--release\n-x\n--help\n-h\n--\n',
  'src/b.ts': 'const needle = 2;\nNEEDLE\nlast\n',
  '-dash.txt': 'in a file with a dash\n',
  'weird name.md': '# needle\n',
});
const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => runCli(args, { cwd: root, env });

/** title, arguments, exit code, stdout, stderr */
const cases: [string, string[], number, RegExp | string, RegExp | string][] = [
  ['grep finds', ['grep', 'needle one'], 0, '1 match in 1 file.\na.txt\n1:needle one\n', ''],
  ['grep finds nothing', ['grep', 'absent'], 1, /^No matches for the text "absent"/, ''],
  ['grep in a scope', ['grep', 'needle', 'src'], 0, /^1 match in 1 file\.\nsrc\/b\.ts\n/, ''],
  [
    'grep with flags before and behind the pattern',
    ['grep', '-i', 'needle', '--globs', '*.ts', '--max-matches', '1'],
    0,
    /^2 matches in 1 file, 1-1 shown\.\n/,
    '',
  ],
  [
    'grep with short flags',
    ['grep', '-w', '-i', '-C', '1', '-g', '*.ts', '-m', '5', 'needle'],
    0,
    /^2 matches in 1 file\.\nsrc\/b\.ts\n1:const needle = 2;\n2:NEEDLE\n3-last\n$/,
    '',
  ],
  ['grep with a glob twice', ['grep', 'needle', '-g', '*.md', '-g', '*.ts'], 0, /^2 matches in 2 files\./, ''],
  ['grep as literal text', ['grep', '--no-regex', 'needle.one'], 1, /^No matches/, ''],
  ['grep for files', ['grep', 'needle', '--output', 'files'], 0, /^3 files/, ''],
  ['grep for a bad regex', ['grep', '--regex', '('], 2, '', /^pattern_invalid: .+\n# .+\n$/],
  ['grep without a pattern', ['grep'], 2, '', /^argument_invalid: "pattern" is missing/],
  ['grep with too much', ['grep', 'a', 'src', 'b'], 2, '', /too many arguments: "b"/],
  ['grep in a scope that is missing', ['grep', 'needle', 'sr'], 2, '', /^path_missing: "sr" does not exist\. Near names: "src"/],
  ['grep outside of the root', ['grep', 'needle', '..'], 2, '', /^path_outside_root: /],
  [
    'grep with a value out of range',
    ['grep', 'needle', '--max-matches', '0'],
    2,
    '',
    /^argument_invalid: "maxMatches" is "0"; it takes 1 to 500/,
  ],
  ['grep for a pattern that begins with a dash', ['grep', '--', '-x'], 0, '1 match in 1 file.\na.txt\n3:-x\n', ''],
  ['grep for a pattern that looks like a flag', ['grep', '--', '--release'], 0, '1 match in 1 file.\na.txt\n2:--release\n', ''],
  ['grep for --help as a pattern', ['grep', '--', '--help'], 0, '1 match in 1 file.\na.txt\n4:--help\n', ''],
  ['grep for -h as a pattern', ['grep', '--', '-h'], 0, /\na\.txt\n/, ''],
  ['grep for -- as a pattern', ['grep', '--', '--', 'a.txt'], 0, /\n6:--\n$/, ''],
  ['grep with the pattern as a flag', ['grep', '--pattern=-x'], 0, '1 match in 1 file.\na.txt\n3:-x\n', ''],
  [
    'grep in a file that begins with a dash',
    ['grep', 'dash', '--scope=-dash.txt'],
    0,
    '1 match in 1 file.\n-dash.txt\n1:in a file with a dash\n',
    '',
  ],
  ['read a file', ['read', 'src/b.ts'], 0, 'src/b.ts  lines 1-3 of 3\n1\tconst needle = 2;\n2\tNEEDLE\n3\tlast\n', ''],
  ['read lines', ['read', 'src/b.ts', '2', '3'], 0, 'src/b.ts  lines 2-3 of 3\n2\tNEEDLE\n3\tlast\n', ''],
  ['read a file that begins with a dash', ['read', '--', '-dash.txt'], 0, '-dash.txt  lines 1-1 of 1\n1\tin a file with a dash\n', ''],
  ['read a file with a blank', ['read', 'weird name.md'], 0, '"weird name.md"  lines 1-1 of 1\n1\t# needle\n', ''],
  ['read a file that is missing', ['read', 'a.tx'], 2, '', /^path_missing: .*Near names: "a\.txt"/],
  ['read a folder', ['read', 'src'], 2, '', /^not_a_file: /],
  ['read a line that is no number', ['read', 'a.txt', 'two'], 2, '', /^argument_invalid: "startLine" is "two"/],
  ['files', ['files'], 0, '# 4 files.\n-dash.txt\na.txt\nsrc/b.ts\n"weird name.md"\n', ''],
  ['files by globs', ['files', '*.ts', '*.md'], 0, '# 2 files.\nsrc/b.ts\n"weird name.md"\n', ''],
  ['files that do not exist', ['files', '*.py'], 1, /^# No files match\./, ''],
  ['files by a bad glob', ['files', '{a'], 2, '', /^glob_invalid: /],
  ['files, the verb behind a flag', ['--no-mask-secrets', '--deadline-ms', '20000', 'files', '*.ts'], 0, '# 1 file.\nsrc/b.ts\n', ''],
  ['read, the verb between flags', ['--deadline-ms=20000', 'read', 'nope.txt', '--max-lines', '1'], 2, '', /^path_missing: /],
  ['help behind a flag', ['--no-mask-secrets', 'help', 'grep'], 0, /^exact search: /, ''],
  ['an unknown verb with a near name', ['grp', 'x'], 2, '', /^ripscope: unknown verb "grp"; did you mean "grep"\?\nripscope help/],
  ['an unknown verb', ['zzzzzzz'], 2, '', /^ripscope: unknown verb "zzzzzzz"\n/],
  [
    'an unknown flag with a near name',
    ['grep', 'x', '--max-matchs', '3'],
    2,
    '',
    /^ripscope: unknown flag --max-matchs; did you mean --max-matches\?\n/,
  ],
  ['an unknown flag', ['grep', 'x', '--qqqqqqqq'], 2, '', /^ripscope: unknown flag --qqqqqqqq\n/],
  ['an unknown flag of serve, which starts all the same', ['--rot', '.'], 0, '', /Command line: unknown flag --rot; did you mean --root\?/],
  ['a flag without its value', ['grep', 'x', '--scope'], 2, '', /^ripscope: .*--scope/],
  ['serve with an argument, which starts all the same', ['serve', 'x'], 0, '', /Command line: serve takes no arguments, but got/],
  ['a bad configuration', ['grep', 'x', '--deadline-ms', '1'], 2, '', /^config_invalid: --deadline-ms is "1"/],
  ['a misspelled verb behind flags', ['--root', '.', 'exploer', 'x'], 2, '', /^ripscope: unknown verb "exploer"; did you mean "explore"\?/],
  ['a root that is missing', ['grep', 'x', '--root', '/no/such/root'], 2, '', /^root_missing: /],
  ['--version', ['--version'], 0, /^\d+\.\d+\.\d+\n$/, ''],
  ['-V', ['-V'], 0, /^\d+\.\d+\.\d+\n$/, ''],
  ['help', ['help'], 0, /^ripscope: [\s\S]*ripscope grep [\s\S]*--root/, ''],
  ['--help', ['--help'], 0, /ripscope grep/, ''],
  ['-h', ['-h'], 0, /ripscope grep/, ''],
  ['help of a verb', ['help', 'grep'], 0, /--max-matches, -m[\s\S]*Exit codes: 0 found, 1 nothing found, 2 error\n$/, ''],
  ['--help behind a verb', ['read', '--help'], 0, /--start-line/, ''],
  ['serve --help', ['serve', '--help'], 0, /ripscope \[serve\]/, ''],
];
for (const [title, args, code, stdout, stderr] of cases) {
  test(`${title}: exit code ${code}`, async () => {
    const result = await run(args);
    const fits = (actual: string, wanted: RegExp | string): void =>
      typeof wanted === 'string' ? assert.equal(actual, wanted) : assert.match(actual, wanted);
    fits(result.stderr, stderr);
    fits(unstamped(result.stdout), stdout);
    assert.equal(result.code, code);
    assert.doesNotMatch(result.stderr, /\n {4}at /, 'no stack');
  });
}

test('the version is that of the package', async () => {
  const { version } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as { version: string };
  assert.equal((await run(['--version'])).stdout, `${version}\n`);
});

for (const [args, code] of [
  [['grep', 'needle one'], 0],
  [['grep', 'absent'], 1],
  [['grep', '--regex', '('], 2],
  [['files', '*.ts'], 0],
  [['read', 'none'], 2],
] as [string[], number][]) {
  test(`${args.join(' ')} with --json is one JSON value on stdout and exit code ${code}`, async () => {
    for (const flags of [['--json'], ['--format', 'json']]) {
      const result = await run([...args, ...flags]);
      const data = JSON.parse(result.stdout) as { error?: object };
      assert.equal(data.error !== undefined, code === 2);
      assert.equal(result.stdout.split('\n').length, 2);
      assert.equal(result.code, code);
      assert.equal(result.stderr, '');
    }
  });
}

test('RIPSCOPE_FORMAT=json counts for the command line as well', async () => {
  assert.ok(JSON.parse((await run(['files'], { RIPSCOPE_FORMAT: 'json' })).stdout));
});

test('the text is that of the tool, and not coloured in a pipe', async () => {
  const { stdout } = await run(['grep', 'needle']);
  assert.doesNotMatch(stdout, /\u001b/);
});

test('a cursor goes on from the command line too', async () => {
  const first = await run(['grep', 'needle', '-m', '1']);
  const cursor = /cursor: "([^"]+)"/.exec(first.stdout)?.[1] ?? '';
  const second = await run(['grep', 'needle', '-m', '1', `--cursor=${cursor}`]);
  assert.match(second.stdout, /, 2-2 shown\./);
});

test('stdin is left alone by a one-shot verb', async () => {
  const result = await runCli(['grep', 'needle one'], { cwd: root, input: 'x'.repeat(200_000) });
  assert.equal(result.code, 0);
});

/** Runs a shell line with $R for the program. */
async function shell(line: string, cwd: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn('/bin/sh', ['-c', line.replaceAll('$R', '"$0" "$1"'), process.execPath, CLI], {
    cwd,
    env: baseEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString('utf8');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
  });
  if (!(await until(() => child.exitCode !== null, 20_000))) child.kill('SIGKILL');
  await new Promise((resolve) => setImmediate(resolve));
  return { code: child.exitCode, stdout, stderr };
}
const posix = { skip: process.platform === 'win32' && 'no /bin/sh there' };

test('a reader that leaves early (| head -1) is met with silence', posix, async () => {
  const flood = plantFlood();
  const { stdout, stderr } = await shell('$R grep needle --max-chars 50000 -m 500 | head -1', flood);
  assert.match(stdout, /^At least \d+ matches.*\n$/);
  assert.equal(stderr, '');
});

test('a stdout that is closed from the start is met with silence and no hang', posix, async () => {
  const { code, stderr } = await shell('$R grep needle | true; exit 0', numberedTree());
  assert.deepEqual([code, stderr], [0, '']);
});

test('a whole large reply gets through a slow pipe', posix, async () => {
  const { stdout } = await shell('$R grep needle --max-chars 50000 -m 500 | (sleep 0.3; cat) | tail -1', plantFlood());
  assert.match(stdout, /^# .*\n$/);
});

test('nothing is left in the temporary folder after a one-shot verb', async () => {
  const child = spawn(process.execPath, [CLI, 'grep', 'needle', '-g', '*.ts'], { cwd: root, env: baseEnvironment(), stdio: 'ignore' });
  assert.ok(await until(() => child.exitCode !== null));
  assert.deepEqual(scratchOf(child.pid ?? 0), []);
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} ends a long search with exit code 2, a word on stderr and no rg`, { skip: !HAS_PROC && 'needs /proc' }, async () => {
    const child = spawn(process.execPath, [CLI, 'grep', '--regex', '(?=.*test)(?=.*ripgrep)'], {
      cwd: plantSlow(),
      env: baseEnvironment(),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString('utf8');
    });
    assert.ok(await until(() => descendantsOf(child.pid ?? 0).length > 0));
    const [rg = 0] = descendantsOf(child.pid ?? 0);
    child.kill(signal);
    assert.ok(await until(() => child.exitCode !== null, 2_000));
    assert.equal(child.exitCode, 2);
    assert.match(stderr, new RegExp(`stopped by ${signal}`));
    assert.ok(await until(() => !isAlive(rg), 200));
    assert.deepEqual(scratchOf(child.pid ?? 0), []);
  });
}
