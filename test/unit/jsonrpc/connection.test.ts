import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RPC } from '#dist/base/errors.js';
import { encodeFrame } from '#dist/jsonrpc/framing.js';
import { cancel, request, Session, settle } from './session.js';

// ---- requests, notifications, responses

test('10,000 requests in one chunk are each answered once, in order of arrival', async () => {
  const session = new Session();
  const ids = Array.from({ length: 10_000 }, (_, index) => index);
  session.send(...ids.map((id) => request(id)));
  await settle();
  assert.deepEqual(
    session.replies(),
    ids.map((id) => `${id} ok`),
  );
});

test('a reply carries the id with its type and value, and the result', async () => {
  const session = new Session();
  session.send(request('7'), request(7), request(''), request(-1), request('size', 'size', { bytes: 2 }));
  await settle();
  assert.deepEqual(session.received(), [
    { jsonrpc: '2.0', id: '7', result: {} },
    { jsonrpc: '2.0', id: 7, result: {} },
    { jsonrpc: '2.0', id: '', result: {} },
    { jsonrpc: '2.0', id: -1, result: {} },
    { jsonrpc: '2.0', id: 'size', result: { text: 'xx' } },
  ]);
});

test('a client that uses Content-Length is answered with Content-Length', async () => {
  const session = new Session();
  session.write(encodeFrame(JSON.stringify(request('é漢😀')), 'content-length'));
  session.write(encodeFrame('{bad}', 'content-length'));
  await settle();
  assert.deepEqual(session.received('content-length'), [
    { jsonrpc: '2.0', error: { code: RPC.parseError, message: 'Parse error: the message is not valid JSON' } },
    { jsonrpc: '2.0', id: 'é漢😀', result: {} },
  ]);
});

test('what cannot be read is answered without an id, and the next request is served', async () => {
  const session = new Session();
  session.write('garbage\n');
  session.write(Buffer.concat([Buffer.from('{"id":"'), Buffer.from([0xff, 0xc3]), Buffer.from('","method"}\n')]));
  session.write('{"jsonrpc":"2.0","id":null,"method":"ping"}\n{}\n');
  await settle();
  session.send(request(1));
  await settle();
  assert.deepEqual(session.replies(), ['- -32700', '- -32700', '- -32600', '- -32600', '1 ok']);
  assert.ok(session.received().every((message) => !('id' in message) || message.id === 1));
});

test('a line over the limit is answered at once and the next request is served', async () => {
  const session = new Session({ maxFrameBytes: 1_024 });
  session.write('x'.repeat(5_000));
  await settle();
  assert.deepEqual(session.received(), [{ jsonrpc: '2.0', error: { code: -32600, message: 'Request exceeds 1024 bytes' } }]);
  session.write('\n');
  session.send(request(1));
  await settle();
  assert.deepEqual(session.replies(), ['- -32600', '1 ok']);
});

test('100,000 nested arrays in params are survived', async () => {
  const session = new Session();
  session.write(`{"jsonrpc":"2.0","id":"deep","method":"refuse","params":${'['.repeat(100_000)}${']'.repeat(100_000)}}\n`);
  session.send(request(1));
  await settle();
  // The refusal echoes the params. Where JSON.stringify cannot write them, that is a bug like any other; a newer V8 can.
  const replies = session.replies();
  assert.ok(replies.includes('1 ok'));
  assert.ok(replies.includes('"deep" -32603') || replies.includes('"deep" -32602'), replies.join(', '));
  assert.equal(replies.length, 2);
});

test('notifications and responses are never answered, even when their handler fails', async () => {
  const session = new Session();
  session.send(
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'tools/call', params: { a: 1 } },
    { jsonrpc: '2.0', method: 'bug' },
    { jsonrpc: '2.0', id: 5, result: {} },
    { jsonrpc: '2.0', id: 6, error: { code: 1, message: 'x' } },
    request(1),
  );
  await settle();
  assert.deepEqual(session.replies(), ['1 ok']);
  assert.deepEqual(session.notifications, [
    { method: 'notifications/initialized' },
    { method: 'tools/call', params: { a: 1 } },
    { method: 'bug' },
  ]);
  assert.equal(session.errors.length, 1);
});

test('a ProtocolError is answered with its code, message and data', async () => {
  const session = new Session();
  session.send(request(1, 'refuse', { x: 1 }));
  await settle();
  assert.deepEqual(session.received(), [
    { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'no such thing', data: { asked: { x: 1 } } } },
  ]);
  assert.deepEqual(session.errors, []);
});

for (const method of ['bug', 'bug-at-once', 'bug-in-result']) {
  test(`a ${method} in a handler is answered without detail, logged with its stack, and harms nobody else`, async () => {
    const session = new Session();
    session.send(request(1, method), request(2));
    await settle();
    assert.deepEqual(
      session.received().find((message) => 'id' in message && message.id === 1),
      { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Internal error' } },
    );
    assert.ok(session.replies().includes('2 ok'));
    assert.equal(session.errors.length, 1);
    assert.ok(session.errors[0]!.err instanceof Error && session.errors[0]!.err.stack !== undefined);
  });
}

// ---- ids in flight

test('a second request with an id in flight is refused, and the first is unharmed', async () => {
  const session = new Session();
  session.send(request('d', 'hold'), request('d', 'hold'));
  await settle();
  assert.deepEqual(session.replies(), ['"d" -32600']);
  assert.equal(session.held.length, 1);
  session.held[0]!.finish({ ok: true });
  await settle();
  assert.deepEqual(session.replies(), ['"d" -32600', '"d" ok']);
});

test('an id may be used again after its reply', async () => {
  const session = new Session();
  for (const method of ['ping', 'refuse', 'bug', 'ping']) {
    session.send(request('again', method));
    await settle();
  }
  assert.deepEqual(session.replies(), ['"again" ok', '"again" -32602', '"again" -32603', '"again" ok']);
});

test('1 and "1" are two ids', async () => {
  const session = new Session();
  session.send(request(1, 'hold'), request('1', 'hold'), cancel('1'));
  await settle();
  assert.deepEqual(session.replies(), []);
  assert.deepEqual(
    session.held.map(({ call }) => [call.id, call.signal.aborted]),
    [
      [1, false],
      ['1', true],
    ],
  );
  session.held[0]!.finish({});
  await settle();
  assert.deepEqual(session.replies(), ['1 ok']);
});

// ---- cancelling

test('a cancelled call is aborted with a reason, and nothing more is sent for it', async () => {
  const session = new Session();
  session.send(request(1, 'hold'), request(2, 'hold'));
  await settle();
  session.send(cancel(1));
  await settle();
  const { call, finish } = session.held[0]!;
  assert.equal(call.signal.aborted, true);
  assert.equal(call.signal.reason.name, 'AbortError');
  assert.equal(call.notify('notifications/progress', {}), false);
  finish({});
  session.held[1]!.finish({});
  await settle();
  assert.deepEqual(session.replies(), ['2 ok']);
  assert.deepEqual(session.errors, []);
  assert.deepEqual(session.notifications, [], 'the handler is told by its signal only');
});

test('what a handler throws after a cancel is neither sent nor taken for a bug', async () => {
  const session = new Session();
  session.send(request(1, 'hold'), cancel(1));
  await settle();
  session.held[0]!.fail(session.held[0]!.call.signal.reason);
  await settle();
  assert.deepEqual(session.replies(), []);
  assert.deepEqual(session.errors, []);
});

test('the id of a cancelled call is free at once, and a late result does not answer the next call', async () => {
  const session = new Session();
  session.send(request(1, 'hold'), cancel(1), request(1, 'hold'));
  await settle();
  session.held[0]!.finish({ of: 'first' });
  await settle();
  assert.deepEqual(session.replies(), []);
  session.send(request(1, 'hold'));
  await settle();
  assert.deepEqual(session.replies(), ['1 -32600'], 'the second call still holds the id');
  session.held[1]!.finish({ of: 'second' });
  await settle();
  assert.deepEqual(session.received().at(-1), { jsonrpc: '2.0', id: 1, result: { of: 'second' } });
});

test('cancels that are unknown, late or malformed are ignored', async () => {
  const session = new Session();
  session.send(request(1), request(2, 'hold'));
  await settle();
  const malformed = [undefined, {}, { requestId: {} }, { requestId: null }, { requestId: 2.5 }, [], [2], 5, null, 'x'];
  session.send(...malformed.map((params) => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params })));
  session.send(cancel(1), cancel('unknown'));
  await settle();
  assert.equal(session.held[0]!.call.signal.aborted, false);
  assert.deepEqual(session.replies(), ['1 ok']);
});

test('a method that is not cancellable is answered in spite of a cancel', async () => {
  const session = new Session();
  session.send(request(0, 'initialize'), cancel(0));
  await settle();
  session.held[0]!.finish({ ready: true });
  await settle();
  assert.deepEqual(session.replies(), ['0 ok']);
});

// ---- notifications of a call

test('progress goes out before the reply, and is refused after it', async () => {
  const session = new Session();
  session.send(request(1, 'hold'));
  await settle();
  const { call, finish } = session.held[0]!;
  assert.equal(call.notify('notifications/progress', { progress: 1 }), true);
  finish({});
  await settle();
  assert.equal(call.notify('notifications/progress', { progress: 2 }), false);
  await settle();
  assert.deepEqual(session.received(), [
    { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } },
    { jsonrpc: '2.0', id: 1, result: {} },
  ]);
});

test('progress is dropped while the output is blocked, and goes out again after that', async () => {
  const session = new Session({}, { isReading: false });
  session.send(request(1, 'hold'), request(2, 'size', { bytes: 200_000 }));
  await settle();
  const { call } = session.held[0]!;
  assert.equal(call.notify('notifications/progress', {}), false);
  session.read();
  await settle();
  assert.equal(call.notify('notifications/progress', {}), true);
  await settle();
  assert.deepEqual(session.replies(), ['2 ok', '> notifications/progress']);
});

// ---- batches

test('a batch is refused as a whole, without id, unless the handler accepts batches', async () => {
  const session = new Session();
  session.send([request(1), request(2)]);
  await settle();
  assert.deepEqual(session.replies(), ['- -32600']);
});

test('an empty batch is one error, in either case', async () => {
  const session = new Session();
  session.write('[]\n');
  session.acceptsBatches = true;
  session.write('[ ]\n');
  await settle();
  assert.equal(session.received().length, 2);
  assert.deepEqual(session.replies(), ['- -32600', '- -32600']);
});

test('a batch is answered with one array, once its last call is done', async () => {
  const session = new Session();
  session.acceptsBatches = true;
  session.send([request('a', 'hold'), { jsonrpc: '2.0', method: 'note' }, request('b'), request('c', 'bug'), request('a')]);
  await settle();
  assert.deepEqual(session.received(), []);
  session.send(request('other'));
  session.held[0]!.finish({});
  await settle();
  const [single, array] = session.received();
  assert.ok(!Array.isArray(single) && Array.isArray(array));
  assert.deepEqual(session.replies(), ['"other" ok', '"a" ok', '"b" ok', '"c" -32603', '"a" -32600']);
  assert.deepEqual(session.notifications, [{ method: 'note' }]);
});

test('a batch of notifications and responses gets no reply at all', async () => {
  const session = new Session();
  session.acceptsBatches = true;
  session.send([
    { jsonrpc: '2.0', method: 'a' },
    { jsonrpc: '2.0', id: 1, result: {} },
  ]);
  await settle();
  assert.equal(session.receivedBytes, 0);
});

test('invalid items, nested batches and the handshake become error entries of a batch', async () => {
  const session = new Session();
  session.acceptsBatches = true;
  session.send([1, [], [request(1)], { id: 'v', method: 'x' }, request('i', 'initialize'), request('ok')]);
  await settle();
  assert.equal(session.received().length, 1);
  assert.deepEqual(session.replies(), ['- -32600', '- -32600', '- -32600', '"v" -32600', '"i" -32600', '"ok" ok']);
  assert.equal(session.held.length, 0);
});

test('a cancelled call leaves its batch, which does not wait for its handler', async () => {
  const session = new Session();
  session.acceptsBatches = true;
  session.send([request(1, 'hold'), request(2)], [request(3, 'hold')], cancel(1), cancel(3));
  await settle();
  assert.deepEqual(session.received(), [[{ jsonrpc: '2.0', id: 2, result: {} }]]);
});

// ---- a client that reads slowly or not at all

test('a client that does not read is not read from either, and gets every reply once it reads', async () => {
  const maxUnsentBytes = 100_000;
  const session = new Session({ maxUnsentBytes }, { isReading: false });
  const total = 8_000; // 8 MB of requests and as much of replies
  const pad = 'p'.repeat(1_000);
  let sent = 0;
  const feed = async (): Promise<void> => {
    while (sent < total) {
      const lines = Array.from({ length: 50 }, () => `${JSON.stringify(request(`${sent++}${pad}`))}\n`).join('');
      // A pipe lets promises run between two chunks; PassThrough does not by itself.
      if (session.input.write(lines)) await settle();
      else await new Promise((resolve) => session.input.once('drain', resolve));
    }
  };
  const fed = feed();
  for (let rounds = 0; rounds < 20; rounds++) await settle();
  assert.ok(sent < 1_000, `${sent} requests were taken in`);
  assert.ok(session.input.isPaused());
  assert.ok(session.output.writableLength < maxUnsentBytes + 300_000, `${session.output.writableLength} bytes are unsent`);
  session.read();
  await fed;
  await settle();
  assert.equal(session.replies().length, total);
});

test('a cancel arrives while replies wait for the client, below the limit', async () => {
  const session = new Session({}, { isReading: false });
  session.send(request(1, 'hold'), request(2, 'size', { bytes: 1_000_000 }));
  await settle();
  session.send(cancel(1));
  await settle();
  assert.equal(session.held[0]!.call.signal.aborted, true);
});

// ---- the end

test('an output that breaks aborts all calls and ends the session without a throw or a further write', async () => {
  const session = new Session();
  session.send(request(1, 'hold'), request(2, 'hold'));
  await settle();
  session.output.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  assert.equal(await session.closed, 'output-closed');
  assert.ok(session.held.every(({ call }) => call.signal.aborted));
  let writes = 0;
  session.output.write = () => {
    writes += 1;
    return true;
  };
  session.held[0]!.finish({});
  session.send(request(3));
  assert.equal(session.held[1]!.call.notify('notifications/progress', {}), false);
  await settle();
  assert.equal(writes, 0);
  assert.equal(session.output.emit('error', new Error('late EPIPE')), true, 'a late error is still listened to');
});

test('an output that closes without an error ends the session, too', async () => {
  const session = new Session();
  session.send(request(1, 'hold'));
  await settle();
  session.output.destroy();
  assert.equal(await session.closed, 'output-closed');
  assert.equal(session.held[0]!.call.signal.aborted, true);
});

test('an output that is closed from the start ends the session at once', async () => {
  const session = new Session({}, { isRunning: false });
  session.output.destroy();
  await settle();
  assert.equal(await session.connection.run(), 'output-closed');
});

test('at the end of input 500 pipelined requests are answered before the session ends', async () => {
  const session = new Session();
  session.send(...Array.from({ length: 500 }, (_, id) => request(id)));
  session.input.end();
  assert.equal(await session.closed, 'end');
  await settle();
  assert.equal(session.replies().length, 500);
});

test('a last request without newline is answered', async () => {
  const session = new Session();
  session.input.end(JSON.stringify(request('last')));
  assert.equal(await session.closed, 'end');
  await settle();
  assert.deepEqual(session.replies(), ['"last" ok']);
});

test('the end of input before any request ends the session', async () => {
  const session = new Session();
  session.input.end();
  assert.equal(await session.closed, 'end');
});

test('calls in flight at the end of input get time to finish and are answered', async () => {
  const session = new Session({ drainMs: 1_500 });
  session.send(request(1, 'hold'), request(2, 'hold'));
  session.input.end();
  await settle();
  const start = performance.now();
  setTimeout(() => session.held.forEach(({ finish }) => void finish({})), 30);
  assert.equal(await session.closed, 'end');
  assert.ok(performance.now() - start < 1_000, 'the session ends with its last call');
  await settle();
  assert.deepEqual(session.replies(), ['1 ok', '2 ok']);
});

test('calls that are not done in time after the end of input are aborted and refused, and finished ones of a batch are answered', async () => {
  const session = new Session({ drainMs: 20 });
  session.acceptsBatches = true;
  session.send(request(1, 'hold'), [request(2, 'hold'), request(3)]);
  session.input.end();
  assert.equal(await session.closed, 'end');
  assert.ok(session.held.every(({ call }) => call.signal.aborted));
  await settle();
  const refused = (id: number): object => ({ jsonrpc: '2.0', id, error: { code: -32603, message: 'Not finished: the input has ended' } });
  assert.deepEqual(session.received(), [refused(1), [refused(2), { jsonrpc: '2.0', id: 3, result: {} }]]);
});

test('a client that reads nothing does not hold up the end', async () => {
  const session = new Session({ flushMs: 20 }, { isReading: false });
  session.send(request(1, 'size', { bytes: 200_000 }));
  session.input.end();
  assert.equal(await session.closed, 'end');
});

test('a client that reads late gets what was computed before the session ends', async () => {
  const session = new Session({ flushMs: 5_000 }, { isReading: false });
  session.send(request(1, 'size', { bytes: 200_000 }), request(2));
  session.input.end();
  const order: string[] = [];
  void session.closed.then(() => order.push('closed'));
  await settle();
  order.push('reading');
  session.read();
  assert.equal(await session.closed, 'end');
  assert.deepEqual(order, ['reading', 'closed']);
  await settle();
  assert.deepEqual(session.replies(), ['1 ok', '2 ok']);
});

test('an input that breaks counts as its end', async () => {
  const session = new Session();
  session.send(request(1));
  await settle();
  session.input.destroy(new Error('read EIO'));
  assert.equal(await session.closed, 'end');
  assert.deepEqual(session.replies(), ['1 ok']);
});

test('an input that ended before the start ends the session', async () => {
  const session = new Session({}, { isRunning: false });
  session.input.destroy();
  await settle();
  assert.equal(await session.connection.run(), 'end');
});

test('a fatal frame is answered without id, aborts the calls in flight and ends the session', async () => {
  const session = new Session();
  session.write(encodeFrame(JSON.stringify(request(1, 'hold')), 'content-length'));
  session.write('Content-Length: -5\r\n\r\n');
  session.write(encodeFrame(JSON.stringify(request(2)), 'content-length'));
  assert.equal(await session.closed, 'fatal');
  await settle();
  assert.equal(session.held[0]!.call.signal.aborted, true);
  const message = 'Invalid frame: Content-Length is not a decimal number of at most 15 digits';
  const refused = { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Not finished: the input has ended' } };
  assert.deepEqual(session.received('content-length'), [refused, { jsonrpc: '2.0', error: { code: -32600, message } }]);
});

test('stop aborts and refuses calls at once, takes no new ones and still writes finished replies', async () => {
  const session = new Session({ flushMs: 5_000 }, { isReading: false });
  session.send(request(1, 'size', { bytes: 200_000 }), request(2, 'hold'));
  await settle();
  session.connection.stop();
  session.connection.stop();
  assert.equal(session.held[0]!.call.signal.aborted, true);
  assert.ok(session.input.isPaused());
  session.send(request(3));
  await settle();
  session.read();
  assert.equal(await session.closed, 'stopped');
  session.held[0]!.finish({});
  await settle();
  assert.deepEqual(session.replies(), ['1 ok', '2 -32603']);
});

test('stop during the time after the end of input cuts it short', async () => {
  const session = new Session({ drainMs: 60_000 });
  session.send(request(1, 'hold'));
  session.input.end();
  await settle();
  session.connection.stop();
  assert.equal(await session.closed, 'end', 'the first reason counts');
  assert.equal(session.held[0]!.call.signal.aborted, true);
});

test('stop before the start ends the session without reading', async () => {
  const session = new Session({}, { isRunning: false });
  session.send(request(1));
  session.connection.stop();
  assert.equal(await session.connection.run(), 'stopped');
  await settle();
  assert.equal(session.receivedBytes, 0);
});

test('a session that has ended answers nothing more', async () => {
  const session = new Session();
  session.connection.stop();
  await session.closed;
  session.send(request(1));
  session.input.end();
  await settle();
  assert.equal(session.receivedBytes, 0);
});
