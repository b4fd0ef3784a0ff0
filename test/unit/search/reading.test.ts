import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ToolError } from '#dist/base/errors.js';
import type { TextQuery } from '#dist/ripgrep/args.js';
import { decideReading, escapeRegex, holdsLiteral, isPlain, literalIsIncluded, literalLines, toRipgrep } from '#dist/search/reading.js';
import { Dice, openLab, plant, put, rg } from '../../support/e2e-lab.js';

const SEED = 20_261_130;
const RUNS = 20_000;
const lab = openLab(plant({}));

const asked = (pattern: string, more: Partial<TextQuery> = {}): TextQuery => ({
  pattern,
  isLiteral: false,
  ignoreCase: false,
  word: false,
  multiline: false,
  binary: false,
  encoding: undefined,
  context: 0,
  isFirstOnly: false,
  ...more,
});

const EVERY_LINE = /every line/;
const NO_REGEX = /^no valid regex: /;

/** pattern, read as, why (of an undecided one) */
const undecided: [string, 'literal' | 'regex', RegExp | undefined][] = [
  ['needle', 'literal', undefined],
  ['two words', 'literal', undefined],
  ['a-b_c/d:e', 'literal', undefined],
  ['\u4e2d\u6587', 'literal', undefined],
  ['foo.bar', 'regex', undefined],
  ['foo\\(bar', 'regex', undefined],
  ['i++', 'regex', undefined],
  ['arr[i]', 'regex', undefined],
  ['\\bword\\b', 'regex', undefined],
  ['foo|bar', 'regex', undefined],
  ['(?<=x)y', 'regex', undefined],
  ['(a)\\1', 'regex', undefined],
  ['foo(', 'literal', NO_REGEX],
  ['foo)', 'literal', NO_REGEX],
  ['[', 'literal', NO_REGEX],
  ['*', 'literal', NO_REGEX],
  ['?', 'literal', NO_REGEX],
  ['\\', 'literal', NO_REGEX],
  ['\\q', 'literal', NO_REGEX],
  ['a || b', 'literal', EVERY_LINE],
  ['|', 'literal', EVERY_LINE],
  ['x*', 'literal', EVERY_LINE],
  ['^', 'literal', EVERY_LINE],
  ['$', 'literal', EVERY_LINE],
  ['.*', 'literal', EVERY_LINE],
  ['(?=x)|', 'literal', EVERY_LINE],
];
for (const [pattern, reading, why] of undecided) {
  test(`${JSON.stringify(pattern)} is read as ${reading}${why === undefined ? '' : `, because ${why.source}`}`, async () => {
    const decided = await decideReading(asked(pattern), undefined, lab.parts.ripgrep, await lab.context());
    assert.equal(decided.isLiteral, reading === 'literal');
    if (why === undefined) assert.equal(decided.why, undefined);
    else assert.match(decided.why ?? '', why);
    assert.equal(decided.isOpen, reading === 'regex', 'only a regex that the caller did not ask for leaves a question');
  });
}

for (const pattern of ['needle', 'foo.bar', 'foo(', 'x*']) {
  test(`${JSON.stringify(pattern)} is read as the caller says, without a question to ripgrep`, async () => {
    const context = await lab.context();
    const none = undefined as never;
    assert.deepEqual(await decideReading(asked(pattern), true, none, context), { isLiteral: false, isOpen: false });
    assert.deepEqual(await decideReading(asked(pattern), false, none, context), { isLiteral: true, isOpen: false });
  });
}

test('a pattern that is plain text finds the same either way', () => {
  for (const pattern of ['abc', 'a b', 'a-b', 'a#b', 'a&&b', 'a~b', '"x"', '\u{1f600}', 'a,b;c']) assert.ok(isPlain(pattern), pattern);
  for (const pattern of ['a.b', 'a\\b', '^a', 'a$', 'a|b', 'a?', 'a*', 'a+', '(a', 'a)', '[a', 'a]', '{a', 'a}'])
    assert.ok(!isPlain(pattern), pattern);
});

test('an escaped text matches itself and nothing else, in both engines of rg', () => {
  const texts = ['.\\+*?()|[]{}^$#&-~', 'a.b', 'C:\\temp\\new', 'x  y', '\u00e9\u{1f600}', '^$', '#!/bin/sh', 'a&&b--c~~d'];
  const dir = plant({ 'a.txt': `${texts.join('\n')}\n` });
  for (const engine of ['default', 'pcre2'])
    for (const [index, text] of texts.entries()) {
      const found = rg(dir, ['-n', '--no-filename', '--engine', engine, '-e', `^(?:${escapeRegex(text)})$`, 'a.txt']).stdout;
      assert.equal(found, `${index + 1}:${text}\n`, `${engine}: ${text}`);
    }
});

test('a literal over several lines matches LF and CR LF line ends alike', () => {
  const dir = plant({ 'lf.txt': 'a.b\nc*d\n', 'crlf.txt': 'a.b\r\nc*d\r\n', 'no.txt': 'aXb\nc*d\n' });
  for (const text of ['a.b\nc*d', 'a.b\r\nc*d']) {
    const found = rg(dir, ['-lU', '--sort', 'path', '-e', literalLines(text), './']).stdout;
    assert.equal(found, './crlf.txt\n./lf.txt\n');
  }
});

test('a pattern with a line break becomes a multi-line search, and one with NUL is refused', () => {
  assert.deepEqual(toRipgrep(asked('a', { isLiteral: true })), asked('a', { isLiteral: true }));
  assert.deepEqual(toRipgrep(asked('a\nb')), asked('a\nb', { multiline: true }));
  assert.deepEqual(toRipgrep(asked('a.\nb', { isLiteral: true })), asked('a\\.\\r?\\nb', { isLiteral: false, multiline: true }));
  assert.throws(
    () => toRipgrep(asked('a\0b')),
    (error) => error instanceof ToolError && error.code === 'pattern_invalid',
  );
});

const unit = fc.constantFrom('a', 'b', 'A', ' ', '.', '*', '+', '?', '|', '-', '#');
const small = fc.string({ unit, maxLength: 4 });
const pattern = fc.string({ unit, minLength: 1, maxLength: 6 });

test(`literalIsIncluded is never wrong: a line that holds the text always matches the regex (${RUNS} runs, seed ${SEED})`, () => {
  let included = 0;
  fc.assert(
    fc.property(pattern, small, small, fc.boolean(), (text, before, behind, ignoreCase) => {
      if (!literalIsIncluded(asked(text, { ignoreCase }))) return;
      included++;
      const regex = new RegExp(text, ignoreCase ? 'iu' : 'u');
      assert.match(before + text + behind, regex);
      if (ignoreCase) assert.match(before + text.toUpperCase() + behind, regex);
    }),
    { seed: SEED, numRuns: RUNS },
  );
  assert.ok(included > RUNS / 20, `only ${included} runs say anything`);
});

test(`literalIsIncluded is never wrong by rg's own account: -F finds no line that the regex misses (300 patterns, seed ${SEED})`, () => {
  const dice = new Dice(SEED);
  const letters = ['a', 'b', ' ', '.', '*', '+', '?', '|', '-', '#', '{', '(', '^', '$', '\\', '['];
  const word = (low: number, high: number): string => dice.many(low, high, () => dice.pick(letters)).join('');
  const dir = plant({});
  let included = 0;
  for (let i = 0; i < 300; i++) {
    let text = word(1, 5);
    while (!literalIsIncluded(asked(text))) text = word(1, 5);
    included++;
    const lines = Array.from({ length: 40 }, () => (dice.chance(0.5) ? word(0, 4) + text + word(0, 4) : word(0, 9)));
    put(dir, 'f.txt', `${lines.join('\n')}\n`);
    const numbers = (args: string[]): Set<string> =>
      new Set(
        rg(dir, ['-n', '--crlf', '-o', ...args, 'f.txt'])
          .stdout.split('\n')
          .map((line) => line.replace(/:.*/, '')),
      );
    const regex = numbers(['--engine', 'auto', '-e', text]);
    for (const line of numbers(['-F', '-e', text]))
      assert.ok(regex.has(line), `${JSON.stringify(text)} misses line ${line}: ${JSON.stringify(lines[Number(line) - 1])}`);
  }
  assert.equal(included, 300);
});

test('literalIsIncluded says no where the match depends on what surrounds it, or JavaScript reads otherwise', () => {
  for (const text of ['a^b', 'a$b', 'a\\b', '(a)', '[a]', 'a{2}', '\u00e9.', 'a++b']) assert.ok(!literalIsIncluded(asked(text)), text);
  for (const more of [{ word: true }, { multiline: true }]) assert.ok(!literalIsIncluded(asked('a.b', more)));
  assert.ok(literalIsIncluded(asked('a.b')));
});

test('holdsLiteral looks for the text itself, in any case only when asked', () => {
  assert.ok(holdsLiteral(asked('a.b'), 'xa.by'));
  assert.ok(!holdsLiteral(asked('a.b'), 'xaXby'));
  assert.ok(!holdsLiteral(asked('a.b'), 'A.B'));
  assert.ok(holdsLiteral(asked('a.b', { ignoreCase: true }), 'A.B'));
});
