/** Words and identifiers: sub-words, compounds, stems, scripts without spaces. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCompound, isUnspaced, STOP_WORDS, splitIdentifier, stem } from '#dist/ranking/tokenizer.js';

const SPLITS: [identifier: string, parts: string[]][] = [
  ['parse', ['parse']],
  ['parseHTTPServer', ['parse', 'http', 'server']],
  ['HTTPServer', ['http', 'server']],
  ['userID', ['user', 'id']],
  ['parseURLs', ['parse', 'urls']],
  ['getIDsFrom', ['get', 'ids', 'from']],
  ['APIs', ['apis']],
  ['HTTPStatus', ['http', 'status']],
  ['XMLHttpRequest', ['xml', 'http', 'request']],
  ['snake_case_name', ['snake', 'case', 'name']],
  ['SCREAMING_SNAKE', ['screaming', 'snake']],
  ['__init__', ['init']],
  ['$scope', ['scope']],
  ['_private', ['private']],
  ['utf8Decoder', ['utf', '8', 'decoder']],
  ['parseHTTPServer_v2', ['parse', 'http', 'server', 'v', '2']],
  ['x', ['x']],
  ['X', ['x']],
  ['i18n', ['i', '18', 'n']],
  ['größeÄndern', ['größe', 'ändern']],
  ['naïveté', ['naïveté']],
  ['文字列', ['文字列']],
  ['get文字列', ['get文字列']],
  ['Ελληνικά', ['ελληνικά']],
  ['42', ['42']],
  ['$_', []],
  ['', []],
];
for (const [identifier, parts] of SPLITS) {
  test(`${JSON.stringify(identifier)} is made of ${parts.join(', ') || 'nothing'}`, () =>
    assert.deepEqual(splitIdentifier(identifier), parts));
}

/** Words of one family share a stem. */
const FAMILIES: string[][] = [
  ['cache', 'caches', 'cached', 'caching'],
  ['validate', 'validates', 'validated', 'validating', 'validation', 'validations', 'validator', 'validators'],
  ['create', 'creation', 'creator'],
  ['url', 'urls'],
  ['retry', 'retries', 'retried'],
  ['stop', 'stops', 'stopped', 'stopping'],
  ['call', 'calls', 'called', 'calling'],
  ['pass', 'passed', 'passing'],
  ['parse', 'parses', 'parsed', 'parsing'],
  ['session', 'sessions'],
  ['token', 'tokens'],
  ['file', 'files'],
  ['query', 'queries', 'queried'],
  ['read', 'reads', 'reading'],
  ['index', 'indexes', 'indexed', 'indexing'],
  ['string', 'strings'],
  ['speed', 'speeds'],
  ['embed', 'embeds'],
  ['exact', 'exactly'],
  ['Cache', 'CACHES'],
];
for (const family of FAMILIES) {
  test(`${family.join(', ')} have one stem`, () => {
    assert.deepEqual([...new Set(family.map(stem))].length, 1, family.map((word) => `${word} ${stem(word)}`).join(', '));
  });
}

const APART: [string, string][] = [
  ['size', 'siz'],
  ['nvme', 'nvm'],
  ['class', 'clas'],
  ['status', 'statu'],
  ['axis', 'axi'],
  ['alias', 'alia'],
  ['string', 'str'],
  ['static', 'stat'],
  ['station', 'stat'],
  ['nation', 'nat'],
  ['need', 'ned'],
  ['use', 'us'],
];
for (const [one, other] of APART) test(`${one} and ${other} have different stems`, () => assert.notEqual(stem(one), stem(other)));

test('a stem is a beginning of its word in lower case, of three letters or more, so that it finds the word as a pattern', () => {
  for (const word of [
    ...FAMILIES.flat(),
    ...STOP_WORDS,
    'running',
    'begged',
    'falling',
    'flies',
    'yes',
    'ing',
    'seeing',
    'bees',
    'buzzed',
  ]) {
    assert.ok(word.toLowerCase().startsWith(stem(word)), `${word} ${stem(word)}`);
    assert.ok(stem(word).length >= Math.min(3, word.length), `${word} ${stem(word)}`);
  }
});

test('words that are not of English letters alone are their own stem, in lower case', () => {
  for (const word of ['Größes', 'v2s', 'a_bs', '文字列', '0xffed', 'naïvetés']) assert.equal(stem(word), word.toLowerCase());
});

const COMPOUNDS: [word: string, is: boolean][] = [
  ['camelCase', true],
  ['snake_case', true],
  ['HTTPServer', true],
  ['userID', true],
  ['cleanup', false],
  ['STATIC', false],
  ['$scope', false],
  ['_private', false],
  ['v2', false],
  ['utf8', false],
  ['utf8Decoder', true],
  ['x', false],
  ['größeÄndern', true],
  ['文字列', false],
  ['', false],
];
for (const [word, is] of COMPOUNDS) {
  test(`${JSON.stringify(word)} is ${is ? 'a' : 'no'} compound`, () => assert.equal(isCompound(word), is));
}

const SCRIPTS: [name: string, word: string, is: boolean][] = [
  ['Chinese', '会话', true],
  ['Japanese kana', 'トークン', true],
  ['Korean', '세션', true],
  ['Thai', 'ข้อความ', true],
  ['a mixed word', 'get文字', true],
  ['English', 'session', false],
  ['German', 'Größe', false],
  ['Greek', 'Ελληνικά', false],
  ['Russian', 'сессия', false],
  ['Arabic', 'النص', false],
];
for (const [name, word, is] of SCRIPTS) {
  test(`${name} is written ${is ? 'without' : 'with'} spaces between words`, () => assert.equal(isUnspaced(word), is));
}

test('stop words are in lower case, and none of them is a word of programming languages that a query may be about', () => {
  for (const word of STOP_WORDS) assert.equal(word, word.toLowerCase());
  for (const word of ['static', 'class', 'return', 'import', 'error', 'test', 'null', 'async', 'const', 'type'])
    assert.ok(!STOP_WORDS.has(word), word);
});
