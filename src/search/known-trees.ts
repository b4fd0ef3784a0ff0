/** What earlier calls of this process learnt of how much a search has to cover: nothing is measured for it. */
import type { Deadline } from '../base/deadline.js';
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

/** How long one run over all of a tree may take, by the last one. */
export interface RunCost {
  /** Milliseconds; undefined before the first run. */
  wholeMs?: number;
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
    const isWhole = scope === '' && globs.length === 0 && excluded.length === 0;
    const whole = this.#wholes.get(queryHash(rules), () => ({ cost: {} }));
    return new KnownTree(
      this.#trees.get(key, () => ({ search: {}, list: {} })),
      whole,
      isWhole,
    );
  }
}

export class KnownTree {
  readonly #entry: Entry;
  readonly #whole: Whole;
  /** Whether it is all of the root. */
  readonly isWhole: boolean;

  constructor(entry: Entry, whole: Whole, isWhole: boolean) {
    this.#entry = entry;
    this.#whole = whole;
    this.isWhole = isWhole;
  }

  /** Files by folder, of all files of the root: at least those of this choice. */
  get folders(): FolderSizes | undefined {
    return this.#whole.folders;
  }

  /** @param list lists all files of the root until a deadline; undefined when it did not come to its end */
  async countFolders(list: (deadline: Deadline) => Promise<FolderSizes | undefined>, deadline: Deadline): Promise<FolderSizes | undefined> {
    const { cost } = this.#whole;
    if (this.folders !== undefined || (cost.wholeMs ?? 0) > deadline.remainingMs) return this.folders;
    const started = performance.now();
    const folders = await list(deadline);
    this.#whole.folders = folders;
    // How much longer is not known.
    cost.wholeMs = (performance.now() - started) * (folders === undefined ? 2 : 1);
    if (folders !== undefined && this.isWhole) this.learn({ files: folders.total, bytes: undefined });
    return folders;
  }

  /** @param folders of a listing of the whole root that came to its end */
  learnFolders(folders: FolderSizes): void {
    this.#whole.folders = folders;
  }

  /** What the last search or listing that came to its end has counted. */
  get size(): TreeSize | undefined {
    return this.#entry.size;
  }

  /** To be read and brought up to date by whoever runs over all of it. */
  cost(kind: 'search' | 'list'): RunCost {
    return this.#entry[kind];
  }

  /** @param size of all of it; undefined when a run did not come to its end */
  learn(size: TreeSize | undefined): void {
    if (size === undefined) return;
    this.#entry.size = { files: size.files, bytes: size.bytes ?? this.#entry.size?.bytes };
  }
}
