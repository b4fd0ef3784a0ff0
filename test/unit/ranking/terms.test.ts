/** Queries -> terms, identifiers -> what they hold of them, and the pattern that finds their lines. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXACT_COMPOUND, MAX_TERMS, parseTerms, SUBWORD, TermMatcher, type Terms, termPattern, WHOLE } from '#dist/ranking/terms.js';
import { WORD } from '#dist/ranking/tokenizer.js';
import { Dice, plant, put, rg } from '../../support/e2e-lab.js';

/** `kind:text`, an excluded one with a dash before it. */
const shown = ({ terms }: Terms): string[] => terms.map(({ kind, text, isNegative }) => `${isNegative ? '-' : ''}${kind}:${text}`);

const QUERIES: [title: string, query: string, terms: string[]][] = [
  ['one word', 'static', ['word:static']],
  ['words', 'session token', ['word:session', 'word:token']],
  ['stop words beside others', 'where is the session', ['word:session']],
  ['filler of issue trackers', 'fix bug: session fails', ['word:session']],
  ['stop words alone', 'where is it', ['word:where', 'word:is', 'word:it']],
  ['forms of one word', 'cache caches caching', ['word:cache']],
  ['a word in two letter cases', 'Token token', ['word:Token']],
  ['a camelCase name', 'refreshToken', ['compound:refreshToken', 'part:refresh', 'part:token']],
  ['a snake_case name', 'load_stop_words', ['compound:load_stop_words', 'part:load', 'part:stop', 'part:words']],
  ['an acronym in a name', 'HTTPServer', ['compound:HTTPServer', 'part:http', 'part:server']],
  ['a part that is a word of the query as well', 'refreshToken token', ['compound:refreshToken', 'part:refresh', 'word:token']],
  ['a part that is a stop word', 'isReady', ['compound:isReady', 'part:ready']],
  ['parts that are all stop words', 'toBe', ['compound:toBe']],
  ['a name of one letter and a number', 'x y2', ['word:y2']],
  ['a single letter alone', 'x', ['word:x']],
  ['quotes', '"open file" session', ['phrase:open file', 'word:session', 'part:open', 'part:file']],
  ['two pairs of quotes', '"a b" "c d"', ['phrase:a b', 'phrase:c d']],
  ['quotes without an end', 'say "session', ['word:say', 'word:session']],
  ['backticks', '`refreshToken` call', ['compound:refreshToken', 'part:refresh', 'part:token', 'word:call']],
  ['a word to be absent', 'session -token', ['word:session', '-word:token']],
  ['a dash within a word', 'left-pad', ['word:left', 'word:pad']],
  ['a dash before a space', 'session - token', ['word:session', 'word:token']],
  ['a flag of a command', 'session --token', ['word:session', 'word:token']],
  ['a negative number', 'returns -110', ['word:returns', 'word:110']],
  ['a word that is wanted and unwanted', 'token -token', ['word:token']],
  ['an operator', '||', ['phrase:||']],
  ['an arrow and spaces', ' => ', ['phrase:=>']],
  ['a C++ type', 'std::vector<int>', ['word:std', 'word:vector', 'word:int']],
  ['a dollar name', '$scope', ['word:$scope']],
  ['Chinese', '会话 令牌', ['substring:会话', 'substring:令牌']],
  ['Greek', 'Ελληνικά', ['word:Ελληνικά']],
  [
    'an error message',
    'Error: ENOENT: no such file "x.ts" (errno 2)',
    ['phrase:x.ts', 'word:Error', 'word:ENOENT', 'word:file', 'word:errno', 'word:2'],
  ],
  ['nothing', '', []],
  ['blanks', ' \t\n', []],
];
for (const [title, query, terms] of QUERIES)
  test(`a query of ${title} gives its terms`, () => assert.deepEqual(shown(parseTerms(query)), terms));

test('parts weigh half, words to be absent nothing, all others one', () => {
  const { terms } = parseTerms('refreshToken "a phrase" 会话 word -absent');
  assert.deepEqual(Object.fromEntries(terms.map(({ kind, isNegative, weight }) => [isNegative ? 'negative' : kind, weight])), {
    phrase: 1,
    compound: 1,
    part: 0.5,
    substring: 1,
    word: 1,
    negative: 0,
  });
});

test('no more terms are kept than fit into a set of flags, the first ones of the query', () => {
  const { terms, words } = parseTerms(Array.from({ length: 40 }, (_, i) => `word${i}`).join(' '));
  assert.equal(MAX_TERMS, 31);
  assert.deepEqual(
    terms.map(({ text }) => text),
    Array.from({ length: 31 }, (_, i) => `word${i}`),
  );
  assert.equal(words.length, 40);
});

const EXACT: [query: string, is: boolean][] = [
  ['refreshToken', true],
  [' refreshToken ', true],
  ['"open file"', true],
  ['"refreshToken"', true],
  ['snake_case', true],
  ['static', false],
  ['refreshToken userName', false],
  ['"open file" session', false],
  ['a.refreshToken', false],
  ['', false],
];
for (const [query, is] of EXACT) {
  test(`${JSON.stringify(query)} is ${is ? '' : 'not '}one identifier or one quoted text`, () =>
    assert.equal(parseTerms(query).isExact, is));
}

const PLACES: [query: string, places: string[]][] = [
  ['session in src/auth', ['src/auth']],
  ['Session.ts line 4', ['session.ts']],
  ['at src/auth/session.ts:12', ['src/auth/session.ts']],
  ['auth: refresh expired tokens', ['auth']],
  ['[net/http] keep connections', ['net/http']],
  ['a.b and 3.14', ['a.b']],
  ['no place here', []],
];
for (const [query, places] of PLACES)
  test(`${JSON.stringify(query)} names ${places.join(', ') || 'no place'}`, () => assert.deepEqual(parseTerms(query).places, places));

/** Weights by the text of the terms that an identifier holds. */
function weightsOf(query: string, identifier: string): Record<string, number> | undefined {
  const { terms } = parseTerms(query);
  const held = new TermMatcher(terms).held(identifier);
  if (held === undefined) return undefined;
  assert.equal(
    held.mask,
    held.terms.reduce((mask, term) => mask | (1 << term), 0),
  );
  return Object.fromEntries(held.terms.map((term, at) => [terms[term]?.text, held.weights[at]]));
}

const HOLDS: [title: string, query: string, identifier: string, weights: Record<string, number> | undefined][] = [
  ['a word whole', 'token', 'token', { token: WHOLE }],
  ['a word whole in capitals', 'token', 'TOKEN', { token: WHOLE }],
  ['another form of a word', 'tokens', 'token', { tokens: WHOLE }],
  ['a word between underscores', 'init', '__init__', { init: WHOLE }],
  ['a word as a part', 'token', 'refreshToken', { token: SUBWORD }],
  ['two words as parts', 'token refresh', 'refresh_tokens', { token: SUBWORD, refresh: SUBWORD }],
  ['no word that is a mere piece of one', 'token', 'tokenizer', undefined],
  ['no word that is a mere end of one', 'scope', 'telescope', undefined],
  ['a compound in its very letters', 'refreshToken', 'refreshToken', { refreshToken: EXACT_COMPOUND, refresh: SUBWORD, token: SUBWORD }],
  ['a compound in another style', 'refreshToken', 'refresh_token', { refreshToken: WHOLE, refresh: SUBWORD, token: SUBWORD }],
  ['a compound within a longer name', 'refreshToken', 'mayRefreshTokenNow', { refreshToken: SUBWORD, refresh: SUBWORD, token: SUBWORD }],
  ['parts of a compound', 'refreshToken', 'tokenRefresh', { refresh: SUBWORD, token: SUBWORD }],
  ['an abbreviation beside a word', 'memory charge', 'mem_charge', { charge: SUBWORD, memory: 0.4 }],
  ['no abbreviation alone', 'memory charge', 'mem_cgroup', undefined],
  ['no abbreviation of two letters', 'memory charge', 'me_charge', { charge: SUBWORD }],
  ['Chinese within a run', '令牌', '会话令牌刷新', { 令牌: WHOLE }],
  ['a word with marks', 'Größe', 'größe', { Größe: WHOLE }],
  ['no phrase', '"token"', 'token', undefined],
  ['a word to be absent', 'x1 -token', 'token', { token: WHOLE }],
];
for (const [title, query, identifier, weights] of HOLDS) {
  test(`an identifier holds ${title}`, () => assert.deepEqual(weightsOf(query, identifier), weights));
}

test('the same identifier gives the same answer when it comes again', () => {
  const matcher = new TermMatcher(parseTerms('token').terms);
  assert.equal(matcher.held('aToken'), matcher.held('aToken'));
  assert.equal(matcher.held('none'), undefined);
  assert.equal(matcher.held('none'), undefined);
});

const PATTERNS: [query: string, pattern: string][] = [
  ['session', 'session'],
  ['session retries', 'session|retr'],
  ['refreshToken', 'refresh|token'],
  ['"a.b(c"', 'a\\.b\\(c'],
  ['||', '\\|\\|'],
  ['会话', '会话'],
];
for (const [query, pattern] of PATTERNS)
  test(`the pattern of ${query} is ${pattern}`, () => assert.equal(termPattern(parseTerms(query).terms), pattern));

test('a compound whose parts are no terms is searched whole', () => assert.match(termPattern(parseTerms('toBe').terms), /toBe/i));

const STEMS = ['token', 'cache', 'retries', 'id', 'log', 'db', 'user', 'http', 'x', 'größe', 'été', 'stopped', 'class', 'url', 'v2', '64'];
const upper = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const JOINS: Readonly<Record<string, (words: string[]) => string>> = {
  camelCase: (words) => words.map((word, at) => (at === 0 ? word : upper(word))).join(''),
  PascalCase: (words) => words.map(upper).join(''),
  snake_case: (words) => words.join('_'),
  SCREAMING_CASE: (words) => words.join('_').toUpperCase(),
  'kebab-case': (words) => words.join('-'),
  'capitals at the end': (words) => words.map((word, at) => (at === words.length - 1 ? word.toUpperCase() : word)).join(''),
  'capitals in front': (words) => words.map((word, at) => (at === 0 ? word.toUpperCase() : upper(word))).join(''),
};
const FORMS = ['', '', 's', 'ed', 'ing', 'er'];

for (const [style, join] of Object.entries(JOINS)) {
  for (let seed = 1; seed <= 4; seed++) {
    test(`ripgrep finds every line with an identifier in ${style} that the matcher accepts (seed ${seed})`, () => {
      const dice = new Dice(seed);
      const dir = plant({});
      const lines = dice.many(
        150,
        150,
        () => `  ${join(dice.many(1, 4, () => dice.pick(STEMS) + dice.pick(FORMS)))}(${dice.pick(['', '1', '"a"'])});`,
      );
      put(dir, 'lines.txt', `${lines.join('\n')}\n`);
      for (let round = 0; round < 6; round++) {
        const query = dice.many(1, 4, () => dice.pick([dice.pick(STEMS), join([dice.pick(STEMS), dice.pick(STEMS)])])).join(' ');
        const { terms } = parseTerms(query);
        const matcher = new TermMatcher(terms);
        const { stdout } = rg(dir, ['-n', '-i', '--engine', 'auto', '-e', termPattern(terms), 'lines.txt']);
        const found = new Set(stdout.split('\n').map((row) => Number.parseInt(row, 10)));
        for (const [at, line] of lines.entries()) {
          const held = (line.match(WORD) ?? []).find((word) => matcher.held(word) !== undefined);
          // Two letters behind a digit are not looked for: the form would make ripgrep several times slower.
          const isAfterDigit = /\d(?:id|db)/i.test(held ?? '');
          if (held !== undefined && !isAfterDigit) assert.ok(found.has(at + 1), `${query}: ${termPattern(terms)} does not find ${held}`);
        }
      }
    });
  }
}
