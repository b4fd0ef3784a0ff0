import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isForeignMcp, parseEvent, replacement } from '#dist/hook/event.js';

const event = (tool_response: unknown, more: object = {}): string =>
  JSON.stringify({ hook_event_name: 'PostToolUse', tool_name: 'mcp__x__y', session_id: 's', tool_input: {}, tool_response, ...more });

const forms: [title: string, response: unknown, text: string | undefined][] = [
  ['a text', 'hello', 'hello'],
  [
    'blocks of text',
    [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ],
    'a\nb',
  ],
  ['a whole result', { content: [{ type: 'text', text: 'a' }] }, 'a'],
  ['an object without blocks', { a: 1 }, '{"a":1}'],
  [
    'an image among the blocks stays as it is',
    [
      { type: 'text', text: 'a' },
      { type: 'image', data: 'x' },
    ],
    undefined,
  ],
  ['an error stays as it is', { isError: true, content: [{ type: 'text', text: 'a' }] }, undefined],
  ['nothing', undefined, undefined],
  ['a number', 5, undefined],
];
for (const [title, response, text] of forms) test(`output: ${title}`, () => assert.equal(parseEvent(event(response))?.text, text));

test('other events, and what is no event, are not for us', () => {
  for (const input of ['null', '5', '[]', '{}', event('x', { hook_event_name: 'PreToolUse' }), event('x', { tool_name: 7 })])
    assert.equal(parseEvent(input), undefined, input);
  assert.throws(() => parseEvent('{'), SyntaxError);
  assert.equal(parseEvent(event('x', { session_id: '' }))?.session, undefined);
});

test('built-in tools and our own are never touched', () => {
  for (const tool of [
    'Bash',
    'Read',
    'mcp__ripscope__search_code',
    'mcp__plugin_tools_ripscope__locate',
    'mcp__my-RipScope__x',
    'mcp__rs__search_output',
  ])
    assert.equal(isForeignMcp(tool), false, tool);
  for (const tool of ['mcp__x__y', 'mcp__github__search_code', 'mcp__notripscope_x__y']) assert.equal(isForeignMcp(tool), true, tool);
});

test('the answer has the current field and the older one', () => {
  const { hookSpecificOutput } = JSON.parse(replacement('s')) as { hookSpecificOutput: Record<string, unknown> };
  assert.equal(hookSpecificOutput.hookEventName, 'PostToolUse');
  for (const field of ['updatedToolOutput', 'updatedMCPToolOutput'])
    assert.deepEqual(hookSpecificOutput[field], [{ type: 'text', text: 's' }]);
});
