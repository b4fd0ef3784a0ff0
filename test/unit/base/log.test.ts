import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog, LOG_LEVELS, type LogLevel, withFields } from '#dist/base/log.js';

/** A log and the lines that it wrote. */
function logged(level: LogLevel) {
  const lines: string[] = [];
  return { log: createLog(level, { write: (line) => void lines.push(line) }), lines };
}

const written: Record<LogLevel, string[]> = {
  silent: [],
  error: ['error'],
  warn: ['error', 'warn'],
  info: ['error', 'warn', 'info'],
  debug: ['error', 'warn', 'info', 'debug'],
  trace: ['error', 'warn', 'info', 'debug'],
};
for (const level of LOG_LEVELS) {
  test(`at level ${level} ${written[level].join(', ') || 'nothing'} is written`, () => {
    const { log, lines } = logged(level);
    for (const name of ['error', 'warn', 'info', 'debug'] as const) log[name]({}, name);
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).msg),
      written[level],
    );
  });
}

test('an event is one JSON line with its fields, a level, a time and the process', () => {
  const { log, lines } = logged('info');
  log.info({ tool: 'list_files', argv: ['rg', '-e', 'a\nb'] }, 'two\nlines');
  assert.equal(lines.length, 1);
  assert.match(lines[0]!, /^[^\n]+\n$/);
  const { time, ...entry } = JSON.parse(lines[0]!);
  assert.deepEqual(entry, { level: 30, pid: process.pid, tool: 'list_files', argv: ['rg', '-e', 'a\nb'], msg: 'two\nlines' });
  assert.equal(typeof time, 'number');
});

test('an error is written with its type, message and stack', () => {
  const { log, lines } = logged('error');
  log.error({ err: new TypeError('broken') }, 'call failed');
  const { err, msg } = JSON.parse(lines[0]!);
  assert.equal(msg, 'call failed');
  assert.equal(err.type, 'TypeError');
  assert.equal(err.message, 'broken');
  assert.match(err.stack, /log\.test/);
});

test('fields of a child are on every line, and a line may override them', () => {
  const { log, lines } = logged('info');
  const child = withFields(withFields(log, { request: 7 }), { tool: 'read_snippet' });
  child.info({ ms: 1 }, 'a');
  child.warn({ tool: 'other' }, 'b');
  const [a, b] = lines.map((line) => JSON.parse(line));
  assert.deepEqual([a.request, a.tool, a.ms], [7, 'read_snippet', 1]);
  assert.deepEqual([b.request, b.tool], [7, 'other']);
});
