import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastLine, windowsOf } from '#dist/search/kept-window.js';
import { Dice } from '../../support/e2e-lab.js';

const hit = (line: number, mask = 1, at = 0, value = 1) => ({ line, mask, at, value });

const MASKS = { masksSecrets: true };

test('a short piece is shown whole, and not beyond its ends', () => {
  const [window] = windowsOf(['a', 'b', 'c', 'd'], { start: 2, end: 3 }, [hit(3)], MASKS);
  assert.deepEqual(window, { line: 2, text: 'b\nc', isCutBefore: false, isCutAfter: false, isMasked: false });
});

test('a second word far away gets a window of its own, a second line with the same words none', () => {
  const lines = Array.from({ length: 100 }, (_, n) => `line ${n + 1} ${'.'.repeat(40)}`);
  const range = { start: 1, end: 100 };
  assert.deepEqual(windowsOf(lines, range, [hit(10, 1, 0, 2), hit(90, 2)], MASKS).length, 2);
  assert.deepEqual(windowsOf(lines, range, [hit(10, 1, 0, 2), hit(90, 1)], MASKS).length, 1);
  assert.deepEqual(windowsOf(lines, range, [hit(10, 1, 0, 2), hit(90, 2)], { ...MASKS, most: 1 }).length, 1);
});

for (let seed = 1; seed <= 10; seed++) {
  test(`a window holds its hit, at most 300 characters, and the very lines that it names (seed ${seed})`, () => {
    const dice = new Dice(seed);
    for (let round = 0; round < 50; round++) {
      const lines = dice.many(1, 30, () => dice.pick(['é😀', 'x', 'word ']).repeat(dice.int(1, 60)));
      const line = dice.int(1, lines.length);
      const at = dice.int(0, Math.max(0, lines[line - 1]!.length - 1));
      const start = dice.int(1, line);
      const end = dice.int(line, lines.length);
      const [window] = windowsOf(lines, { start, end }, [hit(line, 1, at)], MASKS);
      assert.ok(window !== undefined && window.text.length <= 300);
      assert.ok(window.line >= start && lastLine(window) <= end, JSON.stringify({ window, start, end }));
      assert.ok(window.line <= line && lastLine(window) >= line, JSON.stringify({ window, line, at, lines }));
      for (const [index, text] of window.text.split('\n').entries()) assert.ok(lines[window.line + index - 1]!.includes(text));
    }
  });
}

test('a key is masked before its line is cut, wherever the hit is', () => {
  const token = `eyJhbGciOiJIUzI1NiJ9.eyJ${'c3ViIjoi'.repeat(20)}.${'W0ZFnKa5kL'.repeat(5)}`;
  const line = `Authorization: Bearer ${token} accepted by gatekeeper ${'and more '.repeat(60)}`;
  const [window] = windowsOf([line], { start: 1, end: 1 }, [hit(1, 1, line.indexOf('gatekeeper'))], MASKS);
  assert.match(window!.text, /\[masked: \d+ characters\] accepted by gatekeeper/);
  assert.ok(!/W0ZFnKa5kL/.test(window!.text) && window!.isMasked);
  const [shown] = windowsOf([line], { start: 1, end: 1 }, [hit(1, 1, line.indexOf('gatekeeper'))], { masksSecrets: false });
  assert.match(shown!.text, /W0ZFnKa5kL accepted/);
});

test('a window amid the body of a private key shows none of it', () => {
  const row = (n: number): string => `MIIEvQ${n}${'aB3dE5fG7hJ9kL1m'.repeat(4)}`.slice(0, 64);
  const lines = ['-----BEGIN RSA PRIVATE KEY-----', ...Array.from({ length: 25 }, (_, n) => row(n)), '-----END RSA PRIVATE KEY-----'];
  const [window] = windowsOf(lines, { start: 1, end: lines.length }, [hit(13)], MASKS);
  assert.ok(window!.isMasked);
  assert.ok(!/aB3d/.test(window!.text), window!.text);
});
