import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERRORS, type ErrorCode, ProtocolError, RPC, ToolError } from '#dist/base/errors.js';

const CODES = Object.keys(ERRORS) as ErrorCode[];

test('the codes of errors are lower-case words in alphabetical order', () => {
  for (const code of CODES) assert.match(code, /^[a-z]+(?:_[a-z]+)*$/);
  assert.deepEqual(CODES, [...CODES].sort());
});

test('every error has a sentence that says what is wrong and one that says how to repair it', () => {
  for (const code of CODES) {
    const { doc, hint } = ERRORS[code];
    assert.match(doc, /^\S.*\.$/, code);
    assert.match(hint, /^[A-Z].*\.$/, code);
    assert.notEqual(doc, hint, code);
  }
});

test('a tool error carries its code, its reason, and the hint of the table', () => {
  const cause = new Error('below');
  const error = new ToolError('path_missing', '"a.ts" does not exist.', { cause });
  assert.equal(error.name, 'ToolError');
  assert.equal(error.code, 'path_missing');
  assert.equal(error.message, '"a.ts" does not exist.');
  assert.equal(error.hint, ERRORS.path_missing.hint);
  assert.equal(error.cause, cause);
  assert.ok(error instanceof Error);
});

test('a tool error can bring a hint of its own', () => {
  assert.equal(new ToolError('path_invalid', 'x', { hint: 'Use ".".' }).hint, 'Use ".".');
});

test('a protocol error is another kind than a tool error', () => {
  const error = new ProtocolError(RPC.methodNotFound, 'No such method.', { method: 'x' });
  assert.equal(error.code, -32601);
  assert.deepEqual(error.data, { method: 'x' });
  assert.ok(!((error as Error) instanceof ToolError));
});

test('the JSON-RPC codes are unique', () => {
  assert.equal(new Set(Object.values(RPC)).size, Object.keys(RPC).length);
});
