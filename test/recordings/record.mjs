// Records what test runners print: node test/recordings/record.mjs [start of a name...]
// Needs npm, pytest, go and cargo on PATH (Debian: apt-get install python3-pytest golang-go cargo). Fixture projects and the
// runners from npm live in a temporary folder and are removed; only the compressed outputs stay, here, as NAME.txt.br.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { OTHERS } from './others.mjs';
import * as projects from './projects.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const FROM_NPM = ['mocha@12', 'jest@30', 'vitest@4', 'ava@7', 'tap@21', 'typescript@5'];
/** The reporters of node:test change with Node: those of the Node that runs this, and those of a later one. */
const LATER_NODE = ['node@24'];
const COUNTS = [0, 1, 3, 5_000];
const MOST_BYTES = 256 << 20;

/** Runner -> how it is started, and the project that it runs. The same as the tool starts it, but for unittest and tap's raw form. */
const RUNNERS = {
  'node-spec': [['node', '--test', '--test-reporter=spec'], projects.node],
  'node-tap': [['node', '--test', '--test-reporter=tap'], projects.node],
  'node24-spec': [['node@24', '--test', '--test-reporter=spec'], projects.node],
  'node24-tap': [['node@24', '--test', '--test-reporter=tap'], projects.node],
  mocha: [['npm', 'test'], projects.mocha],
  jest: [['npm', 'test'], projects.jest],
  vitest: [['npm', 'test'], projects.vitest],
  ava: [['npm', 'test'], projects.ava],
  tap: [['npm', 'test'], projects.tap],
  pytest: [['pytest', '-q'], projects.pytest],
  unittest: [['python3', '-m', 'unittest'], projects.unittest],
  go: [['go', 'test', './...'], projects.go],
  cargo: [['cargo', 'test', '--no-fail-fast'], projects.cargo],
};

const ENVIRONMENT = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  CI: '1',
  NO_COLOR: '1',
  FORCE_COLOR: '0',
  TERM: 'dumb',
  CARGO_TERM_COLOR: 'never',
  PYTHONUNBUFFERED: '1',
};

const base = mkdtempSync(path.join(tmpdir(), 'recordings-'));
process.on('exit', () => rmSync(base, { recursive: true, force: true }));

/** The node_modules with these packages, installed once. */
function modules(packages) {
  const folder = path.join(base, packages[0].replace(/\W/g, '-'));
  if (existsSync(folder)) return path.join(folder, 'node_modules');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}\n');
  const { status, stderr } = spawnSync('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm install: ${stderr}`);
  return path.join(folder, 'node_modules');
}

/** Where things lay on the machine that records is of no interest. */
function neutral(output, project) {
  const names = [
    [project, '/project'],
    [`${base}/mocha-12/node_modules`, '/project/node_modules'],
    ['../mocha-12/node_modules', 'node_modules'],
    [process.env.HOME, '/home/user'],
  ];
  return Buffer.from(
    names.reduce((text, [from, to]) => text.replaceAll(from, to), output.toString('latin1')),
    'latin1',
  );
}

function record(name, argv, files, environment = {}) {
  const project = path.join(base, 'project');
  rmSync(project, { recursive: true, force: true });
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
    writeFileSync(path.join(project, file), text);
  }
  if (argv[0] === 'npm') symlinkSync(modules(FROM_NPM), path.join(project, 'node_modules'));
  const [first, ...args] = argv;
  const program = first === LATER_NODE[0] ? path.join(modules(LATER_NODE), 'node/bin/node') : first;
  const started = Date.now();
  // Both streams into one pipe, as they would be read from a terminal.
  const run = spawnSync('/bin/sh', ['-c', 'exec "$0" "$@" 2>&1', program, ...args], {
    cwd: project,
    env: { ...ENVIRONMENT, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: MOST_BYTES,
  });
  const output = neutral(run.stdout, project);
  const packed = brotliCompressSync(output, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: output.length },
  });
  writeFileSync(path.join(here, `${name}.txt.br`), packed);
  process.stderr.write(`${name}: exit ${run.status}, ${output.length} bytes, ${packed.length} packed, ${Date.now() - started} ms\n`);
}

const wanted = process.argv.slice(2);
const isWanted = (name) => wanted.length === 0 || wanted.some((prefix) => name.startsWith(prefix));
for (const [runner, [argv, project]] of Object.entries(RUNNERS)) {
  for (const count of runner.includes('24') ? COUNTS.slice(0, 3) : COUNTS)
    if (isWanted(`${runner}-${count}`)) record(`${runner}-${count}`, argv, project(count));
}
for (const [name, { argv, files, environment }] of Object.entries(OTHERS)) if (isWanted(name)) record(name, argv, files, environment);
