/** Bytes on stdin: both framings, cut anywhere, never without a bound. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { makeWorld, plain } from '../support/fixtures.js';
import { HAS_PROC, messagesOf, openServer, runCli, startServer, until } from '../support/server.js';
import { encode, type Framing, type Message } from '../support/wire.js';

const world = makeWorld();
const root = plain(world);
const env = { REPO_ROOT: root };

const INIT = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
};
const READY = { jsonrpc: '2.0', method: 'notifications/initialized' };
const LIST = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} };
const THREE = [INIT, READY, LIST];
const lines = (...messages: readonly unknown[]): string => messages.map((message) => `${JSON.stringify(message)}\n`).join('');

/** A frame with headers of one's own. */
function frame(message: unknown, headers: (length: number) => string): string {
  const body = JSON.stringify(message);
  return headers(Buffer.byteLength(body)) + body;
}

interface Answer {
  readonly id: unknown;
  readonly what: string | number;
}

/** Id and outcome of each response; the id is undefined where the member is absent. */
function outcomes(messages: readonly (Message | Message[])[]): Answer[] {
  return messages
    .flat()
    .filter((message) => message.method === undefined)
    .map((message) => ({ id: 'id' in message ? message.id : undefined, what: message.error?.code ?? 'result' }));
}

const BOTH_RESULTS: Answer[] = [
  { id: 1, what: 'result' },
  { id: 2, what: 'result' },
];

const STREAMS: readonly (readonly [name: string, stdin: string, framing: Framing])[] = [
  ['one message a line', lines(...THREE), 'newline'],
  ['Content-Length frames', THREE.map((m) => frame(m, (n) => `Content-Length: ${n}\r\n\r\n`)).join(''), 'content-length'],
  [
    'lower-case headers, a content type first and no space',
    THREE.map((m) => frame(m, (n) => `content-type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:${n}\r\n\r\n`)).join(''),
    'content-length',
  ],
  ['CR LF and blank lines between messages', `\r\n${THREE.map((m) => JSON.stringify(m)).join('\r\n\n')}\r\n`, 'newline'],
  ['blanks and tabs before the first message', `  \t\n${lines(...THREE)}`, 'newline'],
  ['no line end behind the last message', lines(...THREE).trimEnd(), 'newline'],
  ['bare LF in headers', THREE.map((m) => frame(m, (n) => `Content-Length: ${n}\n\n`)).join(''), 'content-length'],
  ['line ends between frames', THREE.map((m) => `${frame(m, (n) => `Content-Length: ${n}\r\n\r\n`)}\r\n`).join(''), 'content-length'],
  [
    'unknown headers and the old name of the charset',
    THREE.map((m) => frame(m, (n) => `CONTENT-LENGTH: ${n}\r\nX-Trace: a: b\r\nContent-Type: x; charset=utf8\r\n\r\n`)).join(''),
    'content-length',
  ],
  [
    'pretty-printed bodies in frames',
    THREE.map((m) => {
      const body = JSON.stringify(m, null, 2);
      return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    }).join(''),
    'content-length',
  ],
];
for (const [name, stdin, framing] of STREAMS) {
  // https://github.com/danielvm-git/bigpowers/issues/131
  test(`framing-ndjson-vs-cl: ${name} are answered in kind`, async () => {
    const result = await runCli([], { env, input: stdin });
    const { messages, framing: answered } = messagesOf(result.stdout);
    assert.deepEqual(outcomes(messages), BOTH_RESULTS);
    assert.equal(answered, framing);
    assert.equal(result.code, 0);
  });

  test(`framing-ndjson-vs-cl: ${name}, a byte at a time`, async () => {
    const server = startServer({ root });
    const bytes = Buffer.from(stdin);
    await server.writeAll(bytes, 1);
    if (name.startsWith('no line end')) server.endInput();
    await server.reply(2);
    assert.deepEqual(outcomes(server.messages), BOTH_RESULTS);
    assert.equal(server.reader.framing, framing);
    assert.deepEqual(server.reader.garbage, []);
  });
}

test('framing-ndjson-vs-cl: nothing is needed behind a message but its line end, so that no client waits', async () => {
  for (const framing of ['newline', 'content-length'] as const) {
    const server = startServer({ root, framing });
    await server.initialize();
    assert.deepEqual((await server.request('ping')).result, {});
  }
});

test('framing-ndjson-vs-cl: an end in the middle of a message ends the server without a word on stdout', async () => {
  const result = await runCli([], { env, input: `${lines(INIT, READY)}{"jsonrpc":"2.0","id":2,"method":"tools/list"` });
  const answers = outcomes(messagesOf(result.stdout).messages);
  assert.deepEqual(answers[0], { id: 1, what: 'result' });
  assert.ok(!answers.some(({ id }) => id === 2), 'half a message is no request');
  assert.equal(result.code, 0);
});

const QUERY = '\u2014 \u{1F600} na\u00efve';
const unicodeRoot = world.puts('unicode', { 'file.txt': `first\nxx ${QUERY} yy\n` });
for (const framing of ['newline', 'content-length'] as const) {
  for (const width of [1, 2, 3, 5]) {
    // https://github.com/modelcontextprotocol/typescript-sdk/pull/2038
    test(`framing-split-utf8: characters cut into pieces of ${width} bytes come through whole (${framing})`, async () => {
      const server = startServer({ root: unicodeRoot, framing });
      const call = { jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'search_text', arguments: { pattern: QUERY } } };
      await server.writeAll(Buffer.concat([INIT, READY, call].map((message) => encode(message, framing))), width);
      const reply = await server.callReply(5);
      assert.equal(reply.isError, false, reply.text);
      assert.ok(reply.text.includes(`xx ${QUERY} yy`), reply.text);
      assert.ok(!reply.text.includes('\ufffd'));
    });
  }
}

test('framing-split-utf8: a pattern that finds nothing is still echoed exactly, if it is echoed', async () => {
  const server = await openServer({ root });
  const reply = await server.call('search_text', { pattern: QUERY });
  assert.ok(!reply.text.includes('\ufffd'));
  assert.ok(reply.text.includes(QUERY), reply.text);
});

test('framing-split-utf8: replies in frames count bytes', async () => {
  const server = startServer({ root: unicodeRoot, framing: 'content-length' });
  await server.initialize();
  for (let i = 0; i < 3; i++) assert.ok((await server.call('read_snippet', { path: 'file.txt' })).text.includes(QUERY));
  assert.deepEqual(server.reader.garbage, []);
});

test('framing-split-utf8: a stream of ripgrep with wide characters over all its pieces', async () => {
  const text = Array.from({ length: 3_000 }, (_, i) => `${'\u6f22'.repeat(i % 7)}${'\u{1F600}'.repeat(i % 5)} needle ${i}`).join('\n');
  const server = await openServer({ root: world.puts('stream', { 'wide.txt': `${text}\n` }), format: 'json' });
  const reply = await server.call('search_text', { pattern: 'needle', maxMatches: 500, maxChars: 50_000 });
  for (const [i, match] of (reply.structured?.matches ?? []).entries()) {
    assert.equal(match.text, `${'\u6f22'.repeat(i % 7)}${'\u{1F600}'.repeat(i % 5)} needle ${i}`);
  }
  assert.equal(reply.structured?.matches?.length, 500);
});

const MIB = 1_048_576;
// https://github.com/openai/codex/pull/31805
test('rpc-unbounded-input: 64 MiB without a line end cost one error and no memory, and the next message is answered', {
  skip: !HAS_PROC && 'needs /proc',
}, async () => {
  const server = await openServer({ root });
  await server.request('ping');
  const before = server.memory('VmRSS');
  const block = Buffer.alloc(MIB, 'x');
  let most = before;
  for (let i = 0; i < 64; i++) {
    await server.writeAll(block);
    most = Math.max(most, server.memory('VmRSS'));
  }
  server.write('\n');
  assert.deepEqual((await server.request('ping')).result, {});
  const errors = server.messages.filter((message) => message.error !== undefined);
  assert.equal(errors.length, 1);
  assert.equal(errors[0]?.error?.code, -32600);
  assert.ok(!('id' in errors[0]!), 'no id member');
  assert.ok(most - before < 40, `grew by ${(most - before).toFixed(0)} MiB`);
});

for (const [name, stdin] of [
  ['an absurd length', 'Content-Length: 99999999999\r\n\r\n{'],
  ['a negative length', 'Content-Length: -5\r\n\r\n{}'],
  ['a length just above the limit', `Content-Length: ${MIB + 1}\r\n\r\n{`],
  ['a length of 400 digits', `Content-Length: ${'9'.repeat(400)}\r\n\r\n{`],
  ['no number', 'Content-Length: many\r\n\r\n{}'],
  ['a number with letters behind it', 'Content-Length: 2x\r\n\r\n{}'],
  ['a hexadecimal number', 'Content-Length: 0x10\r\n\r\n{}'],
  ['a broken number', 'Content-Length: 2.0\r\n\r\n{}'],
  ['two lengths', 'Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}'],
  ['a header without length', 'Content-Type: application/json\r\n\r\n{}'],
  ['headers without end', `Content-Length: 2\r\n${'X-Filler: yes\r\n'.repeat(1_000)}`],
] as const) {
  test(`rpc-unbounded-input: ${name} gives one error without id and ends the server, although stdin stays open`, async () => {
    const server = startServer({ root });
    server.write(stdin);
    const exit = await server.gone();
    assert.deepEqual(exit, { code: 1, signal: null });
    await until(() => server.messages.length > 0, 2_000);
    assert.deepEqual(outcomes(server.messages), [{ id: undefined, what: -32600 }]);
  });
}

test('rpc-unbounded-input: a good frame before the bad one is answered first', async () => {
  const server = startServer({ root });
  server.write(`${frame(INIT, (n) => `Content-Length: ${n}\r\n\r\n`)}Content-Length: -5\r\n\r\n{}`);
  assert.equal((await server.gone())?.code, 1);
  await until(() => server.messages.length > 1, 2_000);
  assert.deepEqual(outcomes(server.messages), [
    { id: 1, what: 'result' },
    { id: undefined, what: -32600 },
  ]);
});

test('rpc-unbounded-input: a request of 5 MiB in small pieces is refused in time and the session goes on', async () => {
  const server = await openServer({ root });
  const big = encode({ jsonrpc: '2.0', id: 'big', method: 'ping', params: { filler: 'f'.repeat(5 * MIB) } });
  await server.writeAll(big, 1_024);
  assert.deepEqual((await server.request('ping')).result, {});
  const errors = outcomes(server.messages).filter(({ what }) => what !== 'result');
  assert.deepEqual(errors, [{ id: undefined, what: -32600 }]);
});

test('rpc-unbounded-input: a request just below the limit is answered, one just above is not', async () => {
  const server = await openServer({ root });
  const sized = (id: string, size: number): Buffer => {
    const bare = encode({ jsonrpc: '2.0', id, method: 'ping', params: { filler: '' } }).length - 1;
    return encode({ jsonrpc: '2.0', id, method: 'ping', params: { filler: 'f'.repeat(size - bare) } });
  };
  await server.writeAll(sized('fits', MIB), 10_000);
  assert.deepEqual((await server.reply('fits')).result, {});
  await server.writeAll(sized('over', MIB + 1), 10_000);
  await server.request('ping');
  assert.ok(!server.messages.some(({ id }) => id === 'over'));
  assert.equal(server.messages.filter(({ error }) => error?.code === -32600).length, 1);
});

test('rpc-unbounded-input: the operator can set the limit', async () => {
  const server = await openServer({ root, env: { RIPSCOPE_MAX_FRAME_BYTES: '4096' } });
  await server.writeAll(encode({ jsonrpc: '2.0', id: 'big', method: 'ping', params: { filler: 'f'.repeat(5_000) } }));
  await server.request('ping');
  assert.ok(!server.messages.some(({ id }) => id === 'big'));
});

test('rpc-unbounded-input: a body that is no JSON does not end a session of frames', async () => {
  const server = startServer({ root, framing: 'content-length' });
  await server.initialize();
  server.write('Content-Length: 10\r\n\r\n{ not json');
  server.write('Content-Length: 0\r\n\r\n');
  assert.deepEqual((await server.request('ping')).result, {});
  const errors = outcomes(server.messages).filter(({ what }) => what !== 'result');
  assert.deepEqual(errors, [{ id: undefined, what: -32700 }]);
});
