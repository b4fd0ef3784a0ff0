/** The router with made-up tools and the real runner: eras, methods, parameters, results, progress, slots, bugs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ToolGroup } from '#dist/base/config.js';
import { ProtocolError, RPC, ToolError } from '#dist/base/errors.js';
import { defaultLimits } from '#dist/base/limits.js';
import type { Log } from '#dist/base/log.js';
import type { Call } from '#dist/jsonrpc/connection.js';
import { Dispatcher } from '#dist/jsonrpc/dispatcher.js';
import { parseMessage, type Request } from '#dist/jsonrpc/messages.js';
import { Router, type RouterOptions } from '#dist/mcp/router.js';
import { TOOLS } from '#dist/tools/registry.js';
import type { ToolReply } from '#dist/tools/reply.js';
import type { RunOptions, ToolRunner } from '#dist/tools/runner.js';
import type { AnyTool } from '#dist/tools/tool.js';
import { openLab, plant } from '../../support/e2e-lab.js';

const log: Log = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };
const info = { name: 'ripscope', title: 'RipScope', version: '9.8.7', instructions: 'Start with search_text.' };
const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const LEVEL = 'io.modelcontextprotocol/logLevel';
const SERVER = 'io.modelcontextprotocol/serverInfo';
const META = { [VERSION]: '2026-07-28', [CAPABILITIES]: {} };
const modern = (params: object = {}, meta: object = {}): object => ({ ...params, _meta: { ...META, ...meta } });

type Run = (tool: AnyTool, given: unknown, options: RunOptions) => Promise<ToolReply>;
const said = (text: string): ToolReply => ({ isError: false, found: true, text });

interface Desk {
  readonly router: Router;
  /** Notifications of all calls, in order. */
  readonly notices: { id: string | number; method: string; params: Record<string, unknown> }[];
  ask(
    method: string,
    params?: unknown,
    options?: { id?: string | number; signal?: AbortSignal; isBlocked?: () => boolean },
  ): Promise<Record<string, unknown>>;
}

type DeskOptions = Partial<RouterOptions> & { tools?: readonly AnyTool[]; runner?: ToolRunner };

function openDesk(
  run: Run = async () => said('done'),
  { tools = TOOLS, runner = { run } as unknown as ToolRunner, ...options }: DeskOptions = {},
): Desk {
  const toolbox = async (): Promise<{ tools: readonly AnyTool[]; runner: ToolRunner; hasRoots: boolean }> => ({
    tools,
    runner,
    hasRoots: false,
  });
  const router = new Router({ toolbox, info, limits: defaultLimits(), cores: 2, format: 'text', log, ...options });
  const notices: Desk['notices'] = [];
  let serial = 0;
  return {
    router,
    notices,
    ask: async (method, params, { id = ++serial, signal = new AbortController().signal, isBlocked = () => false } = {}) => {
      const request: Request = { id, method, ...(params === undefined ? {} : { params }) };
      const call: Call = {
        id,
        signal,
        notify: (name, given) => {
          if (isBlocked()) return false;
          notices.push({ id, method: name, params: given as Record<string, unknown> });
          return true;
        },
      };
      return (await router.request(request, call)) as Record<string, unknown>;
    },
  };
}

const initialize = (desk: Desk, protocolVersion: unknown = '2025-11-25') =>
  desk.ask('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'c', version: '1' } });
const refuses = async (asked: Promise<unknown>, code: number, message?: RegExp): Promise<ProtocolError> => {
  const error = await asked.then(
    (result) => assert.fail(`answered ${JSON.stringify(result)}`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ProtocolError, String(error));
  assert.equal(error.code, code, error.message);
  if (message !== undefined) assert.match(error.message, message);
  return error;
};

// --- the handshake era

/** asked, answered */
const revisions: [unknown, string][] = [
  ['2024-11-05', '2024-11-05'],
  ['2025-03-26', '2025-03-26'],
  ['2025-06-18', '2025-06-18'],
  ['2025-11-25', '2025-11-25'],
  ['2026-07-28', '2025-11-25'],
  ['2031-01-01', '2025-11-25'],
  ['1', '2025-11-25'],
  ['', '2025-11-25'],
];
for (const [asked, answered] of revisions) {
  test(`initialize with ${JSON.stringify(asked)} is answered with ${answered}`, async () => {
    const result = await initialize(openDesk(), asked);
    assert.deepEqual(result, {
      protocolVersion: answered,
      capabilities: { tools: {} },
      serverInfo: { name: 'ripscope', title: 'RipScope', version: '9.8.7' },
      instructions: 'Start with search_text.',
    });
  });
}

for (const version of [undefined, null, 5, {}, ['2025-11-25']]) {
  test(`initialize with protocolVersion ${JSON.stringify(version)} is refused`, async () => {
    const desk = openDesk();
    await refuses(
      desk.ask('initialize', { capabilities: {}, ...(version === undefined ? {} : { protocolVersion: version }) }),
      RPC.invalidParams,
      /protocolVersion/,
    );
    await refuses(desk.ask('tools/list'), RPC.invalidParams, /before the handshake/);
  });
}

test('initialize without any params is refused, and may then be sent rightly', async () => {
  const desk = openDesk();
  for (const params of [undefined, [], null, 'x']) await refuses(desk.ask('initialize', params), RPC.invalidParams);
  assert.equal((await initialize(desk)).protocolVersion, '2025-11-25');
});

test('only the revision 2025-03-26 takes batches', async () => {
  for (const [asked] of revisions) {
    const desk = openDesk();
    assert.equal(desk.router.acceptsBatch(), false, 'before the handshake');
    await initialize(desk, asked);
    assert.equal(desk.router.acceptsBatch(), asked === '2025-03-26', String(asked));
  }
});

test('a second initialize settles the revision anew', async () => {
  const desk = openDesk();
  await initialize(desk, '2025-03-26');
  assert.equal((await initialize(desk, '2025-06-18')).protocolVersion, '2025-06-18');
  assert.equal(desk.router.acceptsBatch(), false);
});

test('initialize cannot be cancelled, everything else can', () => {
  const { router } = openDesk();
  assert.equal(router.isCancellable('initialize'), false);
  for (const method of ['tools/call', 'tools/list', 'ping', 'server/discover', 'x']) assert.equal(router.isCancellable(method), true);
});

for (const method of ['tools/list', 'tools/call', 'prompts/list', 'nonsense', 'logging/setLevel']) {
  test(`${method} before initialize names both ways in`, async () => {
    const error = await refuses(openDesk().ask(method, {}), RPC.invalidParams);
    assert.match(error.message, /initialize/);
    assert.ok(error.message.includes(VERSION) && error.message.includes(CAPABILITIES), error.message);
  });
}

test('ping is answered before and after initialize, with nothing on it', async () => {
  const desk = openDesk();
  assert.deepEqual(await desk.ask('ping'), {});
  await initialize(desk);
  assert.deepEqual(await desk.ask('ping'), {});
});

test('without an initialized notification everything is served all the same', async () => {
  const desk = openDesk();
  await initialize(desk);
  assert.ok(Array.isArray((await desk.ask('tools/list')).tools));
});

test('legacy results carry nothing of the modern era', async () => {
  const desk = openDesk();
  await initialize(desk);
  assert.deepEqual(Object.keys(await desk.ask('tools/list')), ['tools']);
  assert.deepEqual(await desk.ask('tools/call', { name: 'list_files' }), { content: [{ type: 'text', text: 'done' }], isError: false });
});

const UNSERVED = [
  'prompts/list',
  'resources/list',
  'completion/complete',
  'logging/setLevel',
  'roots/list',
  'subscriptions/listen',
  'tools/unknown',
  'Tools/List',
  '',
  'rpc.discover',
  'constructor',
];
for (const method of UNSERVED) {
  test(`${JSON.stringify(method)} is no method of either era`, async () => {
    const desk = openDesk();
    await initialize(desk);
    await refuses(desk.ask(method, {}), RPC.methodNotFound);
    await refuses(desk.ask(method, modern()), RPC.methodNotFound);
  });
}

// --- the modern era

test('server/discover says versions, capabilities and instructions, fit for a cache, without a handshake', async () => {
  const result = await openDesk().ask('server/discover', modern());
  assert.deepEqual(result, {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
    instructions: 'Start with search_text.',
    ttlMs: 3_600_000,
    cacheScope: 'public',
    _meta: { [SERVER]: { name: 'ripscope', version: '9.8.7' } },
  });
});

test('modern results carry resultType and serverInfo; only what may be cached carries ttlMs and cacheScope', async () => {
  const desk = openDesk();
  const list = await desk.ask('tools/list', modern());
  assert.deepEqual([list.resultType, list.ttlMs, list.cacheScope], ['complete', 3_600_000, 'public']);
  const called = await desk.ask('tools/call', modern({ name: 'list_files' }));
  assert.equal(called.resultType, 'complete');
  assert.ok(!('ttlMs' in called) && !('cacheScope' in called));
  for (const result of [list, called]) assert.deepEqual(result._meta, { [SERVER]: { name: 'ripscope', version: '9.8.7' } });
});

for (const method of ['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'subscriptions/listen']) {
  test(`${method} is gone from the modern era`, async () => {
    const desk = openDesk();
    await refuses(desk.ask(method, modern({ protocolVersion: '2025-11-25' })), RPC.methodNotFound);
    await refuses(desk.ask('tools/list'), RPC.invalidParams, /before the handshake/);
  });
}

/** title, _meta, code, message */
const metas: [string, object, number, RegExp][] = [
  ['no version', { [CAPABILITIES]: {} }, RPC.invalidParams, /protocolVersion/],
  ['a version that is no text', { [VERSION]: 5, [CAPABILITIES]: {} }, RPC.invalidParams, /protocolVersion/],
  ['no capabilities', { [VERSION]: '2026-07-28' }, RPC.invalidParams, /clientCapabilities/],
  ['capabilities that are a list', { [VERSION]: '2026-07-28', [CAPABILITIES]: [] }, RPC.invalidParams, /clientCapabilities/],
  ['capabilities that are null', { [VERSION]: '2026-07-28', [CAPABILITIES]: null }, RPC.invalidParams, /clientCapabilities/],
  ['an unserved version', { ...META, [VERSION]: '2031-01-01' }, RPC.unsupportedVersion, /Unsupported protocol version/],
  ['a legacy version', { ...META, [VERSION]: '2025-11-25' }, RPC.unsupportedVersion, /Unsupported protocol version/],
  ['an unknown log level', { ...META, [LEVEL]: 'loud' }, RPC.invalidParams, /logLevel/],
  ['a log level that is no text', { ...META, [LEVEL]: 3 }, RPC.invalidParams, /logLevel/],
  ['wrong shape before wrong version', { [VERSION]: '2031-01-01' }, RPC.invalidParams, /clientCapabilities/],
  ['wrong version before wrong log level', { ...META, [VERSION]: '2031-01-01', [LEVEL]: 'loud' }, RPC.unsupportedVersion, /Unsupported/],
];
for (const [title, meta, code, message] of metas) {
  test(`_meta with ${title} is refused with ${code}, whatever the method and its params`, async () => {
    const desk = openDesk();
    await initialize(desk);
    for (const [method, params] of [
      ['tools/list', {}],
      ['tools/list', { cursor: 'x' }],
      ['tools/call', { name: 'none' }],
      ['server/discover', {}],
      ['no/method', {}],
      ['ping', {}],
    ] as [string, object][]) {
      const error = await refuses(desk.ask(method, { ...params, _meta: meta }), code, message);
      if (code === RPC.unsupportedVersion)
        assert.deepEqual(error.data, { supported: ['2026-07-28'], requested: (meta as Record<string, unknown>)[VERSION] });
    }
  });
}

test('the method is checked before its params', async () => {
  await refuses(openDesk().ask('no/method', modern({ cursor: 'x' })), RPC.methodNotFound);
});

for (const params of [undefined, {}, [], null, { _meta: null }, { _meta: [] }, { _meta: {} }]) {
  test(`server/discover with params ${JSON.stringify(params)} lacks its _meta`, async () => {
    await refuses(openDesk().ask('server/discover', params), RPC.invalidParams, /protocolVersion/);
  });
}

for (const level of ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']) {
  test(`the log level ${level} is accepted and changes nothing`, async () => {
    assert.deepEqual(await openDesk().ask('tools/list', modern({}, { [LEVEL]: level })), await openDesk().ask('tools/list', modern()));
  });
}

test('other _meta keys and params are tolerated', async () => {
  const extra = { traceparent: 'broken', 'com.example/x': { a: 1 }, 'io.modelcontextprotocol/clientInfo': 5 };
  assert.ok(await openDesk().ask('tools/list', modern({ unknown: true, inputResponses: [], requestState: 'x' }, extra)));
});

test('the era is chosen per request, so both may be served on one connection', async () => {
  const desk = openDesk();
  assert.equal((await desk.ask('tools/list', modern())).resultType, 'complete');
  await refuses(desk.ask('tools/list'), RPC.invalidParams);
  await initialize(desk);
  assert.equal((await desk.ask('tools/list')).resultType, undefined);
  assert.equal((await desk.ask('tools/list', modern())).resultType, 'complete');
  assert.equal((await desk.ask('tools/list', { _meta: { progressToken: 1 } })).resultType, undefined);
  await refuses(desk.ask('server/discover'), RPC.invalidParams);
});

// --- tools/list

test('tools/list is the same bytes each time and in each era, whatever was asked before', async () => {
  const first = JSON.stringify((await openDesk().ask('tools/list', modern())).tools);
  const desk = openDesk();
  await initialize(desk, '2024-11-05');
  await desk.ask('tools/call', { name: 'list_files' });
  for (let i = 0; i < 3; i++) assert.equal(JSON.stringify((await desk.ask('tools/list', {})).tools), first);
});

test('the search tools are smaller than 7,000 characters in tools/list, run_test_filtered smaller than 1,300, and all smaller than 10,000', async () => {
  const desk = openDesk();
  await initialize(desk);
  const { tools } = (await desk.ask('tools/list')) as { tools: { name: string }[] };
  const size = (group: ToolGroup): number => {
    const names = TOOLS.filter((tool) => tool.group === group).map(({ name }) => name);
    return JSON.stringify(tools.filter(({ name }) => names.includes(name))).length;
  };
  assert.ok(size('search') < 7_000, `${size('search')} characters`);
  assert.ok(size('tests') < 1_300, `${size('tests')} characters`);
  assert.ok(JSON.stringify(tools).length < 10_000, `${JSON.stringify(tools).length} characters`);
});

test('a definition has what clients show and check, and nothing that makes them refuse the list', async () => {
  const desk = openDesk();
  await initialize(desk);
  const { tools } = (await desk.ask('tools/list')) as { tools: Record<string, unknown>[] };
  assert.deepEqual(
    tools.map((tool) => tool.name),
    TOOLS.map((tool) => tool.name),
  );
  for (const tool of tools) {
    assert.match(String(tool.name), /^[a-z][a-z0-9_]{0,39}$/);
    assert.ok(String(tool.description).length > 0 && String(tool.description).length <= 2_000);
    const special: Record<string, object> = {
      run_test_filtered: { readOnlyHint: false, openWorldHint: true },
      keep_output: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    };
    assert.deepEqual(tool.annotations, special[String(tool.name)] ?? { readOnlyHint: true, openWorldHint: false });
    assert.equal((tool.inputSchema as { type: string }).type, 'object');
    for (const key of ['outputSchema', 'icons']) assert.ok(!(key in tool), key);
    assert.doesNotMatch(JSON.stringify(tool.inputSchema), /"(?:\$schema|\$ref|format|anyOf|oneOf|allOf|const|if)"/);
  }
});

for (const cursor of ['', 'abc', null, 0]) {
  test(`tools/list has one page, so the cursor ${JSON.stringify(cursor)} is unknown`, async () => {
    const desk = openDesk();
    await initialize(desk);
    await refuses(desk.ask('tools/list', { cursor }), RPC.invalidParams, /cursor/);
    await refuses(desk.ask('tools/list', modern({ cursor })), RPC.invalidParams, /cursor/);
  });
}

for (const params of [[], null, 'x', 5]) {
  test(`tools/list and tools/call with params ${JSON.stringify(params)} are refused`, async () => {
    const desk = openDesk();
    await initialize(desk);
    for (const method of ['tools/list', 'tools/call']) await refuses(desk.ask(method, params), RPC.invalidParams, /params/);
  });
}

// --- tools/call

for (const name of [undefined, null, 5, ['search_text'], {}]) {
  test(`tools/call with the name ${JSON.stringify(name)} is a protocol error`, async () => {
    const desk = openDesk();
    await initialize(desk);
    await refuses(desk.ask('tools/call', name === undefined ? {} : { name }), RPC.invalidParams, /name/);
  });
}

for (const name of ['', 'none', 'SEARCH_TEXT', 'search_text ', 'constructor', '__proto__', 'x'.repeat(10_000)]) {
  test(`the unknown tool ${JSON.stringify(name.slice(0, 20))} is a protocol error that names the tools`, async () => {
    const error = await refuses(
      openDesk().ask('tools/call', modern({ name })),
      RPC.invalidParams,
      /Unknown tool: .*search_text, locate, read_snippet, list_files/,
    );
    assert.ok(error.message.length < 400);
  });
}

test('absent arguments count as empty, and others reach the runner as they are', async () => {
  const seen: unknown[] = [];
  const desk = openDesk(async (_tool, given) => {
    seen.push(given);
    return said('x');
  });
  for (const given of [undefined, {}, { a: 1 }, null, [], 'text'])
    await desk.ask('tools/call', modern({ name: 'list_files', ...(given === undefined ? {} : { arguments: given }) }));
  assert.deepEqual(seen, [{}, {}, { a: 1 }, null, [], 'text']);
});

test('what the caller can repair is a result with isError, with the real runner', async () => {
  const lab = openLab(plant({ 'a.txt': 'needle\n' }));
  const desk = openDesk(undefined, { runner: lab.runner });
  for (const given of [
    {},
    { pattern: 'x', nope: 1 },
    { pattern: '(', regex: true },
    { pattern: 'x', scope: '../..' },
    { pattern: 'x', root: 'none' },
    null,
    [],
    'text',
  ]) {
    const result = await desk.ask('tools/call', modern({ name: 'search_text', arguments: given }));
    assert.equal(result.isError, true, JSON.stringify(given));
    assert.ok(!('structuredContent' in result));
    const [block, ...others] = result.content as { type: string; text: string }[];
    assert.deepEqual(others, []);
    assert.match(block!.text, /^[a-z_]+: .+\n# .+$/s);
  }
  const nothing = await desk.ask('tools/call', modern({ name: 'search_text', arguments: { pattern: 'absent' } }));
  assert.equal(nothing.isError, false, 'nothing found is no error');
});

test('with the format json the whole payload is structured, and its JSON is the text', async () => {
  const lab = openLab(plant({ 'a.txt': 'needle\n' }));
  const desk = openDesk(undefined, { runner: lab.runner, format: 'json' });
  for (const given of [{ pattern: 'needle' }, { pattern: '' }]) {
    const result = await desk.ask('tools/call', modern({ name: 'search_text', arguments: given }));
    const [block] = result.content as { text: string }[];
    assert.deepEqual(JSON.parse(block!.text), result.structuredContent);
  }
});

test('the runner gets the signal of the call and a log that knows its id', async () => {
  const lines: object[] = [];
  const heard: Log = { ...log, info: (fields) => lines.push(fields) };
  const abort = new AbortController();
  let seen: AbortSignal | undefined;
  const desk = openDesk(
    async (_tool, _given, options) => {
      seen = options.signal;
      options.log.info({ a: 1 }, 'x');
      return said('x');
    },
    { log: heard },
  );
  await desk.ask('tools/call', modern({ name: 'list_files' }), { id: 'abc', signal: abort.signal });
  assert.equal(seen, abort.signal);
  assert.deepEqual(lines, [{ request: 'abc', a: 1 }]);
});

test('a bug is thrown on as it is, so that it becomes -32603 without detail', async () => {
  const bug = new TypeError('secret path /home/x');
  const desk = openDesk(async () => {
    throw bug;
  });
  await assert.rejects(desk.ask('tools/call', modern({ name: 'list_files' })), (error) => error === bug);
});

test('a bug reaches the client as -32603 without detail, and the log with its stack', async () => {
  const errors: object[] = [];
  const { router } = openDesk(async () => {
    throw new TypeError('secret path /home/x');
  });
  const dispatcher = new Dispatcher(router, { error: (fields) => errors.push(fields), debug: () => {} }, () => true, defaultLimits());
  const message = { jsonrpc: '2.0', id: 'b', method: 'tools/call', params: modern({ name: 'list_files' }) };
  const reply = await dispatcher.serve(parseMessage(JSON.stringify(message)));
  assert.deepEqual(JSON.parse(reply ?? ''), { jsonrpc: '2.0', id: 'b', error: { code: RPC.internalError, message: 'Internal error' } });
  assert.match(String((errors[0] as { err: Error }).err.stack), /secret path/);
});

test('a ToolError that escapes the runner is a result with isError', async () => {
  const desk = openDesk(async () => {
    throw new ToolError('file_binary', 'It is binary.');
  });
  const result = await desk.ask('tools/call', modern({ name: 'list_files' }));
  assert.equal(result.isError, true);
  assert.match((result.content as { text: string }[])[0]!.text, /^file_binary: It is binary\.\n# /);
});

// --- slots

/** A runner that waits until it is told. */
function gate(): { run: Run; started: string[]; open: (name?: string) => void } {
  const waiting = new Map<string, () => void>();
  const started: string[] = [];
  return {
    started,
    run: (_tool, given) =>
      new Promise((resolve) => {
        const name = String((given as { name?: unknown }).name);
        started.push(name);
        waiting.set(name, () => resolve(said(name)));
      }),
    open: (name) => {
      for (const [key, go] of [...waiting]) if (name === undefined || name === key) go();
    },
  };
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const call = (name: string) => modern({ name: 'list_files', arguments: { name } });

test('calls beyond the slots wait in order, and beyond the queue are busy: a result with isError', async () => {
  const door = gate();
  const desk = openDesk(door.run, { limits: { ...defaultLimits(), maxInFlight: 4, maxQueued: 1 } });
  const calls = ['a', 'b', 'c'].map((name) => desk.ask('tools/call', call(name)));
  const busy = await desk.ask('tools/call', call('d'));
  assert.equal(busy.isError, true);
  assert.match((busy.content as { text: string }[])[0]!.text, /^busy: 2 calls of this kind are running and 1 is waiting/);
  assert.deepEqual(door.started, ['a', 'b']);
  for (const method of ['tools/list', 'server/discover']) assert.ok(await desk.ask(method, modern()), `${method} needs no slot`);
  door.open('a');
  await calls[0];
  await turn();
  assert.deepEqual(door.started, ['a', 'b', 'c']);
  door.open();
  assert.deepEqual(
    (await Promise.all(calls)).map((result) => (result.content as { text: string }[])[0]!.text),
    ['a', 'b', 'c'],
  );
});

test('a call that is cancelled while it waits never starts and frees its place', async () => {
  const door = gate();
  const desk = openDesk(door.run, { limits: { ...defaultLimits(), maxInFlight: 1, maxQueued: 1 } });
  const first = desk.ask('tools/call', call('a'));
  const abort = new AbortController();
  const second = desk.ask('tools/call', call('b'), { signal: abort.signal });
  abort.abort(new Error('cancelled'));
  await assert.rejects(second, /cancelled/);
  const third = desk.ask('tools/call', call('c'));
  door.open('a');
  await first;
  await turn();
  door.open();
  await third;
  assert.deepEqual(door.started, ['a', 'c']);
});

// --- progress

const quick = { ...defaultLimits(), progressFirstMs: 20, progressEveryMs: 10 };
const tokens: [unknown, boolean][] = [
  ['t', true],
  ['', true],
  [0, true],
  [-3, true],
  [7, true],
  [1.5, false],
  [null, false],
  [true, false],
  [{}, false],
  [['t'], false],
  [undefined, false],
];
for (const [token, isTold] of tokens) {
  test(`the progress token ${JSON.stringify(token)} ${isTold ? 'gets progress, as it is' : 'gets none'}`, async () => {
    const door = gate();
    const desk = openDesk(door.run, { limits: quick });
    const asked = desk.ask(
      'tools/call',
      modern({ name: 'list_files', arguments: { name: 'a' } }, token === undefined ? {} : { progressToken: token }),
    );
    for (const end = Date.now() + (isTold ? 5_000 : 80); Date.now() < end && desk.notices.length < 3; )
      await new Promise((resolve) => setTimeout(resolve, 5));
    door.open();
    await asked;
    const seen = desk.notices.length;
    assert.equal(seen >= 3, isTold);
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(desk.notices.length, seen, 'none after the reply');
    for (const [index, { method, params }] of desk.notices.entries()) {
      assert.equal(method, 'notifications/progress');
      assert.equal(params.progressToken, token);
      assert.equal(typeof params.message, 'string');
      if (index > 0) assert.ok((params.progress as number) > (desk.notices[index - 1]!.params.progress as number), 'strictly rising');
    }
  });
}

test('a call that is over before the first report reports nothing, also in the legacy era', async () => {
  const desk = openDesk(async () => said('x'), { limits: quick });
  await initialize(desk);
  await desk.ask('tools/call', { name: 'list_files', _meta: { progressToken: 'p' } });
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.deepEqual(desk.notices, []);
});

test('progress ends with a call that fails or is cancelled, and goes on to others', async () => {
  const abort = new AbortController();
  const run: Run = (_tool, given, { signal }) =>
    new Promise((_resolve, reject) => {
      if ((given as { name: string }).name === 'bug') setTimeout(() => reject(new Error('bug')), 40);
      else signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  const desk = openDesk(run, { limits: quick });
  const ask = (name: string, signal?: AbortSignal) =>
    desk.ask(
      'tools/call',
      modern({ name: 'list_files', arguments: { name } }, { progressToken: name }),
      signal === undefined ? {} : { signal },
    );
  const bug = ask('bug');
  const long = ask('long', abort.signal);
  await assert.rejects(bug, /bug/);
  const atBug = desk.notices.filter(({ params }) => params.progressToken === 'bug').length;
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.equal(desk.notices.filter(({ params }) => params.progressToken === 'bug').length, atBug);
  assert.ok(desk.notices.some(({ params }) => params.progressToken === 'long'));
  abort.abort(new Error('cancelled'));
  await assert.rejects(long, /cancelled/);
  const atEnd = desk.notices.length;
  await new Promise((resolve) => setTimeout(resolve, 40));
  assert.equal(desk.notices.length, atEnd);
});

test('progress that the output has no room for is dropped, not queued', async () => {
  const door = gate();
  const desk = openDesk(door.run, { limits: quick });
  let isBlocked = true;
  const asked = desk.ask('tools/call', modern({ name: 'list_files', arguments: { name: 'a' } }, { progressToken: 1 }), {
    isBlocked: () => isBlocked,
  });
  await new Promise((resolve) => setTimeout(resolve, 80));
  assert.equal(desk.notices.length, 0);
  isBlocked = false;
  for (const end = Date.now() + 5_000; Date.now() < end && desk.notices.length < 1; )
    await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(desk.notices.length, 1, 'one at a time, nothing that was held back');
  door.open();
  await asked;
});

test('notifications are never answered, whatever they are', () => {
  const { router } = openDesk();
  for (const method of ['notifications/initialized', 'notifications/roots/list_changed', 'tools/call', 'nonsense', '']) {
    assert.equal(router.notification({ method }), undefined);
  }
});
