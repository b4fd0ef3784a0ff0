import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Acceptor, type RootRules, type Selection } from '#dist/ripgrep/accept.js';
import { BUILTIN, BUILTIN_WITHOUT_GITIGNORE } from '#dist/ripgrep/builtin.js';
import { parseGlob, parseIgnore, RuleSet } from '#dist/ripgrep/glob.js';

const EVERYTHING: Selection = { scope: '', isScopeFile: false, globs: [], excluded: [], ignored: false };

function acceptor(selection: Partial<Selection>, csignore = ''): Acceptor {
  const builtin = ['node_modules/', '*.min.*'];
  const rules: RootRules = {
    isGit: true,
    usesGitignore: true,
    builtin,
    rules: new RuleSet([...parseIgnore(builtin.join('\n')), ...parseIgnore(csignore)]),
    csignore,
    notes: [],
  };
  return new Acceptor({ ...EVERYTHING, ...selection }, rules, (path) => !/(?:^|\/)\.(?:env|git)(?:\/|$)/.test(path));
}

const globs = (...texts: string[]) => texts.map(parseGlob);

const refusals: [title: string, selection: Partial<Selection>, csignore: string, path: string, why: unknown][] = [
  ['nothing in the way', {}, '', 'src/a.ts', undefined],
  ['a secret', {}, '', 'src/.env', { by: 'secret' }],
  ['a secret that .csignore includes', {}, '!.env', '.env', { by: 'secret' }],
  ['a secret that a glob names', { globs: globs('.env'), ignored: true }, '', '.env', { by: 'secret' }],
  ['.git', { ignored: true }, '', '.git/config', { by: 'secret' }],
  ['another folder than the scope', { scope: 'src' }, '', 'srcs/a.ts', { by: 'scope' }],
  ['a file of the scope', { scope: 'src' }, '', 'src/a.ts', undefined],
  ['the file that is the scope', { scope: 'src/a.ts', isScopeFile: true }, '', 'src/a.ts', undefined],
  ['what lies below a file that is the scope', { scope: 'src', isScopeFile: true }, '', 'src/a.ts', { by: 'scope' }],
  ['no glob that matches', { globs: globs('*.md', '*.js') }, '', 'a.ts', { by: 'globs' }],
  ['one glob of two that matches', { globs: globs('*.md', '*.ts') }, '', 'a.ts', undefined],
  ['an excluded file', { globs: globs('*.ts'), excluded: globs('a*') }, '', 'a.ts', { by: 'exclude', rule: 'a*' }],
  ['a built-in rule', {}, '', 'node_modules/a.js', { by: 'builtin', rule: 'node_modules/' }],
  ['a rule of .csignore', {}, '*.snap', 'a.snap', { by: 'csignore', rule: '*.snap' }],
  ['a built-in rule that .csignore takes back', {}, '!*.min.*', 'a.min.js', undefined],
  ['a rule of .csignore behind one that takes back', {}, '!*.min.*\n*.min.css', 'a.min.css', { by: 'csignore', rule: '*.min.css' }],
  ['rules are set aside', { ignored: true }, '*.snap', 'node_modules/a.snap', undefined],
];
for (const [title, selection, csignore, path, why] of refusals) {
  test(`why not: ${title}`, () => {
    const it = acceptor(selection, csignore);
    assert.deepEqual(it.whyNot(path), why);
    assert.equal(it.accepts(path), why === undefined);
  });
}

test('what .csignore includes again is known, unless rules are set aside', () => {
  assert.equal(acceptor({}, '!*.log').hasReincluded, true);
  assert.equal(acceptor({}, '*.log').hasReincluded, false);
  assert.equal(acceptor({ ignored: true }, '!*.log').hasReincluded, false);
  assert.deepEqual(
    ['a.log', 'a.ts', 'a.min.js'].map((path) => acceptor({}, '!*.log').isReincluded(path)),
    [true, false, false],
  );
  assert.equal(acceptor({ ignored: true }, '!*.log').isReincluded('a.log'), false);
});

test('the built-in rules are unique, positive, and each a rule', () => {
  const all = [...BUILTIN, ...BUILTIN_WITHOUT_GITIGNORE];
  assert.equal(new Set(all).size, all.length);
  assert.deepEqual(
    parseIgnore(all.join('\n')).map((rule) => rule.text),
    all,
  );
  assert.ok(parseIgnore(all.join('\n')).every((rule) => !rule.isNegated));
});
