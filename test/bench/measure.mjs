/** How things are measured: interleaved pairs, medians with their spread, memory and life of other processes from /proc. */
import { readFileSync, writeFileSync } from 'node:fs';

export const MIB = 1024 * 1024;

const sorted = (values) => [...values].sort((a, b) => a - b);

export function median(values) {
  const all = sorted(values);
  const middle = all.length >> 1;
  return all.length % 2 === 1 ? all[middle] : (all[middle - 1] + all[middle]) / 2;
}

export const spread = (values) => ({ median: median(values), min: Math.min(...values), max: Math.max(...values) });

export async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Runs `ours` and `floor` by turns, each first every other time, and compares each run with its neighbour.
 *  @param count how a run is measured; by default by the clock */
export async function pairs(times, ours, floor, count = timed) {
  const seen = { ratios: [], ours: [], floor: [] };
  await ours();
  await floor();
  for (let turn = 0; turn < times; turn++) {
    const first = turn % 2 === 0 ? ours : floor;
    const a = await count(first);
    const b = await count(first === ours ? floor : ours);
    const [mine, its] = first === ours ? [a, b] : [b, a];
    seen.ours.push(mine);
    seen.floor.push(its);
    seen.ratios.push(mine / its);
  }
  return seen;
}

/** A row of the table for a comparison. */
export function ratioRow(what, seen, { floor, goal, digits = 2, unit = 'ms' } = {}) {
  const detail = `${median(seen.ours).toFixed(1)} / ${median(seen.floor).toFixed(1)} ${unit}`;
  return { what, ...spread(seen.ratios), digits, floor, goal, detail };
}

function statusOf(pid, name) {
  const line = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line[1]) * 1024;
}

export const rssOf = (pid) => statusOf(pid, 'VmRSS');

/** How far the resident memory of a process rose while `work` ran. The kernel keeps the peak, so no sample can miss it. */
export async function growth(pid, work) {
  const before = rssOf(pid);
  writeFileSync(`/proc/${pid}/clear_refs`, '5'); // sets the peak back to the present size
  await work();
  return statusOf(pid, 'VmHWM') - before;
}

/** CPU time in ms of all children of this process that have ended and were waited for. The kernel adds it up in nanoseconds and
 *  shows it in ticks of 10 ms: compare before and after a batch. */
export function childCpu() {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

export function isAlive(pid) {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Waits without an event loop, so that nothing of this process delays the answer. @returns ms */
export function waitForDeath(pid, from, limitMs = 5_000) {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  while (isAlive(pid)) {
    if (performance.now() - from > limitMs) throw new Error('ripgrep did not die');
    Atomics.wait(cell, 0, 0, 0.2);
  }
  return performance.now() - from;
}

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
