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

/** An error as the model reads it: what is wrong, then how to repair it. */
export function errorReply(error: ToolError, format: 'text' | 'json'): ToolReply {
  const max = LIMITS.maxChars.min;
  // Names from a caller or a repository may hold line ends: an error stays two lines.
  const message = clip(showControls(error.message), max);
  const hint = clip(showControls(error.hint), max);
  const text = `${error.code}: ${message}\n# ${hint}`;
  if (format === 'text') return { isError: true, found: false, text };
  const retry = error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs };
  const data = { error: { code: error.code, message, hint, ...retry } };
  return { isError: true, found: false, data, text: showJson(data) };
}
