import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { Scratch } from '#dist/security/scratch.js';
import { makePlace } from './place.js';

const place = makePlace();
const mode = (file: string): number => lstatSync(file).mode & 0o777;
const isRoot = process.getuid?.() === 0;

function open(base: string): Scratch {
  const scratch = new Scratch(base);
  after(() => scratch.close());
  return scratch;
}

/** A process id that nobody has. */
const deadPid = spawnSync(process.execPath, ['-e', '']).pid;

test('nothing is made before the first file', () => {
  const base = place.at('lazy');
  open(base).close();
  assert.equal(existsSync(base), false);
});

test('a rule file can be read by its owner only, and so can all folders above it', () => {
  const base = place.at('modes');
  const file = open(base).write('*.log\n');
  assert.equal(readFileSync(file, 'utf8'), '*.log\n');
  assert.deepEqual([mode(file), mode(path.dirname(file)), mode(base)], [0o600, 0o700, 0o700]);
  assert.equal(path.dirname(path.dirname(file)), base);
});

test('every rule file has a name of its own, and a removed one is gone', () => {
  const scratch = open(place.at('names'));
  const files = [scratch.write('a'), scratch.write('a')];
  assert.notEqual(files[0], files[1]);
  scratch.remove(files[0]!);
  scratch.remove(files[0]!);
  assert.deepEqual(files.map(existsSync), [false, true]);
});

test('the empty folder is empty, private and made once', () => {
  const scratch = open(place.at('empty'));
  const folder = scratch.emptyFolder();
  assert.equal(scratch.emptyFolder(), folder);
  assert.deepEqual([readdirSync(folder), mode(folder)], [[], 0o700]);
});

test('only paths below the own folder are its own', () => {
  const scratch = open(place.at('owns'));
  assert.equal(scratch.owns('/1'), false);
  const file = scratch.write('');
  assert.equal(scratch.owns(file), true);
  for (const other of [path.dirname(file), `${path.dirname(file)}x/1`, place.at('owns'), ''])
    assert.equal(scratch.owns(other), false, other);
});

test('close removes the folder with all in it, and a later file makes a new one', () => {
  const scratch = open(place.at('closed'));
  const file = scratch.write('a');
  scratch.emptyFolder();
  scratch.close();
  scratch.close();
  assert.equal(existsSync(path.dirname(file)), false);
  assert.equal(scratch.owns(file), false);
  assert.ok(existsSync(scratch.write('b')));
  assert.ok(existsSync(scratch.emptyFolder()));
});

test('what a dead process left behind is swept, what a living one has and what is not ours stays', () => {
  const base = place.at('swept');
  const left = [`rules-${deadPid}-abc`, `rules-${process.pid}-mine`, 'rules-x-abc', 'other'];
  for (const name of left) place.put(path.join('swept', name, 'f'));
  const own = path.basename(path.dirname(open(base).write('')));
  assert.deepEqual(readdirSync(base).sort(), [...left.slice(1), own].sort());
});

test('tidying up at a start removes the same, and makes nothing', () => {
  const base = place.at('tidied');
  open(base).tidy();
  assert.equal(existsSync(base), false);
  place.put(`tidied/rules-${deadPid}-abc/f`);
  chmodSync(base, 0o700);
  open(base).tidy();
  assert.deepEqual(readdirSync(base), []);
});

test('a link left by a dead process is removed, not followed', () => {
  place.put('kept/f');
  place.folder('swept-link');
  symlinkSync(place.at('kept'), place.at(`swept-link/rules-${deadPid}-x`));
  open(place.at('swept-link')).write('');
  assert.ok(existsSync(place.at('kept/f')));
  assert.equal(existsSync(place.at(`swept-link/rules-${deadPid}-x`)), false);
});

/** Something in the place of the base folder that is not ours to use. */
const foreign: [title: string, make: (base: string) => void, skip?: string | false][] = [
  ['a link to a folder', (base) => symlinkSync(place.folder('target'), base)],
  ['a dangling link', (base) => symlinkSync(place.at('nowhere'), base)],
  ['a file', (base) => void place.put(path.basename(base))],
  [
    "somebody else's folder",
    (base) => {
      mkdirSync(base, { mode: 0o777 });
      chownSync(base, 12_345, 12_345);
    },
    !isRoot && 'only root can give a folder away',
  ],
];
for (const [index, [title, make, skip = false]] of foreign.entries()) {
  test(`${title} in the place of the base folder is not used`, { skip }, () => {
    const base = place.at(`foreign-${index}`);
    make(base);
    const file = open(base).write('rules');
    assert.ok(!file.startsWith(base), file);
    assert.equal(readFileSync(file, 'utf8'), 'rules');
    assert.deepEqual([mode(file), mode(path.dirname(file))], [0o600, 0o700]);
    assert.equal(lstatSync(path.dirname(file)).uid, process.getuid?.());
    for (const untouched of [place.at('target'), base]) {
      if (existsSync(untouched) && lstatSync(untouched).isDirectory()) assert.deepEqual(readdirSync(untouched), []);
    }
  });
}
