/** C that the preprocessor cut up: what lines say where the tree has errors. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defines, macroDefinitions, mendC } from '#dist/code/mend.js';
import type { Draft } from '#dist/code/nesting.js';

const draft = (name: string, text: string, from: string, options: Partial<Draft> = {}): Draft => {
  const startIndex = text.indexOf(from);
  return {
    kind: 'function',
    name,
    startIndex,
    nameIndex: startIndex + from.indexOf(name),
    endIndex: startIndex + from.length,
    scope: '',
    isDeclaration: false,
    isOfClass: false,
    ...options,
  };
};

const TEXT = 'int f(void)\n{\n\tint local;\n}\nint g(void)\n{\n\treturn 1;\n}\n';

test('a function that the tree does not have is added', () => {
  assert.deepEqual(
    mendC(TEXT, []).map(({ name, startIndex, endIndex }) => [name, TEXT.slice(startIndex, endIndex)]),
    [
      ['f', 'int f(void)\n{\n\tint local;\n}'],
      ['g', 'int g(void)\n{\n\treturn 1;\n}'],
    ],
  );
});

test('the end of a function is where its brace is', () => {
  const drafts = [draft('f', TEXT, 'int f(void)\n{')];
  mendC(TEXT, drafts);
  assert.equal(drafts[0]?.endIndex, TEXT.indexOf('}') + 1);
});

test('a local name that was spilled to the top is taken out', () => {
  const drafts = [draft('local', TEXT, 'int local;', { kind: 'variable' })];
  mendC(TEXT, drafts);
  assert.deepEqual(drafts, []);
});

test('a function that swallowed the next one is taken out', () => {
  const text = `lost(1)\n${TEXT}`;
  const drafts = [draft('lost', text, text)];
  mendC(text, drafts);
  assert.deepEqual(drafts, []);
});

test('a #define ends where no backslash continues it', () => {
  const text = '#define A 1\n\t# define B(x) \\\n\tx\nint a;\n#define C \\';
  assert.deepEqual(
    defines(text).map(({ name, startIndex, endIndex }) => [name, text.slice(startIndex, endIndex)]),
    [
      ['A', '#define A 1'],
      ['B', '# define B(x) \\\n\tx'],
      ['C', '#define C \\'],
    ],
  );
});

const MACROS: [text: string, names: string[]][] = [
  ['static DEFINE_MUTEX(lock);', ['lock']],
  ['DEFINE_PER_CPU(struct s, a);', ['a']],
  ['DECLARE_PER_CPU(int, b);', ['b declared']],
  ['DECLARE_WAIT_QUEUE_HEAD(c);', ['c']],
  ['LIST_HEAD(d);\nHLIST_HEAD(e);', ['d', 'e']],
  ['  DEFINE_MUTEX(indented);', []],
  ['#define DEFINE_X(name) int name', []],
  ['DEFINE_X(1)', []],
];
for (const [text, names] of MACROS) {
  test(`${JSON.stringify(text)} defines ${names.join(', ') || 'nothing'}`, () => {
    assert.deepEqual(
      macroDefinitions(text).map(({ name, isDeclaration }) => `${name}${isDeclaration ? ' declared' : ''}`),
      names,
    );
  });
}
