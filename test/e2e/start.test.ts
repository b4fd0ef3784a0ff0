/** A server that cannot work starts all the same, shakes hands, and says in each call what to set. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { TOOLS } from '#dist/tools/registry.js';
import { plant, put } from '../support/e2e-lab.js';
import { openServer, type StartOptions } from '../support/server.js';

const good = plant({ 'a.txt': 'needle\n' });
const other = plant({ 'b.txt': 'needle other\n' });
const missing = join(plant({}), 'missing');
const config = (text: string): string => join(plant({ 'c.json': text }), 'c.json');
/** What a client writes that does not know variables. */
const UNREPLACED = ['$', '{workspaceFolder}'].join('');
const CALLS: [string, Record<string, unknown>][] = [
  ['search_text', { pattern: 'needle' }],
  ['list_files', {}],
  ['read_snippet', { path: 'a.txt' }],
];

/** title, how it is started, code, what the text says */
const problems: [string, StartOptions, string, RegExp][] = [
  ['REPO_ROOT names a folder that is missing', { root: missing }, 'root_missing', /cannot be opened \(ENOENT\).*\n# .*REPO_ROOT/],
  ['REPO_ROOT names a file', { root: join(good, 'a.txt') }, 'root_missing', /is not a folder.*\n# .*REPO_ROOT/],
  [
    'REPO_ROOT is a literal variable',
    { root: UNREPLACED },
    'root_missing',
    /REPO_ROOT is "\$\{workspaceFolder\}": the client did not replace the variable/,
  ],
  ['REPO_ROOT holds a literal variable', { root: `/srv/${UNREPLACED}/x` }, 'root_missing', /did not replace the variable/],
  ['the working directory is /', { cwd: '/' }, 'root_missing', /too wide to search by accident.*\n# .*--root DIR, or set REPO_ROOT/s],
  ['the working directory is the home folder', { cwd: homedir() }, 'root_missing', /too wide to search by accident/],
  [
    'a limit is out of range',
    { root: good, env: { RIPSCOPE_MAX_CHARS: '5' } },
    'config_invalid',
    /RIPSCOPE_MAX_CHARS is "5"; it takes a whole number of characters from 500 to 50000/,
  ],
  ['a limit is no number', { root: good, args: ['--deadline-ms', 'soon'] }, 'config_invalid', /--deadline-ms is "soon"/],
  [
    'the log level does not exist',
    { root: good, env: { RIPSCOPE_LOG_LEVEL: 'loud' } },
    'config_invalid',
    /log level is "loud"; it takes silent, error/,
  ],
  ['the format does not exist', { root: good, args: ['--format', 'xml'] }, 'config_invalid', /format is "xml"; it takes text, json/],
  ['a tool group does not exist', { root: good, args: ['--tools', 'search,dance'] }, 'config_invalid', /tool group is "dance"/],
  [
    'the config file is missing',
    { root: good, args: ['--config', join(missing, 'c.json')] },
    'config_invalid',
    /cannot be read \(ENOENT\)/,
  ],
  ['the config file is no JSON', { root: good, args: ['--config', config('{')] }, 'config_invalid', /is not JSON/],
  [
    'the config file has an unknown key',
    { root: good, args: ['--config', config('{"limit":{}}')] },
    'config_invalid',
    /unknown key limit; did you mean limits\?/,
  ],
  [
    'the config file has an unknown limit',
    { root: good, env: { RIPSCOPE_CONFIG: config('{"limits":{"maxChar":600}}') } },
    'config_invalid',
    /unknown key limits\.maxChar; did you mean maxChars\?/,
  ],
  [
    'the config file has a value out of range',
    { root: good, args: ['--config', config('{"limits":{"maxChars":5}}')] },
    'config_invalid',
    /limits\.maxChars must be >= 500/,
  ],
  ['ripgrep is missing', { root: good, env: { RIPSCOPE_RG: '/no/such/rg' } }, 'ripgrep_missing', /\n# /],
];
for (const [title, options, code, text] of problems) {
  test(`the handshake works and every call says what to set when ${title}`, async () => {
    const server = await openServer(options);
    assert.equal(((await server.request('tools/list')).result?.tools as unknown[] | undefined)?.length, TOOLS.length);
    for (const [tool, args] of CALLS) {
      if (code === 'ripgrep_missing' && tool === 'read_snippet') continue; // which needs none
      const reply = await server.call(tool, args);
      assert.ok(reply.isError, reply.text);
      assert.ok(reply.text.startsWith(`${code}: `), reply.text);
      assert.match(reply.text, text);
    }
    assert.deepEqual((await server.close())?.code, 0);
  });
}

test('in the json format a bad configuration is structured as well', async () => {
  const server = await openServer({ root: good, format: 'json', env: { RIPSCOPE_MAX_CHARS: '5' } });
  const reply = await server.call('list_files', {});
  assert.ok(reply.isError);
  assert.equal(reply.structured?.error?.code, 'config_invalid');
});

test('a root that is made later is found by a later call, and one that went away is named', async () => {
  const dir = join(plant({}), 'later');
  const server = await openServer({ root: dir });
  assert.match((await server.call('list_files', {})).text, /^root_missing: /);
  mkdirSync(dir);
  put(dir, 'a.txt', 'needle\n');
  assert.match((await server.call('list_files', {})).text, /\na\.txt$/);
  rmSync(dir, { recursive: true });
  assert.match((await server.call('search_text', { pattern: 'needle' })).text, /^root_missing: /);
});

test('keys of code-context-gate that mean nothing here are passed over', async () => {
  const server = await openServer({
    root: good,
    args: ['--config', config('{"gates":{"maxFiles":25},"estimation":{},"limits":{"maxRefusals":3,"maxChars":700}}')],
  });
  assert.equal((await server.call('list_files', {})).isError, false);
});

test('a config file gives root, limits and format; a flag goes before a variable, and that before the file', async () => {
  const file = config(JSON.stringify({ root: other, limits: { maxLineChars: 100 }, format: 'json' }));
  const fromFile = await openServer({ args: ['--config', file] });
  const found = await fromFile.call('search_text', { pattern: 'needle' });
  assert.equal(found.structured?.matches?.[0]?.path, 'b.txt');
  const fromVariable = await openServer({ root: good, args: ['--config', file, '--format', 'text'] });
  assert.match((await fromVariable.call('search_text', { pattern: 'needle' })).text, /\na\.txt @[\w-]{6}\n/);
  const fromFlag = await openServer({ root: missing, args: ['--root', good, '--config', file, '--format', 'text'] });
  assert.match((await fromFlag.call('search_text', { pattern: 'needle' })).text, /\na\.txt @[\w-]{6}\n/);
});

/** title, how it is started */
const sources: [string, StartOptions][] = [
  ['--root', { args: ['--root', good] }],
  ['--root=', { args: [`--root=${good}`] }],
  ['--project-root', { args: ['--project-root', good] }],
  ['serve --root', { args: ['serve', '--root', good] }],
  ['REPO_ROOT', { root: good }],
  ['CODE_CONTEXT_GATE_ROOT', { env: { CODE_CONTEXT_GATE_ROOT: good } }],
  ['CLAUDE_PROJECT_DIR', { env: { CLAUDE_PROJECT_DIR: good } }],
  ['CODE_CONTEXT_GATE_ROOT before CLAUDE_PROJECT_DIR', { env: { CODE_CONTEXT_GATE_ROOT: good, CLAUDE_PROJECT_DIR: other } }],
  ['REPO_ROOT before CODE_CONTEXT_GATE_ROOT', { root: good, env: { CODE_CONTEXT_GATE_ROOT: other } }],
  ['--root before REPO_ROOT', { root: other, args: ['--root', good] }],
  ['the working directory', { cwd: good }],
  ['a relative root, from the working directory', { cwd: join(good, '..'), args: ['--root', basename(good)] }],
  ['a root of .', { cwd: good, args: ['--root', '.'] }],
  ['~, expanded', { args: ['--root', '~'], env: { HOME: good } }],
  ['an empty REPO_ROOT, passed over', { cwd: good, env: { REPO_ROOT: '' } }],
];
for (const [title, options] of sources) {
  test(`the root comes from ${title}`, async () => {
    const server = await openServer(options);
    assert.match((await server.call('list_files', {})).text, /^# 1 file\.\na\.txt$/);
  });
}

// --- several roots

test('with several roots the first is searched, and root picks another by name or by path', async () => {
  const server = await openServer({ roots: [good, other] });
  const files = async (args: object): Promise<string> => (await server.call('list_files', { ...args })).text;
  assert.match(await files({}), /\na\.txt\n# only the root/);
  assert.match(await files({ root: basename(good) }), /\na\.txt$/);
  assert.match(await files({ root: basename(other) }), /\nb\.txt$/);
  assert.match(await files({ root: other }), /\nb\.txt$/);
  assert.match(await files({ root: '/etc' }), new RegExp(`^root_unknown: .*${basename(good)}, ${basename(other)}`));
  assert.match(await files({ root: join(other, '..') }), /^root_unknown: /);
  assert.match((await server.call('read_snippet', { path: 'b.txt', root: basename(other) })).text, /\n1\tneedle other$/);
  assert.match(
    (await server.call('read_snippet', { path: join(other, 'b.txt') })).text,
    /^path_outside_root: /,
    'an absolute path does not pick a root',
  );
});

test('a cursor of one root is refused in another', async () => {
  const many = plant({ 'a.txt': 'n\nn\n' });
  const server = await openServer({ roots: [many, other], format: 'json' });
  const { structured } = await server.call('search_text', { pattern: 'n', maxMatches: 1 });
  const reply = await server.call('search_text', { pattern: 'n', maxMatches: 1, root: basename(other), cursor: structured?.nextCursor });
  assert.equal(reply.structured?.error?.code, 'cursor_invalid');
});

test('a root that is missing does not keep the others from being searched', async () => {
  const server = await openServer({ roots: [missing, good] });
  assert.match((await server.call('list_files', {})).text, /^root_missing: /, 'the first is the default');
  assert.match((await server.call('list_files', { root: basename(good) })).text, /\na\.txt$/);
  assert.match((await server.call('list_files', { root: good })).text, /\na\.txt$/);
});

test('two roots with the same name are told apart by their paths, and the name alone is refused', async () => {
  const parent = plant({ 'x/repo/x.txt': 'needle\n', 'y/repo/y.txt': 'needle\n' });
  const server = await openServer({ roots: [join(parent, 'x/repo'), join(parent, 'y/repo')] });
  assert.match((await server.call('list_files', { root: join(parent, 'y/repo') })).text, /\ny\.txt$/);
  assert.match((await server.call('list_files', { root: 'repo' })).text, /^root_unknown: "repo" names 2 roots; give the whole path of one/);
});

test('a tool group that is not asked for is not offered', async () => {
  const server = await openServer({ root: good, args: ['--tools', 'search'] });
  assert.equal(
    ((await server.request('tools/list')).result?.tools as unknown[] | undefined)?.length,
    TOOLS.filter(({ group }) => group === 'search').length,
  );
});
