/** Lines cut and cleaned, and what is kept of output of no known kind. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { defaultLimits } from '#dist/base/limits.js';
import { maskLine } from '#dist/security/mask.js';
import { LineCleaner } from '#dist/testing/clean-line.js';
import { FailureList } from '#dist/testing/failures.js';
import { LineCutter } from '#dist/testing/line-cutter.js';
import { filterOf } from '../../support/recordings.js';

const SEED = 20_261_130;
const cleaner = new LineCleaner('/srv/repo', 100);
const clean = (text: string): string => cleaner.clean(Buffer.from(text));

function cut(chunks: readonly Buffer[], maxBytes: number): string[] {
  const cutter = new LineCutter(maxBytes);
  const lines = chunks.flatMap((chunk) => [...cutter.push(chunk)].map(String));
  const rest = cutter.end();
  return rest === undefined ? lines : [...lines, String(rest)];
}

test(`any split gives the same lines (seed ${SEED})`, () => {
  const text = fc.array(fc.constantFrom('a', 'bc', '\n', '\r', 'é')).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, fc.array(fc.nat(20)), (whole, cuts) => {
      const bytes = Buffer.from(whole);
      const places = [0, ...cuts.filter((at) => at < bytes.length).sort((a, b) => a - b), bytes.length];
      const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
      const expected = whole.split('\n');
      if (expected.at(-1) === '') expected.pop();
      assert.deepEqual(cut(chunks, 1_000), expected);
    }),
    { seed: SEED },
  );
});

test('a line of just the bound is no two, however it comes', () => {
  assert.deepEqual(cut([Buffer.from('abc'), Buffer.from('\nd\n')], 3), ['abc', 'd']);
});

test('a line longer than the bound comes in pieces', () => {
  assert.deepEqual(cut([Buffer.from('abcdefgh\nij')], 3), ['abc', 'def', 'gh', 'ij']);
});

for (const [title, line, expected] of [
  ['colours', '\u001b[31m\u001b[1mred\u001b[0m', 'red'],
  ['links and titles', '\u001b]8;;http://x\u0007text\u001b]8;;\u0007', 'text'],
  ['a progress bar', '10%\r50%\r100%\r', '100%'],
  ['the root', 'at /srv/repo/src/a.js and file:///srv/repo/b.js', 'at src/a.js and b.js'],
  ['a line too long', 'x'.repeat(200), `${'x'.repeat(99)}…`],
] as const) {
  test(`a reader of the terminal does not see ${title}`, () => assert.equal(clean(line), expected));
}

const FAILED = 'FAILED test_a.py::test_x - AssertionError: boom';
const bar = `\rdownloading ${'#'.repeat(80)}`;
/** As a run reads a stream: the line in pieces, where it is longer than one. */
function seen(text: string, pieceBytes = 65_536): string[] {
  const cutter = new LineCutter(pieceBytes);
  const lines: string[] = [];
  const own = new LineCleaner('/srv/repo', 100);
  const take = (line: Buffer): void => void (cutter.goesOn ? own.hold(line) : lines.push(own.clean(line)));
  for (const line of cutter.push(Buffer.from(text))) take(line);
  const rest = cutter.end();
  if (rest !== undefined) take(rest);
  return lines;
}

for (const [title, line, expected] of [
  ['the end of a long progress line', `${bar.repeat(120)}\r${FAILED}`, FAILED],
  ['it also where the line goes on to be overwritten with nothing', `${bar.repeat(120)}\r${FAILED}\r\r`, FAILED],
  ['a text behind many colours', `${'\u001b[31m\u001b[0m'.repeat(993)}${FAILED}`, FAILED],
  ['the whole end of a progress line of megabytes', `${bar.repeat(20_000)}\r${FAILED}`, FAILED],
  ['the mark of a cut behind many colours', `${'\u001b[31m'.repeat(993)}${'x'.repeat(200)}`, `${'x'.repeat(99)}…`],
  ['the mark of a cut in a line of megabytes', 'x'.repeat(3_000_000), `${'x'.repeat(99)}…`],
  ['the mark of a cut where the root is left out', `${'/srv/repo/'.repeat(90)}${'x'.repeat(70_000)}`, `${'x'.repeat(99)}…`],
] as const) {
  test(`a reader of the terminal sees ${title}`, () => {
    for (const size of [65_536, 1_000, 7]) {
      if (size < 1_000 && line.startsWith('/srv')) continue;
      assert.deepEqual(seen(`${line}\nnext\n`, size), [expected, 'next'], `in pieces of ${size}`);
    }
  });
}

test(`a line in pieces is cleaned as one that is whole (seed ${SEED})`, () => {
  const part = fc.constantFrom('a', 'bcd', '\r', '\u001b[31m', '\u001b]8;;x\u0007', 'é', ' ');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
      const line = `${parts.join('')}.`;
      const size = Buffer.byteLength(line.slice(0, 9));
      if (!line.includes('é')) assert.deepEqual(seen(line, size), [clean(line)]);
    }),
    { seed: SEED },
  );
});

test('a token that a line is cut in is masked, whatever stands in front of it', () => {
  const token = `ghp_${'aB3dE5gH7j'.repeat(4)}`;
  const fronts = [74, 993].map((count) => '\u001b[31m'.repeat(count));
  for (const front of ['', ...fronts, `${bar.repeat(90)}\r`]) {
    for (const dots of [0, 70, 80]) {
      const text = clean(`${front}${'.'.repeat(dots)} ${token} and more`);
      assert.match(maskLine(text).text, /\[masked: /);
      assert.doesNotMatch(maskLine(text).text, /ghp_/);
    }
  }
});

test('failures beyond the bounds only count', () => {
  const list = new FailureList({ failuresKept: 2, failureLines: 2, failureChars: 1_000 });
  for (const name of ['a', 'b', 'c']) {
    list.open(name);
    for (const line of ['  1', '  2', '  3']) list.add(line);
  }
  assert.deepEqual(
    list.kept(),
    ['a', 'b'].map((name) => ({ name, lines: ['1', '2'] })),
  );
  assert.deepEqual([list.total, list.lastName], [3, 'c']);
});

test('of output of no known kind the telling lines stay, with their neighbours', () => {
  const lines = [...Array(50).keys()].map((n) => `step ${n}`);
  lines[20] = 'ERROR: it broke';
  const { telling, runners } = filterOf(Buffer.from(lines.join('\n')));
  assert.deepEqual([runners, telling], [[], ['step 18', 'step 19', 'ERROR: it broke', 'step 21', 'step 22']]);
});

test('good news does not stand out', () => assert.deepEqual(filterOf(Buffer.from('0 errors\nno failures\n')).telling, []));

test('without a telling line the last 80 stay', () => {
  const { telling, tail } = filterOf(Buffer.from([...Array(500).keys()].join('\n')));
  assert.deepEqual([telling.length, tail.length, tail[0], tail.at(-1)], [0, 80, '420', '499']);
});

test('binary output does no harm', () => {
  const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, n) => (n * 7919) % 256));
  assert.ok(filterOf(bytes).lines > 100);
});

test('the bounds of the table hold together', () => {
  const { testLineBytes, testLineChars } = defaultLimits();
  assert.ok(testLineBytes > testLineChars * 4);
});
