/** A short call that arrives behind 16 long ones, against the same call alone. */
import { Server } from './client.mjs';
import { ratioRow, sleep, timed } from './measure.mjs';

const LONG_CALLS = 16;

export async function concurrency({ corpus, times }) {
  const server = await Server.warm(corpus);
  const short = { pattern: 'the', scope: await someFolder(server) };
  const seen = { ratios: [], ours: [], floor: [] };
  await server.call('search_text', short);
  for (let turn = 0; turn < Math.min(times, 5); turn++) {
    const alone = await timed(() => server.call('search_text', short));
    const long = Array.from({ length: LONG_CALLS }, (_, n) =>
      server.call('search_text', { pattern: `mutex_lock_io_nested`, maxMatches: n + 3 }),
    );
    await sleep(50);
    const behind = await timed(() => server.call('search_text', short));
    await Promise.all(long);
    seen.ours.push(behind);
    seen.floor.push(alone);
    seen.ratios.push(behind / alone);
  }
  await server.end();
  return [ratioRow(`short call behind ${LONG_CALLS} long ones / alone`, seen, { floor: 3, goal: 1.5 })];
}

/** The folder of the first file that has one. */
async function someFolder(server) {
  const text = await server.call('list_files', { maxResults: 500 });
  const [file] = text.split('\n').filter((line) => line.includes('/') && !line.startsWith('#'));
  return file.slice(0, file.lastIndexOf('/'));
}
