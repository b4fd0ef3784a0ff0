/** Whole locate and explore calls on a warm server, against ripgrep counting the same name: `rg -c -w NAME` with the same rules. */
import { Server } from './client.mjs';
import { pairs, ratioRow } from './measure.mjs';
import { argsOf, ripgrep } from './ripgrep.mjs';

const CALLS = [
  ['locate', { query: 'tcp_v4_rcv' }, 'tcp_v4_rcv', { floor: 1.5, goal: 1.2 }],
  ['locate', { query: 'mem_cgroup_charge' }, 'mem_cgroup_charge', { floor: 1.5, goal: 1.2 }],
  ['locate', { query: 'kmalloc' }, 'kmalloc', { floor: 1.5, goal: 1.2 }],
  ['explore', { relation: 'callers', anchor: 'tcp_v4_rcv' }, 'tcp_v4_rcv', { floor: 3, goal: 2 }],
  ['explore', { relation: 'overview', scope: 'mm' }, 'tcp_v4_rcv', { floor: 3, goal: 2 }],
];

export async function symbols({ corpus, times }) {
  const rows = [];
  const server = await Server.warm(corpus);
  for (const [tool, args, name, targets] of CALLS) {
    const plain = ['-c', ...(await argsOf(corpus, { pattern: name, regex: false, word: true }))].filter((arg) => arg !== '--json');
    const seen = await pairs(
      times,
      () => server.call(tool, args),
      () => ripgrep(corpus, plain),
    );
    rows.push(ratioRow(`${tool} ${Object.values(args).join(' ')} / rg -c -w ${name}`, seen, targets));
  }
  await server.end();
  return rows;
}
