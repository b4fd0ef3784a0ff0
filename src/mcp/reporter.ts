/** Progress notifications of one call: the first after half a second, then at most four a second, never after the answer. */
import type { Limits } from '../base/limits.js';
import type { Progress } from '../base/progress.js';
import type { Call } from '../jsonrpc/connection.js';

/** Starts reporting when the caller sent a token; returns how to end it. */
export function reportProgress(call: Call, token: unknown, progress: Progress, limits: Limits): () => void {
  if (typeof token !== 'string' && !Number.isInteger(token)) return () => {};
  const started = performance.now();
  const report = (): void => {
    // Milliseconds rise strictly and mean the same whatever the search has found.
    const elapsed = Math.round(performance.now() - started);
    call.notify('notifications/progress', {
      progressToken: token,
      progress: elapsed,
      message: `${(elapsed / 1000).toFixed(1)} s, ${progress.message}`,
    });
  };
  let interval: NodeJS.Timeout | undefined;
  const first = setTimeout(() => {
    report();
    interval = setInterval(report, limits.progressEveryMs);
  }, limits.progressFirstMs);
  return () => {
    clearTimeout(first);
    clearInterval(interval);
  };
}
