/** Pages of one result through a whole server, over more matches than it keeps at once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plant, readText } from '../support/e2e-lab.js';
import { comparePaths, cursorOf, places } from '../support/replies.js';
import { openServer } from '../support/server.js';

const tree = Object.fromEntries(
  Array.from({ length: 90 }, (_, i) => [`d${i % 13}/e${i % 3}/f${i}.txt`, `x\nneedle ${i}\n`.repeat(1 + (i % 25))]),
);
const root = plant(tree);
const wanted = Object.keys(tree)
  .sort(comparePaths)
  .flatMap((path) =>
    String(tree[path])
      .split('\n')
      .flatMap((line, index) => (line.includes('needle') ? [`${path}:${index + 1}`] : [])),
  );

for (const kept of ['501', '100000']) {
  test(`pages are the whole of ${wanted.length} matches when ${kept} are kept, in both forms`, async () => {
    assert.ok(wanted.length > 501);
    for (const format of ['text', 'json'] as const) {
      const server = await openServer({ root, format, env: { RIPSCOPE_MAX_HITS_KEPT: kept } });
      for (const [maxMatches, maxChars] of [
        [500, 50_000],
        [37, 50_000],
        [500, 3_000],
      ]) {
        const seen: string[] = [];
        let cursor: string | undefined;
        do {
          const reply = await server.call('search_text', {
            pattern: 'needle',
            maxMatches,
            maxChars,
            ...(cursor === undefined ? {} : { cursor }),
          });
          assert.ok(!reply.isError, reply.text);
          if (format === 'text') assert.ok(reply.text.length <= maxChars!);
          seen.push(...(format === 'json' ? places(reply) : readText(reply.text).rows.map((row) => `${row.path}:${row.line}`)));
          cursor = cursorOf(reply);
        } while (cursor !== undefined && seen.length <= wanted.length);
        assert.deepEqual(seen, wanted, `${format}, maxMatches ${maxMatches}, maxChars ${maxChars}`);
      }
    }
  });
}

test('a cursor that one server gave is understood by the next one over the same root', async () => {
  const first = await openServer({ root, env: { RIPSCOPE_MAX_HITS_KEPT: '501' } });
  const page = await first.call('search_text', { pattern: 'needle', maxMatches: 500, maxChars: 50_000 });
  await first.close();
  const second = await openServer({ root });
  const rest = await second.call('search_text', { pattern: 'needle', maxMatches: 500, maxChars: 50_000, cursor: cursorOf(page) });
  const seen = [page, rest].flatMap((reply) => readText(reply.text).rows.map((row) => `${row.path}:${row.line}`));
  assert.deepEqual(seen, wanted.slice(0, seen.length));
  assert.ok(seen.length > 501);
});
