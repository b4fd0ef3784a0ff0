import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clip, showPath } from '#dist/base/display.js';
import { Progress } from '#dist/base/progress.js';

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

test('progress counts matches and their files, until files are listed', () => {
  const progress = new Progress();
  assert.equal(progress.message, 'no match so far');
  progress.matches = 1;
  assert.equal(progress.message, '1 match so far');
  progress.matches = 1_234;
  progress.matchedFiles = 12;
  assert.equal(progress.message, '1,234 matches in 12 files so far');
  progress.tally.filesSearched = 78_000;
  assert.equal(progress.message, '1,234 matches in 12 files so far, 78,000 files searched');
  progress.files = 3;
  assert.equal(progress.message, '3 files so far');
});

test('a call that waits says so, whatever it is about to do', () => {
  const progress = new Progress();
  progress.isWaiting = true;
  assert.equal(progress.message, 'waits for its turn, since other calls are running');
  progress.isWaiting = false;
  progress.describe(() => '3 passed');
  assert.equal(progress.message, '3 passed');
});

test('the first place is the first in the order of the reply, not of arrival', () => {
  const progress = new Progress();
  progress.matches = 3;
  progress.offerFirst('m.ts', 9, byText);
  progress.offerFirst('z.ts', 1, byText);
  progress.offerFirst('m.ts', 2, byText);
  assert.match(progress.message, /; first so far m\.ts:9$/);
  progress.offerFirst('a.ts', undefined, byText);
  assert.match(progress.message, /; first so far a\.ts$/);
});

test('the best place is the one that weighs most, the earlier of two alike', () => {
  const progress = new Progress();
  progress.matches = 3;
  progress.offer('b.ts', 5, 1);
  progress.offer('a.ts', 1, 1);
  assert.match(progress.message, /; best so far b\.ts:5$/);
  progress.offer('c.ts', 7, 2.6);
  assert.match(progress.message, /; best so far c\.ts:7$/);
});

test('the numbers told never go down when a search begins again', () => {
  const progress = new Progress();
  progress.matches = 500;
  progress.matchedFiles = 40;
  assert.equal(progress.message, '500 matches in 40 files so far');
  progress.restart(3, 1);
  assert.equal(progress.matches, 3);
  assert.equal(progress.message, '500 matches in 40 files so far');
});

for (const path of ['a\nb.ts', '\u001b[31mred.ts', '# note.ts', 'a\u2028b.ts', '\udc80.ts', '12:x.ts', 'x'.repeat(500)]) {
  test(`a path is told on one line, as replies show it: ${JSON.stringify(path.slice(0, 20))}`, () => {
    const progress = new Progress();
    progress.matches = 2;
    progress.offer(path, 4, 1);
    assert.equal(progress.message, `2 matches so far; best so far ${showPath(clip(path, 200))}:4`);
    assert.match(progress.message, /^[ -\uffff]{1,300}$/);
    assert.doesNotMatch(progress.message, /[\u007f-\u009f\u2028\u2029]/);
  });
}
