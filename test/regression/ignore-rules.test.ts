/** What is never shown, what is left out unless asked for, and that a reply says which rules it followed. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { anchoredRules, ignored, makeWorld, nested, noGit } from '../support/fixtures.js';
import { everything, filesOf, linesOf, places } from '../support/replies.js';
import { openForms, sharedForms } from '../support/server.js';

const world = makeWorld();
const ignoredRoot = ignored(world);
const noGitRoot = noGit(world);
const parentRoot = anchoredRules(world);
const nestedRoot = nested(world);
const onIgnored = sharedForms(() => ({ root: ignoredRoot }));
const onNoGit = sharedForms(() => ({ root: noGitRoot }));
const onParent = sharedForms(() => ({ root: parentRoot }));
const onNested = sharedForms(() => ({ root: nestedRoot }));

/** What the rules of the tree leave; the rule file itself may or may not be named. */
const LEFT = ['.github/workflows/ci.yml', 'foo.html'];
const besidesRules = (files: readonly string[]): string[] => files.filter((file) => file !== '.gitignore');

for (const [glob, expected] of [
  ['**', LEFT],
  ['*.log', []],
  ['*.*', LEFT],
] as const) {
  // https://github.com/MoonshotAI/kimi-code/issues/1244
  test(`glob-overrides-ignore: the glob ${glob} lifts no ignore rule`, async () => {
    const answer = await (await onIgnored()).list({ globs: [glob] });
    assert.equal(answer.isError, false);
    assert.deepEqual(besidesRules(filesOf(answer)), expected);
  });
}

for (const [globs, expected] of [
  [['*'], LEFT],
  [['**/*'], LEFT],
  [['**', '!foo.html'], ['.github/workflows/ci.yml']],
  [['*.html'], ['foo.html']],
  [['htmlcov/**'], []],
  [['**/bar.html'], []],
  [['gen/**'], []],
  [['gen/test.h'], []],
  [['/gen/**'], []],
  [['scripts/**'], []],
  [['node_modules/**'], []],
  [['**/index.js'], []],
  [['.env'], []],
  [['.*'], ['.github/workflows/ci.yml']],
  [['.git/**'], []],
  [['**/.git/**'], []],
  [['.git'], []],
  [['**/HEAD'], []],
  [['{.env,foo.html}'], ['foo.html']],
  [['!*.log'], LEFT],
  [['!.git', '**'], LEFT],
] as const) {
  test(`glob-overrides-ignore: ${JSON.stringify(globs)} is a filter over what the rules leave, in both tools`, async () => {
    const forms = await onIgnored();
    assert.deepEqual(besidesRules(filesOf(await forms.list({ globs }))), expected);
    const found = await forms.search({ pattern: '.', regex: true, globs, output: 'files' });
    assert.deepEqual(besidesRules(filesOf(found)), expected);
  });
}

for (const scope of ['gen', 'htmlcov', 'scripts', 'node_modules', 'app.log', 'gen/test.h', 'scripts/example_writer.py']) {
  test(`glob-overrides-ignore: naming ${scope} as scope does not lift the rule that hides it`, async () => {
    const forms = await onIgnored();
    for (const answer of [await forms.search({ pattern: 'needle', scope }), await forms.list({ scope })]) {
      assert.ok(answer.isError || (places(answer).length === 0 && filesOf(answer).length === 0), answer.text);
      assert.match(answer.text, /ignore/i);
    }
    const lifted = await forms.search({ pattern: 'needle', scope, ignored: true });
    assert.equal(places(lifted).length, 1, lifted.text);
  });
}

for (const args of [{}, { scope: 'scripts' }]) {
  // https://github.com/anthropics/claude-code/issues/84161
  test(`ignored-is-not-absent: an empty reply to ${JSON.stringify(args)} says that ignore rules applied and how to lift them`, async () => {
    const answer = await (await onIgnored()).search({ pattern: 'example_writer', ...args });
    assert.equal(answer.isError, false);
    assert.deepEqual(places(answer), []);
    assert.match(answer.text, /ignore/i);
    assert.match(answer.text, /\bignored\b/, 'names the argument');
    const notes = (answer.structured.notes ?? []).join('\n');
    assert.match(notes, /\bignored\b/);
  });
}

test('ignored-is-not-absent: ignored: true finds it', async () => {
  const answer = await (await onIgnored()).search({ pattern: 'example_writer', ignored: true });
  assert.deepEqual(places(answer), ['scripts/example_writer.py:1']);
});

for (const [name, rules] of [
  ['.gitignore', { '.gitignore': 'hidden/\n' }],
  ['.ignore', { '.ignore': 'hidden/\n' }],
  ['.rgignore', { '.rgignore': 'hidden/\n' }],
  ['.csignore', { '.csignore': 'hidden/\n' }],
  ['a .gitignore in a folder below', { 'deep/.gitignore': 'hidden/\n' }],
] as const) {
  test(`ignored-is-not-absent: ${name} counts without a git folder, is named as a reason and can be lifted`, async () => {
    const folder = `rules-${Object.keys(rules)[0]!.replace('/', '-')}`;
    const root = world.puts(folder, { ...rules, 'deep/hidden/a.ts': 'special_word\n', 'kept.ts': 'other\n' });
    const forms = await openForms({ root });
    const empty = await forms.search({ pattern: 'special_word' });
    assert.deepEqual(places(empty), []);
    assert.match(empty.text, /\bignored\b/);
    const lifted = await forms.search({ pattern: 'special_word', ignored: true });
    assert.deepEqual(places(lifted), ['deep/hidden/a.ts:1']);
    assert.ok(filesOf(await forms.list({ ignored: true })).includes('deep/hidden/a.ts'));
    assert.ok(!filesOf(await forms.list({})).includes('deep/hidden/a.ts'));
  });
}

test('ignored-is-not-absent: the built-in list is such a rule too', async () => {
  const forms = await onIgnored();
  const root = world.puts('builtin', { 'node_modules/p/x.js': 'module_word\n', 'app.min.js': 'module_word\n', 'a.ts': 'other\n' });
  const own = await openForms({ root });
  const empty = await own.search({ pattern: 'module_word' });
  assert.deepEqual(places(empty), []);
  assert.match(empty.text, /\bignored\b/);
  assert.deepEqual(places(await own.search({ pattern: 'module_word', ignored: true })), ['app.min.js:1', 'node_modules/p/x.js:1']);
  const list = await forms.list({ globs: ['**/index.js'] });
  assert.match(list.text, /ignore/i);
});

test('ignored-is-not-absent: a reply that is empty because nothing is there does not blame the rules', async () => {
  const answer = await (await onIgnored()).search({ pattern: 'word_that_is_nowhere' });
  assert.deepEqual(places(answer), []);
  assert.match(answer.text, /no match/i);
});

test('ignored-is-not-absent: an empty list of files says it as well', async () => {
  const answer = await (await onIgnored()).list({ globs: ['*.log'] });
  assert.deepEqual(filesOf(answer), []);
  assert.match(answer.text, /\bignored\b/);
  assert.match((answer.structured.notes ?? []).join('\n'), /\bignored\b/);
  assert.deepEqual(filesOf(await (await onIgnored()).list({ globs: ['*.log'], ignored: true })), ['app.log']);
});

test('ignored-is-not-absent: a .gitignore counts outside git', async () => {
  const forms = await onNoGit();
  assert.deepEqual(places(await forms.search({ pattern: 'needle' })), ['kept.ts:1']);
  assert.deepEqual(places(await forms.search({ pattern: 'needle', ignored: true })), ['ignored.log:1', 'kept.ts:1']);
});

for (const [scope, expected] of [
  [undefined, ['a/c/sample.txt', 'p1/subdir/keep.txt']],
  ['a', ['a/c/sample.txt']],
  ['a/b', []],
  ['p1', ['p1/subdir/keep.txt']],
  ['p1/subdir', ['p1/subdir/keep.txt']],
  ['foo/bar', []],
  ['foo', []],
] as const) {
  test(`ignored-is-not-absent: rules anchored at the root hold in the scope ${scope ?? 'of the whole root'}`, async () => {
    const forms = await onParent();
    const args = scope === undefined ? {} : { scope };
    assert.deepEqual(
      places(await forms.search({ pattern: 'quux', ...args })),
      expected.map((file) => `${file}:1`),
    );
    assert.deepEqual(besidesRules(filesOf(await forms.list(args))), expected);
  });
}

test('ignored-is-not-absent: rules above the root, and the global ones of the user, do not count', async () => {
  const home = world.puts('home', {
    '.gitconfig': '[core]\n\texcludesFile = ~/.global\n',
    '.global': '*.txt\n',
    '.config/git/ignore': '*.txt\n',
  });
  const forms = await openForms({ root: `${parentRoot}/p1`, env: { HOME: home } });
  assert.deepEqual(places(await forms.search({ pattern: 'quux' })), ['ignore-me.txt:1', 'subdir/keep.txt:1']);
});

// https://github.com/anomalyco/opencode/issues/45911
test('hidden-files: hidden folders are searched and listed', async () => {
  const forms = await onIgnored();
  const found = await forms.search({ pattern: 'needle' });
  assert.deepEqual(places(found), ['.github/workflows/ci.yml:1', 'foo.html:1']);
  const list = await forms.list({ globs: ['.github/workflows/*.yml'] });
  assert.deepEqual(filesOf(list), ['.github/workflows/ci.yml']);
  assert.ok(!everything(found).includes('TOKEN=') && !everything(list).includes('TOKEN='));
});

test('hidden-files: hidden files of every kind, but no .git at any level, not even with ignored: true', async () => {
  const forms = await onNested();
  for (const args of [{}, { ignored: true }, { globs: ['**'] }, { globs: ['**/.git', '**'], ignored: true }]) {
    assert.deepEqual(places(await forms.search({ pattern: 'needle', ...args })), ['vendor/sub/a.c:1', 'wt/b.c:1'], JSON.stringify(args));
    assert.deepEqual(filesOf(await forms.list(args)), ['vendor/sub/a.c', 'wt/b.c'], JSON.stringify(args));
  }
  for (const path of [
    '.git',
    '.git/config',
    'vendor/sub/.git',
    'vendor/sub/.git/config',
    'wt/.git',
    './.git/config',
    'wt/../.git/config',
  ]) {
    assert.equal((await forms.read({ path })).isError, true, path);
    const search = await forms.search({ pattern: 'needle', scope: path, ignored: true });
    assert.equal(search.isError, true, `scope ${path}: ${search.text}`);
    assert.equal((await forms.list({ scope: path, ignored: true })).isError, true, path);
  }
  const answer = await forms.read({ path: '.git/config' });
  assert.equal(answer.code, 'path_excluded');
});

const SECRETS = [
  '.env',
  '.env.local',
  '.env.production',
  'sub/.env',
  'server.pem',
  'deep/er/private.key',
  'cert.p12',
  'cert.pfx',
  'id_rsa',
  'id_rsa.old',
  '.ssh/id_ed25519',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.aws/credentials',
];
const SAMPLES = ['.env.example', '.env.sample', '.env.template', '.eslintrc.json', '.vscode/settings.json', 'deep/.hidden/.dot'];
const secretsRoot = world.puts('secrets', {
  ...Object.fromEntries([...SECRETS, ...SAMPLES].map((path) => [path, 'needle_value\n'])),
  '.gitignore': '!.env\n!*.pem\n!id_rsa*\n!.npmrc\n',
  '.ignore': '!.env\n!*.key\n',
  '.csignore': '!.env\n!.env.*\n!*.pem\n!.aws/credentials\n',
});
const onSecrets = sharedForms(() => ({ root: secretsRoot }));

test('hidden-files: secrets are left out whatever the repository or the caller says, samples are not', async () => {
  const forms = await onSecrets();
  for (const args of [{}, { ignored: true }, { globs: ['**'] }, { globs: ['**'], ignored: true }, { globs: SECRETS }, { binary: true }]) {
    const found = await forms.search({ pattern: 'needle_value', output: 'files', ...args });
    const { binary: _, ...listArgs } = { binary: false, ...args };
    const listed = await forms.list(listArgs);
    const wanted = args.globs === SECRETS ? [] : SAMPLES;
    assert.deepEqual([...filesOf(found)].sort(), [...wanted].sort(), JSON.stringify(args));
    for (const file of filesOf(listed)) assert.ok(!SECRETS.includes(file), `${file} listed with ${JSON.stringify(args)}`);
    for (const file of wanted) assert.ok(filesOf(listed).includes(file), `${file} missing from the list`);
  }
});

for (const path of SECRETS) {
  test(`hidden-files: ${path} can be neither read nor named as scope`, async () => {
    const forms = await onSecrets();
    const answers = [
      await forms.read({ path }),
      await forms.read({ path: `./${path}` }),
      await forms.search({ pattern: 'needle_value', scope: path }),
      await forms.search({ pattern: 'needle_value', scope: path, ignored: true }),
      await forms.list({ scope: path }),
    ];
    for (const answer of answers) {
      assert.equal(answer.isError, true, answer.text);
      assert.equal(answer.code, 'path_excluded');
      assert.ok(!everything(answer).includes('needle_value\n'));
    }
  });
}

test('hidden-files: a link to a secret is no way around', async () => {
  world.put('linked/.env', 'TOKEN=needle_value\n');
  world.put('linked/ok.txt', 'fine\n');
  world.link('.env', 'linked/innocent.txt');
  world.folder('linked/.git');
  world.put('linked/.git/config', 'needle_value\n');
  world.link('.git', 'linked/history');
  const forms = await openForms({ root: world.path('linked') });
  for (const path of ['innocent.txt', 'history/config']) assert.equal((await forms.read({ path })).isError, true, path);
  for (const scope of ['innocent.txt', 'history', 'history/config']) {
    const answer = await forms.search({ pattern: 'needle_value', scope, ignored: true });
    assert.ok(answer.isError || places(answer).length === 0, answer.text);
  }
});

test('hidden-files: only the config of the operator lifts the rule for secrets', async () => {
  const config = world.put('allow.json', JSON.stringify({ security: { allowSecrets: true } }));
  const forms = await openForms({ root: secretsRoot, args: ['--config', config] });
  assert.equal(linesOf(await forms.read({ path: '.npmrc' }))[0]?.text, 'needle_value');
  assert.deepEqual(places(await forms.search({ pattern: 'needle_value', scope: '.npmrc' })), ['.npmrc:1']);
});

test('hidden-files: a .gitignore that hides the whole root is set aside, and the reply names it', async () => {
  const root = world.puts('all-hidden', { '.gitignore': '/*\n', 'src/a.c': 'needle\n', 'b.c': 'needle\n' });
  const forms = await openForms({ root });
  const answer = await forms.search({ pattern: 'needle' });
  assert.deepEqual(places(answer), ['b.c:1', 'src/a.c:1']);
  assert.match(answer.text, /\.gitignore/);
});
