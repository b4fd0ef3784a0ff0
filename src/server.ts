/** Composition root: builds every object once from a configuration and wires them. Starting has no side effects: no process, no
 *  file, no port; the first call pays for what it needs. */
import { readFileSync } from 'node:fs';
import type { Config } from './base/config.js';
import type { ToolError } from './base/errors.js';
import type { Log } from './base/log.js';
import type { ServerInfo } from './mcp/era.js';
import { Ripgrep } from './ripgrep/process.js';
import { Children } from './security/child.js';
import { Roots } from './security/roots.js';
import { Scratch } from './security/scratch.js';
import { ToolRunner } from './tools/runner.js';

export interface Services {
  readonly runner: ToolRunner;
  readonly info: ServerInfo;
  /** Kills every child and removes private files; synchronous. */
  close(): void;
}

const INSTRUCTIONS =
  'RipScope searches this repository with ripgrep; nothing is indexed, so results are always current. ' +
  'search_text finds exact text or a regex, complete and in path order; start with output "files" or "count" for a common pattern. ' +
  'read_snippet reads lines that a search named. list_files lists by glob or folder. ' +
  'Lines that begin with # are about the reply: totals, what was left out, and the call that continues. ' +
  'Paths are relative to the repository root.';

/** @param problem a configuration that cannot be used: the server starts all the same, and every call says so */
export function createServices(config: Config, log: Log, problem?: ToolError): Services {
  const children = new Children();
  const scratch = new Scratch();
  const ripgrep = new Ripgrep({ children, scratch, limits: config.limits, program: config.ripgrep });
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  for (const warning of config.warnings) log.warn({}, warning);
  return {
    runner: new ToolRunner({
      roots: new Roots(config.roots, config.security),
      search: { ripgrep, limits: config.limits, scan: config.scan },
      limits: config.limits,
      version,
      ...(problem === undefined ? {} : { problem }),
    }),
    info: { name: 'ripscope', title: 'RipScope', version, instructions: INSTRUCTIONS },
    close: () => {
      children.killAll();
      scratch.close();
    },
  };
}
