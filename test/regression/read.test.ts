/** Reading a few lines reads a few lines: whatever the size of the file or the length of its lines. */
import assert from 'node:assert/strict';
import { closeSync, openSync, writeSync } from 'node:fs';
import test from 'node:test';
import { makeWorld, readable } from '../support/fixtures.js';
import { everything, linesOf } from '../support/replies.js';
import { HAS_PROC, openServer, sharedForms } from '../support/server.js';

const world = makeWorld();
const root = readable(world);
const onRead = sharedForms(() => ({ root }));

// https://github.com/modelcontextprotocol/servers/pull/1027
test('read-huge-file: three lines from the middle', async () => {
  const answer = await (await onRead()).read({ path: 'big.log', startLine: 30_000, endLine: 30_002 });
  assert.equal(answer.isError, false, answer.text);
  assert.deepEqual(
    linesOf(answer).map(({ line }) => line),
    [30_000, 30_001, 30_002],
  );
  assert.match(answer.text, /entry 30000 /);
  assert.match(answer.text, /entry 30002 /);
  assert.doesNotMatch(answer.text, /entry (29999|30003) /);
});

test('read-huge-file: a range that reaches over the end gives what is there', async () => {
  const answer = await (await onRead()).read({ path: 'big.log', startLine: 59_999, endLine: 60_010 });
  assert.equal(answer.isError, false, answer.text);
  assert.deepEqual(
    linesOf(answer).map(({ line }) => line),
    [59_999, 60_000],
  );
  assert.match(answer.text, /entry 60000 /);
  assert.equal(answer.structured.totalLines, 60_000);
});

test('read-huge-file: a range behind the end is an error that tells the number of lines', async () => {
  const answer = await (await onRead()).read({ path: 'big.log', startLine: 70_000, endLine: 70_001 });
  assert.equal(answer.isError, true);
  assert.equal(answer.code, 'range_invalid');
  assert.match(answer.text, /60,?000/);
});

for (const [name, range] of [
  ['that ends before it begins', { startLine: 5, endLine: 4 }],
  ['that begins at 0', { startLine: 0, endLine: 3 }],
  ['with a negative start', { startLine: -5, endLine: 3 }],
  ['with a negative end', { startLine: 1, endLine: -1 }],
  ['with half lines', { startLine: 1.5, endLine: 3 }],
  ['with no number', { startLine: 'first' }],
  ['behind any file', { startLine: 2_000_000_001 }],
  ['one line behind the end', { startLine: 60_001 }],
  ['with an endless end', { startLine: 60_001, endLine: 2_000_000_000 }],
] as const) {
  test(`read-huge-file: a range ${name} is an error`, async () => {
    const answer = await (await onRead()).read({ path: 'big.log', ...range });
    assert.equal(answer.isError, true, answer.text);
    assert.match(answer.text, /line/i);
  });
}

for (const [range, first, last] of [
  [{ startLine: 1, endLine: 1 }, 1, 1],
  [{ startLine: 60_000 }, 60_000, 60_000],
  [{ startLine: 60_000, endLine: 60_000 }, 60_000, 60_000],
  [{ startLine: 100, maxLines: 3 }, 100, 102],
  [{ endLine: 2 }, 1, 2],
  [{ startLine: 7, endLine: 9, maxLines: 2 }, 7, 8],
] as const) {
  test(`read-huge-file: ${JSON.stringify(range)} gives lines ${first} to ${last}`, async () => {
    const answer = await (await onRead()).read({ path: 'big.log', ...range });
    assert.deepEqual(
      linesOf(answer),
      Array.from({ length: last - first + 1 }, (_, i) => ({ line: first + i, text: `entry ${first + i} ${'m'.repeat(40)}` })),
    );
  });
}

test('read-huge-file: a whole file is given in parts, each of which names the next', async () => {
  const forms = await onRead();
  let startLine = 1;
  for (let part = 0; part < 3; part++) {
    const { text, structured } = await forms.read({ path: 'big.log', startLine });
    assert.equal(structured.truncated, true);
    assert.equal(structured.lines?.[0]?.line, startLine);
    const shown = [...text.matchAll(/^(\d+)\s+entry (\d+) m{40}$/gm)].map((match) => [Number(match[1]), Number(match[2])]);
    assert.ok(shown.length > 50);
    for (const [i, pair] of shown.entries()) assert.deepEqual(pair, [startLine + i, startLine + i]);
    assert.ok(text.length <= 9_500);
    startLine += shown.length;
    assert.match(text, new RegExp(`startLine\\W{1,4}${startLine}\\b`), 'the next call');
    assert.match((structured.notes ?? []).join('\n'), /startLine/, 'the structured form names one as well');
  }
});

test('read-huge-file: a few enormous lines stay within the budget and are read on by columns', async () => {
  const forms = await onRead();
  const answer = await forms.read({ path: 'fat.json', startLine: 2, endLine: 2 });
  assert.equal(answer.isError, false);
  assert.ok(answer.text.length <= 9_500, `${answer.text.length} characters`);
  assert.ok(answer.text.includes('{"row":2,"data":"kkk'));
  assert.match(answer.text, /startColumn/);
  let shown = '';
  for (let startColumn: number | undefined = 1, part = 0; startColumn !== undefined && part < 12; part++) {
    const window = await forms.read({ path: 'fat.json', startLine: 2, endLine: 2, startColumn });
    shown += (linesOf(window)[0]?.text ?? '').replaceAll('\u2026', '');
    const next: number = Number(/startColumn\W{1,4}(\d+)/.exec((window.structured.notes ?? []).join('\n'))?.[1]);
    assert.ok(Number.isNaN(next) || next > startColumn, `${next} follows ${startColumn}`);
    startColumn = Number.isNaN(next) ? undefined : next;
  }
  assert.equal(shown.length, `{"row":2,"data":"${'k'.repeat(20_000)}"}`.length);
  assert.ok(shown.endsWith('k"}'));
  const whole = await forms.read({ path: 'fat.json' });
  assert.ok(whole.text.length <= 9_500);
});

test('read-huge-file: a column behind the end of the line is an error', async () => {
  const answer = await (await onRead()).read({ path: 'big.log', startLine: 1, endLine: 1, startColumn: 5_000 });
  assert.equal(answer.isError, true, answer.text);
  assert.match(answer.text, /column/i);
});

test('read-huge-file: memory does not follow the size of the file', { skip: !HAS_PROC && 'needs /proc' }, async () => {
  const folder = world.folder('huge');
  const handle = openSync(`${folder}/huge.log`, 'w');
  const block = Array.from({ length: 20_000 }, (_, i) => `line of a huge file ${String(i).padStart(5, '0')} ${'h'.repeat(24)}\n`).join('');
  const blocks = 160;
  for (let i = 0; i < blocks; i++) writeSync(handle, block);
  closeSync(handle);
  const sizeMiB = (block.length * blocks) / 1_048_576;
  const server = await openServer({ root: folder, format: 'json' });
  await server.call('read_snippet', { path: 'huge.log', startLine: 1, endLine: 2 });
  const before = server.memory('VmHWM');
  const last = 20_000 * blocks - 1;
  const answer = await server.call('read_snippet', { path: 'huge.log', startLine: last, endLine: last + 5 });
  assert.deepEqual(
    (answer.structured?.lines ?? []).map(({ line }) => line),
    [last, last + 1],
  );
  const grown = server.memory('VmHWM') - before;
  assert.ok(grown < sizeMiB / 2, `grew by ${grown.toFixed(0)} MiB for a file of ${sizeMiB.toFixed(0)} MiB`);
});

test('read-huge-file: a line of 30 MB costs no more than its window', { skip: !HAS_PROC && 'needs /proc' }, async () => {
  const folder = world.puts('one-line', { 'one.json': `${'{"a":'.repeat(6_000_000)}\nsecond line\n` });
  const server = await openServer({ root: folder, format: 'json' });
  const before = server.memory('VmHWM');
  const first = await server.call('read_snippet', { path: 'one.json', startLine: 1, endLine: 1 });
  assert.ok((first.structured?.lines?.[0]?.text.length ?? 0) <= 9_500);
  const second = await server.call('read_snippet', { path: 'one.json', startLine: 2, endLine: 2 });
  assert.equal(second.structured?.lines?.[0]?.text, 'second line');
  const grown = server.memory('VmHWM') - before;
  assert.ok(grown < 60, `grew by ${grown.toFixed(0)} MiB`);
});

test('read-huge-file: a missing file is an error that offers near names', async () => {
  const answer = await (await onRead()).read({ path: 'big.logs' });
  assert.equal(answer.isError, true);
  assert.equal(answer.code, 'path_missing');
  assert.match(answer.text, /big\.log\b/);
});

test('read-huge-file: binary content is refused with its own error', async () => {
  const answer = await (await onRead()).read({ path: 'bin.dat' });
  assert.equal(answer.isError, true);
  assert.equal(answer.code, 'file_binary');
  assert.ok(!everything(answer).includes('\u0000'));
});
