/** A part of a tree: some entries of one folder, each with all below it. Parts in path order cover a tree piece by piece. Pure. */
import { escapePath } from './glob.js';

export interface Part {
  /** Relative to the root; '' is the root itself. */
  readonly folder: string;
  readonly names: ReadonlySet<string>;
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

/** Lines of a rule file that keep ripgrep out of everything else. They may let more in: a repository's own `!` rules come before them. */
export function partRules({ folder, names }: Part): string[] {
  const parts = folder === '' ? [] : folder.split('/').map(escapeName);
  const lines = parts.flatMap((part, depth) => [`${above(parts, depth)}*`, `!${above(parts, depth)}${part}/`]);
  const start = above(parts, parts.length);
  return [...lines, `${start}*`, ...[...names].map((name) => `!${start}${escapeName(name)}`)];
}

const above = (parts: readonly string[], depth: number): string =>
  `/${parts
    .slice(0, depth)
    .map((part) => `${part}/`)
    .join('')}`;

/** A name as a pattern. What no line can hold (line ends, bytes that are no UTF-8) becomes a star, which fits more names than this. */
const escapeName = (name: string): string => escapePath(name).replace(/[\n\r]|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '*');
