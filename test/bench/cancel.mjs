/** How long ripgrep outlives the wish that it ends: from a cancel of the client, and from the cap of a search. */
import { Children } from '../../dist/security/child.js';
import { Server } from './client.mjs';
import { sleep, spread, waitForDeath } from './measure.mjs';
import { argsOf, rgPath } from './ripgrep.mjs';

const TARGETS = { digits: 1, unit: 'ms', floor: 20, goal: 5 };

export async function cancel({ corpus, times }) {
  const call = { pattern: 'struct', output: 'count' };
  const args = await argsOf(corpus, call);
  const server = await Server.warm(corpus);
  const byClient = [];
  const afterReply = [];
  for (let turn = 0; turn < times * 2; turn++) {
    byClient.push(await cancelOnce(server, call, 30 + (turn % 10) * 20));
    afterReply.push(await leftAfterReply(server));
  }
  await server.end();
  const byCap = [];
  for (let turn = 0; turn < times * 2; turn++) byCap.push(await capOnce(corpus, ['--json', ...args]));
  return [
    { what: 'cancel to death of rg', ...spread(byClient), ...TARGETS },
    { what: 'cap to death of rg, in the process', ...spread(byCap), ...TARGETS },
    { what: 'rg processes alive when a capped reply arrives', ...spread(afterReply), digits: 0, unit: '' },
  ];
}

async function cancelOnce(server, call, afterMs) {
  const { id } = server.request('tools/call', { name: 'search_text', arguments: call });
  while (server.children().length === 0) await sleep(1);
  await sleep(afterMs);
  const [pid] = server.children();
  if (pid === undefined) throw new Error('ripgrep was done before it was cancelled: the corpus is too small');
  const from = performance.now();
  server.cancel(id);
  return waitForDeath(pid, from);
}

async function leftAfterReply(server) {
  await server.call('search_text', { pattern: 'struct' });
  return server.children().length;
}

/** The stop path alone, as a search that reaches its cap takes it. */
async function capOnce(cwd, args) {
  const signal = new AbortController().signal;
  const child = new Children().spawn(rgPath, args, { cwd, signal, deadlineMs: 15_000, maxStderrBytes: 65_536 });
  let bytes = 0;
  let from = 0;
  for await (const chunk of child.chunks()) {
    bytes += chunk.length;
    if (bytes < 200_000) continue;
    from = performance.now();
    void child.stop('budget');
    break;
  }
  const ms = waitForDeath(child.pid, from);
  await child.over;
  return ms;
}
