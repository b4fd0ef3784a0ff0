/** Which files belong to a search: the truth tables, each by a listing and by a search with the real ripgrep. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import type { FileChoice } from '#dist/search/selection.js';
import { makePlace } from '../security/place.js';
import { type Options, Rig } from './rig.js';

const place = makePlace();
const rig = new Rig(place);
let serial = 0;

type Row = [what: string, choice: FileChoice, expected: readonly string[], options?: Options];
type Tree = readonly string[] | Readonly<Record<string, string>>;

/** A tree of its own for each table; rule files are left out of what is compared unless a row names them. */
const CONTROL = /(?:^|\/)\.(?:gitignore|ignore|rgignore|csignore)$/;
function table(title: string, files: Tree, rows: readonly Row[], more: (folder: string) => void = () => {}): void {
  const folder = `tree-${++serial}`;
  const root = place.fill(folder, files);
  more(folder);
  for (const [what, choice, expected, options] of rows) {
    test(`${title}: ${what}`, async () => {
      const shown = (found: readonly string[]): string[] => found.filter((file) => expected.includes(file) || !CONTROL.test(file));
      assert.deepEqual(shown(await rig.list(root, choice, options)), [...expected].sort(), 'listed');
      assert.deepEqual(shown(await rig.search(root, choice, options)), [...expected].sort(), 'searched');
    });
  }
}

if (process.platform !== 'win32')
  table(
    'names that a rule has to escape, as scope',
    ['q\\/a', 'q\\/deep/b', 'q/c', '[x]/a', '!n/a', '#c/a', 't /a', '*/a', 'other/a'],
    [
      ['a folder that ends with a backslash', { scope: 'q\\' }, ['q\\/a', 'q\\/deep/b']],
      ['a folder below it', { scope: 'q\\/deep' }, ['q\\/deep/b']],
      ['brackets', { scope: '[x]' }, ['[x]/a']],
      ['an exclamation mark', { scope: '!n' }, ['!n/a']],
      ['a hash', { scope: '#c' }, ['#c/a']],
      ['a blank at the end', { scope: 't ' }, ['t /a']],
      ['a star', { scope: '*' }, ['*/a']],
    ],
  );

table(
  'precedence of the rule files of a repository',
  {
    '.gitignore': '*.log\ngen/\n',
    '.ignore': '!keep.log\n*.tmp\n',
    '.rgignore': '!keep.tmp\n',
    'a.log': 'x',
    'keep.log': 'x',
    'a.tmp': 'x',
    'keep.tmp': 'x',
    'gen/a.ts': 'x',
    'sub/.gitignore': '!sub.log\nlocal.ts\n',
    'sub/sub.log': 'x',
    'sub/b.log': 'x',
    'sub/local.ts': 'x',
    'local.ts': 'x',
    'a.ts': 'x',
  },
  [
    ['the stronger file wins, the nearer one too', {}, ['a.ts', 'keep.log', 'keep.tmp', 'local.ts', 'sub/sub.log']],
    ['globs are a filter over what the rules leave', { globs: ['*.log'] }, ['keep.log', 'sub/sub.log']],
    ['the glob ** lifts no rule', { globs: ['**'] }, ['a.ts', 'keep.log', 'keep.tmp', 'local.ts', 'sub/sub.log']],
    ['a glob that names an ignored file lifts no rule', { globs: ['a.log', 'gen/**'] }, []],
    ['an ignored folder as scope lifts no rule', { scope: 'gen' }, []],
    ['an ignored file as scope lifts no rule', { scope: 'a.log' }, []],
    [
      'ignored: true shows what rules hide',
      { ignored: true, globs: ['*.log', '*.tmp', 'gen/**'] },
      ['a.log', 'a.tmp', 'gen/a.ts', 'keep.log', 'keep.tmp', 'sub/b.log', 'sub/sub.log'],
    ],
    ['ignored: true in an ignored folder as scope', { ignored: true, scope: 'gen' }, ['gen/a.ts']],
    ['ignored: true with an ignored file as scope', { ignored: true, scope: 'a.log' }, ['a.log']],
    ['exclude takes away from what the rules leave', { exclude: ['*.log', 'sub'] }, ['a.ts', 'keep.tmp', 'local.ts']],
    [
      'the configuration sets .gitignore aside, not .ignore',
      { globs: ['*.log', '*.tmp', 'gen'] },
      ['a.log', 'gen/a.ts', 'keep.log', 'keep.tmp', 'sub/b.log', 'sub/sub.log'],
      { scan: { respectGitignore: false } },
    ],
    [
      'the pass without .gitignore does the same',
      { globs: ['*.log', '*.tmp'] },
      ['a.log', 'keep.log', 'keep.tmp', 'sub/b.log', 'sub/sub.log'],
      { main: 'without-gitignore' },
    ],
  ],
);

// What a repository whitelists must not let anything out.
const SECRETS = [
  '.env',
  '.env.local',
  'a.pem',
  'b.key',
  'c.p12',
  'd.pfx',
  'id_rsa',
  'id_rsa.pub',
  'id_ed25519',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.aws/credentials',
  '.ENV.PROD',
  'UPPER.PEM',
];
const EVERYWHERE = ['', 'deep/er/'].flatMap((folder) => [...SECRETS, '.git/config', '.git/objects/aa'].map((name) => folder + name));
const BURIED = [...EVERYWHERE, 'node_modules/m.js', 'node_modules/.env', 'deep/node_modules/m.js', 'package-lock.json', 'app.min.js'];
const HARMLESS = ['.env.example', 'deep/er/.env.sample', 'deep/a.ts', '.github/ci.yml', '.aws/config'];
const WHITELIST = `${['*', '**', '/**', ...SECRETS, '.env*', '*.pem', '*.key', '.git', '.git/', '.git/**', '.git/config', 'node_modules', 'node_modules/', 'node_modules/**', '*.min.js', 'package-lock.json', 'deep/er/.env', 'deep/**'].map((glob) => `!${glob}`).join('\n')}\n`;

const LIFTED = ['app.min.js', 'deep/node_modules/m.js', 'node_modules/m.js', 'package-lock.json'];
const prying: [what: string, choice: FileChoice][] = [
  ['everything', {}],
  ['the glob **', { globs: ['**'] }],
  ['globs that name secrets', { globs: [...SECRETS, '.env*', '.git', '.git/**', '**/.git/**', '**/config', 'node_modules/**'] }],
  ['a folder as scope', { scope: 'deep' }],
  ['a folder and the glob **', { scope: 'deep/er', globs: ['**'] }],
];
for (const name of ['.gitignore', '.ignore', '.rgignore', '.csignore']) {
  for (const where of ['', 'deep/', 'deep/er/', 'node_modules/']) {
    if (name === '.csignore' && where !== '') continue;
    const folder = `whitelist-${++serial}`;
    const root = place.fill(folder, [...BURIED, ...HARMLESS]);
    place.put(`${folder}/.gitignore`, '# none\n'); // or else a .gitignore of its own would change which built-in rules hold
    place.put(`${folder}/${where}${name}`, WHITELIST);
    for (const [what, choice] of prying) {
      test(`a whitelist in ${where}${name} lets nothing out: ${what}`, async () => {
        for (const ignored of [false, true]) {
          const listed = await rig.list(root, { ...choice, ignored });
          const searched = await rig.search(root, { ...choice, ignored });
          assert.deepEqual(listed, searched);
          // Only ignored: true, and .csignore as the one file that may take a built-in rule back, show these.
          const lifted = ignored || name === '.csignore' ? LIFTED : [];
          const allowed = [...HARMLESS, ...lifted];
          assert.deepEqual(
            listed.filter((file) => !CONTROL.test(file) && !allowed.includes(file)),
            [],
          );
          if (choice.scope === undefined && choice.globs?.[0] !== '.env') {
            for (const file of HARMLESS) assert.ok(listed.includes(file), file);
            for (const file of lifted) assert.ok(listed.includes(file), file);
          }
        }
      });
    }
    test(`a whitelist in ${where}${name} makes ripgrep itself give out no .git and no secret but those left to our own check`, async () => {
      for (const ignored of [false, true]) {
        const raw = await rig.listRaw(root, { ignored });
        assert.deepEqual(
          raw.filter((file) => EVERYWHERE.includes(file) && !/\.env\.|\.ENV|PEM$/.test(file)),
          [],
        );
      }
    });
  }
}

table(
  'secrets that the operator allows',
  ['.env', 'a.pem', '.git/config', 'a.ts'],
  [
    ['are shown, and .git is not', {}, ['.env', 'a.pem', 'a.ts'], { allowSecrets: true }],
    ['are shown with ignored: true, and .git is not', { ignored: true }, ['.env', 'a.pem', 'a.ts'], { allowSecrets: true }],
    ['can be a scope', { scope: '.env' }, ['.env'], { allowSecrets: true }],
  ],
);

table(
  '.csignore',
  {
    '.gitignore': '*.gen.ts\nprivate/\n',
    '.csignore': '*.snap\n/fixtures/\n!a.gen.ts\n!private/shown/\n!node_modules/mine/\n!*.min.css\n!.env\n!.git\n!dist\n',
    '.ignore': '!w.snap\n',
    'a.gen.ts': 'x',
    'b.gen.ts': 'x',
    'private/p.ts': 'x',
    'private/shown/s.ts': 'x',
    'node_modules/mine/m.js': 'x',
    'node_modules/other/o.js': 'x',
    'sub/node_modules/mine/m.js': 'x',
    'x.min.css': 'x',
    'x.min.js': 'x',
    'u.snap': 'x',
    'w.snap': 'x',
    'fixtures/f.ts': 'x',
    'sub/fixtures/f.ts': 'x',
    '.env': 'x',
    '.git/config': 'x',
    'dist/d.js': 'x',
    'a.ts': 'x',
  },
  [
    [
      'hides, and shows again what .gitignore and the built-in rules hide',
      {},
      ['a.gen.ts', 'a.ts', 'dist/d.js', 'node_modules/mine/m.js', 'private/shown/s.ts', 'sub/fixtures/f.ts', 'x.min.css'],
    ],
    ['what it shows again is still subject to globs', { globs: ['*.ts'] }, ['a.gen.ts', 'a.ts', 'private/shown/s.ts', 'sub/fixtures/f.ts']],
    [
      'what it shows again is still subject to exclude',
      { exclude: ['*.gen.ts', 'private'] },
      ['a.ts', 'dist/d.js', 'node_modules/mine/m.js', 'sub/fixtures/f.ts', 'x.min.css'],
    ],
    ['what it shows again can be a scope', { scope: 'private' }, ['private/shown/s.ts']],
    ['what it shows again below node_modules can be a scope', { scope: 'node_modules/mine' }, ['node_modules/mine/m.js']],
    ['what it shows again can be a file as scope', { scope: 'a.gen.ts' }, ['a.gen.ts']],
    [
      'ignored: true sets it aside',
      { ignored: true, globs: ['*.snap', 'fixtures', '*.min.*'] },
      ['fixtures/f.ts', 'sub/fixtures/f.ts', 'u.snap', 'w.snap', 'x.min.css', 'x.min.js'],
    ],
  ],
);

table(
  'a .csignore that cannot be used hides nothing',
  { 'a.ts': 'x', 'b.ts': 'x' },
  [['a link out of the root', {}, ['a.ts', 'b.ts']]],
  (folder) => {
    place.put('elsewhere', '*.ts\n');
    place.link('../elsewhere', `${folder}/.csignore`);
  },
);

const BUILD = ['dist/a.js', 'build/a.js', '.next/a.js', 'coverage/a.js', 'target/a.js', 'sub/build/a.js', 'src/a.js'];
const ALWAYS = [
  'node_modules/a.js',
  '.hg/a',
  '.svn/a',
  '__pycache__/a',
  '.venv/a',
  '.tox/a',
  '.mypy_cache/a',
  '.gradle/a',
  '.terraform/a',
  'yarn.lock',
  'Cargo.lock',
  'go.sum',
  'a.min.js',
  'a.js.map',
  'a.css.map',
  'a.mjs.map',
  'a.png',
  'a.zip',
  'sub/node_modules/x/a.js',
];
table(
  'built-in rules without a .gitignore',
  [...BUILD, ...ALWAYS, '.d.ts', 'map.js', 'dist.ts'],
  [
    ['hide build folders too', {}, ['.d.ts', 'dist.ts', 'map.js', 'src/a.js']],
    ['hide a build folder that is the scope', { scope: 'dist' }, []],
    ['are set aside by ignored: true', { ignored: true }, [...BUILD, ...ALWAYS, '.d.ts', 'map.js', 'dist.ts']],
  ],
);
table(
  'built-in rules with a .gitignore',
  Object.fromEntries([...BUILD, ...ALWAYS, '.gitignore'].map((name) => [name, name === '.gitignore' ? '# nothing\n' : 'x'])),
  [
    ['leave build folders alone', {}, BUILD],
    ['take more folders from the configuration', {}, BUILD.filter((name) => !/build/.test(name)), { scan: { excludeDirs: ['build'] } }],
  ],
);
table(
  'a folder of the configuration that is spelled with a slash',
  ['vendor/a.ts', 'a.ts'],
  [['is left out', {}, ['a.ts'], { scan: { excludeDirs: ['vendor/'] } }]],
);

table('outside of git', { '.gitignore': '*.log\n', 'a.log': 'x', 'a.ts': 'x' }, [['.gitignore holds all the same', {}, ['a.ts']]]);

table(
  'rules above the root',
  { 'root/a.ts': 'x', '.gitignore': '*.ts\n', '.ignore': '*.ts\n', '.rgignore': '*.ts\n', '.git/HEAD': 'x', '.csignore': '*\n' },
  [],
);
const abovePath = place.at(`tree-${serial}`, 'root');
test('rules above the root do not hold, not even in a git repository', async () => {
  assert.deepEqual(await rig.list(abovePath), ['a.ts']);
});

table(
  'in a git repository',
  { '.git/HEAD': 'ref: x', '.git/info/exclude': '', '.gitignore': '*.log\n', 'a.log': 'x', 'a.ts': 'x', '.hidden/h.ts': 'x' },
  [['.gitignore holds, hidden files are shown, .git is not', {}, ['.hidden/h.ts', 'a.ts']]],
);

table(
  'nested repositories',
  {
    '.git/HEAD': 'x',
    '.gitignore': '*.log\n',
    'inner/.git/HEAD': 'x',
    'inner/.git/config': 'x',
    'inner/.gitignore': '*.tmp\n!.git\n!.env\n',
    'inner/a.tmp': 'x',
    'inner/a.ts': 'x',
    'inner/.env': 'x',
    'worktree/.git': 'gitdir: elsewhere',
    'worktree/b.ts': 'x',
    'a.ts': 'x',
  },
  [
    ['their rules hold, their .git is not shown', {}, ['a.ts', 'inner/a.ts', 'worktree/b.ts']],
    ['also as a scope', { scope: 'inner' }, ['inner/a.ts']],
    ['also with ignored: true', { ignored: true }, ['a.ts', 'inner/a.tmp', 'inner/a.ts', 'worktree/b.ts']],
  ],
);

const ODD = [
  'a [b]/f.ts',
  '{x}/f.ts',
  'star*/f.ts',
  'q?/f.ts',
  '#hash/f.ts',
  '!bang/f.ts',
  'sp ace/f.ts',
  ' lead/f.ts',
  'trail /f.ts',
  'back\\slash/f.ts',
  '-dash/f.ts',
  '(p)/f.ts',
  'a+b/f.ts',
  "it's/f.ts",
  'ünï/f.ts',
  '..dots/f.ts',
  '~/f.ts',
  '$HOME/f.ts',
  'tab\t/f.ts',
  'a,b/f.ts',
  '^c$/f.ts',
  'p|q/f.ts',
  '"q"/f.ts',
  '@s/f.ts',
  'c:x/f.ts',
];
const NEIGHBOURS = ['a b/f.ts', 'x/f.ts', 'starx/f.ts', 'qq/f.ts', 'hash/f.ts', 'bang/f.ts', 'trail/f.ts', 'lead/f.ts'];
const odd = place.fill('odd', [...ODD, ...NEIGHBOURS]);
const oddFiles = place.fill('odd-files', ODD.map((name) => path.dirname(name)).concat(NEIGHBOURS.map((name) => path.dirname(name))));
for (const file of ODD) {
  const name = path.dirname(file);
  test(`a scope is never a glob: the folder and the file ${JSON.stringify(name)}`, async () => {
    assert.deepEqual(await rig.list(odd, { scope: name }), [file]);
    assert.deepEqual(await rig.list(odd, { scope: file }), [file]);
    assert.deepEqual(await rig.list(oddFiles, { scope: name }), [name]);
    assert.deepEqual(await rig.search(oddFiles, { scope: name }), [name]);
  });
}

table(
  'scopes',
  ['src/a.ts', 'src/deep/b.ts', 'srcs/c.ts', 'src.ts', 'other/src/d.ts', '.hid/e.ts', '.env', '.git/config'],
  [
    ['the root', { scope: '.' }, ['.hid/e.ts', 'other/src/d.ts', 'src.ts', 'src/a.ts', 'src/deep/b.ts', 'srcs/c.ts']],
    ['a folder', { scope: 'src' }, ['src/a.ts', 'src/deep/b.ts']],
    ['a folder with a slash', { scope: './src//' }, ['src/a.ts', 'src/deep/b.ts']],
    ['a folder of a folder', { scope: 'src/deep' }, ['src/deep/b.ts']],
    ['a file', { scope: 'src/a.ts' }, ['src/a.ts']],
    ['a file, and a glob that it does not match', { scope: 'src/a.ts', globs: ['*.md'] }, []],
    ['a file, excluded', { scope: 'src/a.ts', exclude: ['a.ts'] }, []],
    ['a hidden folder', { scope: '.hid' }, ['.hid/e.ts']],
    ['a folder and a glob', { scope: 'src', globs: ['b.*'] }, ['src/deep/b.ts']],
    ['a folder and an anchored glob, which is relative to the root', { scope: 'src', globs: ['src/*.ts'] }, ['src/a.ts']],
    ['a folder and an anchored glob elsewhere', { scope: 'src', globs: ['/deep/*.ts'] }, []],
    ['a link to a folder of the root', { scope: 'to-src' }, ['src/a.ts', 'src/deep/b.ts']],
    ['a link to a file of the root', { scope: 'to-a' }, ['src/a.ts']],
    [
      'links are not followed',
      { globs: ['to-*', '*.ts'] },
      ['.hid/e.ts', 'other/src/d.ts', 'src.ts', 'src/a.ts', 'src/deep/b.ts', 'srcs/c.ts'],
    ],
  ],
  (folder) => {
    place.link('src', `${folder}/to-src`);
    place.link('src/a.ts', `${folder}/to-a`);
    place.link('.env', `${folder}/readme.md`);
    place.link('/etc', `${folder}/to-etc`);
  },
);

const refused: [what: string, scope: string, code: string][] = [
  ['a secret', '.env', 'path_excluded'],
  ['.git', '.git', 'path_excluded'],
  ['a file of .git', '.git/config', 'path_excluded'],
  ['a link to a secret', 'readme.md', 'path_excluded'],
  ['a link to the outside', 'to-etc', 'path_outside_root'],
  ['a file behind a link to the outside', 'to-etc/passwd', 'path_outside_root'],
  ['traversal', '../odd', 'path_outside_root'],
  ['an absolute path', '/etc', 'path_outside_root'],
  ['what does not exist', 'nope', 'path_missing'],
  ['nothing', '', 'path_invalid'],
];
const scopes = place.at(`tree-${serial}`);
for (const [what, scope, code] of refused) {
  test(`a scope is refused, also with ignored: true: ${what}`, async () => {
    for (const ignored of [false, true]) await assert.rejects(rig.list(scopes, { scope, ignored }), { code });
  });
}

test('a scope with a line break, which would forge a rule, is refused', async () => {
  place.put('breaks/a\n!.env', 'x');
  await assert.rejects(rig.list(place.at('breaks'), { scope: 'a\n!.env' }), { code: 'path_invalid' });
});

test('a bad line in a rule file of the repository does not fail a listing', async () => {
  const root = place.fill('bad-lines', {
    '.gitignore': '*.{log\n[\n*.tmp\n',
    '.csignore': '{\n*.snap\n',
    'a.tmp': 'x',
    'a.snap': 'x',
    'a.ts': 'x',
  });
  assert.deepEqual(
    (await rig.list(root)).filter((file) => !CONTROL.test(file)),
    ['a.ts'],
  );
});
