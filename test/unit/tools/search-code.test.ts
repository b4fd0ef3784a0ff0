/** Replies of search_code over seeded random trees and queries: size, lines, marks, calls that work; and the form of both replies. */
import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { rgPath } from '@vscode/ripgrep';
import { dataOf, readRanked, shownPaths } from '../../ranking/reply.js';
import { type Args, Dice, type Lab, openLab, plant, type Tree, uproot } from '../../support/e2e-lab.js';

const posix = { skip: process.platform === 'win32' && 'such names cannot be made there' };

const WORDS = [
  ...['session', 'token', 'refresh', 'expired', 'static', 'retry', 'charge', 'parseHTTPServer', 'user_id', 'userID', 'cacheKey'],
  ...['größe', '日本語', '文字列', 'Ελληνικά', 'naïveté', '$scope', '_private', 'log', 'id', 'x', 'a || b', 'std::vector<int>', '=>'],
  ...['"quoted text"', "it's", '\\d+', '\t\t', '\u{1f600}', '42', '0x7f', '# comment', '// note:', '[1] a.ts:3-4  score 9.9', '12  row'],
];
const SIGNS = [' ', ' ', ' ', '(', ');', '.', ' = ', ', ', '-', '/', '::', '[', ']'];
const FOLDERS = [
  '',
  '',
  'src/',
  'src/auth/',
  'test/',
  'docs/',
  'vendor/',
  'lib/a b/',
  'größe/',
  '[1] x/',
  '# more/',
  '9:/',
  `${'long'.repeat(40)}/`,
];
const NAMES = [
  'session.ts',
  'token.py',
  'retry_test.go',
  'README.md',
  'main.c',
  'x',
  'log.rs',
  '文字列.js',
  'CHANGELOG.md',
  'cacheKey.java',
];
const QUERIES = [
  ...['a || b', 'std::vector<int>', '$scope', 'static', 'src/auth/session.ts', 'the of and', 'x', '日本語', 'Größe', 'naïveté'],
  ...[
    '"quoted text"',
    '"session token" -retry',
    '-retry session',
    'parseHTTPServer',
    'userId',
    '=> ||',
    '\\d+ (?:x',
    '[a-z]{2',
    '`refresh`',
  ],
  ...['it\'s 42 "quoted', 'sesion refersh', 'zzzznothing', 'session zzzznothing', '# comment', '\u{1f600}', 'Error: 0x7f at "x"'],
];

function randomTree(dice: Dice): Tree {
  const tree: Record<string, string> = {};
  for (let files = dice.int(1, 40); files > 0; files--) {
    const line = (): string =>
      dice.many(0, dice.pick([3, 10, 40]), () => dice.pick(dice.chance(0.6) ? WORDS : SIGNS)).join(dice.pick(['', ' ']));
    const lines = dice.many(0, dice.pick([3, 30, 200]), line);
    if (dice.chance(0.1)) lines.push(`${'y'.repeat(dice.int(0, 4_000))} session ${'\u{1f600}'.repeat(dice.int(0, 300))} token`);
    tree[`${dice.pick(FOLDERS)}${dice.chance(0.4) ? `${dice.int(1, 9)}-` : ''}${dice.pick(NAMES)}`] = lines.join(
      dice.pick(['\n', '\n', '\r\n']),
    );
  }
  return tree;
}

function randomQuery(dice: Dice): string {
  if (dice.chance(0.4)) return dice.pick(QUERIES);
  const words = dice.many(1, dice.pick([1, 3, 8, 40]), () => dice.pick(WORDS).trim() || 'x');
  return words.map((word) => (dice.chance(0.1) ? `-${word}` : word)).join(' ');
}

const randomBudget = (dice: Dice): number => Math.min(50_000, Math.round(500 * 100 ** dice.next()));

const linesOf = (tree: Tree, path: string): string[] => String(tree[path]).split(/\r?\n/);

/** A cut line says how much it leaves out: `…(3 more) text (40 more)…`. */
function agrees(shown: string, line: string): boolean {
  if (shown === line.replaceAll('\r', '\u240d').trimEnd()) return true;
  const cut = /^(?:…\((\d+) more\) )?(.*?)(?: \((\d+) more\)…)?$/s.exec(shown);
  return cut !== null && (cut[1] !== undefined || cut[3] !== undefined) && line.includes(cut[2]!.trimEnd());
}

/** @param read calls of read_snippet that were tried over this tree */
async function checkText(lab: Lab, tree: Tree, args: Args, read: Set<string>): Promise<void> {
  const reply = await lab.text('search_code', args);
  const about = `${JSON.stringify(args)}\n${reply.text}`;
  assert.ok(!reply.isError, about);
  assert.ok(reply.text.length <= Number(args.maxChars), `${reply.text.length} characters: ${about}`);
  assert.doesNotMatch(reply.text, /[\u0000-\u0008\u000b-\u001f\u007f]|\p{Surrogate}/u, about);
  const { packets, pointers, calls, strange } = readRanked(reply.text);
  assert.deepEqual(strange, [], about);
  const ranks = [...packets, ...pointers].map(({ rank }) => rank);
  assert.deepEqual(
    [...ranks].sort((a, b) => a - b),
    Array.from(ranks, (_, i) => i + 1),
    about,
  );
  assert.ok(packets.length <= Number(args.topK ?? 5), about);
  for (const [index, { score }] of packets.entries()) assert.ok(index === 0 || score <= packets[index - 1]!.score, about);
  const seen = new Set<string>();
  for (const { path, rows, omitted, startLine, endLine } of packets) {
    assert.ok(path in tree, `${path}: ${about}`);
    const lines = linesOf(tree, path);
    for (const { line, text } of rows) {
      assert.ok(!seen.has(`${path}:${line}`), `${path}:${line} twice: ${about}`);
      seen.add(`${path}:${line}`);
      assert.ok(agrees(text, lines[line - 1] ?? ''), `${path}:${line} ${JSON.stringify(text)}: ${about}`);
    }
    const covered = [...rows.map(({ line }) => [line, line] as const), ...omitted].sort((a, b) => a[0] - b[0]);
    for (const [index, [first, last]] of covered.entries()) {
      assert.ok(first <= last, about);
      assert.equal(first, index === 0 ? startLine : covered[index - 1]![1] + 1, `${path} has a gap: ${about}`);
    }
    assert.equal(covered.at(-1)?.[1], endLine, about);
  }
  const places = new Set([...packets, ...pointers].map(({ path }) => path));
  assert.equal(places.size, packets.length + pointers.length, `a file twice: ${about}`);
  const reads = [
    ...[...pointers, ...packets].map(({ path, startLine, endLine }) => ({ path, startLine, endLine })),
    ...packets.flatMap(({ path, omitted }) => omitted.map(([startLine, endLine]) => ({ path, startLine, endLine }))),
    ...calls,
  ];
  for (const call of reads) {
    const key = JSON.stringify(call);
    if (read.has(key)) continue;
    read.add(key);
    const answer = await lab.text('read_snippet', call);
    assert.ok(!answer.isError, `read_snippet ${JSON.stringify(call)}: ${answer.text}\n${about}`);
  }
}

async function checkData(lab: Lab, tree: Tree, args: Args): Promise<void> {
  const reply = await lab.json('search_code', args);
  const about = `${JSON.stringify(args)}\n${reply.text}`;
  assert.ok(!reply.isError, about);
  const { results = [], pointers = [], totalFiles, truncated } = dataOf(reply);
  const size =
    results.reduce((sum, { path, lines }) => sum + path.length + lines.reduce((all, { text }) => all + text.length, 0), 0) +
    pointers.reduce((sum, { path, text }) => sum + path.length + text.length, 0);
  assert.ok(size <= Number(args.maxChars), `${size} characters of paths and texts: ${about}`);
  assert.ok(results.length <= Number(args.topK ?? 5), about);
  const paths = [...results, ...pointers].map(({ path }) => path);
  assert.equal(new Set(paths).size, paths.length, about);
  for (const { path, lines, startLine, endLine } of results) {
    const numbers = lines.map(({ line }) => line);
    assert.deepEqual(
      numbers,
      [...new Set(numbers)].sort((a, b) => a - b),
      about,
    );
    if (numbers.length > 0) assert.deepEqual([numbers[0], numbers.at(-1)], [startLine, endLine], about);
    for (const { line, text } of lines) assert.ok(agrees(text, linesOf(tree, path)[line - 1] ?? ''), `${path}:${line}: ${about}`);
  }
  if (paths.length < (totalFiles ?? 0)) assert.equal(truncated, true, about);
  for (const { path, line, startLine, endLine } of pointers) {
    assert.ok(line >= 1 && startLine <= endLine, about);
    const answer = await lab.text('read_snippet', { path, startLine, endLine });
    assert.ok(!answer.isError, `${path}:${startLine}-${endLine}: ${answer.text}\n${about}`);
  }
}

for (let seed = 1; seed <= 36; seed++) {
  test(`replies to random queries are sound (seed ${seed})`, posix, async () => {
    const dice = new Dice(seed);
    const tree = randomTree(dice);
    const dir = plant(tree);
    const lab = openLab(dir);
    const read = new Set<string>();
    for (let round = 0; round < 5; round++) {
      const args = {
        query: randomQuery(dice),
        maxChars: randomBudget(dice),
        ...(dice.chance(0.3) ? { topK: dice.int(1, 50) } : {}),
        ...(dice.chance(0.2) ? { includeTests: true } : {}),
      };
      await checkText(lab, tree, args, read);
      if (round % 2 === 0) await checkData(lab, tree, args);
    }
    uproot(dir);
  });
}

for (let seed = 101; seed <= 110; seed++) {
  test(`the same call over the same tree gives the same reply, in both forms (seed ${seed})`, posix, async () => {
    const dice = new Dice(seed);
    const lab = openLab(plant(randomTree(dice)));
    const args = { query: randomQuery(dice), maxChars: randomBudget(dice) };
    const first = await lab.text('search_code', args);
    const { durationMs: _, ...data } = (await lab.json('search_code', args)).data;
    for (let again = 0; again < 3; again++) {
      assert.equal((await lab.text('search_code', args)).text, first.text);
      const { durationMs: __, ...other } = (await lab.json('search_code', args)).data;
      assert.deepEqual(other, data);
    }
  });
}

test('files of equal score stand in path order', async () => {
  const lab = openLab(plant({ 'a/x.ts': 'needle\n', 'a-b/x.ts': 'needle\n', 'a.d/x.ts': 'needle\n', 'b/x.ts': 'needle\n' }));
  assert.deepEqual(shownPaths((await lab.text('search_code', { query: 'needle' })).text), ['a/x.ts', 'a-b/x.ts', 'a.d/x.ts', 'b/x.ts']);
});

const ODD_QUERIES: [string, string][] = [
  ['is one word', 'needle'],
  ['has 40 words', Array.from({ length: 40 }, (_, i) => `needle${i}`).join(' ')],
  ['has stop words only', 'where is it'],
  ['is an operator', '||'],
  ['is an expression', 'a || b'],
  ['is a generic type', 'std::vector<int>'],
  ['is a path', 'src/auth/session.ts:12'],
  ['is a stack frame', 'at Object.<anonymous> (src/auth/session.ts:12:3)'],
  ['is a broken regex', '(?:[a-z'],
  ['is an error message', 'Error: can\'t open "x.ts" (errno 2)'],
  ['has one quote', 'say "needle'],
  ['has one backtick', 'say `needle'],
  ['is empty quotes', '""'],
  ['is a dash', '-'],
  ['has negatives only', '-needle -pin'],
  ['has line breaks', 'needle\nin\r\nhay'],
  ['has a line break within quotes', '"needle\nin" hay'],
  ['is Chinese', '会话令牌'],
  ['is Thai', 'ข้อความ'],
  ['is Arabic', 'النص'],
  ['is an emoji', '\u{1f600}'],
  ['has half a character', 'needle \ud83d'],
  ['is blank', '   '],
  ['has a NUL', 'needle\0pin'],
  ['has a NUL within quotes', '"needle\0pin"'],
  ['is a NUL', '\0'],
  ['is as long as can be', `${'needle '.repeat(285)}ends`],
  ['is one very long word', 'n'.repeat(2_000)],
];
for (const [title, query] of ODD_QUERIES) {
  test(`a query that ${title} gets a reply or an error that can be repaired, in both forms`, async () => {
    const lab = openLab(
      plant({ 'src/a.ts': 'const needle = a || b; // where is it\n', 'b.cc': 'std::vector<int> needle3;\n', 'c.txt': '会话令牌\n' }),
    );
    for (const maxChars of [500, 6_000]) {
      const { isError, text, data } = await lab.text('search_code', { query, maxChars });
      assert.ok(text.length <= maxChars && text.length > 0, text);
      if (isError) assert.match(text, /^argument_invalid|^pattern_invalid/);
      const json = await lab.json('search_code', { query, maxChars });
      assert.equal(json.isError, isError, `${text}\n${JSON.stringify(data)}`);
    }
  });
}

const FINDS: [title: string, query: string, tree: Tree, first: string][] = [
  ['a word in any letter case', 'Needle', { 'x.ts': 'NEEDLE\n', 'y.ts': 'pin\n' }, 'x.ts'],
  ['a keyword', 'static', { 'x.c': 'static int n;\n', 'y.c': 'int n;\n' }, 'x.c'],
  ['a word of two letters', 'id', { 'x.go': 'func get(id int)\n', 'y.go': 'width\n' }, 'x.go'],
  ['a short word at the end of a camelCase name', 'id', { 'x.ts': 'const userId = 1;\n', 'y.ts': 'const width = 1;\n' }, 'x.ts'],
  ['a short word in capitals at the end of a name', 'id', { 'x.go': 'func f(userID int)\n', 'y.go': 'width\n' }, 'x.go'],
  ['a short word behind an acronym', 'log', { 'x.go': 'HTTPLog(r)\n', 'y.go': 'prologue\n' }, 'x.go'],
  ['a short word behind a digit', 'log', { 'x.c': 'k8slog2log(r);\n', 'y.c': 'prologue();\n' }, 'x.c'],
  ['a name with a dollar before the same name without', '$scope', { 'x.js': 'scope = 1;\n', 'y.js': '$scope = 1;\n' }, 'y.js'],
  ['signs alone', '=>', { 'x.ts': 'a = 1\n', 'y.ts': '() => 1\n' }, 'y.ts'],
  ['an expression before its letters', 'a || b', { 'p.ts': 'a = 1\n', 'q.ts': 'c = a || b\n' }, 'q.ts'],
  ['a C++ type', 'std::vector<int>', { 'x.cc': 'int vector;\n', 'y.cc': 'std::vector<int> v;\n' }, 'y.cc'],
  [
    'a path',
    'src/auth/session.ts',
    { 'src/auth/session.ts': 'export {};\n', 'src/auth.ts': 'session auth src ts\n' },
    'src/auth/session.ts',
  ],
  ['a word with an umlaut', 'größe', { 'x.py': 'GRÖSSE = 1\n', 'y.py': 'Größe = 1\n' }, 'y.py'],
  ['a Turkish name', 'İstanbul', { 'x.ts': 'ankara\n', 'y.ts': 'İstanbul\n' }, 'y.ts'],
  ['Chinese within a longer run', '令牌', { 'x.ts': '// 会话\n', 'y.ts': '// 会话令牌刷新\n' }, 'y.ts'],
  ['Korean with an ending', '세션', { 'x.ts': '// 토큰\n', 'y.ts': '// 세션을 갱신\n' }, 'y.ts'],
  ['words of a UTF-16 file', 'needle', { 'x.ts': Buffer.from('\ufeffconst needle = 1;\n', 'utf16le') }, 'x.ts'],
  ['another form of a word', 'caching', { 'x.ts': 'const cached = 1;\n' }, 'x.ts'],
  ['a phrase before its words', '"open file"', { 'x.ts': 'file open\n', 'y.ts': 'open file\n' }, 'y.ts'],
  ['a phrase with quotes by its backticks', '`"open"`', { 'x.ts': 'say "open"\n' }, 'x.ts'],
];
for (const [title, query, tree, first] of FINDS) {
  test(`finds ${title}`, async () => {
    const { text } = await openLab(plant(tree)).text('search_code', { query });
    assert.equal(shownPaths(text)[0], first, text);
  });
}

test('a quoted text is matched in its very letters, signs included', async () => {
  const lab = openLab(plant({ 'a.ts': 'say("x\\t y");\n', 'b.ts': 'say x t y\n', 'c.ts': 'SAY("X\\T Y");\n' }));
  assert.deepEqual(shownPaths((await lab.text('search_code', { query: '"x\\t y"' })).text), ['a.ts']);
  assert.deepEqual(shownPaths((await lab.text('search_code', { query: '"\\t y)"' })).text), []);
});

for (const query of ['"refreshAuthToken"', 'refreshAuthToken']) {
  test(`a query that is the identifier ${query} searches its parts when no file holds it whole`, async () => {
    const lab = openLab(plant({ 'a.ts': 'function refreshToken() {}\n', 'b.ts': 'const pin = 1;\n' }));
    const { text } = await lab.text('search_code', { query });
    assert.deepEqual(shownPaths(text), ['a.ts'], text);
    assert.match(text, /"refreshAuthToken" matches nothing/);
  });

  test(`a query that is the identifier ${query} shows only files that hold it whole when one does`, async () => {
    const lab = openLab(plant({ 'a.ts': 'function refreshToken() {}\n', 'b.ts': 'refreshAuthToken();\n', 'c.ts': 'refresh auth token\n' }));
    assert.deepEqual(shownPaths((await lab.text('search_code', { query })).text), ['b.ts']);
  });
}

test('a word with a dash before it demotes the files that hold it', async () => {
  const lab = openLab(plant({ 'a.ts': 'needle needle pin\n', 'b.ts': 'needle and hay hay hay hay hay hay hay hay\n' }));
  assert.deepEqual(shownPaths((await lab.text('search_code', { query: 'needle' })).text), ['a.ts', 'b.ts']);
  assert.deepEqual(shownPaths((await lab.text('search_code', { query: 'needle -pin' })).text), ['b.ts', 'a.ts']);
});

test('a file that holds nothing but a word with a dash before it is no place for the query, and is not counted', async () => {
  const lab = openLab(plant({ 'a.ts': 'needle\n', 'b.ts': 'pin\n' }));
  const { text } = await lab.text('search_code', { query: 'needle -pin' });
  assert.deepEqual(shownPaths(text), ['a.ts'], text);
  assert.match(text, /1 line in 1 file /);
});

const LIFTS: [title: string, args: Args, path: string][] = [
  ['the query names tests', { query: 'needle test' }, 'test/needle.test.ts'],
  ['includeTests is true', { query: 'needle', includeTests: true }, 'test/needle.test.ts'],
  ['the query names docs', { query: 'needle documentation' }, 'docs/needle.md'],
  ['the query names the changelog', { query: 'needle changelog' }, 'CHANGELOG.md'],
  ['the query names a path', { query: 'needle vendor/needle.ts' }, 'vendor/needle.ts'],
  ['the query names a demoted file', { query: 'needle in needle.test.ts' }, 'test/needle.test.ts'],
];
for (const [title, args, path] of LIFTS) {
  test(`demoted files come first when ${title}, and not otherwise`, async () => {
    const noise = 'const other = 1;\n'.repeat(20);
    const lab = openLab(
      plant({
        'src/app.ts': `needle();\n${noise}`,
        'test/needle.test.ts': 'needle(); needle();\n',
        'docs/needle.md': 'needle needle\n',
        'CHANGELOG.md': 'needle needle\n',
        'vendor/needle.ts': 'needle(); needle();\n',
        ...Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`src/f${i}.ts`, noise])),
      }),
    );
    const plain = shownPaths((await lab.text('search_code', { query: 'needle' })).text);
    assert.equal(plain[0], 'src/app.ts');
    const { text } = await lab.text('search_code', args);
    assert.equal(shownPaths(text)[0], path, text);
  });
}

test('each packet says which words it has when it lacks some, and the reply says when no place has all', async () => {
  const lab = openLab(plant({ 'a.ts': 'needle\n', 'b.ts': 'thread\n' }));
  const { text } = await lab.text('search_code', { query: 'needle thread' });
  const { packets, facts } = readRanked(text);
  assert.deepEqual(packets.map(({ path, has }) => [path, has]).sort(), [
    ['a.ts', 'needle'],
    ['b.ts', 'thread'],
  ]);
  assert.ok(
    facts.some((fact) => /no place has all/.test(fact)),
    text,
  );
  const whole = await openLab(plant({ 'a.ts': 'needle thread\n', 'b.ts': 'thread\n' })).text('search_code', { query: 'needle thread' });
  assert.doesNotMatch(whole.text, /no place has all/);
  assert.equal(readRanked(whole.text).packets[0]?.has, undefined);
});

test('what a packet says that it has is never an empty list', async () => {
  const lab = openLab(plant({ 'a.ts': 'refreshToken(); userName;\n', 'b.ts': 'refresh\n' }));
  const { text } = await lab.text('search_code', { query: 'refreshToken userName' });
  for (const { path, has } of readRanked(text).packets) assert.notEqual(has, '', `${path}: ${text}`);
});

test('a word that stands nowhere is named with near spellings that exist, which are searched instead', async () => {
  const lab = openLab(plant({ 'css.ts': 'const specificity = computeSpecificity(rule);\n', 'x.ts': 'special\n' }));
  const { text } = await lab.text('search_code', { query: 'specifity' });
  assert.equal(shownPaths(text)[0], 'css.ts');
  assert.match(text, /"specifity" matches nothing.*specificity/);
  const { data } = await lab.json('search_code', { query: 'specifity zzzzqqq' });
  assert.deepEqual(dataOf({ isError: false, found: true, text: '', data }).unmatchedTerms, ['specifity', 'zzzzqqq']);
  assert.ok(dataOf({ isError: false, found: true, text: '', data }).notes?.some((note) => note.includes('specificity')));
});

test('a word that stands in a path alone is not said to match nothing', async () => {
  const lab = openLab(plant({ 'src/tokenizer.ts': 'export const x = 1;\n', 'b.ts': 'const session = 1;\n' }));
  const { text } = await lab.text('search_code', { query: 'tokenizer session' });
  assert.ok(shownPaths(text).includes('src/tokenizer.ts'));
  assert.doesNotMatch(text, /"tokenizer" matches nothing/);
});

test('a file that matches by its path alone is a pointer that says so, an empty file too, and the pointer can be read', async () => {
  const lab = openLab(plant({ 'src/token/index.ts': 'export {};\n', 'src/token/empty.ts': '', 'b.ts': 'const session = 1;\n' }));
  const { text } = await lab.text('search_code', { query: 'token' });
  const { pointers } = readRanked(text);
  assert.deepEqual(pointers.map(({ path }) => path).sort(), ['src/token/empty.ts', 'src/token/index.ts']);
  for (const { path, startLine, endLine, text: said } of pointers) {
    assert.equal(said, '(path only)');
    const read = await lab.text('read_snippet', { path, startLine, endLine });
    assert.ok(!read.isError, `${path}: ${read.text}`);
  }
});

test('a file that matches by its path alone does not come before the one that defines what is asked for', async () => {
  const lab = openLab(plant({ 'token/x.ts': 'export {};\n', 'src/session.ts': 'class SessionToken { token = session(); }\n' }));
  const { text } = await lab.text('search_code', { query: 'session token' });
  assert.equal(shownPaths(text)[0], 'src/session.ts', text);
});

test('lines that touch are one range, and further ones of a file are marked as left out', async () => {
  const filler = Array.from({ length: 400 }, (_, i) => `const filler${i} = ${i}; // ${'.'.repeat(40)}`);
  const lines = ['needle 1', ...filler.slice(0, 3), 'needle 5', ...filler.slice(3, 200), 'needle', ...filler.slice(200), 'needle'];
  const lab = openLab(plant({ 'a.ts': `${lines.join('\n')}\n`, 'b.ts': 'needle\n' }));
  const { text } = await lab.text('search_code', { query: 'needle', topK: 1 });
  const packet = readRanked(text).packets.find(({ path }) => path === 'a.ts');
  assert.ok(packet !== undefined, text);
  assert.deepEqual(
    packet.rows.slice(0, 7).map(({ line }) => line),
    [1, 2, 3, 4, 5, 6, 7],
    text,
  );
  assert.ok(packet.omitted.length > 0, text);
});

test('hits that did not fit are an exact read_snippet call that shows them', async () => {
  const lines = Array.from({ length: 300 }, (_, i) => (i % 3 === 0 ? `needle ${i} ${'x'.repeat(60)}` : 'hay'));
  const lab = openLab(plant({ 'a.ts': `${lines.join('\n')}\n`, 'b.ts': 'needle\n' }));
  const { text } = await lab.text('search_code', { query: 'needle', maxChars: 2_000 });
  const call = readRanked(text).calls.find(({ path }) => path === 'a.ts');
  assert.ok(call !== undefined, text);
  const read = await lab.text('read_snippet', { ...call, maxChars: 50_000 });
  assert.match(read.text, /needle \d+ x+/);
});

test('the number of lines that a call for hidden hits promises is that of the lines it asks for', async () => {
  const lines = Array.from({ length: 2_400 }, (_, i) => (i % 2 === 0 ? `needle ${i}` : 'hay'));
  const lab = openLab(plant({ 'a.ts': `${lines.join('\n')}\n` }));
  const { text } = await lab.text('search_code', { query: 'needle' });
  const fact = readRanked(text).facts.find((one) => one.includes('read_snippet'));
  const [, promised = ''] = /^([\d,]+) further lines? with these words: read_snippet/.exec(fact ?? '') ?? [];
  const [call] = readRanked(text).calls as { startLine: number; endLine: number }[];
  assert.ok(call !== undefined, text);
  const asked = lines.slice(call.startLine - 1, call.endLine).filter((line) => line.startsWith('needle')).length;
  assert.ok(Number(promised.replaceAll(',', '')) <= asked, `${promised} promised, ${asked} in ${JSON.stringify(call)}`);
});

test('every packet that hides hits has its call when there is room for it', async () => {
  const text = Array.from({ length: 400 }, (_, i) => `needle ${i} ${'x'.repeat(40)}`).join('\n');
  const lab = openLab(plant(Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`f${i}.ts`, text]))));
  const { packets, calls } = readRanked((await lab.text('search_code', { query: 'needle' })).text);
  assert.deepEqual(calls.map(({ path }) => path).sort(), packets.map(({ path }) => path).sort());
});

for (const form of ['packet', 'pointer'] as const) {
  test(`a long line of a ${form} is cut around its hit`, async () => {
    const long = `${'y'.repeat(600)} needleInHay ${'z'.repeat(600)}\n`;
    const lab = openLab(plant({ 'a.ts': long, 'b.ts': 'needleInHay needleInHay\n' }));
    const { text } = await lab.text('search_code', { query: 'needleInHay', topK: form === 'packet' ? 5 : 1 });
    const { packets, pointers } = readRanked(text);
    const shown = form === 'packet' ? packets.find(({ path }) => path === 'a.ts')?.rows[0]?.text : pointers[0]?.text;
    assert.match(shown ?? '', /needleInHay/, text);
  });
}

test('the line of a pointer in the data form is cut, so that a long one does not cost all further pointers', async () => {
  const tree: Record<string, string> = {
    'b.ts': 'needle needle\n',
    'c.ts': `${'y '.repeat(3_000)} needle\n`,
    'd.ts': `${'y '.repeat(3_500)} needle\n`,
  };
  const { data } = await openLab(plant(tree)).json('search_code', { query: 'needle', topK: 1, maxChars: 2_000 });
  assert.equal((data as { pointers?: unknown[] }).pointers?.length, 2, JSON.stringify(data).slice(0, 500));
});

test('the smallest reply names the best place, however long the query is', async () => {
  const tree = { 'src/a.ts': 'const wordnumber3x = 1\n', 'src/b.ts': `say("${'abc '.repeat(120)}abc")\n` };
  const lab = openLab(plant(tree));
  const words = await lab.text('search_code', { query: Array.from({ length: 40 }, (_, i) => `wordnumber${i}x`).join(' '), maxChars: 500 });
  assert.deepEqual(shownPaths(words.text), ['src/a.ts'], words.text);
  const phrase = await lab.text('search_code', { query: `"${'abc '.repeat(120)}abc"`, maxChars: 500 });
  assert.deepEqual(shownPaths(phrase.text), ['src/b.ts'], phrase.text);
});

test('paths and texts of the data form stay within maxChars where paths are long', async () => {
  for (const length of [150, 200]) {
    const path = `${'d'.repeat(length)}/${'e'.repeat(length)}.ts`;
    const { data, text } = await openLab(plant({ [path]: 'needle in the hay\n'.repeat(90) })).json('search_code', {
      query: 'needle',
      maxChars: 500,
    });
    const { results = [] } = dataOf({ isError: false, found: true, text, data });
    const size = results.reduce((sum, one) => sum + one.path.length + one.lines.reduce((all, row) => all + row.text.length, 0), 0);
    assert.equal(results.length, 1, text);
    assert.ok(size <= 500, `${size} with a path of ${path.length}`);
  }
});

test('the data form has every field that is promised, and says that it is cut when places are left out', async () => {
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`src/m${i % 3}/f${i}.ts`, `const a = ${i};\nneedle thread\n`]));
  const lab = openLab(plant(many));
  const { data } = await lab.json('search_code', { query: 'needle zzzzqqq', maxChars: 600 });
  const { results = [], pointers = [], ...rest } = dataOf({ isError: false, found: true, text: '', data });
  for (const one of results)
    assert.deepEqual(
      Object.keys(one)
        .filter((key) => key !== 'symbol')
        .sort(),
      ['endLine', 'lines', 'path', 'score', 'startLine'],
    );
  for (const one of pointers) assert.deepEqual(Object.keys(one).sort(), ['endLine', 'line', 'path', 'startLine', 'text']);
  assert.ok(results.length > 0 && pointers.length > 0);
  assert.deepEqual(
    [rest.totalMatches, rest.totalFiles, rest.truncated, rest.timedOut, rest.partial, rest.unmatchedTerms],
    [60, 60, true, false, false, ['zzzzqqq']],
  );
  assert.deepEqual(
    rest.distribution?.map(({ dir }) => dir),
    ['src/m0', 'src/m1', 'src/m2'],
  );
  assert.ok(Array.isArray(rest.notes));
  assert.ok(!('nextCursor' in rest));
});

test('places that match by path alone and do not fit make the reply a cut one', async () => {
  const tree = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`src/tokenizer/f${i}.ts`, i < 3 ? 'tokenizer\n' : 'x\n']));
  const { data, text } = await openLab(plant(tree)).json('search_code', { query: 'tokenizer', maxChars: 500 });
  const { results = [], pointers = [], truncated } = dataOf({ isError: false, found: true, text, data });
  assert.ok(results.length + pointers.length < 50);
  assert.equal(truncated, true);
});

test('topK and maxChars are the bounds: a search that came to its end gives no cursor, and takes none of another search', async () => {
  const lab = openLab(plant({ 'a.ts': 'needle\n', 'b.ts': 'needle\n' }));
  assert.equal((await lab.json('search_code', { query: 'needle', topK: 1 })).data.nextCursor, undefined);
  const { isError, text } = await lab.text('search_code', { query: 'needle', cursor: 'x' });
  assert.ok(isError);
  assert.match(text, /cursor_invalid/);
});

test('the folders with the most matches are named when the query is broad, and only then', async () => {
  const many = Object.fromEntries(Array.from({ length: 80 }, (_, i) => [i < 60 ? `src/big/f${i}.ts` : `lib/small/f${i}.ts`, 'needle\n']));
  const { text } = await openLab(plant(many)).text('search_code', { query: 'needle' });
  assert.match(text, /src\/big 60, lib\/small 20/);
  const few = await openLab(plant({ 'src/a.ts': 'needle\n', 'lib/b.ts': 'needle\n' })).text('search_code', { query: 'needle' });
  assert.doesNotMatch(few.text, /most files/);
});

test('an empty reply says what was searched, how ignored files are included, and what else to try', async () => {
  const lab = openLab(plant({ '.gitignore': 'out/\n', 'out/a.ts': 'needle\n', 'b.ts': 'hay\n' }));
  const { text, found } = await lab.text('search_code', { query: 'needle' });
  assert.equal(found, false);
  assert.match(text, /No place found for: needle/);
  assert.match(text, /ignored: true/);
  assert.match(text, /search_text/);
});

test('files above the size limit are left out of the ranking and counted', async () => {
  const lab = openLab(plant({ 'big.ts': 'needle pad\n'.repeat(300), 'a.ts': 'needle\n' }), { limits: { maxFileBytes: 1_024 } });
  const { text } = await lab.text('search_code', { query: 'needle' });
  assert.deepEqual(shownPaths(text), ['a.ts']);
  assert.match(text, /\b1 file above /, text);
});

test('where only files above the size limit have the words, the reply does not say that none has them', async () => {
  const lab = openLab(plant({ 'big.ts': 'needle pad\n'.repeat(300) }), { limits: { maxFileBytes: 1_024 } });
  const { text } = await lab.text('search_code', { query: 'needle' });
  assert.doesNotMatch(text, /None of .* has one of these words/);
});

/** A ripgrep that reports the first lines of what it found, and then takes its time. */
function slowRipgrep(lines: number): string {
  const program = join(plant({ x: '' }), 'rg');
  writeFileSync(program, `#!/bin/sh\n"${rgPath}" "$@" | head -n ${lines}\nexec sleep 60\n`);
  chmodSync(program, 0o755);
  return program;
}

const manyFiles = (): Tree => Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`src/f${i}.ts`, 'needle here\n']));

/** A ripgrep that never comes to its end where a path is in the way. */
function stuckRipgrep(path: string): string {
  const program = join(plant({ x: '' }), 'rg');
  writeFileSync(program, `#!/bin/sh\n"${rgPath}" "$@"\nif "${rgPath}" "$@" | grep -q '${path}"'; then exec sleep 60; fi\n`);
  chmodSync(program, 0o755);
  return program;
}

test('a ranking pass that hits its deadline ranks what it covered, says over how much, and goes on there', posix, async () => {
  const dir = plant({ 'a.ts': 'needle\n', 'b.ts': 'needle\n', 'src/stuck.ts': 'needle\n', 'z.ts': 'needle\n' });
  const lab = openLab(dir, { program: stuckRipgrep('src/stuck.ts') });
  const args = { query: 'needle', timeoutMs: 1_500 };
  const { text } = await lab.text('search_code', args);
  // How many of the two fit into what the stuck runs leave of the time is not the point.
  const shown = shownPaths(text).sort();
  assert.ok(shown.length > 0, text);
  assert.deepEqual(shown, ['a.ts', 'b.ts'].slice(0, shown.length), text);
  assert.match(text, /incomplete: stopped after 1,500 ms; this call covered [12] files? \((?:7|14) bytes\) of an unknown total/);
  assert.match(text, /everything before (?:b\.ts|src(?:\/stuck\.ts)?) in path order is covered; the rest: repeat this call with cursor: "/);
  assert.match(text, /seen there so far: .*src\/stuck\.ts:1/);
  const { data } = await lab.json('search_code', args);
  const { timedOut, partial, truncated, totalFiles } = dataOf({ isError: false, found: true, text, data });
  assert.deepEqual({ timedOut, partial, truncated }, { timedOut: true, partial: true, truncated: true });
  assert.ok(totalFiles === 1 || totalFiles === 2, String(totalFiles));
  // A call that begins with a file gives it all its time; after that it is passed over, and said to be.
  const pages = [text];
  const cursorOf = (page: string): string | undefined => /cursor: "([^"]+)"/.exec(page)?.[1];
  for (let cursor = cursorOf(text); cursor !== undefined && pages.length < 9; cursor = cursorOf(pages.at(-1) ?? ''))
    pages.push((await lab.text('search_code', { ...args, cursor })).text);
  assert.deepEqual(pages.flatMap(shownPaths).sort(), ['a.ts', 'b.ts', 'z.ts']);
  assert.match(pages.join('\n'), /not covered, and too large for one call: src\/stuck\.ts; search it as scope with a longer timeoutMs/);
  assert.match(pages.at(-1) ?? '', /incomplete: 1 path that an earlier page named could not be covered/);
});

test('a ranking pass that was cut does not say of a word that it matches nothing', posix, async () => {
  const lab = openLab(plant({ ...manyFiles(), 'z.ts': 'thread\n' }), { program: slowRipgrep(9) });
  const { text } = await lab.text('search_code', { query: 'needle thread', timeoutMs: 400 });
  assert.match(text, /incomplete/);
  assert.doesNotMatch(text, /matches nothing|no place has all/);
});

test('a deadline before the first hit is said, and is no finding of nothing', posix, async () => {
  const lab = openLab(plant(manyFiles()), { program: slowRipgrep(0) });
  const { text, isError } = await lab.text('search_code', { query: 'needle', timeoutMs: 300 });
  assert.ok(!isError, text);
  assert.match(text, /stopped after 300 ms/);
  assert.doesNotMatch(text, /No place found|matches nothing/);
});

const asRoot = process.getuid?.() === 0;
test('a file that cannot be read is named, and the reply is partial', { skip: asRoot ? 'root reads everything' : posix.skip }, async () => {
  const dir = plant({ 'a.ts': 'needle\n', 'b.ts': 'needle\n' });
  chmodSync(join(dir, 'b.ts'), 0o000);
  const { text } = await openLab(dir).text('search_code', { query: 'needle' });
  assert.match(text, /incomplete: 1 path could not be searched: b\.ts/);
  assert.equal((await openLab(dir).json('search_code', { query: 'needle' })).data.partial, true);
});

test('what ripgrep complains about makes the reply partial', posix, async () => {
  const program = join(plant({ x: '' }), 'rg');
  writeFileSync(program, `#!/bin/sh\necho "rg: ./b.ts: Permission denied (os error 13)" >&2\n"${rgPath}" "$@"\nexit 2\n`);
  chmodSync(program, 0o755);
  const lab = openLab(plant({ 'a.ts': 'needle\n' }), { program });
  const { text } = await lab.text('search_code', { query: 'needle' });
  assert.deepEqual(shownPaths(text), ['a.ts'], text);
  assert.match(text, /incomplete: 1 path could not be searched: b\.ts/);
  assert.equal((await lab.json('search_code', { query: 'needle' })).data.partial, true);
});

const CHOICES: [title: string, args: Args, paths: string[]][] = [
  ['scope names a folder', { scope: 'lib' }, ['lib/b.py', 'lib/c.ts']],
  ['scope names a file', { scope: 'lib/c.ts' }, ['lib/c.ts']],
  ['globs name a kind', { globs: ['*.ts'] }, ['lib/c.ts', 'src/a.ts']],
  ['globs leave out', { globs: ['!*.py'] }, ['lib/c.ts', 'src/a.ts']],
  ['exclude names a folder', { exclude: ['lib/**'] }, ['src/a.ts']],
  ['a glob comes as a text', { globs: '*.py' }, ['lib/b.py']],
];
for (const [title, args, paths] of CHOICES) {
  test(`only files of the choice are ranked, also by name alone, where ${title}`, async () => {
    const lab = openLab(plant({ 'src/a.ts': 'needle\n', 'lib/b.py': 'needle\n', 'lib/c.ts': 'needle\n' }));
    const { text } = await lab.text('search_code', { query: 'needle', ...args });
    assert.deepEqual(shownPaths(text).sort(), paths, text);
    const byName = openLab(plant({ 'src/a.ts': '', 'lib/b.py': '', 'lib/c.ts': '' }));
    const named = await byName.text('search_code', { query: 'src lib', ...args });
    assert.deepEqual(shownPaths(named.text).sort(), paths, named.text);
  });
}

const REFUSED: [title: string, args: Args, said: RegExp][] = [
  ['no query', {}, /"query" is missing/],
  ['an empty query', { query: '' }, /"query" is empty/],
  ['a query beyond 2000 characters', { query: 'x'.repeat(2_001) }, /"query"/],
  ['topK 0', { query: 'x', topK: 0 }, /"topK"/],
  ['topK 51', { query: 'x', topK: 51 }, /"topK"/],
  ['maxChars 499', { query: 'x', maxChars: 499 }, /"maxChars"/],
  ['a scope outside', { query: 'x', scope: '../' }, /path_outside_root/],
  ['a bad glob', { query: 'x', globs: ['[z-a]'] }, /glob_invalid/],
];
for (const [title, args, said] of REFUSED) {
  test(`${title} is refused with its name`, async () => {
    const { isError, text } = await openLab(plant({ 'a.ts': 'x\n' })).text('search_code', args);
    assert.ok(isError, text);
    assert.match(text, said);
  });
}

test('secrets are never shown, by words or by name', async () => {
  const lab = openLab(plant({ '.env': 'needle=1\n', 'deploy.pem': 'needle\n', '.git/config': 'needle\n', 'a.ts': 'needle\n' }));
  assert.deepEqual(shownPaths((await lab.text('search_code', { query: 'needle env pem git config deploy' })).text), ['a.ts']);
});
