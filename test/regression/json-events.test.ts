/** What ripgrep's JSON stream can hold: giant records, bytes that are no UTF-8, byte offsets, an end in the middle. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import test from 'node:test';
import { bytes, columns, flood, longline, makeWorld, nonutf8, utf16le } from '../support/fixtures.js';
import { everything, filesOf, hits, matchAt, matchesOf, places, SAYS } from '../support/replies.js';
import { type Both, openForms, openServer, sharedForms, until } from '../support/server.js';

const world = makeWorld();
const longRoot = longline(world);
const floodRoot = flood(world);
const badRoot = nonutf8(world);
const columnsRoot = columns(world);
const onLong = sharedForms(() => ({ root: longRoot }));
const onFlood = sharedForms(() => ({ root: floodRoot }));
const onBad = sharedForms(() => ({ root: badRoot }));
const onColumns = sharedForms(() => ({ root: columnsRoot }));

/** Every submatch must point at the word, and the column at the first of them. */
function assertPointsAt(answer: Both, word: string): void {
  for (const match of matchesOf(answer)) {
    const name = `${match.path}:${match.line}`;
    assert.ok(match.submatches.length > 0, `${name} has submatches`);
    for (const hit of hits(match)) assert.equal(hit, word, name);
    assert.equal(match.column, match.submatches[0]!.start + 1, `${name} column`);
  }
}

// https://github.com/BurntSushi/ripgrep/issues/1451
test('json-long-line: a hit in a line of megabytes is shown with a window around it', async () => {
  const answer = await (await onLong()).search({ pattern: 'needle', regex: false, ignored: true });
  assert.deepEqual(places(answer), ['bundle.min.js:1', 'mega.min.js:1', 'src.ts:1']);
  assert.ok(answer.bytes.text <= 20_000 && answer.bytes.json <= 20_000, JSON.stringify(answer.bytes));
  assertPointsAt(answer, 'needle');
  assert.ok(matchAt(answer, 'bundle.min.js', 1).text.includes('";needle;var b="'));
  assert.ok(matchAt(answer, 'mega.min.js', 1).text.includes('";needle();'));
  assert.equal(answer.text.match(/needle[;( ]/g)?.length, 3, answer.text);
});

const SIZES = [1_000, 65_000, 131_072, 262_000, 262_144, 300_000, 1_000_000, 4_200_000] as const;
test('json-long-line: lines of any size, with the hit at the start, in the middle or at the end', async () => {
  const files: Record<string, string> = {};
  for (const size of SIZES) {
    files[`s${size}-start.txt`] = `needle;${'a'.repeat(size)}\n`;
    files[`s${size}-middle.txt`] = `${'b'.repeat(size / 2)};needle;${'b'.repeat(size / 2)}\nneedle after\n`;
    files[`s${size}-end.txt`] = `${'c'.repeat(size)};needle`;
  }
  const answer = await (await openForms({ root: world.puts('sizes', files) })).search({
    pattern: 'needle',
    maxMatches: 500,
    maxChars: 50_000,
  });
  const wanted = SIZES.flatMap((size) => [`s${size}-end.txt:1`, `s${size}-middle.txt:1`, `s${size}-middle.txt:2`, `s${size}-start.txt:1`]);
  assert.deepEqual([...places(answer)].sort(), [...wanted].sort());
  assertPointsAt(answer, 'needle');
  for (const match of matchesOf(answer)) assert.ok(match.text.length <= 1_000, `${match.path} shows ${match.text.length} characters`);
});

for (const [name, before, after] of [
  ['two-byte', '\u00e9', '\u00df'],
  ['three-byte', '\u6f22', '\u2014'],
  ['four-byte', '\u{1F600}', '\u{1D4B3}'],
  ['combining', 'e\u0301', 'o\u0308'],
] as const) {
  test(`json-long-line: the window does not cut ${name} characters in two`, async () => {
    const root = world.puts(`wide-${name}`, {
      'long.txt': `x${before.repeat(40_000)}needle${after.repeat(40_000)}\n`,
      'longer.txt': `${before.repeat(300_000)}needle${after.repeat(300_000)}\n`,
    });
    const answer = await (await openForms({ root })).search({ pattern: 'needle' });
    assert.deepEqual(places(answer), ['long.txt:1', 'longer.txt:1']);
    assertPointsAt(answer, 'needle');
    assert.doesNotMatch(everything(answer), /\p{Surrogate}|\uFFFD/u);
    for (const match of matchesOf(answer)) {
      const at = match.submatches[0]!;
      assert.ok(match.text.slice(0, at.start).endsWith(before), 'what stands before the hit');
      assert.ok(match.text.slice(at.end).startsWith(after), 'what stands after the hit');
    }
  });
}

test('json-long-line: far hits in one line, long context lines and a long multi-line match stay small', async () => {
  const far = `${'p'.repeat(100_000)};needle;${'p'.repeat(100_000)};needle;${'p'.repeat(100_000)}\n`;
  const forms = await openForms({ root: world.puts('far', { 'far.txt': `${'q'.repeat(500_000)}\n${far}${'q'.repeat(500_000)}\n` }) });
  for (const args of [
    { pattern: 'needle' },
    { pattern: 'needle', context: 2 },
    { pattern: 'q\\n.*needle', regex: true, multiline: true },
  ]) {
    const answer = await forms.search(args);
    assert.equal(answer.isError, false, answer.text);
    assert.equal(matchesOf(answer).length, 1);
    assert.ok(answer.bytes.text <= 20_000 && answer.bytes.json <= 20_000, JSON.stringify(answer.bytes));
  }
  assert.match((await forms.search({ pattern: 'needle' })).text, /needle/);
});

test('json-long-line: output files and count know a hit in a long line', async () => {
  const forms = await onLong();
  assert.deepEqual(filesOf(await forms.search({ pattern: 'needle', ignored: true, output: 'files' })), [
    'bundle.min.js',
    'mega.min.js',
    'src.ts',
  ]);
  const counts = (await forms.search({ pattern: 'needle', ignored: true, output: 'count' })).structured.counts;
  assert.deepEqual(counts, [
    { path: 'bundle.min.js', count: 1 },
    { path: 'mega.min.js', count: 1 },
    { path: 'src.ts', count: 1 },
  ]);
});

// https://github.com/anomalyco/opencode/issues/35523
test('json-record-cap-aborts: a record above the cap does not cost the hits in ordinary files', async () => {
  const answer = await (await onLong()).search({ pattern: 'needle', regex: false, ignored: true });
  assert.equal(answer.isError, false);
  assert.ok(places(answer).includes('src.ts:1'));
  assert.match(answer.text, /src\.ts/);
});

test('json-record-cap-aborts: nor with the smallest cap, before and behind the long line', async () => {
  const long = `${'x'.repeat(200_000)};needle;${'x'.repeat(200_000)}`;
  const root = world.puts('cap', {
    'a.txt': 'needle a\n',
    'b.txt': `needle 1\n${long}\nneedle 3\n${long}\nneedle 5\n`,
    'c.txt': 'needle c\n',
  });
  const forms = await openForms({ root, env: { RIPSCOPE_MAX_EVENT_BYTES: '16384' } });
  const answer = await forms.search({ pattern: 'needle' });
  assert.equal(answer.isError, false);
  const found = places(answer);
  for (const place of ['a.txt:1', 'b.txt:1', 'b.txt:3', 'b.txt:5', 'c.txt:1'])
    assert.ok(found.includes(place), `${place} in ${found.join(' ')}`);
  for (const line of [2, 4]) {
    const named = found.includes(`b.txt:${line}`) || (answer.structured.notes ?? []).some((note) => note.includes('b.txt'));
    assert.ok(named, `line ${line} is shown or named as skipped`);
  }
});

// https://github.com/AltimateAI/altimate-code/issues/1098
test('json-bytes-line: lines that are not UTF-8 are found and shown with replacement characters', async () => {
  const answer = await (await onBad()).search({ pattern: 'needle', regex: false });
  assert.deepEqual(places(answer), ['good.txt:1', 'latin1.c:1', 'latin1.c:2', 'weird.txt:1']);
  assert.equal(matchAt(answer, 'latin1.c', 1).text, '/* caf\ufffd needle */');
  assert.equal(matchAt(answer, 'latin1.c', 2).text, 'int plain_needle;');
  assert.equal(matchAt(answer, 'weird.txt', 1).text, 'needle \ufffd\ufffd tail');
  assertPointsAt(answer, 'needle');
  assert.ok(answer.text.includes('/* caf\ufffd needle */'));
});

test('json-bytes-line: every kind of broken UTF-8 keeps the place of the hit', async () => {
  const root = world.puts('broken', {
    'cut-short.txt': bytes('x', [0xe2, 0x82], 'needle ', [0xf0, 0x9f, 0x98], '\n'),
    'lone-surrogate.txt': bytes([0xed, 0xa0, 0x80], 'needle\n'),
    'overlong.txt': bytes([0xc0, 0xaf], 'needle', [0xc0, 0xaf], '\n'),
    'continuation.txt': bytes([0x80, 0x80, 0x80], 'needle ', [0xbf], '\n'),
    'mixed.txt': bytes('\u{1F600}', [0xff], '\u00e9needle\n'),
    'no-end.txt': bytes([0xfe], 'needle', [0xe2, 0x82]),
    'long.txt': bytes('y'.repeat(5_000), [0xff], 'needle', [0xff], 'y'.repeat(5_000), '\n'),
    'longer.txt': bytes('y'.repeat(400_000), [0xff], 'needle', [0xff], 'y'.repeat(400_000), '\n'),
  });
  const forms = await openForms({ root });
  const answer = await forms.search({ pattern: 'needle' });
  assert.equal(matchesOf(answer).length, 8, places(answer).join(' '));
  assertPointsAt(answer, 'needle');
  const context = await forms.search({ pattern: 'needle', context: 3 });
  assert.equal(matchesOf(context).length, 8);
});

test('json-bytes-line: a hit that is itself no UTF-8 is shown', async () => {
  const forms = await onBad();
  const answer = await forms.search({ pattern: '(?-u:\\xff\\xfe)', regex: true });
  assert.deepEqual(places(answer), ['weird.txt:1']);
  assert.equal(matchAt(answer, 'weird.txt', 1).text, 'needle \ufffd\ufffd tail');
});

test('json-bytes-line: context lines that are not UTF-8 do no harm', async () => {
  const root = world.puts('context', { 'c.txt': bytes('before ', [0xff], '\nneedle\nafter ', [0xfe], '\n') });
  const answer = await (await openForms({ root })).search({ pattern: 'needle', context: 1 });
  assert.deepEqual(places(answer), ['c.txt:2']);
  assert.ok(answer.text.includes('before \ufffd') && answer.text.includes('after \ufffd'), answer.text);
});

test('json-bytes-line: a file name that is not UTF-8 does not cost the other hits', async (t) => {
  const root = world.puts('names', { 'good.txt': 'needle good\n', 'z.txt': 'needle z\n' });
  try {
    writeFileSync(Buffer.concat([Buffer.from(`${root}/bad-`), Buffer.from([0xff, 0xfe]), Buffer.from('.txt')]), 'needle bad\n');
  } catch {
    t.skip('the file system takes UTF-8 names only');
    return;
  }
  const forms = await openForms({ root });
  const answer = await forms.search({ pattern: 'needle' });
  assert.equal(answer.isError, false, answer.text);
  assert.ok(places(answer).includes('good.txt:1') && places(answer).includes('z.txt:1'), answer.text);
  const list = await forms.list({});
  assert.ok(filesOf(list).includes('good.txt') && filesOf(list).includes('z.txt'), list.text);
});

// https://github.com/BurntSushi/ripgrep/issues/2670
test('json-columns: columns count UTF-16 units of the text, so that slicing there gives the hit', async () => {
  const answer = await (await onColumns()).search({ pattern: 'needle', regex: false });
  assert.deepEqual(places(answer), ['cols.txt:1', 'cols.txt:2', 'cols.txt:3', 'cols.txt:4', 'cols.txt:5']);
  assert.deepEqual(
    matchesOf(answer).map((match) => match.column - 1),
    [2, 3, 1, 1, 0],
  );
  assert.equal(matchesOf(answer).flatMap(hits).length, 6);
  assertPointsAt(answer, 'needle');
});

test('json-columns: whatever stands before the hit', async () => {
  const before = {
    combining: 'e\u0301e\u0301 ',
    cjk: '\u6f22\u5b57\u3000',
    family: '\u{1F468}\u200d\u{1F469}\u200d\u{1F467} ',
    flag: '\u{1F1E9}\u{1F1EA}',
    rtl: '\u05d0\u05d1 ',
    zeroWidth: '\u200b\u2060',
    separators: '\u2028\u2029\u0085',
    dotted: '\u0130\u0131',
    tabs: '\t\t ',
  };
  const files = Object.fromEntries(Object.entries(before).map(([name, text]) => [`${name}.txt`, `${text}needle${text}needle\n`]));
  const root = world.puts('before', {
    ...files,
    'bom.txt': '\ufeff\u2014needle\n',
    'utf16.txt': Buffer.concat([bytes([0xff, 0xfe]), utf16le('\u{1F600}needle\n')]),
    'crlf.txt': '\u2014needle\r\n\u00e9\u00e9needle\r\n',
  });
  const forms = await openForms({ root });
  for (const args of [
    { pattern: 'needle', regex: false },
    { pattern: 'need[l]e', regex: true },
    { pattern: '(?<!x)needle', regex: true },
  ]) {
    const answer = await forms.search(args);
    assertPointsAt(answer, 'needle');
    for (const [name, text] of Object.entries(before)) {
      const match = matchAt(answer, `${name}.txt`, 1);
      assert.equal(match.text, `${text}needle${text}needle`);
      assert.deepEqual(
        match.submatches.map(({ start }) => start),
        [text.length, 2 * text.length + 6],
        name,
      );
    }
    assert.equal(matchAt(answer, 'bom.txt', 1).column, 2);
    assert.equal(matchAt(answer, 'utf16.txt', 1).column, 3);
    assert.equal(matchAt(answer, 'crlf.txt', 2).column, 3);
  }
});

test('json-columns: hits of a match without regard to case and of a match over lines', async () => {
  const forms = await onColumns();
  const loud = await forms.search({ pattern: 'NEEDLE', ignoreCase: true });
  assert.equal(matchesOf(loud).length, 5);
  assertPointsAt(loud, 'needle');
  const over = await forms.search({ pattern: 'one\\n\\S+ needle', regex: true, multiline: true });
  assert.deepEqual(places(over), ['cols.txt:1']);
  assert.deepEqual(hits(matchesOf(over)[0]!), ['one\n\u{1D4B3} needle']);
});

// https://github.com/anomalyco/opencode/pull/6275
test('json-kill-partial: a search that the server stops early is a whole reply, not a parse error', async () => {
  const answer = await (await onFlood()).search({ pattern: 'needle', maxMatches: 50, maxChars: 50_000 });
  assert.equal(answer.isError, false);
  assert.equal(matchesOf(answer).length, 50);
  assert.equal(answer.structured.truncated, true);
  assert.match(answer.text, SAYS.truncated);
});

for (const maxMatches of [1, 7, 100, 499, 500]) {
  test(`json-kill-partial: ${maxMatches} whole hits and no more`, async () => {
    const answer = await (await onFlood()).search({ pattern: 'needle', maxMatches, maxChars: 50_000 });
    const matches = matchesOf(answer);
    assert.ok(matches.length <= maxMatches);
    if (maxMatches <= 300) assert.equal(matches.length, maxMatches);
    assert.deepEqual(
      matches.map(({ line }) => line),
      matches.map((_, i) => i + 1),
    );
    assert.equal(answer.structured.truncated, true);
    assert.equal(answer.structured.partial, false, 'a stop by the server is no damage');
    assert.equal(answer.structured.timedOut, false);
  });
}

test('json-kill-partial: small caps of the operator stop ripgrep without an error', async () => {
  for (const env of [{ RIPSCOPE_MAX_HITS_KEPT: '501' }, { RIPSCOPE_MAX_KEPT_BYTES: '65536' }]) {
    const server = await openServer({ root: floodRoot, format: 'json', env });
    const answer = await server.call('search_text', { pattern: 'needle', maxMatches: 50, maxChars: 50_000 });
    assert.equal(answer.isError, false, answer.text);
    assert.equal(matchesOf(answer).length, 50);
    assert.ok(await until(() => server.descendants().length === 0), 'no child is left');
  }
});
