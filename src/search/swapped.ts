/** ripgrep walks by path: a folder that is swapped for a link while it walks leads it out of the root. What would be shown is
 *  therefore checked once more before it is. This narrows that window; only the operating system could close it. */
import { hasRawBytes } from '../base/path-bytes.js';
import type { SearchContext } from './context.js';
import type { Collected } from './rows.js';

/** Removes, in place, files whose folder no longer lies where it was found; only the part that a reply can show is checked.
 *  @returns a note when something was removed */
export async function dropSwapped(found: Collected, most: number, { root }: SearchContext): Promise<string[]> {
  const isKept = new Map<string, boolean>();
  const keeps = async (path: string): Promise<boolean> => {
    // Such a name cannot be asked about; nothing of it is decided here.
    if (hasRawBytes(path)) return true;
    const folder = path.split('/').slice(0, -1).join('/');
    let kept = isKept.get(folder);
    if (kept === undefined) {
      const real = folder === '' ? '' : (await root.resolve(folder, { offersNames: false }).catch(() => undefined))?.relative;
      kept = real === folder;
      isKept.set(folder, kept);
    }
    return kept;
  };
  let left = most + 1;
  const dropped: string[] = [];
  for (const file of found.files) {
    if (left <= 0) break;
    if (!(await keeps(file.path))) dropped.push(file.path);
    left -= file.hits;
  }
  for (const { path } of found.counts) if (!(await keeps(path))) dropped.push(path);
  if (dropped.length === 0) return [];
  const gone = new Set(dropped);
  remove(found.files, ({ path }) => gone.has(path));
  remove(found.counts, ({ path }) => gone.has(path));
  return [`incomplete: the tree changed during the search; ${dropped.length} files of moved folders were left out`];
}

function remove<T>(items: T[], isGone: (item: T) => boolean): void {
  const kept = items.filter((item) => !isGone(item));
  items.splice(0, items.length, ...kept);
}
