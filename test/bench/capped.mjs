/** Common patterns: a reply that ends at its cap, and whole counts, against ripgrep counting every match. */
import { Server } from './client.mjs';
import { pairs, ratioRow } from './measure.mjs';
import { argsOf, ripgrep } from './ripgrep.mjs';

const ROWS = [
  { pattern: 'static', floor: 0.05, goal: 0.03 },
  { pattern: 'struct' },
  { pattern: 'if' },
  { pattern: 'static', output: 'count' },
  { pattern: 'static', output: 'files' },
  { pattern: 'struct', output: 'count' },
];

export async function capped({ corpus, times }) {
  const rows = [];
  const server = await Server.warm(corpus);
  for (const { pattern, output, floor, goal } of ROWS) {
    // Without the gate, which counts for longer than a capped search takes: see gate.mjs.
    const call = { pattern, ...(output === undefined ? { force: true } : { output }) };
    const args = ['-c', ...(await argsOf(corpus, { pattern, output: 'count' }))];
    const seen = await pairs(
      times,
      () => server.call('search_text', call),
      () => ripgrep(corpus, args),
    );
    const what = `search_text ${pattern}, ${output === undefined ? 'capped' : `output ${output}`} / rg -c ${pattern}`;
    rows.push(ratioRow(what, seen, { floor, goal, digits: output === undefined ? 3 : 2 }));
  }
  await server.end();
  return rows;
}
