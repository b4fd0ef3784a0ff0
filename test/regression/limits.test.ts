/** Limits that are hit give a result that says so: time, characters, matches. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { backtracking, count, flood, makeWorld, manyFiles, multilineLimit, SLOW_PATTERN } from '../support/fixtures.js';
import { cursorOf, everything, filesOf, linesOf, matchesOf, places, SAYS } from '../support/replies.js';
import { openForms, openServer, sharedForms, until } from '../support/server.js';

const world = makeWorld();
const slowRoot = backtracking(world);
const floodRoot = flood(world);
const manyRoot = manyFiles(world);
const countRoot = count(world);
const onSlow = sharedForms(() => ({ root: slowRoot }));
const onFlood = sharedForms(() => ({ root: floodRoot }));
const onMany = sharedForms(() => ({ root: manyRoot }));
const onCount = sharedForms(() => ({ root: countRoot }));

// https://github.com/anthropics/claude-code/issues/16043
test('spawn-timeout-as-empty: a search stopped by its time limit says that it is incomplete', async () => {
  const answer = await (await onSlow()).search({ pattern: SLOW_PATTERN, regex: true, timeoutMs: 1_500 });
  assert.equal(answer.isError, false, answer.text);
  assert.equal(answer.structured.timedOut, true);
  assert.match(answer.text, SAYS.timedOut);
  assert.doesNotMatch(everything(answer), /no matches/i);
});

for (const output of ['files', 'count'] as const) {
  test(`spawn-timeout-as-empty: output ${output} says it too`, async () => {
    const answer = await (await onSlow()).search({ pattern: SLOW_PATTERN, regex: true, timeoutMs: 500, output });
    assert.equal(answer.structured.timedOut, true);
    assert.match(answer.text, SAYS.timedOut);
    assert.doesNotMatch(everything(answer), /no (matches|files)/i);
  });
}

test('spawn-timeout-as-empty: the shortest limit that can be asked for is kept as well', async () => {
  const answer = await (await onSlow()).search({ pattern: SLOW_PATTERN, regex: true, timeoutMs: 100 });
  assert.equal(answer.structured.timedOut, true);
});

test('spawn-timeout-as-empty: hits found before the limit are kept', async () => {
  const root = world.puts('redos', { '0-first/hit.txt': 'a test of ripgrep\n' });
  const answer = await (await openForms({ root })).search({ pattern: `${SLOW_PATTERN}.`, regex: true, timeoutMs: 1_500 });
  assert.equal(answer.structured.timedOut, true);
  assert.deepEqual(places(answer), ['0-first/hit.txt:1']);
  assert.match(answer.text, /a test of ripgrep/);
  assert.match(answer.text, SAYS.timedOut);
});

test('spawn-timeout-as-empty: a call cannot go above the limit of the server', async () => {
  const forms = await openForms({ root: slowRoot, env: { RIPSCOPE_DEADLINE_MS: '500' } });
  const answer = await forms.search({ pattern: SLOW_PATTERN, regex: true, timeoutMs: 60_000 });
  assert.equal(answer.structured.timedOut, true);
});

test('spawn-timeout-as-empty: ripgrep is gone after the limit, and the next call works', async () => {
  const server = await openServer({ root: slowRoot });
  await server.call('search_text', { pattern: SLOW_PATTERN, regex: true, timeoutMs: 300 });
  assert.ok(await until(() => server.descendants().length === 0), 'no child is left');
  assert.match((await server.call('search_text', { pattern: 'new last' })).text, /new\.txt/);
});

// https://github.com/anthropics/claude-code/issues/45766
test('byte-budget: a reply to a flood of hits stays within its budget and says how to go on', async () => {
  const answer = await (await onFlood()).search({ pattern: 'needle', maxMatches: 500, maxChars: 10_000 });
  assert.equal(answer.isError, false);
  assert.ok(answer.bytes.text < 40_000 && answer.bytes.json < 40_000, JSON.stringify(answer.bytes));
  assert.equal(answer.structured.truncated, true);
  assert.ok(cursorOf({ text: '', structured: answer.structured }), 'the structured form has a cursor');
  assert.ok(cursorOf({ text: answer.text }), 'the text form has a cursor');
});

for (const maxChars of [undefined, 500, 2_000, 6_000, 9_999, 50_000]) {
  test(`byte-budget: ${maxChars ?? 'the default of 6000'} characters hold the whole reply, which ends on a whole hit`, async () => {
    const answer = await (await onFlood()).search({ pattern: 'needle', maxMatches: 500, ...(maxChars === undefined ? {} : { maxChars }) });
    const budget = maxChars ?? 6_000;
    assert.ok(answer.text.length <= budget, `${answer.text.length} characters`);
    const matches = matchesOf(answer);
    const size = matches.reduce((sum, match) => sum + match.path.length + match.text.length, 0);
    assert.ok(size <= budget, `${size} characters of paths and texts`);
    assert.ok(matches.length > 0);
    matches.forEach((match, i) => {
      assert.equal(match.text, `row ${i} needle ${'z'.repeat(80)}`);
    });
    const shown = answer.text.split('\n').filter((line) => /\brow \d+ /.test(line));
    assert.ok(shown.length > 0);
    for (const line of shown) assert.match(line, /row \d+ needle z{80}$/);
    assert.equal(answer.structured.truncated, true);
    assert.match(answer.text, SAYS.truncated);
  });
}

test('byte-budget: the budget counts characters, so that wide ones do not shrink it, and holds with context lines', async () => {
  const root = world.puts('wide', { 'wide.txt': `${'\u6f22\u5b57 needle \u{1F600}\n\u2014\n'.repeat(5_000)}` });
  const forms = await openForms({ root });
  for (const context of [0, 3, 10]) {
    const answer = await forms.search({ pattern: 'needle', maxMatches: 500, context });
    assert.ok(answer.text.length <= 6_000, `${answer.text.length} characters with context ${context}`);
    assert.equal(answer.structured.truncated, true);
    assert.doesNotMatch(everything(answer), /\p{Surrogate}|\uFFFD/u);
  }
});

for (const [name, tool, args] of [
  ['search_text with output files', 'search_text', { pattern: 'needle', output: 'files', maxMatches: 500 }],
  ['search_text with output count', 'search_text', { pattern: 'needle', output: 'count', maxMatches: 500 }],
  ['list_files', 'list_files', {}],
] as const) {
  test(`byte-budget: ${name} keeps to maxChars and can be continued`, async () => {
    const answer = await (await onMany()).call(tool, { ...args, maxChars: 1_000 });
    assert.ok(answer.text.length <= 1_000, `${answer.text.length} characters`);
    assert.equal(answer.structured.truncated, true);
    assert.ok(answer.structured.nextCursor);
    assert.ok(cursorOf({ text: answer.text }));
  });
}

test('byte-budget: read_snippet keeps to maxChars and to its default', async () => {
  const forms = await onFlood();
  for (const maxChars of [undefined, 500, 20_000]) {
    const answer = await forms.read({ path: 'many.txt', ...(maxChars === undefined ? {} : { maxChars }) });
    assert.ok(answer.text.length <= (maxChars ?? 9_500), `${answer.text.length} characters`);
    assert.equal(answer.structured.truncated, true);
    const shown = answer.text.split('\n').filter((line) => /\brow \d+ /.test(line));
    assert.ok(shown.length > 0);
    for (const line of shown) assert.match(line, /row \d+ needle z{80}$/);
    const size = linesOf(answer).reduce((sum, { text }) => sum + text.length, 0);
    assert.ok(size <= (maxChars ?? 9_500), `${size} characters of text`);
  }
});

test('byte-budget: an error about a huge argument stays small', async () => {
  const forms = await onCount();
  const answer = await forms.search({ pattern: `(${'x'.repeat(9_900)}`, regex: true });
  assert.equal(answer.isError, true);
  assert.ok(answer.text.length <= 6_000, `${answer.text.length} characters`);
  const path = await forms.read({ path: 'p'.repeat(4_000) });
  assert.equal(path.isError, true);
  assert.ok(path.text.length <= 9_500, `${path.text.length} characters`);
});

test('byte-budget: exactly as many hits as asked for is a complete reply', async () => {
  const answer = await (await onCount()).search({ pattern: 'pair', maxMatches: 2 });
  assert.deepEqual(places(answer), ['exact2.txt:1', 'exact2.txt:2']);
  assert.equal(answer.structured.truncated, false);
  assert.equal(cursorOf(answer), undefined);
});

test('byte-budget: one hit more than asked for is a cut reply with a cursor to the rest', async () => {
  const forms = await onCount();
  const first = await forms.search({ pattern: 'pair', maxMatches: 1 });
  assert.deepEqual(places(first), ['exact2.txt:1']);
  assert.equal(first.structured.truncated, true);
  assert.match(first.text, SAYS.truncated);
  const rest = await forms.search({ pattern: 'pair', maxMatches: 1, cursor: first.structured.nextCursor });
  assert.deepEqual(places(rest), ['exact2.txt:2']);
  assert.equal(rest.structured.truncated, false);
});

test('byte-budget: several hits in a line count once and are all marked', async () => {
  const answer = await (await onCount()).search({ pattern: 'hit', maxMatches: 3 });
  assert.deepEqual(places(answer), ['a.txt:1', 'a.txt:2', 'a.txt:4']);
  assert.equal(matchesOf(answer)[0]?.submatches.length, 3);
  assert.equal(answer.structured.truncated, true);
});

test('byte-budget: the limit on matches holds for matches over several lines', async () => {
  const forms = await openForms({ root: multilineLimit(world) });
  const all = await forms.search({ pattern: 'line 2\\nline 3', regex: true, multiline: true });
  assert.deepEqual(places(all), ['file.txt:1', 'file.txt:4']);
  assert.equal(all.structured.truncated, false);
  const first = await forms.search({ pattern: 'line 2\\nline 3', regex: true, multiline: true, maxMatches: 1 });
  assert.deepEqual(places(first), ['file.txt:1']);
  assert.equal(matchesOf(first)[0]?.endLine, 2);
  assert.equal(first.structured.truncated, true);
});

test('byte-budget: list_files stops at maxResults and says so', async () => {
  const forms = await onMany();
  const cut = await forms.list({ maxResults: 5 });
  assert.equal(filesOf(cut).length, 5);
  assert.equal(cut.structured.truncated, true);
  assert.ok(cut.structured.nextCursor);
  const whole = await forms.list({ maxResults: 400, maxChars: 50_000 });
  assert.equal(filesOf(whole).length, 400);
  assert.equal(whole.structured.truncated, false);
});
