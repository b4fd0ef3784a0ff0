/** CR LF, LF, a lone CR, no line end at all: anchors match and no reply carries a CR. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { lineEnds, makeWorld } from '../support/fixtures.js';
import { everything, hits, linesOf, matchAt, matchesOf, places } from '../support/replies.js';
import { openForms, sharedForms } from '../support/server.js';

const world = makeWorld();
const root = lineEnds(world);
const onLines = sharedForms(() => ({ root }));

/** The text form shows a CR within a line as a sign; the structured form may give the character itself. */
const visible = (text: string | undefined): string | undefined => text?.replaceAll('\r', '\u240d');

// https://github.com/BurntSushi/ripgrep/issues/1568
test('crlf-anchor: $ matches before CR LF, LF and the end of the file', async () => {
  const answer = await (await onLines()).search({ pattern: 'needle$', regex: true });
  assert.deepEqual(
    places(answer).filter((place) => place !== 'cr.txt:1'),
    ['crlf.txt:2', 'lf.txt:2', 'noeol.txt:1'],
  );
  assert.ok(!answer.text.includes('\r'));
});

for (const [name, args] of [
  ['both anchors', { pattern: '^two needle$', regex: true }],
  ['$ in a group', { pattern: 'two needle(?:$|x)', regex: true }],
  ['a look-ahead before $', { pattern: 'two needle(?=$)', regex: true }],
  ['$ of PCRE2', { pattern: '(?<=two )needle$', regex: true }],
  ['an optional CR', { pattern: 'two needle\\r?$', regex: true }],
  ['.* up to the end', { pattern: 'two.*$', regex: true }],
  ['plain text', { pattern: 'two needle', regex: false }],
  ['a whole word', { pattern: 'needle', word: true, globs: ['crlf.txt', 'lf.txt'] }],
  ['white space after the word', { pattern: 'two needle\\s*$', regex: true }],
] as const) {
  test(`crlf-anchor: ${name} gives the same in files with CR LF and with LF`, async () => {
    const answer = await (await onLines()).search(args);
    assert.deepEqual(places(answer), ['crlf.txt:2', 'lf.txt:2']);
    for (const match of matchesOf(answer)) {
      assert.equal(match.text, 'two needle', match.path);
      for (const { start, end } of match.submatches) assert.ok(start <= end && end <= match.text.length, JSON.stringify(match));
    }
    assert.deepEqual(hits(matchAt(answer, 'crlf.txt', 2)), hits(matchAt(answer, 'lf.txt', 2)));
    assert.ok(!everything(answer).includes('\r'));
  });
}

test('crlf-anchor: a match over two lines that end in CR LF', async () => {
  const answer = await (await onLines()).search({ pattern: 'one\\r?\\ntwo needle\\r?\\nthr', regex: true, multiline: true });
  assert.deepEqual(places(answer), ['crlf.txt:1', 'lf.txt:1']);
  for (const match of matchesOf(answer)) assert.equal(match.endLine, 3);
  assert.ok(!answer.text.includes('\r'));
});

test('crlf-anchor: anchors in a multi-line search', async () => {
  const answer = await (await onLines()).search({ pattern: '(?m)^two needle$', regex: true, multiline: true });
  assert.deepEqual(places(answer), ['crlf.txt:2', 'lf.txt:2']);
});

test('crlf-anchor: context lines lose their CR too', async () => {
  const answer = await (await onLines()).search({ pattern: 'two needle', context: 1 });
  assert.match(answer.text, /one/);
  assert.match(answer.text, /three/);
  assert.ok(!everything(answer).includes('\r'));
});

test('crlf-anchor: a CR within a line is shown as a sign, in search and in read', async () => {
  const forms = await onLines();
  const found = await forms.search({ pattern: 'gamma', scope: 'cr.txt' });
  assert.deepEqual(places(found), ['cr.txt:1']);
  assert.equal(visible(matchesOf(found)[0]?.text), 'alpha\u240dneedle\u240dgamma');
  assert.deepEqual(hits(matchesOf(found)[0]!), ['gamma']);
  const read = await forms.read({ path: 'cr.txt' });
  assert.equal(visible(linesOf(read)[0]?.text), 'alpha\u240dneedle\u240dgamma');
  for (const { text } of [found, read]) assert.ok(text.includes('alpha\u240dneedle\u240dgamma'), text);
  assert.equal(read.structured.totalLines, 1);
  assert.ok(!found.text.includes('\r') && !read.text.includes('\r'));
});

for (const [path, lines] of [
  ['crlf.txt', ['one', 'two needle', 'three']],
  ['lf.txt', ['one', 'two needle', 'three']],
  ['noeol.txt', ['last line needle']],
] as const) {
  test(`crlf-anchor: read_snippet counts and shows the lines of ${path} as ripgrep does`, async () => {
    const answer = await (await onLines()).read({ path });
    assert.deepEqual(
      linesOf(answer),
      lines.map((text, i) => ({ line: i + 1, text })),
    );
    assert.equal(answer.structured.totalLines, lines.length);
    assert.ok(!everything(answer).includes('\r'));
  });
}

test('crlf-anchor: an empty file is read as one without lines, not as an error of the server', async () => {
  const answer = await (await onLines()).read({ path: 'empty.txt' });
  assert.deepEqual(linesOf(answer), []);
  assert.match(answer.text, /empty|0 lines|of 0/i);
});

test('crlf-anchor: mixed line ends, blank lines and a CR at the very end of the file', async () => {
  const mixed = world.puts('mixed', { 'mixed.txt': 'a needle\r\n\r\nb needle\n\nc needle\r\r\nd needle\r' });
  const forms = await openForms({ root: mixed });
  const answer = await forms.search({ pattern: 'needle', regex: false });
  assert.deepEqual(places(answer), ['mixed.txt:1', 'mixed.txt:3', 'mixed.txt:5', 'mixed.txt:6']);
  assert.equal(matchAt(answer, 'mixed.txt', 1).text, 'a needle');
  assert.equal(visible(matchAt(answer, 'mixed.txt', 5).text), 'c needle\u240d');
  const read = await forms.read({ path: 'mixed.txt' });
  assert.equal(linesOf(read).length, 6);
  assert.equal(linesOf(read)[1]?.text, '');
  assert.ok(!answer.text.includes('\r') && !read.text.includes('\r'));
});
