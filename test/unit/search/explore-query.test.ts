/** Words of a question -> the relation and the name it is about. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anchorOf, relationOf } from '#dist/search/explore-query.js';

const ASKED: readonly (readonly [question: string, relation: string | undefined, anchor: string | undefined])[] = [
  ['who calls parseHeader?', 'callers', 'parseHeader'],
  ['callers of `run`', 'callers', 'run'],
  ['where is loadConfig used', 'callers', 'loadConfig'],
  ['usages of Session.refresh', 'callers', 'Session.refresh'],
  ['what does openFile call', 'callees', 'openFile'],
  ['callees of "main"', 'callees', 'main'],
  ['dependencies of src/app.ts', 'dependencies', 'src/app.ts'],
  ['what does src/a.c depend on', 'dependencies', 'src/a.c'],
  ['who imports src/lib/util.py?', 'dependents', 'src/lib/util.py'],
  ['dependents of src/base/path.ts', 'dependents', 'src/base/path.ts'],
  ['what breaks if I change read_all?', 'impact', 'read_all'],
  ['is it safe to remove std::string_view', 'impact', 'std::string_view'],
  ['impact of Parser#next', 'impact', 'Parser#next'],
  ['overview', 'overview', undefined],
  ['what is the structure of this project', 'overview', undefined],
  ['openFile', undefined, 'openFile'],
  ['', undefined, undefined],
  ['hello there', undefined, undefined],
];

for (const [question, relation, anchor] of ASKED) {
  test(`"${question}" asks for ${relation ?? 'nothing that is known'} of ${anchor ?? 'no name'}`, () => {
    assert.equal(relationOf(question), relation);
    assert.equal(anchorOf(question), anchor);
  });
}

test('the longest name is taken, without brackets and stops', () => {
  assert.equal(anchorOf('does a.b reach Session.refreshToken()?'), 'Session.refreshToken');
  assert.equal(anchorOf('look at src/main.ts.'), 'src/main.ts');
});
