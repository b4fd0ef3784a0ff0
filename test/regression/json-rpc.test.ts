/** What is answered to which message: with which id, which code, which version. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { makeWorld, plain } from '../support/fixtures.js';
import { everything } from '../support/replies.js';
import { messagesOf, openServer, runCli, type Server, sharedForms, startServer } from '../support/server.js';
import type { Message } from '../support/wire.js';

const world = makeWorld();
const root = plain(world);
const env = { REPO_ROOT: root };
const onPlain = sharedForms(() => ({ root }));

const INIT = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
};
const READY = { jsonrpc: '2.0', method: 'notifications/initialized' };
const LIST = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} };
const lines = (...messages: readonly unknown[]): string => messages.map((message) => `${JSON.stringify(message)}\n`).join('');
const asking = (protocolVersion: unknown): object => ({ ...INIT, params: { ...INIT.params, protocolVersion } });

/** `[id, 'result' or code]` in a fixed order, because replies may overtake each other; the id is null where the member is
 *  absent, which is how errors without a known id must come. */
function responses(messages: readonly (Message | Message[])[]): [unknown, unknown][] {
  return messages
    .flat()
    .filter((message) => message.method === undefined)
    .map((message) => {
      assert.notEqual(message.id, null, 'an id member is never null');
      return [message.id ?? null, message.error?.code ?? 'result'] as [unknown, unknown];
    })
    .sort(byId);
}

/** By id; those without one come last. */
function byId(left: readonly unknown[], right: readonly unknown[]): number {
  const key = ([id]: readonly unknown[]): string => (id === null ? '~' : JSON.stringify(id));
  return key(left) < key(right) ? -1 : 1;
}

async function answersTo(stdin: string): Promise<[unknown, unknown][]> {
  return responses(messagesOf((await runCli([], { env, input: stdin })).stdout).messages);
}

async function assertAnswers(stdin: string, expected: readonly (readonly [unknown, unknown])[]): Promise<void> {
  assert.deepEqual(await answersTo(stdin), [...expected].sort(byId));
}

// https://github.com/CodeGraphContext/CodeGraphContext/pull/1715
test('framing-bad-json: a line that is no JSON gets an error without id, and the session goes on', async () => {
  await assertAnswers(`${lines(INIT, READY)}{ not json\n${lines(LIST)}`, [
    [1, 'result'],
    [null, -32700],
    [2, 'result'],
  ]);
});

for (const [name, line, code] of [
  ['half an object', '{"jsonrpc":"2.0","id":7,"method":"ping"', -32700],
  ['two objects in a line', '{"jsonrpc":"2.0","id":7,"method":"ping"}{"jsonrpc":"2.0","id":8,"method":"ping"}', -32700],
  ['a comma too many', '{"jsonrpc":"2.0","id":7,"method":"ping",}', -32700],
  ['words', 'hello server', -32700],
  ['NaN', '{"jsonrpc":"2.0","id":NaN,"method":"ping"}', -32700],
  ['a control character in a text', '{"jsonrpc":"2.0","id":7,"method":"pi\u0001ng"}', -32700],
  ['brackets without end', '['.repeat(50_000), -32700],
  ['a text', '"ping"', -32600],
  ['a number', '42', -32600],
  ['null', 'null', -32600],
  ['true', 'true', -32600],
  ['an empty object', '{}', -32600],
  ['no version', '{"id":7,"method":"ping"}', -32600],
  ['another version', '{"jsonrpc":"1.0","id":7,"method":"ping"}', -32600],
  ['an id that is null', '{"jsonrpc":"2.0","id":null,"method":"tools/list"}', -32600],
  ['an id that is an object', '{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}', -32600],
  ['an id that is a list', '{"jsonrpc":"2.0","id":[7],"method":"ping"}', -32600],
  ['an id that is true', '{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600],
  ['an id with a fraction', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600],
  ['a method that is a number', '{"jsonrpc":"2.0","id":7,"method":5}', -32600],
] as const) {
  test(`framing-bad-json: ${name} gives ${code} once, never the id of another request, and the next line is answered`, async () => {
    const answers = await answersTo(`${lines(INIT, READY)}${line}\n${lines(LIST)}`);
    assert.equal(answers.length, 3, JSON.stringify(answers));
    assert.deepEqual(answers.slice(0, 2), [
      [1, 'result'],
      [2, 'result'],
    ]);
    const [id, what] = answers[2]!;
    assert.equal(what, code);
    assert.ok(id === null || id === 7, `the answer has the id ${JSON.stringify(id)}`);
  });
}

test('framing-bad-json: bytes that are no UTF-8 do no harm', async () => {
  const input = Buffer.concat([Buffer.from(lines(INIT, READY)), Buffer.from([0xff, 0xfe, 0x00, 0x0a]), Buffer.from(lines(LIST))]);
  const answers = responses(messagesOf((await runCli([], { env, input })).stdout).messages);
  assert.deepEqual(answers.slice(0, 2), [
    [1, 'result'],
    [2, 'result'],
  ]);
  assert.ok(answers.length <= 3);
});

test('framing-bad-json: keys such as __proto__ in a message change nothing', async () => {
  const evil = '{"jsonrpc":"2.0","id":"p","method":"ping","__proto__":{"id":9},"constructor":{"prototype":{"x":1}}}\n';
  await assertAnswers(`${lines(INIT, READY)}${evil}${lines(LIST)}`, [
    [1, 'result'],
    ['p', 'result'],
    [2, 'result'],
  ]);
});

test('framing-bad-json: ids keep their type and value', async () => {
  const ids = [0, -1, '', '0', '2', 'abc-1', 9_007_199_254_740_991, '\u{1F600}', 'x'.repeat(1_000)];
  const input = lines({ ...INIT, id: 'init' }, READY, ...ids.map((id) => ({ jsonrpc: '2.0', id, method: 'ping' })));
  await assertAnswers(input, [['init', 'result'], ...ids.map((id) => [id, 'result'] as const)]);
});

test('framing-bad-json: notifications are never answered, whatever they name', async () => {
  const quiet = ['notifications/unknown', 'tools/list', 'no/such', 'ping', 'initialize', 'tools/call'];
  const input = lines(INIT, READY, ...quiet.map((method) => ({ jsonrpc: '2.0', method, params: {} })), LIST);
  await assertAnswers(input, [
    [1, 'result'],
    [2, 'result'],
  ]);
});

test('framing-bad-json: responses that nobody asked for are passed over', async () => {
  const input = lines(
    INIT,
    READY,
    { jsonrpc: '2.0', id: 99, result: {} },
    { jsonrpc: '2.0', id: 98, error: { code: 1, message: 'x' } },
    LIST,
  );
  await assertAnswers(input, [
    [1, 'result'],
    [2, 'result'],
  ]);
});

// https://github.com/accensa/x402-facilitator-stellar/issues/199
test('rpc-batch: a batch gets one clear error without id, and the session goes on', async () => {
  const batch = `${JSON.stringify([LIST, { ...LIST, id: 9 }])}\n`;
  await assertAnswers(`${lines(INIT, READY)}${batch}${lines({ ...LIST, id: 10 })}`, [
    [1, 'result'],
    [null, -32600],
    [10, 'result'],
  ]);
});

for (const version of ['2024-11-05', '2025-06-18', '2025-11-25']) {
  test(`rpc-batch: revision ${version} knows no batch, however short`, async () => {
    for (const batch of ['[]', '[1]', JSON.stringify([{ ...LIST, id: 9 }])]) {
      await assertAnswers(`${lines(asking(version), READY)}${batch}\n${lines({ ...LIST, id: 10 })}`, [
        [1, 'result'],
        [null, -32600],
        [10, 'result'],
      ]);
    }
  });
}

test('rpc-batch: revision 2025-03-26 gets one list of responses for a batch', async () => {
  const server = startServer({ root });
  await server.initialize('2025-03-26');
  const ping = (id: unknown): object => ({ jsonrpc: '2.0', id, method: 'ping' });
  server.write(`${JSON.stringify([ping('a'), READY, ping('b'), { jsonrpc: '2.0', id: 'c', method: 'no/such' }])}\n`);
  await server.reply('c');
  assert.equal(server.batches.length, 1);
  const answers = responses(server.batches[0]!);
  assert.deepEqual(answers, [
    ['a', 'result'],
    ['b', 'result'],
    ['c', -32601],
  ]);
  server.write(`${JSON.stringify([READY, READY])}\n`);
  server.write('[]\n');
  assert.deepEqual((await server.request('ping')).result, {});
  assert.equal(server.batches.length, 1, 'only notifications: no answer');
  assert.equal(server.messages.filter(({ error }) => error?.code === -32600).length, 1, 'an empty batch: one error');
});

// https://github.com/pgEdge/pgedge-postgres-mcp/issues/212
test('rpc-version: a version of the future is answered with our newest, as a result', async () => {
  const reply = await startServer({ root }).initialize('2099-01-01');
  assert.equal(reply.error, undefined);
  assert.equal(reply.result?.protocolVersion, '2025-11-25');
});

for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
  test(`rpc-version: ${version} is answered with itself`, async () => {
    const server = startServer({ root });
    assert.equal((await server.initialize(version)).result?.protocolVersion, version);
    assert.ok((await server.request('tools/list')).result);
    assert.equal((await server.call('search_text', { pattern: 'needle' })).isError, false);
  });
}

for (const version of ['2026-07-28', '', '1.0', 'latest', '2024-10-07', '2025-06-18 ']) {
  test(`rpc-version: ${JSON.stringify(version)} asked through initialize is answered with 2025-11-25`, async () => {
    assert.equal((await startServer({ root }).initialize(version)).result?.protocolVersion, '2025-11-25');
  });
}

test('rpc-version: a request before initialize gets an error, not silence, and initialize still works', async () => {
  await assertAnswers(lines({ ...LIST, id: 7 }, INIT, READY, { ...LIST, id: 8 }), [
    [7, -32602],
    [1, 'result'],
    [8, 'result'],
  ]);
});

test('rpc-version: initialize without a version, or with one that is no text, is refused and can be repeated', async () => {
  const none = { ...INIT, id: 'none', params: { capabilities: {}, clientInfo: INIT.params.clientInfo } };
  const number = { ...(asking(20_250_618) as typeof INIT), id: 'number' };
  const missing = { jsonrpc: '2.0', id: 'missing', method: 'initialize' };
  await assertAnswers(lines(none, number, missing, INIT, READY, LIST), [
    ['none', -32602],
    ['number', -32602],
    ['missing', -32602],
    [1, 'result'],
    [2, 'result'],
  ]);
});

test('rpc-version: ping is answered before initialize', async () => {
  assert.deepEqual((await startServer({ root }).request('ping')).result, {});
});

test('rpc-version: the stateless revision is served beside it, and an unknown one of its kind is told so', async () => {
  const server = startServer({ root });
  const meta = (version: string): object => ({
    _meta: { 'io.modelcontextprotocol/protocolVersion': version, 'io.modelcontextprotocol/clientCapabilities': {} },
  });
  const discovered = (await server.request('server/discover', meta('2026-07-28'))).result;
  assert.deepEqual(discovered?.supportedVersions, ['2026-07-28']);
  assert.equal((await server.request('tools/list', meta('2026-07-28'))).result?.resultType, 'complete');
  const refused = (await server.request('tools/list', meta('2031-01-01'))).error;
  assert.equal(refused?.code, -32022);
  assert.deepEqual(refused?.data, { supported: ['2026-07-28'], requested: '2031-01-01' });
  assert.equal((await server.initialize('2025-06-18')).result?.protocolVersion, '2025-06-18');
});

async function outcome(server: Server, method: string, params: unknown): Promise<string | number> {
  const reply = await server.request(method, params);
  if (reply.error !== undefined) return reply.error.code;
  return reply.result?.isError === true ? 'result.isError' : 'result';
}

// https://github.com/modelcontextprotocol/typescript-sdk/issues/1956
test('rpc-validation-errors: wrong arguments are results that the model sees, an unknown tool or method is not', async () => {
  const { text: server } = await onPlain();
  assert.equal(await outcome(server, 'tools/call', { name: 'search_text', arguments: {} }), 'result.isError');
  assert.equal(await outcome(server, 'tools/call', { name: 'search_text', arguments: { pattern: { a: 1 } } }), 'result.isError');
  assert.equal(await outcome(server, 'tools/call', { name: 'no_such_tool', arguments: {} }), -32602);
  assert.equal(await outcome(server, 'no/such', undefined), -32601);
});

test('rpc-validation-errors: the text names the argument, what was given and what is wanted', async () => {
  const { text: server } = await onPlain();
  const missing = await server.call('search_text', {});
  assert.match(missing.text, /pattern/);
  const object = await server.call('search_text', { pattern: { a: 1 } });
  assert.match(object.text, /pattern/);
  assert.match(object.text, /string|text/i, 'what is wanted');
  assert.match(object.text, /object|\{"a":1\}/i, 'what was given');
});

for (const [tool, args, named] of [
  ['search_text', { pattern: null }, 'pattern'],
  ['search_text', { pattern: ['x', 'y'] }, 'pattern'],
  ['search_text', { pattern: '' }, 'pattern'],
  ['search_text', { pattern: 'x'.repeat(10_001) }, 'pattern'],
  ['search_text', { pattern: 'x', regex: 'yes please' }, 'regex'],
  ['search_text', { pattern: 'x', maxMatches: 0 }, 'maxMatches'],
  ['search_text', { pattern: 'x', maxMatches: 501 }, 'maxMatches'],
  ['search_text', { pattern: 'x', maxMatches: 1.5 }, 'maxMatches'],
  ['search_text', { pattern: 'x', maxMatches: 'many' }, 'maxMatches'],
  ['search_text', { pattern: 'x', maxMatches: -1 }, 'maxMatches'],
  ['search_text', { pattern: 'x', context: 11 }, 'context'],
  ['search_text', { pattern: 'x', context: -1 }, 'context'],
  ['search_text', { pattern: 'x', output: 'lines' }, 'output'],
  ['search_text', { pattern: 'x', maxChars: 499 }, 'maxChars'],
  ['search_text', { pattern: 'x', maxChars: 50_001 }, 'maxChars'],
  ['search_text', { pattern: 'x', timeoutMs: 99 }, 'timeoutMs'],
  ['search_text', { pattern: 'x', timeoutMs: 60_001 }, 'timeoutMs'],
  ['search_text', { pattern: 'x', scope: {} }, 'scope'],
  ['search_text', { pattern: 'x', globs: [{ glob: '*.ts' }] }, 'globs'],
  ['search_text', { pattern: 'x', exclude: {} }, 'exclude'],
  ['search_text', { pattern: 'x', cursor: 5 }, 'cursor'],
  ['search_text', { pattern: 'x', encoding: 5 }, 'encoding'],
  ['list_files', { maxResults: 0 }, 'maxResults'],
  ['list_files', { maxResults: 501 }, 'maxResults'],
  ['list_files', { sort: 'size' }, 'sort'],
  ['list_files', { globs: { 0: 'x' } }, 'globs'],
  ['read_snippet', {}, 'path'],
  ['read_snippet', { path: { file: 'a.txt' } }, 'path'],
  ['read_snippet', { path: 'a.txt', startLine: 'x' }, 'startLine'],
  ['read_snippet', { path: 'a.txt', maxLines: 501 }, 'maxLines'],
  ['read_snippet', { path: 'a.txt', startColumn: 0 }, 'startColumn'],
] as const) {
  const shown = JSON.stringify(args).slice(0, 60);
  test(`rpc-validation-errors: ${tool} ${shown} is an isError result that names ${named}`, async () => {
    const answer = await (await onPlain()).call(tool, args);
    assert.equal(answer.isError, true, answer.text);
    assert.ok(everything(answer).includes(named), answer.text);
    assert.match(answer.code ?? '', /^(argument_invalid|glob_invalid|range_invalid|cursor_invalid|pattern_invalid|encoding_unknown)$/);
    assert.ok((answer.structured.error?.hint ?? '').length > 0);
  });
}

for (const [name, params] of [
  ['no params', undefined],
  ['params that are a list', ['search_text']],
  ['params that are a text', 'search_text'],
  ['no name', { arguments: {} }],
  ['a name that is a number', { name: 5, arguments: {} }],
  ['a name in capitals', { name: 'SEARCH_TEXT', arguments: { pattern: 'x' } }],
  ['the name of a property of every object', { name: 'constructor', arguments: {} }],
  ['another such name', { name: '__proto__', arguments: {} }],
] as const) {
  test(`rpc-validation-errors: tools/call with ${name} is the protocol error -32602`, async () => {
    assert.equal(await outcome((await onPlain()).text, 'tools/call', params), -32602);
  });
}

test('rpc-validation-errors: arguments may be absent, and are then empty', async () => {
  const { text: server } = await onPlain();
  assert.equal(await outcome(server, 'tools/call', { name: 'list_files' }), 'result');
  assert.equal(await outcome(server, 'tools/call', { name: 'search_text' }), 'result.isError');
});

test('rpc-validation-errors: methods of capabilities that are not offered are unknown ones', async () => {
  const { text: server } = await onPlain();
  for (const method of [
    'prompts/list',
    'resources/list',
    'resources/templates/list',
    'completion/complete',
    'logging/setLevel',
    'toString',
    '',
  ]) {
    assert.equal(await outcome(server, method, {}), -32601, method);
  }
});

test('rpc-validation-errors: the list of tools has one page, so every cursor is unknown', async () => {
  const { text: server } = await onPlain();
  for (const cursor of ['x', '']) assert.equal(await outcome(server, 'tools/list', { cursor }), -32602);
});

test('rpc-validation-errors: a second request with an id that is in flight is refused, the first is answered', async () => {
  const server = await openServer({ root });
  server.sendCall('search_text', { pattern: 'needle' }, { id: 'twice' });
  server.sendCall('search_text', { pattern: 'first' }, { id: 'twice' });
  await server.message(
    'the second answer',
    (message) => message.id === 'twice' && message !== server.messages.find(({ id }) => id === 'twice'),
  );
  const answers = server.messages.filter(({ id }) => id === 'twice');
  assert.deepEqual(answers.map((message) => message.error?.code ?? 'result').sort(), [-32600, 'result']);
  assert.equal((await server.call('search_text', { pattern: 'needle' }, { id: 'once' })).isError, false);
  const reused = server.send('ping', undefined, 'again');
  await server.reply(reused);
  server.send('ping', undefined, 'again');
  await server.message(
    'the second pong',
    (message) => message.id === 'again' && message !== server.messages.find(({ id }) => id === 'again'),
  );
});
