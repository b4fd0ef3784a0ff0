/** The place that a search in path order has reached, and what comes next: the folders above it, each with the entries that are
 *  still to be searched. */
import type { Part } from '../ripgrep/part.js';
import type { Root } from '../security/root.js';
import { entryNames } from '../security/tree.js';
import { comparePaths } from './order.js';

interface Level {
  /** Relative to the root; '' is the root itself. */
  readonly folder: string;
  /** In path order. */
  readonly names: readonly string[];
  next: number;
  /** The entry on the way to the next level. */
  entered: string | undefined;
}

/** ripgrep takes 4 ms to read 1,000 of them. */
const MOST_BESIDES = 1_000;
const MOST_AHEAD = 500;

const join = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

export class Frontier {
  readonly #root: Root;
  readonly #mostEntries: number;
  /** The outermost folder first. */
  readonly #levels: Level[] = [];

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
      const order = (entry: string): number => comparePaths(entry, name);
      level.next = level.names.findIndex((entry) => order(entry) >= 0);
      if (level.next < 0) level.next = level.names.length;
      if (isLast || level.names[level.next] !== name) break;
      // A folder that cannot be divided any more is searched again as a whole: what was shown is dropped by its place.
      if (!(await frontier.enter())) break;
    }
    return frontier;
  }

  /** The first path that is not searched yet; undefined when nothing is left. */
  get place(): string | undefined {
    const level = this.#level();
    return level === undefined ? undefined : join(level.folder, level.names[level.next] ?? '');
  }

  /** The paths of the entries that come next in the innermost folder. */
  get ahead(): readonly string[] {
    const level = this.#level();
    return level === undefined ? [] : level.names.slice(level.next, level.next + MOST_AHEAD).map((name) => join(level.folder, name));
  }

  /** The next entries, at most so many, all of one folder. Asked only while there is a place. */
  peek(most: number): Part {
    const inner = this.#level() ?? { folder: '', names: [], next: 0 };
    const names = new Set(inner.names.slice(inner.next, inner.next + most));
    const isTooMuch = this.#levels.reduce((sum, level) => sum + level.names.length, 0) > MOST_BESIDES;
    if (isTooMuch) return { folder: inner.folder, names, besides: undefined };
    const besides = this.#levels.flatMap((level) => {
      const isIn = (name: string): boolean => (level === inner ? names.has(name) : level.entered === name);
      return level.names.filter((name) => !isIn(name)).map((name) => join(level.folder, name));
    });
    return { folder: inner.folder, names, besides };
  }

  /** Goes past so many of them. */
  pass(entries: number): void {
    const level = this.#level();
    if (level !== undefined) level.next += entries;
  }

  /** Goes into the next entry, whose own entries come next; false where it is no folder, or one that cannot be divided. */
  async enter(): Promise<boolean> {
    const level = this.#level();
    const name = level?.names[level.next];
    if (level === undefined || name === undefined || !(await this.#enter(join(level.folder, name)))) return false;
    level.entered = name;
    level.next++;
    return true;
  }

  /** Goes past everything but the way to a folder, as far as it can be listed. */
  async #passTo(folder: string): Promise<void> {
    const above = folder === '' ? [] : folder.split('/');
    for (const [depth, name] of above.entries()) {
      if (!(await this.#enter(above.slice(0, depth).join('/')))) return;
      const level = this.#levels.at(-1);
      if (level === undefined) return;
      level.entered = name;
      level.next = level.names.length;
    }
  }

  async #enter(folder: string): Promise<boolean> {
    const names = await entryNames(this.#root, folder, this.#mostEntries);
    if (names === undefined) return false;
    this.#levels.push({ folder, names: names.sort(comparePaths), next: 0, entered: undefined });
    return true;
  }

  /** The innermost folder that has entries left. */
  #level(): Level | undefined {
    for (;;) {
      const level = this.#levels.at(-1);
      if (level === undefined || level.next < level.names.length) return level;
      this.#levels.pop();
    }
  }
}
