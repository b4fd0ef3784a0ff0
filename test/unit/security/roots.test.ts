import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RootChoice } from '#dist/base/config.js';
import { Roots } from '#dist/security/roots.js';
import { makePlace } from './place.js';

const place = makePlace();
const first = place.fill('first', ['a.txt']);
const second = place.fill('second', ['b.txt']);
const choices = (...paths: string[]): RootChoice[] => paths.map((path) => ({ path, problem: undefined }));
const open = (...paths: string[]): Roots => new Roots(choices(...paths), { allowSecrets: false });

test('without a name the first root is meant', async () => assert.equal((await open(first, second).find(undefined)).path, first));

test('a root is found by its name and by its path', async () => {
  const roots = open(first, second);
  for (const wanted of ['second', second, `${second}/`]) assert.equal((await roots.find(wanted)).path, second);
});

test('a root is opened once', async () => {
  const roots = open(first);
  assert.equal(await roots.find(undefined), await roots.find('first'));
});

test('a folder that is none of the roots is refused, also one above or below them', async () => {
  for (const wanted of [place.path, place.folder('first/sub'), '/', '..', 'third', '']) {
    await assert.rejects(open(first, second).find(wanted), { code: 'root_unknown', message: /first, second/ }, wanted);
  }
});

test('a root with a problem says what to set', async () => {
  const roots = new Roots([{ path: undefined, problem: 'Set REPO_ROOT.' }], { allowSecrets: false });
  await assert.rejects(roots.find(undefined), { code: 'root_missing', message: 'Set REPO_ROOT.' });
});

test('without any root every call says so', async () => {
  await assert.rejects(open().find(undefined), { code: 'root_missing' });
});

test('a folder that is made later is found by a later call', async () => {
  const roots = open(place.at('later'));
  await assert.rejects(roots.find(undefined), { code: 'root_missing' });
  place.folder('later');
  assert.equal((await roots.find(undefined)).path, place.at('later'));
});

test('a missing root does not keep another one from being found by its name', async () => {
  assert.equal((await open(place.at('nope'), second).find('second')).path, second);
});
