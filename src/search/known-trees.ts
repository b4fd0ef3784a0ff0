/** What earlier calls of this process learnt of how much a search has to cover: nothing is measured for it. A few dozen numbers. */
import type { Selection } from '../ripgrep/accept.js';
import type { RulesPass } from '../ripgrep/args.js';
import type { Root } from '../security/root.js';
import { queryHash } from './cursor.js';

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

const MOST_TREES = 64;

export class KnownTrees {
  /** The one used last is at the end. */
  readonly #known = new Map<string, Entry>();

  /** The files that a choice stands for under a root's rules. */
  of(root: Root, selection: Selection, main: RulesPass): KnownTree {
    const { scope, globs, excluded, ignored } = selection;
    const key = queryHash({
      root: root.path,
      scope,
      ignored,
      main,
      globs: globs.map(({ text }) => text),
      excluded: excluded.map(({ text }) => text),
    });
    const entry = this.#known.get(key) ?? { search: {}, list: {} };
    this.#known.delete(key);
    this.#known.set(key, entry);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST_TREES) break;
      this.#known.delete(oldest);
    }
    return new KnownTree(entry);
  }
}

export class KnownTree {
  readonly #entry: Entry;

  constructor(entry: Entry) {
    this.#entry = entry;
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
