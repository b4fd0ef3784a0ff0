import assert from 'node:assert/strict';
import { realpathSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ErrorCode, ToolError } from '#dist/base/errors.js';
import { type ConfinedPath, Root } from '#dist/security/root.js';
import { isGit, isSecret } from '#dist/security/secrets.js';
import { makePlace } from './place.js';

const SEED = 20_261_130;
const RUNS = 10_000;
const place = makePlace();

place.fill('outside', ['secret.txt', 'sub/deep.txt']);
place.fill('repo-evil', ['a.txt']);
place.fill('repo', [
  'a.txt',
  'src/main.ts',
  'src/lib/util.ts',
  'name with space.txt',
  'src/#odd [name]{x}!.ts',
  '..dots/a.txt',
  '.git/config',
  'sub/.git/HEAD',
  '.gitignore',
  '.env',
  '.env.local',
  '.env.example',
  'deep/server.KEY',
  'deep/cert.pem',
  '.aws/credentials',
  '.aws/config',
  'id_rsa',
  '.npmrc',
]);
const repo = place.at('repo');
place.link('../outside/secret.txt', 'repo/link-file');
place.link('../outside', 'repo/link-folder');
place.link(place.at('outside/secret.txt'), 'repo/link-absolute');
place.link('link-file', 'repo/link-chain');
place.link('src/lib', 'repo/link-inside');
place.link('link-inside/util.ts', 'repo/link-inside-chain');
place.link('../../outside', 'repo/src/up');
place.link('nowhere', 'repo/link-dangling');
place.link('../outside/nowhere', 'repo/link-dangling-outside');
place.link('loop-b', 'repo/loop-a');
place.link('loop-a', 'repo/loop-b');
place.link('.env', 'repo/readme.md');
place.link('.git', 'repo/history');
place.link('src/main.ts', 'repo/.env.production');
place.link('.', 'repo/src/here');
place.link('../repo-evil', 'repo/evil');
place.link('repo', 'repo-by-link');
place.pipe('repo/pipe');
await place.socket('repo/socket');

const root = await Root.open(repo, { allowSecrets: false });
const openRoot = await Root.open(repo, { allowSecrets: true });

const attacks: [name: string, text: string, code: ErrorCode][] = [
  ['traversal', '../outside/secret.txt', 'path_outside_root'],
  ['traversal behind a folder', 'src/../../outside/secret.txt', 'path_outside_root'],
  ['traversal through a folder that does not exist', 'nope/../../outside/secret.txt', 'path_outside_root'],
  ['absolute path outside', place.at('outside/secret.txt'), 'path_outside_root'],
  ['absolute path that leaves', `${repo}/../outside/secret.txt`, 'path_outside_root'],
  ['prefix sibling', place.at('repo-evil/a.txt'), 'path_outside_root'],
  ['prefix sibling by traversal', '../repo-evil/a.txt', 'path_outside_root'],
  ['NUL', 'a.txt\0.png', 'path_invalid'],
  ['empty path', '', 'path_invalid'],
  ['a name too long', 'a'.repeat(300), 'path_invalid'],
  ['symlink file', 'link-file', 'path_outside_root'],
  ['symlink folder', 'link-folder', 'path_outside_root'],
  ['symlink parent', 'link-folder/secret.txt', 'path_outside_root'],
  ['symlink parent, deeper', 'src/up/sub/deep.txt', 'path_outside_root'],
  ['symlink by absolute path', `${repo}/link-folder/secret.txt`, 'path_outside_root'],
  ['chain of symlinks', 'link-chain', 'path_outside_root'],
  ['absolute symlink', 'link-absolute', 'path_outside_root'],
  ['symlink to a prefix sibling', 'evil/a.txt', 'path_outside_root'],
  ['dangling symlink', 'link-dangling', 'path_missing'],
  ['dangling symlink to the outside', 'link-dangling-outside', 'path_missing'],
  ['loop of symlinks', 'loop-a', 'path_outside_root'],
  ['named pipe', 'pipe', 'not_a_file'],
  ['socket', 'socket', 'not_a_file'],
  ['missing file', 'src/mian.ts', 'path_missing'],
  ['a file as folder', 'a.txt/b', 'path_missing'],
  ['.git', '.git', 'path_excluded'],
  ['a file of .git', '.git/config', 'path_excluded'],
  ['a file of .git in another case', '.GIT/config', 'path_excluded'],
  ['.git of a folder', 'sub/.git/HEAD', 'path_excluded'],
  ['.git through a link', 'history/config', 'path_excluded'],
  ['.git by ..', 'src/../.git/config', 'path_excluded'],
  ['a secret', '.env', 'path_excluded'],
  ['a secret with a suffix', '.env.local', 'path_excluded'],
  ['a secret by absolute path', `${repo}/.env`, 'path_excluded'],
  ['a secret in upper case', 'deep/server.KEY', 'path_excluded'],
  ['a nested secret', 'deep/cert.pem', 'path_excluded'],
  ['AWS credentials', '.aws/credentials', 'path_excluded'],
  ['a key', 'id_rsa', 'path_excluded'],
  ['a link with a harmless name to a secret', 'readme.md', 'path_excluded'],
  ['a link with the name of a secret', '.env.production', 'path_excluded'],
  ['a secret that does not exist', 'nope.pem', 'path_excluded'],
];
for (const [name, text, code] of attacks) {
  test(`resolve refuses: ${name}`, async () => {
    await assert.rejects(root.resolve(text), (error: unknown) => {
      assert.ok(error instanceof ToolError, String(error));
      assert.equal(error.code, code, error.message);
      return true;
    });
  });
}

test('no refusal tells where the root lies, nor what a link points to', async () => {
  for (const [, text] of attacks) {
    if (text.includes(place.path)) continue;
    await assert.rejects(
      root.resolve(text),
      (error: ToolError) => !error.message.includes(place.path) && !error.message.includes('secret.txt') === !text.includes('secret.txt'),
    );
  }
});

const taken: [name: string, text: string, relative: string, kind: 'file' | 'folder'][] = [
  ['a file', 'a.txt', 'a.txt', 'file'],
  ['a folder', 'src', 'src', 'folder'],
  ['the root', '.', '', 'folder'],
  ['an absolute path inside', `${repo}/src/main.ts`, 'src/main.ts', 'file'],
  ['.. that stays inside', 'src/../a.txt', 'a.txt', 'file'],
  ['a folder whose name begins with two dots', '..dots/a.txt', '..dots/a.txt', 'file'],
  ['a link inside the root', 'link-inside', 'src/lib', 'folder'],
  ['a file below a link inside the root', 'link-inside/util.ts', 'src/lib/util.ts', 'file'],
  ['a chain of links inside the root', 'link-inside-chain', 'src/lib/util.ts', 'file'],
  ['a link to its own folder', 'src/here/here/main.ts', 'src/main.ts', 'file'],
  ['a name with spaces', 'name with space.txt', 'name with space.txt', 'file'],
  ['a name with glob characters', 'src/#odd [name]{x}!.ts', 'src/#odd [name]{x}!.ts', 'file'],
  ['the example of a secret', '.env.example', '.env.example', 'file'],
  ['what lies beside AWS credentials', '.aws/config', '.aws/config', 'file'],
  ['.gitignore', '.gitignore', '.gitignore', 'file'],
];
for (const [name, text, relative, kind] of taken) {
  test(`resolve takes: ${name}`, async () => {
    const confined = await root.resolve(text);
    assert.deepEqual([confined.relative, confined.kind], [relative, kind]);
  });
}

test('a root opened through a link takes absolute paths by both of its names', async () => {
  const linked = await Root.open(place.at('repo-by-link'), { allowSecrets: false });
  assert.equal(linked.path, repo);
  for (const text of [place.at('repo-by-link/a.txt'), `${repo}/a.txt`]) assert.equal((await linked.resolve(text)).relative, 'a.txt');
});

test('near names of a missing file are offered, but no secret and nothing of .git', async () => {
  const message = async (text: string): Promise<string> => (await root.resolve(text).catch((error: ToolError) => error)).toString();
  assert.match(await message('src/mian.ts'), /Near names: "src\/main\.ts"/);
  assert.match(await message('srcs/main.ts'), /"src"/);
  assert.doesNotMatch(await message('.enb'), /"\.env"/);
  assert.doesNotMatch(await message('.gti'), /"\.git"/);
  assert.doesNotMatch(await message('link-folder/secrets.txt'), /secret\.txt/);
});

test('a root that does not exist or is no folder is missing', async () => {
  for (const given of [place.at('nope'), place.at('repo/a.txt'), `${repo}/pipe`]) {
    await assert.rejects(Root.open(given, { allowSecrets: false }), { code: 'root_missing' });
  }
});

test('a root is called by its name, by the path it was given and by its real path, and by nothing else', async () => {
  const linked = await Root.open(place.at('repo-by-link'), { allowSecrets: false });
  for (const name of ['repo', repo, `${repo}/`, `${repo}/src/..`, place.at('repo-by-link')])
    assert.equal(linked.isCalled(name), true, name);
  for (const name of ['', 'rep', 'src', '..', place.path, place.at('repo-evil')]) assert.equal(linked.isCalled(name), false, name);
});

test('a root knows when it is gone', async () => {
  const gone = await Root.open(place.folder('gone'), { allowSecrets: false });
  assert.equal(await gone.stillExists(), true);
  rmSync(place.at('gone'), { recursive: true });
  assert.equal(await gone.stillExists(), false);
});

test('allowSecrets lifts the rule about secrets and no other', async () => {
  for (const text of ['.env', 'deep/server.KEY', '.aws/credentials', 'readme.md']) {
    const { handle } = await openRoot.openFile(await openRoot.resolve(text));
    await handle.close();
  }
  for (const text of ['.git/config', 'history/config']) await assert.rejects(openRoot.resolve(text), { code: 'path_excluded' });
  await assert.rejects(openRoot.resolve('link-file'), { code: 'path_outside_root' });
  assert.deepEqual([openRoot.mayShow('.env'), openRoot.mayShow('.git/x'), root.mayShow('.env')], [true, false, false]);
});

// Swaps between resolve and openFile.
const read = async (of: Root, file: ConfinedPath): Promise<string> => {
  const { handle } = await of.openFile(file);
  try {
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
};

test('an opened file has its size and a version that changes when it is written', async () => {
  place.put('repo/stamped.txt', 'one');
  const file = await root.resolve('stamped.txt');
  const first = await root.openFile(file);
  await first.handle.close();
  assert.equal(first.size, 3);
  writeFileSync(place.at('repo/stamped.txt'), 'three');
  const second = await root.openFile(file);
  await second.handle.close();
  assert.equal(second.size, 5);
  assert.notEqual(first.version, second.version);
});

test('a folder is not opened as a file', async () => {
  await assert.rejects(root.openFile(await root.resolve('src')), { code: 'not_a_file' });
});

const swaps: [name: string, swap: (folder: string) => void, code: ErrorCode][] = [
  [
    'the parent folder for a link to the outside',
    (folder) => {
      renameSync(place.at(folder, 'dir'), place.at(folder, 'moved'));
      place.fill(path.join('outside', folder), ['f.txt']);
      place.link(place.at('outside', folder), path.join(folder, 'dir'));
    },
    'path_outside_root',
  ],
  [
    'the parent folder for a link to .git',
    (folder) => {
      renameSync(place.at(folder, 'dir'), place.at(folder, 'moved'));
      place.put('repo/.git/f.txt');
      place.link(place.at('repo/.git'), path.join(folder, 'dir'));
    },
    'path_excluded',
  ],
  [
    'the file for a link to the outside',
    (folder) => {
      unlinkSync(place.at(folder, 'dir/f.txt'));
      place.link(place.at('outside/secret.txt'), path.join(folder, 'dir/f.txt'));
    },
    'path_outside_root',
  ],
  [
    'the file for a link to a secret inside',
    (folder) => {
      unlinkSync(place.at(folder, 'dir/f.txt'));
      place.link(place.at('repo/.env'), path.join(folder, 'dir/f.txt'));
    },
    'path_outside_root',
  ],
  [
    'the file for a named pipe, without waiting for a writer',
    (folder) => {
      unlinkSync(place.at(folder, 'dir/f.txt'));
      place.pipe(path.join(folder, 'dir/f.txt'));
    },
    'not_a_file',
  ],
  [
    'the file for a folder',
    (folder) => {
      unlinkSync(place.at(folder, 'dir/f.txt'));
      place.folder(path.join(folder, 'dir/f.txt'));
    },
    'not_a_file',
  ],
  ['the file for nothing', (folder) => unlinkSync(place.at(folder, 'dir/f.txt')), 'path_missing'],
  [
    'the file moved to the outside, a link in its place',
    (folder) => {
      renameSync(place.at(folder, 'dir'), place.at('outside', `moved-${path.basename(folder)}`));
      place.link(place.at('outside', `moved-${path.basename(folder)}`), path.join(folder, 'dir'));
    },
    'path_outside_root',
  ],
];
for (const [index, [name, swap, code]] of swaps.entries()) {
  test(`openFile refuses what was swapped after the check: ${name}`, { timeout: 5_000 }, async () => {
    const folder = `repo/swap-${index}`;
    place.fill(folder, ['dir/f.txt']);
    const file = await root.resolve(`swap-${index}/dir/f.txt`);
    swap(folder);
    await assert.rejects(root.openFile(file), (error: unknown) => {
      assert.ok(error instanceof ToolError, String(error));
      assert.equal(error.code, code, error.message);
      return true;
    });
  });
}

test('a file that was replaced by another regular file of the root is read as it is now', async () => {
  place.put('repo/replaced.txt', 'old');
  const file = await root.resolve('replaced.txt');
  place.put('repo/new.txt', 'new');
  renameSync(place.at('repo/new.txt'), place.at('repo/replaced.txt'));
  assert.equal(await read(root, file), 'new');
});

test('a refused open leaves no descriptor behind', { skip: process.platform !== 'linux' && 'counts in /proc' }, async () => {
  const { readdirSync } = await import('node:fs');
  place.fill('repo/leak', ['dir/f.txt']);
  const file = await root.resolve('leak/dir/f.txt');
  renameSync(place.at('repo/leak/dir'), place.at('repo/leak/moved'));
  place.fill('outside/leak', ['f.txt']);
  place.link(place.at('outside/leak'), 'repo/leak/dir');
  const before = readdirSync('/proc/self/fd').length;
  for (let i = 0; i < 20; i++) await assert.rejects(root.openFile(file), { code: 'path_outside_root' });
  assert.ok(readdirSync('/proc/self/fd').length < before + 10);
});

test(`whatever the path, what resolves lies inside the root and is neither secret nor .git (seed ${SEED})`, async () => {
  const names = fc.constantFrom(
    '..',
    '..',
    '.',
    '',
    'src',
    'lib',
    'a.txt',
    'main.ts',
    'util.ts',
    'link-file',
    'link-folder',
    'link-absolute',
    'link-chain',
    'link-inside',
    'link-inside-chain',
    'up',
    'here',
    'evil',
    'history',
    'readme.md',
    '.env',
    '.env.example',
    '.git',
    'config',
    'sub',
    'deep.txt',
    'secret.txt',
    'outside',
    'repo',
    'repo-evil',
    'loop-a',
    'pipe',
    'socket',
    '.aws',
    'credentials',
    'deep',
    'cert.pem',
    'nope',
    'a\0b',
    '.GIT',
    '..dots',
  );
  const heads = [
    '',
    '',
    '',
    './',
    'src/',
    'src/here/',
    'link-inside/',
    'deep/../',
    '.aws/',
    '/',
    'link-folder/',
    `${repo}/`,
    `${repo}/src/`,
    `${place.path}/`,
  ];
  const head = fc.constantFrom(...heads, `${place.at('repo-by-link')}/`);
  const text = fc.tuple(head, fc.array(names, { minLength: 1, maxLength: 4 })).map(([start, parts]) => start + parts.join('/'));
  let resolved = 0;
  await fc.assert(
    fc.asyncProperty(text, async (wanted) => {
      let confined: ConfinedPath;
      try {
        confined = await root.resolve(wanted);
      } catch (error) {
        assert.ok(error instanceof ToolError, String(error));
        return;
      }
      resolved++;
      const real = realpathSync(path.join(repo, confined.relative));
      assert.equal(real, path.join(repo, confined.relative), 'every link is resolved');
      assert.ok(real === repo || real.startsWith(`${repo}/`), real);
      assert.ok(!isSecret(confined.relative) && !isGit(confined.relative), confined.relative);
    }),
    { seed: SEED, numRuns: RUNS },
  );
  assert.ok(resolved > RUNS / 20, `only ${resolved} paths resolved, so this proves little`);
});
