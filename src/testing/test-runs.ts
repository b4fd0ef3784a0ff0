/** All test runs of this server: a bounded number at once, ended ones for as long as others do not push them out. */
import { showJson } from '../base/display.js';
import { ToolError } from '../base/errors.js';
import type { Limits } from '../base/limits.js';
import type { OutputLogs } from '../security/output-log.js';
import type { Root } from '../security/root.js';
import type { TestCommands } from '../security/test-command.js';
import { TestRun } from './test-run.js';

export class TestRuns {
  readonly #commands: TestCommands;
  readonly #logs: OutputLogs;
  readonly #limits: Limits;
  readonly #runs = new Map<string, TestRun>();
  #starting = 0;
  #isClosed = false;

  constructor(commands: TestCommands, logs: OutputLogs, limits: Limits) {
    this.#commands = commands;
    this.#logs = logs;
    this.#limits = limits;
  }

  get commands(): TestCommands {
    return this.#commands;
  }

  /** Starts a command of the allowlist.
   *  @throws ToolError busy, and those of TestCommands.prepare */
  async start(command: string, root: Root, path: string | undefined, limitMs: number): Promise<TestRun> {
    const start = await this.#commands.prepare(command, root, path);
    const running = [...this.#runs.values()].filter((run) => run.isRunning).length + this.#starting;
    if (running >= this.#limits.maxTestRuns || this.#isClosed) {
      throw new ToolError('busy', `${running} test commands are running, which is the limit.`, {
        hint: 'Wait for one of them (wait: its handle), or call again later.',
      });
    }
    this.#starting++;
    try {
      const log = await this.#logs.open();
      const run = new TestRun(start, root.path, limitMs, log, this.#limits);
      // The server may have ended meanwhile.
      if (this.#isClosed) run.kill();
      this.#runs.set(run.handle, run);
      await this.#forgetOld();
      return run;
    } finally {
      this.#starting--;
    }
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

  async #forgetOld(): Promise<void> {
    const ended = [...this.#runs.values()].filter((run) => !run.isRunning);
    for (const run of ended.slice(0, Math.max(0, ended.length - this.#limits.testRunsKept))) {
      this.#runs.delete(run.handle);
      await this.#logs.remove(run.handle);
    }
  }
}
