/** Both framings in both eras, byte by byte: handshake, list, call, error, cancel, progress, many at once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TOOLS } from '#dist/tools/registry.js';
import { numberedTree, plantSlow, SLOW } from '../support/e2e-processes.js';
import { unstamped } from '../support/replies.js';
import { HAS_PROC, type Server, startServer, until } from '../support/server.js';
import type { Framing, Message } from '../support/wire.js';

const root = numberedTree();
const slow = plantSlow();
const META = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };

interface Way {
  readonly title: string;
  readonly framing: Framing;
  readonly isModern: boolean;
}
const ways: Way[] = (['newline', 'content-length'] as const).flatMap((framing) =>
  [false, true].map((isModern) => ({ title: `${framing}, ${isModern ? 'modern' : 'legacy'}`, framing, isModern })),
);

async function open(
  { framing, isModern }: Way,
  where: string,
): Promise<{ server: Server; params: (params?: object, meta?: object) => object }> {
  const server = startServer({ root: where, framing });
  if (!isModern) await server.initialize('2025-11-25');
  const params = (given: object = {}, meta?: object): object => {
    if (isModern) return { ...given, _meta: { ...META, ...meta } };
    return meta === undefined ? given : { ...given, _meta: meta };
  };
  return { server, params };
}
const textOf = (message: Message): string => (message.result?.content as { text: string }[] | undefined)?.[0]?.text ?? '';
const cleanly = async (server: Server): Promise<void> => {
  assert.deepEqual(await server.close(), { code: 0, signal: null });
  assert.deepEqual([server.reader.garbage, server.reader.unfinished], [[], ''], 'stdout carries messages only');
  assert.equal(server.stderr, '', 'a quiet server writes no log');
};

for (const way of ways) {
  test(`a whole session: handshake, list, call, error (${way.title})`, async () => {
    const { server, params } = await open(way, root);
    if (way.isModern) {
      const { result } = await server.request('server/discover', params());
      assert.deepEqual(result?.supportedVersions, ['2026-07-28']);
    } else {
      const handshake = await server.initialize('2025-06-18');
      assert.equal(handshake.result?.protocolVersion, '2025-06-18');
      assert.deepEqual((await server.request('ping')).result, {});
    }
    const list = await server.request('tools/list', params());
    assert.equal((list.result?.tools as unknown[] | undefined)?.length, TOOLS.length);
    assert.equal(list.result?.resultType, way.isModern ? 'complete' : undefined);
    const called = await server.request('tools/call', params({ name: 'search_text', arguments: { pattern: 'needle 42' } }));
    assert.equal(unstamped(textOf(called)), '1 match in 1 file.\nd2/f42.txt\n1:needle 42');
    assert.equal(called.result?.resultType, way.isModern ? 'complete' : undefined);
    const failed = await server.request('tools/call', params({ name: 'read_snippet', arguments: { path: '../x' } }));
    assert.equal(failed.result?.isError, true);
    assert.match(textOf(failed), /^path_outside_root: /);
    assert.equal((await server.request('tools/call', params({ name: 'none' }))).error?.code, -32602);
    assert.equal((await server.request('prompts/list', params())).error?.code, -32601);
    assert.equal(server.reader.framing, way.framing);
    await cleanly(server);
  });

  test(`30 calls at once are all answered, each under its own id and type of id (${way.title})`, async () => {
    const { server, params } = await open(way, root);
    const ids = Array.from({ length: 30 }, (_, i) => (i % 2 === 0 ? i : String(i - 1)));
    for (const [i, id] of ids.entries())
      server.send('tools/call', params({ name: 'search_text', arguments: { pattern: `needle ${i}`, word: true } }), id);
    for (const [i, id] of ids.entries())
      assert.equal(unstamped(textOf(await server.reply(id))), `1 match in 1 file.\nd${i % 10}/f${i}.txt\n1:needle ${i}`);
    await cleanly(server);
  });

  test(`progress and cancel of a long call (${way.title})`, { skip: !HAS_PROC && 'needs /proc' }, async () => {
    const { server, params } = await open(way, slow);
    server.send('tools/call', params({ name: 'search_text', arguments: SLOW }, { progressToken: 'tok' }), 'long');
    server.send('tools/call', params({ name: 'search_text', arguments: SLOW }), 'silent');
    const isProgress = (message: Message): boolean => message.method === 'notifications/progress';
    await server.message('progress', (message) => isProgress(message) && server.messages.filter(isProgress).length >= 3);
    assert.ok(server.descendants().length >= 2);
    for (const requestId of ['long', 'silent', 'none', 5]) server.notify('notifications/cancelled', { requestId });
    assert.ok(await until(() => server.descendants().length === 0, 200), 'no rg is left after 200 ms');
    const seen = server.messages.length;
    const list = await server.request('tools/list', params());
    assert.ok(list.result !== undefined);
    assert.equal(server.messages.length, seen + 1, 'nothing more of a cancelled call');
    const told = server.messages.filter(isProgress).map(({ params: given }) => given);
    assert.ok(told.every((given) => given?.progressToken === 'tok'));
    for (const [index, given] of told.entries())
      if (index > 0) assert.ok((given?.progress as number) > (told[index - 1]?.progress as number));
    await cleanly(server);
  });
}

test('both eras on one process, request by request', async () => {
  const server = startServer({ root });
  assert.equal((await server.request('tools/list', { _meta: META })).result?.resultType, 'complete');
  assert.equal((await server.request('tools/list', {})).error?.code, -32602);
  await server.initialize();
  const legacy = await server.request('tools/list', {});
  const modern = await server.request('tools/list', { _meta: META });
  assert.equal(JSON.stringify(legacy.result?.tools), JSON.stringify(modern.result?.tools));
  await cleanly(server);
});

test('more calls than slots and queue take are busy, and the rest is answered', async () => {
  const server = startServer({ root: slow, env: { RIPSCOPE_MAX_IN_FLIGHT: '1', RIPSCOPE_MAX_QUEUED: '2', RIPSCOPE_DEADLINE_MS: '30000' } });
  await server.initialize();
  const ids = ['a', 'b', 'c', 'd', 'e'].map((id) => server.sendCall('search_text', { ...SLOW, globs: ['*.none'] }, { id }));
  const replies = await Promise.all(ids.map((id) => server.callReply(id)));
  assert.deepEqual(
    replies.map((reply) => reply.isError),
    [false, false, false, true, true],
  );
  assert.match(replies[3]!.text, /^busy: /);
});
