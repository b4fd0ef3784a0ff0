/** Walking a large result by its cursor, page by page, against ripgrep counting all of it once. */
import { Server } from './client.mjs';
import { ratioRow, timed } from './measure.mjs';
import { argsOf, ripgrep } from './ripgrep.mjs';

const PAGES = 20;

export async function continuation({ corpus }) {
  const call = { pattern: 'static' };
  const args = ['-c', ...(await argsOf(corpus, { ...call, output: 'count' }))];
  const server = await Server.warm(corpus);
  const seen = { ratios: [], ours: [], floor: [] };
  let cursor = cursorOf(await server.call('search_text', call));
  for (let page = 0; page < PAGES && cursor !== undefined; page++) {
    let text = '';
    const ours = await timed(async () => {
      text = await server.call('search_text', { ...call, cursor });
    });
    const floor = await timed(() => ripgrep(corpus, args));
    seen.ours.push(ours);
    seen.floor.push(floor);
    seen.ratios.push(ours / floor);
    cursor = cursorOf(text);
  }
  await server.end();
  return [ratioRow(`one of ${PAGES} pages of static by cursor / rg -c static`, seen, { digits: 3 })];
}

const cursorOf = (text) => /cursor: "([\w-]+)"/.exec(text)?.[1];
