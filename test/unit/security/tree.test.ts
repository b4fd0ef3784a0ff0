import assert from 'node:assert/strict';
import { utimesSync } from 'node:fs';
import { test } from 'node:test';
import { Root } from '#dist/security/root.js';
import { entriesOf, modifiedNs, readSmallFile, rootHas } from '#dist/security/tree.js';
import { makePlace } from './place.js';

const place = makePlace();
place.fill('outside', ['rules']);
place.fill('repo', { '.csignore': 'a\n', '.exact': 'x'.repeat(64), '.large': 'x'.repeat(65), '.empty': '', 'sub/b': '', 'sub/c': '' });
place.link('../outside/rules', 'repo/.escape');
place.link('.csignore', 'repo/.alias');
place.link('nowhere', 'repo/.dangling');
place.folder('repo/.folder');
place.pipe('repo/.pipe');
place.put('repo/.env', 'SECRET=1\n');
const root = await Root.open(place.at('repo'), { allowSecrets: false });

test('the root has an entry, be it a file, a folder or a dangling link', async () => {
  for (const name of ['.csignore', 'sub', '.dangling']) assert.equal(await rootHas(root, name), true, name);
  for (const name of ['nope', 'csignore']) assert.equal(await rootHas(root, name), false, name);
});

const small: [title: string, name: string, expected: string][] = [
  ['a file gives its text', '.csignore', 'text: a\n'],
  ['an empty file gives an empty text', '.empty', 'text: '],
  ['a file of exactly the limit gives its text', '.exact', `text: ${'x'.repeat(64)}`],
  ['a link inside the root gives the text it leads to', '.alias', 'text: a\n'],
  ['what is not there is absent', 'nope', 'absent'],
];
for (const [title, name, expected] of small) {
  test(title, async () => {
    const file = await readSmallFile(root, name, 64);
    assert.equal(file.kind === 'text' ? `text: ${file.text}` : file.kind, expected);
  });
}

const unusable: [title: string, name: string, why: RegExp][] = [
  ['a file above the limit', '.large', /larger than 64 bytes/],
  ['a link to the outside', '.escape', /outside the root/],
  ['a dangling link', '.dangling', /does not exist/],
  ['a folder', '.folder', /folder/],
  ['a named pipe', '.pipe', /named pipe/],
  ['a secret', '.env', /secret/],
];
for (const [title, name, why] of unusable) {
  test(`${title} is there but cannot be used`, { timeout: 5_000 }, async () => {
    const file = await readSmallFile(root, name, 64);
    assert.equal(file.kind, 'unusable');
    assert.match(file.kind === 'unusable' ? file.why : '', why);
  });
}

test('the names in a folder are listed up to a number of them', async () => {
  assert.deepEqual((await entriesOf(root, 'sub', 2))?.map(({ name }) => name).sort(), ['b', 'c']);
  assert.equal(await entriesOf(root, 'sub', 1), undefined);
  assert.equal(await entriesOf(root, 'nope', 10), undefined);
  assert.equal(await entriesOf(root, '.csignore', 10), undefined);
});

test('when a file was written is told in nanoseconds, for a file that is gone as 0', () => {
  utimesSync(place.at('repo/sub/b'), 1_700_000_000, 1_700_000_000.5);
  assert.equal(modifiedNs(root, 'sub/b'), 1_700_000_000_500_000_000n);
  assert.equal(modifiedNs(root, 'nope'), 0n);
});
