/** Runs one tool call from raw arguments to a reply, for the server and the command line alike: checks, root, time limit,
 *  outcome, rendering, errors, log. */
import { Deadline, limitOf } from '../base/deadline.js';
import { count, showJson } from '../base/display.js';
import { ToolError } from '../base/errors.js';
import type { Limits } from '../base/limits.js';
import { type Log, withFields } from '../base/log.js';
import type { Progress } from '../base/progress.js';
import type { Tally } from '../base/tally.js';
import type { Courtesy } from '../ripgrep/process.js';
import type { SearchParts } from '../search/context.js';
import type { Gate } from '../search/gate.js';
import type { Roots } from '../security/roots.js';
import type { TestRuns } from '../testing/test-runs.js';
import { checkArguments } from './arguments.js';
import { errorReply, roomFor, type ToolReply } from './reply.js';
import { PLAIN, type Style } from './style.js';
import type { AnyTool, OutputParts, Tool, ToolContext } from './tool.js';

export interface RunnerParts {
  readonly roots: Roots;
  readonly search: SearchParts;
  /** Of this session; it remembers refusals. */
  readonly gate: Gate;
  readonly tests: TestRuns;
  readonly outputs: OutputParts;
  readonly limits: Limits;
  readonly version: string;
  /** Set when the configuration cannot be used: every call then says so. */
  readonly problem: ToolError | undefined;
}

export interface RunOptions {
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly progress: Progress;
  readonly format: 'text' | 'json';
  readonly style?: Style;
  /** How long the call waited for its turn, in ms; part of its time limit. */
  readonly waitedMs?: number;
  /** Set for a call that others need not wait for. */
  readonly courtesy?: Courtesy | undefined;
}

export class ToolRunner {
  readonly #parts: RunnerParts;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  /** Never throws for what the caller can repair: that is a reply with `isError`.
   *  @throws the signal's reason when cancelled; anything else is a bug */
  async run(tool: AnyTool, given: unknown, options: RunOptions): Promise<ToolReply> {
    const started = performance.now();
    const log = withFields(options.log, { tool: tool.name });
    const { tally } = options.progress;
    const answered = <T extends ToolReply>(reply: T): T => {
      const bytesReturned = Buffer.byteLength(reply.text);
      this.#parts.outputs.account.add(tool.name, { ms: performance.now() - started, bytesReturned, tally });
      return reply;
    };
    try {
      const reply = answered(await this.#run(tool as unknown as Tool<Record<string, unknown>>, given, tally, { ...options, log }));
      log.info(
        { ...reply.summary, ms: Math.round(performance.now() - started), bytesReturned: Buffer.byteLength(reply.text) },
        'call answered',
      );
      return reply;
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      log.warn({ code: error.code, reason: error.message, ms: Math.round(performance.now() - started) }, 'call refused');
      return answered(errorReply(error, options.format, roomFor(given, this.#parts.limits[tool.budget])));
    }
  }

  async #run(
    tool: Tool<Record<string, unknown>>,
    given: unknown,
    tally: Tally,
    options: RunOptions,
  ): Promise<ToolReply & { summary: object }> {
    const { roots, search, gate, tests, outputs, limits, version, problem } = this.#parts;
    if (problem !== undefined) throw problem;
    const { validators } = await import('../base/validators.js');
    const validate = validators[tool.name];
    if (validate === undefined) throw new Error(`no validator for ${tool.name}`);
    const { root, ...args } = checkArguments(tool as unknown as AnyTool, given, validate);
    const limitMs = limitOf(args, limits);
    const { waitedMs = 0 } = options;
    const chosen = await roots.find(root as string | undefined);
    const context: ToolContext = {
      root: chosen,
      signal: options.signal,
      deadline: new Deadline(Math.max(limitMs - Math.round(waitedMs), limits.leastRunMs), limitMs),
      limits,
      log: options.log,
      search,
      gate,
      tests,
      progress: options.progress,
      notes: [...(root === undefined ? roots.othersNote(chosen) : []), ...waitNote(waitedMs, limitMs)],
      tally,
      outputs,
      ...(options.courtesy === undefined ? {} : { courtesy: options.courtesy }),
    };
    const outcome = await tool.run(args, context);
    options.signal.throwIfAborted();
    const wanted = typeof args.maxChars === 'number' ? args.maxChars : limits[tool.budget];
    const maxChars = Math.min(wanted, Math.floor(limits.absoluteMaxTokens * limits.charsPerToken));
    const summary = tool.summary(outcome);
    const found = tool.found(outcome);
    const exitCode = tool.exitCode?.(outcome);
    if (options.format === 'text')
      return { isError: false, found, exitCode, summary, text: tool.text(outcome, maxChars, options.style ?? PLAIN) };
    const data = { ...tool.data(outcome, maxChars), serverVersion: version };
    return { isError: false, found, exitCode, summary, data, text: showJson(data) };
  }
}

/** A wait is told where it may have kept the search from its end. */
function waitNote(waitedMs: number, limitMs: number): string[] {
  if (waitedMs < limitMs / 2) return [];
  return [`waited ${count(Math.round(waitedMs))} of its ${count(limitMs)} ms for other calls; run fewer at once`];
}
