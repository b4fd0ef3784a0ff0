/** What a pattern means: literal or regex, which engine, and what happens when it takes for ever. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { backtracking, lookaround, makeWorld, newline, regexLike, SLOW_PATTERN } from '../support/fixtures.js';
import { cursorOf, hits, matchAt, matchesOf, places, SAYS } from '../support/replies.js';
import { openForms, openServer, sharedForms, until } from '../support/server.js';

const world = makeWorld();
const codeRoot = regexLike(world);
const lookRoot = lookaround(world);
const slowRoot = backtracking(world);
const newlineRoot = newline(world);
const onCode = sharedForms(() => ({ root: codeRoot }));
const onLook = sharedForms(() => ({ root: lookRoot }));
const onSlow = sharedForms(() => ({ root: slowRoot }));
const onNewline = sharedForms(() => ({ root: newlineRoot }));

/** Pattern, the line that holds it as text, and the lines that auto mode may show (absent: the literal ones). */
const FRAGMENTS: readonly (readonly [pattern: string, line: number, auto?: readonly number[]])[] = [
  ['row_to_json(t)', 3],
  ['html(json.data)', 2],
  ['arr[i]', 4],
  ['a || b', 5],
  ['i++', 6, [4, 6, 10]],
  ['foo|bar', 11, [1, 11]],
  ['C:\\temp\\new', 12],
  ['foo(bar', 1],
  ['{ name }', 7],
  ['value?;', 8],
  ['$x.y*z', 9],
  ['1) first', 10],
];
for (const [pattern, line, auto] of FRAGMENTS) {
  // https://github.com/BurntSushi/ripgrep/issues/1621
  test(`regex-literal-default: ${pattern} is found as text when text is asked for`, async () => {
    const answer = await (await onCode()).search({ pattern, regex: false });
    assert.deepEqual(places(answer), [`code.c:${line}`]);
    assert.deepEqual(hits(matchesOf(answer)[0]!), [pattern]);
  });

  test(`regex-literal-default: ${pattern} is found in auto mode, which says how it read the pattern`, async () => {
    const answer = await (await onCode()).search({ pattern });
    assert.equal(answer.isError, false, answer.text);
    assert.deepEqual(
      places(answer),
      (auto ?? [line]).map((each) => `code.c:${each}`),
    );
    const first = answer.text.split('\n')[0] ?? '';
    if (auto !== undefined) assert.match(first, /literal/i, 'the first line counts the other reading');
    else assert.match(answer.text, /literal/i);
  });
}

for (const pattern of ['', '|', 'a*', 'x?', '(|b)', '(?:)', '^', '$', 'i*|zz']) {
  test(`regex-literal-default: ${JSON.stringify(pattern)}, which can match nothing at all, does not give every line in auto mode`, async () => {
    const answer = await (await onCode()).search({ pattern });
    const wanted = pattern === '' ? [] : regexLines(pattern);
    assert.deepEqual(places(answer), wanted);
    assert.equal(answer.isError, pattern === '', 'only the empty pattern is refused');
  });
}

/** Lines of code.c that hold the pattern as text. */
function regexLines(pattern: string): string[] {
  const lines: Record<string, number[]> = { '|': [5, 11], $: [9] };
  return (lines[pattern] ?? []).map((line) => `code.c:${line}`);
}

for (const pattern of ['foo(', '[', '*x', '(?P<', 'a{2,1}', '\\', '(?z)', ')']) {
  test(`regex-literal-default: ${pattern} compiles in no engine: an error as a regex, plain text in auto mode`, async () => {
    const forms = await onCode();
    const strict = await forms.search({ pattern, regex: true });
    assert.equal(strict.isError, true, strict.text);
    assert.equal(strict.code, 'pattern_invalid');
    assert.ok(strict.text.length > 40, 'the error says why');
    const auto = await forms.search({ pattern });
    assert.equal(auto.isError, false, auto.text);
  });
}

test('regex-literal-default: case, word and multi-line arguments keep a literal literal', async () => {
  const forms = await onCode();
  assert.deepEqual(places(await forms.search({ pattern: 'ARR[I]', regex: false, ignoreCase: true })), ['code.c:4']);
  assert.deepEqual(places(await forms.search({ pattern: 'arr[i]', regex: false, multiline: true })), ['code.c:4']);
  assert.deepEqual(places(await forms.search({ pattern: 'y*z', regex: false, word: true })), ['code.c:9']);
  assert.deepEqual(places(await forms.search({ pattern: '*z', regex: false, output: 'content', context: 1 })), ['code.c:9']);
});

test('regex-literal-default: a pattern with a line end in it finds text over two lines, or says what is wanted', async () => {
  const forms = await onNewline();
  for (const args of [
    { pattern: 'RIP\nGREP', regex: false, multiline: true },
    { pattern: 'RIP\\nGREP', regex: true, multiline: true },
    { pattern: 'RIP\\s+GREP', regex: true, multiline: true },
  ]) {
    const answer = await forms.search(args);
    assert.deepEqual(places(answer), ['corpus.txt:2'], JSON.stringify(args));
    assert.equal(matchesOf(answer)[0]?.endLine, 3);
  }
  assert.deepEqual(places(await forms.search({ pattern: 'RIP\\nGREP', regex: false })), ['literal.txt:1']);
  for (const args of [{ pattern: 'RIP\nGREP' }, { pattern: 'RIP\nGREP', regex: false }, { pattern: 'RIP\\nGREP', regex: true }]) {
    const answer = await forms.search(args);
    assert.ok(places(answer).includes('corpus.txt:2') || /multiline/.test(answer.text), `${JSON.stringify(args)}: ${answer.text}`);
  }
});

for (const [pattern, line, found] of [
  ['foo(?=bar)', 1, 'foo'],
  ['(?<!not_)main', 5, 'main'],
  ['(\\w+) \\1', 4, 'the the'],
  ['foo(?!bar)', 2, 'foo'],
  ['(?<=price: )\\d+', 3, '42'],
  ['foo\\Kbar', 1, 'bar'],
  ['(?>foo)bar', 1, 'foobar'],
  ['(?<w>\\w+) \\k<w>', 4, 'the the'],
  ['(?i)(?<=PRICE: )42', 3, '42'],
] as const) {
  // https://github.com/microsoft/vscode/issues/24626
  test(`regex-lookaround: ${pattern} works without a flag`, async () => {
    const forms = await onLook();
    for (const args of [{ pattern, regex: true }, { pattern }]) {
      const answer = await forms.search(args);
      assert.equal(answer.isError, false, answer.text);
      assert.deepEqual(places(answer), [`look.txt:${line}`]);
      assert.deepEqual(hits(matchAt(answer, 'look.txt', line)), [found]);
    }
  });
}

for (const pattern of ['(?<=a+)b', '(?<!x*)b', '(?=foo', '(?<=(', '\\1(', '(?P=nothing)']) {
  test(`regex-lookaround: ${pattern}, which PCRE2 cannot take either, is an error that says why`, async () => {
    const forms = await onLook();
    const answer = await forms.search({ pattern, regex: true });
    assert.equal(answer.isError, true, answer.text);
    assert.equal(answer.code, 'pattern_invalid');
    const auto = await forms.search({ pattern });
    assert.equal(auto.isError, false, `auto mode reads it as text: ${auto.text}`);
    assert.deepEqual(places(auto), []);
  });
}

test('regex-lookaround: a look-behind without a limit is refused for that reason', async () => {
  const answer = await (await onLook()).search({ pattern: '(?<=a+)b', regex: true });
  assert.match(answer.text, /look-?behind/i);
});

// https://github.com/BurntSushi/ripgrep/issues/2786
test('regex-backtracking: a pattern that runs for minutes is stopped at the time limit', async () => {
  const answer = await (await onSlow()).search({ pattern: SLOW_PATTERN, regex: true, timeoutMs: 2_000 });
  assert.equal(answer.structured.timedOut, true);
  assert.match(answer.text, SAYS.timedOut);
});

test('regex-backtracking: a match limit that was exceeded is named with its file', async () => {
  const answer = await (await onSlow()).search({ pattern: '^(a+)+$(?<!b)', regex: true, globs: ['a.txt'] });
  assert.equal(answer.isError, false, answer.text);
  assert.equal(answer.structured.partial, true);
  assert.match(answer.text, /a\.txt/);
  assert.match(answer.text, /match limit exceeded/i);
  const notes = (answer.structured.notes ?? []).join('\n');
  assert.match(notes, /a\.txt/);
  assert.match(notes, /match limit exceeded/i);
  assert.doesNotMatch(answer.text, SAYS.bareNothing);
});

test('regex-backtracking: a pattern that needs no PCRE2 answers that there is no match', async () => {
  const answer = await (await onSlow()).search({ pattern: '(a+)+$', regex: true, globs: ['a.txt'] });
  assert.equal(answer.isError, false);
  assert.deepEqual(places(answer), []);
  assert.equal(answer.structured.timedOut, false);
  assert.equal(answer.structured.partial, false);
  assert.match(answer.text, /no match/i);
});

test('regex-backtracking: hits in other files stay when one file exceeds the match limit', async () => {
  const answer = await (await onSlow()).search({ pattern: '^(a+)+$(?<!b)|^new last$', regex: true, globs: ['a.txt', 'new.txt'] });
  assert.deepEqual(places(answer), ['new.txt:4001']);
  assert.equal(answer.structured.partial, true);
  assert.match(answer.text, /a\.txt/);
});

for (const pattern of ['^(a|aa)+$(?<!b)', '^(\\w+\\s?)*$(?<!z)', '(?=(a+))*b(?<!x)c$', '^(?:(?:a+)+)+\\b$(?<!b)']) {
  test(`regex-backtracking: ${pattern} ends, and is never a bare "no matches" when it gave up`, async () => {
    const answer = await (await onSlow()).search({ pattern, regex: true, globs: ['a.txt'], timeoutMs: 3_000 });
    assert.equal(answer.isError, false, answer.text);
    const { timedOut, partial } = answer.structured;
    if (timedOut === true) assert.match(answer.text, SAYS.timedOut);
    else if (partial === true) assert.match(answer.text, /limit/i);
    else assert.match(answer.text, /no match/i);
  });
}

test('regex-backtracking: in auto mode too, and then nothing runs on', async () => {
  const server = await openServer({ root: slowRoot, format: 'json' });
  const answer = await server.call('search_text', { pattern: SLOW_PATTERN, timeoutMs: 1_000 });
  assert.equal(answer.structured?.timedOut, true, answer.text);
  assert.ok(await until(() => server.descendants().length === 0), 'no child is left');
});

test('regex-backtracking: a reply that was cut by time does not offer an end of the list', async () => {
  const forms = await openForms({ root: slowRoot });
  const answer = await forms.search({ pattern: `${SLOW_PATTERN}.|^new x`, regex: true, timeoutMs: 1_000, maxMatches: 5 });
  const { timedOut, truncated } = answer.structured;
  assert.ok(timedOut === true || truncated === true);
  if (truncated === true) assert.ok(cursorOf(answer) !== undefined || timedOut === true);
});
