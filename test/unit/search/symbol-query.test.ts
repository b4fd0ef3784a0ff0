/** Which queries name a symbol, and which one; all others are words. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseSymbol } from '#dist/search/symbol-query.js';

const SYMBOLS: [query: string, name: string, ...containers: string[]][] = [
  ['handleRequest', 'handleRequest'],
  ['  handleRequest  ', 'handleRequest'],
  ['`handleRequest`', 'handleRequest'],
  ['handleRequest()', 'handleRequest'],
  ['handleRequest(a, b)', 'handleRequest'],
  ['`handleRequest()`', 'handleRequest'],
  ['Session.refresh', 'refresh', 'Session'],
  ['Session.refresh()', 'refresh', 'Session'],
  ['Outer.Inner.name', 'name', 'Outer', 'Inner'],
  ['std::vector', 'vector', 'std'],
  ['ns::f', 'f', 'ns'],
  ['::f', 'f'],
  ['a->b', 'b', 'a'],
  ['Array#push', 'push', 'Array'],
  ['Box<T>.get', 'get', 'Box'],
  ['Box<int>::get', 'get', 'Box'],
  ['src/session/refresh', 'refresh', 'src', 'session'],
  ['App\\Models\\User', 'User', 'App', 'Models'],
  ['$scope', '$scope'],
  ['$', '$'],
  ['#priv', '#priv'],
  ['@state', '@state'],
  ['A.#priv', '#priv', 'A'],
  ['valid?', 'valid?'],
  ['save!', 'save!'],
  ['name=', 'name='],
  ['vec_of!', 'vec_of!'],
  ['operator+', 'operator+'],
  ['operator==', 'operator=='],
  ['operator()', 'operator()'],
  ['operator[]', 'operator[]'],
  ['Vector::operator+', 'operator+', 'Vector'],
  ['+%', '+%'],
  ['=>', '=>'],
  ['naïve', 'naïve'],
  ['größe', 'größe'],
  ['日本語', '日本語'],
  ['_private', '_private'],
  ['__init__', '__init__'],
  ['x', 'x'],
  ['Session::~Session', '~Session', 'Session'],
];
for (const [query, name, ...containers] of SYMBOLS) {
  test(`the symbol of ${query} is ${name}${containers.length > 0 ? ` in ${containers.join(', ')}` : ''}`, () => {
    assert.deepEqual(parseSymbol(query), { name, containers });
  });
}

const WORDS = [
  'where is the session refreshed',
  'refresh token',
  '"quoted text"',
  "it's",
  'a || b',
  'foo bar()',
  'session, token',
  'class Session',
  'a . b . c',
  'Session.',
];
for (const query of WORDS) {
  test(`${query} is words`, () => {
    assert.equal(parseSymbol(query), undefined);
  });
}

test('any text has an answer, in time, whose name stands in the query and is not empty', () => {
  const piece = fc.constantFrom(
    'a',
    'B',
    '.',
    '::',
    '->',
    '#',
    '/',
    '\\',
    '$',
    '@',
    '<',
    '>',
    '(',
    ')',
    '`',
    ' ',
    '!',
    '?',
    '=',
    '&',
    '*',
    'é',
    '~',
    'operator',
  );
  const text = fc.array(piece, { maxLength: 300 }).map((all) => all.join(''));
  fc.assert(
    fc.property(fc.oneof(text, fc.string()), (query) => {
      const start = performance.now();
      const symbol = parseSymbol(query);
      assert.ok(performance.now() - start < 100, query);
      if (symbol === undefined) return;
      assert.notEqual(symbol.name, '', query);
      assert.ok(query.includes(symbol.name), query);
      for (const container of symbol.containers) assert.notEqual(container, '', query);
    }),
    { seed: 5, numRuns: 3_000 },
  );
});

for (const part of ['a', 'a.', 'a<', 'a<b>', '::', '(', '((', '`', 'operator', '.', '->', ' ', 'é']) {
  test(`2,000 characters of ${JSON.stringify(part)} are answered in time`, () => {
    const query = part.repeat(2_000).slice(0, 2_000);
    for (const each of [query, `${query}!`, `x${query}(`, `operator${query}`]) {
      const start = performance.now();
      parseSymbol(each);
      assert.ok(performance.now() - start < 100, `${Math.round(performance.now() - start)} ms`);
    }
  });
}
