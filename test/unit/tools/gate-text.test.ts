/** How a refinement reads: never longer than it may be, and never a promise with nothing behind it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Refinement } from '#dist/search/refinement.js';
import type { Suggestion } from '#dist/search/suggestions.js';
import { gateLines, gateNote, refusalLine } from '#dist/tools/gate-text.js';

const SEED = 20_261_201;
const scope = (arg: string, wouldYield: number): Suggestion => ({ action: 'narrow_scope', argument: 'scope', arg, wouldYield });
const word: Suggestion = { action: 'whole_word', argument: 'word', arg: true, wouldYield: 700 };
const force: Suggestion = { action: 'force', argument: 'force', arg: true, wouldYield: 1_000 };

const refinement = (some: Partial<Refinement> = {}): Refinement => ({
  status: 'advise',
  reason: 'compound',
  axes: ['breadth', 'volume'],
  refusalCount: 0,
  bounds: { maxHits: 120, maxFiles: 25, maxRefusals: 3 },
  hits: 1_000,
  files: 100,
  isAtLeast: false,
  isApproximate: false,
  countedMs: undefined,
  estTokens: 12_345,
  relevance: undefined,
  missing: [],
  distribution: [],
  elsewhere: 0,
  suggestions: [scope('a', 500), scope('b', 300), word, force],
  ...some,
});

test('says what was passed, and what each change gives', () => {
  assert.deepEqual(gateLines(refinement(), { maxChars: 6_000 }), [
    'broad (breadth, volume; about 12,000 tokens). One of these narrows it to the number behind it:',
    'scope: "a" 500, "b" 300; elsewhere 200',
    'word: true 700',
  ]);
});

test('numbers that are at least so much say so, each', () => {
  assert.deepEqual(gateLines(refinement({ isAtLeast: true, countedMs: 480 }), { maxChars: 6_000 }), [
    'broad (breadth, volume; over 12,000 tokens; counted for 480 ms). One of these narrows it to the number behind it (+: at least):',
    'scope: "a" 500+, "b" 300+; elsewhere 200+',
    'word: true 700+',
  ]);
});

test('numbers that a changed call judges anew are called approximate', () => {
  assert.equal(
    gateLines(refinement({ isApproximate: true }), { maxChars: 6_000 })[0],
    'broad (breadth, volume; about 12,000 tokens). One of these narrows it to about the number behind it:',
  );
});

test('a little too much takes two lines', () => {
  const little = refinement({ hits: 150, files: 30, suggestions: [scope('a', 90), word] });
  assert.deepEqual(gateLines(little, { maxChars: 6_000 }).slice(1), ['scope: "a" 90; elsewhere 60 \u00b7 word: true 700']);
});

test('without a change that helps none is promised', () => {
  assert.deepEqual(gateLines(refinement({ suggestions: [force] }), { maxChars: 6_000 }), ['broad (breadth, volume; about 12,000 tokens)']);
});

test('an opened gate says only that', () => {
  const lines = gateLines(refinement({ status: 'open', refusalCount: 3 }), { maxChars: 6_000 });
  assert.deepEqual(lines, ['the gate opened after 3 refusals in a row']);
});

test('weak places name the words that are missing, and not more than five', () => {
  const missing = ['one', 'two', 'three', 'four', 'five', 'six'];
  assert.equal(
    gateNote(refinement({ axes: ['relevance'], relevance: 0.204, missing })),
    'weak (relevance): the best place holds 20 % of what the words weigh, without "one", "two", "three", "four", "five", \u2026; try other words, or fewer',
  );
});

test('a refusal says when the gate opens', () => {
  const last = refusalLine(refinement({ status: 'refine', refusalCount: 3 }));
  assert.equal(last, 'force: true shows what fits; refusal 3 in a row, with the next broad call the gate opens once');
});

test(`never takes more than a third of the reply, nor 1,500 characters, nor a line of its own within (seed ${SEED})`, () => {
  const long = fc.array(fc.tuple(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.nat()), { maxLength: 8 });
  fc.assert(
    fc.property(long, fc.integer({ min: 500, max: 50_000 }), fc.boolean(), (names, maxChars, isAtLeast) => {
      const suggestions = [...names.map(([name, hits]) => scope(name, hits)), word];
      const lines = gateLines(refinement({ suggestions, isAtLeast }), { maxChars });
      const size = lines.reduce((sum, line) => sum + `# ${line}\n`.length, 0);
      assert.ok(size <= Math.min(1_500, maxChars / 3), `${size} of ${maxChars}`);
      for (const line of lines) assert.doesNotMatch(line, /[\n\r\u0085\u2028\u2029]/);
    }),
    { seed: SEED, numRuns: 2_000 },
  );
});
