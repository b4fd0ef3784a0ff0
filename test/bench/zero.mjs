/** A search_text call that finds nothing, with its explanation of why, against ripgrep that finds nothing. */
import { Server } from './client.mjs';
import { pairs, ratioRow } from './measure.mjs';
import { argsOf, ripgrep } from './ripgrep.mjs';

export async function zero({ corpus, times }) {
  const call = { pattern: ['no', 'such', 'name', 'at', 'all'].join('_') };
  const args = await argsOf(corpus, call);
  const server = await Server.warm(corpus);
  const seen = await pairs(
    times,
    () => server.call('search_text', call),
    () => ripgrep(corpus, args),
  );
  await server.end();
  return [ratioRow('search_text, absent identifier / rg with the same rules', seen)];
}
