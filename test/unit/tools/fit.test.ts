import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countWithin, fit } from '#dist/tools/fit.js';

const SEED = 20_261_130;
const RUNS = 10_000;
const sizes = fc.array(fc.nat({ max: 60 }), { maxLength: 60 });

test(`the fitted text is never longer than the budget (${RUNS} runs, seed ${SEED})`, () => {
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 800 }), fc.nat({ max: 300 }), (items, maxChars, trailer) => {
      const text = fit(
        items.length,
        maxChars,
        (shown) =>
          items
            .slice(0, shown)
            .map((size) => 'x'.repeat(size))
            .join('\n') + '#'.repeat(trailer),
      );
      assert.ok(text.length <= maxChars);
    }),
    { seed: SEED, numRuns: RUNS },
  );
});

test(`as many items are shown as fit (${RUNS} runs, seed ${SEED})`, () => {
  fc.assert(
    fc.property(sizes, fc.integer({ min: 30, max: 800 }), (items, maxChars) => {
      const render = (shown: number): string => `${shown}|${'x'.repeat(items.slice(0, shown).reduce((sum, size) => sum + size + 1, 0))}`;
      const text = fit(items.length, maxChars, render);
      const shown = Number.parseInt(text, 10);
      assert.equal(text, render(shown));
      if (shown < items.length) assert.ok(render(shown + 1).length > maxChars, 'one more would have fitted');
    }),
    { seed: SEED, numRuns: RUNS },
  );
});

test('without items the trailer alone is shown, and cut where even that is too long', () => {
  assert.equal(
    fit(0, 10, () => 'nothing'),
    'nothing',
  );
  assert.equal(
    fit(0, 4, () => 'nothing'),
    'not…',
  );
  assert.equal(
    fit(3, 4, () => 'nothing'),
    'not…',
  );
});

test(`countWithin takes what fits, and one item whatever its size (${RUNS} runs, seed ${SEED})`, () => {
  fc.assert(
    fc.property(sizes, fc.nat({ max: 500 }), (items, maxChars) => {
      const shown = countWithin(items, maxChars, (size) => size);
      const sum = (count: number): number => items.slice(0, count).reduce((all, size) => all + size, 0);
      assert.ok(sum(shown) <= maxChars || shown === 1);
      if (shown < items.length) assert.ok(sum(shown + 1) > maxChars);
      assert.ok(items.length === 0 || shown >= 1);
    }),
    { seed: SEED, numRuns: RUNS },
  );
});
