/** Where hits lie: folders that are worth naming, with how many each holds. Pure. A folder that holds much of everything, or of
 *  which one folder below holds the most, says too little, and is named by its parts instead. */
import { comparePaths } from './order.js';

export interface FileHits {
  readonly path: string;
  readonly hits: number;
}

export interface Share {
  readonly dir: string;
  readonly hits: number;
  readonly files: number;
}

export interface Distribution {
  /** Folders that do not overlap, most hits first. */
  readonly shares: readonly Share[];
  /** Hits in none of them. */
  readonly elsewhere: number;
}

export const MOST_SHARES = 6;
/** A folder with more than this part of all hits is split. */
const LARGE_PART = 1 / 5;
/** A folder below that holds more than this part of its parent's hits stands for it. */
const DOMINANT_PART = 1 / 2;
/** A folder that a call can name: what has a control character in its name cannot be written down. */
const NAMEABLE = /^[^\p{Cc}\p{Cs}\u2028\u2029\uFFFD]+$/u;

interface Folder {
  readonly dir: string;
  hits: number;
  files: number;
  readonly below: Map<string, Folder>;
}

/** @param base   the folder that all files lie in, '' for the root
 *  @param passes whether a folder with so much is small enough to be asked for as it is */
export function distribute(files: Iterable<FileHits>, base: string, passes: (hits: number, files: number) => boolean): Distribution {
  const top = treeOf(files, base);
  const named = [...top.below.values()].flatMap((one) => partsOf(one, top.hits, passes)).filter(({ dir }) => NAMEABLE.test(dir));
  const shares = named
    .sort((a, b) => b.hits - a.hits || comparePaths(a.dir, b.dir))
    .slice(0, MOST_SHARES)
    .map(({ dir, hits, files: count }) => ({ dir, hits, files: count }));
  return { shares, elsewhere: top.hits - shares.reduce((sum, { hits }) => sum + hits, 0) };
}

function treeOf(files: Iterable<FileHits>, base: string): Folder {
  const top: Folder = { dir: base, hits: 0, files: 0, below: new Map() };
  const known = new Map<string, Folder>([[base, top]]);
  const folderOf = (dir: string): Folder => {
    const found = known.get(dir);
    if (found !== undefined) return found;
    const made: Folder = { dir, hits: 0, files: 0, below: new Map() };
    known.set(dir, made);
    folderOf(parentOf(dir)).below.set(dir, made);
    return made;
  };
  for (const { path, hits } of files) {
    // A scope may be a file: it lies beside its base, not below.
    const dir = parentOf(path);
    const folder = folderOf(dir.length < base.length ? base : dir);
    folder.hits += hits;
    folder.files++;
  }
  addUp(top);
  return top;
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** So far every folder has counted only its own files. */
function addUp(folder: Folder): void {
  for (const one of folder.below.values()) {
    addUp(one);
    folder.hits += one.hits;
    folder.files += one.files;
  }
}

/** The folder itself, or the parts that stand for it. The files that lie directly in a folder that is split belong to none. */
function partsOf(folder: Folder, all: number, passes: (hits: number, files: number) => boolean): Folder[] {
  const below = [...folder.below.values()];
  if (below.length === 0 || passes(folder.hits, folder.files)) return [folder];
  const isDominatedBy = (hits: number): boolean => hits > folder.hits * DOMINANT_PART;
  // Most lies directly in it: its parts would leave that out.
  if (isDominatedBy(folder.hits - below.reduce((sum, { hits }) => sum + hits, 0))) return [folder];
  const isLarge = folder.hits > all * LARGE_PART;
  const isDominated = below.some(({ hits }) => isDominatedBy(hits));
  return isLarge || isDominated ? below.flatMap((one) => partsOf(one, all, passes)) : [folder];
}
