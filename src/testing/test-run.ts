/** One run of a test command, from its start to its result: reads both outputs line by line into the log and the filter, and can
 *  be asked at any time what is known. Promise: memory does not grow with the output; the processes end with the run. */
import type { Limits } from '../base/limits.js';
import { exitCodeOf, type GroupEnd, type GroupExit, ProcessGroup } from '../security/process-group.js';
import type { TestStart } from '../security/test-command.js';
import { LineCleaner } from './clean-line.js';
import { LineCutter } from './line-cutter.js';
import type { RunLog } from './run-log.js';
import { TestFilter, type TestResult } from './test-filter.js';

/** What coreutils' timeout answers, and so every script expects. */
const TIMEOUT_CODE = 124;

export interface RunReport {
  readonly command: string;
  /** Handle of the run and of its log. */
  readonly handle: string;
  readonly isRunning: boolean;
  /** The command's own, 124 after a timeout, 128 + n after signal n; null while it runs. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly reason: GroupEnd | undefined;
  readonly limitMs: number;
  readonly durationMs: number;
  readonly result: TestResult;
  readonly log: {
    readonly bytes: number;
    readonly lines: number;
    /** Whether there was no room for its end. */
    readonly isCut: boolean;
    /** Whether it can be searched by the handle. */
    readonly isKept: boolean;
  };
  readonly notes: readonly string[];
}

export class TestRun {
  readonly handle: string;
  readonly #start: TestStart;
  readonly #limits: Limits;
  readonly #limitMs: number;
  readonly #log: RunLog;
  readonly #filter: TestFilter;
  readonly #rootPath: string;
  readonly #group: ProcessGroup;
  readonly #over: Promise<void>;
  readonly #startedAt = performance.now();
  #exit: GroupExit | undefined;
  #durationMs: number | undefined;
  #waiting = 0;
  #isCounted = false;

  /** @param rootPath absolute; the lines show paths relative to it
   *  @param limitMs  longest that it may run */
  constructor(start: TestStart, rootPath: string, limitMs: number, log: RunLog, limits: Limits) {
    this.handle = log.handle;
    this.#start = start;
    this.#limits = limits;
    this.#limitMs = limitMs;
    this.#log = log;
    this.#filter = new TestFilter(limits);
    this.#rootPath = rootPath;
    const { file, args, cwd, env } = start;
    this.#group = new ProcessGroup(file, args, { cwd, env, deadlineMs: limitMs, killMs: limits.testKillMs, pipeMs: limits.testPipeMs });
    this.#over = this.#read();
  }

  get pid(): number | undefined {
    return this.#group.pid;
  }

  get isRunning(): boolean {
    return this.#exit === undefined;
  }

  /** Resolves when the run has ended and its log is closed. */
  get over(): Promise<void> {
    return this.#over;
  }

  /** Waits for the end, at most so long. A cancel ends the run, unless another call still waits for it.
   *  @throws the signal's reason when cancelled */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    this.#waiting++;
    let timer: NodeJS.Timeout | undefined;
    let onAbort = (): void => {};
    try {
      await Promise.race([
        this.#over,
        new Promise<void>((resolve) => {
          timer = setTimeout(resolve, ms);
          onAbort = resolve;
          signal.addEventListener('abort', onAbort, { once: true });
          if (signal.aborted) resolve();
        }),
      ]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      this.#waiting--;
    }
    if (!signal.aborted) return;
    if (this.#waiting === 0) void this.#group.stop('cancelled');
    throw signal.reason;
  }

  stop(reason: GroupEnd, killMs?: number): Promise<unknown> {
    return this.#group.stop(reason, killMs);
  }

  kill(): void {
    this.#group.kill();
  }

  /** Bytes of the log that nobody has counted yet: told once, when the run has ended. */
  takeKeptBytes(): number {
    const bytes = this.#isCounted ? 0 : (this.#log.kept?.bytes ?? 0);
    this.#isCounted ||= this.#log.kept !== undefined;
    return bytes;
  }

  report(): RunReport {
    const exit = this.#exit;
    const isTimeout = exit?.reason === 'deadline';
    return {
      command: this.#start.command,
      handle: this.handle,
      isRunning: exit === undefined,
      exitCode: exit === undefined ? null : isTimeout ? TIMEOUT_CODE : exitCodeOf(exit),
      signal: exit?.signal ?? null,
      reason: exit?.reason,
      limitMs: this.#limitMs,
      durationMs: Math.round(this.#durationMs ?? performance.now() - this.#startedAt),
      result: this.#filter.result,
      log: { bytes: this.#log.bytes, lines: this.#log.lines, isCut: this.#log.isCut, isKept: this.#log.kept !== undefined },
      notes: [
        ...this.#start.notes,
        ...(exit?.error === undefined
          ? []
          : [`it could not be started (${(exit.error as NodeJS.ErrnoException).code ?? 'unknown error'})`]),
        ...(this.#log.trouble === undefined ? [] : [`the log could not be kept: ${this.#log.trouble}`]),
        ...(exit?.hadLeftovers === true ? ['processes that the command left behind were ended'] : []),
      ],
    };
  }

  async #read(): Promise<void> {
    await Promise.all(this.#group.outputs.map((output) => this.#readOutput(output)));
    const exit = await this.#group.over;
    this.#log.close();
    this.#durationMs = performance.now() - this.#startedAt;
    this.#exit = exit;
  }

  async #readOutput(output: AsyncIterable<Buffer>): Promise<void> {
    const cutter = new LineCutter(this.#limits.testLineBytes);
    const cleaner = new LineCleaner(this.#rootPath, this.#limits.testLineChars);
    const take = (line: Buffer): void => {
      if (cutter.goesOn) cleaner.hold(line);
      else this.#filter.take(cleaner.clean(line));
      this.#log.write(line);
    };
    for await (const chunk of output) for (const line of cutter.push(chunk)) take(line);
    const rest = cutter.end();
    if (rest !== undefined) take(rest);
  }
}
