import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { distribute, type FileHits, MOST_SHARES } from '#dist/search/distribution.js';

const SEED = 20_261_201;
const small = (hits: number, files: number): boolean => hits <= 10 && files <= 4;
const filesOf = (table: Readonly<Record<string, number>>): FileHits[] => Object.entries(table).map(([path, hits]) => ({ path, hits }));
const shown = (table: Readonly<Record<string, number>>, base = ''): string[] => {
  const { shares, elsewhere } = distribute(filesOf(table), base, small);
  return [...shares.map(({ dir, hits }) => `${dir} ${hits}`), `elsewhere ${elsewhere}`];
};

test('a folder with little is named as it is', () => {
  assert.deepEqual(shown({ 'a/x.c': 3, 'b/x.c': 2, 'b/sub/y.c': 1 }), ['a 3', 'b 3', 'elsewhere 0']);
});

test('a folder with nearly everything is named by its parts, down to where it says something', () => {
  const table = { 'drivers/net/a/x.c': 9, 'drivers/net/b/x.c': 8, 'drivers/net/c/x.c': 7, 'drivers/usb/x.c': 6, 'fs/x.c': 2 };
  assert.deepEqual(shown(table), ['drivers/net/a 9', 'drivers/net/b 8', 'drivers/net/c 7', 'drivers/usb 6', 'fs 2', 'elsewhere 0']);
});

test('a chain of folders with one thing in it is named by its end', () => {
  assert.deepEqual(shown({ 'src/main/java/org/x/a.java': 50, 'doc/a.md': 1 }), ['src/main/java/org/x/a.java 50', 'elsewhere 1']);
});

test('a folder whose own files hold the most stays whole, unless it holds nearly everything', () => {
  assert.deepEqual(shown({ 'a/1.c': 20, 'a/2.c': 20, 'a/sub/3.c': 5, 'b/x.c': 50 }), ['b 50', 'a 45', 'elsewhere 0']);
  assert.deepEqual(shown({ 'a/1.c': 20, 'a/2.c': 21, 'a/sub/3.c': 5 }), ['a/2.c 21', 'a/1.c 20', 'a/sub 5', 'elsewhere 0']);
});

test('what is next to nothing beside the first is not named', () => {
  assert.deepEqual(shown({ 'a/x.c': 100, 'b/y.c': 5, 'c/z.c': 4 }), ['a/x.c 100', 'b 5', 'elsewhere 4']);
});

test('files at the top stand for themselves', () => {
  assert.deepEqual(shown({ 'x.c': 20, 'a/y.c': 2 }), ['x.c 20', 'a 2', 'elsewhere 0']);
});

test('below a scope only what lies below it is named', () => {
  assert.deepEqual(shown({ 'a/b/x.c': 5, 'a/c/x.c': 30, 'a/x.c': 1 }, 'a'), ['a/c 30', 'a/b 5', 'elsewhere 1']);
  assert.deepEqual(shown({ 'a/x.c': 40 }, 'a'), ['a/x.c 40', 'elsewhere 0']);
});

test('a name that cannot be written in a call is not offered', () => {
  assert.deepEqual(shown({ 'a\nb/x.c': 5, 'c\udc80/x.c': 5, 'd/x.c': 1 }), ['d 1', 'elsewhere 10']);
});

test('equal folders come in path order', () => {
  assert.deepEqual(shown({ 'b/x': 2, 'a-b/x': 2, 'a/x': 2 }), ['a 2', 'a-b 2', 'b 2', 'elsewhere 0']);
});

const name = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const path = fc.array(name, { minLength: 1, maxLength: 6 }).map((parts) => `${parts.join('/')}.c`);
const tally = fc.uniqueArray(fc.record({ path, hits: fc.integer({ min: 1, max: 40 }) }), {
  selector: ({ path: key }) => key,
  maxLength: 60,
});

test(`shares are disjoint, true, and sum up with the rest to everything, in whatever order the files come (seed ${SEED})`, () => {
  fc.assert(
    fc.property(tally, fc.nat(), (files, turn) => {
      const { shares, elsewhere } = distribute(files, '', small);
      const all = files.reduce((sum, { hits }) => sum + hits, 0);
      assert.ok(shares.length <= MOST_SHARES);
      assert.equal(shares.reduce((sum, { hits }) => sum + hits, 0) + elsewhere, all);
      assert.ok(elsewhere >= 0);
      for (const { dir, hits, files: count } of shares) {
        const below = files.filter((file) => file.path === dir || file.path.startsWith(`${dir}/`));
        assert.equal(
          hits,
          below.reduce((sum, file) => sum + file.hits, 0),
          dir,
        );
        assert.equal(count, below.length, dir);
        for (const other of shares) assert.ok(other.dir === dir || !other.dir.startsWith(`${dir}/`), `${other.dir} lies in ${dir}`);
      }
      const at = files.length === 0 ? 0 : turn % files.length;
      assert.deepEqual(distribute([...files.slice(at), ...files.slice(0, at)], '', small), { shares, elsewhere });
    }),
    { seed: SEED, numRuns: 3_000 },
  );
});

test(`a folder that is named is small, or a small part of everything (seed ${SEED})`, () => {
  fc.assert(
    fc.property(tally, (files) => {
      const all = files.reduce((sum, { hits }) => sum + hits, 0);
      for (const { dir, hits, files: count } of distribute(files, '', small).shares) {
        if (small(hits, count) || dir.endsWith('.c')) continue;
        const own = files.filter(({ path: at }) => at.slice(0, at.lastIndexOf('/')) === dir).reduce((sum, file) => sum + file.hits, 0);
        assert.ok(own * 2 > hits ? hits * 10 <= all * 9 : hits * 5 <= all, `${dir} ${hits} of ${all}`);
      }
    }),
    { seed: SEED, numRuns: 3_000 },
  );
});
