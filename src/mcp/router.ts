/** From JSON-RPC requests to tools: chooses the era per request, finds the method, runs the call in a slot, and tells wrong
 *  messages (protocol errors) from what a model can repair (results with isError). */
import { limitOf } from '../base/deadline.js';
import { ProtocolError, RPC, ToolError } from '../base/errors.js';
import type { Lane } from '../base/lane.js';
import type { Limits } from '../base/limits.js';
import { type Log, withFields } from '../base/log.js';
import { Progress } from '../base/progress.js';
import type { Call, Handler } from '../jsonrpc/connection.js';
import type { Notification, Request } from '../jsonrpc/messages.js';
import { Slots, type Turn } from '../jsonrpc/slots.js';
import type { ToolReply } from '../tools/reply.js';
import type { ToolRunner } from '../tools/runner.js';
import type { AnyTool } from '../tools/tool.js';
import { definition } from './definition.js';
import { type Era, type Method, metaOf, paramsOf, type ServerInfo } from './era.js';
import { LegacyEra } from './legacy.js';
import { isModern, ModernEra } from './modern.js';
import { reportProgress } from './reporter.js';

/** The tools and what runs them. */
export interface Toolbox {
  readonly tools: readonly AnyTool[];
  readonly hasRoots: boolean;
  readonly runner: ToolRunner;
}

export interface RouterOptions {
  /** Asked with the first list or call, since the handshake must not wait for it. */
  toolbox(): Promise<Toolbox>;
  readonly info: ServerInfo;
  readonly limits: Limits;
  /** Of the machine: what `maxInFlight` derives from where the operator set none. */
  readonly cores: number;
  readonly format: 'text' | 'json';
  readonly log: Log;
}

/** ripgrep waits for the disk, and calls for us: so many for each core keep all of them busy. */
const SLOTS_PER_CORE = 4;

export class Router implements Handler {
  readonly #options: RouterOptions;
  readonly #legacy: LegacyEra;
  readonly #modern: ModernEra;
  readonly #slots: Slots;

  constructor(options: RouterOptions) {
    this.#options = options;
    this.#legacy = new LegacyEra(options.info);
    this.#modern = new ModernEra(options.info);
    const { limits, cores } = options;
    this.#slots = new Slots({ ...limits, maxInFlight: limits.maxInFlight || SLOTS_PER_CORE * cores });
  }

  async request(request: Request, call: Call): Promise<object> {
    const era: Era = isModern(request) ? this.#modern : this.#legacy;
    const method = era.admit(request);
    if (method === undefined) throw new ProtocolError(RPC.methodNotFound, `Method not found: ${request.method.slice(0, 200)}`);
    return era.dress(method, await this.#serve(method, request, call));
  }

  notification(notification: Notification): void {
    this.#options.log.debug({ method: notification.method.slice(0, 100) }, 'notification');
  }

  acceptsBatch(): boolean {
    return this.#legacy.takesBatches;
  }

  isCancellable(method: string): boolean {
    return method !== 'initialize';
  }

  #serve(method: Method, request: Request, call: Call): object | Promise<object> {
    switch (method) {
      case 'initialize':
        return this.#legacy.initialize(request);
      case 'server/discover':
        return this.#modern.discover();
      case 'ping':
        return {};
      case 'tools/list':
        return this.#list(request);
      case 'tools/call':
        return this.#call(request, call);
    }
  }

  async #list(request: Request): Promise<object> {
    const params = paramsOf(request);
    if (params === undefined) throw new ProtocolError(RPC.invalidParams, 'params must be an object.');
    // There is one page, so no cursor was ever given out.
    if (params.cursor !== undefined) throw new ProtocolError(RPC.invalidParams, 'Unknown cursor: the list has one page.');
    const { tools, hasRoots } = await this.#options.toolbox();
    return { tools: tools.map((tool) => definition(tool, hasRoots)) };
  }

  async #call(request: Request, call: Call): Promise<object> {
    const params = paramsOf(request);
    if (params === undefined) throw new ProtocolError(RPC.invalidParams, 'params must be an object with the name of a tool.');
    const { name, arguments: given = {} } = params;
    if (typeof name !== 'string') throw new ProtocolError(RPC.invalidParams, 'params.name must be the name of a tool.');
    const { limits, format } = this.#options;
    const { tools, runner } = await this.#options.toolbox();
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined) {
      throw new ProtocolError(
        RPC.invalidParams,
        `Unknown tool: ${name.slice(0, 100)}. The tools are ${tools.map((known) => known.name).join(', ')}.`,
      );
    }
    const log = withFields(this.#options.log, { request: call.id });
    const progress = new Progress();
    const stop = reportProgress(call, metaOf(request)?.progressToken, progress, limits);
    try {
      const claim = { lane: laneOf(tool, given), signal: call.signal, waitMs: limitOf(given, limits) };
      progress.isWaiting = true;
      const work = (turn: Turn): Promise<ToolReply> => {
        progress.isWaiting = false;
        return runner.run(tool, given, { signal: call.signal, log, progress, format, ...turn });
      };
      return toResult(await this.#slots.run(claim, work));
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      const { errorReply, roomFor } = await import('../tools/reply.js');
      return toResult(errorReply(error, format, roomFor(given, limits[tool.budget])));
    } finally {
      stop();
    }
  }
}

/** Arguments that are no object are refused once the call runs. */
function laneOf(tool: AnyTool, given: unknown): Lane {
  return tool.lane(typeof given === 'object' && given !== null ? (given as Readonly<Record<string, unknown>>) : {});
}

function toResult(reply: ToolReply): object {
  return {
    content: [{ type: 'text', text: reply.text }],
    ...(reply.data === undefined ? {} : { structuredContent: reply.data }),
    isError: reply.isError,
  };
}
