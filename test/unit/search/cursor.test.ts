import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ToolError } from '#dist/base/errors.js';
import { decodeCursor, encodeCursor, queryHash } from '#dist/search/cursor.js';

const SEED = 20_261_130;
const RUNS = 10_000;

interface Position {
  readonly path: string;
  readonly line: number;
  readonly n: number;
}

const isPosition = (value: unknown): value is Position => {
  const it = value as Partial<Position> | null;
  return typeof it?.path === 'string' && Number.isInteger(it.line) && Number.isInteger(it.n);
};
const position = fc.record(
  {
    path: fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
    line: fc.integer({ min: 0, max: 2_000_000_000 }),
    n: fc.nat(),
  },
  { noNullPrototype: true },
);
const query = fc.record({ tool: fc.constantFrom('search_text', 'list_files'), pattern: fc.string({ unit: 'binary' }), word: fc.boolean() });
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** What decoding does: a value, or the code of a ToolError; any other throw fails the test. */
function outcome(cursor: string, hash: string): Position | string {
  try {
    return decodeCursor(cursor, hash, isPosition);
  } catch (error) {
    assert.ok(error instanceof ToolError, `threw ${String(error)}`);
    return error.code;
  }
}

test(`any position comes back as it went in (${RUNS} runs, seed ${SEED})`, () => {
  fc.assert(
    fc.property(query, position, (asked, place) => {
      const hash = queryHash(asked);
      assert.deepEqual(decodeCursor(encodeCursor(hash, place), hash, isPosition), place);
    }),
    { seed: SEED, numRuns: RUNS },
  );
});

test(`a cursor is one word of letters, digits, - and _ (${RUNS} runs, seed ${SEED})`, () => {
  fc.assert(
    fc.property(query, position, (asked, place) => assert.match(encodeCursor(queryHash(asked), place), /^[\w-]{9,}$/)),
    { seed: SEED, numRuns: RUNS },
  );
});

test(`a cursor with any one character changed is refused as cursor_invalid (${RUNS} runs, seed ${SEED})`, () => {
  fc.assert(
    fc.property(query, position, fc.nat(), fc.constantFrom(...BASE64), (asked, place, at, letter) => {
      const hash = queryHash(asked);
      const cursor = encodeCursor(hash, place);
      const index = at % cursor.length;
      fc.pre(cursor[index] !== letter);
      const changed = cursor.slice(0, index) + letter + cursor.slice(index + 1);
      assert.equal(outcome(changed, hash), 'cursor_invalid', `${cursor} changed to ${changed}`);
    }),
    { seed: SEED, numRuns: RUNS },
  );
});

test(`a cursor that lost its end, or got something behind it, is refused as cursor_invalid (${RUNS} runs, seed ${SEED})`, () => {
  fc.assert(
    fc.property(
      query,
      position,
      fc.nat(),
      fc.string({ unit: fc.constantFrom(...BASE64), minLength: 1, maxLength: 8 }),
      (asked, place, cut, more) => {
        const hash = queryHash(asked);
        const cursor = encodeCursor(hash, place);
        assert.equal(outcome(cursor.slice(0, cut % cursor.length), hash), 'cursor_invalid');
        assert.equal(outcome(cursor + more, hash), 'cursor_invalid', `${cursor} with ${more} behind it`);
      },
    ),
    { seed: SEED, numRuns: RUNS },
  );
});

test(`any text at all is refused as cursor_invalid and nothing else (${RUNS} runs, seed ${SEED})`, () => {
  const hash = queryHash({ tool: 'x' });
  const json = fc.json().map((text) => hash + Buffer.from(text).toString('base64url'));
  const junk = fc.string({ unit: fc.constantFrom(...BASE64), maxLength: 80 });
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    junk,
    junk.map((tail) => hash + tail),
    json,
  );
  fc.assert(
    fc.property(text, (cursor) => assert.equal(outcome(cursor, hash), 'cursor_invalid')),
    { seed: SEED, numRuns: RUNS },
  );
});

test(`a cursor of another query is refused as cursor_invalid (${RUNS} runs, seed ${SEED})`, () => {
  fc.assert(
    fc.property(query, query, position, (asked, other, place) => {
      fc.pre(JSON.stringify(asked) !== JSON.stringify(other));
      assert.equal(outcome(encodeCursor(queryHash(asked), place), queryHash(other)), 'cursor_invalid');
    }),
    { seed: SEED, numRuns: RUNS },
  );
});

test('the hash depends on names and values, not on their order or on what is undefined', () => {
  assert.equal(queryHash({ a: 1, b: [2], c: undefined }), queryHash({ b: [2], a: 1 }));
  const others = [{}, { a: 2 }, { a: '1' }, { A: 1 }, { a: 1, b: false }, { a: [1] }, { a: null }];
  const hashes = new Set([{ a: 1 }, ...others].map((each) => queryHash(each)));
  assert.equal(hashes.size, others.length + 1);
});

const refusals: [string, string, RegExp][] = [
  ['an empty text', '', /damaged/],
  ['a short text', 'abc', /damaged/],
  ['a text with other characters', `${queryHash({})}ab cd`, /damaged/],
  ['a cursor of another query', encodeCursor(queryHash({ a: 1 }), { path: 'a', line: 1, n: 1 }), /another query/],
  ['a payload that is no JSON', `${queryHash({})}____`, /damaged/],
  ['a payload of another shape', encodeCursor(queryHash({}), { path: 1 }), /not one of this tool/],
  ['a payload of null', encodeCursor(queryHash({}), null), /not one of this tool/],
];
for (const [title, cursor, reason] of refusals) {
  test(`${title} is refused with its reason`, () => {
    assert.throws(
      () => decodeCursor(cursor, queryHash({}), isPosition),
      (error) => error instanceof ToolError && error.code === 'cursor_invalid' && reason.test(error.message),
    );
  });
}
