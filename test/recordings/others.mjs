// Runs that end otherwise than by failing tests: nothing found, nothing compiled, a crash, colours.
import * as projects from './projects.mjs';

const npm = (test, files, type = 'module') => ({
  argv: ['npm', 'test'],
  files: { 'package.json': `${JSON.stringify({ name: 'fixture', private: true, type, scripts: { test } })}\n`, ...files },
});
const COLOURS = { NO_COLOR: '', FORCE_COLOR: '1', CARGO_TERM_COLOR: 'always' };

export const OTHERS = {
  'colours-node': { argv: ['node', '--test', '--test-reporter=spec'], files: projects.node(3), environment: COLOURS },
  'colours-jest': { argv: ['npm', 'test'], files: projects.jest(3), environment: COLOURS },
  'colours-vitest': { argv: ['npm', 'test'], files: projects.vitest(3), environment: COLOURS },
  'none-node': { argv: ['node', '--test', '--test-reporter=spec'], files: { 'package.json': '{}' } },
  'none-mocha': npm('mocha', { 'double.js': '' }, 'commonjs'),
  'none-jest': npm('jest', { 'double.js': '' }, 'commonjs'),
  'none-vitest': npm('vitest run', { 'double.js': '' }),
  'none-ava': npm('ava', { 'double.js': '' }),
  'none-pytest': { argv: ['pytest', '-q'], files: { 'double.py': '' } },
  'none-unittest': { argv: ['python3', '-m', 'unittest'], files: { 'double.py': '' } },
  'none-go': { argv: ['go', 'test', './...'], files: { 'go.mod': 'module fixture\n', 'double.go': 'package fixture\n' } },
  'none-cargo': { argv: ['cargo', 'test', '--no-fail-fast'], files: { ...projects.cargo(0), 'src/lib.rs': 'pub fn double() {}\n' } },
  'crash-node': {
    argv: ['node', '--test', '--test-reporter=spec'],
    files: { 'package.json': '{"type":"module"}', 'bad.test.js': "import { absent } from './absent.js';\nabsent();\n" },
  },
  'crash-mocha': npm('mocha', { 'test/bad.js': "require('./absent.js');\n" }, 'commonjs'),
  'crash-jest': npm('jest', { 'bad.test.js': 'const = 1;\n' }, 'commonjs'),
  'crash-vitest': npm('vitest run', { 'bad.test.js': "import { absent } from './absent.js';\nabsent();\n" }),
  'crash-pytest': {
    argv: ['pytest', '-q'],
    files: { 'test_bad.py': 'import absent_module\n', 'test_good.py': 'def test_good():\n    pass\n' },
  },
  'crash-unittest': { argv: ['python3', '-m', 'unittest'], files: { 'test_bad.py': 'import absent_module\n' } },
  'crash-go': {
    argv: ['go', 'test', './...'],
    files: {
      ...projects.go(0),
      'double_test.go':
        'package fixture\n\nimport "testing"\n\nfunc TestGood(t *testing.T) {}\n\nfunc TestPanics(t *testing.T) {\n\tif At(nil, 3) > 0 {\n\t\tt.Fatal("no")\n\t}\n}\n',
    },
  },
  'compile-go': {
    argv: ['go', 'test', './...'],
    files: { ...projects.go(1), 'double.go': 'package fixture\n\nfunc Double(n int) int { return "two" }\n' },
  },
  'compile-cargo': {
    argv: ['cargo', 'test', '--no-fail-fast'],
    files: { ...projects.cargo(1), 'src/lib.rs': 'pub fn double(n: i64) -> i64 {\n    "two"\n}\n' },
  },
  'compile-tsc': npm('tsc --noEmit --strict double.ts', { 'double.ts': 'export const double = (n: number): number => "two";\n' }),
  'npm-missing-program': npm('no-such-runner --all', {}),
};
