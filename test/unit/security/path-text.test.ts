import assert from 'node:assert/strict';
import path, { type PlatformPath } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ErrorCode, ToolError } from '#dist/base/errors.js';
import { isInside, relativeText } from '#dist/security/path-text.js';

const SEED = 20_261_130;
const RUNS = 10_000;
const POSIX_ROOTS = ['/srv/repo', '/srv/link-to-repo'];
const WINDOWS_ROOTS = ['C:\\srv\\repo'];

const onPosix = (text: string): string => relativeText(text, POSIX_ROOTS, path.posix);
const onWindows = (text: string): string => relativeText(text, WINDOWS_ROOTS, path.win32);

type Case = [title: string, text: string, expected: string | { code: ErrorCode }];
const outside = { code: 'path_outside_root' } as const;
const invalid = { code: 'path_invalid' } as const;

function check(system: string, relative: (text: string) => string, cases: readonly Case[]): void {
  for (const [title, text, expected] of cases) {
    test(`${system}: ${title} (${JSON.stringify(text)}) ${typeof expected === 'string' ? 'is taken' : `gives ${expected.code}`}`, () => {
      if (typeof expected === 'string') assert.equal(relative(text), expected);
      else assert.throws(() => relative(text), { name: 'ToolError', code: expected.code });
    });
  }
}

check('posix', onPosix, [
  ['a file', 'src/a.ts', 'src/a.ts'],
  ['a dot', '.', ''],
  ['a dot and a slash', './', ''],
  ['a leading ./', './src/a.ts', 'src/a.ts'],
  ['a trailing slash', 'src/', 'src'],
  ['many slashes', './/src///a.ts//', 'src/a.ts'],
  ['.. that stays inside', 'src/../lib/a.ts', 'lib/a.ts'],
  ['.. back to the root', 'src/..', ''],
  ['a name of three dots', '.../a', '.../a'],
  ['a name that begins with two dots', '..a/b', '..a/b'],
  ['a name that ends with two dots', 'a../b', 'a../b'],
  ['a name with a backslash, an ordinary character', 'a\\..\\..\\b', 'a\\..\\..\\b'],
  ['a name with a colon, an ordinary character', 'C:x', 'C:x'],
  ['a device name, an ordinary one', 'nul', 'nul'],
  ['a trailing dot and space, ordinary ones', 'a. ', 'a. '],
  ['an absolute path inside', '/srv/repo/src/a.ts', 'src/a.ts'],
  ['the root itself', '/srv/repo', ''],
  ['the root itself with a slash', '/srv/repo/', ''],
  ['an absolute path by the other name of the root', '/srv/link-to-repo/a', 'a'],
  ['an absolute path with .. that stays inside', '/srv/repo/../repo/a', 'a'],
  ['an absolute path with a double slash', '//srv/repo/a', 'a'],
  ['a wide character', 'ä/漢/😀', 'ä/漢/😀'],
  ['traversal', '../secret', outside],
  ['traversal alone', '..', outside],
  ['traversal with a slash', '../', outside],
  ['traversal behind a folder', 'src/../../secret', outside],
  ['traversal with doubled slashes', 'src//..//..//secret', outside],
  ['an absolute path outside', '/etc/passwd', outside],
  ['the file system itself', '/', outside],
  ['the folder above', '/srv', outside],
  ['a prefix sibling', '/srv/repo-evil/a', outside],
  ['an absolute path that leaves', '/srv/repo/../other', outside],
  ['traversal to a prefix sibling', '../repo-evil/a', outside],
  ['nothing', '', invalid],
  ['only spaces', ' \t', invalid],
  ['a NUL', 'a\0.ts', invalid],
  ['a NUL behind an absolute path', '/srv/repo/a\0', invalid],
]);

check('windows', onWindows, [
  ['a file', 'src\\a.ts', 'src/a.ts'],
  ['a forward slash', 'src/a.ts', 'src/a.ts'],
  ['mixed slashes', 'src/sub\\.\\a.ts', 'src/sub/a.ts'],
  ['a dot', '.', ''],
  ['.. that stays inside', 'src\\..\\lib', 'lib'],
  ['an absolute path inside', 'C:\\srv\\repo\\src\\a.ts', 'src/a.ts'],
  ['the root in another case', 'c:\\SRV\\Repo\\src\\a.ts', 'src/a.ts'],
  ['an absolute path inside with forward slashes', 'C:/srv/repo/src/a.ts', 'src/a.ts'],
  ['a name that only begins like a device', 'console.ts', 'console.ts'],
  ['a name that only ends like a device', 'src/beacon', 'src/beacon'],
  ['a device name with a number that is none', 'com10.txt', 'com10.txt'],
  ['traversal', '..\\secret', outside],
  ['traversal with a forward slash', '../secret', outside],
  ['traversal with mixed slashes', 'src\\../..\\secret', outside],
  ['an absolute path outside', 'C:\\Windows\\win.ini', outside],
  ['another drive', 'D:\\srv\\repo\\a', outside],
  ['a prefix sibling', 'C:\\srv\\repo-evil\\a', outside],
  ['a path of the current drive', '\\Windows\\win.ini', outside],
  ['a network path', '\\\\server\\share\\a', outside],
  ['a network path with forward slashes', '//server/share/a', outside],
  ['a network path with mixed slashes', '\\/server/share/a', outside],
  ['a verbatim path, even of the root', '\\\\?\\C:\\srv\\repo\\a', outside],
  ['a device path', '\\\\.\\C:\\srv\\repo\\a', outside],
  ['a verbatim network path', '\\\\?\\UNC\\server\\share\\a', outside],
  ['a drive-relative path', 'C:secret', invalid],
  ['a drive-relative path of another drive', 'D:a\\b', invalid],
  ['a drive alone', 'C:', invalid],
  ['a stream', 'a.txt:hidden', invalid],
  ['a stream of a folder', 'src::$INDEX_ALLOCATION\\a', invalid],
  ['a stream of an absolute path', 'C:\\srv\\repo\\a.txt::$DATA', invalid],
  ['a device', 'CON', invalid],
  ['a device in lower case', 'nul', invalid],
  ['a device with an extension', 'com1.txt', invalid],
  ['a device with two extensions', 'lpt9.tar.gz', invalid],
  ['a device with a superscript digit', 'COM¹', invalid],
  ['a device in a folder', 'src\\aux\\a.ts', invalid],
  ['a device behind a forward slash', 'src/prn.log', invalid],
  ['a device by an absolute path', 'C:\\srv\\repo\\nul', invalid],
  ['a device with a space before its extension, which Windows drops', 'nul .txt', invalid],
  ['a console handle', 'CONIN$', invalid],
  ['a trailing dot', 'a.txt.', invalid],
  ['a trailing space', 'a.txt ', invalid],
  ['a trailing dot on a folder', '.git.\\config', invalid],
  ['a trailing space on a folder', '.git \\config', invalid],
  ['dots and spaces that Windows reads as ..', '.. \\secret', invalid],
  ['three dots', '...\\secret', invalid],
  ['nothing', '', invalid],
  ['a NUL', 'a\0', invalid],
]);

const pieces = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      '..',
      '.',
      '/',
      '\\',
      '//',
      'a',
      'b c',
      'repo',
      'srv',
      ':',
      'C:',
      'nul',
      '~',
      '...',
      ' ',
      '\t',
      '%2e%2e',
      '\n',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
);
const anyText = fc.oneof(
  fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
  fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join('/')),
  fc
    .tuple(
      fc.constantFrom('/srv/repo/', '/srv/repo', 'C:\\srv\\repo\\', 'c:/srv/repo', '\\\\?\\', '//'),
      fc.array(pieces, { maxLength: 8 }),
    )
    .map(([root, parts]) => root + parts.join('')),
);

/** What the system itself would open, compared with the root. */
function staysInside(relative: string, root: string, system: PlatformPath): boolean {
  const opened = system.resolve(root, relative);
  return opened === root || opened.startsWith(root + system.sep);
}

const systems: [string, PlatformPath, readonly string[]][] = [
  ['posix', path.posix, POSIX_ROOTS],
  ['windows', path.win32, WINDOWS_ROOTS],
];
for (const [name, system, roots] of systems) {
  test(`${name}: whatever the text, it is refused or names something inside (seed ${SEED})`, () => {
    let taken = 0;
    fc.assert(
      fc.property(anyText, (text) => {
        let relative: string;
        try {
          relative = relativeText(text, roots, system);
        } catch (error) {
          assert.ok(error instanceof ToolError, String(error));
          return;
        }
        taken++;
        assert.ok(staysInside(relative, roots[0]!, system), relative);
        assert.ok(isInside(relative, system));
        assert.ok(!relative.includes('\0') && !relative.startsWith('/') && !relative.endsWith('/'), relative);
        assert.ok(!relative.split('/').some((part) => part === '..' || part === '.'), relative);
        if (system.sep === '\\') assert.doesNotMatch(relative, /[\\:]/);
        if (relative.trim() !== '') assert.equal(relativeText(relative, roots, system), relative, 'what was taken is taken again as it is');
      }),
      { seed: SEED, numRuns: 2 * RUNS },
    );
    assert.ok(taken > RUNS / 4, `only ${taken} texts were taken, so this proves little`);
  });
}

const inside: [string, boolean][] = [
  ['', true],
  ['a', true],
  ['..a', true],
  ['..', false],
  ['../a', false],
  ['/a', false],
];
for (const [relative, expected] of inside) {
  test(`"${relative}" is ${expected ? 'inside' : 'outside'}`, () => assert.equal(isInside(relative, path.posix), expected));
}
