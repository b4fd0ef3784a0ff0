/** A NUL byte makes ripgrep skip a file, or stop in it, without a word. RipScope has to say the word. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { bytes, makeWorld, nul } from '../support/fixtures.js';
import { filesOf, matchAt, places } from '../support/replies.js';
import { openForms, sharedForms } from '../support/server.js';

const world = makeWorld();
const nulRoot = nul(world);
const onNul = sharedForms(() => ({ root: nulRoot }));

// https://github.com/anthropics/claude-code/issues/66120
test('nul-silent: a file that was searched only up to a NUL byte is named as binary', async () => {
  const answer = await (await onNul()).search({ pattern: 'SIGNATURE_TOKEN', regex: false });
  const found = places(answer);
  assert.ok(found.includes('plain.txt:1') && found.includes('late.log:1'), found.join(' '));
  assert.match(answer.text, /late\.log/);
  assert.match(answer.text, /binary/i);
  const said = (answer.structured.notes ?? []).filter((note) => note.includes('late.log') && /binary|NUL/i.test(note));
  assert.ok(said.length > 0, `a note names late.log: ${JSON.stringify(answer.structured.notes)}`);
});

test('nul-silent: binary: true searches such files whole', async () => {
  const answer = await (await onNul()).search({ pattern: 'SIGNATURE_TOKEN', regex: false, binary: true });
  assert.deepEqual(places(answer), ['early.ts:1', 'early.ts:2', 'late.log:1', 'late.log:150003', 'plain.txt:1']);
  assert.ok(matchAt(answer, 'early.ts', 1).text.startsWith('hello SIGNATURE_TOKEN here'));
  assert.equal(matchAt(answer, 'early.ts', 2).text, 'SIGNATURE_TOKEN again');
  assert.equal(answer.isError, false);
});

for (const output of ['files', 'count'] as const) {
  test(`nul-silent: output ${output} does not lose the file with the late NUL byte`, async () => {
    const answer = await (await onNul()).search({ pattern: 'SIGNATURE_TOKEN', regex: false, output });
    const paths = output === 'files' ? filesOf(answer) : (answer.structured.counts ?? []).map(({ path }) => path);
    assert.ok(paths.includes('late.log') && paths.includes('plain.txt'), paths.join(' '));
    const whole = await (await onNul()).search({ pattern: 'SIGNATURE_TOKEN', regex: false, output, binary: true });
    if (output === 'files') assert.deepEqual(filesOf(whole), ['early.ts', 'late.log', 'plain.txt']);
    else assert.equal(whole.structured.counts?.find(({ path }) => path === 'late.log')?.count, 2);
  });
}

for (const [name, at] of [
  ['its first byte', 0],
  ['byte 1,000', 1_000],
  ['byte 70,000', 70_000],
  ['byte 300,000', 300_000],
] as const) {
  test(`nul-silent: with the NUL at ${name}, binary: true finds what stands before and behind it`, async () => {
    const filler = 'filler line\n'.repeat(Math.floor(at / 12));
    const root = world.puts(`nul-at-${at}`, {
      'data.log': bytes(at === 0 ? '' : `TOKEN_A\n${filler}`, [0], '\n', `${'x\n'.repeat(10)}TOKEN_B\n`),
    });
    const forms = await openForms({ root });
    const whole = await forms.search({ pattern: 'TOKEN_[AB]', regex: true, binary: true });
    assert.equal(places(whole).length, at === 0 ? 1 : 2, places(whole).join(' '));
    const usual = await forms.search({ pattern: 'TOKEN_[AB]', regex: true });
    assert.ok(places(usual).length === places(whole).length || /binary/i.test(usual.text), usual.text);
  });
}

test('nul-silent: an empty reply does not hide that the only hits are in a binary file', async () => {
  const root = world.puts('only-binary', {
    'early.ts': 'hello SIGNATURE_TOKEN here\u0000more\nSIGNATURE_TOKEN again\n',
    'other.ts': 'nothing\n',
  });
  const answer = await (await openForms({ root })).search({ pattern: 'SIGNATURE_TOKEN' });
  assert.equal(answer.isError, false);
  assert.ok(places(answer).includes('early.ts:1') || /binary/i.test(answer.text), answer.text);
});

test('nul-silent: nothing is called binary where no binary file is concerned', async () => {
  const answer = await (await onNul()).search({ pattern: 'SIGNATURE_TOKEN', scope: 'plain.txt' });
  assert.deepEqual(places(answer), ['plain.txt:1']);
  assert.doesNotMatch(answer.text, /binary/i);
});

test('nul-silent: the text form never carries a raw NUL character', async () => {
  const forms = await onNul();
  const answers = [
    await forms.search({ pattern: 'SIGNATURE_TOKEN', binary: true }),
    await forms.search({ pattern: 'more text', binary: true }),
    await forms.search({ pattern: '\\x00', regex: true, binary: true }),
    await forms.read({ path: 'early.ts' }),
  ];
  for (const answer of answers) assert.ok(!answer.text.includes('\u0000'), JSON.stringify(answer.text));
});

test('nul-silent: reading a file that is binary from the start is an error of its own', async () => {
  const root = world.puts('bin', { 'bin.dat': bytes([0, 1, 2, 3, 0xff], 'text', [0, 0]) });
  const answer = await (await openForms({ root })).read({ path: 'bin.dat' });
  assert.equal(answer.isError, true);
  assert.equal(answer.code, 'file_binary');
  assert.match(answer.text, /binary/i);
});

test('nul-silent: binary files are listed like others', async () => {
  assert.deepEqual(filesOf(await (await onNul()).list({})), ['early.ts', 'late.log', 'plain.txt']);
});
