/** What a call of a tool answers. */
import { clip, showControls, showJson } from '../base/display.js';
import type { ToolError } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';

export interface ToolReply {
  readonly isError: boolean;
  readonly text: string;
  /** Present when structured results were asked for. */
  readonly data?: object;
  /** Whether anything was found; false for errors. */
  readonly found: boolean;
  /** What the command line exits with, where it is not just found or not. */
  readonly exitCode?: number | undefined;
}

/** No message and no hint of an error is longer, however much a reply may hold. */
const MOST_PART = 500;

/** What the reply to a call may hold, also when its arguments were refused.
 *  @param given     arguments as they came
 *  @param otherwise where they say nothing of it */
export function roomFor(given: unknown, otherwise: number): number {
  const wanted = typeof given === 'object' && given !== null ? (given as { maxChars?: unknown }).maxChars : undefined;
  const max = wanted === undefined || wanted === null ? Number.NaN : Number(wanted);
  return Math.max(LIMITS.maxChars.min, Number.isFinite(max) ? max : otherwise);
}

/** An error as the model reads it: what is wrong, then how to repair it.
 *  @param maxChars of the whole reply; it has room for 500 */
export function errorReply(error: ToolError, format: 'text' | 'json', maxChars: number): ToolReply {
  // Names from a caller or a repository may hold line ends: an error stays two lines.
  const said = clip(showControls(error.message), MOST_PART);
  const repair = clip(showControls(error.hint), MOST_PART);
  const room = maxChars - error.code.length - ': \n# '.length;
  // The hint goes on with the work: what is wrong, which repeats what the caller wrote, is cut first.
  const hint = clip(repair, Math.max(Math.floor((room * 2) / 3), room - said.length));
  const message = clip(said, room - hint.length);
  const text = `${error.code}: ${message}\n# ${hint}`;
  if (format === 'text') return { isError: true, found: false, text };
  const retry = error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs };
  const data = { error: { code: error.code, message, hint, ...retry } };
  return { isError: true, found: false, data, text: showJson(data) };
}
