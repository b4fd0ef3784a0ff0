/** About how many files lie in and below a folder, by a look at some of the folders in it. Ignore rules are not asked. */
import type { Root } from '../security/root.js';
import { type Glance, glance } from '../security/tree.js';
import type { Sizes } from './pace.js';

/** Folders that are looked into for one answer. Of the Linux sources' folders with 400 files and more, nine in ten are then told to
 *  between 0.4 and 1.2 times what they hold (with 8: 0.15 to 1.7). */
const MOST_LOOKS = 8;

export class FileEstimates implements Sizes {
  readonly #root: Root;
  readonly #known = new Map<string, Promise<number>>();
  readonly #glances = new Map<string, Promise<Glance>>();

  constructor(root: Root) {
    this.#root = root;
  }

  of(folder: string): Promise<number> {
    const known = this.#known.get(folder) ?? this.#estimate(folder, MOST_LOOKS);
    this.#known.set(folder, known);
    return known;
  }

  /** Some of the folders stand for all of them, evenly spaced: names that are alike often hold as much. */
  async #estimate(folder: string, looks: number): Promise<number> {
    const { files, folders } = await this.#glance(folder);
    const asked = Math.min(looks, folders.length);
    if (asked === 0) return files;
    const some = Array.from({ length: asked }, (_, i) => folders[Math.floor(((i + 0.5) * folders.length) / asked)] ?? '');
    const each = await Promise.all(some.map((name) => this.#estimate(`${folder}/${name}`, Math.floor(looks / asked) || 1)));
    return files + (each.reduce((sum, one) => sum + one, 0) * folders.length) / asked;
  }

  #glance(folder: string): Promise<Glance> {
    const known = this.#glances.get(folder) ?? glance(this.#root, folder);
    this.#glances.set(folder, known);
    return known;
  }
}
