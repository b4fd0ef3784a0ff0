/** Scripts within markup: where they begin and end, their language, and texts made to be slow. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { embeddedScripts, hostsScripts } from '#dist/code/embedded.js';

test('scripts and markup keep their places', () => {
  const text = '<p>a</p>\n<script lang="ts" generics="T extends A<B>">\nconst x = 1;\n</script>\n<p>é</p>\n<script>\ny();\n';
  const { scripts, markup, language } = embeddedScripts(text);
  assert.equal(scripts.length, text.length);
  assert.equal(markup.length, text.length);
  assert.equal(scripts.trim().replace(/\s+/g, ' '), 'const x = 1; y();');
  assert.equal(scripts.indexOf('const x'), text.indexOf('const x'));
  assert.ok(markup.includes('<p>é</p>') && !markup.includes('y()'));
  assert.equal(language, 'typescript');
  assert.equal(embeddedScripts('<script lang="tsx">').language, 'tsx');
});

test('a tag that is not closed, or only begins like a script, is none', () => {
  assert.equal(embeddedScripts('<scripted>x</scripted>').scripts.trim(), '');
  assert.equal(embeddedScripts('<script lang="ts').scripts.trim(), '');
});

for (const piece of ['<script ', '<script "', '<script>', '<script \'"', '---\n', '<script></script '])
  test(`many times ${JSON.stringify(piece)} are read in time`, () => {
    const started = performance.now();
    embeddedScripts(piece.repeat(100_000));
    assert.ok(performance.now() - started < 2_000);
  });

test('which files', () => {
  assert.deepEqual(['a.vue', 'b/A.Svelte', 'c.astro', 'd.html', 'vue'].map(hostsScripts), [true, true, true, false, false]);
});
