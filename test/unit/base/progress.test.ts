import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Progress } from '#dist/base/progress.js';

test('progress counts matches until there are files', () => {
  const progress = new Progress();
  assert.equal(progress.message, '0 matches so far');
  progress.matches = 12;
  assert.equal(progress.message, '12 matches so far');
  progress.files = 3;
  assert.equal(progress.message, '3 files so far');
});
