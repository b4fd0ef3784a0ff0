/** Counts the files of all folders of a root by listing them, for searches that have to be divided. */
import type { Deadline } from '../base/deadline.js';
import type { RootRules } from '../ripgrep/accept.js';
import type { RulesPass } from '../ripgrep/args.js';
import type { SearchContext, SearchParts } from './context.js';
import { FolderCounter, type FolderSizes } from './folder-sizes.js';
import type { KnownTree } from './known-trees.js';
import { EVERYTHING, passesOf } from './selection.js';

/** @returns what is known of a tree, or what a listing finds in a share of a call's time; undefined when that is not enough */
export function countFolders(
  tree: KnownTree,
  { rules, main, isIgnored }: { readonly rules: RootRules; readonly main: RulesPass; readonly isIgnored: boolean },
  { ripgrep }: SearchParts,
  context: SearchContext,
): (deadline: Deadline) => Promise<FolderSizes | undefined> {
  const list = async (deadline: Deadline): Promise<FolderSizes | undefined> => {
    const counter = new FolderCounter();
    for (const pass of passesOf({ ...EVERYTHING, ignored: isIgnored }, rules, context.root, { isSorted: false, main })) {
      const end = await ripgrep.list(pass.walk, { ...context, deadline }, (path) => {
        if (pass.accepts(path)) counter.add(path);
        return true;
      });
      if (end.reason !== 'end') return undefined;
    }
    return counter.sizes();
  };
  return (deadline) => tree.countFolders(list, deadline);
}
