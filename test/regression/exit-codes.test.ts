/** ripgrep ends with 2 for "failed" and for "some paths could not be read", and a killed one ends with neither. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { rgPath } from '@vscode/ripgrep';
import { makeWorld, partial, plain } from '../support/fixtures.js';
import { everything, filesOf, linesOf, places, SAYS } from '../support/replies.js';
import { openForms, whyNotAs } from '../support/server.js';

const NOBODY = 65_534;
const world = makeWorld();
const partialRoot = partial(world);
const plainRoot = plain(world);
/** Root can read everything, so the server must be somebody else. */
const isRoot = process.getuid?.() === 0;
const skip = isRoot ? (whyNotAs(NOBODY) ?? false) : process.getuid === undefined && 'this system has no file modes';
const asNobody = isRoot ? { uid: NOBODY } : {};

// https://github.com/abo-abo/swiper/issues/2339
test('exit2-partial: hits stay when some paths cannot be read, and the reply names those', { skip }, async () => {
  const answer = await (await openForms({ root: partialRoot, ...asNobody })).search({ pattern: 'needle' });
  assert.equal(answer.isError, false, answer.text);
  assert.deepEqual(places(answer), ['ok.txt:1']);
  assert.equal(answer.structured.partial, true);
  assert.match(answer.text, /noperm\.txt/);
  assert.match(answer.text, /closed/);
  assert.match((answer.structured.notes ?? []).join('\n'), /noperm\.txt[\s\S]*closed|closed[\s\S]*noperm\.txt/);
});

test('exit2-partial: no hit with unreadable paths is incomplete, never a bare "no matches"', { skip }, async () => {
  const answer = await (await openForms({ root: partialRoot, ...asNobody })).search({ pattern: 'zzzz' });
  assert.equal(answer.isError, false, answer.text);
  assert.deepEqual(places(answer), []);
  assert.equal(answer.structured.partial, true);
  assert.match(answer.text, /noperm\.txt/);
  assert.match(answer.text, /closed/);
  assert.doesNotMatch(answer.text, SAYS.bareNothing);
});

for (const args of [
  { pattern: 'needle', output: 'files' },
  { pattern: 'needle', output: 'count' },
  { pattern: 'needle(?= ok)', regex: true },
  { pattern: 'needle', ignored: true },
  { pattern: 'needle', scope: 'noperm.txt' },
  { pattern: 'needle', scope: 'closed' },
] as const) {
  test(`exit2-partial: ${JSON.stringify(args)} is incomplete too, or an error, never silence`, { skip }, async () => {
    const answer = await (await openForms({ root: partialRoot, ...asNobody })).search(args);
    assert.ok(answer.isError || answer.structured.partial === true, answer.text);
    assert.match(answer.text, /noperm\.txt|closed/);
    assert.ok(!everything(answer).includes(world.dir), 'no absolute path');
  });
}

test('exit2-partial: a list with an unreadable folder says so', { skip }, async () => {
  const answer = await (await openForms({ root: partialRoot, ...asNobody })).list({});
  assert.equal(answer.isError, false, answer.text);
  assert.ok(filesOf(answer).includes('ok.txt'));
  assert.match(everything({ text: answer.text }), /closed/);
  assert.match((answer.structured.notes ?? []).join('\n'), /closed/);
});

test('exit2-partial: reading such a file is an error about permission', { skip }, async () => {
  const forms = await openForms({ root: partialRoot, ...asNobody });
  for (const path of ['noperm.txt', 'closed/inner.txt']) {
    const answer = await forms.read({ path });
    assert.equal(answer.isError, true);
    assert.equal(answer.code, 'path_unreadable', answer.text);
    assert.ok(!everything(answer).includes(world.dir), 'no absolute path');
  }
  assert.equal(linesOf(await forms.read({ path: 'ok.txt' }))[0]?.text, 'needle ok');
});

test('exit2-partial: a link to nothing alone makes no reply incomplete', async () => {
  const root = world.puts('dangling', { 'ok.txt': 'needle ok\n' });
  world.link('does-not-exist.txt', 'dangling/dangling.txt');
  const forms = await openForms({ root });
  const answer = await forms.search({ pattern: 'needle' });
  assert.deepEqual(places(answer), ['ok.txt:1']);
  assert.equal(answer.structured.partial, false);
  assert.equal((await forms.read({ path: 'dangling.txt' })).isError, true);
});

test('exit2-partial: exit 2 for a bad pattern is an error, not an incomplete reply', async () => {
  const answer = await (await openForms({ root: plainRoot })).search({ pattern: 'a(', regex: true });
  assert.equal(answer.isError, true);
  assert.equal(answer.code, 'pattern_invalid');
});

for (const [name, ending] of [
  ['is killed', 'kill -KILL $$'],
  ['crashes', 'kill -SEGV $$'],
  ['ends with an unknown code', 'exit 101'],
  ['ends well', 'exit 0'],
] as const) {
  test(`exit2-partial: a ripgrep whose output stops half way and that then ${name} gives no complete reply`, {
    skip: process.platform === 'win32' && 'needs /bin/sh',
  }, async () => {
    const program = world.put(`half-rg-${name.replaceAll(' ', '-')}`, `#!/bin/sh\n"${rgPath}" "$@" | head -c 300\n${ending}\n`, 0o755);
    const root = world.puts('half', { 'a.txt': 'needle a\n', 'b.txt': 'needle b\n', 'c.txt': 'needle c\n' });
    const answer = await (await openForms({ root, env: { RIPSCOPE_RG: program } })).search({ pattern: 'needle', regex: false });
    assert.ok(answer.isError || answer.structured.partial === true || answer.structured.truncated === true, answer.text);
    assert.doesNotMatch(answer.text, SAYS.bareNothing);
  });
}

test('exit2-partial: a ripgrep that only complains is an error with what it said', {
  skip: process.platform === 'win32' && 'needs /bin/sh',
}, async () => {
  const program = world.put('angry-rg', '#!/bin/sh\necho "rg: out of cheese" >&2\nexit 2\n', 0o755);
  const answer = await (await openForms({ root: plainRoot, env: { RIPSCOPE_RG: program } })).search({ pattern: 'needle', regex: false });
  assert.equal(answer.isError, true);
  assert.match(answer.text, /out of cheese/);
});
