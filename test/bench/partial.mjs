/** Covering everything by the cursors of calls that run out of time, against one call that has the time. Each walk has a server of
 *  its own, which has listed the tree once and knows nothing else of it, or has done nothing at all. */
import { Server } from './client.mjs';
import { ratioRow, timed } from './measure.mjs';

const CALLS = [
  ['search_text', { pattern: 'tcp_v4_rcv', maxMatches: 500, maxChars: 50_000 }],
  ['search_code', { query: 'memory cgroup charge' }],
  ['list_files', { globs: ['MAINTAINERS'] }],
];
/** So much of the whole is the time of one page. */
const SHARES = [1 / 2, 1 / 4];
const LEAST_MS = 100;
const STARTS = [
  ['', (corpus) => Server.warm(corpus)],
  [' by a server that has done nothing before', (corpus) => Server.start(corpus)],
];

export async function partial({ corpus, times }) {
  const rows = [];
  for (const [start, open] of STARTS)
    for (const [tool, call] of CALLS)
      for (const share of SHARES) {
        const seen = { ratios: [], ours: [], floor: [] };
        const pages = [];
        for (let turn = 0; turn < Math.min(times, 5); turn++) {
          const one = await open(corpus);
          const floor = await timed(() => one.call(tool, call));
          await one.end();
          const walker = await open(corpus);
          const walk = [];
          const ours = await timed(() => walkBy(walker, tool, { ...call, timeoutMs: Math.max(LEAST_MS, Math.round(floor * share)) }, walk));
          await walker.end();
          seen.floor.push(floor);
          seen.ours.push(ours);
          seen.ratios.push(ours / floor);
          pages.push(walk.length);
        }
        const [words] = Object.values(call).flat();
        const what = `${tool} ${words} in pages of 1/${1 / share} of its time, all of them / one call${start}`;
        rows.push({ ...ratioRow(what, seen, { floor: 1.5 }), detail: `${pages.join(', ')} pages` });
      }
  return rows;
}

async function walkBy(server, tool, call, walk) {
  for (let cursor; walk.length < 100; ) {
    const text = await server.call(tool, cursor === undefined ? call : { ...call, cursor });
    walk.push(text);
    cursor = /^# everything before .* the rest: repeat this call with cursor: "([\w-]+)"$/m.exec(text)?.[1];
    if (cursor !== undefined) continue;
    if (/^# incomplete/m.test(text)) throw new Error(`the walk ends before everything is covered:\n${text}`);
    return;
  }
}
