/** From starting the program to its reply to initialize, against `node -e 0`. CPU time is that of the whole life of the process,
 *  in batches, as the kernel adds it up for children that were waited for; the clock runs to the reply. */
import { spawn } from 'node:child_process';
import { Server } from './client.mjs';
import { childCpu, pairs, ratioRow, timed } from './measure.mjs';

const BATCH = 10;

export async function start({ small, times }) {
  const life = async () => {
    const server = await Server.start(small);
    await server.end();
  };
  const cpu = await pairs(
    times,
    () => batch(life),
    () => batch(bare),
    cpuOf,
  );
  const wall = await pairs(times * 2, life, bare, async (work) => (work === life ? toReply(small) : timed(work)));
  return [
    ratioRow('start, CPU / node -e 0', cpu, { floor: 1.4, goal: 1.2 }),
    ratioRow('start, clock to the initialize reply / node -e 0', wall),
  ];
}

function bare() {
  const child = spawn(process.execPath, ['-e', '0'], { stdio: ['pipe', 'pipe', 'pipe'] });
  return new Promise((resolve) => child.once('close', resolve));
}

async function batch(work) {
  for (let turn = 0; turn < BATCH; turn++) await work();
}

async function cpuOf(work) {
  const before = childCpu();
  await work();
  return (childCpu() - before) / BATCH;
}

async function toReply(root) {
  let server;
  const ms = await timed(async () => {
    server = await Server.start(root);
  });
  await server.end();
  return ms;
}
