/** The machine and the corpus, in the lines above the table. */
import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { argsOf, rgPath, ripgrep } from './ripgrep.mjs';

export async function describe(corpus) {
  const args = await argsOf(corpus, { pattern: 'no_such_name_at_all', output: 'count' });
  const stats = await ripgrep(corpus, ['--stats', ...args], true);
  const number = (label) => Number(new RegExp(`(\\d+) ${label}`).exec(stats)[1]);
  const version = execFileSync(rgPath, ['--version'], { encoding: 'utf8' }).split('\n')[0];
  const [cpu] = cpus();
  return [
    `${cpus().length} cores (${cpu.model.trim()}), ${(totalmem() / 2 ** 30).toFixed(0)} GiB, ${process.platform}-${process.arch}, node ${process.version}, ${version}`,
    `corpus: ${number('files searched').toLocaleString('en-US')} files, ${(number('bytes searched') / 1e9).toFixed(2)} GB searched`,
  ];
}
