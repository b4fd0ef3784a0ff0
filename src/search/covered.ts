/** What earlier pages of a search covered whole, so that ripgrep need not open it again. */
import type { Limits } from '../base/limits.js';
import type { Root } from '../security/root.js';
import { entriesOf } from '../security/tree.js';
import { comparePaths } from './order.js';

/** Below this depth folders are searched again: what is shown twice is dropped by the consumer. */
const MOST_LEVELS = 64;

/** Entries that come before a path on every level above it. Folders with more entries than the limit are searched again; the
 *  consumer drops what was shown. */
export async function coveredBefore(shown: string, root: Root, limits: Limits): Promise<string[]> {
  const covered: string[] = [];
  const parts = shown.split('/');
  for (let depth = 0; depth < Math.min(parts.length, MOST_LEVELS); depth++) {
    const folder = parts.slice(0, depth).join('/');
    const here = parts.slice(0, depth + 1).join('/');
    const entries = await entriesOf(root, folder, limits.pruneEntries);
    for (const { name } of entries ?? []) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (comparePaths(path, here) < 0 && !/[\n\r]/.test(name)) covered.push(path);
    }
  }
  return covered;
}
