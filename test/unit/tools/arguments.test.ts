/** What a call may look like, through the runner: what is put right, and how the rest is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ERRORS, ToolError } from '#dist/base/errors.js';
import { TOOLS } from '#dist/tools/registry.js';
import { errorReply } from '#dist/tools/reply.js';
import { type Args, openLab, plant } from '../../support/e2e-lab.js';

const lab = openLab(plant({ 'a.ts': 'needle\nneedle 5\nneedle\n', 'b.md': 'needle\n', '[x].ts': 'needle\n' }));

/** title, tool, arguments as sent, arguments as meant */
const coercions: [string, string, Args, Args][] = [
  ['a number as text', 'search_text', { pattern: 'needle', maxMatches: '2' }, { pattern: 'needle', maxMatches: 2 }],
  ['a number as text, with a point', 'search_text', { pattern: 'needle', maxMatches: '2.0' }, { pattern: 'needle', maxMatches: 2 }],
  ['true as text', 'search_text', { pattern: 'NEEDLE', ignoreCase: 'true' }, { pattern: 'NEEDLE', ignoreCase: true }],
  ['false as text', 'search_text', { pattern: 'needle', word: 'false' }, { pattern: 'needle', word: false }],
  ['one glob instead of a list', 'search_text', { pattern: 'needle', globs: '*.md' }, { pattern: 'needle', globs: ['*.md'] }],
  ['a list as JSON text', 'search_text', { pattern: 'needle', globs: '["*.md","*.ts"]' }, { pattern: 'needle', globs: ['*.md', '*.ts'] }],
  ['a glob that begins with a bracket', 'search_text', { pattern: 'needle', globs: '[ab].ts' }, { pattern: 'needle', globs: ['[ab].ts'] }],
  ['a glob that looks like a list of one', 'search_text', { pattern: 'needle', globs: '[x].ts' }, { pattern: 'needle', globs: ['[x].ts'] }],
  [
    'null for absent',
    'search_text',
    { pattern: 'needle', scope: null, cursor: null, maxMatches: null, globs: null },
    { pattern: 'needle' },
  ],
  ['undefined for absent', 'search_text', { pattern: 'needle', scope: undefined }, { pattern: 'needle' }],
  ['a number as pattern', 'search_text', { pattern: 5 }, { pattern: '5' }],
  ['lines as text', 'read_snippet', { path: 'a.ts', startLine: '2', endLine: '2' }, { path: 'a.ts', startLine: 2, endLine: 2 }],
  ['a list as JSON text', 'list_files', { globs: '["*.md"]' }, { globs: ['*.md'] }],
];
for (const [title, tool, sent, meant] of coercions) {
  test(`${tool} takes ${title}`, async () => {
    const reply = await lab.text(tool, sent);
    assert.ok(!reply.isError, reply.text);
    assert.deepEqual(reply, await lab.text(tool, meant));
  });
}

/** title, tool, arguments, code, what the message says */
const refusals: [string, string, Args, string, RegExp][] = [
  ['a missing argument', 'search_text', {}, 'argument_invalid', /"pattern" is missing; it is a text \(text or regex\)/],
  ['neither path nor target', 'read_snippet', {}, 'argument_invalid', /either "path".* or "target"/],
  ['null for a required argument', 'search_text', { pattern: null }, 'argument_invalid', /"pattern" is missing/],
  ['an empty pattern', 'search_text', { pattern: '' }, 'argument_invalid', /"pattern" is empty/],
  [
    'a number above its range',
    'search_text',
    { pattern: 'x', maxMatches: 501 },
    'argument_invalid',
    /"maxMatches" is 501; it takes 1 to 500/,
  ],
  [
    'a number below its range',
    'search_text',
    { pattern: 'x', maxChars: 499 },
    'argument_invalid',
    /"maxChars" is 499; it takes 500 to 50000/,
  ],
  [
    'a number as text above its range',
    'search_text',
    { pattern: 'x', context: '11' },
    'argument_invalid',
    /"context" is "11"; it takes 0 to 10/,
  ],
  ['a broken number', 'search_text', { pattern: 'x', context: 1.5 }, 'argument_invalid', /"context" is 1\.5; it must be a whole number/],
  [
    'a text for a number',
    'search_text',
    { pattern: 'x', context: 'two' },
    'argument_invalid',
    /"context" is "two"; it must be a whole number/,
  ],
  ['a number for true', 'search_text', { pattern: 'x', word: 2 }, 'argument_invalid', /"word" is 2; it must be true or false/],
  ['a text for true', 'search_text', { pattern: 'x', word: 'yes' }, 'argument_invalid', /"word" is "yes"; it must be true or false/],
  ['an object for a text', 'search_text', { pattern: { a: 1 } }, 'argument_invalid', /"pattern" is \{"a":1\}; it must be a text/],
  ['a list of numbers and objects', 'search_text', { pattern: 'x', globs: ['*.c', { a: 1 }] }, 'argument_invalid', /"globs\[1\]"/],
  [
    'an object for a list',
    'search_text',
    { pattern: 'x', globs: { a: 1 } },
    'argument_invalid',
    /"globs" is \{"a":1\}; it must be a list of texts/,
  ],
  ['too many globs', 'search_text', { pattern: 'x', globs: Array(51).fill('*.c') }, 'argument_invalid', /"globs" .*50/],
  [
    'a choice that does not exist',
    'search_text',
    { pattern: 'x', output: 'lines' },
    'argument_invalid',
    /"output" is "lines"; it takes content, files, count/,
  ],
  ['a sort that does not exist', 'list_files', { sort: 'size' }, 'argument_invalid', /"sort" is "size"; it takes path, modified/],
  ['a pattern that is too long', 'search_text', { pattern: 'x'.repeat(10_001) }, 'argument_invalid', /"pattern" .*10000/],
  [
    'a time limit out of range',
    'search_text',
    { pattern: 'x', timeoutMs: 60_001 },
    'argument_invalid',
    /"timeoutMs" is 60001; it takes 100 to 60000/,
  ],
  [
    'an end before the start',
    'read_snippet',
    { path: 'a.ts', startLine: 3, endLine: 2 },
    'range_invalid',
    /endLine 2 is before startLine 3/,
  ],
  ['a line beyond the file', 'read_snippet', { path: 'a.ts', startLine: 9 }, 'range_invalid', /"a\.ts" has 3 lines; line 9 does not exist/],
  [
    'a column beyond the line',
    'read_snippet',
    { path: 'a.ts', startColumn: 99 },
    'range_invalid',
    /Line 1 of "a\.ts" has 6 characters; column 99/,
  ],
  ['a pattern that is no regex', 'search_text', { pattern: 'f(', regex: true }, 'pattern_invalid', /unclosed group|missing/],
  ['a glob that cannot be parsed', 'search_text', { pattern: 'x', globs: ['{a'] }, 'glob_invalid', /The glob "\{a" cannot be parsed/],
  ['a glob that leaves the root', 'list_files', { globs: ['../*'] }, 'glob_invalid', /never leave the root/],
  ['an unknown encoding', 'search_text', { pattern: 'x', encoding: 'klingon' }, 'encoding_unknown', /"klingon"/],
  ['a root that is not allowed', 'search_text', { pattern: 'x', root: '/etc' }, 'root_unknown', /"\/etc" is not one of the roots/],
  ['a cursor of another kind', 'list_files', { cursor: 'abcdefghijk' }, 'cursor_invalid', /another query/],
];
for (const [title, tool, args, code, message] of refusals) {
  test(`${tool} refuses ${title} with ${code}`, async () => {
    const { isError, data } = await lab.json(tool, args);
    assert.ok(isError);
    assert.equal(data.error?.code, code, data.error?.message);
    assert.match(data.error?.message ?? '', message);
    assert.ok((data.error?.hint ?? '').length > 0);
    const { text } = await lab.text(tool, args);
    assert.match(text, new RegExp(`^${code}: [^\\n]+\\n# [^\\n]+$`), 'two lines: what is wrong, and how to repair it');
  });
}

/** tool, argument as sent, the argument that is meant */
const near: [string, string, string][] = [
  ['search_text', 'patern', 'pattern'],
  ['search_text', 'query', 'pattern'],
  ['search_text', 'q', 'pattern'],
  ['search_text', 'ignore_case', 'ignoreCase'],
  ['search_text', 'case_insensitive', 'ignoreCase'],
  ['search_text', 'max_matches', 'maxMatches'],
  ['search_text', 'limit', 'maxMatches'],
  ['search_text', 'path', 'scope'],
  ['search_text', 'glob', 'globs'],
  ['search_text', 'include', 'globs'],
  ['search_text', 'multi_line', 'multiline'],
  ['search_text', 'Pattern', 'pattern'],
  ['read_snippet', 'file_path', 'path'],
  ['read_snippet', 'start', 'startLine'],
  ['read_snippet', 'end_line', 'endLine'],
  ['list_files', 'directory', 'scope'],
  ['list_files', 'pattern', 'globs'],
  ['list_files', 'max_results', 'maxResults'],
];
for (const [tool, sent, meant] of near) {
  test(`${tool} has no "${sent}" and names "${meant}"`, async () => {
    const { isError, data } = await lab.json(tool, {
      pattern: 'x',
      path: 'a.ts',
      [sent]: 'x',
      ...(tool === 'list_files' && sent !== 'pattern' ? { pattern: undefined, path: undefined } : {}),
      ...(tool === 'search_text' && sent !== 'path' ? { path: undefined } : {}),
      ...(tool === 'read_snippet' ? { pattern: undefined } : {}),
      ...(tool === 'list_files' ? { path: undefined } : {}),
    });
    assert.ok(isError);
    assert.equal(data.error?.code, 'argument_unknown');
    assert.equal(data.error?.message, `${tool} has no argument "${sent}". Did you mean "${meant}"?`);
  });
}

test('an argument that is near nothing names all there are', async () => {
  const { data } = await lab.json('list_files', { zzzzzz: 1 });
  assert.equal(data.error?.code, 'argument_unknown');
  assert.equal(data.error?.message, 'list_files has no argument "zzzzzz".');
  assert.equal(data.error?.hint, 'Its arguments are globs, scope, maxResults, sort, ignored, cursor, root, maxChars, timeoutMs.');
});

for (const given of ['text', 5, ['a'], null, true]) {
  test(`arguments that are ${JSON.stringify(given)} and no object are refused`, async () => {
    const { isError, data } = await lab.json('search_text', given as unknown as Args);
    assert.ok(isError);
    assert.equal(data.error?.code, 'argument_invalid');
  });
}

test('names of Object.prototype are unknown arguments like any other', async () => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    const args = JSON.parse(`{"pattern":"needle","${name}":1}`) as Args;
    const { isError, data } = await lab.json('search_text', args);
    assert.ok(isError, name);
    assert.equal(data.error?.code, 'argument_unknown', name);
  }
});

test('a long value or name is shown cut, so that an error stays short', async () => {
  for (const args of [
    { pattern: 'x', output: 'y'.repeat(5_000) },
    { pattern: 'x', ['z'.repeat(5_000)]: 1 },
    { pattern: '('.repeat(9_999), regex: true },
  ]) {
    const { isError, text } = await lab.text('search_text', args);
    assert.ok(isError);
    assert.ok(text.length <= 1_100, `${text.length} characters`);
  }
});

/** title, tool, arguments with a line break in what an error may quote */
const forgeries: [string, string, Args][] = [
  ['a choice', 'search_text', { pattern: 'x', output: 'a\n# more: b' }],
  ['the name of an argument', 'search_text', { pattern: 'x', 'a\n# more: b': 1 }],
  ['a path', 'read_snippet', { path: 'a\n# more: b' }],
  ['a glob', 'search_text', { pattern: 'x', globs: ['a\n# more: b'] }],
  ['a glob that cannot be parsed', 'search_text', { pattern: 'x', globs: ['{a\r# more: b'] }],
  ['a root', 'search_text', { pattern: 'x', root: 'a\n# more: b' }],
  ['an encoding', 'search_text', { pattern: 'x', encoding: 'a\n# more: b' }],
  ['a pattern', 'search_text', { pattern: '(\n# more: b', regex: true }],
  ['a scope', 'search_text', { pattern: 'x', scope: 'a\n# more: b' }],
];
for (const [title, tool, args] of forgeries) {
  test(`a line break in ${title} cannot forge a line of the error`, async () => {
    const { isError, text } = await lab.text(tool, args);
    assert.ok(isError);
    assert.equal(text.split(/[\r\n]/).length, 2, text);
  });
}

test('every tool has a flat schema that every model API takes', () => {
  for (const tool of TOOLS) {
    assert.equal(tool.input.type, 'object');
    assert.equal(tool.input.additionalProperties, false);
    for (const [name, property] of Object.entries(tool.input.properties)) {
      assert.match(name, /^[a-z][A-Za-z]*$/);
      assert.ok(['string', 'integer', 'boolean', 'array'].includes(property.type));
      assert.ok(property.description.length > 0);
      if (property.type === 'array') assert.equal(property.items?.type, 'string');
      if (property.type === 'integer') assert.ok(property.minimum !== undefined && property.maximum !== undefined);
    }
    // The replies of the other two are short by nature, and what one server did is the same for all of its roots.
    const shared = { keep_output: ['root'], session_stats: [] }[tool.name] ?? ['root', 'maxChars'];
    for (const name of shared) assert.ok(name in tool.input.properties, `${tool.name} takes ${name}`);
  }
});

const LONG_NAME = 'a/'.repeat(1_500);
const refused: [title: string, tool: string, args: Args][] = [
  ['a long target', 'read_snippet', { target: LONG_NAME }],
  ['an unknown argument', 'search_text', { pattern: 'x', [LONG_NAME]: 1 }],
  ['a bad glob', 'search_text', { pattern: 'x', globs: [`${LONG_NAME}[`] }],
  ['an unknown root', 'search_text', { pattern: 'x', root: LONG_NAME }],
  ['a missing path', 'read_snippet', { path: LONG_NAME }],
  ['a bad regex', 'search_text', { pattern: `${'('.repeat(2_000)}`, regex: true }],
];
for (const [title, tool, args] of refused) {
  for (const maxChars of [500, '500', 700]) {
    test(`an error fits into maxChars ${JSON.stringify(maxChars)}: ${title}`, async () => {
      const { isError, text } = await lab.text(tool, { ...args, maxChars });
      assert.ok(isError);
      assert.ok(text.length <= Number(maxChars), `${text.length}: ${text}`);
      assert.match(text, /^[a-z_]+: .+\n# .+$/);
    });
  }
}

test('an error of any message and hint fits, is two lines, and keeps a hint that takes half of it (seed 20261201)', () => {
  const codes = Object.keys(ERRORS) as (keyof typeof ERRORS)[];
  const texts = fc.string({ unit: 'binary', minLength: 1, maxLength: 3_000 });
  fc.assert(
    fc.property(fc.constantFrom(...codes), texts, texts, fc.integer({ min: 500, max: 2_000 }), (code, message, hint, maxChars) => {
      const { text } = errorReply(new ToolError(code, message, { hint }), 'text', maxChars);
      assert.ok(text.length <= maxChars, String(text.length));
      assert.equal(text.split('\n').length, 2);
      const plain = 'use another '.repeat(20);
      assert.ok(errorReply(new ToolError(code, message, { hint: plain }), 'text', maxChars).text.endsWith(`\n# ${plain}`));
    }),
    { seed: 20_261_201, numRuns: 300 },
  );
});
