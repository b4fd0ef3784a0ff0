/** Where hits lie: folders that are worth naming, with how many each holds. Pure. A folder that holds much of everything, or of
 *  which one folder below holds the most, says too little, and is named by its parts instead: folders, and files that lie directly
 *  in it. */
import { comparePaths } from './order.js';

export interface FileHits {
  readonly path: string;
  readonly hits: number;
}

export interface Share {
  /** A folder, or a file of a folder that is named by its parts. */
  readonly dir: string;
  readonly hits: number;
  readonly files: number;
}

export interface Distribution {
  /** Folders and files that do not overlap, most hits first. */
  readonly shares: readonly Share[];
  /** Hits in none of them. */
  readonly elsewhere: number;
}

export const MOST_SHARES = 6;
/** A folder with more than this part of all hits is split. */
const LARGE_PART = 1 / 5;
/** A folder below that holds more than this part of its parent's hits stands for it. */
const DOMINANT_PART = 1 / 2;
/** To name a folder with more than this part of all hits is to name everything. */
const NEARLY_ALL = 9 / 10;
/** Beside the first, one with less than this part of its hits is not worth its place. */
const LEAST_PART_OF_FIRST = 1 / 20;
/** A folder that a call can name: what has a control character in its name cannot be written down. */
const NAMEABLE = /^[^\p{Cc}\p{Cs}\u2028\u2029\uFFFD]+$/u;

interface Folder {
  readonly dir: string;
  hits: number;
  files: number;
  readonly below: Map<string, Folder>;
  readonly own: FileHits[];
}

interface Part {
  readonly dir: string;
  readonly hits: number;
  readonly files: number;
}

/** @param base   the folder that all files lie in, '' for the root
 *  @param passes whether a folder with so much is small enough to be asked for as it is */
export function distribute(files: Iterable<FileHits>, base: string, passes: (hits: number, files: number) => boolean): Distribution {
  const top = treeOf(files, base);
  const named = split(top, top.hits, passes).filter(({ dir }) => NAMEABLE.test(dir));
  const shares = named
    .sort((a, b) => b.hits - a.hits || comparePaths(a.dir, b.dir))
    .slice(0, MOST_SHARES)
    .filter(({ hits }, _, [first]) => hits >= (first?.hits ?? 0) * LEAST_PART_OF_FIRST)
    .map(({ dir, hits, files: count }) => ({ dir, hits, files: count }));
  return { shares, elsewhere: top.hits - shares.reduce((sum, { hits }) => sum + hits, 0) };
}

function treeOf(files: Iterable<FileHits>, base: string): Folder {
  const top: Folder = { dir: base, hits: 0, files: 0, below: new Map(), own: [] };
  const known = new Map<string, Folder>([[base, top]]);
  const folderOf = (dir: string): Folder => {
    const found = known.get(dir);
    if (found !== undefined) return found;
    const made: Folder = { dir, hits: 0, files: 0, below: new Map(), own: [] };
    known.set(dir, made);
    folderOf(parentOf(dir)).below.set(dir, made);
    return made;
  };
  for (const file of files) {
    const folder = folderOf(parentOf(file.path));
    folder.own.push(file);
    folder.hits += file.hits;
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

/** The folder itself, or the parts that stand for it. */
function partsOf(folder: Folder, all: number, passes: (hits: number, files: number) => boolean): Part[] {
  if (passes(folder.hits, folder.files)) return [folder];
  const largest = Math.max(0, ...[...folder.below.values()].map(({ hits }) => hits));
  const isDominated = largest > folder.hits * DOMINANT_PART;
  const isLarge = folder.hits > all * LARGE_PART;
  // Of a folder whose hits lie directly in it the parts are single files: better than a name for nearly everything, but worse than any other.
  const isFlat = folder.own.reduce((sum, { hits }) => sum + hits, 0) > folder.hits * DOMINANT_PART;
  const isSplit = isFlat ? folder.hits > all * NEARLY_ALL : isLarge || isDominated;
  return isSplit ? split(folder, all, passes) : [folder];
}

function split({ below, own }: Folder, all: number, passes: (hits: number, files: number) => boolean): Part[] {
  const files = own.map(({ path, hits }) => ({ dir: path, hits, files: 1 }));
  return [...files, ...[...below.values()].flatMap((one) => partsOf(one, all, passes))];
}
