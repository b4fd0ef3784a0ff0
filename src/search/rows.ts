/** What runs of one exact search have found: matches of files, or numbers of files. Pure. */
import type { FileRows } from '../ripgrep/budget.js';
import type { SearchEnd } from '../ripgrep/process.js';
import type { Counted } from './counting.js';
import type { Coverage, Sight } from './cover.js';
import type { TreeSize } from './known-trees.js';

export interface FileCount {
  readonly path: string;
  readonly count: number;
}

/** What runs over a part of the tree, or all of it, have found. */
export interface Rows {
  readonly files: FileRows[];
  readonly counts: FileCount[];
  readonly hits: number;
  readonly fileCount: number;
  readonly literalHits: number;
  /** A match stands in a line too long to be looked at whole, so that `literalHits` may be too few. */
  readonly hasLong: boolean;
  /** Every match is an empty place, such as those of \b. */
  readonly isOnlyEmpty: boolean;
  readonly isSpent: boolean;
  /** Matches that were seen in any case, also where fewer are kept. */
  readonly leastHits: number;
  /** Where it is spent and the gate asks: all matches, counted beside. */
  readonly counted?: Counted;
  readonly lossyPaths: number;
  /** The first files that count as binary, and how many there are. */
  readonly binary: readonly { path: string; offset: number }[];
  readonly binaryCount: number;
  readonly ends: readonly SearchEnd[];
}

export interface Collected extends Rows {
  readonly coverage: Coverage<SearchEnd>;
  /** What is known of everything that the search is about. */
  readonly size: TreeSize | undefined;
  /** What runs that were cut short have seen. */
  readonly sights: readonly Sight[];
}

export const NOTHING: Rows = {
  files: [],
  counts: [],
  hits: 0,
  fileCount: 0,
  literalHits: 0,
  hasLong: false,
  isOnlyEmpty: true,
  isSpent: false,
  leastHits: 0,
  lossyPaths: 0,
  binary: [],
  binaryCount: 0,
  ends: [],
};

/** Two parts, the second behind the first in path order. */
export function joined(a: Rows, b: Rows): Rows {
  return {
    files: [...a.files, ...b.files],
    counts: [...a.counts, ...b.counts],
    literalHits: a.literalHits + b.literalHits,
    hasLong: a.hasLong || b.hasLong,
    isOnlyEmpty: a.isOnlyEmpty && b.isOnlyEmpty,
    hits: a.hits + b.hits,
    fileCount: a.fileCount + b.fileCount,
    isSpent: a.isSpent || b.isSpent,
    leastHits: a.leastHits + b.leastHits,
    ...(b.counted === undefined ? {} : { counted: b.counted }),
    lossyPaths: a.lossyPaths + b.lossyPaths,
    binary: [...a.binary, ...b.binary],
    binaryCount: a.binaryCount + b.binaryCount,
    ends: [...a.ends, ...b.ends],
  };
}

/** What a page shows: matches, or files. */
export const itemsOf = (rows: Rows): number => (rows.counts.length > 0 ? rows.counts.length : rows.hits);

/** Of one run; more are kept than a reply names, since some may be covered later. */
const MOST_SIGHTS = 50;

/** A few places of a run, whatever it shows. */
export function sightsOf({ files, counts }: Rows): Sight[] {
  const rows = files.slice(0, MOST_SIGHTS).map(({ path, rows: [first] }) => ({ path, line: first?.line ?? 1 }));
  return [...rows, ...counts.slice(0, MOST_SIGHTS).map(({ path }) => ({ path, line: 1 }))];
}
