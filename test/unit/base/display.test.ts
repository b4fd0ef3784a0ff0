import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bytes, count, cutAround, plural, showControls, showCut, showPath } from '#dist/base/display.js';

const SEED = 20_261_130;
const RUNS = 10_000;
const LONE_SURROGATE = /\p{Surrogate}/u;
const text = fc.string({
  unit: fc.oneof(fc.constantFrom('a', 'é', '漢', '😀', '\u{1D4B3}', '\t'), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })),
});

test(`a cut never splits a surrogate pair, never exceeds its room and accounts for every unit (seed ${SEED})`, () => {
  fc.assert(
    fc.property(text, fc.nat(40), fc.nat(40), fc.integer({ min: 1, max: 30 }), (whole, a, length, max) => {
      const start = Math.min(a, whole.length);
      const end = Math.min(start + length, whole.length);
      const cut = cutAround(whole, start, end, max);
      assert.ok(cut.text.length <= max);
      assert.equal(whole.slice(cut.before, whole.length - cut.after), cut.text);
      assert.equal(cut.before + cut.text.length + cut.after, whole.length);
      assert.doesNotMatch(cut.text, LONE_SURROGATE);
    }),
    { seed: SEED, numRuns: RUNS },
  );
});

test(`a hit on whole characters that fits into the room is shown whole (seed ${SEED})`, () => {
  fc.assert(
    fc.property(text, text, text, fc.nat(20), (before, hit, after, more) => {
      const cut = cutAround(before + hit + after, before.length, before.length + hit.length, Math.max(1, hit.length + more));
      assert.ok(cut.before <= before.length && cut.after <= after.length, JSON.stringify(cut));
    }),
    { seed: SEED, numRuns: RUNS },
  );
});

test('a third of the room stays before the hit', () => {
  const cut = cutAround('x'.repeat(500), 250, 260, 100);
  assert.deepEqual([cut.before, cut.text.length, cut.after], [220, 100, 180]);
});

test('a text that fits is not cut', () => assert.deepEqual(cutAround('abc', 1, 2, 3), { text: 'abc', before: 0, after: 0 }));

test('the marks of a cut say how much is left out', () => {
  assert.equal(showCut({ text: 'mid\r', before: 120, after: 3400 }), '…(120 more) mid␍ (3400 more)…');
  assert.equal(showCut({ text: 'all', before: 0, after: 0 }), 'all');
});

test(`showing control characters keeps every offset and leaves one line (seed ${SEED})`, () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (raw) => {
      const shown = showControls(raw);
      assert.equal(shown.length, raw.length);
      assert.doesNotMatch(shown, /[\u0000-\u0008\u000a-\u001f\u007f]/);
      assert.equal(showControls(shown), shown);
    }),
    { seed: SEED, numRuns: RUNS },
  );
});

const controls: [string, string][] = [
  ['a\rb', 'a␍b'],
  ['a\nb', 'a␊b'],
  ['\0', '␀'],
  ['\u001b[31m', '␛[31m'],
  ['\u007f', '␡'],
  ['a\tb', 'a\tb'],
];
for (const [raw, shown] of controls) test(`${JSON.stringify(raw)} is shown as ${shown}`, () => assert.equal(showControls(raw), shown));

const paths: [title: string, path: string, shown: string][] = [
  ['an ordinary path as it is', 'src/größe/[id]/a-1.t@2.ts', 'src/größe/[id]/a-1.t@2.ts'],
  ['a name that only begins with digits as it is', '12foo', '12foo'],
  ['an emoji of several parts as it is', '👨‍👩‍👧.ts', '👨‍👩‍👧.ts'],
  ['a blank in quotes, since fields follow', 'src/a b.ts', '"src/a b.ts"'],
  ['a name that begins with # in quotes', '#include', '"#include"'],
  ['a name like a numbered line in quotes', '12:foo', '"12:foo"'],
  ['a name like a context line in quotes', '12-foo', '"12-foo"'],
  ['a name like a ranked place in quotes', '[1]a.ts', '"[1]a.ts"'],
  ['a name with a line number in quotes', 'a.ts:12', '"a.ts:12"'],
  ['a line feed as an escape', 'a\n# forged', '"a\\n# forged"'],
  ['a tab as an escape', 'a\tb', '"a\\tb"'],
  ['a bidi mark as an escape', 'ev\u202el.ts', '"ev\\u202el.ts"'],
  ['a character of no width as an escape', 'us\u200ber.ts', '"us\\u200ber.ts"'],
  ['a tag character as two escapes', 'a\u{e0041}.ts', '"a\\udb40\\udc41.ts"'],
  ['a picture of a control in quotes, since it could stand for one', 'a\u240a.ts', '"a\u240a.ts"'],
];
for (const [title, path, shown] of paths)
  test(`a path is one line that cannot be taken for another: ${title}`, () => assert.equal(showPath(path), shown));

const hidden = [
  ...['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069', '\u200e', '\u200f', '\u061c'],
  ...['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u2028', '\u2029', '\u0085', '\u180e', '\u3164', '\u{e0041}', '\ufe0f'],
];
const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...hidden),
    fc.constantFrom('a', ' ', '\n', '\r', '\t', '"', '\\', '#', ':', '1', '-', '[', ']', '@', '…', '␊'),
  ),
  minLength: 1,
  maxLength: 12,
});
const HIDDEN = /[\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\u061c\u2060\ufeff\u00ad\u2028\u2029\u0085\u180e\u3164\u{e0000}-\u{e007f}]/u;

test(`a shown path is one word or one JSON string, and gives the path back (seed ${SEED})`, () => {
  fc.assert(
    fc.property(hostile, (path) => {
      const shown = showPath(path);
      assert.doesNotMatch(shown, /[\u0000-\u001f\u007f-\u009f]/);
      assert.doesNotMatch(shown, HIDDEN);
      if (shown.startsWith('"')) assert.equal(JSON.parse(shown), path);
      else {
        assert.equal(shown, path);
        assert.doesNotMatch(shown, /[\s:"\\]|^#|^\[|^\d+-/);
      }
    }),
    { seed: SEED, numRuns: RUNS },
  );
});

test(`different paths are shown differently, and no path as another text (seed ${SEED})`, () => {
  fc.assert(
    fc.property(hostile, hostile, (a, b) => {
      assert.equal(showPath(a) === showPath(b), a === b);
    }),
    { seed: SEED, numRuns: RUNS },
  );
});

test(`a line of a file keeps its length and hides nothing (seed ${SEED})`, () => {
  fc.assert(
    fc.property(hostile, (line) => {
      const shown = showControls(line);
      assert.equal(shown.length, line.length);
      assert.doesNotMatch(shown, HIDDEN);
      assert.doesNotMatch(shown, /[\n\r]/);
    }),
    { seed: SEED, numRuns: RUNS },
  );
});

const spelled: [title: string, text: string][] = [
  ['Persian with a joiner that is spelling', 'می\u200cخواهم'],
  ['a family of emoji', '👨\u200d👩\u200d👧'],
  ['a heart with its form', '❤\ufe0f'],
  ['a key cap', '1\ufe0f\u20e3'],
];
for (const [title, text] of spelled) test(`what is spelling stays: ${title}`, () => assert.equal(showControls(text), text));
test('a joiner within a Latin name is shown', () => assert.equal(showControls('us\u200der'), 'us\u2426er'));

const counts: [number, string][] = [
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [1234567, '1,234,567'],
];
for (const [value, shown] of counts) test(`${value} is written ${shown}`, () => assert.equal(count(value), shown));

const plurals: [number, string, string][] = [
  [1, 'file', '1 file'],
  [0, 'file', '0 files'],
  [2, 'match', '2 matches'],
  [1, 'match', '1 match'],
  [1234, 'byte', '1,234 bytes'],
];
for (const [value, noun, shown] of plurals) test(`${value} times "${noun}" is "${shown}"`, () => assert.equal(plural(value, noun), shown));

const sizes: [number, RegExp][] = [
  [1, /^1 byte$/],
  [512, /^512 bytes$/],
  [3_100_000, /^3\.1 MB$/],
  [2_000_000_000, /^2(?:\.0)? GB$/],
];
for (const [value, shown] of sizes) test(`${value} bytes are shown as ${shown.source}`, () => assert.match(bytes(value), shown));
