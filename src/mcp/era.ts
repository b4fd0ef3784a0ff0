/** What the two protocol eras have in common: how a request is admitted and how its result is dressed. A revision of the
 *  protocol is added as one Era. */
import type { Request } from '../jsonrpc/messages.js';

export interface ServerInfo {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly instructions: string;
}

export type Method = 'initialize' | 'server/discover' | 'ping' | 'tools/list' | 'tools/call';

export interface Era {
  readonly name: 'legacy' | 'modern';
  /** Checks the envelope of a request and says which method it is; undefined where the era has no such method.
   *  @throws ProtocolError */
  admit(request: Request): Method | undefined;
  /** The result with what the era wants on it. */
  dress(method: Method, result: object): object;
}

export type Params = Readonly<Record<string, unknown>>;

/** `params` as an object; absent counts as empty, anything else as nothing. */
export function paramsOf(request: Request): Params | undefined {
  if (request.params === undefined) return {};
  const { params } = request;
  return typeof params === 'object' && params !== null && !Array.isArray(params) ? (params as Params) : undefined;
}

export function metaOf(request: Request): Params | undefined {
  const meta = paramsOf(request)?._meta;
  return typeof meta === 'object' && meta !== null && !Array.isArray(meta) ? (meta as Params) : undefined;
}
