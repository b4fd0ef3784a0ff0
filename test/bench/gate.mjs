/** What the gate costs: its counting pass against `rg -c`, the whole call against its time limit, and a capped reply with and
 *  without it. The times of single runs of ripgrep come from the server's own log. */
import { Server } from './client.mjs';
import { pairs, ratioRow, spread, timed } from './measure.mjs';
import { argsOf, ripgrep } from './ripgrep.mjs';

/** Long enough for every count to come to its end. */
const TO_THE_END = ['--log-level', 'info', '--gate-count-ms', '5000'];
const LOGGED = ['--log-level', 'info'];
const COMMON = ['static', 'kmalloc', 'int'];
const isCount = ({ argv }) => argv.includes('--count');
const isPage = ({ argv }) => argv.includes('--sort');

export async function gate({ corpus, times }) {
  const rows = [];
  const toTheEnd = await Server.warm(corpus, TO_THE_END);
  for (const pattern of COMMON) rows.push(await countRow(toTheEnd, corpus, pattern, times));
  await toTheEnd.end();

  const server = await Server.warm(corpus, LOGGED);
  for (const pattern of COMMON) rows.push(...(await boundRows(server, pattern, times)));
  rows.push(await withAndWithout(server, { pattern: 'static' }, times));
  rows.push(await withAndWithout(server, { pattern: 'kmalloc', scope: 'mm' }, times));
  rows.push(await pageRow(server, { pattern: 'static' }, times));
  await server.end();
  return rows;
}

/** The first counting pass of a call; a second one, for whole words, is only started where there is time for it. */
async function countRow(server, corpus, pattern, times) {
  const args = ['-c', ...(await argsOf(corpus, { pattern, output: 'count' }))];
  const seen = await pairs(
    times,
    () => runOf(server, { pattern }, isCount),
    () => timed(() => ripgrep(corpus, args)),
    (run) => run(),
  );
  return ratioRow(`counting pass for ${pattern}, to its end / rg -c ${pattern}`, seen, { floor: 1.05, goal: 1.02 });
}

/** Where counting all would take longer than its time limit; and what the caller waits for in all. */
async function boundRows(server, pattern, times) {
  const [counts, calls] = [[], []];
  for (let turn = 0; turn < times; turn++) calls.push(await timed(async () => counts.push(await runOf(server, { pattern }, isCount))));
  const row = { digits: 0, unit: 'ms' };
  return [
    { what: `counting pass for ${pattern}, at its time limit`, ...spread(counts), ...row, floor: 600, goal: 550 },
    { what: `search_text ${pattern} with advice, whole call`, ...spread(calls), ...row },
  ];
}

async function withAndWithout(server, call, times) {
  const seen = await pairs(
    times,
    () => server.call('search_text', call),
    () => server.call('search_text', { ...call, force: true }),
  );
  const where = call.scope === undefined ? '' : ` in ${call.scope}`;
  return ratioRow(`search_text ${call.pattern}${where}, with advice / with force`, seen);
}

/** Whether the counting holds up the page that is shown. */
async function pageRow(server, call, times) {
  const seen = await pairs(
    times,
    () => runOf(server, call, isPage),
    () => runOf(server, { ...call, force: true }, isPage),
    (run) => run(),
  );
  return ratioRow(`page of ${call.pattern}, counted beside / with force`, seen);
}

/** @returns ms of the first run of ripgrep in a call that fits */
async function runOf(server, call, fits) {
  server.log.length = 0;
  await server.call('search_text', call);
  // The log is another pipe than the reply.
  for (;;) {
    const run = server.log.find((line) => line.msg === 'ripgrep ended' && fits(line));
    if (run !== undefined) return run.ms;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
