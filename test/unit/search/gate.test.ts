import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { defaultLimits } from '#dist/base/limits.js';
import { Gate, judge, type Measured } from '#dist/search/gate.js';

const LIMITS = defaultLimits();
const SEED = 20_261_201;

const cases: readonly (readonly [title: string, measured: Partial<Measured>, reason: string | undefined])[] = [
  ['nothing', {}, undefined],
  ['files at their bound', { files: 25 }, undefined],
  ['files a little above it', { files: 28 }, undefined],
  ['files above the margin', { files: 29 }, 'breadth'],
  ['hits at their bound', { hits: 120 }, undefined],
  ['hits at the margin', { hits: 138 }, undefined],
  ['hits above the margin', { hits: 139 }, 'volume'],
  ['tokens at their bound', { estTokens: 24_000 }, undefined],
  ['tokens at the margin', { estTokens: 27_600 }, undefined],
  ['tokens above the margin', { estTokens: 27_601 }, 'volume'],
  ['hits and tokens near, which are one axis', { hits: 130, estTokens: 25_000 }, undefined],
  ['hits near and tokens far above', { hits: 130, estTokens: 50_000 }, 'volume'],
  ['relevance at its bound', { relevance: 0.35 }, undefined],
  ['relevance a little below it', { relevance: 0.3 }, undefined],
  ['relevance at the margin', { relevance: 0.2975 }, undefined],
  ['relevance below the margin', { relevance: 0.29 }, 'relevance'],
  ['two near misses', { files: 26, hits: 121 }, 'compound'],
  ['a near miss and one far above', { files: 26, hits: 1_000 }, 'compound'],
  ['a near miss of relevance with another', { files: 26, relevance: 0.34 }, 'compound'],
  ['everything far above', { files: 1_000, hits: 100_000, estTokens: 1_000_000, relevance: 0 }, 'compound'],
];
for (const [title, measured, reason] of cases) {
  test(`judges ${title}: ${reason ?? 'passes'}`, () =>
    assert.equal(judge({ hits: 1, files: 1, estTokens: 1, ...measured }, LIMITS)?.reason, reason));
}

test('without a margin the bounds are exact', () => {
  const limits = { ...LIMITS, gateCompoundMargin: 0 };
  assert.equal(judge({ hits: 1, files: 25, estTokens: 1 }, limits), undefined);
  assert.equal(judge({ hits: 1, files: 26, estTokens: 1 }, limits)?.reason, 'breadth');
});

test(`more of anything never makes a broad search pass (seed ${SEED})`, () => {
  const amount = fc.nat({ max: 400 });
  const measured = fc.record({ hits: amount, files: fc.nat({ max: 60 }), estTokens: fc.nat({ max: 60_000 }) });
  fc.assert(
    fc.property(measured, measured, (some, more) => {
      const sum = { hits: some.hits + more.hits, files: some.files + more.files, estTokens: some.estTokens + more.estTokens };
      if (judge(some, LIMITS) !== undefined) assert.notEqual(judge(sum, LIMITS), undefined);
    }),
    { seed: SEED, numRuns: 2_000 },
  );
});

const BROAD: Measured = { hits: 1_000, files: 100, estTokens: 10_000 };
const NARROW: Measured = { hits: 1, files: 1, estTokens: 10 };

test('with advice every broad search is answered, and no refusal counted', () => {
  const gate = new Gate('advise', LIMITS);
  for (let call = 0; call < 5; call++) {
    const admission = gate.ask(BROAD, '/a');
    assert.deepEqual(admission, { reason: 'compound', axes: ['breadth', 'volume'], status: 'advise', refusalCount: 0 });
  }
});

test('three refusals in a row open the gate once, and the count starts again', () => {
  const gate = new Gate('refuse', LIMITS);
  const seen = Array.from({ length: 9 }, () => gate.ask(BROAD, '/a')).map((one) => `${one?.status} ${one?.refusalCount}`);
  assert.deepEqual(seen, ['refine 1', 'refine 2', 'refine 3', 'open 3', 'refine 1', 'refine 2', 'refine 3', 'open 3', 'refine 1']);
});

test('a search that passes ends the row', () => {
  const gate = new Gate('refuse', LIMITS);
  for (const expected of [1, 2]) assert.equal(gate.ask(BROAD, '/a')?.refusalCount, expected);
  assert.equal(gate.ask(NARROW, '/a'), undefined);
  assert.equal(gate.ask(BROAD, '/a')?.refusalCount, 1);
});

test('each root has a row of its own', () => {
  const gate = new Gate('refuse', LIMITS);
  gate.ask(BROAD, '/a');
  gate.ask(BROAD, '/a');
  assert.equal(gate.ask(BROAD, '/b')?.refusalCount, 1);
  assert.equal(gate.ask(BROAD, '/a')?.refusalCount, 3);
});

test('how many refusals it takes can be set', () => {
  const gate = new Gate('refuse', { ...LIMITS, maxRefusals: 1 });
  assert.deepEqual(
    [1, 2, 3].map(() => gate.ask(BROAD, '/a')?.status),
    ['refine', 'open', 'refine'],
  );
});

test('tokens are characters by a ratio that can be set', () => {
  assert.equal(new Gate('advise', LIMITS).tokens(7), 2);
  assert.equal(new Gate('advise', LIMITS).tokens(8), 3);
  assert.equal(new Gate('advise', { ...LIMITS, charsPerToken: 4 }).tokens(8), 2);
});
