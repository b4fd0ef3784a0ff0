/** The roots that the operator allows. They are opened with the first call that needs them, so that a missing folder never keeps
 *  the server from starting: each call then says what to set. */
import path from 'node:path';
import type { RootChoice } from '../base/config.js';
import { ToolError } from '../base/errors.js';
import { Root, type RootOptions } from './root.js';

export class Roots {
  readonly #choices: readonly RootChoice[];
  readonly #options: RootOptions;
  readonly #opened = new Map<number, Promise<Root>>();

  constructor(choices: readonly RootChoice[], options: RootOptions) {
    this.#choices = choices;
    this.#options = options;
  }

  /** The root that a call means: by name or path, else the first.
   *  @throws ToolError root_missing, root_unknown */
  async find(wanted: string | undefined): Promise<Root> {
    if (wanted === undefined) return this.#open(0);
    const names: string[] = [];
    const called: Root[] = [];
    for (const [index, choice] of this.#choices.entries()) {
      const name = path.basename(choice.path ?? '');
      const isNamed = wanted === name || wanted === choice.path;
      // A root that cannot be opened is an error only of the calls that name it.
      const root = await this.#open(index).catch((error: unknown) => {
        if (isNamed || !(error instanceof ToolError)) throw error;
        return undefined;
      });
      if (root?.path === wanted) return root;
      if (root?.isCalled(wanted)) called.push(root);
      names.push(root?.name ?? name);
    }
    const [only, other] = called;
    if (only !== undefined && other === undefined) return only;
    if (only !== undefined) throw new ToolError('root_unknown', `"${wanted}" names ${called.length} roots; give the whole path of one.`);
    throw new ToolError('root_unknown', `"${wanted}" is not one of the roots: ${names.join(', ')}.`);
  }

  /** Which roots a call without `root` left out. */
  othersNote(chosen: Root): string[] {
    const names = this.#choices.map((choice) => path.basename(choice.path ?? '')).slice(1);
    return names.length === 0 ? [] : [`only the root ${chosen.name} was searched; root takes also ${names.join(', ')}`];
  }

  #open(index: number): Promise<Root> {
    const choice = this.#choices[index];
    if (choice?.path === undefined) return Promise.reject(new ToolError('root_missing', choice?.problem ?? 'No root is set.'));
    const known = this.#opened.get(index);
    if (known !== undefined) return known;
    const opening = Root.open(choice.path, this.#options);
    this.#opened.set(index, opening);
    // A folder that is made later is found by a later call.
    opening.catch(() => this.#opened.delete(index));
    return opening;
  }
}
