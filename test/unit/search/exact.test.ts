/** Exact search with the real rg over generated trees, against a search that reads every file and knows nothing of rg. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Args, Dice, type Lab, openLab, pagesOf, plant, put, type Reply, readText, type Tree } from '../../support/e2e-lab.js';
import { comparePaths } from '../../support/replies.js';

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
/** So low that most searches need the capped run in path order; still above the largest maxMatches that is asked for here. */
const TINY = { maxHitsKept: 13 };

interface Hit {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

const NAMES = [
  'a',
  'a-b',
  'a.d',
  'b c',
  'B',
  '.hid',
  '12:x',
  '# y',
  '\u00e9',
  '\u{1f600}',
  '[z]',
  '{w}',
  'q\\',
  '!n',
  '~',
  '-o',
  'new\nline',
  ' s',
  't ',
];
const WORDS = ['foo', 'bar', 'Foo', 'foo.bar', 'fooXbar', 'x', '', '\u00e9', '\u4e2d', '\u{1f600}', 'a-b', '\tfoo', 'baz'];

function randomTree(dice: Dice, most = 30): Tree {
  const files = new Map<string, string>();
  const folders = dice.many(1, 6, () => dice.many(0, 3, () => dice.pick(NAMES)).join('/'));
  for (let i = dice.int(1, most); i > 0; i--) {
    const folder = dice.pick(folders);
    const path = `${folder === '' ? '' : `${folder}/`}${dice.pick(NAMES)}.f${dice.int(0, 3)}`;
    const lines = dice.many(0, 12, () => dice.many(0, 4, () => dice.pick(WORDS)).join(' ') + (dice.chance(0.2) ? '\r' : ''));
    // A CR at the very end of a file ends no line, so it would be part of one.
    files.set(path, dice.chance(0.7) ? `${lines.join('\n')}\n` : lines.join('\n').replace(/\r$/, ''));
  }
  return Object.fromEntries(files);
}

/** Lines end at LF; a CR before it is not part of the line. */
function naive(tree: Tree, matches: (line: string) => boolean, mayHold: (path: string) => boolean = () => true): Hit[] {
  const hits: Hit[] = [];
  for (const path of Object.keys(tree).filter(mayHold).sort(comparePaths)) {
    const lines = String(tree[path]).split('\n');
    if (lines.at(-1) === '') lines.pop();
    for (const [index, line] of lines.entries()) {
      const text = line.replace(/\r$/, '');
      if (matches(text)) hits.push({ path, line: index + 1, text });
    }
  }
  return hits;
}

const hitsIn = (pages: readonly Reply[]): Hit[] =>
  pages.flatMap((page) => (page.data.matches ?? []).map(({ path, line, text }) => ({ path, line, text })));
const regex =
  (source: string, flags = 'u') =>
  (line: string): boolean =>
    new RegExp(source, flags).test(line);
const holds =
  (text: string) =>
  (line: string): boolean =>
    line.includes(text);

const QUERIES: [Args, (line: string) => boolean][] = [
  [{ pattern: 'foo' }, holds('foo')],
  [{ pattern: 'foo.bar', regex: false }, holds('foo.bar')],
  [{ pattern: 'foo.bar', regex: true }, regex('foo.bar')],
  [{ pattern: 'foo.bar' }, regex('foo.bar')],
  [{ pattern: 'foo', ignoreCase: true }, regex('foo', 'iu')],
  [{ pattern: '\u00e9' }, holds('\u00e9')],
  [{ pattern: '\u{1f600}' }, holds('\u{1f600}')],
  [{ pattern: '^x', regex: true }, regex('^x')],
  [{ pattern: '(bar|x)$', regex: true }, regex('(bar|x)$')],
  [{ pattern: '(?<=o)b', regex: true }, regex('(?<=o)b')],
  [{ pattern: 'ba[rz]' }, regex('ba[rz]')],
  [{ pattern: '^$', regex: true }, regex('^$')],
];

for (const seed of SEEDS) {
  test(`finds exactly what reading every file finds, in path order (seed ${seed})`, async () => {
    const dice = new Dice(seed);
    const tree = randomTree(dice);
    const lab = openLab(plant(tree));
    for (const [args, matches] of QUERIES) {
      const wanted = naive(tree, matches);
      const { data } = await lab.json('search_text', { ...args, maxMatches: 500, maxChars: 50_000 });
      assert.deepEqual(hitsIn([{ data } as Reply]), wanted, JSON.stringify(args));
      assert.equal(data.totalMatches, wanted.length);
      assert.equal(data.truncated, false);
      assert.equal(data.partial, false);
    }
  });
}

for (const seed of SEEDS) {
  test(`pages by cursor are the whole result without loss or repeat, whatever the caps (seed ${seed})`, async () => {
    const dice = new Dice(1_000 + seed);
    const tree = randomTree(dice, 12);
    const dir = plant(tree);
    for (const lab of [openLab(dir), openLab(dir, { limits: TINY }), openLab(dir, { limits: { ...TINY, maxKeptBytes: 200 } })]) {
      const [args, matches] = dice.pick(QUERIES);
      const wanted = naive(tree, matches);
      for (const maxMatches of [dice.int(2, 4), dice.int(5, 12)]) {
        for (const maxChars of [500, dice.int(500, 1_500), 50_000]) {
          const call = { ...args, maxMatches, maxChars };
          assert.deepEqual(hitsIn(await pagesOf(lab, 'json', 'search_text', call)), wanted, JSON.stringify(call));
        }
      }
    }
  });
}

for (const seed of SEEDS.slice(0, 4)) {
  test(`pages of files and of counts are the whole list, each file once (seed ${seed})`, async () => {
    const dice = new Dice(2_000 + seed);
    const tree = randomTree(dice, 15);
    const lab = openLab(plant(tree), { limits: TINY });
    for (const [args, matches] of QUERIES.slice(0, 4)) {
      const counts = new Map<string, number>();
      for (const hit of naive(tree, matches)) counts.set(hit.path, (counts.get(hit.path) ?? 0) + 1);
      for (const maxMatches of [1, 3, 500]) {
        const files = await pagesOf(lab, 'json', 'search_text', { ...args, output: 'files', maxMatches });
        assert.deepEqual(
          files.flatMap((page) => page.data.files ?? []),
          [...counts.keys()],
        );
        const counted = await pagesOf(lab, 'json', 'search_text', { ...args, output: 'count', maxMatches });
        assert.deepEqual(
          counted.flatMap((page) => page.data.counts ?? []),
          [...counts].map(([path, count]) => ({ path, count })),
        );
      }
    }
  });
}

/** A path that is more than one plain word is shown as JSON. */
const pathOf = (shown: string): string => (shown.startsWith('"') ? String(JSON.parse(shown)) : shown);

/** Text lines as they stand in the files, by path and number. */
function linesOf(tree: Tree): Map<string, string> {
  return new Map(naive(tree, () => true).map(({ path, line, text }) => [`${path}:${line}`, text]));
}

for (const seed of SEEDS.slice(0, 4)) {
  test(`text pages with context show every match once and only context of a match that they show (seed ${seed})`, async () => {
    const dice = new Dice(3_000 + seed);
    const tree = Object.fromEntries(Object.entries(randomTree(dice)).filter(([path]) => !path.includes('\n')));
    const dir = plant(tree);
    const real = linesOf(tree);
    for (const lab of [openLab(dir), openLab(dir, { limits: TINY })]) {
      for (const context of [1, 3, 10]) {
        const [args, matches] = dice.pick(QUERIES);
        const call = { ...args, context, maxMatches: dice.int(1, 10), maxChars: dice.pick([600, 2_000, 50_000]) };
        const pages = (await pagesOf(lab, 'text', 'search_text', call)).map((page) => readText(page.text));
        const title = JSON.stringify(call);
        const shown = pages.flatMap((page) => page.rows.filter((row) => row.isHit)).map(({ path, line }) => `${pathOf(path)}:${line}`);
        assert.deepEqual(
          shown,
          naive(tree, matches).map(({ path, line }) => `${path}:${line}`),
          title,
        );
        for (const page of pages)
          for (const row of page.rows) {
            const text = real.get(`${pathOf(row.path)}:${row.line}`);
            assert.equal(row.text, text, title);
            const isNear = page.rows.some((hit) => hit.isHit && hit.path === row.path && Math.abs(hit.line - row.line) <= context);
            assert.ok(isNear, `${title}: ${row.path}:${row.line} is context of nothing on its page`);
          }
      }
    }
  });
}

test('when more matches are there than may be kept, the capped run in path order gives the same first page', async () => {
  const tree = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`d${i % 7}/f${i}.txt`, 'needle\n'.repeat(20)]));
  const dir = plant(tree);
  const lab = openLab(dir, { limits: { maxHitsKept: 501 } });
  const wanted = naive(tree, holds('needle'));
  for (const maxMatches of [1, 100, 500]) {
    const { data } = await lab.json('search_text', { pattern: 'needle', maxMatches, maxChars: 50_000 });
    assert.deepEqual(hitsIn([{ data } as Reply]), wanted.slice(0, maxMatches));
    assert.equal(data.totalMatches, undefined, 'a total is not known');
    assert.equal(data.truncateReason, 'maxMatches');
    const { text } = await lab.text('search_text', { pattern: 'needle', maxMatches, maxChars: 50_000 });
    assert.match(text, new RegExp(`^At least ${maxMatches + 1} matches \\(stopped there\\), 1-${maxMatches} shown\\.\n`));
  }
  assert.deepEqual(hitsIn(await pagesOf(lab, 'json', 'search_text', { pattern: 'needle', maxMatches: 333, maxChars: 50_000 })), wanted);
});

for (const seed of SEEDS.slice(0, 4)) {
  test(`files that come and go between pages break nothing: unchanged files are shown whole and once (seed ${seed})`, async () => {
    const dice = new Dice(4_000 + seed);
    const tree = randomTree(dice, 40);
    const dir = plant(tree);
    const lab = openLab(dir, { limits: seed % 2 === 0 ? TINY : {} });
    const isTouched = new Set<string>();
    const alive = new Set(Object.keys(tree));
    const seen: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const { data, isError, text } = await lab.json('search_text', {
        pattern: 'o',
        maxMatches: 5,
        ...(cursor === undefined ? {} : { cursor }),
      });
      assert.ok(!isError, text);
      seen.push(...(data.matches ?? []).map(({ path, line }) => `${path}:${line}`));
      cursor = data.nextCursor;
      for (const path of [...alive].filter(() => dice.chance(0.1))) {
        rmSync(join(dir, path));
        alive.delete(path);
        isTouched.add(path);
      }
      const name = `${dice.pick(['', 'a/', 'zz/'])}new${pages}.txt`;
      put(dir, name, 'foo\nfoo\n');
      isTouched.add(name);
    } while (cursor !== undefined && ++pages < 500);
    assert.equal(cursor, undefined, 'the pages come to an end');
    assert.equal(new Set(seen).size, seen.length, 'nothing twice');
    const stable = seen.filter((place) => !isTouched.has(place.replace(/:\d+$/, '')));
    assert.deepEqual(
      stable,
      naive(tree, holds('o'), (path) => !isTouched.has(path)).map(({ path, line }) => `${path}:${line}`),
    );
  });
}

const IGNORING: Tree = {
  '.gitignore': 'gen/\n*.log\nbuilt/\n',
  '.csignore': '!gen/keep/\n!node_modules/mine/\n!important.log\nnotes/\n!*.min.js\n',
  'src/a.ts': 'needle\nneedle\n',
  'src/x.min.js': 'needle\n',
  'gen/drop/a.ts': 'needle\n',
  'gen/keep/a.ts': 'needle\n',
  'gen/keep/b.ts': 'needle\nneedle\nneedle\n',
  'important.log': 'needle\nneedle\n',
  'other.log': 'needle\n',
  'node_modules/theirs/i.js': 'needle\n',
  'node_modules/mine/i.js': 'needle\n',
  'notes/n.md': 'needle\n',
  'built/b.js': 'needle\n',
  'zz/last.ts': 'needle\n',
};
const INCLUDED = ['gen/keep/a.ts', 'gen/keep/b.ts', 'important.log', 'node_modules/mine/i.js', 'src/a.ts', 'src/x.min.js', 'zz/last.ts'];

for (const maxMatches of [1, 2, 4, 12, 500]) {
  test(`what .csignore includes again is merged in path order, page by page of ${maxMatches}`, async () => {
    const dir = plant(IGNORING);
    const wanted = naive(IGNORING, holds('needle'), (path) => INCLUDED.includes(path));
    for (const limits of [{}, TINY, { maxHitsKept: maxMatches + 1 }, { maxKeptBytes: 50 }]) {
      const pages = await pagesOf(openLab(dir, { limits }), 'json', 'search_text', { pattern: 'needle', maxMatches });
      assert.deepEqual(hitsIn(pages), wanted, JSON.stringify(limits));
    }
    const files = await pagesOf(openLab(dir), 'json', 'search_text', { pattern: 'needle', output: 'files', maxMatches });
    assert.deepEqual(
      files.flatMap((page) => page.data.files ?? []),
      INCLUDED,
    );
  });
}

test('ignored: true searches everything but secrets and .git, whatever .csignore says', async () => {
  const tree: Tree = { ...IGNORING, '.env': 'needle\n', '.git/config': 'needle\n', 'k.pem': 'needle\n', '.env.example': 'needle\n' };
  const { data } = await openLab(plant(tree)).json('search_text', { pattern: 'needle', ignored: true, output: 'files' });
  const all = Object.keys(tree).filter((path) => !['.gitignore', '.csignore', '.env', '.git/config', 'k.pem'].includes(path));
  assert.deepEqual(data.files, all.sort(comparePaths));
});

/** Big enough for all cores to race each other. */
const CROWD: Tree = Object.fromEntries(
  Array.from({ length: 150 }, (_, i) => [`d${i % 11}/e${i % 5}/f${i}.txt`, `Needle ${i}\nthe needle\nx.y\nxzy\n`.repeat(1 + (i % 4))]),
);
const REPEATED: [string, Args][] = [
  ['a complete reply', { pattern: 'Needle 7', maxMatches: 500, maxChars: 50_000 }],
  ['a reply cut by maxMatches', { pattern: 'needle', maxMatches: 7 }],
  ['a reply cut by maxChars', { pattern: 'needle', maxChars: 700 }],
  ['a list of files', { pattern: 'needle', output: 'files', maxMatches: 20 }],
  ['counts', { pattern: 'needle', output: 'count', maxMatches: 20 }],
  ['a pattern with two readings', { pattern: 'x.y', maxMatches: 5 }],
  ['an empty reply with its explanation', { pattern: 'NEEDLE' }],
  ['an empty reply about words', { pattern: 'eedl', word: true }],
  ['an empty reply about one reading', { pattern: 'x.y|q', regex: false }],
  ['nothing at all', { pattern: 'nothing at all' }],
];
for (const [title, args] of REPEATED) {
  test(`the same call gives the same bytes: ${title}`, async () => {
    const dir = plant({ ...CROWD, 'node_modules/p/i.js': 'NEEDLE\n', 'b.bin': 'NEEDLE\0\n' });
    for (const limits of [{}, { maxHitsKept: 501 }]) {
      const lab = openLab(dir, { limits });
      const first = await lab.text('search_text', args);
      for (let i = 0; i < 6; i++) assert.equal((await lab.text('search_text', args)).text, first.text);
    }
  });
}

test('the same page by cursor gives the same bytes', async () => {
  const lab = openLab(plant(CROWD), { limits: { maxHitsKept: 501 } });
  const [first] = await pagesOf(lab, 'text', 'search_text', { pattern: 'needle', maxMatches: 450 });
  const cursor = /cursor: "([^"]+)"/.exec(first!.text)?.[1];
  assert.ok(cursor !== undefined);
  const again = await Promise.all(Array.from({ length: 5 }, () => lab.text('search_text', { pattern: 'needle', maxMatches: 450, cursor })));
  assert.equal(new Set(again.map((page) => page.text)).size, 1);
});

/** totals of a later page, per output */
for (const output of ['content', 'files', 'count'] as const) {
  test(`totals of output ${output} do not change from page to page`, async () => {
    const lab = openLab(plant({ 'a.txt': 'n\nn\nn\n', 'b.txt': 'n\n', 'c.txt': 'n\nn\n', 'd.txt': 'n\n' }));
    const pages = await pagesOf(lab, 'json', 'search_text', { pattern: 'n', output, maxMatches: 2 });
    assert.ok(pages.length > 1);
    for (const { data } of pages) {
      // A total that is not known on a later page may be absent; it may not be wrong.
      if (output !== 'files') assert.ok(data.totalMatches === undefined || data.totalMatches === 7, `totalMatches ${data.totalMatches}`);
      assert.ok(data.totalFiles === undefined || data.totalFiles === 4, `totalFiles ${data.totalFiles}`);
    }
    assert.equal(pages[0]?.data.totalFiles, 4);
  });
}

test('output files says how many files there are and nothing false about matches', async () => {
  const lab = openLab(plant({ 'a.txt': 'n\nn\nn\n', 'b.txt': 'n\n' }));
  const { text } = await lab.text('search_text', { pattern: 'n', output: 'files' });
  assert.match(text, /^2 files/);
  assert.doesNotMatch(text, /[^4] matches/);
  const { data } = await lab.json('search_text', { pattern: 'n', output: 'files' });
  assert.ok(data.totalMatches === undefined || data.totalMatches === 4, `totalMatches ${data.totalMatches}, but there are 4`);
});

/** pattern, its lines, how many of them hold the text itself */
const TWO_READINGS: [string, Args, Tree, number][] = [
  ['is included in the regex', { pattern: 'a.b' }, { 'a.txt': 'a.b\naxb\na.b a.b\n' }, 2],
  ['is not included in the regex', { pattern: 'i++' }, { 'a.txt': 'i++\niii\ni\n' }, 1],
  ['stands in a line too long for an event', { pattern: 'a.b' }, { 'a.txt': `axb\n${'q'.repeat(300_000)}a.b\n` }, 1],
  ['is asked for in any letter case', { pattern: 'a.b', ignoreCase: true }, { 'a.txt': 'A.B\naXb\n' }, 1],
  ['is asked for as a word', { pattern: 'a.b', word: true }, { 'a.txt': 'a.b\naxb\nxa.b\n' }, 1],
];
for (const [title, args, tree, literal] of TWO_READINGS) {
  test(`the reply counts the matches of the other reading where the text ${title}`, async () => {
    const { text } = await openLab(plant(tree)).text('search_text', args);
    const said = /Read as a regex; as literal text it has (\d+) match(?:es)? \(regex: false\)\./.exec(text.split('\n')[0]!)?.[1];
    assert.equal(Number(said), literal, text.slice(0, 300));
  });
}

const OUTSIDE: [string, unknown][] = [
  ['above the root', '../x'],
  ['far above the root', 'a/../../../etc/x'],
  ['that is absolute', '/etc/passwd'],
  ['with a NUL', 'a\0b'],
];
for (const [title, path] of OUTSIDE) {
  test(`a forged cursor with a path ${title} is refused`, async () => {
    const lab: Lab = openLab(plant({ 'a.txt': 'n\nn\n' }));
    const { data } = await lab.json('search_text', { pattern: 'n', maxMatches: 1 });
    const cursor = data.nextCursor!;
    const wasHidden = (text: string): string => {
      // Whatever the form: the path of the position is replaced, all else stays.
      for (let start = 0; start < text.length; start++) {
        const plain = Buffer.from(text.slice(start), 'base64url').toString('utf8');
        if (plain.includes('"a.txt"'))
          return text.slice(0, start) + Buffer.from(plain.replace('"a.txt"', JSON.stringify(path))).toString('base64url');
      }
      throw new Error(`no path in ${text}`);
    };
    const { isError, data: refused } = await lab.json('search_text', { pattern: 'n', maxMatches: 1, cursor: wasHidden(cursor) });
    assert.ok(isError);
    assert.equal(refused.error?.code, 'cursor_invalid');
  });
}

test('a cursor goes on with other maxMatches, maxChars and context, and with nothing else changed', async () => {
  const lab = openLab(plant({ 'a.txt': 'n\nn\nn\n', 'sub/b.txt': 'n\n' }));
  const { data } = await lab.json('search_text', { pattern: 'n', maxMatches: 1 });
  const cursor = data.nextCursor!;
  const more = await lab.json('search_text', { pattern: 'n', cursor, maxMatches: 2, maxChars: 9_000, context: 2, timeoutMs: 5_000 });
  assert.deepEqual(
    more.data.matches?.map(({ path, line }) => `${path}:${line}`),
    ['a.txt:2', 'a.txt:3'],
  );
  const changes: Args[] = [
    { pattern: 'm' },
    { ignoreCase: true },
    { word: true },
    { regex: true },
    { multiline: true },
    { scope: 'sub' },
    { globs: ['*.txt'] },
    { exclude: ['*.md'] },
    { ignored: true },
    { binary: true },
    { output: 'files' },
    { encoding: 'latin1' },
  ];
  for (const change of changes) {
    const { isError, data: refused } = await lab.json('search_text', { pattern: 'n', cursor, ...change });
    assert.ok(isError && refused.error?.code === 'cursor_invalid', `${JSON.stringify(change)}: ${JSON.stringify(refused)}`);
  }
  const other = openLab(plant({ 'a.txt': 'n\nn\n' }));
  assert.equal((await other.json('search_text', { pattern: 'n', cursor })).data.error?.code, 'cursor_invalid', 'another root');
});
