/** What one search stands on: which files, under which rules. Where a root's .gitignore hides every file, the search is made once
 *  more without it. */
import type { RulesPass } from '../ripgrep/args.js';
import type { SearchEnd } from '../ripgrep/process.js';
import type { SearchContext, SearchParts } from './context.js';
import { hidingNote, searchedBy } from './notes.js';
import { type FileChoice, findHidingRule, type Pass, passesOf, readRootRules, select } from './selection.js';

export interface Frame {
  readonly parts: SearchParts;
  readonly context: SearchContext;
  readonly passes: readonly Pass[];
  /** Facts about the call and the rules, for the reply. */
  readonly notes: readonly string[];
}

/** Runs a search, and again without .gitignore where that hides everything.
 *  @param seen what a run has found, and how its processes ended
 *  @throws ToolError for a bad scope or glob */
export async function inFrame<T>(
  choice: FileChoice,
  parts: SearchParts,
  context: SearchContext,
  run: (frame: Frame) => Promise<T>,
  seen: (found: T) => { readonly isEmpty: boolean; readonly ends: readonly SearchEnd[] },
): Promise<{ frame: Frame; found: T }> {
  const { root } = context;
  const [selection, rules] = await Promise.all([select(choice, parts.ripgrep, context), readRootRules(root, parts.scan, parts.limits)]);
  const notes = [...context.notes, ...rules.notes];
  const frameOf = (main: RulesPass, more: readonly string[]): Frame => ({
    parts,
    context,
    passes: passesOf(selection, rules, root, { isSorted: false, main }),
    notes: [...notes, ...more],
  });
  const frame = frameOf('all', []);
  const found = await run(frame);
  const { isEmpty, ends } = seen(found);
  const searched = searchedBy(ends);
  if (!isEmpty || searched === undefined || searched.files > 1) return { frame, found };
  const hiding = await findHidingRule(rules, parts.ripgrep, context);
  if (hiding === undefined) return { frame, found };
  const open = frameOf('without-gitignore', [hidingNote(hiding)]);
  return { frame: open, found: await run(open) };
}
