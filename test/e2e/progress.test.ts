/** What a long call tells before its reply: how much it has found, and the best place so far. Real processes, both eras. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plant } from '../support/e2e-lab.js';
import { markedRipgrep } from '../support/marked-ripgrep.js';
import { openServer, type Server } from '../support/server.js';
import { pausingRipgrep, posix } from '../support/slow-ripgrep.js';

const MODERN = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
const HOSTILE = 'a\n# done \u001b[2J.txt';
const tree = plant({
  [`odd/${HOSTILE}`]: 'hostile_word\n',
  'lib/uses.ts': '// about the memory charge\nconst x = 1;\nchargeMemory(1);\n',
  'src/charge.ts': 'import x;\n\nexport function chargeMemory(pages: number) {\n  return memory + charge;\n}\n',
  'test/charge.test.ts': 'test("charge memory", () => function chargeMemory() {});\n',
});

interface Told {
  readonly progressToken: string | number;
  readonly progress: number;
  readonly message: string;
}
const toldBy = (server: Server): { told: Told; at: number }[] =>
  server.messages.flatMap(({ method, params }, at) =>
    method === 'notifications/progress' ? [{ told: params as unknown as Told, at }] : [],
  );

async function messagesOf(name: string, args: Record<string, unknown>, meta: object = {}): Promise<{ server: Server; told: Told[] }> {
  const env = { RIPSCOPE_RG: pausingRipgrep(1.4), RIPSCOPE_DEADLINE_MS: '30000' };
  const server = await openServer({ root: tree, env });
  const id = server.sendCall(name, args, { meta: { ...meta, progressToken: 't' } });
  await server.callReply(id, 20_000);
  await new Promise((resolve) => setTimeout(resolve, 600));
  const replyAt = server.messages.findIndex((message) => message.id === id);
  const all = toldBy(server);
  assert.ok(all.length >= 2, `${all.length} notifications`);
  for (const [index, { told, at }] of all.entries()) {
    assert.equal(told.progressToken, 't');
    assert.ok(at < replyAt, 'none after the reply');
    if (index > 0) assert.ok(told.progress - all[index - 1]!.told.progress >= 125, 'it rises, and not too often');
  }
  assert.ok(all[0]!.told.progress >= 490, 'the first after half a second');
  return { server, told: all.map(({ told }) => told) };
}

for (const [era, meta] of [
  ['the legacy era', {}],
  ['the modern era', MODERN],
] as const) {
  test(`an exact search tells the first place in path order (${era})`, posix, async () => {
    const { told } = await messagesOf('search_text', { pattern: 'chargeMemory', maxMatches: 50 }, meta);
    assert.match(told[0]!.message, /^0\.\d s, 3 matches in 3 files so far; first so far lib\/uses\.ts:3$/);
  });

  test(`a ranked search tells the line with most words, definitions first, tests last (${era})`, posix, async () => {
    const { told } = await messagesOf('search_code', { query: 'charge memory' }, meta);
    assert.match(told[0]!.message, /^0\.\d s, \d matches in 3 files so far; best so far src\/charge\.ts:3$/);
  });
}

test('locate tells the definition', posix, async () => {
  const { told } = await messagesOf('locate', { query: 'chargeMemory' });
  assert.match(told[0]!.message, /, 3 matches in 3 files so far; best so far src\/charge\.ts:3$/);
});

test('a count tells the first file', posix, async () => {
  const { told } = await messagesOf('search_text', { pattern: 'chargeMemory', output: 'count' });
  assert.match(told[0]!.message, /, 3 matches in 3 files so far; first so far lib\/uses\.ts$/);
});

test('a listing tells how many files, and an empty search that nothing was found', posix, async () => {
  assert.match((await messagesOf('list_files', {})).told[0]!.message, /, 4 files so far$/);
  const { told } = await messagesOf('search_text', { pattern: 'stands nowhere' });
  assert.match(told[0]!.message, /^0\.\d s, no match so far$/);
  assert.match(told.at(-1)!.message, /, no match so far, 4 files searched$/, 'the second run looks for what was kept out');
});

test('a path of the repository is told on one line, without its controls', posix, async () => {
  const { told } = await messagesOf('search_text', { pattern: 'hostile_word' });
  assert.match(told[0]!.message, /, 1 match in 1 file so far; first so far "odd\/a\\n# done \\u001b\[2J\.txt":1$/);
});

test('a call that waits for its turn says so', posix, async () => {
  const rg = markedRipgrep(1.5);
  const env = { RIPSCOPE_RG: rg.program, RIPSCOPE_MAX_IN_FLIGHT: '1', RIPSCOPE_DEADLINE_MS: '30000' };
  const server = await openServer({ root: tree, env });
  server.sendCall('search_text', { pattern: 'one' });
  const id = server.sendCall('search_text', { pattern: 'chargeMemory' }, { meta: { progressToken: 5 } });
  await server.callReply(id, 20_000);
  const told = toldBy(server).map((each) => each.told);
  assert.match(told[0]!.message, /^0\.\d s, waits for its turn, since other calls are running$/);
  assert.match(told.at(-1)!.message, / s, no match so far/);
  assert.ok(told.every(({ progressToken }) => progressToken === 5));
});

test('without a token nothing is told', posix, async () => {
  const server = await openServer({ root: tree, env: { RIPSCOPE_RG: pausingRipgrep(1.2), RIPSCOPE_DEADLINE_MS: '30000' } });
  await server.call('search_text', { pattern: 'chargeMemory' });
  assert.deepEqual(toldBy(server), []);
});
