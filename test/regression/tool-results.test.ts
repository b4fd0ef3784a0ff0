/** The shape of results and of the list of tools, as clients and model APIs need it. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { ignored, makeWorld, manyFiles, plain } from '../support/fixtures.js';
import { stringsIn } from '../support/replies.js';
import { openForms, openServer, sharedForms } from '../support/server.js';

const world = makeWorld();
const root = plain(world);
const manyRoot = manyFiles(world);
const ignoredRoot = ignored(world);
const onPlain = sharedForms(() => ({ root }));

const CALLS = [
  ['a search with hits', 'search_text', { pattern: 'needle' }, false],
  ['a search without', 'search_text', { pattern: 'nothing_like_it' }, false],
  ['a search for files', 'search_text', { pattern: 'needle', output: 'files' }, false],
  ['a search for counts', 'search_text', { pattern: 'needle', output: 'count' }, false],
  ['a list', 'list_files', {}, false],
  ['an empty list', 'list_files', { globs: ['*.none'] }, false],
  ['a read', 'read_snippet', { path: 'a.txt' }, false],
  ['a read of nothing', 'read_snippet', { path: 'none.txt' }, true],
  ['a bad pattern', 'search_text', { pattern: 'a(', regex: true }, true],
  ['a bad glob', 'list_files', { globs: ['{a'] }, true],
  ['a bad argument', 'search_text', { pattern: { a: 1 } }, true],
  ['an unknown argument', 'read_snippet', { path: 'a.txt', lines: 5 }, true],
] as const;

for (const [name, tool, args, isError] of CALLS) {
  // https://github.com/anthropics/claude-code/issues/79944
  test(`rpc-structured-content: ${name} is text alone by default`, async () => {
    const { text: server } = await onPlain();
    const reply = await server.call(tool, args);
    const result = reply.raw.result!;
    assert.equal(reply.isError, isError, reply.text);
    assert.ok(!('structuredContent' in result));
    const content = result.content as readonly { readonly type: string; readonly text: string }[];
    assert.deepEqual(
      content.map(({ type }) => type),
      ['text'],
    );
    assert.ok(reply.text.trim().length > 0);
  });

  test(`rpc-structured-content: ${name} is complete in structuredContent, with the same JSON as text, when asked for`, async () => {
    const { json: server } = await onPlain();
    const reply = await server.call(tool, args);
    assert.equal(reply.isError, isError, reply.text);
    const structured = reply.raw.result!.structuredContent;
    assert.ok(typeof structured === 'object' && structured !== null && !Array.isArray(structured));
    assert.deepEqual(JSON.parse(reply.text), structured);
    if (isError) {
      const { error } = structured as { error: { code: string; message: string; hint: string } };
      assert.match(error.code, /^[a-z_]+$/);
      assert.ok(error.message.length > 0 && error.hint.length > 0);
    }
  });
}

test('rpc-structured-content: both forms carry hits, paths and lines', async () => {
  const answer = await (await onPlain()).search({ pattern: 'needle' });
  const { matches, truncated, timedOut, partial, notes } = answer.structured;
  assert.deepEqual(
    matches?.map(({ path, line, text }) => [path, line, text]),
    [
      ['a.txt', 2, 'needle here'],
      ['sub/b.ts', 1, 'export const needle = 2;'],
    ],
  );
  assert.deepEqual([truncated, timedOut, partial], [false, false, false]);
  assert.ok(Array.isArray(notes));
  for (const part of ['a.txt', '2:needle here', 'sub/b.ts', '1:export const needle = 2;']) assert.ok(answer.text.includes(part), part);
});

test('rpc-structured-content: the fields that programs read are there, with their types', async () => {
  const forms = await onPlain();
  const search: Readonly<Record<string, unknown>> = { ...(await forms.search({ pattern: 'needle' })).structured };
  for (const [field, type] of Object.entries({
    seenMatches: 'number',
    truncated: 'boolean',
    timedOut: 'boolean',
    partial: 'boolean',
    durationMs: 'number',
    serverVersion: 'string',
  })) {
    assert.equal(typeof search[field], type, field);
  }
  assert.ok('truncateReason' in search);
  const list: Readonly<Record<string, unknown>> = { ...(await forms.list({})).structured };
  assert.deepEqual(list.files, ['a.txt', 'sub/b.ts']);
  assert.equal(list.returned, 2);
  assert.equal(list.truncated, false);
  assert.ok(Array.isArray(list.notes));
  const read: Readonly<Record<string, unknown>> = { ...(await forms.read({ path: 'a.txt', startLine: 2, endLine: 3 })).structured };
  assert.equal(read.path, 'a.txt');
  assert.equal(read.totalLines, 3);
  assert.deepEqual(read.lines, [
    { line: 2, text: 'needle here' },
    { line: 3, text: 'last line' },
  ]);
  for (const field of ['requestedLines', 'returnedLines', 'truncated', 'truncateReason', 'stamp']) assert.ok(field in read, field);
});

test('rpc-structured-content: what the text says about a cut and about rules is in the structured form as well', async () => {
  const many = await openForms({ root: manyRoot });
  const cut = await many.search({ pattern: 'needle', maxMatches: 5 });
  assert.equal(cut.structured.truncated, true);
  assert.ok(cut.structured.truncateReason);
  assert.ok(cut.structured.nextCursor && cut.text.includes(cut.structured.nextCursor), 'the same cursor in both');
  const hidden = await (await openForms({ root: ignoredRoot })).search({ pattern: 'example_writer' });
  assert.match(hidden.text, /\bignored\b/);
  assert.match(stringsIn(hidden.structured.notes).join('\n'), /\bignored\b/);
});

test('rpc-structured-content: --format json is the same as the variable', async () => {
  const server = await openServer({ root, args: ['--format', 'json'] });
  assert.equal((await server.call('search_text', { pattern: 'needle' })).structured?.matches?.length, 2);
});

interface Tool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  readonly annotations?: Readonly<Record<string, unknown>>;
}

const SEARCH_TOOLS = ['search_code', 'search_text', 'locate', 'read_snippet', 'list_files', 'explore'];
const listed = async (format: 'text' | 'json' = 'text'): Promise<readonly Tool[]> => {
  const server = (await onPlain())[format];
  return (await server.request('tools/list')).result?.tools as readonly Tool[];
};

// https://github.com/anthropics/claude-code/issues/88049
test('rpc-schemas: every tool has schemas that no client or model API drops', async () => {
  const tools = await listed();
  for (const name of ['search_text', 'read_snippet', 'list_files'])
    assert.ok(
      tools.some((tool) => tool.name === name),
      name,
    );
  for (const { name, inputSchema, outputSchema } of tools) {
    assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/);
    assert.equal(inputSchema.type, 'object', name);
    assert.equal(inputSchema.additionalProperties, false, name);
    for (const word of ['anyOf', 'oneOf', 'allOf', 'not', 'if', 'then', 'else', '$ref', '$schema', '$defs'])
      assert.ok(!(word in inputSchema), `${name}: ${word}`);
    if (outputSchema !== undefined) assert.equal(outputSchema.type, 'object', name);
  }
});

test('rpc-schemas: the list is small, because every session pays for it', async () => {
  const tools = await listed();
  const size = (some: readonly Tool[]): number => JSON.stringify(some).length;
  const search = tools.filter(({ name }) => SEARCH_TOOLS.includes(name));
  assert.ok(size(search) < 7_000, `${size(search)} characters for ${search.length} search tools`);
  assert.ok(size(tools) < 10_000, `${size(tools)} characters for all ${tools.length} tools`);
});

/** Every schema object in a schema, with its place. */
function schemasIn(schema: unknown, place: string): [string, Readonly<Record<string, unknown>>][] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = schema as Readonly<Record<string, unknown>>;
  const properties = Object.entries((own.properties ?? {}) as Readonly<Record<string, unknown>>);
  return [[place, own], ...properties.flatMap(([key, each]) => schemasIn(each, `${place}.${key}`)), ...schemasIn(own.items, `${place}[]`)];
}

test('rpc-schemas: flat schemas with one plain type, items for lists and a description for each argument', async () => {
  for (const tool of await listed()) {
    for (const [place, schema] of schemasIn(tool.inputSchema, tool.name)) {
      assert.equal(typeof schema.type, 'string', `${place} has one type`);
      if (schema.type === 'array') assert.ok(schema.items, `${place} has items`);
      for (const word of ['anyOf', 'oneOf', 'allOf', 'not', 'const', '$ref', 'format', 'patternProperties'])
        assert.ok(!(word in schema), `${place}: ${word}`);
    }
    const properties = tool.inputSchema.properties as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    for (const [name, schema] of Object.entries(properties)) {
      assert.match(name, /^[a-z][a-zA-Z0-9]*$/);
      const {
        default: value,
        minimum,
        maximum,
        enum: choices,
      } = schema as { default?: unknown; minimum?: number; maximum?: number; enum?: unknown[] };
      if (typeof value === 'number')
        assert.ok((minimum === undefined || value >= minimum) && (maximum === undefined || value <= maximum), `${tool.name}.${name}`);
      if (choices !== undefined && value !== undefined) assert.ok(choices.includes(value), `${tool.name}.${name}`);
    }
    for (const required of (tool.inputSchema.required ?? []) as readonly string[])
      assert.ok(required in properties, `${tool.name}.${required}`);
  }
});

test('rpc-schemas: a tool without structured results promises none, and the list is the same in both forms', async () => {
  const text = await listed('text');
  assert.ok(text.every((tool) => tool.outputSchema === undefined));
  assert.deepEqual(await listed('json'), text);
});

test('rpc-schemas: search tools say that they only read, and texts fit what clients show', async () => {
  for (const { name, title, description, annotations } of await listed()) {
    assert.ok(Buffer.byteLength(description) > 20 && Buffer.byteLength(description) <= 2_048, name);
    assert.ok(title === undefined || title.length > 0);
    if (SEARCH_TOOLS.includes(name)) {
      assert.equal(annotations?.readOnlyHint, true, name);
      assert.equal(annotations?.openWorldHint, false, name);
    }
  }
  const server = await openServer({ root });
  const instructions = (await server.initialize()).result?.instructions;
  assert.ok(instructions === undefined || Buffer.byteLength(instructions as string) <= 2_048);
});

test('rpc-schemas: the list does not depend on the root, on earlier calls or on the version', async () => {
  const first = await listed();
  await (await onPlain()).search({ pattern: 'needle' });
  assert.deepEqual(await listed(), first);
  for (const version of ['2024-11-05', '2025-11-25']) {
    const other = await openServer({ root: manyRoot });
    await other.initialize(version);
    assert.deepEqual((await other.request('tools/list')).result?.tools, first);
  }
  assert.ok(!JSON.stringify(first).includes(root));
});
