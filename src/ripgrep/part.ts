/** A part of a tree: some entries of one folder, each with all below it. Parts in path order cover a tree piece by piece. Pure. */
import { escapeFolder, escapePath } from './glob.js';

export interface Part {
  /** Relative to the root; '' is the root itself. */
  readonly folder: string;
  readonly names: ReadonlySet<string>;
  /** Everything else that ripgrep would come by: the other entries of the folder and of those above it. Undefined when there are too
   *  many. */
  readonly besides: readonly string[] | undefined;
}

/** The test whether a path lies in a part. */
export function inPart({ folder, names }: Part): (path: string) => boolean {
  const start = folder === '' ? '' : `${folder}/`;
  return (path) => {
    if (!path.startsWith(start)) return false;
    const end = path.indexOf('/', start.length);
    return names.has(end < 0 ? path.slice(start.length) : path.slice(start.length, end));
  };
}

/** Lines of a rule file that keep ripgrep out of everything else. They may let more in, since a repository's own `!` rules come before
 *  them: where that is known by name, globs keep it out. */
export function partRules({ folder, names, besides }: Part): string[] {
  if (besides !== undefined) return [];
  const parts = folder === '' ? [] : folder.split('/');
  const lines = parts.flatMap((part, depth) => {
    const above = pattern(parts.slice(0, depth));
    return [`${above}*`, `!${above}${inLine(escapeFolder(part))}/`];
  });
  const start = pattern(parts);
  return [...lines, `${start}*`, ...[...names].map((name) => `!${start}${inLine(escapePath(name))}`)];
}

/** What must not be searched, as globs that no repository can undo. */
export function partGlobs({ besides = [] }: Part): string[] {
  return besides.filter((path) => !RAW.test(path)).map((path) => `!/${escapePath(path)}`);
}

const pattern = (parts: readonly string[]): string => `/${parts.map((part) => `${inLine(escapePath(part))}/`).join('')}`;

/** Bytes that are no UTF-8, as names hold them. */
const RAW = /(?<![\ud800-\udbff])[\udc00-\udfff]/;
/** What no line can hold (line ends, bytes that are no UTF-8) becomes a star, which fits more names than this. */
const inLine = (escaped: string): string => escaped.replace(new RegExp(`[\\n\\r]|${RAW.source}`, 'g'), '*');
