/** Suggestions, and the numbers that they promise: by their own rules, and by making the call. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TEST_GLOBS, testGlobOf } from '#dist/ranking/path-class.js';
import { parseGlob } from '#dist/ripgrep/glob.js';
import { matcherOf, type Suggestion, suggest } from '#dist/search/suggestions.js';
import { type Args, Dice, openLab, plant, type Tree } from '../../support/e2e-lab.js';

const SEED = 20_261_201;
const parts = fc.constantFrom('src', 'test', 'Tests', 'x.c', '.hidden', 'test_x.py', 'a.test.ts', 'xTest.java', 'b_test.go', 'conftest.py');
const path = fc.array(parts, { minLength: 1, maxLength: 4 }).map((all) => all.join('/'));

test(`leaves out exactly what its globs leave out (seed ${SEED})`, () => {
  const globs = fc.uniqueArray(fc.constantFrom('test', 'Tests', ...TEST_GLOBS.map(([glob]) => glob)), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(globs, path, (some, at) => {
      const expected = some.map(parseGlob).some((glob) => glob.matches(at));
      assert.equal(matcherOf(some)(at), expected, `${some.join(' ')} ${at}`);
    }),
    { seed: SEED, numRuns: 5_000 },
  );
});

test(`a glob for a test leaves out the test (seed ${SEED})`, () => {
  fc.assert(
    fc.property(path, (at) => {
      const glob = testGlobOf(at);
      if (glob !== undefined) assert.ok(parseGlob(glob).matches(at), `${glob} ${at}`);
    }),
    { seed: SEED, numRuns: 2_000 },
  );
});

const FILES = [
  { path: 'src/a.ts', hits: 50 },
  { path: 'src/b.js', hits: 30 },
  { path: 'test/c.ts', hits: 20 },
];
const MEANS = { takesGlobs: true, leavesOutBy: 'exclude' } as const;
const shown = (all: readonly Suggestion[]): string[] =>
  all.map(({ action, argument, arg, wouldYield }) => `${action} ${argument} ${JSON.stringify(arg)} ${wouldYield}`);

test('says for each change what it gives', () => {
  const shares = [{ dir: 'src', hits: 80, files: 2 }];
  assert.deepEqual(shown(suggest(FILES, 100, shares, 60, MEANS)), [
    'narrow_scope scope "src" 80',
    'add_glob globs ["*.ts"] 70',
    'add_glob globs ["*.js"] 30',
    'whole_word word true 60',
    'exclude_tests exclude ["test"] 80',
    'force force true 100',
  ]);
});

test('keeps what the caller has set already, and adds no glob to others, which would widen the search', () => {
  const means = { ...MEANS, globs: ['!*.md'], exclude: ['dist'] };
  assert.deepEqual(shown(suggest(FILES, 100, [], undefined, means)).slice(0, 3), [
    'add_glob globs ["*.ts","!*.md"] 70',
    'add_glob globs ["*.js","!*.md"] 30',
    'exclude_tests exclude ["dist","test"] 80',
  ]);
  assert.deepEqual(shown(suggest(FILES, 100, [], undefined, { ...MEANS, globs: ['src/**'] })), [
    'exclude_tests exclude ["test"] 80',
    'force force true 100',
  ]);
});

test('a change that helps next to nothing, or leaves nothing, is not offered', () => {
  assert.deepEqual(shown(suggest([{ path: 'test/a.ts', hits: 10 }], 10, [], 0, MEANS)), ['force force true 10']);
});

test('no list of globs is offered that is longer than a call may hold', () => {
  const globs = Array.from({ length: 50 }, (_, n) => `!x${n}`);
  assert.deepEqual(shown(suggest(FILES, 100, [], undefined, { ...MEANS, globs })), [
    'exclude_tests exclude ["test"] 80',
    'force force true 100',
  ]);
});

test('a tool without globs is offered none', () => {
  assert.deepEqual(shown(suggest(FILES, 100, [], undefined, { takesGlobs: false, leavesOutBy: undefined })), ['force force true 100']);
});

/** Few bounds, so that small trees are broad; what is counted beside is compared with what was kept. */
const LOW = { gateMaxFiles: 1, gateMaxHits: 2, gateCompoundMargin: 0 };
const LINES = [
  'needle',
  'a needle',
  'needles',
  'xneedle',
  'Needle',
  'NEEDLE needle',
  '\u00e9needle',
  'needle\u0301',
  'needle_x',
  'needle-x',
  'none',
];

function tree(dice: Dice): Tree {
  const made: Record<string, string> = {};
  for (let n = dice.int(2, 25); n > 0; n--) {
    const folders = dice.many(0, 3, () => dice.pick(['src', 'lib', 'test', 'Tests', 'odd.ts', 'deep', '.hidden', 'a b']));
    const file = dice.pick(['x.ts', 'y.ts', 'y.c', 'z.test.ts', 'test_z.py', 'README', '.env.sample', 'w.h']);
    made[[...folders, `${n}${file}`].join('/')] = `${dice.many(1, 12, () => dice.pick(LINES)).join('\n')}\n`;
  }
  return made;
}

function call(dice: Dice): Args {
  return {
    pattern: dice.pick(['needle', 'needle', 'needl', 'eedle', 'Needle', 'n.*e']),
    ...(dice.chance(0.3) ? { ignoreCase: true } : {}),
    ...(dice.chance(0.2) ? { word: true } : {}),
    ...(dice.chance(0.2) ? { scope: dice.pick(['src', 'lib', 'test']) } : {}),
    ...(dice.chance(0.3) ? { globs: dice.pick([['!*.h'], ['*.ts'], ['!test', '!*.c']]) } : {}),
    ...(dice.chance(0.2) ? { exclude: ['deep'] } : {}),
  };
}

interface Refined {
  readonly status?: string;
  readonly summary?: { readonly totalFound: number; readonly files: number; readonly isAtLeast?: boolean };
  readonly suggestions?: readonly Suggestion[];
  readonly distribution?: readonly { readonly dir: string; readonly hits: number }[];
}

for (const [how, limits] of [
  ['from the kept matches', LOW],
  ['from the counting pass', { ...LOW, maxHitsKept: 3, gateCountMs: 5_000 }],
] as const) {
  test(`every suggestion gives what it promises, ${how} (25 trees, seeds from ${SEED})`, async () => {
    const actions = new Set<string>();
    for (let turn = 0; turn < 25; turn++) {
      const dice = new Dice(SEED + turn);
      const dir = plant({ 'src/k': '', 'lib/k': '', 'test/k': '', ...tree(dice) });
      const args = call(dice);
      const about = `seed ${SEED + turn} ${JSON.stringify(args)}`;
      const refined = (await openLab(dir, { limits }).json('search_text', args)).data as Refined;
      if (refined.status === undefined) continue;
      assert.equal(refined.summary?.isAtLeast, undefined, about);
      const plain = openLab(dir);
      for (const { action, argument, arg, wouldYield } of [...(refined.suggestions ?? [])]) {
        actions.add(action);
        const { data } = await plain.json('search_text', { ...args, maxMatches: 500, [argument]: arg });
        assert.equal(data.totalMatches, wouldYield, `${about} ${argument}: ${JSON.stringify(arg)}`);
      }
      const whole = (await plain.json('search_text', { ...args, maxMatches: 500 })).data;
      assert.deepEqual([whole.totalMatches, whole.totalFiles], [refined.summary?.totalFound, refined.summary?.files], about);
    }
    assert.deepEqual([...actions].sort(), ['add_glob', 'exclude_tests', 'force', 'narrow_scope', 'whole_word']);
  });
}

test(`suggestions of locate give what they promise (12 trees, seeds from ${SEED})`, async () => {
  const actions = new Set<string>();
  for (let turn = 0; turn < 12; turn++) {
    const dir = plant(tree(new Dice(SEED + turn)));
    const refined = (await openLab(dir, { limits: LOW }).json('locate', { query: 'needle' })).data as Refined;
    const low = openLab(dir, { limits: { ...LOW, gateMaxFiles: 1, gateMaxHits: 1, gateMaxTokens: 1 } });
    for (const { action, argument, arg, wouldYield } of refined.suggestions ?? []) {
      if (action === 'force') continue;
      actions.add(action);
      const { data } = await low.json('locate', { query: 'needle', [argument]: arg });
      assert.equal((data as Refined).summary?.totalFound, wouldYield, `seed ${SEED + turn} ${argument}: ${JSON.stringify(arg)}`);
    }
  }
  assert.deepEqual([...actions].sort(), ['add_glob', 'exclude_tests', 'narrow_scope']);
});
