/** A program with everything that it starts: one process group, ended as a whole. Promise: after `over` no process of the group
 *  is left, also not one that ignores SIGTERM or outlives its parent. A process that leaves the group by itself (setsid) is out of
 *  reach, as for any caller without privileges. */
import { constants } from 'node:os';
import { type Start, type StartedProcess, startProcess } from './child.js';

export type GroupEnd = 'end' | 'deadline' | 'cancelled' | 'shutdown';

export interface GroupOptions extends Omit<Start, 'ownGroup'> {
  readonly deadlineMs: number;
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly killMs: number;
  /** Milliseconds for which output may still come after the program itself has ended. */
  readonly pipeMs: number;
}

export interface GroupExit {
  /** What ended it; `end` is the program itself. */
  readonly reason: GroupEnd;
  /** null when it was ended by a signal or never started. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** What kept it from starting. */
  readonly error?: Error;
  /** Processes that it left behind were ended. */
  readonly hadLeftovers: boolean;
}

const POLL_MS = 20;
const IS_WINDOWS = process.platform === 'win32';

export class ProcessGroup {
  readonly pid: number | undefined;
  readonly #process: StartedProcess;
  readonly #options: GroupOptions;
  readonly #over: Promise<GroupExit>;
  #reason: GroupEnd | undefined;
  #hadLeftovers = false;
  #isKilled = false;

  constructor(file: string, args: readonly string[], options: GroupOptions) {
    this.#options = options;
    this.#process = startProcess(file, args, { ...options, ownGroup: true });
    this.pid = this.#process.pid;
    this.#over = this.#watch();
  }

  /** Resolves when all processes of the group have ended and their output was read. Never rejects. */
  get over(): Promise<GroupExit> {
    return this.#over;
  }

  /** Both outputs, to be read with `for await`. They end without an error when the group is stopped. */
  get outputs(): AsyncGenerator<Buffer, void, undefined>[] {
    return [this.#process.stdout, this.#process.stderr].map((stream) => this.#chunks(stream));
  }

  /** SIGTERM to all, and SIGKILL to who is left after the grace. The first reason wins; a later call can only shorten the grace. */
  stop(reason: GroupEnd, killMs: number = this.#options.killMs): Promise<GroupExit> {
    const isFirst = this.#reason === undefined;
    this.#reason ??= reason;
    if (isFirst || killMs < this.#options.killMs) void this.#end(killMs);
    return this.#over;
  }

  /** SIGKILL to all, now; synchronous, so that it may be called while the process exits. */
  kill(): void {
    this.#isKilled = true;
    this.#send('SIGKILL');
    this.#process.stdout?.destroy();
    this.#process.stderr?.destroy();
  }

  async #watch(): Promise<GroupExit> {
    const timer = setTimeout(() => void this.stop('deadline'), this.#options.deadlineMs);
    let error: Error | undefined;
    const closed = new Promise<void>((resolve) => this.#process.once('close', () => resolve()));
    const exited = new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
      this.#process.once('exit', (code, signal) => resolve([code, signal]));
      this.#process.once('error', (cause) => {
        error ??= cause;
        if (this.pid === undefined) resolve([null, null]);
      });
    });
    const [code, signal] = await exited;
    clearTimeout(timer);
    if (this.pid !== undefined) {
      // A process left behind that holds the pipes would keep 'close' from coming.
      if (this.#reason === undefined) await Promise.race([closed, sleep(this.#options.pipeMs)]);
      this.#hadLeftovers = this.#reason === undefined && this.#isAlive();
      await this.#end(this.#options.killMs);
      this.#process.stdout?.destroy();
      this.#process.stderr?.destroy();
      await closed;
    }
    const reason = this.#reason ?? 'end';
    return { reason, code, signal, hadLeftovers: this.#hadLeftovers, ...(error === undefined ? {} : { error }) };
  }

  async #end(killMs: number): Promise<void> {
    this.#send('SIGTERM');
    for (const deadline = performance.now() + killMs; this.#isAlive() && !this.#isKilled && performance.now() < deadline; )
      await sleep(POLL_MS);
    if (this.#isAlive()) this.kill();
  }

  async *#chunks(stream: StartedProcess['stdout']): AsyncGenerator<Buffer, void, undefined> {
    if (stream === null) return;
    try {
      for await (const chunk of stream) yield chunk as Buffer;
    } catch {
      // Destroyed with the group; how that ended is told by `over`.
    }
  }

  /** Whether any process of the group is left. */
  #isAlive(): boolean {
    if (this.pid === undefined) return false;
    if (IS_WINDOWS) return this.#process.exitCode === null && this.#process.signalCode === null;
    try {
      process.kill(-this.pid, 0);
      return true;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EPERM';
    }
  }

  #send(signal: NodeJS.Signals): void {
    if (this.pid === undefined) return;
    if (IS_WINDOWS) {
      this.#endTree();
      return;
    }
    try {
      process.kill(-this.pid, signal);
    } catch {
      // nobody left
    }
  }

  /** Windows knows neither groups nor polite signals; taskkill walks the tree of parents. */
  #endTree(): void {
    if (!this.#isAlive()) return;
    const { SystemRoot } = this.#options.env;
    const taskkill = startProcess(`${SystemRoot ?? 'C:\\Windows'}\\System32\\taskkill.exe`, ['/T', '/F', '/PID', String(this.pid)], {
      cwd: this.#options.cwd,
      env: this.#options.env,
      ownGroup: false,
    });
    taskkill.once('error', () => this.#process.kill());
    taskkill.unref();
  }
}

/** The exit code as a shell would give it. */
export function exitCodeOf({ code, signal }: Pick<GroupExit, 'code' | 'signal'>): number {
  if (code !== null) return code;
  return signal === null ? 127 : 128 + (constants.signals[signal] ?? 0);
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
