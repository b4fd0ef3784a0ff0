/** A call on a repository of 30 files, where all cost is overhead, against starting ripgrep directly from Node. */
import { Server } from './client.mjs';
import { pairs, ratioRow } from './measure.mjs';
import { argsOf, ripgrep } from './ripgrep.mjs';

export async function small({ small: root, times }) {
  const rows = [];
  for (const call of [{ pattern: 'alpha' }, { pattern: 'alpha', globs: ['*.ts'] }, { pattern: 'alpha.*7' }]) {
    // Rule files of the server are gone when its log is read; a run without them does the same work here.
    const all = await argsOf(root, call.globs === undefined ? call : { pattern: call.pattern });
    const server = await Server.warm(root);
    const seen = await pairs(
      times * 10,
      () => server.call('search_text', call),
      () => ripgrep(root, ['--json', ...all], true),
    );
    await server.end();
    const isFirst = rows.length === 0;
    const kind = call.globs !== undefined ? 'with globs' : isFirst ? 'a word' : 'a regex, reading left open';
    rows.push(ratioRow(`search_text on 30 files, ${kind} / rg from Node`, seen, isFirst ? { floor: 1.5, goal: 1.2 } : {}));
  }
  return rows;
}
