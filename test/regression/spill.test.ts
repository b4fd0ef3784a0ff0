/** Outputs that are kept out of the context. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import test from 'node:test';
import { makeWorld } from '../support/fixtures.js';
import { openServer, runCli } from '../support/server.js';

const world = makeWorld();
const root = world.folder('spill-root');
const TMPDIR = world.folder('tmp');
const accessLog = `${Array.from({ length: 700 }, (_, i) => `10.0.${i % 9}.${i % 251} GET /api/v1/item/${i} ${i === 431 ? 503 : 200} ${i % 97}ms`).join('\n')}\n`;
const api = JSON.stringify(
  {
    paths: Object.fromEntries(
      Array.from({ length: 120 }, (_, i) => [
        `/v1/thing${i}`,
        { get: { operationId: `getThing${i}`, summary: `Reads thing number ${i} from the store` } },
      ]),
    ),
  },
  null,
  1,
);

// https://github.com/mksglu/context-mode/pull/154
test('spill-empty-index: an empty store and an unknown source are told apart from no hit', async () => {
  const server = await openServer({ root, env: { TMPDIR } });
  const search = (query: string, source?: string) =>
    server.call('search_output', { queries: [query], ...(source === undefined ? {} : { source }) });
  assert.equal((await search(' 503 ')).isError, true);
  assert.equal((await server.call('keep_output', { content: accessLog, source: 'log-1' })).isError, false);
  const hit = await search(' 503 ');
  assert.equal(hit.isError, false);
  assert.match(hit.text, /item\/431 503/);
  assert.equal((await search(' 503 ', 'nope')).isError, true);
  const item = await search('item/431');
  assert.equal(item.isError, false);
  assert.match(item.text.split(/^\[2\]/m)[0]!, /item\/431/);
  const none = await search('nowhere_in_it');
  assert.deepEqual([none.isError, /no hit in 1 output/.test(none.text)], [false, true]);
});

const hook = (input: string, env: Record<string, string> = {}) =>
  runCli(['hook', 'post-tool-use'], { input, env: { TMPDIR, REPO_ROOT: root, ...env } });
const event = (tool_name: string, text: string, more: object = {}): string =>
  JSON.stringify({ hook_event_name: 'PostToolUse', tool_name, tool_input: {}, tool_response: text, ...more });

// https://github.com/anthropics/claude-code/issues/54196
test('spill-hook-contract: one JSON object on stdout with the current field and the older one', async () => {
  const { code, stdout, stderr } = await hook(event('mcp__x__y', api));
  assert.deepEqual([code, stderr], [0, '']);
  const { hookSpecificOutput } = JSON.parse(stdout) as { hookSpecificOutput: Record<string, unknown> };
  assert.equal(hookSpecificOutput.hookEventName, 'PostToolUse');
  assert.ok('updatedToolOutput' in hookSpecificOutput && 'updatedMCPToolOutput' in hookSpecificOutput);
  assert.ok(stdout.length < 1_500);
});

const silent: [title: string, input: string | Buffer, env?: Record<string, string>][] = [
  ['an output below the threshold', event('mcp__x__y', api.slice(0, 5_000))],
  ['a higher threshold', event('mcp__x__y', api), { RIPSCOPE_KEEP_BYTES: '50000' }],
  ['a higher threshold of the older name', event('mcp__x__y', api), { OUTPUT_INDEXER_THRESHOLD: '50000' }],
  ['a built-in tool', event('Bash', api)],
  ['a tool of our own', event('mcp__ripscope__search_code', api)],
  ['another event', event('mcp__x__y', api, { hook_event_name: 'PreToolUse' })],
  ['no input', ''],
  ['no JSON', '{"hook_event_name": "PostToolUse", '],
  ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00, 0x7b])],
  ['an output above 10 MB', event('mcp__x__y', 'word '.repeat(2_200_000))],
  ['a root that is missing', event('mcp__x__y', api), { REPO_ROOT: '/no/such/folder' }],
  ['a configuration that cannot be used', event('mcp__x__y', api), { RIPSCOPE_KEEP_BYTES: 'many' }],
  ['a temp folder that is missing and cannot be made', event('mcp__x__y', api), { TMPDIR: '/dev/null/x' }],
];
for (const [title, input, env] of silent) {
  test(`spill-hook-contract: ${title}: exit code 0 and nothing on stdout`, async () => {
    const { code, stdout } = await runCli(['hook', 'post-tool-use'], { input, env: { TMPDIR, REPO_ROOT: root, ...env } });
    assert.deepEqual([code, stdout], [0, '']);
  });
}

test('spill-hook-contract: an unknown event name and a folder that is not private change nothing either', async () => {
  assert.deepEqual([(await runCli(['hook', 'other'], { input: event('mcp__x__y', api) })).stdout], ['']);
  const open = world.folder('open');
  mkdirSync(`${open}/ripscope-${process.getuid?.() ?? 'user'}`, { mode: 0o755 });
  const { code, stdout, stderr } = await hook(event('mcp__x__y', api), { TMPDIR: open });
  assert.deepEqual([code, stdout], [0, '']);
  if (process.platform !== 'win32') assert.match(stderr, /may be entered by others/);
});
