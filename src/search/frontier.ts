/** The place that a search in path order has reached, and what comes next: the folders above it, each with the entries that are
 *  still to be searched. */
import { foldersAbove, type Part } from '../ripgrep/part.js';
import type { Root } from '../security/root.js';
import { type Entry, entriesOf } from '../security/tree.js';
import { comparePaths } from './order.js';

interface Level {
  /** Relative to the root; '' is the root itself. */
  readonly folder: string;
  /** In path order. */
  readonly entries: readonly Entry[];
  next: number;
}

/** What comes next in the innermost folder. */
export interface Ahead {
  readonly path: string;
  readonly isFolder: boolean;
}

/** ripgrep takes 4 ms to read 1,000 of them, and Windows takes 32,767 characters of arguments. */
const MOST_BESIDES = 1_000;
const MOST_BESIDES_CHARS = 20_000;
/** Entries that one part names. */
const MOST_NAMES = 1_000;

const join = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

export class Frontier {
  readonly #root: Root;
  readonly #mostEntries: number;
  /** The outermost folder first. */
  #levels: Level[] = [];
  /** Every folder on the way to the place, and all that were entered since a part began. */
  readonly #seen = new Map<string, readonly Entry[]>();
  /** What was passed since then, by folder. */
  readonly #passed = new Map<string, Set<string>>();
  #passedCount = 0;
  /** The place where the part begins. */
  #start: readonly Level[] = [];

  private constructor(root: Root, mostEntries: number) {
    this.#root = root;
    this.#mostEntries = mostEntries;
  }

  /** @param folder      all that is to be searched lies in it
   *  @param from        the first path below it that is not searched yet; it need not exist any more
   *  @param mostEntries a folder with more is not divided
   *  @returns undefined where the outermost folder cannot be divided */
  static async open(root: Root, folder: string, from: string | undefined, mostEntries: number): Promise<Frontier | undefined> {
    const frontier = new Frontier(root, mostEntries);
    await frontier.#passTo(folder);
    if (!(await frontier.#enter(folder))) return undefined;
    const below = from?.slice(folder === '' ? 0 : folder.length + 1).split('/') ?? [];
    for (const [depth, name] of below.entries()) {
      const level = frontier.#levels.at(-1);
      if (level === undefined) break;
      const isLast = depth === below.length - 1;
      level.next = level.entries.findIndex((entry) => comparePaths(entry.name, name) >= 0);
      if (level.next < 0) level.next = level.entries.length;
      if (isLast || level.entries[level.next]?.name !== name) break;
      // A folder that cannot be divided any more is searched again as a whole: what was shown is dropped by its place.
      if (!(await frontier.enter())) break;
    }
    return frontier;
  }

  /** The first path that is not passed yet; undefined when nothing is left. */
  get place(): string | undefined {
    const level = this.#level();
    return level === undefined ? undefined : join(level.folder, level.entries[level.next]?.name ?? '');
  }

  /** The entries that come next in the innermost folder, as many as the part may still take. */
  get ahead(): readonly Ahead[] {
    const level = this.#level();
    if (level === undefined) return [];
    const next = level.entries.slice(level.next, level.next + MOST_NAMES - this.#passedCount);
    return next.map(({ name, isFolder }) => ({ path: join(level.folder, name), isFolder }));
  }

  /** A part begins at the place. */
  begin(): void {
    this.#passed.clear();
    this.#passedCount = 0;
    const level = this.#level();
    const above = level === undefined ? [] : [...foldersAbove([level.folder]).keys()];
    for (const folder of this.#seen.keys()) if (!above.includes(folder)) this.#seen.delete(folder);
  }

  /** Goes past so many of the entries that come next in the innermost folder: they belong to the part. */
  pass(entries: number): void {
    const level = this.#level();
    if (level === undefined) return;
    if (this.#passedCount === 0) this.#start = this.#levels.map((one) => ({ ...one }));
    const names = this.#passed.get(level.folder) ?? new Set();
    for (const { name } of level.entries.slice(level.next, level.next + entries)) names.add(name);
    this.#passed.set(level.folder, names);
    this.#passedCount += entries;
    level.next += entries;
  }

  /** How many entries the part takes. */
  get passed(): number {
    return this.#passedCount;
  }

  /** What was passed since it began. */
  part(): Part {
    const names = new Map(this.#passed);
    const ways = foldersAbove(names.keys());
    const besides: string[] = [];
    for (const [folder, into] of ways) {
      const taken = names.get(folder);
      for (const { name } of this.#seen.get(folder) ?? [])
        if (taken?.has(name) !== true && !into.has(name)) besides.push(join(folder, name));
    }
    const chars = besides.reduce((sum, path) => sum + path.length, 0);
    return { names, besides: besides.length > MOST_BESIDES || chars > MOST_BESIDES_CHARS ? undefined : besides };
  }

  /** Goes back to where the part took its first entry. */
  back(): void {
    if (this.#passedCount > 0) this.#levels = this.#start.map((one) => ({ ...one }));
    this.begin();
  }

  /** Goes into the next entry, whose own entries come next; false where it is no folder, or one that cannot be divided. */
  async enter(): Promise<boolean> {
    const level = this.#level();
    const entry = level?.entries[level.next];
    if (level === undefined || entry?.isFolder !== true || !(await this.#enter(join(level.folder, entry.name)))) return false;
    level.next++;
    return true;
  }

  /** Goes past everything but the way to a folder, as far as it can be listed. */
  async #passTo(folder: string): Promise<void> {
    for (const above of foldersAbove([folder]).keys()) {
      if (above === folder || !(await this.#enter(above))) return;
      const level = this.#levels.at(-1);
      if (level !== undefined) level.next = level.entries.length;
    }
  }

  async #enter(folder: string): Promise<boolean> {
    const entries = await entriesOf(this.#root, folder, this.#mostEntries);
    if (entries === undefined) return false;
    // ripgrep never goes there.
    const searched = entries.filter(({ name }) => name.toLowerCase() !== '.git').sort((a, b) => comparePaths(a.name, b.name));
    this.#levels.push({ folder, entries: searched, next: 0 });
    this.#seen.set(folder, searched);
    return true;
  }

  /** The innermost folder that has entries left. */
  #level(): Level | undefined {
    for (;;) {
      const level = this.#levels.at(-1);
      if (level === undefined || level.next < level.entries.length) return level;
      this.#levels.pop();
    }
  }
}
