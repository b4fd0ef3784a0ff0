import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FLAGS } from '#dist/base/config.js';
import { defaultLimits, flagOf, LIMITS, type Limit, variableOf } from '#dist/base/limits.js';

const ROWS: readonly (readonly [string, Limit])[] = Object.entries(LIMITS);

test('the default of every limit lies in its range, and all three are whole numbers but for shares', () => {
  for (const [name, { def, min, max, isFraction }] of ROWS) {
    assert.ok([def, min, max].every(isFraction === true ? Number.isFinite : Number.isSafeInteger), name);
    assert.ok(min <= def && def <= max, `${name}: ${min} <= ${def} <= ${max}`);
    assert.ok(min >= 0, name);
  }
});

test('the sentence of every limit starts with a capital and ends with a full stop', () => {
  for (const [name, { doc }] of ROWS) assert.match(doc, /^[A-Z].*[^.]\.$/, name);
});

test('the flags and the variables of the limits are unique and well formed', () => {
  const flags = ROWS.map(([name]) => flagOf(name));
  const variables = ROWS.map(([name]) => variableOf(name));
  assert.equal(new Set(flags).size, ROWS.length);
  assert.equal(new Set(variables).size, ROWS.length);
  for (const flag of flags) assert.match(flag, /^--[a-z]+(?:-[a-z]+)*$/);
  for (const variable of variables) assert.match(variable, /^RIPSCOPE_[A-Z]+(?:_[A-Z]+)*$/);
});

test('a name becomes a flag and a variable', () => {
  assert.equal(flagOf('maxFrameBytes'), '--max-frame-bytes');
  assert.equal(variableOf('maxFrameBytes'), 'RIPSCOPE_MAX_FRAME_BYTES');
  assert.equal(flagOf('context'), '--context');
});

test('every limit of the operator is a flag of the command line, with unit and default, and no other limit is', () => {
  for (const [name, { operator, unit, def, doc }] of ROWS) {
    const flag = FLAGS[flagOf(name).slice(2)];
    assert.equal(flag !== undefined, operator, name);
    if (flag !== undefined) assert.equal(flag.doc, `${doc} (${unit}, ${def})`);
  }
});

test('the defaults are a fresh object of plain numbers', () => {
  const limits = defaultLimits();
  limits.maxChars = 1;
  assert.equal(defaultLimits().maxChars, LIMITS.maxChars.def);
  assert.deepEqual(Object.keys(limits), Object.keys(LIMITS));
});
