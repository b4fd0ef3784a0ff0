/** The tools for kept outputs, over real ripgrep. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definition } from '#dist/mcp/definition.js';
import { TOOLS } from '#dist/tools/registry.js';
import { Dice, type Lab, openLab, plant } from '../../support/e2e-lab.js';

const open = (limits: Parameters<typeof openLab>[1] = {}): Lab => openLab(plant({ 'a.txt': 'needle in the tree\n' }), limits);
const handleIn = (text: string): string => /[0-9a-f]{32}/.exec(text)![0];
const keep = async (lab: Lab, content: string, source = 'page'): Promise<string> =>
  handleIn((await lab.text('keep_output', { content, source })).text);
const LOG = Array.from(
  { length: 300 },
  (_, n) => `10.0.0.${n % 9} GET /item/${n} ${n === 200 ? 'upstream connection refused' : 'served'}`,
).join('\n');

test('a kept text is found by its words, with the place and the lines around it', async () => {
  const lab = open();
  const kept = await lab.text('keep_output', { content: LOG, source: 'access log' });
  assert.match(
    kept.text,
    /^Kept 8\.9 kB, 300 lines \(log\), as access log\.\n# search it: search_output \{"queries":\["…"\],"source":"[0-9a-f]{32}"\}/,
  );
  const reply = await lab.text('search_output', { queries: ['refused connections'], source: handleIn(kept.text) });
  assert.match(reply.text, /^# "refused connections": 1 place by words\n\[1\] lines 19\d-20\d\n/);
  assert.match(reply.text, /^201 {2}10\.0\.0\.2 GET \/item\/200 upstream connection refused$/m);
  assert.ok(!reply.text.includes('needle'));
});

test('each layer answers only where the one before has nothing, and the reply says which one did', async () => {
  const lab = open();
  await keep(lab, LOG);
  const ask = async (query: string): Promise<string> => (await lab.text('search_output', { queries: [query] })).text.split('\n')[0]!;
  assert.match(await ask('refusing'), /1 place by words$/);
  assert.match(await ask('pstrea'), /1 place by substrings; "pstrea" within words$/);
  assert.match(await ask('conection'), /1 place by near spellings; "conection" read as "connection"$/);
  assert.match(await ask('upstream zzzzzz'), /1 place by words; nowhere: zzzzzz$/);
  assert.match(await ask('zzzzzz'), /no hit in 1 output \(8\.9 kB\), also not as part of a word or misspelled$/);
});

test('a store without texts, an unknown name and no hit are three different answers', async () => {
  const lab = open();
  assert.match((await lab.text('search_output', { queries: ['x1'] })).text, /^output_none: /);
  assert.match((await lab.text('search_output', { queries: ['x1'], source: 'nope' })).text, /^output_unknown: .*Nothing has been kept yet/);
  await keep(lab, LOG, 'log one');
  assert.match((await lab.text('search_output', { queries: ['x1'], source: 'nope' })).text, /^output_unknown: .*Kept are: "log one"/);
  const none = await lab.text('search_output', { queries: ['zzzzzz'] });
  assert.deepEqual([none.isError, none.found], [false, false]);
  assert.match((await lab.text('search_output', { queries: [] })).text, /^argument_invalid: /);
  assert.match((await lab.text('search_output', { queries: [' '] })).text, /^argument_invalid: /);
});

test('a name leads to all texts that are called so, and every result says which one it is from', async () => {
  const lab = open();
  const handles = [
    await keep(lab, 'alpha one\n', 'same'),
    await keep(lab, 'alpha two\n', 'same'),
    await keep(lab, 'alpha three\n', 'other'),
  ];
  const { text } = await lab.text('search_output', { queries: ['alpha'], source: 'same' });
  assert.ok(text.includes(handles[0]!) && text.includes(handles[1]!) && !text.includes(handles[2]!), text);
});

test('after five calls each query gets one result, after ten the call one, and the reply says so', async () => {
  const lab = open();
  await keep(lab, Array.from({ length: 40 }, (_, n) => `${n} alpha beta`).join('\n\n'.repeat(200)));
  const results: number[] = [];
  let last = '';
  for (let call = 0; call < 11; call++) {
    last = (await lab.text('search_output', { queries: ['alpha', 'beta'], limit: 3 })).text;
    results.push(last.match(/^\[\d\]/gm)!.length);
  }
  assert.deepEqual(results, [...Array(5).fill(results[0]), ...Array(5).fill(2), 1]);
  assert.ok(results[0]! > 2);
  assert.match(last, /# many calls in a short time: one result of 300 characters a call for now/);
});

test('as data a reply has the same facts', async () => {
  const lab = open();
  const kept = await lab.json('keep_output', { content: LOG, source: 'log' });
  const { source, name, kind, lines } = kept.data as Record<string, unknown>;
  assert.deepEqual([name, kind, lines], ['log', 'log', 300]);
  const reply = await lab.json('search_output', { queries: ['refused'], source });
  const { results, queries, brake, timedOut, truncated } = reply.data as unknown as Record<string, never> & {
    results: Record<string, unknown>[];
  };
  assert.equal(results[0]!.source, source);
  assert.match(String(results[0]!.text), /upstream connection refused/);
  assert.deepEqual(queries, [{ query: 'refused', layer: 'words', total: 1, replaced: [], missing: [] }]);
  assert.deepEqual([brake, timedOut, truncated], [null, false, false]);
});

test('session_stats counts calls, bytes searched, returned and kept, by tool', async () => {
  const lab = open();
  assert.match((await lab.text('session_stats', {})).text, /^Since \d{4}-.*: 0 calls in 0 ms, searched 0 bytes, returned 0 bytes$/);
  const searched = await lab.text('search_text', { pattern: 'needle' });
  await keep(lab, LOG);
  await lab.text('read_snippet', { path: 'none' });
  const { data } = await lab.json('session_stats', {});
  const stats = data as unknown as {
    calls: number;
    bytesSearched: number;
    bytesKept: number;
    savedShare: number;
    tools: Record<string, unknown>[];
  };
  assert.equal(stats.calls, 4);
  assert.ok(stats.bytesSearched >= 19, String(stats.bytesSearched));
  assert.ok(stats.bytesKept > 8_000 && stats.savedShare > 0.8 && stats.savedShare < 1);
  const tool = stats.tools.find((one) => one.tool === 'search_text')!;
  assert.deepEqual([tool.calls, tool.bytesReturned], [1, Buffer.byteLength(searched.text)]);
  assert.match((await lab.text('session_stats', {})).text, /\nread_snippet {2}1 call in /);
});

test('the three definitions together are smaller than 1,900 characters', () => {
  const definitions = TOOLS.filter(({ group }) => group === 'output').map((tool) => definition(tool, true));
  assert.equal(definitions.length, 3);
  assert.ok(JSON.stringify(definitions).length < 1_900, `${JSON.stringify(definitions).length} characters`);
});

for (let seed = 1; seed <= 6; seed++) {
  test(`no reply is larger than maxChars, and every handle that is told works (seed ${seed})`, async () => {
    const dice = new Dice(seed);
    const lab = open({ limits: { brakeMs: 0, maxChars: 500 } });
    const words = [
      'alpha',
      'betaGamma',
      'é😀',
      '503',
      'x'.repeat(400),
      '# head',
      '{"k": 1}',
      '    at f (a.js:1:2)',
      '\u001b[31mred\u001b[0m',
      '\r',
      '"',
    ];
    const text = (): string => dice.many(1, 200, () => dice.pick(words) + dice.pick([' ', '\n', '\n\n'])).join('');
    for (let round = 0; round < 6; round++) {
      const maxChars = dice.pick([500, 700, 2_000]);
      const kept = await lab.text('keep_output', { content: text(), source: dice.pick(['a', 'b\nc', 'n'.repeat(200)]) });
      assert.ok(kept.text.length <= lab.limits.maxChars);
      const queries = dice.many(1, 4, () => dice.pick(['alpha', 'betagamma 503', 'alhpa', '"k"', 'é😀', 'zzzz', 'red head']));
      const reply = await lab.text('search_output', { queries, limit: dice.int(1, 20), maxChars });
      assert.ok(!reply.isError && reply.text.length <= maxChars, reply.text);
      for (const [handle] of (kept.text + reply.text).matchAll(/\b[0-9a-f]{32}\b/g)) {
        const again = await lab.text('search_output', { queries: ['alpha'], source: handle, maxChars });
        assert.ok(!again.isError && again.text.length <= maxChars, again.text);
      }
      const stats = await lab.text('session_stats', {});
      assert.ok(stats.text.length <= lab.limits.maxChars);
    }
  });
}

test('keys and tokens in a kept text are shown as a mark, and told by no summary', async () => {
  const lab = open();
  const token = `ghp_${'a1B2c3D4e5'.repeat(3)}f6G7h8`;
  const kept = await lab.text('keep_output', { content: `${LOG}\nlogin with ${token} refused twice\n`, source: 'log' });
  assert.ok(!kept.text.includes(token), kept.text);
  for (const form of ['text', 'json'] as const) {
    const reply = await lab[form]('search_output', { queries: ['login twice'] });
    assert.ok(!reply.text.includes(token), reply.text);
    assert.match(reply.text, /login with \[masked: 40 characters\] refused twice/);
    assert.match(reply.text, /keys or tokens in the output are shown as \[masked: …\]/);
  }
});
