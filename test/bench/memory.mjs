/** Resident memory of the server: at rest, over millions of hits, and over a file that is one huge line. Each number comes
 *  from a new process, since a heap that has grown once hides the next growth. */
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Server } from './client.mjs';
import { growth, MIB, rssOf, sleep, spread } from './measure.mjs';

const LINE_BYTES = 50 * MIB;

export async function memory({ corpus, times }) {
  const rounds = Math.min(times, 5);
  const folder = oneLineFolder();
  try {
    return [
      row('server at rest, after initialize', await repeat(rounds, () => atRest(corpus)), { floor: 64, goal: 50 }),
      row('growth, output count of struct', await repeat(rounds, () => over(corpus, [{ pattern: 'struct', output: 'count' }])), {
        floor: 24,
        goal: 16,
      }),
      row('growth, struct capped', await repeat(rounds, () => over(corpus, [{ pattern: 'struct' }])), { floor: 24, goal: 16 }),
      row('growth, both of these 5 times', await repeat(Math.min(rounds, 2), () => over(corpus, mixed())), {}),
      row('growth, 50 MB line, content', await repeat(rounds, () => over(folder, [{ pattern: 'needle' }])), { floor: 48, goal: 32 }),
      row('growth, 50 MB line, output count', await repeat(rounds, () => over(folder, [{ pattern: 'needle', output: 'count' }])), {
        floor: 48,
        goal: 32,
      }),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const mixed = () => Array.from({ length: 5 }, () => [{ pattern: 'struct', output: 'count' }, { pattern: 'struct' }]).flat();

const row = (what, bytes, targets) => ({ what, ...spread(bytes.map((value) => value / MIB)), digits: 1, unit: 'MiB', ...targets });

async function repeat(times, measure) {
  const values = [];
  for (let turn = 0; turn < times; turn++) values.push(await measure());
  return values;
}

async function atRest(root) {
  const server = await Server.start(root);
  await sleep(1_000);
  const bytes = rssOf(server.pid);
  await server.end();
  return bytes;
}

async function over(root, calls) {
  const server = await Server.warm(root);
  await sleep(300);
  const bytes = await growth(server.pid, async () => {
    for (const call of calls) await server.call('search_text', call);
  });
  await server.end();
  return bytes;
}

/** A folder with one file of one line, a word that can be searched for in its middle. */
function oneLineFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), 'ripscope-bench-'));
  const file = openSync(path.join(folder, 'line.txt'), 'w');
  const half = Buffer.alloc(LINE_BYTES / 2, 'lorem ipsum ');
  writeSync(file, half);
  writeSync(file, ' needle ');
  writeSync(file, half);
  closeSync(file);
  return folder;
}
