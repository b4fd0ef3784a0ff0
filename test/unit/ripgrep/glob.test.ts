import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { escapePath, literalGlob, parseGlob, parseIgnore, RuleSet } from '#dist/ripgrep/glob.js';
import { makePlace } from '../security/place.js';
import { Rig } from './rig.js';

const SEED = 20_261_130;
const place = makePlace();
const rig = new Rig(place);

const PATHS = [
  'A.ts',
  'a.ts',
  'a1.ts',
  'a(1).ts',
  'a+b.ts',
  'aab.ts',
  'b.tsx',
  'src/a.ts',
  'src/lib/a.ts',
  'src/lib/deep/c.ts',
  'src/lib.ts',
  'lib/a.ts',
  'srcs/a.ts',
  'docs/readme.md',
  'docs/src/b.md',
  'app/[id]/page.ts',
  'app/i/page.ts',
  'app/[...slug]/page.ts',
  '{x}/y.ts',
  'x/y.ts',
  'sp ace/f g.ts',
  '#hash.ts',
  '!bang.ts',
  '-dash.ts',
  '~tilde',
  '@scope/p.ts',
  'a,b.ts',
  "it's.md",
  'say "hi".md',
  'x^y$z.md',
  'a|b',
  'back\\slash.md',
  'tail',
  'tail ',
  '.eslintrc',
  '.github/ci.yml',
  'dots../d.ts',
  'ünï/ç.ts',
].sort();
const tree = place.fill('globs', PATHS);

const TS = PATHS.filter((path) => path.endsWith('.ts'));
const below = (folder: string): string[] => PATHS.filter((path) => path.startsWith(`${folder}/`));

const table: [title: string, glob: string, expected: string[]][] = [
  ['an extension at any depth', '*.ts', TS],
  ['the same, spelled out', '**/*.ts', TS],
  ['an extension at the top', '/*.ts', TS.filter((path) => !path.includes('/'))],
  ['an extension at the top, with ./', './*.tsx', ['b.tsx']],
  ['a name at any depth', 'a.ts', ['a.ts', 'lib/a.ts', 'src/a.ts', 'src/lib/a.ts', 'srcs/a.ts']],
  ['a name at the top', '/a.ts', ['a.ts']],
  ['letter case', 'A.ts', ['A.ts']],
  ['a folder at any depth', 'src', [...below('docs/src'), ...below('src')]],
  ['a folder at any depth, with a slash', 'src/', [...below('docs/src'), ...below('src')]],
  ['a folder at the top', '/src', below('src')],
  ['a folder at the top with its content', 'src/**', below('src')],
  ['a folder of a folder', 'src/lib', below('src/lib')],
  ['the same with doubled slashes', './/src//lib//', below('src/lib')],
  ['what lies below a folder, and no file of its name', '/tail/**', []],
  ['a file of a folder', 'src/*.ts', ['src/a.ts', 'src/lib.ts']],
  ['folders in between', 'src/**/c.ts', ['src/lib/deep/c.ts']],
  ['no folder in between', 'src/**/a.ts', ['src/a.ts', 'src/lib/a.ts']],
  ['one folder in between', 'src/*/a.ts', ['src/lib/a.ts']],
  ['a folder anywhere, and a file in it', '**/src/*', ['docs/src/b.md', ...below('src')]],
  ['one character', 'a?.ts', ['a1.ts']],
  ['one character is no slash', 'src?a.ts', []],
  ['a star is no slash', 'src*a.ts', []],
  ['a class of characters', '[ab].ts*', ['a.ts', 'b.tsx', 'lib/a.ts', 'src/a.ts', 'src/lib/a.ts', 'srcs/a.ts']],
  ['a range of characters', 'a[0-9].ts', ['a1.ts']],
  ['a negated class', '/[!a-z]*.ts', ['!bang.ts', '#hash.ts', '-dash.ts', 'A.ts']],
  ['a class negated by ^', '/[^a-z]*.ts', ['!bang.ts', '#hash.ts', '-dash.ts', 'A.ts']],
  ['braces', '*.{tsx,md}', PATHS.filter((path) => /\.(?:tsx|md)$/.test(path))],
  ['braces over folders', '{lib,srcs}/*.ts', ['lib/a.ts', 'srcs/a.ts']],
  ['braces with a slash in them', '{src/lib,docs}/*', [...below('docs'), ...below('src/lib')]],
  ['brackets that are part of a name', 'app/[id]/page.ts', ['app/[id]/page.ts', 'app/i/page.ts']],
  ['brackets and dots of a name', 'app/[...slug]/**', ['app/[...slug]/page.ts']],
  ['escaped brackets', 'app/\\[id\\]/**', ['app/[id]/page.ts']],
  ['braces that are part of a name', '{x}/y.ts', ['x/y.ts', '{x}/y.ts']],
  ['escaped braces', '\\{x\\}/y.ts', ['{x}/y.ts']],
  ['parentheses that are part of a name', 'a(1).ts', ['a(1).ts']],
  ['escaped parentheses', 'a\\(1\\).ts', ['a(1).ts']],
  ['a plus', 'a+b.ts', ['a+b.ts']],
  ['a plus behind a class', '[ab]+b.ts', ['a+b.ts']],
  ['a plus behind braces', '{a,z}+b.ts', ['a+b.ts']],
  ['spaces', 'sp ace/*', ['sp ace/f g.ts']],
  ['a leading #', '#hash.ts', ['#hash.ts']],
  ['an escaped leading !', '\\!bang.ts', ['!bang.ts']],
  ['a leading -', '-dash.ts', ['-dash.ts']],
  ['a leading ~', '~tilde', ['~tilde']],
  ['a leading @', '@scope/*', ['@scope/p.ts']],
  ['a comma', 'a,b.ts', ['a,b.ts']],
  ['an apostrophe', "it's.md", ["it's.md"]],
  ['quotes', 'say "hi".md', ['say "hi".md']],
  ['^ and $', 'x^y$z.md', ['x^y$z.md']],
  ['a bar', 'a|b', ['a|b']],
  ['an escaped backslash', 'back\\\\slash.md', ['back\\slash.md']],
  ['a space at the end', 'tail ', ['tail ']],
  ['nothing at the end', 'tail', ['tail']],
  ['a hidden file', '.eslintrc', ['.eslintrc']],
  ['hidden files', '.*', ['.eslintrc', '.github/ci.yml']],
  ['a star takes hidden files too', '*lintrc', ['.eslintrc']],
  ['a hidden folder', '.github', ['.github/ci.yml']],
  ['a folder whose name ends in dots', 'dots../*', ['dots../d.ts']],
  ['letters beyond ASCII', 'ünï/?.ts', ['ünï/ç.ts']],
  ['a prefix of a folder and all below it', 'sr*', [...below('docs/src'), ...below('src'), ...below('srcs')]],
  ['the same with two stars', 'sr**', [...below('docs/src'), ...below('src'), ...below('srcs')]],
  ['all', '**', PATHS],
  ['all, with one star', '*', PATHS],
  ['all below folders', '*/**', PATHS.filter((path) => path.includes('/'))],
  ['the root', '.', PATHS],
  ['the root with a slash', './', PATHS],
  ['what does not exist', 'nope', []],
];
for (const [title, glob, expected] of table) {
  const wanted = [...expected].sort();
  test(`glob: ${title} (${glob}) matches by our matcher`, () => {
    const { matches } = parseGlob(glob);
    assert.deepEqual(PATHS.filter(matches), wanted);
  });
  test(`glob: ${title} (${glob}) lists with the real ripgrep`, async () => {
    assert.deepEqual(await rig.list(tree, { globs: [glob] }), wanted);
  });
  test(`glob: ${title} (${glob}) leaves the others when excluded`, async () => {
    const left = PATHS.filter((path) => !wanted.includes(path));
    assert.deepEqual(await rig.list(tree, { exclude: [glob] }), left);
  });
}

test('several globs add up, and negated ones take away', async () => {
  assert.deepEqual(
    await rig.list(tree, { globs: ['*.md', 'b.tsx', '!docs/**'] }),
    ["it's.md", 'b.tsx', 'back\\slash.md', 'say "hi".md', 'x^y$z.md'].sort(),
  );
  assert.deepEqual(
    await rig.list(tree, { globs: ['!*.ts', '!*.md'] }),
    PATHS.filter((path) => !/\.(?:ts|md)$/.test(path)),
  );
  assert.deepEqual(
    await rig.list(tree, { globs: ['*.md'], exclude: ['!docs', "it's*"] }),
    ['back\\slash.md', 'say "hi".md', 'x^y$z.md'].sort(),
  );
});

const refused: [title: string, glob: string, why: RegExp][] = [
  ['nothing', '', /is empty/],
  ['spaces', '  ', /is empty/],
  ['a NUL', 'a\0b', /NUL or a line break/],
  ['a line feed, which would forge a rule', '*.ts\n!.env', /NUL or a line break/],
  ['a carriage return', 'a\rb', /NUL or a line break/],
  ['..', '..', /never leave the root/],
  ['a leading ..', '../a', /never leave the root/],
  ['.. further down', 'a/../../b', /never leave the root/],
  ['.. behind ./', './/../a', /never leave the root/],
];
for (const [title, glob, why] of refused) {
  test(`a glob is refused: ${title}`, () =>
    assert.throws(() => parseGlob(glob), { name: 'ToolError', code: 'glob_invalid', message: why }));
}

const unparsable: [title: string, choice: { globs?: string[]; exclude?: string[] }, named: string][] = [
  ['an open bracket', { globs: ['*.ts', 'src/[a'] }, 'src/[a'],
  ['an open brace', { globs: ['{a,b'] }, '{a,b'],
  ['a closing brace', { globs: ['a}'] }, 'a}'],
  ['a backslash at the end', { globs: ['a\\'] }, 'a\\'],
  ['a range that goes backwards', { globs: ['[z-a]'] }, '[z-a]'],
  ['an excluded one', { exclude: ['[a'] }, '[a'],
  ['a negated one', { globs: ['!{a'] }, '{a'],
];
for (const [title, choice, named] of unparsable) {
  test(`a glob that ripgrep cannot parse is named: ${title}`, async () => {
    await assert.rejects(rig.list(tree, choice), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'glob_invalid');
      assert.ok(error.message.includes(`"${named}"`), error.message);
      return true;
    });
  });
}

test('a glob keeps the text that the caller wrote', () => assert.equal(parseGlob('.//src//').text, './/src//'));

test('a literal glob means exactly one path', async () => {
  for (const path of PATHS) assert.deepEqual(PATHS.filter(literalGlob(path).matches), [path]);
});

test('an escaped path matches only itself, as a glob and for ripgrep as a scope', async () => {
  for (const path of PATHS) {
    assert.deepEqual(PATHS.filter(parseGlob(`/${escapePath(path)}`).matches), [path], path);
    assert.deepEqual(await rig.list(tree, { scope: path }), [path]);
  }
});

test('every folder is a scope', async () => {
  const folders = readdirSync(tree, { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const folder of folders) {
    const relative = `${folder.parentPath}/${folder.name}`.slice(tree.length + 1);
    assert.deepEqual(await rig.list(tree, { scope: relative }), below(relative), relative);
  }
});

/** Matching stopped after a second: a repository brings its own .csignore. */
function inTime(matches: (path: string) => boolean, path: string): boolean {
  try {
    runInNewContext('run()', { run: () => matches(path) }, { timeout: 1_000 });
    return true;
  } catch {
    return false;
  }
}

const slow: [title: string, glob: string, path: string][] = [
  ['many stars', `${'*a'.repeat(20)}b`, 'a'.repeat(200)],
  ['many double stars', `${'**/a/'.repeat(20)}b`, `${'a/'.repeat(60)}c`],
  ['many question marks and stars', `${'?*'.repeat(25)}b`, 'a'.repeat(200)],
];
for (const [title, glob, path] of slow) {
  test(`a glob of ${title} does not hold up the server`, () => {
    assert.ok(inTime(parseGlob(glob).matches, path));
  });
  test(`a rule of .csignore of ${title} does not hold up the server`, () => {
    const rules = new RuleSet(parseIgnore(glob));
    assert.ok(inTime((candidate) => rules.lastMatch(candidate) !== undefined, path));
  });
}

// A random comparison with an oracle of its own, which knows the syntax that the README promises.
const WORDS = ['a', 'b', 'ab', 'src', 'lib', 'x.ts', 'y.ts', 'z.md', '.hid', 'a b', '[id]', 'q(1)'];
const randomPaths = [
  ...new Set(
    fc.sample(
      fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }).map((parts) => `${parts.join('/')}.${parts.length}`),
      { seed: SEED, numRuns: 150 },
    ),
  ),
].sort();
const randomTree = place.fill('random', randomPaths);

/** A glob without escapes as a regular expression. */
function oracle(glob: string): (path: string) => boolean {
  const anchored = glob.includes('/') ? glob.replace(/^\//, '') : `**/${glob}`;
  const source = anchored
    .split(/(\*\*\/|\/\*\*$|\*|\?|\{[^}]*\})/)
    .map((part) => {
      if (part === '**/') return '(?:.*/)?';
      if (part === '/**') return '/.+';
      if (part === '*') return '[^/]*';
      if (part === '?') return '[^/]';
      const quote = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      return part.startsWith('{') ? `(?:${part.slice(1, -1).split(',').map(quote).join('|')})` : quote(part);
    })
    .join('');
  const pattern = new RegExp(`^${source}(?:/.*)?$`, 's');
  return (path) => pattern.test(path);
}

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', 'b', 'ab', 'src', 'lib', 'x.ts', '.hid', 'a b', 'q(1)') },
  { weight: 4, arbitrary: fc.constantFrom('*', 'a*', '*b', '*.ts*', '?', '??', '*.2', '*.{1,3}', '{a,src}', '{x,y}.ts', 's?c') },
  { weight: 2, arbitrary: fc.constant('**') },
);
const randomGlob = fc
  .tuple(fc.boolean(), fc.array(piece, { minLength: 1, maxLength: 4 }))
  .map(([isAnchored, parts]) => (isAnchored ? '/' : '') + parts.join('/'))
  .filter((glob) => !/\*\*\/\*\*|\/\*\*$/.test(glob));

test(`random sets of globs list exactly what they say, with the real ripgrep: 0 missing, 0 extra (seed ${SEED})`, async () => {
  let nonEmpty = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(randomGlob, { maxLength: 3 }),
      fc.array(randomGlob, { maxLength: 2 }),
      fc.constantFrom(undefined, 'a', 'src', 'a/b', 'lib'),
      async (globs, exclude, wantedScope) => {
        const scope = wantedScope !== undefined && randomPaths.some((path) => path.startsWith(`${wantedScope}/`)) ? wantedScope : undefined;
        const positive = globs.map(oracle);
        const negative = exclude.map(oracle);
        const expected = randomPaths.filter(
          (path) =>
            (scope === undefined || path.startsWith(`${scope}/`)) &&
            (positive.length === 0 || positive.some((matches) => matches(path))) &&
            !negative.some((matches) => matches(path)),
        );
        if (expected.length > 0) nonEmpty++;
        assert.deepEqual(await rig.list(randomTree, { globs, exclude, ...(scope === undefined ? {} : { scope }) }), expected);
      },
    ),
    { seed: SEED, numRuns: 250 },
  );
  assert.ok(nonEmpty > 80, `only ${nonEmpty} listings had files, so this proves little`);
});
