/** Where lines went between two states of a file, and what a reply says of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FileStates, hashLine } from '#dist/search/file-states.js';
import { changedLines, whereWent } from '#dist/search/moved.js';
import { since } from '#dist/search/since.js';

const SEED = 20_261_202;
const hashes = (lines: readonly string[]): Uint32Array => Uint32Array.from(lines, hashLine);
const moved = (start: number, end: number, some: Partial<Record<'changed' | 'added' | 'removed', number>> = {}): object => ({
  kind: 'moved',
  start,
  end,
  changed: 0,
  added: 0,
  removed: 0,
  ...some,
});
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
      assert.deepEqual(verdict, shift === 0 ? { kind: 'same' } : moved(start + shift, end + shift));
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
  assert.deepEqual(whereWent(hashes(then), hashes(now), 8, 14), moved(10, 16, { changed: 1 }));
});

test('lines that were replaced are gone, also where braces like theirs stand elsewhere', () => {
  const then = ['function a() {', '  first();', '  second();', '}', 'function b() {', '}'];
  assert.deepEqual(whereWent(hashes(then), hashes(['function c() {', '  other();', '}', 'function b() {', '}']), 2, 4), { kind: 'gone' });
  assert.deepEqual(whereWent(hashes(then), hashes([]), 1, 6), { kind: 'gone' });
});

test('a block that moved behind another one is found', () => {
  const lines = unique(30);
  const now = [...lines.slice(10), ...lines.slice(0, 10)];
  assert.deepEqual(whereWent(hashes(lines), hashes(now), 1, 10), moved(21, 30));
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
  [
    'more at the end',
    [...old, 'a', 'b'],
    { startLine: 1, endLine: undefined },
    0,
    /^changed since @then00, also here, 2 lines added behind them$/,
  ],
  ['more within reach', [...old, 'a', 'b'], { startLine: 3, endLine: old.length + 1 }, 0, /, also here, 1 line added behind them$/],
  [
    'beyond the end of then',
    [...old, 'a', 'b'],
    { startLine: old.length + 1, endLine: undefined },
    0,
    /: it had \d+ lines then, so what is shown is new$/,
  ],
  [
    'cut at its end',
    old.slice(0, 3),
    { startLine: 3, endLine: undefined },
    0,
    new RegExp(`, also here, ${old.length - 3} lines? of them removed$`),
  ],
  [
    'cut, and asked beyond its end',
    old.slice(0, 3),
    { startLine: 1, endLine: 50 },
    0,
    new RegExp(`, also here, ${old.length - 3} lines? of them removed$`),
  ],
  [
    'moved, and more at the end',
    ['new', ...old, 'a'],
    { startLine: 3, endLine: undefined },
    1,
    /: line 3 moved to line 4, 1 line added behind them$/,
  ],
  ['the whole file', ['new', ...old], undefined, 0, /^changed since @then00: all that differs is in lines 1-1$/],
];
for (const [title, now, wanted, shift, note] of said) {
  test(`a stamp says what changed: ${title}`, () => {
    const found = since('then00', state('now000', now), state('then00', old), wanted, 500);
    assert.equal((found.lines?.startLine ?? wanted?.startLine ?? 0) - (wanted?.startLine ?? 0), shift);
    assert.match(found.notes.join('\n'), note);
  });
}

test('a stamp of the state at hand says nothing; one of a state that is not remembered says that it changed', () => {
  assert.deepEqual(since('same00', state('same00', old), undefined, undefined, 500), { notes: [] });
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

const file = unique(60);
const cut = (from: number, to: number): string[] => file.slice(from - 1, to);
const fresh = (count: number): string[] => Array.from({ length: count }, (_, index) => `  await inserted(${index});`);
const within: [title: string, now: string[], range: [number, number], wanted: object][] = [
  [
    'a line added at two places',
    [...cut(1, 26), ...fresh(1), ...cut(27, 32), 'other(1)', ...cut(33, 60)],
    [20, 39],
    moved(20, 41, { added: 2 }),
  ],
  ['one line added', [...cut(1, 24), ...fresh(1), ...cut(25, 60)], [20, 39], moved(20, 40, { added: 1 })],
  ['many lines added', [...cut(1, 20), ...fresh(50), ...cut(21, 60)], [20, 22], moved(20, 72, { added: 50 })],
  ['the middle one removed', [...cut(1, 20), ...cut(22, 60)], [20, 22], moved(20, 21, { removed: 1 })],
  ['the first one removed', [...cut(1, 19), ...cut(21, 60)], [20, 22], moved(20, 21, { removed: 1 })],
  ['the last one removed', [...cut(1, 21), ...cut(23, 60)], [20, 22], moved(20, 21, { removed: 1 })],
  [
    'the first one changed, and lines above',
    [...fresh(3), ...cut(1, 19), 'changed(1)', ...cut(21, 60)],
    [20, 22],
    moved(23, 25, { changed: 1 }),
  ],
  ['the last one changed', [...cut(1, 21), 'changed(1)', ...cut(23, 60)], [20, 22], moved(20, 22, { changed: 1 })],
  [
    'a line added and one removed',
    [...cut(1, 22), ...fresh(1), ...cut(23, 29), ...cut(31, 60)],
    [20, 39],
    moved(20, 39, { added: 1, removed: 1 }),
  ],
  ['lines added above and within', [...fresh(4), ...cut(1, 24), 'x(1)', ...cut(25, 60)], [20, 39], moved(24, 44, { added: 1 })],
  ['all of the file, in which one was added', [...cut(1, 24), ...fresh(1), ...cut(25, 60)], [1, 99], moved(1, 61, { added: 1 })],
];
for (const [title, now, [start, end], wanted] of within)
  test(`lines among which something happened: ${title}`, () => assert.deepEqual(whereWent(hashes(file), hashes(now), start, end), wanted));

test('a note says what was added and removed among the lines, and names where the first and the last one are', () => {
  const now = [...cut(1, 22), ...fresh(2), ...cut(23, 29), ...cut(31, 60)];
  const found = since('then00', state('now000', now), state('then00', file), { startLine: 20, endLine: 39 }, 500);
  assert.deepEqual(found.lines, { startLine: 20, endLine: 40 });
  assert.match(found.notes.join(), /lines 20-39 moved to lines 20-40, 2 lines added among them, 1 line of them removed$/);
});

test(`whatever was added and removed, what stayed lies within what is named, and the numbers add up (seed ${SEED})`, () => {
  const edit = fc.record({ at: fc.nat(59), removed: fc.nat(2), added: fc.nat(3) });
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 5 }), fc.integer({ min: 1, max: 60 }), fc.nat(20), (edits, start, more) => {
      const end = Math.min(60, start + more);
      const lost = new Set<number>();
      const now: string[] = [];
      let serial = 0;
      for (const [index, line] of file.entries()) {
        for (const { at, added } of edits)
          if (at === index) now.push(...Array.from({ length: added }, () => `  another(${serial++} + one);`));
        if (edits.some(({ at, removed }) => index >= at && index < at + removed)) lost.add(index);
        else now.push(line);
      }
      const verdict = whereWent(hashes(file), hashes(now), start, end);
      const stayed = cut(start, end).filter((_, index) => !lost.has(start - 1 + index));
      if (verdict.kind === 'gone') return assert.ok(stayed.length < (end - start + 1) / 2);
      if (verdict.kind === 'same') return assert.deepEqual(now.slice(start - 1, end), cut(start, end));
      const shown = now.slice(verdict.start - 1, verdict.end);
      for (const line of stayed) assert.ok(shown.includes(line), line);
      assert.equal(shown.length, end - start + 1 + verdict.added - verdict.removed);
      assert.equal(verdict.changed + verdict.removed, end - start + 1 - stayed.length);
    }),
    { seed: SEED, numRuns: 1_000 },
  );
});

test('files of many lines that have little in common are compared in time', () => {
  const many = (word: string): string[] =>
    Array.from({ length: 50_000 }, (_, index) => (index % 3 === 0 ? '}' : `${word}(${index % 700})`));
  const started = performance.now();
  whereWent(hashes(many('one')), hashes(many('two')), 100, 400);
  whereWent(hashes([...many('one'), ...many('two')]), hashes([...many('two'), ...many('one')]), 100, 400);
  assert.ok(performance.now() - started < 1_500, `${performance.now() - started} ms`);
});
