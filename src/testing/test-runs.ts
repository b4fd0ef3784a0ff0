/** All test runs of this server: a bounded number at once, ended ones for as long as others do not push them out. */
import { showJson } from '../base/display.js';
import { ToolError } from '../base/errors.js';
import type { Limits } from '../base/limits.js';
import type { Root } from '../security/root.js';
import type { Spools } from '../security/spools.js';
import type { TestCommands } from '../security/test-command.js';
import { RunLog } from './run-log.js';
import { TestRun } from './test-run.js';

export class TestRuns {
  readonly #commands: TestCommands;
  readonly #spools: Spools;
  readonly #limits: Limits;
  readonly #runs = new Map<string, TestRun>();
  #isClosed = false;

  constructor(commands: TestCommands, spools: Spools, limits: Limits) {
    this.#commands = commands;
    this.#spools = spools;
    this.#limits = limits;
  }

  get commands(): TestCommands {
    return this.#commands;
  }

  /** Starts a command of the allowlist.
   *  @throws ToolError busy, spool_refused, and those of TestCommands.prepare */
  async start(command: string, root: Root, path: string | undefined, limitMs: number): Promise<TestRun> {
    const start = await this.#commands.prepare(command, root, path);
    const running = [...this.#runs.values()].filter((run) => run.isRunning).length;
    if (running >= this.#limits.maxTestRuns || this.#isClosed) {
      throw new ToolError('busy', `${running} test commands are running, which is the limit.`, {
        hint: 'Wait for one of them (wait: its handle), or call again later.',
      });
    }
    const log = new RunLog(() => this.#spools.write(root.path, { source: start.command, kind: 'log', by: 'tests' }));
    const run = new TestRun(start, root.path, limitMs, log, this.#limits);
    this.#runs.set(run.handle, run);
    this.#forgetOld();
    return run;
  }

  /** @throws ToolError test_run_unknown */
  find(handle: string): TestRun {
    const run = this.#runs.get(handle);
    if (run !== undefined) return run;
    const running = [...this.#runs.values()].filter((each) => each.isRunning).map((each) => each.handle);
    const known = running.length === 0 ? 'No test run is going on' : `Running: ${running.join(', ')}`;
    throw new ToolError('test_run_unknown', `${showJson(handle.slice(0, 100))} is no test run of this server. ${known}.`);
  }

  /** Asks all runs to end, and ends them by force after a short grace. */
  async stop(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(
      [...this.#runs.values()].filter((run) => run.isRunning).map((run) => run.stop('shutdown', this.#limits.testShutdownMs)),
    );
  }

  /** Ends all runs by force; synchronous, so that it may be called while the process exits. */
  killAll(): void {
    this.#isClosed = true;
    for (const run of this.#runs.values()) if (run.isRunning) run.kill();
  }

  /** Of results; their logs stay as long as any kept text. */
  #forgetOld(): void {
    const ended = [...this.#runs.values()].filter((run) => !run.isRunning);
    for (const run of ended.slice(0, Math.max(0, ended.length - this.#limits.testRunsKept))) this.#runs.delete(run.handle);
  }
}
