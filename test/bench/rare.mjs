/** A whole search_text call for something rare, on a warm server, against ripgrep alone. Ripgrep is the physical limit. */
import { Server } from './client.mjs';
import { pairs, ratioRow } from './measure.mjs';
import { argsOf, plainArgs, ripgrep } from './ripgrep.mjs';

const RARE = 'mutex_lock_io_nested';

export async function rare({ corpus, times }) {
  const call = { pattern: RARE };
  const args = await argsOf(corpus, call);
  const server = await Server.warm(corpus);
  const search = () => server.call('search_text', call);
  const same = await pairs(times, search, () => ripgrep(corpus, args));
  const rules = await pairs(
    times,
    () => ripgrep(corpus, args),
    () => ripgrep(corpus, plainArgs(RARE)),
  );
  await server.end();
  return [
    ratioRow('search_text, rare identifier / rg with the same rules', same, { floor: 1.15, goal: 1.05 }),
    ratioRow('rg with the rules of the server / rg with none', rules),
  ];
}
