/** Runs of ripgrep itself, the other half of most ratios: the same program, with the same rules as the server gives it. */
import { spawn } from 'node:child_process';
import { rgPath } from '@vscode/ripgrep';
import { Server } from './client.mjs';

export { rgPath };

/** The arguments of ripgrep in a call of a tool, taken from the server's own log, without `--json` and `--sort path`. */
export async function argsOf(root, call, tool = 'search_text') {
  const server = await Server.start(root, ['--log-level', 'info']);
  await server.call(tool, call);
  await server.end();
  const run = server.log.find(({ msg, argv }) => msg === 'ripgrep ended' && argv.includes('--json'));
  const [, ...args] = run.argv;
  return args.filter((arg, index) => arg !== '--json' && arg !== '--sort' && args[index - 1] !== '--sort');
}

/** No rules but hidden files, ignore files and .git: what ripgrep costs without the many globs of the server. */
export const plainArgs = (pattern) => ['--no-config', '--hidden', '--no-require-git', '-g', '!.git', '-F', '-e', pattern, '--', './'];

/** Runs ripgrep to its end, reading all it prints.
 *  @returns the bytes of stdout, as text where `keeps` is true */
export function ripgrep(cwd, args, keeps = false) {
  return new Promise((resolve, reject) => {
    const child = spawn(rgPath, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'], env: { LC_ALL: 'C' } });
    const parts = [];
    child.stdout.on('data', (chunk) => keeps && parts.push(chunk));
    child.once('error', reject);
    child.once('close', () => resolve(Buffer.concat(parts).toString('utf8')));
  });
}
