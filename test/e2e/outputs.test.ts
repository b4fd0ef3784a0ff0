/** Hook and server as processes of their own: they meet in the private folder of a root, in any order, and leave nothing. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { plant } from '../support/e2e-lab.js';
import { measure, scenarios } from '../support/scenarios.js';
import { baseEnvironment, CLI, openServer, runCli, type Server, startServer } from '../support/server.js';
import type { Message } from '../support/wire.js';

interface Yard {
  readonly root: string;
  readonly tmp: string;
}
const yard = (): Yard => {
  const dir = plant({ 'root/a.txt': 'x\n' });
  mkdirSync(join(dir, 'tmp'));
  return { root: join(dir, 'root'), tmp: join(dir, 'tmp') };
};
const LONG = Array.from({ length: 300 }, (_, n) => `10.0.0.1 GET /item/${n} served`).join('\n');

/** What the hook puts in place of the output, and the handle in it. */
async function hook(
  { root, tmp }: Yard,
  text: string,
  session = 's',
  env: Record<string, string> = {},
): Promise<{ summary: string; handle: string }> {
  const event = { session_id: session, hook_event_name: 'PostToolUse', tool_name: 'mcp__x__y', tool_response: [{ type: 'text', text }] };
  const { code, stdout, stderr } = await runCli(['hook', 'post-tool-use'], {
    input: JSON.stringify(event),
    env: { TMPDIR: tmp, REPO_ROOT: root, ...env },
  });
  assert.equal(code, 0, stderr);
  const answer = JSON.parse(stdout) as { hookSpecificOutput: { updatedToolOutput: { text: string }[] } };
  const summary = answer.hookSpecificOutput.updatedToolOutput[0]!.text;
  return { summary, handle: /[0-9a-f]{32}/.exec(summary)![0] };
}
const serve = ({ root, tmp }: Yard, session?: string): Promise<Server> =>
  openServer({ root, env: { TMPDIR: tmp, ...(session === undefined ? {} : { CLAUDE_CODE_SESSION_ID: session }) } });
const search = async (server: Server, query: string, source?: string): Promise<string> =>
  (await server.call('search_output', { queries: [query], ...(source === undefined ? {} : { source }) })).text;

test('the hook before, during and after a server of its session', async () => {
  const here = yard();
  await hook(here, `${LONG}\nfirst planted`);
  const server = await serve(here, 's');
  assert.match(await search(server, 'first planted'), /first planted/);
  await hook(here, `${LONG}\nsecond planted`);
  assert.match(await search(server, 'second planted'), /second planted/);
  assert.match((await server.call('session_stats', {})).text, /the hook kept 2 outputs/);
  await server.close();
  assert.deepEqual(readdirSync(here.tmp), []);
  const { handle } = await hook(here, `${LONG}\nthird planted`);
  const later = await serve(here);
  assert.match(await search(later, 'third planted'), /^output_none/);
  assert.match(await search(later, 'third planted', handle), /third planted/);
  assert.match(await search(later, 'third planted'), /third planted/);
});

test('servers of two sessions see their own; a handle opens for both; each removes its own', async () => {
  const here = yard();
  const [one, two] = await Promise.all([serve(here, 'one'), serve(here, 'two')]);
  await Promise.all([one.request('tools/list'), two.request('tools/list')]);
  await one.call('keep_output', { content: 'planted by one', source: 'o' });
  const { handle } = await hook(here, `${LONG}\nplanted by hook`, 'two');
  assert.match(await search(two, 'planted hook'), /planted by hook/);
  assert.match(await search(one, 'planted', handle), /planted by hook/);
  await one.close();
  assert.match(await search(two, 'planted hook', handle), /planted by hook/);
  await two.close();
  assert.deepEqual(readdirSync(here.tmp), []);
});

test('another root does not see it, not even by its handle', async () => {
  const here = yard();
  const { handle } = await hook(here, `${LONG}\nplanted`);
  const other = await serve({ root: plant({ 'b.txt': 'x\n' }), tmp: here.tmp });
  assert.match(await search(other, 'planted', handle), /^output_unknown/);
});

test('after kill -9 the next start of another session removes all; of the same session nothing is lost', async () => {
  const here = yard();
  const server = await serve(here, 's');
  await server.call('keep_output', { content: 'planted in a server', source: 'k' });
  const { handle } = await hook(here, `${LONG}\nplanted by the hook`);
  server.signal('SIGKILL');
  await server.gone();
  const again = await serve(here, 's');
  assert.match(await search(again, 'planted hook', handle), /planted by the hook/);
  again.signal('SIGKILL');
  await again.gone();
  const next = await serve(here, 'other');
  await next.request('tools/list');
  assert.match(await search(next, 'planted', handle), /^output_unknown/);
  await next.close();
  assert.deepEqual(readdirSync(here.tmp), []);
});

test('a server without a session that was killed is tidied up after by the next hook', async () => {
  const here = yard();
  const server = await serve(here);
  const kept = await server.call('keep_output', { content: 'planted', source: 'k' });
  const gone = /[0-9a-f]{32}/.exec(kept.text)![0];
  server.signal('SIGKILL');
  await server.gone();
  const { handle } = await hook(here, LONG);
  const [folder = ''] = readdirSync(join(here.tmp, readdirSync(here.tmp)[0]!)).filter((name) => name.startsWith('spool-'));
  const names = readdirSync(join(here.tmp, readdirSync(here.tmp)[0]!, folder));
  assert.deepEqual(names, [`${handle}.txt`]);
  assert.ok(!names.includes(`${gone}.txt`));
});

test('for every way to end a server nothing is left', async () => {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'EOF'] as const) {
    const here = yard();
    const server = await serve(here);
    await server.call('keep_output', { content: 'planted', source: 'k' });
    assert.equal(readdirSync(here.tmp).length, 1);
    if (signal === 'EOF') server.endInput();
    else server.signal(signal);
    await server.gone();
    assert.deepEqual(readdirSync(here.tmp), [], signal);
  }
});

/** The one reply to a request; a server that has ended sends no more. */
const replyTo = (server: Server, id: string | number): Message => {
  const replies = server.messages.filter((message) => message.id === id);
  assert.equal(replies.length, 1, `${replies.length} replies; stderr: ${server.stderr}`);
  return replies[0]!;
};

test('a server that was asked for nothing removes what the hooks of its session have kept', async () => {
  const here = yard();
  const server = await serve(here, 's');
  await hook(here, LONG);
  await server.close();
  assert.deepEqual(readdirSync(here.tmp), []);
});

test('a call right before the end of stdin is answered, by servers side by side', async () => {
  const here = yard();
  const one = async (n: number): Promise<void> => {
    const server = startServer({ root: here.root, env: { TMPDIR: here.tmp, CLAUDE_CODE_SESSION_ID: `session ${n}` } });
    const [, { handle }] = await Promise.all([server.initialize(), hook(here, `${LONG}\nplanted ${n}x`, `session ${n}`)]);
    const ids = [
      server.sendCall('keep_output', { content: `own ${n}`, source: 'k' }),
      server.sendCall('search_output', { queries: [`planted ${n}x`], source: handle }),
    ];
    server.endInput();
    assert.deepEqual(await server.gone(), { code: 0, signal: null });
    for (const id of ids) replyTo(server, id);
  };
  await Promise.all(Array.from({ length: 12 }, (_, n) => one(n)));
  assert.deepEqual(readdirSync(here.tmp), []);
});

for (const [how, leave] of [
  ['the end of stdin', (server: Server) => server.endInput()],
  ['SIGTERM', (server: Server) => server.signal('SIGTERM')],
] as [string, (server: Server) => void][]) {
  test(`a first call that there is no time for after ${how} is refused, and nothing is left`, async () => {
    const here = yard();
    const server = startServer({ root: here.root, args: ['--drain-ms', '0'], env: { TMPDIR: here.tmp, CLAUDE_CODE_SESSION_ID: 's' } });
    await Promise.all([server.initialize(), hook(here, LONG)]);
    const id = server.sendCall('keep_output', { content: 'own', source: 'k' });
    const list = server.send('tools/list');
    // Both are accepted when a later one is answered.
    await server.request('ping');
    leave(server);
    assert.deepEqual(await server.gone(), { code: 0, signal: null });
    for (const { result, error } of [replyTo(server, id), replyTo(server, list)]) {
      if (result === undefined) assert.match(String(error?.message), /^Not finished: /);
    }
    assert.deepEqual(readdirSync(here.tmp), []);
  });
}

/** Set RIPSCOPE_TEST_SESSIONS for more than a quick run. */
const SESSIONS = Number(process.env.RIPSCOPE_TEST_SESSIONS ?? 24);
test(`after ${SESSIONS} sessions in batches of 8, each with a hook and a server, nothing is left`, {
  timeout: 60_000 + 1_000 * SESSIONS,
}, async () => {
  const here = yard();
  const session = async (n: number): Promise<void> => {
    const id = `session ${n}`;
    const [server, kept] = await Promise.all([serve(here, id), hook(here, `${LONG}\nplanted ${n}x`, id)]);
    assert.match(await search(server, `planted ${n}x`, kept.handle), new RegExp(`planted ${n}x`));
    assert.equal((await server.call('keep_output', { content: `own ${n}`, source: 'k' })).isError, false);
    await server.close();
  };
  for (let from = 0; from < SESSIONS; from += 8)
    await Promise.all(Array.from({ length: Math.min(8, SESSIONS - from) }, (_, n) => session(from + n)));
  assert.deepEqual(readdirSync(here.tmp), []);
});

test('the verb finds what any session of the root has kept, and removes nothing', async () => {
  const here = yard();
  await hook(here, `${LONG}\nplanted`);
  for (const env of [{}, { CLAUDE_CODE_SESSION_ID: 's' }]) {
    const found = await runCli(['outputs', 'planted'], { env: { TMPDIR: here.tmp, REPO_ROOT: here.root, ...env } });
    assert.equal(found.code, 0, found.stderr);
    assert.match(found.stdout, /\n301 {2}planted\n/);
  }
  const none = await runCli(['outputs', 'absent_word'], { env: { TMPDIR: here.tmp, REPO_ROOT: here.root } });
  assert.equal(none.code, 1);
  assert.ok(existsSync(here.tmp) && readdirSync(here.tmp).length === 1);
});

test('a group of tools can be left out', async () => {
  const { root } = yard();
  const server = await openServer({ root, args: ['--tools', 'output'] });
  const { tools } = (await server.request('tools/list')).result as { tools: { name: string }[] };
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['search_output', 'keep_output', 'session_stats'],
  );
});

for (const scenario of scenarios()) {
  test(`${scenario.name}: more than ${scenario.least * 100} % stay out of the context, and the fact is in the first result`, async () => {
    const here = yard();
    const run = async (input: string, env: Record<string, string>): Promise<string> =>
      (await runCli(['hook', 'post-tool-use'], { input, env: { TMPDIR: here.tmp, REPO_ROOT: here.root, ...env } })).stdout;
    const measured = await measure(scenario, run, async (query, handle) => search(await serve(here), query, handle));
    assert.ok(measured.isFoundFirst);
    assert.ok(measured.saved > scenario.least, `${measured.saved}`);
    assert.ok(measured.summaryBytes < 600, `${measured.summaryBytes}`);
  });
}

/** The hook with streams of its own: an event that it answers, and one about which it complains. */
function hookWith({ root, tmp }: Yard, input: string, stdout: number | 'pipe', stderr: number | 'pipe'): ChildProcess {
  const env = baseEnvironment({ TMPDIR: tmp, REPO_ROOT: root });
  const child = spawn(process.execPath, [CLI, 'hook', 'post-tool-use'], { env, stdio: ['pipe', stdout, stderr] });
  child.stdin!.on('error', () => {});
  child.stdin!.end(input);
  return child;
}
const EVENT = JSON.stringify({ hook_event_name: 'PostToolUse', tool_name: 'mcp__x__y', tool_response: [{ type: 'text', text: LONG }] });
const inputs: [title: string, input: string][] = [
  ['an answer', EVENT],
  ['a complaint', 'no JSON'],
];
for (const [title, input] of inputs) {
  test(`the hook ends with 0 when ${title} cannot be written to a full disk`, { skip: !existsSync('/dev/full') }, async () => {
    const full = openSync('/dev/full', 'w');
    const [code] = (await once(hookWith(yard(), input, full, full), 'close')) as [number];
    closeSync(full);
    assert.equal(code, 0);
  });
  test(`the hook ends with 0 when nobody is left to read ${title}`, async () => {
    const child = hookWith(yard(), input, 'pipe', 'pipe');
    child.stdout!.destroy();
    child.stderr!.destroy();
    const [code] = (await once(child, 'exit')) as [number];
    assert.equal(code, 0);
  });
}

test('the hook leaves an output that is nested too deep to be written as JSON, and ends with 0', async () => {
  const { root, tmp } = yard();
  const response = `{"a":${'[{"b":'.repeat(300_000)}1${'}]'.repeat(300_000)}}`;
  const input = `{"hook_event_name":"PostToolUse","tool_name":"mcp__x__y","tool_response":${response}}`;
  const { code, stdout } = await runCli(['hook', 'post-tool-use'], { input, env: { TMPDIR: tmp, REPO_ROOT: root } });
  assert.deepEqual([code, stdout], [0, '']);
});

test('kept texts are left out of searches when the temp folder lies within the root', async () => {
  const root = plant({ 'a.txt': 'planted here\n', 'tmp/b.txt': 'planted here too\n' });
  const here = { root, tmp: join(root, 'tmp') };
  const { handle } = await hook(here, `${LONG}\nplanted in an output`);
  const server = await serve(here, 's');
  for (const args of [{ pattern: 'planted' }, { pattern: 'planted', ignored: true }]) {
    const { text } = await server.call('search_text', args);
    assert.match(text, /^2 matches in 2 files/);
  }
  assert.match((await server.call('search_code', { query: 'planted' })).text, / of 2 searched/);
  assert.doesNotMatch((await server.call('list_files', { ignored: true })).text, /spool-|[0-9a-f]{32}/);
  const [own = ''] = readdirSync(here.tmp).filter((name) => name.startsWith('ripscope-'));
  const [spool = ''] = readdirSync(join(here.tmp, own)).filter((name) => name.startsWith('spool-'));
  assert.match((await server.call('read_snippet', { path: `tmp/${own}/${spool}/${handle}.txt` })).text, /^path_excluded: /);
  assert.match(await search(server, 'planted output', handle), /planted in an output/);
});

test('the words that tell of a kept text are no parts of its tokens', async () => {
  const tokens = ['a', 'b', 'c'].map(
    (seed) =>
      `ghp_${createHash('sha512')
        .update(seed)
        .digest('base64')
        .replace(/[^A-Za-z]/g, '')
        .slice(0, 36)}`,
  );
  const content = Array.from({ length: 200 }, (_, n) => `line ${n} uses ${tokens[Math.floor(n / 70)]} for login`).join('\n');
  const server = await openServer({ root: plant({ 'a.ts': 'a\n' }), args: ['--tools', 'output'] });
  const { text } = await server.call('keep_output', { content, source: 'log' });
  for (const token of tokens) for (let at = 4; at + 8 <= token.length; at++) assert.ok(!text.includes(token.slice(at, at + 8)), text);
});
