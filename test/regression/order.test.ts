/** The same call gives the same reply, in path order, and pages neither overlap nor lose anything. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { flood, makeWorld, manyFiles } from '../support/fixtures.js';
import { comparePaths, cursorOf, filesOf, matchesOf, places, type Structured } from '../support/replies.js';
import { type Args, openForms, openServer, type Server, sharedForms } from '../support/server.js';

const world = makeWorld();
const root = manyFiles(world);
const floodRoot = flood(world);
const onMany = sharedForms(() => ({ root }));
const onFlood = sharedForms(() => ({ root: floodRoot }));

/** All pages of a call, by the cursors of the replies. */
async function pages(server: Server, tool: string, args: Args, most = 60): Promise<Structured[]> {
  const found: Structured[] = [];
  for (let cursor: string | undefined; ; ) {
    const reply = await server.call(tool, cursor === undefined ? args : { ...args, cursor });
    assert.equal(reply.isError, false, reply.text);
    found.push(reply.structured!);
    cursor = reply.structured?.nextCursor;
    if (cursor === undefined) return found;
    assert.ok(found.length < most, `more than ${most} pages`);
  }
}

const placesOf = (all: readonly Structured[]): string[] => all.flatMap((structured) => places({ text: '', structured }));
const pathsOf = (all: readonly Structured[]): string[] => all.flatMap((structured) => [...(structured.files ?? [])]);
const lasting = ({ structured }: { readonly structured: Structured }): unknown => ({ ...structured, durationMs: 0 });

// https://github.com/agentscope-ai/agentscope/issues/2709
test('order-pagination: four pages of 100 hold all 400 hits once, in path order', async () => {
  const { json } = await onMany();
  const all = await pages(json, 'search_text', { pattern: 'needle', maxMatches: 100, maxChars: 50_000 });
  assert.deepEqual(
    all.map((page) => page.matches?.length),
    [100, 100, 100, 100],
  );
  const found = placesOf(all);
  assert.equal(new Set(found).size, 400);
  assert.deepEqual(found, [...found].sort(comparePaths));
});

test('order-pagination: the same call gives the same reply, again and again and at the same time', async () => {
  const forms = await onMany();
  for (const args of [
    { pattern: 'needle', maxMatches: 100, maxChars: 50_000 },
    { pattern: 'needle' },
    { pattern: 'needle', output: 'files' },
  ]) {
    const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => forms.search(args)));
    for (const other of [...others, await forms.search(args)]) {
      assert.deepEqual(lasting(other), lasting(first!));
      assert.deepEqual(matchesOf(other), matchesOf(first!));
    }
  }
  const list = await forms.list({ maxResults: 50 });
  const again = await forms.list({ maxResults: 50 });
  assert.equal(again.text, list.text);
});

test('order-pagination: the text form is the same from another server as well', async () => {
  const args = { pattern: 'needle', maxMatches: 100, maxChars: 50_000 };
  const [here, there] = await Promise.all([openServer({ root }), openServer({ root })]);
  const strip = (text: string): string => text.replace(/\d+(\.\d+)? ?m?s\b/g, '');
  assert.equal(strip((await here.call('search_text', args)).text), strip((await there.call('search_text', args)).text));
});

for (const [name, tool, args] of [
  ['pages of 37 hits', 'search_text', { pattern: 'needle', maxMatches: 37, maxChars: 50_000 }],
  ['pages cut by characters', 'search_text', { pattern: 'needle', maxMatches: 500, maxChars: 1_500 }],
  ['pages of the regex kind', 'search_text', { pattern: 'needle \\d+', regex: true, maxMatches: 90, maxChars: 50_000 }],
  ['pages with context lines', 'search_text', { pattern: 'needle', context: 2, maxMatches: 120, maxChars: 50_000 }],
] as const) {
  test(`order-pagination: ${name} hold each hit once`, async () => {
    const { json } = await onMany();
    const found = placesOf(await pages(json, tool, args));
    assert.equal(found.length, 400);
    assert.equal(new Set(found).size, 400);
    assert.deepEqual(found, [...found].sort(comparePaths));
  });
}

for (const [name, tool, args] of [
  ['output files', 'search_text', { pattern: 'needle', output: 'files', maxMatches: 90, maxChars: 50_000 }],
  ['output files, cut by characters', 'search_text', { pattern: 'needle', output: 'files', maxMatches: 500, maxChars: 1_500 }],
  ['list_files', 'list_files', { maxResults: 90, maxChars: 50_000 }],
  ['list_files, cut by characters', 'list_files', { maxChars: 1_500 }],
  ['list_files with globs', 'list_files', { globs: ['*.txt'], maxResults: 150, maxChars: 50_000 }],
] as const) {
  test(`order-pagination: the pages of ${name} hold each file once`, async () => {
    const { json } = await onMany();
    const found = pathsOf(await pages(json, tool, args));
    assert.equal(found.length, 400);
    assert.equal(new Set(found).size, 400);
    assert.deepEqual(found, [...found].sort(comparePaths));
  });
}

test('order-pagination: counts of all pages make the whole', async () => {
  const { json } = await onMany();
  const all = await pages(json, 'search_text', { pattern: 'needle', output: 'count', maxMatches: 150, maxChars: 50_000 });
  const counts = all.flatMap((page) => page.counts ?? []);
  assert.equal(counts.length, 400);
  assert.ok(counts.every(({ count }) => count === 1));
});

test('order-pagination: pages go on within one file, at the next line', async () => {
  const { json } = await onFlood();
  let cursor: string | undefined;
  for (let page = 0; page < 4; page++) {
    const reply = await json.call('search_text', { pattern: 'needle', maxMatches: 70, ...(cursor === undefined ? {} : { cursor }) });
    const lines = (reply.structured?.matches ?? []).map(({ line }) => line);
    assert.ok(lines.length > 0);
    if (page === 0) assert.equal(lines[0], 1);
    assert.deepEqual(
      lines,
      lines.map((_, i) => lines[0]! + i),
    );
    const next = reply.structured?.nextCursor;
    assert.ok(next);
    const after = await json.call('search_text', { pattern: 'needle', maxMatches: 1, cursor: next });
    assert.equal(after.structured?.matches?.[0]?.line, lines.at(-1)! + 1);
    cursor = next;
  }
});

test('order-pagination: the cursor that the text form shows works as well', async () => {
  const { text } = await onMany();
  const found: string[] = [];
  for (let cursor: string | undefined, page = 0; page < 10; page++) {
    const reply = await text.call('search_text', {
      pattern: 'needle',
      maxMatches: 100,
      maxChars: 50_000,
      ...(cursor === undefined ? {} : { cursor }),
    });
    found.push(...[...reply.text.matchAll(/needle (\d+)$/gm)].map((match) => match[1]!));
    cursor = cursorOf(reply);
    if (cursor === undefined) break;
  }
  assert.equal(found.length, 400);
  assert.equal(new Set(found).size, 400);
});

test('order-pagination: a cursor that is damaged or belongs to another question is refused', async () => {
  const forms = await onMany();
  const cursor = (await forms.search({ pattern: 'needle', maxMatches: 10 })).structured.nextCursor;
  const listCursor = (await forms.list({ maxResults: 10 })).structured.nextCursor;
  assert.ok(cursor && listCursor);
  for (const [name, answer] of [
    ['another pattern', await forms.search({ pattern: 'needl', maxMatches: 10, cursor })],
    ['other globs', await forms.search({ pattern: 'needle', maxMatches: 10, globs: ['*.txt'], cursor })],
    ['another scope', await forms.search({ pattern: 'needle', maxMatches: 10, scope: 'd01', cursor })],
    ['another case', await forms.search({ pattern: 'needle', maxMatches: 10, ignoreCase: true, cursor })],
    ['a cut cursor', await forms.search({ pattern: 'needle', maxMatches: 10, cursor: cursor.slice(0, -3) })],
    ['no cursor at all', await forms.search({ pattern: 'needle', maxMatches: 10, cursor: 'nonsense' })],
    ['an empty cursor', await forms.search({ pattern: 'needle', maxMatches: 10, cursor: '' })],
    ['the cursor of a list', await forms.search({ pattern: 'needle', maxMatches: 10, cursor: listCursor })],
    ['the cursor of a search', await forms.list({ maxResults: 10, cursor })],
  ] as const) {
    assert.equal(answer.isError, true, name);
    assert.ok(answer.code === 'cursor_invalid' || answer.code === 'argument_invalid', `${name}: ${answer.text}`);
    assert.match(answer.text, /cursor/i);
  }
  const otherRoot = await openForms({ root: floodRoot });
  assert.equal((await otherRoot.search({ pattern: 'needle', maxMatches: 10, cursor })).isError, true, 'another root');
});

const NAMES = ['a/x', 'a-b/x', 'a.d/q', 'a.txt'];
test('order-pagination: order goes component by component, as rg --sort path does', async () => {
  const forms = await openForms({ root: world.puts('names', Object.fromEntries(NAMES.map((name) => [name, 'needle\n']))) });
  assert.deepEqual(
    places(await forms.search({ pattern: 'needle' })),
    NAMES.map((name) => `${name}:1`),
  );
  assert.deepEqual(filesOf(await forms.list({})), NAMES);
  for (const size of [1, 2, 3]) {
    assert.deepEqual(
      placesOf(await pages(forms.json, 'search_text', { pattern: 'needle', maxMatches: size })),
      NAMES.map((name) => `${name}:1`),
    );
    assert.deepEqual(pathsOf(await pages(forms.json, 'list_files', { maxResults: size })), NAMES);
  }
});

const ODD = [
  ' leading space',
  '#hash',
  '-dash',
  'A upper',
  'a lower',
  'a:12:b',
  'b\ttab',
  'caf\u00e9',
  'cafe\u0301',
  'd/0',
  'd/\u6f22\u5b57',
  'd!x/1',
  'd[1]/2',
  'd{2}/3',
  'e*f',
  'g?h',
  'i\\j',
  "quote'",
  'quote"',
  '\u{1F600}',
  '~tilde',
];
test('order-pagination: odd names are found, listed, paged and read', {
  skip: process.platform === 'win32' && 'names not allowed there',
}, async () => {
  const forms = await openForms({ root: world.puts('odd', Object.fromEntries(ODD.map((name) => [name, 'needle\n']))) });
  const wanted = [...ODD].sort(comparePaths);
  assert.deepEqual(filesOf(await forms.list({})), wanted);
  for (const size of [1, 4, 500]) {
    assert.deepEqual(
      placesOf(await pages(forms.json, 'search_text', { pattern: 'needle', maxMatches: size })),
      wanted.map((name) => `${name}:1`),
    );
    assert.deepEqual(pathsOf(await pages(forms.json, 'list_files', { maxResults: size })), wanted);
  }
  for (const path of ODD) {
    assert.equal((await forms.read({ path })).structured.lines?.[0]?.text, 'needle', path);
    assert.deepEqual(places(await forms.search({ pattern: 'needle', scope: path })), [`${path}:1`]);
  }
});

test('order-pagination: several hits in a file are not cut apart wrongly by pages of one', async () => {
  const dir = world.puts('few', { 'a.txt': 'needle 1\nx\nneedle 2\nneedle 3\n', 'b/c.txt': 'needle 4\n', 'b.txt': 'needle 5\nneedle 6\n' });
  const { json } = await openForms({ root: dir });
  const wanted = ['a.txt:1', 'a.txt:3', 'a.txt:4', 'b/c.txt:1', 'b.txt:1', 'b.txt:2'].sort((left, right) =>
    comparePaths(left.split(':')[0]!, right.split(':')[0]!),
  );
  for (const maxMatches of [1, 2, 3, 4, 5, 6])
    assert.deepEqual(placesOf(await pages(json, 'search_text', { pattern: 'needle', maxMatches })), wanted);
});
