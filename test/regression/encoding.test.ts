/** Byte order marks, UTF-16 and the encodings that a caller names. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { bom, bytes, makeWorld, utf16be, utf16le } from '../support/fixtures.js';
import { everything, hits, linesOf, matchAt, matchesOf, places } from '../support/replies.js';
import { openForms, sharedForms } from '../support/server.js';

const world = makeWorld();
const bomRoot = bom(world);
const onBom = sharedForms(() => ({ root: bomRoot }));
const MARKED = ['utf16be-bom.txt', 'utf16le-bom.txt', 'utf8.txt', 'utf8bom.txt'] as const;

// https://github.com/BurntSushi/ripgrep/issues/1638
test('json-bom: the same line is found at the same column whatever the byte order mark', async () => {
  const answer = await (await onBom()).search({ pattern: 'needle', regex: false });
  assert.deepEqual(
    places(answer),
    MARKED.map((name) => `${name}:1`),
  );
  for (const match of matchesOf(answer)) {
    assert.equal(match.text, 'foo needle', match.path);
    assert.equal(match.column, 5, match.path);
    assert.deepEqual(hits(match), ['needle']);
  }
  assert.ok(!everything(answer).includes('\ufeff'));
});

test('json-bom: reading the same files gives text without marks or NUL characters', async () => {
  const forms = await onBom();
  for (const path of MARKED) {
    const answer = await forms.read({ path });
    assert.equal(answer.isError, false, answer.text);
    assert.deepEqual(linesOf(answer), [
      { line: 1, text: 'foo needle' },
      { line: 2, text: 'second line' },
    ]);
    assert.equal(answer.structured.totalLines, 2);
    assert.doesNotMatch(everything(answer), /[\ufeff\u0000\ufffd]/);
    assert.match(answer.text, /foo needle/);
  }
});

test('json-bom: a mark does not stand before the start of the line', async () => {
  const answer = await (await onBom()).search({ pattern: '^foo', regex: true });
  assert.deepEqual(
    places(answer),
    MARKED.map((name) => `${name}:1`),
  );
  assert.ok(matchesOf(answer).every(({ column }) => column === 1));
});

test('json-bom: later lines, context lines and wide characters of UTF-16 files are right', async () => {
  const text = 'eins \u{1F600}\r\nzwei \u6f22 needle\r\n\r\nvier\r\n';
  const root = world.puts('utf16', {
    'le.txt': Buffer.concat([bytes([0xff, 0xfe]), utf16le(text)]),
    'be.txt': Buffer.concat([bytes([0xfe, 0xff]), utf16be(text)]),
    'odd.txt': Buffer.concat([bytes([0xff, 0xfe]), utf16le('needle at an odd end\n'), bytes([0x41])]),
  });
  const forms = await openForms({ root });
  const answer = await forms.search({ pattern: 'needle', context: 1 });
  assert.deepEqual(places(answer), ['be.txt:2', 'le.txt:2', 'odd.txt:1']);
  for (const path of ['be.txt', 'le.txt']) {
    assert.equal(matchAt(answer, path, 2).text, 'zwei \u6f22 needle');
    assert.equal(matchAt(answer, path, 2).column, 8);
    const read = await forms.read({ path, startLine: 1, endLine: 3 });
    assert.deepEqual(
      linesOf(read).map((line) => line.text),
      ['eins \u{1F600}', 'zwei \u6f22 needle', ''],
    );
  }
  assert.ok(answer.text.includes('eins \u{1F600}'));
  assert.doesNotMatch(everything(answer), /[\ufeff\u0000\r]/);
});

test('json-bom: UTF-16 without a mark is found when the encoding is named', async () => {
  const forms = await onBom();
  const unnamed = await forms.search({ pattern: 'needle', scope: 'utf16le-nobom.txt' });
  assert.deepEqual(places(unnamed), []);
  const named = await forms.search({ pattern: 'needle', scope: 'utf16le-nobom.txt', encoding: 'utf-16le' });
  assert.deepEqual(places(named), ['utf16le-nobom.txt:1']);
  assert.equal(matchesOf(named)[0]?.text, 'foo needle');
  assert.equal(matchesOf(named)[0]?.column, 5);
});

for (const [encoding, data, pattern, text] of [
  ['latin1', bytes('caf', [0xe9], ' bar\n'), 'caf\u00e9', 'caf\u00e9 bar'],
  ['windows-1252', bytes([0x80], ' price\n'), '\u20ac price', '\u20ac price'],
  ['shift_jis', bytes([0x8a, 0xbf, 0x8e, 0x9a], '\n'), '\u6f22\u5b57', '\u6f22\u5b57'],
  ['gbk', bytes('x ', [0xba, 0xba], '\n'), '\u6c49', 'x \u6c49'],
  ['utf-16be', utf16be('z \u6f22 q\n'), '\u6f22', 'z \u6f22 q'],
] as const) {
  test(`json-bom: encoding ${encoding} finds what it encodes`, async () => {
    const root = world.puts(`encoding-${encoding}`, { 'file.txt': data });
    const answer = await (await openForms({ root })).search({ pattern, encoding });
    assert.deepEqual(places(answer), ['file.txt:1']);
    assert.equal(matchesOf(answer)[0]?.text, text);
    assert.deepEqual(hits(matchesOf(answer)[0]!), [pattern]);
  });
}

for (const encoding of ['utf-99', 'nonsense', '../utf-8', '-', 'utf 8', '']) {
  test(`json-bom: encoding ${JSON.stringify(encoding)} is an error, not an empty reply`, async () => {
    const answer = await (await onBom()).search({ pattern: 'needle', encoding });
    assert.equal(answer.isError, true, answer.text);
    assert.match(answer.text, /encoding/i);
  });
}
