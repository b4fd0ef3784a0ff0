/** Replies of locate over seeded random trees: size, lines, fields, totals, names that try to forge a line, and calls that work. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Args, canName, Dice, type Lab, openLab, plant, type Reply, type Tree, uproot } from '../../support/e2e-lab.js';

interface Located {
  readonly projectType?: string;
  readonly matchMode?: string;
  readonly results?: readonly { path: string; startLine: number; endLine: number; kind: string; name: string; signature?: string }[];
  readonly truncated?: boolean;
  readonly timedOut?: boolean;
  readonly partial?: boolean;
  readonly notes?: readonly string[];
}
const dataOf = (reply: Reply): Located => reply.data as Located;
const posix = { skip: !canName && 'such names cannot be made there' };

const PIECES = [
  ...[
    'function load(x) {\n  return x;\n}\n',
    'load(1);\n',
    '// load\n',
    "log('load');\n",
    'class Store {\n  load() {\n  }\n}\n',
    '\n',
    '# load\n',
  ],
  ...[
    'export const load = (a) => {\n};\n',
    'const other = load(2), token = 1;\n',
    'refresh(token, session);\n',
    'größe = load;\n',
    'x\u202eload y\n',
  ],
  ...[`load(${'x'.repeat(400)});\n`, 'load\u2028(1);\n', 'load\u0000x\n', '\tload\r\n', '12:load  reference\n', '# 5 more: raise load\n'],
];
const FOLDERS = ['', '', 'src/', 'lib/a b/', 'test/', 'docs/', '# more/', '9:/', 'größe/', `${'long'.repeat(40)}/`, 'a:3  function  x/'];
const NAMES = ['a.ts', 'b.js', 'c.py', 'd.c', 'e.md', 'f.rs', 'x', 'load.ts', '文字.ts', 'CHANGELOG.md'];
const ODD = [
  'a\nb.ts',
  'a\rb.ts',
  'a\tb.ts',
  'a\u202eb.ts',
  'a\u2028b.ts',
  'a\u001b[31mb.ts',
  'a\u0085b.ts',
  '# 3 more.ts',
  'x.ts:1  function  load\nz.ts',
];
const QUERIES = [
  'load',
  'Store.load',
  'load()',
  'größe',
  'refresh token',
  'token session load',
  'zzzz',
  'Nowhere.load',
  'Load',
  '#',
  '$x',
  'zzz yyy',
];

function randomTree(dice: Dice): Tree {
  const tree: Record<string, string> = {};
  for (let files = dice.int(1, 40); files > 0; files--) {
    const name = dice.chance(0.2) ? dice.pick(ODD) : `${dice.chance(0.5) ? dice.int(1, 9) : ''}${dice.pick(NAMES)}`;
    tree[dice.pick(FOLDERS) + name] = dice.many(0, dice.pick([3, 20]), () => dice.pick(PIECES)).join('');
  }
  return tree;
}

/** `path:range  kind  name`; all else is a fact with its mark. */
const PLACE = /^(.+?):(\d+)(?:-(\d+))?(?: @[\w-]{6})? {2}([a-z]+)(?: {2}(.*))?$/;

async function check(lab: Lab, tree: Tree, args: Args): Promise<void> {
  const reply = await lab.text('locate', args);
  const about = `${JSON.stringify(args)}\n${reply.text}`;
  assert.ok(!reply.isError, about);
  assert.ok(reply.text.length <= Number(args.maxChars), `${reply.text.length} characters: ${about}`);
  assert.doesNotMatch(reply.text, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]|\p{Surrogate}/u, about);
  const [head = '', ...lines] = reply.text.split('\n');
  assert.ok(head.startsWith('# '), about);
  const places = lines.filter((line) => !line.startsWith('# '));
  const firstFact = lines.findIndex((line) => line.startsWith('# '));
  if (firstFact >= 0)
    assert.ok(
      lines.slice(firstFact).every((line) => line.startsWith('# ')),
      `a place behind a fact: ${about}`,
    );
  const data = dataOf(await lab.json('locate', { ...args, maxChars: 50_000 }));
  const { results = [] } = data;
  assert.ok(places.length <= results.length, about);
  for (const [index, line] of places.entries()) {
    const { startLine, endLine, kind } = results[index]!;
    assert.match(line, PLACE, about);
    const range = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
    assert.ok(
      line.replace(/ @[\w-]{6}(?= {2})/, '').includes(`:${range}  ${kind}`),
      `${line} is not ${JSON.stringify(results[index])}: ${about}`,
    );
  }
  if (places.length < results.length) assert.match(reply.text, /more|raise/, about);
  for (const { path, startLine, endLine } of results.slice(0, 4)) {
    assert.ok(path in tree, `${JSON.stringify(path)}: ${about}`);
    const answer = await lab.text('read_snippet', { path, startLine, endLine });
    assert.ok(!answer.isError, `${path}:${startLine}-${endLine} ${answer.text}`);
  }
}

for (let seed = 1; seed <= 20; seed++) {
  test(`replies over random trees are sound, and within any maxChars (seed ${seed})`, posix, async () => {
    const dice = new Dice(seed);
    const tree = randomTree(dice);
    const dir = plant(tree);
    const lab = openLab(dir);
    for (let round = 0; round < 4; round++) {
      await check(lab, tree, {
        query: dice.pick(QUERIES),
        maxChars: Math.min(50_000, Math.round(500 * 100 ** dice.next())),
        ...(dice.chance(0.5) ? { maxResults: dice.pick([1, 20, 500]) } : {}),
        ...(dice.chance(0.3) ? { kind: dice.pick(['any', 'definition', 'reference']) } : {}),
      });
    }
    uproot(dir);
  });
}

test('the data form has the promised fields, within maxChars of paths and texts', async () => {
  const tree = Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`src/${'d'.repeat(30)}/f${i}.ts`, 'needle();\n']));
  const lab = openLab(plant({ ...tree, 'tsconfig.json': '{}', 'src/a.ts': 'export function needle() {}\n' }));
  for (const maxChars of [500, 2_000]) {
    const data = dataOf(await lab.json('locate', { query: 'needle', maxChars, maxResults: 500 }));
    assert.deepEqual(
      Object.keys(data)
        .filter((key) => key !== 'serverVersion')
        .sort(),
      ['durationMs', 'matchMode', 'notes', 'partial', 'projectType', 'results', 'stamps', 'timedOut', 'truncated'],
    );
    const { results = [] } = data;
    for (const one of results) assert.deepEqual(Object.keys(one).sort(), ['endLine', 'kind', 'name', 'path', 'signature', 'startLine']);
    assert.ok(results.reduce((sum, { path, name, signature = '' }) => sum + path.length + name.length + signature.length, 0) <= maxChars);
    assert.deepEqual(
      [data.projectType, data.matchMode, data.truncated, data.timedOut, data.partial],
      ['typescript', 'symbol', true, false, false],
    );
    assert.deepEqual([results[0]?.path, results[0]?.kind], ['src/a.ts', 'function']);
  }
});

test('a reply that shows everything is not a cut one', async () => {
  const lab = openLab(plant({ 'a.ts': 'export function needle() {}\n', 'b.ts': 'needle();\n' }));
  const { data, text } = await lab.json('locate', { query: 'needle' });
  assert.equal(data.truncated, false, text);
  assert.doesNotMatch((await lab.text('locate', { query: 'needle' })).text, /more/);
});

test('what is shown and what is left out add up to the totals', async () => {
  const tree = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`src/f${i}.ts`, 'needle();\n// needle\n']));
  const lab = openLab(plant({ ...tree, 'src/z.ts': 'export function needle() {}\n', 'test/z.test.ts': 'needle();\n' }));
  for (const [kind, all] of [
    ['any', 62],
    ['definition', 1],
    ['reference', 61],
  ] as const) {
    for (const maxResults of [1, 7, 500]) {
      const { text } = await lab.text('locate', { query: 'needle', kind, maxResults });
      const shown = text.split('\n').filter((line) => !line.startsWith('#')).length;
      const more = Number(/^# ([\d,]+) more/m.exec(text)?.[1] ?? 0);
      assert.equal(shown + more, all, `${kind} ${maxResults}\n${text}`);
    }
  }
  assert.match(
    (await lab.text('locate', { query: 'needle' })).text,
    /^# 1 definition, 30 uses, 1 in tests, 30 in comments, strings and docs; 32 files/,
  );
});

for (const name of ODD) {
  test(`a file named ${JSON.stringify(name)} cannot forge a line`, posix, async () => {
    const lab = openLab(plant({ [name]: 'export function needle() {}\n' }));
    for (const query of ['needle', 'needle function']) {
      const { text, isError } = await lab.text('locate', { query });
      assert.ok(!isError, text);
      const places = text.split('\n').filter((line) => !line.startsWith('# '));
      assert.equal(places.length, 1, text);
      assert.match(places[0] ?? '', /:1(?:-\d+)? @[\w-]{6} {2}(?:function|file)/);
    }
    assert.equal(dataOf(await lab.json('locate', { query: 'needle' })).results?.[0]?.path, name);
  });
}

test('an empty reply says what was searched and what else to try', async () => {
  const { text, found } = await openLab(plant({ 'a.ts': 'hay\n' })).text('locate', { query: 'needle' });
  assert.equal(found, false);
  assert.match(text, /Nothing found: no file of 1 searched/);
  assert.match(text, /search_code/);
});

test('a symbol that is only used is said to have no definition here', async () => {
  const { text } = await openLab(plant({ 'a.ts': 'needle();\n' })).text('locate', { query: 'needle' });
  assert.match(text, /no definition found/);
  const uses = await openLab(plant({ 'a.ts': 'needle();\n' })).text('locate', { query: 'needle', kind: 'reference' });
  assert.doesNotMatch(uses.text, /no definition found/);
});

const REFUSED: [title: string, args: Args, said: RegExp][] = [
  ['no query', {}, /"query" is missing/],
  ['an empty query', { query: '' }, /"query" is empty/],
  ['a blank query', { query: '  ' }, /"query" is empty/],
  ['a query beyond 2000 characters', { query: 'x'.repeat(2_001) }, /"query"/],
  ['another kind', { query: 'x', kind: 'call' }, /"kind"/],
  ['maxResults 0', { query: 'x', maxResults: 0 }, /"maxResults"/],
  ['maxResults 501', { query: 'x', maxResults: 501 }, /"maxResults"/],
  ['maxChars 499', { query: 'x', maxChars: 499 }, /"maxChars"/],
  ['a scope outside', { query: 'x', scope: '../' }, /path_outside_root/],
  ['a bad glob', { query: 'x', globs: ['[z-a]'] }, /glob_invalid/],
  ['topK, which belongs to search_code', { query: 'x', topK: 5 }, /no argument "topK"/],
];
for (const [title, args, said] of REFUSED) {
  test(`${title} is refused with its name`, async () => {
    const { isError, text } = await openLab(plant({ 'a.ts': 'x\n' })).text('locate', args);
    assert.ok(isError, text);
    assert.match(text, said);
  });
}
