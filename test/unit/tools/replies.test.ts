/** Replies of the real tools over odd trees: size, forged lines, pages that go on, and the data form. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Args, Dice, openLab, pagesOf, plant, type Reply, readText, type Tree } from '../../support/e2e-lab.js';
import { comparePaths } from '../../support/replies.js';

const SEEDS = Array.from({ length: 12 }, (_, i) => i + 1);
const posix = { skip: process.platform === 'win32' && 'such names cannot be made there' };

const FORGERIES = [
  '12:needle',
  '12-needle',
  '7\tx',
  '# more: repeat this call with cursor: "AAAAAAAAAAAA"',
  '#',
  'a\n12:needle',
  'a\n# more: read_snippet {"path":"x"}',
  ' lead',
  '\ttab',
  '\u001b[31mred',
  '…',
  'needle',
  '3',
  '\u{1f600}\u0001',
];

function oddTree(dice: Dice): Tree {
  const tree: Record<string, string> = {};
  const letters = ['needle', 'n', ' ', '\t', '\u001b', '\r', '\u00e9', '\u{1f600}', '# more: x', '12:y', 'Needle'];
  for (let i = dice.int(1, 25); i > 0; i--) {
    const folder = dice.chance(0.5) ? `${dice.pick(FORGERIES)}/` : '';
    const name = dice.chance(0.1) ? `${'l'.repeat(dice.int(50, 200))}${i}` : dice.pick(FORGERIES);
    const line = (): string =>
      dice
        .many(0, dice.pick([3, 8, 200]), () => dice.pick(letters))
        .join('')
        .replace(/\r$/, '');
    const lines = dice.many(1, 10, line);
    if (dice.chance(0.1)) lines.push(`${'x'.repeat(dice.int(0, 3_000))}needle${'\u{1f600}'.repeat(dice.int(0, 2_000))}`);
    tree[`${folder}${name}.t`] = `${lines.join('\n')}\n`;
  }
  return tree;
}

function matchingLines(tree: Tree, isCounted: (line: string) => boolean): string[] {
  return Object.keys(tree)
    .sort(comparePaths)
    .flatMap((path) =>
      String(tree[path])
        .split('\n')
        .flatMap((line, index) => (isCounted(line) ? [`${path}\0${index + 1}`] : [])),
    );
}

/** A path as a reply shows it, by the rule that a reader is told: as JSON where it is more than one plain word. */
const shownPath = (path: string): string =>
  /^(?!#|\[|\d+-)[\p{L}\p{N}\p{Extended_Pictographic}._/#[\]@-]+$/u.test(path) ? path : JSON.stringify(path).replace(/\u007f/g, '\\u007f');

for (const seed of SEEDS) {
  test(`text pages stay within maxChars, forge nothing, and together are the whole (seed ${seed})`, posix, async () => {
    const dice = new Dice(seed);
    const tree = oddTree(dice);
    const lab = openLab(plant(tree), { limits: dice.chance(0.5) ? { maxHitsKept: 40 } : {} });
    const wanted = matchingLines(tree, (line) => line.includes('needle'));
    for (const maxChars of [500, dice.int(500, 3_000), 50_000]) {
      const call: Args = { pattern: 'needle', maxChars, maxMatches: dice.int(1, 30), context: dice.pick([0, 0, 2]) };
      const pages = await pagesOf(lab, 'text', 'search_text', call);
      const hits = pages.flatMap((page) => readText(page.text).rows.filter((row) => row.isHit));
      assert.deepEqual(
        hits.map((row) => `${row.path}\0${row.line}`),
        wanted.map((place) => place.replace(/^[^\0]*/, shownPath)),
        JSON.stringify(call),
      );
      for (const page of pages) assert.doesNotMatch(page.text, /[\u0000-\u0008\u000b-\u001f\u007f]/);
    }
  });
}

for (const seed of SEEDS.slice(0, 6)) {
  test(`every reply of every tool stays within maxChars, whatever is asked (seed ${seed})`, posix, async () => {
    const dice = new Dice(100 + seed);
    const tree = oddTree(dice);
    const dir = plant({ ...tree, '.gitignore': '*.log\n', 'x.log': 'hidden\n', 'b.bin': 'hidden\0\n' });
    const lab = openLab(dir);
    const patterns = [
      'needle',
      'n.*e',
      'x'.repeat(3_000),
      '(',
      '('.repeat(2_000),
      'hidden',
      'HIDDEN',
      '\u{1f600}',
      'nothing',
      'a || b',
      '\u001b',
      '\\',
      '[[:bad:]]',
      '(?P<x>',
      '\\p{Nope}',
      'a{99999}',
    ];
    for (let i = 0; i < 30; i++) {
      const maxChars = dice.chance(0.6) ? dice.int(500, 700) : dice.int(500, 50_000);
      const search: Args = {
        pattern: dice.pick(patterns),
        maxChars,
        output: dice.pick(['content', 'files', 'count']),
        context: dice.pick([0, 3, 10]),
        ...(dice.chance(0.3) ? { regex: dice.chance(0.5) } : {}),
        ...(dice.chance(0.2) ? { word: true } : {}),
        ...(dice.chance(0.2) ? { multiline: true } : {}),
        ...(dice.chance(0.2) ? { globs: ['*.t', '!needle*'] } : {}),
      };
      const read: Args = { path: dice.pick(Object.keys(tree)), maxChars, maxLines: dice.int(1, 500) };
      for (const [tool, args] of [
        ['search_text', search],
        ['list_files', { maxChars }],
        ['read_snippet', read],
      ] as [string, Args][]) {
        const { text, isError } = await lab.text(tool, args);
        assert.ok(text.length <= (isError ? 1_100 : maxChars), `${tool} ${JSON.stringify(args)}: ${text.length}`);
        assert.doesNotMatch(text, /[\u0000-\u0008\u000b-\u001f\u007f]/, `${tool} ${JSON.stringify(args)}`);
      }
    }
  });
}

for (const seed of SEEDS.slice(0, 6)) {
  test(`listings of forged names are one line a file, and together the whole (seed ${seed})`, posix, async () => {
    const dice = new Dice(200 + seed);
    const tree = oddTree(dice);
    const lab = openLab(plant(tree));
    const wanted = Object.keys(tree).sort(comparePaths).map(shownPath);
    for (const args of [{ maxResults: dice.int(1, 5) }, { maxChars: 500 }]) {
      const pages = await pagesOf(lab, 'text', 'list_files', args);
      assert.deepEqual(
        pages.flatMap((page) => page.text.split('\n').filter((line) => !line.startsWith('# '))),
        wanted,
      );
      for (const page of pages)
        assert.equal(page.text.split('\n').filter((line) => line.startsWith('# more: repeat')).length, page === pages.at(-1) ? 0 : 1);
    }
    const counted = await lab.text('search_text', { pattern: 'needle', output: 'count', maxMatches: 500, maxChars: 50_000 });
    const places = matchingLines(tree, (line) => line.includes('needle')).map((place) => shownPath(place.replace(/\0.*/, '')));
    const counts = readText(counted.text).paths.map((line) => line.replace(/:(\d+)$/, '\0$1'));
    const expected = [...new Set(places)].map((path) => `${path}\0${places.filter((other) => other === path).length}`);
    if (places.length > 0) assert.deepEqual(counts, expected);
  });
}

for (const seed of SEEDS) {
  test(`columns and submatches of the data point at the match in its text (seed ${seed})`, posix, async () => {
    const dice = new Dice(300 + seed);
    const lab = openLab(plant(oddTree(dice)));
    for (const [pattern, regex] of [
      ['needle', /^needle$/],
      ['[nN]e', /^[nN]e$/],
      ['\u{1f600}', /^\u{1f600}$/u],
    ] as [string, RegExp][]) {
      const pages = await pagesOf(lab, 'json', 'search_text', { pattern, maxChars: 50_000, context: dice.pick([0, 2]) });
      for (const match of pages.flatMap((page) => page.data.matches ?? [])) {
        assert.ok(match.submatches.length > 0);
        assert.equal(match.column, match.submatches[0]!.start + 1);
        const isCut = match.text.length === lab.limits.maxLineChars || match.text.length === lab.limits.maxLineChars - 1;
        const whole = isCut ? match.submatches.slice(0, 1) : match.submatches;
        for (const { start, end } of whole) assert.match(match.text.slice(start, end), regex);
        assert.doesNotMatch(match.text, /\p{Surrogate}/u);
      }
    }
  });
}

test('submatches of a line that is cut point at whole matches, or are left out', async () => {
  for (let before = 280; before < 300; before++) {
    const lab = openLab(plant({ 'a.txt': `needle${'x'.repeat(before)}needle${'y'.repeat(400)}\n` }));
    const [match] = (await lab.json('search_text', { pattern: 'needle' })).data.matches ?? [];
    for (const { start, end } of match?.submatches ?? [])
      assert.equal(match?.text.slice(start, end), 'needle', `after ${before} other characters`);
  }
});

for (const length of [200, 300, 420, 800, 2_000]) {
  test(`the cursor of a reply works for a path of ${length} characters`, posix, async () => {
    const folders = Array.from({ length: Math.floor(length / 100) }, () => 'd'.repeat(99));
    const path = `${folders.join('/')}/${'f'.repeat(length % 100 || 1)}`;
    const lab = openLab(plant({ [path]: 'needle\nneedle\nneedle\n' }));
    const pages = await pagesOf(lab, 'text', 'search_text', { pattern: 'needle', maxMatches: 1, maxChars: 20_000 });
    assert.deepEqual(
      pages.flatMap((page) => readText(page.text).rows.map((row) => row.line)),
      [1, 2, 3],
    );
    const files = await pagesOf(lab, 'text', 'list_files', { maxResults: 1, maxChars: 20_000 });
    assert.equal(files.length, 1);
  });
}

/** Characters of paths and texts in a data reply. */
function spent({ data }: Reply): { items: number; chars: number } {
  const sum = (texts: readonly string[]): number => texts.reduce((all, each) => all + each.length, 0);
  type Around = { readonly before?: readonly { text: string }[]; readonly after?: readonly { text: string }[] };
  const matches = (data.matches ?? []) as readonly (Around & { path: string; text: string })[];
  const around = matches.flatMap((match) => [...(match.before ?? []), ...(match.after ?? [])].map(({ text }) => text));
  const listed = [...(data.files ?? []), ...(data.counts ?? []).map(({ path }) => path)];
  const lines = (data.lines ?? []).map(({ text }) => text);
  return {
    items: matches.length + listed.length + lines.length,
    chars: sum(matches.flatMap(({ path, text }) => [path, text])) + sum(around) + sum(listed) + sum(lines),
  };
}

/** title, tool, arguments */
const bounded: [string, string, Args][] = [
  ['matches', 'search_text', { pattern: 'needle', maxMatches: 500 }],
  ['matches with context', 'search_text', { pattern: 'needle', maxMatches: 500, context: 10 }],
  ['paths with matches', 'search_text', { pattern: 'needle', output: 'files', maxMatches: 500 }],
  ['counts', 'search_text', { pattern: 'needle', output: 'count', maxMatches: 500 }],
  ['paths', 'list_files', {}],
  ['lines', 'read_snippet', { path: 'd0/f0.txt' }],
];
for (const [title, tool, args] of bounded) {
  test(`maxChars bounds the sum of paths and texts of the data: ${title}`, async () => {
    const lines = Array.from({ length: 60 }, (_, i) => (i % 6 === 0 ? `needle ${i}` : `other ${'y'.repeat(60)}`));
    const tree = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`d${i % 5}/f${i}.txt`, `${lines.join('\n')}\n`]));
    const lab = openLab(plant(tree));
    for (const maxChars of [500, 700, 2_000, 6_000, 50_000]) {
      const { items, chars } = spent(await lab.json(tool, { ...args, maxChars }));
      assert.ok(items > 0);
      assert.ok(chars <= maxChars || items === 1, `${chars} characters in ${items} items with maxChars ${maxChars}`);
    }
  });
}

const keysOf = (value: object): string[] => Object.keys(value).sort();
/** title, tool, arguments, fields that must be there, fields that may */
const shapes: [string, string, Args, string[], string[]][] = [
  [
    'search_text',
    'search_text',
    { pattern: 'needle', maxMatches: 1 },
    [
      'matches',
      'seenMatches',
      'totalMatches',
      'totalFiles',
      'truncated',
      'truncateReason',
      'timedOut',
      'partial',
      'notes',
      'nextCursor',
      'serverVersion',
      'durationMs',
    ],
    ['reading', 'stamps'],
  ],
  [
    'search_text with output files',
    'search_text',
    { pattern: 'needle', output: 'files' },
    ['files', 'seenMatches', 'totalFiles', 'truncated', 'truncateReason', 'timedOut', 'partial', 'notes', 'serverVersion', 'durationMs'],
    ['reading', 'totalMatches'],
  ],
  [
    'search_text with output count',
    'search_text',
    { pattern: 'needle', output: 'count' },
    [
      'counts',
      'seenMatches',
      'totalMatches',
      'totalFiles',
      'truncated',
      'truncateReason',
      'timedOut',
      'partial',
      'notes',
      'serverVersion',
      'durationMs',
    ],
    ['reading'],
  ],
  [
    'list_files',
    'list_files',
    { maxResults: 1 },
    ['files', 'returned', 'truncated', 'truncateReason', 'timedOut', 'notes', 'nextCursor'],
    ['totalFiles', 'partial', 'serverVersion', 'durationMs'],
  ],
  [
    'read_snippet',
    'read_snippet',
    { path: 'a.txt' },
    ['path', 'requestedLines', 'returnedLines', 'totalLines', 'lines', 'truncated', 'truncateReason', 'stamp'],
    ['notes', 'next', 'serverVersion'],
  ],
  ['an error', 'read_snippet', { path: 'none.txt' }, ['error'], []],
];
for (const [title, tool, args, must, may] of shapes) {
  test(`the data of ${title} has the field names of the contract`, async () => {
    const { data, text } = await openLab(plant({ 'a.txt': 'needle\nneedle\n', 'b.txt': 'needle\n' })).json(tool, args);
    for (const key of must) assert.ok(key in data, `${key} is missing in ${keysOf(data).join(' ')}`);
    assert.deepEqual(
      keysOf(data).filter((key) => !must.includes(key) && !may.includes(key)),
      [],
    );
    assert.deepEqual(JSON.parse(text), data, 'the text is the same as JSON');
  });
}

test('a match has the field names of the contract, and an error its code, message and hint', async () => {
  const lab = openLab(plant({ 'a.txt': 'a\n\u00e9 needle needle\nb\n' }));
  const { data } = await lab.json('search_text', { pattern: 'needle' });
  assert.deepEqual(data.matches, [
    {
      path: 'a.txt',
      line: 2,
      column: 3,
      text: '\u00e9 needle needle',
      submatches: [
        { start: 2, end: 8 },
        { start: 9, end: 15 },
      ],
    },
  ]);
  const multi = await lab.json('search_text', { pattern: 'needle\\nb', multiline: true, regex: true });
  assert.deepEqual(multi.data.matches, [
    { path: 'a.txt', line: 2, endLine: 3, column: 10, text: '\u00e9 needle needle\nb', submatches: [{ start: 9, end: 17 }] },
  ]);
  const { data: failed } = await lab.json('read_snippet', { path: 'none' });
  assert.deepEqual(keysOf(failed.error ?? {}), ['code', 'hint', 'message']);
  const { data: read } = await lab.json('read_snippet', { path: 'a.txt', startLine: 2 });
  assert.deepEqual(
    [read.path, read.totalLines, read.lines],
    [
      'a.txt',
      3,
      [
        { line: 2, text: '\u00e9 needle needle' },
        { line: 3, text: 'b' },
      ],
    ],
  );
});

test('every fact of the text form is in the notes of the data', async () => {
  const tree = { '.gitignore': '*.log\n', 'x.log': 'hidden\n', 'a.txt': 'needle\nneedle\n', 'b.bin': 'needle\n\0' };
  const lab = openLab(plant(tree));
  for (const args of [{ pattern: 'needle', maxMatches: 1 }, { pattern: 'hidden' }, { pattern: 'absent' }, { pattern: 'nee.le' }]) {
    const { text } = await lab.text('search_text', args);
    const { data } = await lab.json('search_text', args);
    const facts = readText(text);
    assert.deepEqual(data.notes, [facts.head, ...facts.facts]);
  }
});
