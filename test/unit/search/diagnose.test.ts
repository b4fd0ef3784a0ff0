/** What an empty reply says about where the matches may be. Each tree hides its needle in one way. */
import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { rgPath } from '@vscode/ripgrep';
import { type Args, openLab, plant, type Tree } from '../../support/e2e-lab.js';
import { utf16be, utf16le } from '../../support/fixtures.js';

const DISGUISE = 'Needle\n';

/** title, tree, call, what a fact must say */
const remedies: [string, Tree, Args, RegExp][] = [
  [
    'a rule of .gitignore',
    { '.gitignore': '*.log\n', 'x.log': 'needle\n', 'a.ts': '' },
    {},
    /^1 match in 1 file with ignored: true \(rule \*\.log of \.gitignore\), first x\.log:1$/,
  ],
  [
    'a rule of a nested .gitignore',
    { 'sub/.gitignore': '/gen/\n', 'sub/gen/x.c': '\nneedle\n', 'a.ts': '' },
    {},
    /with ignored: true \(rule \/gen\/ of sub\/\.gitignore\), first sub\/gen\/x\.c:2$/,
  ],
  [
    'a rule of .ignore',
    { '.ignore': 'old/\n', 'old/x.c': 'needle\n', 'a.ts': '' },
    {},
    /with ignored: true \(rule old\/ of \.ignore\), first old\/x\.c:1$/,
  ],
  [
    'a rule of .rgignore',
    { '.rgignore': 'old/\n', 'old/x.c': 'needle\n', 'a.ts': '' },
    {},
    /with ignored: true \(rule old\/ of \.rgignore\)/,
  ],
  [
    'a rule of .csignore',
    { '.csignore': 'vendored/\n', 'vendored/x.c': 'needle\n', 'a.ts': '' },
    {},
    /with ignored: true \(rule vendored\/ of \.csignore\)/,
  ],
  [
    'the built-in rule for node_modules',
    { 'node_modules/p/i.js': 'needle\n', 'a.ts': '' },
    {},
    /with ignored: true \(built-in rule node_modules\/\), first node_modules\/p\/i\.js:1$/,
  ],
  [
    'the built-in rule for lock files',
    { 'sub/yarn.lock': 'needle\n', 'a.ts': '' },
    {},
    /\(built-in rule yarn\.lock\), first sub\/yarn\.lock:1$/,
  ],
  ['the built-in rule for build folders', { 'dist/i.js': 'needle\n', 'a.ts': '' }, {}, /\(built-in rule dist\/\)/],
  ['a NUL byte', { 'x.dat': 'a\0b\nneedle\n', 'a.ts': '' }, {}, /^1 match in 1 file with binary: true \(.*NUL.*\), first x\.dat:2$/],
  ['letter case', { 'x.c': '\n\nNEEDLE\n' }, {}, /^1 match in 1 file with ignoreCase: true \(another letter case\), first x\.c:3$/],
  [
    'a longer word',
    { 'x.c': 'needles\nneedless\n' },
    { word: true },
    /^2 matches in 1 file with word: false \(part of a longer word\), first x\.c:1$/,
  ],
  ['being literal text only', { 'x.c': 'f(x)\n' }, { pattern: 'f(x)', regex: true }, /^1 match in 1 file with regex: false/],
  ['being a regex only', { 'x.c': 'foo\n' }, { pattern: 'fo+', regex: false }, /^1 match in 1 file with regex: true/],
  [
    'UTF-16LE without a mark',
    { 'x.txt': utf16le('a\nneedle\n'), 'a.ts': '' },
    {},
    /with encoding: "utf-16le" \(UTF-16 without a byte order mark\), first x\.txt:2$/,
  ],
  [
    'UTF-16BE without a mark',
    { 'x.txt': utf16be('a\nneedle\n'), 'a.ts': '' },
    {},
    /with encoding: "utf-16be" \(UTF-16 without a byte order mark\), first x\.txt:2$/,
  ],
  ['a name with brackets', { 'app/[id]/{x}*?.c': DISGUISE }, {}, /with ignoreCase: true \(another letter case\)/],
  ['a name with a line break', { 'new\nline.c': DISGUISE, 'a.ts': '' }, {}, /with ignoreCase: true \(another letter case\)/],
  [
    'a name that begins like a rule',
    { '!x.c': DISGUISE, '#y.c': DISGUISE, ' z.c ': DISGUISE },
    {},
    /^3 matches in 3 files with ignoreCase: true/,
  ],
  [
    'letter case, in a scope',
    { 's/x.c': DISGUISE, 'x.c': DISGUISE },
    { scope: 's' },
    /^1 match in 1 file with ignoreCase: true .*first s\/x\.c:1$/,
  ],
  [
    'letter case, by globs',
    { 'x.c': DISGUISE, 'x.h': DISGUISE },
    { globs: ['*.h'] },
    /^1 match in 1 file with ignoreCase: true .*first x\.h:1$/,
  ],
  [
    'letter case, when files are asked for',
    { 'x.c': DISGUISE.repeat(3) },
    { output: 'files' },
    /^3 matches in 1 file with ignoreCase: true/,
  ],
  [
    'letter case, when counts are asked for',
    { 'x.c': DISGUISE.repeat(3) },
    { output: 'count' },
    /^3 matches in 1 file with ignoreCase: true/,
  ],
];
for (const [title, tree, args, fact] of remedies) {
  test(`an empty reply names what hides the match: ${title}`, async () => {
    const lab = openLab(plant(tree));
    const { text, found, isError } = await lab.text('search_text', { pattern: 'needle', ...args });
    assert.ok(!isError && !found, text);
    const facts = text.split('\n').filter((line) => line.startsWith('# '));
    assert.ok(
      facts.some((line) => fact.test(line.slice(2))),
      text,
    );
    assert.doesNotMatch(text, /nor in ignored or binary files/);
    const { data } = await lab.json('search_text', { pattern: 'needle', ...args });
    assert.ok(
      data.notes?.some((note) => fact.test(note)),
      'the data says it too',
    );
  });
}

for (const [title, tree, args, fact] of remedies) {
  const change = /with (ignored: true|binary: true|ignoreCase: true|word: false|regex: false|regex: true|encoding: "[\w-]+")/.exec(
    fact.source.replaceAll('\\', ''),
  )?.[1];
  if (change === undefined) continue;
  test(`the repair that an empty reply offers works: ${title}`, async () => {
    const [name, value] = change.split(': ') as [string, string];
    const lab = openLab(plant(tree));
    const reply = await lab.text('search_text', { pattern: 'needle', ...args, [name]: JSON.parse(value) as unknown });
    assert.ok(reply.found, `${change}: ${reply.text}`);
  });
}

test('several causes are all named, each with its own number', async () => {
  const tree = { '.gitignore': '*.log\n', 'a.log': 'needle\nneedle\n', 'b.c': 'NEEDLE\n', 'c.dat': '\0\0\nneedle\n' };
  const { text } = await openLab(plant(tree)).text('search_text', { pattern: 'needle' });
  assert.match(text, /^# 2 matches in 1 file with ignored: true \(rule \*\.log of \.gitignore\), first a\.log:1$/m);
  assert.match(text, /^# 1 match in 1 file with ignoreCase: true \(another letter case\), first b\.c:1$/m);
  assert.match(text, /^# 1 match in 1 file with binary: true \(.*\), first c\.dat:2$/m);
});

test('a match that needs two restrictions lifted at once is named as such', async () => {
  const tree = { '.gitignore': '*.log\n', 'a.log': 'NEEDLE\n', 'b.c': 'x\n' };
  const { text } = await openLab(plant(tree)).text('search_text', { pattern: 'needle' });
  assert.match(text, /^# 1 match in 1 file with ignored: true, ignoreCase: true.* \(more than one restriction at once\), first a\.log:1$/m);
});

test('what is really absent is said to be absent everywhere that was searched', async () => {
  const lab = openLab(plant({ 'a.c': 'x\n', 'node_modules/i.js': 'x\n', 'b.dat': '\0\n' }));
  const { text, data } = {
    ...(await lab.text('search_text', { pattern: 'needle' })),
    data: (await lab.json('search_text', { pattern: 'needle' })).data,
  };
  assert.match(text, /^No matches for the text "needle" in \d+ files? \(.*\)\.\n/);
  assert.match(text, /^# nor in ignored or binary files, in any letter case; secrets .* never searched$/m);
  assert.equal(data.totalMatches, 0);
  assert.equal(data.partial, false);
});

test('a secret that holds the text is not given away by an empty reply', async () => {
  const { text } = await openLab(plant({ '.env': 'needle\n', 'k.pem': 'needle\n', '.git/config': 'needle\n', 'a.c': 'x\n' })).text(
    'search_text',
    { pattern: 'needle' },
  );
  assert.match(text, /nor in ignored or binary files/);
  assert.doesNotMatch(text, /\.env:|k\.pem|config/);
});

test('a search that opened no file says so', async () => {
  const { text } = await openLab(plant({ 'a.c': 'needle\n' })).text('search_text', { pattern: 'needle', globs: ['*.py'] });
  assert.match(text, /^# check scope, globs and exclude with list_files$/m);
});

for (const rule of ['/*', '*', '**']) {
  test(`a .gitignore of ${rule} that hides every file is set aside and named`, async () => {
    const lab = openLab(plant({ '.gitignore': `${rule}\n`, 'src/a.c': 'needle\n', 'b.c': 'needle\n' }));
    for (const tool of ['search_text', 'list_files']) {
      const { text, found } = await lab.text(tool, tool === 'search_text' ? { pattern: 'needle' } : {});
      assert.ok(found, text);
      assert.ok(text.includes(`# rule ${rule} of .gitignore hides every file of the root, so .gitignore was set aside`), text);
      assert.match(text, /^src\/a\.c(?: @[\w-]{6})?$/m);
    }
    // Scope and globs are set aside for the question whether a root is hidden.
    const scoped = await lab.text('search_text', { pattern: 'needle', scope: 'src' });
    assert.match(scoped.text, /set aside/);
  });
}

test('pages go on where .gitignore was set aside', async () => {
  const tree = Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`f${i}.c`, 'needle\n']));
  const lab = openLab(plant({ ...tree, '.gitignore': '/*\n' }));
  const first = await lab.json('search_text', { pattern: 'needle', maxMatches: 4 });
  const second = await lab.json('search_text', { pattern: 'needle', maxMatches: 4, cursor: first.data.nextCursor });
  assert.deepEqual(
    [first, second].flatMap(({ data }) => (data.matches ?? []).map((match) => match.path)),
    Object.keys(tree),
  );
});

test('one file that the rules leave over keeps .gitignore in force', async () => {
  const lab = openLab(plant({ '.gitignore': '/*\n!/keep.c\n', 'keep.c': 'x\n', 'src/a.c': 'needle\n' }));
  const { text, found } = await lab.text('search_text', { pattern: 'needle' });
  assert.ok(!found);
  assert.doesNotMatch(text, /set aside/);
  assert.match(text, /with ignored: true \(rule \/\* of \.gitignore\)/);
});

test('many hidden matches are counted as at least so many, and the same call says the same', async () => {
  const tree = Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`d${i % 9}/f${i}.txt`, 'NEEDLE\n'.repeat(5)]));
  const lab = openLab(plant(tree));
  const first = await lab.text('search_text', { pattern: 'needle' });
  assert.match(first.text, /^# at least \d+ matches in \d+ files with ignoreCase: true/m);
  for (let i = 0; i < 8; i++) assert.equal((await lab.text('search_text', { pattern: 'needle' })).text, first.text);
});

/** A ripgrep that also complains, as the real one does about a folder that it may not enter. */
function complaining(lines: readonly string[], code: number): string {
  const dir = plant({ 'rg.sh': '' });
  const script = join(dir, 'rg.sh');
  const said = lines.map((line) => `printf '%s\\n' "rg: ${line}" >&2`).join('\n');
  writeFileSync(script, `#!/bin/sh\n"${rgPath}" "$@"\ncase "$*" in *--files*) ;; *) ${said}\nexit ${code};; esac\n`);
  chmodSync(script, 0o755);
  return script;
}
const posix = { skip: process.platform === 'win32' && 'the stand-in for rg is a shell script' };

test('matches beside a folder that could not be read are kept, and the reply says incomplete', posix, async () => {
  const program = complaining(['./closed: Permission denied (os error 13)'], 2);
  const lab = openLab(plant({ 'a.c': 'needle\n' }), { program });
  const { text, found, isError } = await lab.text('search_text', { pattern: 'needle' });
  assert.ok(found && !isError, text);
  assert.match(text, /^# incomplete: 1 path could not be searched: closed \(Permission denied\)$/m);
  const { data } = await lab.json('search_text', { pattern: 'needle' });
  assert.equal(data.partial, true);
  assert.equal(data.matches?.length, 1);
});

test('nothing found beside a folder that could not be read is no proof of absence', posix, async () => {
  const program = complaining(['./closed: Permission denied (os error 13)'], 2);
  const { text, isError, data } = await openLab(plant({ 'a.c': 'x\n' }), { program }).text('search_text', { pattern: 'needle' });
  assert.ok(!isError, text);
  assert.match(text, /^Nothing found for the text "needle".*incomplete\.\n/);
  assert.doesNotMatch(text, /^No matches|nor in/m);
  assert.deepEqual(data, {});
});

test('many unreadable paths are five names in path order and a number', posix, async () => {
  const program = complaining(
    Array.from({ length: 9 }, (_, i) => `./p${8 - i}: Permission denied (os error 13)`),
    2,
  );
  const { text } = await openLab(plant({ 'a.c': 'needle\n' }), { program }).text('search_text', { pattern: 'needle' });
  assert.match(text, /^# incomplete: 9 paths could not be searched: p0 \(Permission denied\), .*p4 \(Permission denied\) and 4 more$/m);
});

test('a bad line of an ignore file in the repository is a note, not a failure', async () => {
  const lab = openLab(plant({ '.ignore': '{a\n*.log\n', 'x.c': 'needle\n', 'y.log': 'needle\n' }));
  const { text, found } = await lab.text('search_text', { pattern: 'needle' });
  assert.ok(found, text);
  assert.match(text, /^# a bad line in an ignore file was passed over: \.ignore line 1$/m);
  assert.doesNotMatch(text, /y\.log/);
  assert.equal((await lab.json('search_text', { pattern: 'needle' })).data.partial, false);
});

test('a search out of time keeps what it covered, says so and offers a cursor that goes on there', async () => {
  const dir = plant({ 'a.c': 'test ripgrep\n', 'slow.txt': `${'x'.repeat(100_000)}\n`.repeat(24) });
  const lab = openLab(dir);
  const { data } = await lab.json('search_text', { pattern: '(?=.*test)(?=.*ripgrep)', regex: true, timeoutMs: 400 });
  assert.equal(data.timedOut, true);
  assert.equal(data.partial, true);
  assert.equal(data.truncated, true);
  assert.equal(data.truncateReason, 'timeout');
  assert.equal(typeof data.nextCursor, 'string');
  assert.equal(data.totalMatches, undefined);
  assert.deepEqual((data as { covered?: unknown }).covered, { files: 1, bytes: 13, upTo: 'slow.txt' });
  // A listing counts what there is.
  await lab.json('list_files', {});
  const { text } = await lab.text('search_text', { pattern: '(?=.*test)(?=.*ripgrep)', regex: true, timeoutMs: 400 });
  assert.match(text, /a\.c/);
  assert.match(text, /incomplete: stopped after 400 ms; this call covered 1 file \(13 bytes\) of 2 files/);
  assert.match(text, /everything before slow\.txt in path order is covered/);
  assert.doesNotMatch(text, /^No matches/);
});
