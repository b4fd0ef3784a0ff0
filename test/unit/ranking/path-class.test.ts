/** What kind of file a path names, and which words of a query lift its demotion. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classOf, DEMOTION, liftedBy, type PathClass } from '#dist/ranking/path-class.js';

const PATHS: Readonly<Record<PathClass, readonly string[]>> = {
  source: [
    ...[
      'src/session.ts',
      'main.c',
      'lib/tokio-test/src/lib.rs',
      'src/testing_tools.py',
      'src/latest.ts',
      'src/contest.go',
      'src/attest/key.rs',
    ],
    ...[
      'src/greatest.js',
      'app/protester.rb',
      'src/docsearch.ts',
      'src/vendoring.go',
      'src/exampleable.ts',
      'src/history/list.ts',
      'cmd/x.sh',
      'src/descriptions.ts',
      'config.ts',
      'app/views/user.erb',
    ],
  ],
  header: ['include/a.h', 'a.hpp', 'types.d.ts', 'types.d.mts', 'stub.pyi'],
  build: [
    ...[
      'Makefile',
      'CMakeLists.txt',
      'Kconfig',
      'drivers/Kbuild',
      'scripts/kernel-doc.pl',
      'script/ci.sh',
      'Rakefile',
      'rake/site.rake',
      'Dockerfile.dev',
    ],
    ...[
      'x.gemspec',
      'setup.py',
      'app/build.gradle.kts',
      'jest.config.js',
      'gulpfile.mjs',
      'theme/Rakefile.erb',
      'rules.cmake',
      'Makefile.in',
    ],
  ],
  test: [
    ...['test/a.ts', 'src/__tests__/a.js', 'Tests/a.cs', 'a.test.ts', 'a.spec.js', 'a_test.go', 'test_a.py', 'conftest.py', 'ATest.java'],
    ...['src/a.test.tsx', 'ASpec.scala', 'spec/a_spec.rb', 'testdata/a.txt', 'fixtures/a.json', 'tools/testing/selftests/a.c', 'e2e/a.ts'],
    ...['testing/a.go', 'src/testing/fuzz/a.go', 'src/testing/a_test.go'],
  ],
  docs: [
    'README.md',
    'docs/a.rst',
    'doc/x.py',
    'template/welcome.md.erb',
    'LICENSE',
    'a.txt',
    'index.html',
    'man/a.1',
    'COPYING',
    'Documentation/a.rst',
  ],
  vendor: ['vendor/a.go', 'third_party/a.c', 'node_modules/a/index.js', 'deps/a/a.c', 'vendor/x/README.md'],
  generated: ['gen/a.ts', 'a.pb.go', 'a_pb2.py', 'a.generated.ts', 'src/generated/a.ts', 'zz_generated.deepcopy.go', 'a.g.dart'],
  example: ['examples/a.ts', 'demo/a.js', 'samples/a.py'],
  changelog: ['CHANGELOG.md', 'ChangeLog', 'HISTORY.rst', 'NEWS', 'docs/changelog.md', 'release-notes.md', 'AUTHORS'],
  data: ['package.json', 'a.yaml', 'a.css', 'go.mod', 'a.svg', '.github/workflows/ci.yml'],
};
for (const [kind, paths] of Object.entries(PATHS)) {
  for (const path of paths) test(`${path} is ${kind}`, () => assert.equal(classOf(path), kind));
}

test('source is not demoted, headers hardly, and nothing is shut out', () => {
  assert.equal(DEMOTION.source, 1);
  for (const [kind, factor] of Object.entries(DEMOTION)) assert.ok(factor > 0 && (kind === 'source' || factor < 1), kind);
  assert.ok(DEMOTION.header > DEMOTION.test && DEMOTION.test > DEMOTION.docs);
});

const LIFTS: [words: string, kinds: PathClass[]][] = [
  ['test', ['test']],
  ['flaky Tests', ['test']],
  ['specs of the parser', ['test']],
  ['build the kernel module', ['build']],
  ['fixtures', ['test']],
  ['docs', ['docs']],
  ['README', ['docs']],
  ['documentation', ['docs']],
  ['changelog', ['changelog']],
  ['example', ['example']],
  ['vendored', ['vendor']],
  ['generated', ['generated']],
  ['test and docs', ['docs', 'test']],
  ['session token', []],
  ['constructor toString', []],
];
for (const [words, kinds] of LIFTS) {
  test(`the words ${JSON.stringify(words)} lift ${kinds.join(' and ') || 'nothing'}`, () =>
    assert.deepEqual([...liftedBy(words.split(' '))].sort(), kinds));
}
