/** How many files lie in and below each folder, as a listing comes by them: what tells in advance how long a part will take. */

import type { Sizes } from './pace.js';

/** Folders with fewer files are not remembered. */
const LEAST_FILES = 50;
/** What is assumed of a folder that is not remembered. */
const FEW_FILES = LEAST_FILES / 4;
const MOST_FOLDERS = 20_000;

export class FolderCounter {
  readonly #files = new Map<string, number>();
  /** Files come folder by folder, nearly always. */
  #folder = '';
  #count = 0;

  add(path: string): void {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    if (folder !== this.#folder) this.#flush();
    this.#folder = folder;
    this.#count++;
  }

  sizes(): FolderSizes {
    this.#flush();
    const sums = new Map<string, number>();
    for (const [folder, files] of this.#files)
      for (let above = folder; ; above = above.slice(0, Math.max(0, above.lastIndexOf('/')))) {
        sums.set(above, (sums.get(above) ?? 0) + files);
        if (above === '') break;
      }
    const largest = [...sums].filter(([, files]) => files >= LEAST_FILES).sort(([, a], [, b]) => b - a);
    return new FolderSizes(new Map(largest.slice(0, MOST_FOLDERS)), sums.get('') ?? 0);
  }

  #flush(): void {
    if (this.#count > 0) this.#files.set(this.#folder, (this.#files.get(this.#folder) ?? 0) + this.#count);
    this.#count = 0;
  }
}

export class FolderSizes implements Sizes {
  readonly #files: ReadonlyMap<string, number>;

  /** All files. */
  readonly total: number;

  constructor(files: ReadonlyMap<string, number>, total: number) {
    this.#files = files;
    this.total = total;
  }

  of(folder: string): number {
    return this.#files.get(folder) ?? FEW_FILES;
  }
}
