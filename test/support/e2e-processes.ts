/** Trees and questions for the tests of whole processes: a search that takes seconds, one that floods, temporary folders. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { plant } from './e2e-lab.js';

/** Two look-aheads, tried at every column of long lines: seconds of work for PCRE2. */
export const SLOW = { pattern: '(?=.*test)(?=.*ripgrep)', regex: true } as const;
export const plantSlow = (): string => plant({ 'slow.txt': `${'x'.repeat(100_000)}\n`.repeat(24) });

/** More matches than fit into any pipe. */
export const plantFlood = (): string =>
  plant(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`f${i}.txt`, `needle ${'z'.repeat(80)}\n`.repeat(20_000)])));

/** d0/f0.txt … d9/f99.txt, each with its own number. */
export const numberedTree = (): string =>
  plant(Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`d${i % 10}/f${i}.txt`, `needle ${i}\n`])));

/** Private folders of that process below the temporary folder. */
export function scratchOf(pid: number, temporary = tmpdir()): string[] {
  const base = join(temporary, `ripscope-${userInfo().uid}`);
  try {
    return readdirSync(base).filter((name) => name.startsWith(`rules-${pid}-`));
  } catch {
    return []; // nobody has made it yet
  }
}

/** Live processes that run rg below this working folder, whoever their parent is (Linux). */
export function ripgrepsIn(dir: string): number[] {
  const found: number[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const [program] = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
      if (program?.endsWith('/rg') === true && readlinkSync(`/proc/${name}/cwd`) === dir) found.push(Number(name));
    } catch {
      // Gone between the listing and the read.
    }
  }
  return found;
}
