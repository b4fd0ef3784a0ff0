/** Progress notifications of one call: the first after half a second, then at most four a second, never after the answer. */
import type { Limits } from '../base/limits.js';
import type { Progress } from '../base/progress.js';
import type { Call } from '../jsonrpc/connection.js';

/** Starts reporting when the caller sent a token; returns how to end it. */
export function reportProgress(call: Call, token: unknown, progress: Progress, limits: Limits): () => void {
  if (typeof token !== 'string' && !Number.isInteger(token)) return () => {};
  progress.isWatched = true;
  const started = performance.now();
  let told = 0;
  const report = (): void => {
    // Milliseconds rise strictly and mean the same whatever the search has found.
    const elapsed = Math.round(performance.now() - started);
    // A timer that fires early after a busy moment would break the promise of the rate, and of the rise.
    if (told > 0 && elapsed - told < limits.progressEveryMs / 2) return;
    const isSent = call.notify('notifications/progress', {
      progressToken: token,
      progress: elapsed,
      message: `${(elapsed / 1000).toFixed(1)} s, ${progress.message}`,
    });
    if (isSent) told = elapsed;
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
