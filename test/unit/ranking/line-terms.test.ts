/** Which identifiers of a line hold terms, on lines as ripgrep's JSON escapes them and on plain ones. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LINE, LineReader } from '#dist/ranking/line-terms.js';
import { parseTerms, SUBWORD, TermMatcher } from '#dist/ranking/terms.js';
import { Dice } from '../../support/e2e-lab.js';

interface Found {
  readonly texts: string[];
  readonly weights: readonly number[];
  readonly factor: number;
}

function readLine(query: string, line: string, isEscaped: boolean): Found[] {
  const { terms } = parseTerms(query);
  const found: Found[] = [];
  new LineReader(terms, new TermMatcher(terms), { isEscaped, wantsDefinition: false }).read(
    isEscaped ? JSON.stringify(line).slice(1, -1) : line,
    { term: (held, factor) => found.push({ texts: held.terms.map((term) => terms[term]?.text ?? ''), weights: held.weights, factor }) },
  );
  return found;
}

const LINES: [title: string, query: string, line: string, found: [texts: string, weight: number, factor: number][]][] = [
  ['a word', 'token', 'const x = token;', [['token', 1, 1]]],
  [
    'a word twice',
    'token',
    'token = token + 1',
    [
      ['token', 1, 1],
      ['token', 1, 1],
    ],
  ],
  ['a part of a name', 'token', 'refreshToken()', [['token', SUBWORD, 1]]],
  ['no piece of a word', 'token', 'tokenizer()', []],
  ['the start of a line', 'token', 'token', [['token', 1, 1]]],
  ['a word behind a tab', 'token', '\ttoken', [['token', 1, 1]]],
  ['a word behind a tab within the line', 'token', 'x\ttoken\ty', [['token', 1, 1]]],
  ['a word in quotes', 'token', 'x = "token"', [['token', 1, 1]]],
  ['a word behind a literal backslash', 'token', 'x = "\\token"', [['token', 1, 1]]],
  ['a word behind two literal backslashes', 'token', 'C:\\\\token', [['token', 1, 1]]],
  ['a function', 'token', 'export function token() {', [['token', 1, LINE.definition]]],
  ['a class', 'token', 'class Token:', [['token', 1, LINE.definition]]],
  ['a constant', 'token', '  const token = 1;', [['token', 1, LINE.definition]]],
  ['a Go method', 'token', 'func (s *Store) Token(id int) error {', [['token', 1, LINE.definition]]],
  ['a Rust function', 'token', 'pub fn token() {', [['token', 1, LINE.definition]]],
  ['a Python function', 'token', '    def token(self):', [['token', 1, LINE.definition]]],
  ['a C struct', 'token', 'struct token {', [['token', 1, LINE.definition]]],
  ['a macro', 'token', '#define token 1', [['token', 1, LINE.definition]]],
  ['a definition behind a tab', 'token', '\tfunction\ttoken()', [['token', 1, LINE.definition]]],
  ['the argument of a definition', 'token', 'function f(token) {', [['token', 1, 1]]],
  ['a use behind a dot', 'token', 'x.class token', [['token', 1, 1]]],
  ['a line comment', 'token', '// the token', [['token', 1, LINE.comment]]],
  ['a comment behind a tab', 'token', '\t// the token', [['token', 1, LINE.comment]]],
  ['a block comment', 'token', ' * the token', [['token', 1, LINE.comment]]],
  ['a Python comment', 'token', '# The token', [['token', 1, LINE.comment]]],
  ['a definition in a comment', 'token', '// function token()', [['token', 1, LINE.comment]]],
  ['SQL and Lua comments', 'token', '-- token', [['token', 1, LINE.comment]]],
  ['an include, which is no comment', 'token', '#include <token.h>', [['token', 1, 1]]],
  ['a pointer, which is no comment', 'token', '*token = 1;', [['token', 1, 1]]],
  ['a Chinese word in a run', '令牌', '// 会话令牌刷新', [['令牌', 1, LINE.comment]]],
  ['a phrase', '"a b" token', 'x a b', [['a b', 1, 1]]],
  ['a phrase with a backslash', '"a \\ b"', 'x a \\ b', [['a \\ b', 1, 1]]],
  ['a phrase with a tab', '"a\tb"', 'x a\tb', [['a\tb', 1, 1]]],
  ['a phrase within words', '"oke"', 'token', [['oke', 1, 1]]],
  ['a phrase in other letters by its words alone', '"Token"', 'token', [['token', 1, 1]]],
];
for (const [title, query, line, found] of LINES) {
  for (const isEscaped of [false, true]) {
    test(`a ${isEscaped ? 'line of JSON' : 'plain line'} gives ${title}`, () => {
      const actual = readLine(query, line, isEscaped).map(({ texts, weights, factor }) => [texts.join(' '), weights[0], factor]);
      assert.deepEqual(actual, found);
    });
  }
}

const PIECES = [
  'token',
  'Token',
  'refresh',
  'refreshToken',
  '_token',
  '$token',
  'tokenizer',
  'größe',
  '令牌',
  'function ',
  'class ',
  '// ',
  '# ',
  ' * ',
];
const SIGNS = [' ', ' ', '\t', '"', '\\', '\\\\', '(', '.', '\u{1f600}', '\u2028', 'n', 't', 'u00'];
for (let seed = 1; seed <= 20; seed++) {
  test(`a line as JSON escapes it and the same line as it stands hold the same (seed ${seed})`, () => {
    const dice = new Dice(seed);
    for (let round = 0; round < 200; round++) {
      const line = dice.many(1, 10, () => dice.pick(dice.chance(0.5) ? PIECES : SIGNS)).join('');
      // A backslash and a t at the start of a line look like the escape of a tab.
      if (/^\s*\\+t/.test(line)) continue;
      const query = dice.pick(['token', 'refreshToken', 'größe token', '令牌', '"token" refresh']);
      assert.deepEqual(readLine(query, line, true), readLine(query, line, false), `${query}: ${JSON.stringify(line)}`);
    }
  });
}

test('a word behind a control character is a whole word on a line of JSON, too', () => {
  assert.deepEqual(readLine('token', '\u0001token', true), readLine('token', '\u0001token', false));
});

test('terms of signs and an empty query find nothing outside of phrases', () => {
  assert.deepEqual(readLine('', 'token', false), []);
  assert.deepEqual(
    readLine('=>', '() => token', false).map(({ texts }) => texts),
    [['=>']],
  );
});
