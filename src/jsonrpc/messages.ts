/** JSON-RPC 2.0 messages as values: parsing and checking what came in, building what goes out. Pure.
 *  Promise: parseMessage never throws, whatever the text. Refuses to know methods or to look into params and results. */

import { RPC, type RpcCode } from '../base/errors.js';

export type Id = string | number;

export interface Request {
  readonly id: Id;
  readonly method: string;
  readonly params?: unknown;
}

export interface Notification {
  readonly method: string;
  readonly params?: unknown;
}

export interface ResultResponse {
  readonly jsonrpc: '2.0';
  readonly id: Id;
  readonly result: object;
}

export interface ErrorResponse {
  readonly jsonrpc: '2.0';
  /** Absent when the id could not be read: plain JSON-RPC says null here, which the MCP schema refuses. */
  readonly id?: Id;
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export type Response = ResultResponse | ErrorResponse;

/** One message that is not a batch. */
export type Single =
  | { readonly kind: 'request'; readonly request: Request }
  | { readonly kind: 'notification'; readonly notification: Notification }
  | { readonly kind: 'response' }
  /** `id` is there only if it can be trusted: a valid id of an object that is otherwise no valid request. */
  | { readonly kind: 'invalid'; readonly code: RpcCode; readonly message: string; readonly id?: Id };

export type Parsed = Single | { readonly kind: 'batch'; readonly items: readonly Single[] };

/** Reads one frame. A batch inside a batch is an invalid item. */
export function parseMessage(text: string): Parsed {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Also a RangeError of too deep nesting: the client sent something that cannot be read. The parser's own message is
    // not passed on, because it quotes the input.
    return { kind: 'invalid', code: RPC.parseError, message: 'Parse error: the message is not valid JSON' };
  }
  return Array.isArray(value) ? { kind: 'batch', items: value.map(classify) } : classify(value);
}

function classify(value: unknown): Single {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return invalid('a message must be a JSON object');
  const message = value as { jsonrpc?: unknown; id?: unknown; method?: unknown; params?: unknown };
  const isResponse = !Object.hasOwn(message, 'method') && (Object.hasOwn(message, 'result') || Object.hasOwn(message, 'error'));
  if (isResponse) return { kind: 'response' }; // however odd it is: an answer to an answer would never end
  const hasId = Object.hasOwn(message, 'id');
  if (hasId && !isId(message.id)) return invalid('id must be a string or an integer');
  const id = isId(message.id) ? message.id : undefined;
  if (message.jsonrpc !== '2.0') return invalid('jsonrpc must be "2.0"', id);
  if (typeof message.method !== 'string') return invalid('method must be a string', id);
  const body: Notification = { method: message.method, ...(Object.hasOwn(message, 'params') ? { params: message.params } : {}) };
  return id === undefined ? { kind: 'notification', notification: body } : { kind: 'request', request: { id, ...body } };
}

function invalid(detail: string, id?: Id): Single {
  const refusal = { kind: 'invalid', code: RPC.invalidRequest, message: `Invalid request: ${detail}` } as const;
  return id === undefined ? refusal : { ...refusal, id };
}

/** A string or an integer. Integers that a double cannot hold are refused, because they would come back changed. */
export function isId(value: unknown): value is Id {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

/** A key under which `1` and `"1"` are two ids. */
export function idKey(id: Id): string {
  return typeof id === 'string' ? `s${id}` : `n${id}`;
}

/** The answer to a request that went well. */
export function resultMessage(id: Id, result: object): ResultResponse {
  return { jsonrpc: '2.0', id, result };
}

/** The answer to a request that broke the protocol; without `id` when the id could not be read. */
export function errorMessage(id: Id | undefined, code: number, message: string, data?: unknown): ErrorResponse {
  const error = data === undefined ? { code, message } : { code, message, data };
  return id === undefined ? { jsonrpc: '2.0', error } : { jsonrpc: '2.0', id, error };
}

/** A message that is not answered. */
export function notificationMessage(method: string, params: object): { jsonrpc: '2.0'; method: string; params: object } {
  return { jsonrpc: '2.0', method, params };
}
