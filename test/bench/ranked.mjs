/** A whole search_code call, on a warm server, against ripgrep counting the lines of the same alternation. */
import { Server } from './client.mjs';
import { growth, MIB, pairs, ratioRow, spread } from './measure.mjs';
import { argsOf, ripgrep } from './ripgrep.mjs';

const ROWS = [
  { query: 'memory cgroup charge', floor: 2, goal: 1.5 },
  { query: 'tcp retransmit timer backoff', floor: 2, goal: 1.5 },
  { query: 'ext4 journal commit error', floor: 2, goal: 1.5 },
  { query: 'static', floor: 2.3, goal: 1.9 },
];

export async function ranked({ corpus, times }) {
  const rows = [];
  const server = await Server.warm(corpus);
  for (const { query, floor, goal } of ROWS) {
    const args = ['-c', ...(await argsOf(corpus, { query }, 'search_code'))];
    const seen = await pairs(
      times,
      () => server.call('search_code', { query }),
      () => ripgrep(corpus, args),
    );
    rows.push(ratioRow(`search_code ${query} / rg -c -i`, seen, { floor, goal }));
  }
  await server.end();
  const grown = [];
  for (let turn = 0; turn < 3; turn++) {
    const fresh = await Server.warm(corpus);
    // Loading the parser and its grammar takes memory once, whatever is found.
    await fresh.call('search_code', { query: 'kfence', scope: 'mm/kfence' });
    grown.push((await growth(fresh.pid, () => fresh.call('search_code', { query: 'static' }))) / MIB);
    await fresh.end();
  }
  rows.push({ what: 'growth, search_code static (MiB)', ...spread(grown), digits: 1 });
  return rows;
}
