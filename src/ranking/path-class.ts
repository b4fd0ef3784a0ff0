/** What kind of file a path names, and what that does to its score. Whole path segments are matched: a rule about endings once
 *  buried a crate named tokio-test. Demotion multiplies, it never excludes, and it is lifted when the query asks for such files. */

export type PathClass = 'source' | 'header' | 'build' | 'test' | 'docs' | 'vendor' | 'generated' | 'example' | 'changelog' | 'data';

export const DEMOTION: Readonly<Record<PathClass, number>> = {
  source: 1,
  // What is declared there is defined elsewhere, mostly in a file that matches as well.
  header: 0.85,
  // What builds, packs and releases the code is rarely where it does its work.
  build: 0.3,
  test: 0.3,
  docs: 0.05,
  vendor: 0.05,
  generated: 0.05,
  example: 0.05,
  changelog: 0.05,
  data: 0.05,
};

const FOLDERS: ReadonlyMap<string, PathClass> = new Map<string, PathClass>([
  ...[
    'test',
    'tests',
    '__tests__',
    'spec',
    'specs',
    'testing',
    'testdata',
    'test-data',
    'fixtures',
    '__fixtures__',
    '__mocks__',
    'e2e',
    'features',
    'selftests',
    'integration-tests',
    'bench',
    'benches',
    'benchmark',
    'benchmarks',
    'fuzz',
  ].map((name): [string, PathClass] => [name, 'test']),
  ...['doc', 'docs', 'documentation', 'man', 'site', 'website'].map((name): [string, PathClass] => [name, 'docs']),
  ...['vendor', 'third_party', 'third-party', 'thirdparty', 'deps', 'external', 'node_modules', 'extern', 'subprojects'].map(
    (name): [string, PathClass] => [name, 'vendor'],
  ),
  ...['generated', 'gen', 'autogen', '__generated__'].map((name): [string, PathClass] => [name, 'generated']),
  ...['script', 'scripts', 'rake'].map((name): [string, PathClass] => [name, 'build']),
  ...['example', 'examples', 'sample', 'samples', 'demo', 'demos'].map((name): [string, PathClass] => [name, 'example']),
]);

const TEST_NAME =
  /(?:^|[._-])(?:test|tests|spec|specs)\.[^/]+$|^tests?[_.-].*\.\w+$|_(?:test|spec)\.\w+$|(?:Test|Tests|TestCase|Spec|IT)\.(?:java|kt|scala|groovy|cs|php|swift)$|^conftest\.py$/;
const GENERATED_NAME = /\.(?:pb|generated|gen|g)\.\w+$|_(?:pb2|generated|gen)\.\w+$|\.pb\.(?:go|cc|h)$|^zz_generated/;
const CHANGELOG_NAME = /^(?:change(?:s|log)|history|news|release[-_]?notes|00-releasenotes|authors|contributors|credits|maintainers)\b/i;
const DOC_NAME =
  /\.(?:md|mdx|markdown|rst|txt|adoc|asciidoc|textile|html?|tex|pod|org|1|5|8)$|^(?:readme|license|copying|notice|contributing|todo|security)\b/i;
const DATA_NAME =
  /\.(?:json|ya?ml|toml|xml|csv|tsv|svg|lock|ini|cfg|conf|properties|po|pot|css|scss|less|log|snap|golden|plist|sum|mod|map)$/i;
const HEADER_NAME = /\.(?:h|hh|hpp|hxx|pyi|mli)$|\.d\.[cm]?ts$/;
const BUILD_NAME =
  /^(?:cmakelists\.txt|makefile.*|kconfig.*|kbuild|rakefile|dockerfile.*|jenkinsfile|vagrantfile|gruntfile\.\w+|gulpfile\.\w+|setup\.py|build\.gradle.*|[\w.-]+\.config\.[cm]?[jt]s)$|\.(?:gemspec|rake|gradle|cmake|mk|m4)$/i;
/** Templates of the two kinds above; a template of a page is source. */
const TEMPLATE = /\.(?:erb|j2|tmpl|tt|in)$/;

/** The class that the name of a folder gives to all below it. `src/testing` is code about testing, as in Go's library; elsewhere the
 *  name stands for tests, as in the kernel's `tools/testing`. */
function folderClass(parts: readonly string[], index: number): PathClass | undefined {
  const name = parts[index]?.toLowerCase() ?? '';
  return name === 'testing' && parts[index - 1]?.toLowerCase() === 'src' ? undefined : FOLDERS.get(name);
}

export function classOf(path: string): PathClass {
  const parts = path.split('/');
  const full = parts.pop() ?? '';
  const bare = full.replace(TEMPLATE, '');
  const name = /\.html?$/i.test(bare) ? full : bare;
  if (CHANGELOG_NAME.test(name)) return 'changelog';
  for (const index of parts.keys()) {
    const found = folderClass(parts, index);
    if (found !== undefined && found !== 'docs') return found;
  }
  if (TEST_NAME.test(name)) return 'test';
  if (GENERATED_NAME.test(name)) return 'generated';
  if (BUILD_NAME.test(name)) return 'build';
  if (DOC_NAME.test(name)) return 'docs';
  if (DATA_NAME.test(name)) return 'data';
  if (parts.some((part) => FOLDERS.get(part.toLowerCase()) === 'docs')) return 'docs';
  return HEADER_NAME.test(name) ? 'header' : 'source';
}

/** What makes a path one of a test: the name of a folder above it, or a glob for names like its own; undefined where there is no
 *  such glob, or it is no test. Left out of a search, it leaves out the path. */
export function testGlobOf(path: string): string | undefined {
  if (classOf(path) !== 'test') return undefined;
  const parts = path.split('/');
  const name = parts.pop() ?? '';
  const folder = parts.find((_, index) => folderClass(parts, index) === 'test');
  return folder ?? TEST_GLOBS.find(([, matches]) => matches.test(name))?.[0];
}

/** Globs of names that tell a test, each with what it matches. */
export const TEST_GLOBS: readonly (readonly [glob: string, matches: RegExp])[] = [
  ['*.test.*', /\.test\./],
  ['*.tests.*', /\.tests\./],
  ['*.spec.*', /\.spec\./],
  ['*_test.*', /_test\./],
  ['*-test.*', /-test\./],
  ['*_spec.*', /_spec\./],
  ['*-spec.*', /-spec\./],
  ['test_*', /^test_/],
  ['test-*', /^test-/],
  ['tests_*', /^tests_/],
  ['test.*', /^test\./],
  ['*Test.*', /Test\./],
  ['*Tests.*', /Tests\./],
  ['*TestCase.*', /TestCase\./],
  ['*Spec.*', /Spec\./],
  ['*IT.java', /IT\.java$/],
  ['conftest.py', /^conftest\.py$/],
];

/** Words of a query that ask for a kind of file. */
const ASKS: ReadonlyMap<string, readonly PathClass[]> = new Map(
  Object.entries<PathClass[]>({
    test: ['test'],
    tests: ['test'],
    testing: ['test'],
    specs: ['test'],
    fixture: ['test'],
    fixtures: ['test'],
    benchmark: ['test'],
    doc: ['docs'],
    docs: ['docs'],
    documentation: ['docs'],
    readme: ['docs'],
    manual: ['docs'],
    changelog: ['changelog'],
    example: ['example'],
    examples: ['example'],
    sample: ['example'],
    demo: ['example'],
    build: ['build'],
    script: ['build'],
    scripts: ['build'],
    cmake: ['build'],
    makefile: ['build'],
    kconfig: ['build'],
    rake: ['build'],
    gradle: ['build'],
    dockerfile: ['build'],
    vendor: ['vendor'],
    vendored: ['vendor'],
    generated: ['generated'],
  }),
);

/** Classes whose demotion a query's words lift. */
export function liftedBy(words: Iterable<string>): Set<PathClass> {
  const lifted = new Set<PathClass>();
  for (const word of words) for (const kind of ASKS.get(word.toLowerCase()) ?? []) lifted.add(kind);
  return lifted;
}
