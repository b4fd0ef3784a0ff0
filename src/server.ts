/** Composition root: wires a configuration to what runs calls. Starting has no side effects and loads little: no process, no
 *  file, no port; the first call builds what it needs. */
import { readFileSync } from 'node:fs';
import { type Config, TOOL_GROUPS } from './base/config.js';
import type { ToolError } from './base/errors.js';
import type { Log } from './base/log.js';
import type { ServerInfo } from './mcp/era.js';
import type { Toolbox } from './mcp/router.js';
import type { OutputParts } from './tools/tool.js';

export interface Services {
  /** The tools of this configuration and what runs them; built with the first use. */
  toolbox(): Promise<Toolbox>;
  readonly info: ServerInfo;
  /** Kills every child and removes private files; synchronous. */
  close(): void;
}

const INSTRUCTIONS =
  'RipScope searches this repository with ripgrep; nothing is indexed, so results are always current. ' +
  'Start with search_code for a question or an error message: it ranks files by your words and shows the lines that matter. ' +
  'search_text finds exact text or a regex, complete and in path order; use output "files" or "count" for a common pattern. ' +
  'read_snippet reads lines that a search named. list_files lists by glob or folder. ' +
  'search_output finds the parts of long outputs that keep_output or a hook kept out of the context. ' +
  'Lines that begin with # are about the reply: totals, what was left out, and the call that continues. ' +
  'Paths are relative to the repository root.';

async function createOutputs({ limits, session }: Config, isServer: boolean, started: Date): Promise<OutputParts> {
  const [{ Spools }, { Brake }, { Account }] = await Promise.all([
    import('./security/spools.js'),
    import('./tools/brake.js'),
    import('./tools/account.js'),
  ]);
  // Who calls a verb is the user of this machine, whose texts they all are.
  const since = isServer ? started.getTime() : 0;
  return {
    spools: new Spools({ limits, session, isServer, since }),
    brake: new Brake(limits),
    account: new Account(started),
  };
}

/** The version of this package. */
export function packageVersion(): string {
  return (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version;
}

export interface ServiceOptions {
  /** Whether this process serves a session, and so owns what it keeps; a verb ends with its call. */
  readonly isServer: boolean;
  /** A configuration that cannot be used: the server starts all the same, and every call says so. */
  readonly problem?: ToolError | undefined;
}

export function createServices(config: Config, log: Log, { isServer, problem }: ServiceOptions): Services {
  const started = new Date();
  const version = packageVersion();
  for (const warning of config.warnings) log.warn({}, warning);
  let building: Promise<Toolbox> | undefined;
  let release = (): void => {};
  const build = async (): Promise<Toolbox> => {
    const [{ GROUPS }, { ToolRunner }, { Ripgrep }, { Children }, { Roots }, { Scratch }, outputs] = await Promise.all([
      import('./tools/registry.js'),
      import('./tools/runner.js'),
      import('./ripgrep/process.js'),
      import('./security/child.js'),
      import('./security/roots.js'),
      import('./security/scratch.js'),
      createOutputs(config, isServer, started),
    ]);
    const children = new Children();
    const scratch = new Scratch();
    release = () => {
      children.killAll();
      scratch.close();
      outputs.spools.close();
    };
    const { limits, scan } = config;
    const ripgrep = new Ripgrep({ children, scratch, limits, program: config.ripgrep });
    const roots = new Roots(config.roots, config.security);
    scratch.tidy();
    outputs.spools.start();
    return {
      tools: TOOL_GROUPS.flatMap((group) => (config.tools?.includes(group) === false ? [] : GROUPS[group])),
      runner: new ToolRunner({ roots, search: { ripgrep, limits, scan }, outputs, limits, version, problem }),
    };
  };
  return {
    toolbox: () => {
      building ??= build();
      building.catch(() => {
        building = undefined; // the next call tries again
      });
      return building;
    },
    info: { name: 'ripscope', title: 'RipScope', version, instructions: INSTRUCTIONS },
    close: () => release(),
  };
}
