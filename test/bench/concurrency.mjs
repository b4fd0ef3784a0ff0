/** Calls behind many others: short ones behind 16 long ones against the same alone, and 64 calls at once. */
import { Server } from './client.mjs';
import { median, ratioRow, rssOf, sleep, spread, timed } from './measure.mjs';

const LONG_CALLS = 16;
const LOAD_CALLS = 64;
/** All calls of the load are to be answered, so none may run out of time in the queue. */
const PATIENT = ['--deadline-ms', '60000'];
const SAMPLE_MS = 20;

/** title, the n-th of the long calls */
const LONG = [
  ['rare text', (n) => ['search_text', { pattern: 'mutex_lock_io_nested', maxMatches: n + 3 }]],
  ['ranked words', (n) => ['search_code', { query: 'memory cgroup charge', topK: n + 3 }]],
];

/** title, the call, whose answer takes a fraction of the long ones */
const SHORT = [
  ['search_text of a rare word in one folder', ['search_text', { pattern: 'bitmap_parselist', scope: 'lib' }]],
  ['read_snippet', ['read_snippet', { path: 'lib/bitmap.c', startLine: 100, endLine: 200 }]],
];

export async function concurrency({ corpus, times }) {
  const rows = [];
  for (const [shortTitle, [tool, args]] of SHORT) {
    for (const [longTitle, long] of LONG) {
      const server = await Server.warm(corpus, PATIENT);
      const short = () => server.call(tool, args);
      const seen = { ratios: [], ours: [], floor: [] };
      for (let turn = 0; turn < 3; turn++) await short();
      for (let turn = 0; turn < Math.min(times, 5); turn++) {
        const alone = [];
        for (let one = 0; one < 5; one++) alone.push(await timed(short));
        const crowd = Array.from({ length: LONG_CALLS }, (_, n) => {
          const [name, given] = long(n);
          return server.request('tools/call', { name, arguments: given }).id;
        });
        // One after the other while the crowd is served, so that no lucky moment decides.
        const behind = [];
        for (let one = 0; one < 9; one++) {
          await sleep(200);
          behind.push(await timed(short));
        }
        for (const id of crowd) server.cancel(id);
        await sleep(200);
        seen.ours.push(median(behind));
        seen.floor.push(median(alone));
        seen.ratios.push(median(behind) / median(alone));
      }
      await server.end();
      rows.push(ratioRow(`${shortTitle}, behind ${LONG_CALLS} of ${longTitle} / alone`, seen, { floor: 3, goal: 1.5 }));
    }
  }
  return [...rows, ...(await load(corpus, times))];
}

const wide = (n) => ['search_text', { pattern: 'mutex_lock_io_nested', maxMatches: n + 3 }];
const ranked = (n) => ['search_code', { query: 'memory cgroup charge', topK: (n % 50) + 1 }];
const narrow = (n) => ['search_text', { pattern: 'bitmap_parselist', scope: 'lib', maxMatches: n + 3 }];
const read = (n) => ['read_snippet', { path: 'lib/bitmap.c', startLine: n + 1, endLine: n + 100 }];
/** 64 calls at once: a quarter of them searches the whole tree. */
const MIX = [wide, ranked, narrow, read, narrow, read, narrow, read];

async function load(corpus, times) {
  const seen = { perSecond: [], p50: [], p99: [], rss: [], children: [] };
  for (let turn = 0; turn < Math.min(times, 3); turn++) {
    const server = await Server.warm(corpus, PATIENT);
    let [rss, children] = [0, 0];
    const sampler = setInterval(() => {
      rss = Math.max(rss, rssOf(server.pid));
      children = Math.max(children, server.children().length);
    }, SAMPLE_MS);
    const took = [];
    const started = performance.now();
    await Promise.all(
      Array.from({ length: LOAD_CALLS }, async (_, n) => {
        took.push(await timed(() => server.call(...MIX[n % MIX.length](n))));
      }),
    );
    const allMs = performance.now() - started;
    clearInterval(sampler);
    // A reply too many would have come by now.
    await server.call('session_stats', {});
    if (server.answered !== LOAD_CALLS + 3 || server.strays > 0) throw new Error(`${server.answered} replies, ${server.strays} to no call`);
    took.sort((a, b) => a - b);
    seen.perSecond.push((LOAD_CALLS * 1_000) / allMs);
    seen.p50.push(took[LOAD_CALLS / 2]);
    seen.p99.push(took[LOAD_CALLS - 1]);
    seen.rss.push(rss / 2 ** 20);
    seen.children.push(children);
    await server.end();
  }
  const row = (what, values, unit, digits = 0) => ({ what: `${LOAD_CALLS} calls at once: ${what}`, ...spread(values), digits, unit });
  return [
    row('throughput', seen.perSecond, 'calls/s', 1),
    row('half answered after', seen.p50, 'ms'),
    row('last answered after', seen.p99, 'ms'),
    row('memory of the server at most', seen.rss, 'MiB'),
    row('child processes at most', seen.children, ''),
  ];
}
