/** Where lines went between two states of a file, and what a reply says of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FileStates, hashLine } from '#dist/search/file-states.js';
import { changedLines, whereWent } from '#dist/search/moved.js';
import { since } from '#dist/search/since.js';

const SEED = 20_261_202;
const hashes = (lines: readonly string[]): Uint32Array => Uint32Array.from(lines, hashLine);
const unique = (count: number): string[] => Array.from({ length: count }, (_, index) => `  return compute(value${index});`);

test(`lines that were pushed down or up are found where they are, braces among them (seed ${SEED})`, () => {
  const line = fc.oneof(fc.constantFrom('}', '', '  });', '{'), fc.string({ minLength: 4, maxLength: 12 }));
  const shape = fc.record({
    before: fc.array(line),
    removed: fc.array(line, { maxLength: 5 }),
    added: fc.array(line, { maxLength: 5 }),
    after: fc.array(line),
  });
  fc.assert(
    fc.property(shape, fc.nat(30), ({ before, removed, added, after }, size) => {
      const wanted = unique(size + 1);
      const then = [...before, ...removed, '}', ...wanted, '}', ...after];
      const now = [...before, ...added, '}', ...wanted, '}', ...after];
      const start = before.length + removed.length + 1;
      const end = start + wanted.length + 1;
      const verdict = whereWent(hashes(then), hashes(now), start, end);
      const shift = added.length - removed.length;
      assert.deepEqual(verdict, shift === 0 ? { kind: 'same' } : { kind: 'moved', shift, changed: 0 });
      if (verdict.kind === 'moved') assert.deepEqual(now.slice(start - 1 + shift, end + shift), then.slice(start - 1, end));
    }),
    { seed: SEED, numRuns: 2_000 },
  );
});

test('lines changed in part are found by those that stayed, and counted', () => {
  const then = unique(40);
  const now = ['// new', '// lines', ...then];
  now[12] = 'something else entirely';
  now[30] = 'and here below the lines';
  assert.deepEqual(whereWent(hashes(then), hashes(now), 8, 14), { kind: 'moved', shift: 2, changed: 1 });
});

test('lines that were replaced are gone, also where braces like theirs stand elsewhere', () => {
  const then = ['function a() {', '  first();', '  second();', '}', 'function b() {', '}'];
  assert.deepEqual(whereWent(hashes(then), hashes(['function c() {', '  other();', '}', 'function b() {', '}']), 2, 4), { kind: 'gone' });
  assert.deepEqual(whereWent(hashes(then), hashes([]), 1, 6), { kind: 'gone' });
});

test('a block that moved behind another one is found', () => {
  const lines = unique(30);
  const now = [...lines.slice(10), ...lines.slice(0, 10)];
  assert.deepEqual(whereWent(hashes(lines), hashes(now), 1, 10), { kind: 'moved', shift: 20, changed: 0 });
});

const changes: [title: string, then: string[], now: string[], range: [number, number]][] = [
  ['a line that was changed', ['a', 'b', 'c'], ['a', 'x', 'c'], [2, 2]],
  ['lines that were added', ['a', 'c'], ['a', 'x', 'y', 'c'], [2, 3]],
  ['lines that were removed', ['a', 'b', 'c'], ['a', 'c'], [2, 1]],
  ['the end', ['a'], ['a', 'b'], [2, 2]],
];
for (const [title, then, now, range] of changes)
  test(`what differs: ${title}`, () => assert.deepEqual(changedLines(hashes(then), hashes(now)), range));

const old = unique(30);
const state = (stamp: string, lines: readonly string[] | undefined): { stamp: string; lines: Uint32Array | undefined } => ({
  stamp,
  lines: lines === undefined ? undefined : hashes(lines),
});
const said: [
  title: string,
  now: string[],
  wanted: { startLine: number; endLine: number | undefined } | undefined,
  shift: number,
  note: RegExp,
][] = [
  ['not in these lines', [...old, 'more'], { startLine: 3, endLine: 5 }, 0, /^changed since @then00, but not in these lines$/],
  ['moved', ['new', ...old], { startLine: 3, endLine: 5 }, 1, /^changed since @then00: lines 3-5 moved to lines 4-6$/],
  ['one line moved', ['new', ...old], { startLine: 3, endLine: 3 }, 1, /^changed since @then00: line 3 moved to line 4$/],
  [
    'in place',
    [...old.slice(0, 3), 'other words', ...old.slice(4)],
    { startLine: 3, endLine: 5 },
    0,
    /^changed since @then00, also here, 1 line of them changed$/,
  ],
  ['gone', ['new'], { startLine: 3, endLine: 5 }, 0, /^changed since @then00: what was in lines 3-5 is not there any more$/],
  ['the whole file', ['new', ...old], undefined, 0, /^changed since @then00: all that differs is in lines 1-1$/],
];
for (const [title, now, wanted, shift, note] of said) {
  test(`a stamp says what changed: ${title}`, () => {
    const found = since('then00', state('now000', now), state('then00', old), wanted, 500);
    assert.equal(found.shift, shift);
    assert.match(found.notes.join('\n'), note);
  });
}

test('a stamp of the state at hand says nothing; one of a state that is not remembered says that it changed', () => {
  assert.deepEqual(since('same00', state('same00', old), undefined, undefined, 500), { shift: 0, notes: [] });
  assert.match(
    since('then00', state('now000', old), undefined, { startLine: 1, endLine: 2 }, 500).notes.join(''),
    /changed since @then00.*not remembered/,
  );
  assert.match(since('then00', undefined, undefined, undefined, 500).notes.join(''), /not known/);
});

test('what is remembered of files is bounded, and what was asked for last stays', () => {
  const states = new FileStates(20_000);
  const entry = (stamp: string): { stamp: string; lines: Uint32Array; version: string } => ({
    stamp,
    lines: hashes(unique(500)),
    version: stamp,
  });
  for (let index = 0; index < 100; index++) {
    states.put('/r', `f${index}`, entry(`s${index}`));
    assert.ok(states.bytes <= 20_000);
    if (index > 0) assert.ok(states.find('/r', 'f0', 's0') !== undefined, `${index}`);
  }
  assert.equal(states.find('/r', 'f1', 's1'), undefined);
  assert.equal(states.current('/r', 'f0', 's0')?.stamp, 's0');
  assert.equal(states.current('/r', 'f0', 'other'), undefined);
  states.put('/r', 'f0', entry('s0b'));
  assert.equal(states.current('/r', 'f0', 's0'), undefined);
  assert.ok(states.find('/r', 'f0', 's0') !== undefined, 'an earlier state is still known by its stamp');
});
