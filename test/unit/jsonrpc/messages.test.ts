import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RPC } from '#dist/base/errors.js';
import { errorMessage, idKey, isId, notificationMessage, parseMessage, resultMessage } from '#dist/jsonrpc/messages.js';

const SEED = 20_261_130;
const RUNS = 10_000;

const request = (id: unknown): string => JSON.stringify({ jsonrpc: '2.0', id, method: 'm' });

for (const id of ['a', '', '7', 'ü"\\\n', '\ud800', 0, -1, 7, 2 ** 53 - 1, -(2 ** 53 - 1)]) {
  test(`takes ${JSON.stringify(id)} as an id and keeps type and value`, () => {
    assert.deepEqual(parseMessage(request(id)), { kind: 'request', request: { id, method: 'm' } });
  });
}

for (const [what, id] of [
  ['null', 'null'],
  ['true', 'true'],
  ['an object', '{}'],
  ['an array', '[1]'],
  ['a fraction', '1.5'],
  ['an integer that would come back changed', '9007199254740993'],
  ['a number that is infinite once read', '1e999'],
] as const) {
  test(`refuses ${what} as an id, and the error has no id`, () => {
    const parsed = parseMessage(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
    assert.deepEqual(parsed, { kind: 'invalid', code: RPC.invalidRequest, message: 'Invalid request: id must be a string or an integer' });
  });
}

test('keeps params as they are, and keeps their absence', () => {
  for (const params of [{ a: 1 }, [1], 5, null, 'x']) {
    assert.deepEqual(parseMessage(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'm', params })), {
      kind: 'request',
      request: { id: 1, method: 'm', params },
    });
  }
  assert.deepEqual(parseMessage('{"jsonrpc":"2.0","method":"n"}'), { kind: 'notification', notification: { method: 'n' } });
});

test('a request method without an id is a notification', () => {
  assert.equal(parseMessage('{"jsonrpc":"2.0","method":"tools/call","params":{}}').kind, 'notification');
});

for (const text of [
  '{"jsonrpc":"2.0","id":1,"result":{}}',
  '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}',
  '{"jsonrpc":"2.0","id":null,"error":{}}',
  '{"id":1,"result":null}',
  '{"result":1,"error":2}',
]) {
  test(`takes ${text} as a response, which is never answered`, () => {
    assert.deepEqual(parseMessage(text), { kind: 'response' });
  });
}

for (const [text, detail, id] of [
  ['1', 'a message must be a JSON object'],
  ['"a"', 'a message must be a JSON object'],
  ['null', 'a message must be a JSON object'],
  ['true', 'a message must be a JSON object'],
  ['{}', 'jsonrpc must be "2.0"'],
  ['{"jsonrpc":"2.0"}', 'method must be a string'],
  ['{"method":"m"}', 'jsonrpc must be "2.0"'],
  ['{"jsonrpc":"1.0","id":"v","method":"m"}', 'jsonrpc must be "2.0"', 'v'],
  ['{"jsonrpc":2,"id":0,"method":"m"}', 'jsonrpc must be "2.0"', 0],
  ['{"jsonrpc":"2.0","id":7}', 'method must be a string', 7],
  ['{"jsonrpc":"2.0","id":"","method":5}', 'method must be a string', ''],
  ['{"__proto__":{"jsonrpc":"2.0","id":1,"method":"m"}}', 'jsonrpc must be "2.0"'],
] as const) {
  test(`refuses ${text}${id === undefined ? '' : ' under its id'}`, () => {
    const expected = { kind: 'invalid', code: RPC.invalidRequest, message: `Invalid request: ${detail}` };
    assert.deepEqual(parseMessage(text), id === undefined ? expected : { ...expected, id });
  });
}

for (const text of ['', '{', 'this is not json', '{"jsonrpc":"2.0","id":77,"method":"pi', '{"a":1}{"b":2}', "{'a':1}", '\u0000']) {
  test(`answers ${JSON.stringify(text)} with a parse error that does not quote it`, () => {
    assert.deepEqual(parseMessage(text), {
      kind: 'invalid',
      code: RPC.parseError,
      message: 'Parse error: the message is not valid JSON',
    });
  });
}

test('a batch is its items, and a batch within a batch is an invalid one', () => {
  const parsed = parseMessage('[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","method":"b"},[],3]');
  assert.equal(parsed.kind, 'batch');
  assert.deepEqual(parsed.kind === 'batch' && parsed.items.map((item) => item.kind), ['request', 'notification', 'invalid', 'invalid']);
  assert.deepEqual(parseMessage('[]'), { kind: 'batch', items: [] });
});

test('100,000 nested arrays are survived, alone and within params', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  assert.ok(['batch', 'invalid'].includes(parseMessage(deep).kind));
  assert.ok(['request', 'invalid'].includes(parseMessage(`{"jsonrpc":"2.0","id":1,"method":"m","params":${deep}}`).kind));
});

test('keys of the object prototype do no harm', () => {
  const parsed = parseMessage('{"jsonrpc":"2.0","id":1,"method":"m","params":{"__proto__":{"x":1}},"__proto__":{"y":1},"constructor":1}');
  assert.equal(parsed.kind, 'request');
  assert.equal(({} as { x?: number; y?: number }).x, undefined);
});

test(`any JSON value is classified without an exception (seed ${SEED})`, () => {
  const member = fc.constantFrom('jsonrpc', 'id', 'method', 'params', 'result', 'error');
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom('2.0', 'ping', 1));
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(member, value)), (message) => {
      const parsed = parseMessage(JSON.stringify(message));
      if (parsed.kind === 'request') assert.ok(isId(parsed.request.id));
      if (parsed.kind === 'invalid' && Object.hasOwn(parsed, 'id')) assert.ok(isId(parsed.id));
    }),
    { seed: SEED, numRuns: RUNS },
  );
});

test('the key of an id keeps a number and its text apart', () => {
  const ids = [1, '1', 'n1', 's1', '', 0, '0', -1, '-1'];
  assert.equal(new Set(ids.map(idKey)).size, ids.length);
  assert.equal(idKey(-0), idKey(0));
});

test('builds results, errors and notifications with exactly the members that belong', () => {
  assert.deepEqual(resultMessage('a', { x: 1 }), { jsonrpc: '2.0', id: 'a', result: { x: 1 } });
  assert.deepEqual(errorMessage(0, -32600, 'm'), { jsonrpc: '2.0', id: 0, error: { code: -32600, message: 'm' } });
  assert.deepEqual(errorMessage(undefined, -32700, 'm', [1]), { jsonrpc: '2.0', error: { code: -32700, message: 'm', data: [1] } });
  assert.deepEqual(notificationMessage('n', { a: 1 }), { jsonrpc: '2.0', method: 'n', params: { a: 1 } });
});
