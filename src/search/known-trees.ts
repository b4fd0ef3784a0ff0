/** What earlier calls of this process learnt of how much a search has to cover: nothing is measured for it. */
import type { Selection } from '../ripgrep/accept.js';
import type { RulesPass } from '../ripgrep/args.js';
import type { Root } from '../security/root.js';
import { queryHash } from './cursor.js';
import type { FolderSizes } from './folder-sizes.js';

export interface TreeSize {
  readonly files: number;
  /** Undefined when only a listing has counted. */
  readonly bytes: number | undefined;
}

/** How long one run over all of a tree may take. */
interface RunCost {
  /** Milliseconds: of the last run, or a guess by a listing, by parts, or by a run that was cut. Undefined where nothing is known. */
  wholeMs?: number;
  /** Files a millisecond, part by part; undefined before the first part. */
  rate?: number | undefined;
}

interface Entry {
  size?: TreeSize;
  readonly search: RunCost;
  readonly list: RunCost;
}

/** Of all files of a root under the same rules. */
interface Whole {
  folders?: FolderSizes | undefined;
  readonly cost: RunCost;
}

const MOST_TREES = 64;
/** A search takes at least about so much longer than a listing of the same files, when both are in memory. */
const SEARCH_PER_LISTING = 3;

/** The entries used last. */
class Recent<T> {
  readonly #entries = new Map<string, T>();

  get(key: string, make: () => T): T {
    const entry = this.#entries.get(key) ?? make();
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= MOST_TREES) break;
      this.#entries.delete(oldest);
    }
    return entry;
  }
}

export class KnownTrees {
  readonly #trees = new Recent<Entry>();
  readonly #wholes = new Recent<Whole>();

  /** The files that a choice stands for under a root's rules. */
  of(root: Root, selection: Selection, main: RulesPass): KnownTree {
    const { scope, globs, excluded, ignored } = selection;
    const rules = { root: root.path, ignored, main };
    const key = queryHash({ ...rules, scope, globs: globs.map(({ text }) => text), excluded: excluded.map(({ text }) => text) });
    const whole = this.#wholes.get(queryHash(rules), () => ({ cost: {} }));
    const entry = this.#trees.get(key, () => ({ search: {}, list: {} }));
    return new KnownTree(entry, whole, {
      scope,
      isFiltered: globs.length > 0,
      isWhole: scope === '' && globs.length + excluded.length === 0,
    });
  }
}

export class KnownTree {
  readonly #entry: Entry;
  readonly #whole: Whole;
  readonly #choice: { readonly scope: string; readonly isFiltered: boolean };
  /** Whether it is all of the root. */
  readonly isWhole: boolean;

  constructor(entry: Entry, whole: Whole, choice: { readonly scope: string; readonly isFiltered: boolean; readonly isWhole: boolean }) {
    this.#entry = entry;
    this.#whole = whole;
    this.#choice = choice;
    this.isWhole = choice.isWhole;
  }

  /** Files by folder, of all files of the root: at least those of this choice. */
  get folders(): FolderSizes | undefined {
    return this.#whole.folders;
  }

  /** @param folders of a listing of the whole root that came to its end
   *  @param tookMs  how long it took, in milliseconds */
  learnFolders(folders: FolderSizes, tookMs: number): void {
    this.#whole.folders = folders;
    this.#whole.cost.wholeMs = tookMs;
  }

  /** What the last search or listing that came to its end has counted. */
  get size(): TreeSize | undefined {
    return this.#entry.size;
  }

  /** To be read and brought up to date by whoever runs over all of it. Before the first run it is a guess by a listing of the root, if
   *  there was one: another listing goes the same way, whatever it lets through. */
  cost(kind: 'search' | 'list'): RunCost {
    const cost = this.#entry[kind];
    const { folders, cost: listing } = this.#whole;
    const { scope, isFiltered } = this.#choice;
    if (cost.wholeMs !== undefined || folders === undefined || folders.total === 0 || listing.wholeMs === undefined) return cost;
    const listingMs = (listing.wholeMs * folders.of(scope)) / folders.total;
    if (kind === 'list') cost.wholeMs = listingMs;
    else if (!isFiltered) cost.wholeMs = listingMs * SEARCH_PER_LISTING;
    return cost;
  }

  /** @param size of all of it; undefined when a run did not come to its end */
  learn(size: TreeSize | undefined): void {
    if (size === undefined) return;
    this.#entry.size = { files: size.files, bytes: size.bytes ?? this.#entry.size?.bytes };
  }
}
