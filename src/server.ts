/** Composition root: wires a configuration to what runs calls. Starting has no side effects and loads little: no process, no
 *  file, no port; the first call builds what it needs. */
import { readFileSync } from 'node:fs';
import type { Config } from './base/config.js';
import type { ToolError } from './base/errors.js';
import type { Log } from './base/log.js';
import type { ServerInfo } from './mcp/era.js';
import type { Toolbox } from './mcp/router.js';
import type { OutputParts } from './tools/tool.js';

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
  'search_output finds the parts of long outputs that keep_output, a test run or a hook kept out of the context. ' +
  'Lines that begin with # are about the reply: totals, what was left out, and the call that continues. ' +
  'Paths are relative to the repository root; one in quotes is JSON. ' +
  '@Ab3_xY behind a path stamps its content: give it to read_snippet as stamp to learn what changed since.';

async function createOutputs({ limits, session, tools }: Config, isServer: boolean, started: Date): Promise<OutputParts> {
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
    isOffered: !isServer || tools?.includes('output') !== false,
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
  let opening: Promise<OutputParts> | undefined;
  const releases: (() => void)[] = [];
  let stop = async (): Promise<void> => {};
  const openOutputs = (): Promise<OutputParts> => {
    opening ??= createOutputs(config, isServer, started).then((outputs) => {
      releases.push(() => outputs.spools.close());
      return outputs;
    });
    return opening;
  };
  const build = async (): Promise<Toolbox> => {
    const [
      { TOOLS },
      { withCommands },
      { ToolRunner },
      { Ripgrep },
      { TestRuns },
      { Children },
      { Roots },
      { Scratch },
      { Sources },
      { FileStates },
      { TestCommands },
      { KnownTrees },
      outputs,
      { Gate },
    ] = await Promise.all([
      import('./tools/registry.js'),
      import('./tools/run-tests.js'),
      import('./tools/runner.js'),
      import('./ripgrep/process.js'),
      import('./testing/test-runs.js'),
      import('./security/child.js'),
      import('./security/roots.js'),
      import('./security/scratch.js'),
      import('./search/sources.js'),
      import('./search/file-states.js'),
      import('./security/test-command.js'),
      import('./search/known-trees.js'),
      openOutputs(),
      import('./search/gate.js'),
    ]);
    const children = new Children();
    const scratch = new Scratch();
    const { limits, scan } = config;
    const tests = new TestRuns(new TestCommands(config.tests), outputs.spools, limits);
    releases.push(() => {
      children.killAll();
      tests.killAll();
      scratch.close();
    });
    stop = async () => {
      children.killAll();
      await tests.stop();
    };
    const ripgrep = new Ripgrep({ children, scratch, limits, program: config.ripgrep });
    const roots = new Roots(config.roots, config.security);
    scratch.tidy();
    outputs.spools.start();
    return {
      tools: TOOLS.filter((tool) => config.tools === undefined || config.tools.includes(tool.group)).map((tool) =>
        withCommands(tool, Object.keys(config.tests.commands)),
      ),
      hasRoots: config.roots.length > 1,
      runner: new ToolRunner({
        roots,
        search: {
          ripgrep,
          limits,
          scan,
          sources: new Sources(limits),
          trees: new KnownTrees(),
          states: new FileStates(limits.fileStatesBytes),
        },
        gate: new Gate(config.gates.mode, limits),
        tests,
        outputs,
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
    stop: async () => {
      // Hooks may have kept something for the session of a server that was never asked for anything.
      if (isServer && config.session !== undefined) await openOutputs();
      // What is half built would come to own files when nobody removes them any more.
      await Promise.allSettled([building]);
      await stop();
    },
    close: () => {
      // What was opened last goes first: processes before the files that they read.
      for (const release of [...releases].reverse()) release();
    },
  };
}
