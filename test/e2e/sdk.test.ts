/** The official clients against the built program: 1.x, and 2.x pinned to the modern era, choosing, and in the legacy era. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import * as sdk2 from '@modelcontextprotocol/client';
import * as stdio2 from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { TOOLS } from '#dist/tools/registry.js';
import { numberedTree, plantSlow, SLOW } from '../support/e2e-processes.js';
import { baseEnvironment, CLI, descendantsOf, HAS_PROC, isAlive, until } from '../support/server.js';
import { pausingRipgrep, posix } from '../support/slow-ripgrep.js';

const slow = plantSlow();
const root = numberedTree();

interface Result {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly isError?: boolean | undefined;
}

/** What the tests need of a client, whichever made it. */
interface Session {
  readonly pid: number;
  readonly version: string | undefined;
  readonly serverName: string | undefined;
  list(): Promise<readonly { readonly name: string }[]>;
  call(
    name: string,
    args: Record<string, unknown>,
    options?: { signal?: AbortSignal; onprogress?: (progress: { progress: number; message?: string | undefined }) => void },
  ): Promise<Result>;
  close(): Promise<void>;
}

const parameters = (repository: string, rg?: string) => ({
  command: process.execPath,
  args: [CLI],
  env: baseEnvironment({ REPO_ROOT: repository, ...(rg === undefined ? {} : { RIPSCOPE_RG: rg }) }),
  stderr: 'ignore' as const,
});

async function open1(repository: string, rg?: string): Promise<Session> {
  const transport = new Stdio1(parameters(repository, rg));
  const client = new Client1({ name: 'e2e', version: '1' });
  await client.connect(transport);
  return {
    pid: transport.pid ?? -1,
    version: undefined,
    serverName: client.getServerVersion()?.name,
    list: async () => (await client.listTools()).tools,
    call: async (name, args, options = {}) => (await client.callTool({ name, arguments: args }, undefined, options)) as Result,
    close: () => client.close(),
  };
}

type Mode = 'auto' | 'legacy' | { pin: string };
const open2 =
  (mode: Mode) =>
  async (repository: string, rg?: string): Promise<Session> => {
    const transport = new stdio2.StdioClientTransport(parameters(repository, rg));
    const client = new sdk2.Client({ name: 'e2e', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(transport);
    return {
      pid: transport.pid ?? -1,
      version: client.getNegotiatedProtocolVersion(),
      serverName: client.getServerVersion()?.name,
      list: async () => (await client.listTools()).tools,
      call: async (name, args, options = {}) => (await client.callTool({ name, arguments: args }, options)) as Result,
      close: () => client.close(),
    };
  };

/** title, how to open, version that must come out */
const clients: [string, (repository: string, rg?: string) => Promise<Session>, string | undefined][] = [
  ['SDK 1.x', open1, undefined],
  ['SDK 2.x pinned to 2026-07-28', open2({ pin: '2026-07-28' }), '2026-07-28'],
  ['SDK 2.x that chooses', open2('auto'), '2026-07-28'],
  ['SDK 2.x in the legacy era', open2('legacy'), '2025-11-25'],
];
const open = new Set<Session>();
after(() => Promise.all([...open].map((session) => session.close())));

for (const [title, connect, version] of clients) {
  const start = async (repository: string, rg?: string): Promise<Session> => {
    const session = await connect(repository, rg);
    open.add(session);
    return session;
  };
  const stop = async (session: Session): Promise<void> => {
    open.delete(session);
    await session.close();
  };

  test(`${title} shakes hands, lists, calls, and gets errors as results`, async () => {
    const session = await start(root);
    if (version !== undefined) assert.equal(session.version, version);
    assert.equal(session.serverName, 'ripscope');
    assert.deepEqual(
      (await session.list()).map((tool) => tool.name),
      TOOLS.map((tool) => tool.name),
    );
    const found = await session.call('search_text', { pattern: 'needle 7', word: true });
    assert.ok(found.isError !== true);
    assert.match(found.content[0]?.text ?? '', /^1 match in 1 file\.\nd7\/f7\.txt @[\w-]{6}\n1:needle 7$/);
    const read = await session.call('read_snippet', { path: 'd7/f7.txt' });
    assert.match(read.content[0]?.text ?? '', /\n1\tneedle 7$/);
    const failed = await session.call('search_text', { pattern: '(', regex: true });
    assert.equal(failed.isError, true);
    assert.match(failed.content[0]?.text ?? '', /^pattern_invalid: /);
    await assert.rejects(session.call('no_such_tool', {}), /Unknown tool|-32602/);
    await stop(session);
  });

  test(`${title} runs 30 calls at once and each gets its own answer`, async () => {
    const session = await start(root);
    const texts = await Promise.all(
      Array.from(
        { length: 30 },
        async (_, i) => (await session.call('search_text', { pattern: `needle ${i}`, word: true })).content[0]?.text ?? '',
      ),
    );
    for (const [i, text] of texts.entries())
      assert.match(text, new RegExp(`^1 match in 1 file\\.\nd${i % 10}/f${i}\\.txt @[\\w-]{6}\n1:needle ${i}$`));
    await stop(session);
  });

  test(`${title} gets progress of a long call, cancels it, and goes on`, { skip: !HAS_PROC && 'needs /proc' }, async () => {
    const session = await start(slow);
    const abort = new AbortController();
    const progress: number[] = [];
    const call = session.call('search_text', SLOW, { signal: abort.signal, onprogress: ({ progress: at }) => progress.push(at) });
    const ended = assert.rejects(call);
    assert.ok(await until(() => progress.length >= 2), 'progress comes');
    assert.ok(descendantsOf(session.pid).length > 0, 'rg runs');
    abort.abort();
    await ended;
    assert.ok(await until(() => descendantsOf(session.pid).length === 0, 2_000), 'rg is gone');
    assert.deepEqual(
      progress,
      [...new Set(progress)].sort((a, b) => a - b),
      'strictly rising',
    );
    assert.ok((await session.list()).length === TOOLS.length, 'the session goes on');
    await stop(session);
  });

  test(`${title} is told the best place before the reply comes`, posix, async () => {
    const session = await start(root, pausingRipgrep(1.2));
    const told: string[] = [];
    const reply = await session.call(
      'search_text',
      { pattern: 'needle 7', word: true },
      { onprogress: ({ message = '' }) => told.push(message) },
    );
    const atReply = told.length;
    assert.match(told[0] ?? '', /^0\.\d s, 1 match in 1 file so far; first so far d7\/f7\.txt:1$/);
    assert.match(reply.content[0]?.text ?? '', /needle 7/);
    await new Promise((resolve) => setTimeout(resolve, 400));
    assert.equal(told.length, atReply, 'none after the reply');
    await stop(session);
  });

  test(`${title} closes without leaving a process`, { skip: !HAS_PROC && 'needs /proc' }, async () => {
    const session = await start(slow);
    const { pid } = session;
    void session.call('search_text', SLOW).catch(() => {});
    assert.ok(await until(() => descendantsOf(pid).length > 0));
    const [child] = descendantsOf(pid);
    const started = performance.now();
    await stop(session);
    const took = performance.now() - started;
    assert.ok(took < 2_000, `${Math.round(took)} ms: the client had to send SIGTERM`);
    assert.ok(await until(() => !isAlive(pid) && !isAlive(child ?? 0), 1_000));
  });
}
