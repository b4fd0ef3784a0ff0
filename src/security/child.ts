/** The only file that starts processes, and what ripgrep is while it runs: an environment of our own, no inherited stdin, a deadline,
 *  and a set of live children that dies with the server. Promise: a stopped child gets SIGKILL at once; the first stop reason wins. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';

export type StopReason = 'end' | 'budget' | 'deadline' | 'cancelled' | 'failed';

export interface ChildOptions {
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Milliseconds until the child is stopped with reason `deadline`. */
  readonly deadlineMs: number;
  readonly maxStderrBytes: number;
  /** Lets other programs go first. */
  readonly yields?: boolean;
}

export interface ChildExit {
  readonly reason: StopReason;
  /** null when a signal ended it or it never started. */
  readonly code: number | null;
  /** What kept it from starting. */
  readonly error?: Error;
  readonly stderr: string;
  /** Lines of stderr beyond the part that was kept. */
  readonly stderrLinesCut: number;
}

/** A started program as Node has it. */
export type StartedProcess = ChildProcess;

export interface Start {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Makes it the leader of a process group of its own, which can then be ended as a whole. */
  readonly ownGroup: boolean;
}

/** The one way in which a process is started: no shell, nothing on stdin, both outputs by pipe. */
export function startProcess(file: string, args: readonly string[], start: Start): StartedProcess {
  const options: SpawnOptions = {
    cwd: start.cwd,
    env: start.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: false,
    windowsHide: true,
    // On Windows it would open a console window; there the tree of processes is ended by taskkill.
    detached: start.ownGroup && process.platform !== 'win32',
  };
  return spawn(file, [...args], options);
}

/** The environment of ripgrep: nothing of ours but what the system itself needs to start a program. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  return process.platform === 'win32' ? { SystemRoot: 'C:\\Windows', LC_ALL: 'C' } : { LC_ALL: 'C' };
}

/** Lowers the priority of a program that has just started; the threads that it starts from now on inherit it. */
function yieldTo(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended already, or the system has no priorities.
  }
}

/** One running program, read with `for await (const chunk of child.chunks())`. Leaving the loop early does not end it: call stop. */
export class Child {
  readonly pid: number | undefined;
  readonly #process: ChildProcess;
  readonly #over: Promise<ChildExit>;
  readonly #timer: NodeJS.Timeout;
  readonly #stderr: Buffer[] = [];
  #stderrBytes = 0;
  #stderrLinesCut = 0;
  #reason: StopReason | undefined;
  #error: Error | undefined;

  constructor(file: string, args: readonly string[], options: ChildOptions) {
    this.#process = startProcess(file, args, { cwd: options.cwd, env: cleanEnvironment(), ownGroup: false });
    this.pid = this.#process.pid;
    if (options.yields === true && this.pid !== undefined) yieldTo(this.pid);
    const onAbort = (): void => void this.stop('cancelled');
    this.#timer = setTimeout(() => void this.stop('deadline'), Math.max(1, options.deadlineMs));
    options.signal.addEventListener('abort', onAbort, { once: true });
    this.#process.stderr?.on('data', (chunk: Buffer) => this.#keepStderr(chunk, options.maxStderrBytes));
    // A destroyed pipe may still report the reset that its end caused; the exit tells the story.
    for (const stream of [this.#process.stdout, this.#process.stderr]) stream?.on('error', () => {});
    this.#over = new Promise((resolve) => {
      const settle = (code: number | null): void => {
        clearTimeout(this.#timer);
        options.signal.removeEventListener('abort', onAbort);
        resolve(this.#exit(code));
      };
      this.#process.once('error', (error) => {
        this.#error ??= error;
        this.#reason ??= 'failed';
        if (this.pid === undefined) settle(null);
      });
      this.#process.once('close', (code) => settle(code));
    });
    if (options.signal.aborted) onAbort();
  }

  /** Resolves when the program has ended and its pipes are closed. */
  get over(): Promise<ChildExit> {
    return this.#over;
  }

  /** stdout, as it comes. Ends without an error when the child is stopped. */
  async *chunks(): AsyncGenerator<Buffer, void, undefined> {
    const { stdout } = this.#process;
    if (stdout === null) return;
    try {
      for await (const chunk of stdout) yield chunk as Buffer;
    } catch (error) {
      if (this.#reason === undefined) throw error;
    }
  }

  /** Ends the program: `end` after all was read, anything else at once. Idempotent; the first reason wins. */
  stop(reason: StopReason): Promise<ChildExit> {
    this.#reason ??= reason;
    // A program may live on after it closed its output: a deadline or a cancel still ends it.
    if (reason !== 'end') this.kill();
    return this.#over;
  }

  kill(): void {
    this.#process.kill('SIGKILL');
    this.#process.stdout?.destroy();
    this.#process.stderr?.destroy();
  }

  #exit(code: number | null): ChildExit {
    return {
      reason: this.#reason ?? 'end',
      code,
      stderr: Buffer.concat(this.#stderr).toString('utf8'),
      stderrLinesCut: this.#stderrLinesCut,
      ...(this.#error ? { error: this.#error } : {}),
    };
  }

  #keepStderr(chunk: Buffer, limit: number): void {
    const room = limit - this.#stderrBytes;
    if (room > 0) this.#stderr.push(Buffer.from(chunk.subarray(0, room)));
    this.#stderrBytes += chunk.length;
    for (let at = chunk.indexOf(10, Math.max(0, room)); at >= 0; at = chunk.indexOf(10, at + 1)) this.#stderrLinesCut++;
  }
}

/** All live children of this server. */
export class Children {
  readonly #live = new Set<Child>();

  spawn(file: string, args: readonly string[], options: ChildOptions): Child {
    const child = new Child(file, args, options);
    this.#live.add(child);
    void child.over.then(() => this.#live.delete(child));
    return child;
  }

  get size(): number {
    return this.#live.size;
  }

  /** Kills every child now; synchronous, so that it may be called while the process exits. */
  killAll(): void {
    for (const child of this.#live) child.kill();
  }
}
