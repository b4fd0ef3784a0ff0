import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { type IgnoreRule, parseIgnore, RuleSet } from '#dist/ripgrep/glob.js';
import { makePlace } from '../security/place.js';
import { Rig } from './rig.js';

const SEED = 20_261_130;
const place = makePlace();
const rig = new Rig(place);

/** The plain way to find the last rule. */
const lastMatch = (rules: readonly IgnoreRule[], path: string): IgnoreRule | undefined => rules.findLast((rule) => rule.matches(path));

const parsed: [title: string, text: string, rules: string[]][] = [
  ['nothing', '', []],
  ['comments and blank lines', '# a\n\n   \n#b', []],
  ['a byte order mark', '\ufeff*.log', ['*.log']],
  ['CR LF', 'a\r\nb\r\n', ['a', 'b']],
  ['spaces at the end', 'a  \nb\t', ['a', 'b']],
  ['an escaped space at the end', 'a\\ ', ['a\\ ']],
  ['spaces at the start, which belong to the name', '  a', ['  a']],
  ['an escaped #', '\\#a', ['\\#a']],
  ['a slash or ! alone', '/\n!\n!/', []],
];
for (const [title, text, rules] of parsed) {
  test(`rules: ${title}`, () =>
    assert.deepEqual(
      parseIgnore(text).map((rule) => rule.text),
      rules,
    ));
}

test('a ! includes again, an escaped one is part of the name', () => {
  const [again, escaped] = parseIgnore('!a\n\\!b');
  assert.deepEqual([again?.isNegated, again?.matches('a')], [true, true]);
  assert.deepEqual([escaped?.isNegated, escaped?.matches('!b')], [false, true]);
});

const matched: [rule: string, yes: string[], no: string[]][] = [
  ['*.log', ['a.log', 'x/y/a.log', 'd.log/f'], ['a.logs', 'alog']],
  ['build', ['build', 'build/a', 'x/build/a', 'x/build'], ['builds', 'rebuild/a']],
  ['build/', ['build/a', 'x/build/a/b'], ['build', 'x/build']],
  ['/build', ['build', 'build/a'], ['x/build', 'x/build/a']],
  ['/build/', ['build/a'], ['build', 'x/build/a']],
  ['a/b', ['a/b', 'a/b/c'], ['x/a/b', 'a/bc']],
  ['a/b/', ['a/b/c'], ['a/b', 'x/a/b/c']],
  ['a/*', ['a/b', 'a/b/c'], ['a', 'x/a/b']],
  ['a/**', ['a/b', 'a/b/c'], ['a', 'x/a/b']],
  ['a/**/', ['a/b/c'], ['a', 'a/b']],
  ['**/a', ['a', 'x/a', 'x/y/a/b'], ['ab']],
  ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b/c'], ['a/xb', 'x/a/b']],
  ['?.c', ['a.c', 'x/a.c'], ['ab.c', '.c']],
  ['[ab].c', ['a.c', 'b.c'], ['c.c']],
  ['[!ab].c', ['c.c'], ['a.c']],
  ['\\#a', ['#a'], ['a']],
  ['\\!a', ['!a'], ['a']],
  ['a\\ ', ['a '], ['a']],
  ['a b', ['a b', 'x/a b/c'], ['a']],
  ['*', ['a', 'a/b', '.a'], []],
  ['.*', ['.a', '.a/b', 'x/.a'], ['a', 'a.b']],
  ['a(1)', ['a(1)'], ['a1']],
  ['a+b', ['a+b'], ['aab']],
  ['a|b', ['a|b'], ['a', 'b']],
  ['"a"', ['"a"'], ['a']],
];
for (const [rule, yes, no] of matched) {
  test(`the rule ${rule} matches ${yes.join(', ')}${no.length > 0 ? ` and not ${no.join(', ')}` : ''}`, () => {
    const [only] = parseIgnore(rule);
    for (const path of yes) assert.equal(only?.matches(path), true, path);
    for (const path of no) assert.equal(only?.matches(path), false, path);
  });
}

const lasts: [title: string, text: string, path: string, rule: string | undefined][] = [
  ['no rule', 'a', 'b', undefined],
  ['the only one', 'a', 'a', 'a'],
  ['the last of two', '*.log\n!keep.log', 'keep.log', '!keep.log'],
  ['the last of three', '*.log\n!keep.log\nkeep.log', 'keep.log', 'keep.log'],
  ['one further up, where the last does not match', '*.log\n!keep.log', 'a.log', '*.log'],
  ['a file again below an excluded folder', 'gen/\n!gen/keep.ts', 'gen/keep.ts', '!gen/keep.ts'],
];
for (const [title, text, path, rule] of lasts) {
  test(`the last rule decides: ${title}`, () => assert.equal(new RuleSet(parseIgnore(text)).lastMatch(path)?.text, rule));
}

// Random rules, as a .ignore file that ripgrep reads itself and as our own matchers.
const WORDS = ['a', 'b', 'ab', 'src', 'x.ts', 'y.md', '.hid', 'a b'];
const paths = [
  ...new Set(
    fc.sample(
      fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }).map((parts) => `${parts.join('/')}.${parts.length}`),
      { seed: SEED, numRuns: 120 },
    ),
  ),
].sort();
const tree = place.fill('tree', paths);
const part = fc.constantFrom('a', 'b', 'ab', 'src', 'x.ts', '*', 'a*', '*.ts', '*.2', '?', '[ab]', '.hid', '**', 'a b', '*.{1,3}');
const rule = fc
  .tuple(fc.constantFrom('', '', '/'), fc.array(part, { minLength: 1, maxLength: 3 }), fc.constantFrom('', '', '/'))
  .map(([start, parts, end]) => start + parts.join('/') + end)
  .filter((text) => !/\*\*\/\*\*|\*\*\/?$/.test(text));

test(`random rules hide what ripgrep hides by them (seed ${SEED})`, async (t) => {
  t.after(() => rmSync(place.at('tree/.ignore')));
  await fc.assert(
    fc.asyncProperty(fc.array(rule, { minLength: 1, maxLength: 4 }), async (lines) => {
      place.put('tree/.ignore', `.ignore\n${lines.join('\n')}\n`);
      const rules = parseIgnore(lines.join('\n'));
      assert.deepEqual(
        await rig.list(tree),
        paths.filter((path) => lastMatch(rules, path) === undefined),
      );
    }),
    { seed: SEED, numRuns: 250 },
  );
});

test(`random rules of .csignore, also such that include again, show what their last match says (seed ${SEED})`, async () => {
  const signed = fc.tuple(fc.constantFrom('', '!'), rule).map(([sign, text]) => sign + text);
  const hidden = parseIgnore('*.ts*\nsrc/');
  place.put('tree/.gitignore', '*.ts*\nsrc/\n.gitignore\n.csignore\n');
  await fc.assert(
    fc.asyncProperty(
      fc.array(signed, { minLength: 1, maxLength: 4 }),
      fc.option(fc.constantFrom('*.2', 'a/**', '*b*'), { nil: undefined }),
      async (lines, glob) => {
        const text = `${lines.join('\n')}\n.csignore\n.gitignore\n`;
        place.put('tree/.csignore', text);
        const rules = parseIgnore(text);
        const all = glob === undefined ? paths : await rig.list(tree, { globs: [glob], ignored: true });
        const expected = all.filter((path) => {
          const decides = lastMatch(rules, path);
          return decides === undefined ? lastMatch(hidden, path) === undefined : decides.isNegated;
        });
        const shown = await rig.list(tree, glob === undefined ? {} : { globs: [glob] });
        assert.deepEqual(shown, expected.filter((path) => !path.startsWith('.csignore') && !path.startsWith('.gitignore')).sort());
      },
    ),
    { seed: SEED, numRuns: 250 },
  );
});

test(`a set of rules finds the same last match as trying them all (seed ${SEED})`, () => {
  const name = fc.constantFrom(
    'a',
    'b.ts',
    '*.ts',
    '*.b.ts',
    '*.min.*',
    'a/',
    '*.d/',
    '/a',
    'a/b',
    '.hid',
    'a-b',
    'a b',
    '*',
    '\\#a',
    'x+y',
  );
  const line = fc.tuple(fc.constantFrom('', '!'), name).map(([sign, text]) => sign + text);
  const file = fc.array(fc.constantFrom('a', 'b.ts', 'a.b.ts', 'x.min.js', '.hid', 'a-b', 'a b', '#a', 'x.d', 'x+y'), {
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), file, (lines, parts) => {
      const rules = parseIgnore(lines.join('\n'));
      assert.equal(new RuleSet(rules).lastMatch(parts.join('/')), lastMatch(rules, parts.join('/')));
    }),
    { seed: SEED, numRuns: 10_000 },
  );
});
