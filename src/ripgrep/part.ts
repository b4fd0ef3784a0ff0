/** A part of a tree: entries that follow each other in path order, each with all below it. They may lie in several folders, such as the
 *  last ones of one, and the next ones of the folder above it. Parts in path order cover a tree piece by piece. Pure. */
import { escapeFolder, escapePath } from './glob.js';

export interface Part {
  /** Names of entries by the folder that they lie in, relative to the root; '' is the root itself. */
  readonly names: ReadonlyMap<string, ReadonlySet<string>>;
  /** Everything else that ripgrep would come by: the other entries of these folders and of those above them. Undefined when there are
   *  too many. */
  readonly besides: readonly string[] | undefined;
}

/** The test whether a path lies in a part. */
export function inPart({ names }: Part): (path: string) => boolean {
  const tests = [...names].map(([folder, names]) => within(folder === '' ? '' : `${folder}/`, names));
  return (path) => tests.some((test) => test(path));
}

function within(start: string, names: ReadonlySet<string>): (path: string) => boolean {
  return (path) => {
    if (!path.startsWith(start)) return false;
    const end = path.indexOf('/', start.length);
    return names.has(end < 0 ? path.slice(start.length) : path.slice(start.length, end));
  };
}

/** All folders above some paths, '' first, each with its entries on the way to them. */
export function foldersAbove(folders: Iterable<string>): Map<string, Set<string>> {
  const above = new Map<string, Set<string>>([['', new Set()]]);
  for (const folder of folders) {
    let at = '';
    for (const name of folder === '' ? [] : folder.split('/')) {
      const here = above.get(at) ?? new Set();
      above.set(at, here.add(name));
      at = at === '' ? name : `${at}/${name}`;
    }
    if (!above.has(at)) above.set(at, new Set());
  }
  return above;
}

/** Lines of a rule file that keep ripgrep out of everything else. They may let more in, since a repository's own `!` rules come before
 *  them: where that is known by name, globs keep it out. */
export function partRules({ names, besides }: Part): string[] {
  if (besides !== undefined) return [];
  // The last line that fits decides: outer folders come first.
  const folders = [...foldersAbove(names.keys())].sort(([a], [b]) => depthOf(a) - depthOf(b));
  return folders.flatMap(([folder, ways]) => {
    const start = pattern(folder === '' ? [] : folder.split('/'));
    const into = [...ways].map((name) => `!${start}${inLine(escapeFolder(name))}/`);
    const taken = [...(names.get(folder) ?? [])].map((name) => `!${start}${inLine(escapePath(name))}`);
    return [`${start}*`, ...into, ...taken];
  });
}

/** What must not be searched, as globs that no repository can undo. */
export function partGlobs({ besides = [] }: Part): string[] {
  return besides.filter((path) => !RAW.test(path)).map((path) => `!/${escapePath(path)}`);
}

const depthOf = (folder: string): number => (folder === '' ? 0 : folder.split('/').length);
const pattern = (parts: readonly string[]): string => `/${parts.map((part) => `${inLine(escapePath(part))}/`).join('')}`;

/** Bytes that are no UTF-8, as names hold them. */
const RAW = /(?<![\ud800-\udbff])[\udc00-\udfff]/;
/** What no line can hold (line ends, bytes that are no UTF-8) becomes a star, which fits more names than this. */
const inLine = (escaped: string): string => escaped.replace(new RegExp(`[\\n\\r]|${RAW.source}`, 'g'), '*');
