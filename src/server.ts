/** Composition root: wires a configuration to what runs calls. Starting has no side effects and loads little: no process, no
 *  file, no port; the first call builds what it needs. */
import { readFileSync } from 'node:fs';
import type { Config } from './base/config.js';
import type { ToolError } from './base/errors.js';
import type { Log } from './base/log.js';
import type { ServerInfo } from './mcp/era.js';
import type { Toolbox } from './mcp/router.js';

export interface Services {
  /** The tools of this configuration and what runs them; built with the first use. */
  toolbox(): Promise<Toolbox>;
  readonly info: ServerInfo;
  /** Ends searches at once, and asks test runs to end before it ends them by force. */
  stop(): Promise<void>;
  /** Kills every child and removes private files; synchronous. */
  close(): void;
}

const INSTRUCTIONS =
  'RipScope searches this repository with ripgrep; nothing is indexed, so results are always current. ' +
  'Start with search_code for a question or an error message: it ranks files by your words and shows the lines that matter. ' +
  'search_text finds exact text or a regex, complete and in path order; use output "files" or "count" for a common pattern. ' +
  'locate finds where a symbol is defined and used; explore who calls it, what imports what, and gives an overview of a folder. ' +
  'read_snippet reads lines, or a whole function by its name. list_files lists by glob or folder. run_test_filtered runs tests and shows what failed. ' +
  'Lines that begin with # are about the reply: totals, what was left out, and the call that continues. ' +
  'Paths are relative to the repository root; one in quotes is JSON. ' +
  '@Ab3_xY behind a path stamps its content: give it to read_snippet as stamp to learn what changed since.';

/** The version of this package. */
export function packageVersion(): string {
  return (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version;
}

/** @param problem a configuration that cannot be used: the server starts all the same, and every call says so */
export function createServices(config: Config, log: Log, problem?: ToolError): Services {
  const version = packageVersion();
  for (const warning of config.warnings) log.warn({}, warning);
  let building: Promise<Toolbox> | undefined;
  let release = (): void => {};
  let stop = async (): Promise<void> => {};
  const build = async (): Promise<Toolbox> => {
    const [
      { TOOLS },
      { withCommands },
      { ToolRunner },
      { Ripgrep },
      { TestRuns },
      { Children },
      { ScratchLogs },
      { Roots },
      { Scratch },
      { Sources },
      { FileStates },
      { TestCommands },
    ] = await Promise.all([
      import('./tools/registry.js'),
      import('./tools/run-tests.js'),
      import('./tools/runner.js'),
      import('./ripgrep/process.js'),
      import('./testing/test-runs.js'),
      import('./security/child.js'),
      import('./security/output-log.js'),
      import('./security/roots.js'),
      import('./security/scratch.js'),
      import('./search/sources.js'),
      import('./search/file-states.js'),
      import('./security/test-command.js'),
    ]);
    const children = new Children();
    const scratch = new Scratch();
    const { limits, scan } = config;
    const tests = new TestRuns(new TestCommands(config.tests), new ScratchLogs(scratch, limits), limits);
    release = () => {
      children.killAll();
      tests.killAll();
      scratch.close();
    };
    stop = async () => {
      children.killAll();
      await tests.stop();
    };
    const ripgrep = new Ripgrep({ children, scratch, limits, program: config.ripgrep });
    const roots = new Roots(config.roots, config.security);
    return {
      tools: TOOLS.filter((tool) => config.tools === undefined || config.tools.includes(tool.group)).map((tool) =>
        withCommands(tool, Object.keys(config.tests.commands)),
      ),
      hasRoots: config.roots.length > 1,
      runner: new ToolRunner({
        roots,
        search: { ripgrep, limits, scan, sources: new Sources(limits), states: new FileStates(limits.fileStatesBytes) },
        tests,
        limits,
        version,
        problem,
      }),
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
    stop: () => stop(),
    close: () => release(),
  };
}
