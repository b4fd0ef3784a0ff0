/** What a project is written in: by its manifest, else by the files that were met. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LanguageName } from '#dist/code/language.js';
import { detectProject, type Project } from '#dist/search/project.js';
import { Root } from '#dist/security/root.js';
import { plant, type Tree } from '../../support/e2e-lab.js';

async function detect(tree: Tree, seen: readonly (readonly [LanguageName, number])[] = []): Promise<Project> {
  return detectProject(await Root.open(plant(tree), { allowSecrets: false }), new Map(seen));
}

const MANIFESTS: [file: string, type: string, language: LanguageName][] = [
  ['tsconfig.json', 'typescript', 'typescript'],
  ['package.json', 'javascript', 'javascript'],
  ['Cargo.toml', 'rust', 'rust'],
  ['go.mod', 'go', 'go'],
  ['pyproject.toml', 'python', 'python'],
  ['setup.py', 'python', 'python'],
  ['setup.cfg', 'python', 'python'],
  ['requirements.txt', 'python', 'python'],
  ['pom.xml', 'java', 'java'],
  ['build.gradle', 'java', 'java'],
  ['build.gradle.kts', 'java', 'java'],
  ['settings.gradle', 'java', 'java'],
  ['composer.json', 'php', 'php'],
  ['Gemfile', 'ruby', 'ruby'],
  ['ripe.gemspec', 'ruby', 'ruby'],
  ['App.sln', 'csharp', 'csharp'],
  ['App.csproj', 'csharp', 'csharp'],
  ['CMakeLists.txt', 'c', 'c'],
  ['meson.build', 'c', 'cpp'],
  ['configure.ac', 'c', 'c'],
  ['Kbuild', 'c', 'c'],
];
for (const [file, type, language] of MANIFESTS) {
  test(`a root with ${file} is a ${type} project, whatever files were met`, async () => {
    const project = await detect({ [file]: '', 'x.txt': '' }, [['bash', 90]]);
    assert.deepEqual([project.type, project.because], [type, file]);
    assert.ok(project.languages.includes(language));
  });
}

test('TypeScript comes before the package.json that every such project has, and a Rust core before its scripts', async () => {
  assert.equal((await detect({ 'package.json': '', 'tsconfig.json': '' })).type, 'typescript');
  assert.equal((await detect({ 'package.json': '', 'Cargo.toml': '' })).type, 'rust');
});

test('a manifest below the root, or a file of nearly its name, tells nothing', async () => {
  const project = await detect({ 'sub/Cargo.toml': '', 'xCargo.toml': '', 'tsconfig.json.bak': '' });
  assert.deepEqual([project.type, project.languages], ['unknown', []]);
});

test('without a manifest most of the files that were met decide, and their names where they are as many', async () => {
  assert.equal(
    (
      await detect({}, [
        ['go', 2],
        ['python', 5],
      ])
    ).type,
    'python',
  );
  assert.equal(
    (
      await detect({}, [
        ['ruby', 2],
        ['go', 2],
      ])
    ).type,
    'go',
  );
});

test('of several solution files the first by name is the reason', async () => {
  assert.equal((await detect({ 'b.sln': '', 'a.sln': '' })).because, 'a.sln');
});

test('an empty root and no files give no project', async () => {
  assert.deepEqual(await detect({}), { type: 'unknown', languages: [], because: 'no manifest at the root' });
});
