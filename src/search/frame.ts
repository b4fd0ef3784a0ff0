/** What one search stands on: which files, under which rules. Where a root's .gitignore hides every file, the search is made once
 *  more without it. */
import type { Deadline } from '../base/deadline.js';
import type { Selection } from '../ripgrep/accept.js';
import type { RulesPass } from '../ripgrep/args.js';
import type { Part } from '../ripgrep/part.js';
import type { SearchEnd } from '../ripgrep/process.js';
import type { SearchContext, SearchParts } from './context.js';
import { type Attempt, type Coverage, cover, type Resume } from './cover.js';
import { type RulesKnown, rulesAfter } from './cursor.js';
import type { KnownTree } from './known-trees.js';
import { ASIDE, hidingNote, searchedBy } from './notes.js';
import type { Resumed } from './resume.js';
import { type FileChoice, findHidingRule, findHidingRuleFirst, type Pass, passesOf, readRootRules, select } from './selection.js';

export interface Frame {
  readonly parts: SearchParts;
  readonly context: SearchContext;
  readonly selection: Selection;
  readonly passes: readonly Pass[];
  /** What is known of all that the search is about. */
  readonly tree: KnownTree;
  /** The same over a part of the tree, or all of it, until an earlier deadline. */
  within(part: Part | undefined, deadline: Deadline): Frame;
  /** Facts about the call and the rules, for the reply. */
  readonly notes: readonly string[];
}

/** Covers what a search is about, as far as time allows. */
export function coverFrame<One extends Attempt>(
  frame: Frame,
  from: Resume | undefined,
  run: (frame: Frame) => Promise<One>,
): Promise<Coverage<One['ends'][number]>> {
  const { context, parts, selection, tree } = frame;
  const { scope, isScopeFile } = selection;
  const request = {
    root: context.root,
    scope,
    isScopeFile,
    deadline: context.deadline,
    limits: parts.limits,
    from,
    tree,
    kind: 'search' as const,
  };
  return cover(request, (part, deadline) => run(frame.within(part, deadline)));
}

/** Runs a search, and again without .gitignore where that hides everything.
 *  @param run     gets where an earlier call left off
 *  @param seen    what a run has found, and how its processes ended; from what was cut short nothing is concluded;
 *                 `asCut` is the same when it is not known whether everything was hidden
 *  @param resumed what the cursor of an earlier call holds
 *  @throws ToolError for a bad scope, glob or cursor */
export async function inFrame<T>(
  choice: FileChoice,
  parts: SearchParts,
  context: SearchContext,
  run: (frame: Frame, from: Resumed | undefined) => Promise<T>,
  seen: (found: T) => { readonly isEmpty: boolean; readonly ends: readonly SearchEnd[]; readonly isCut?: boolean; asCut?(): T },
  resumed: (selection: Selection) => Resumed | undefined = () => undefined,
): Promise<{ frame: Frame; found: T; from: Resumed | undefined; rules: RulesKnown }> {
  const { root } = context;
  const [selection, rules] = await Promise.all([select(choice, parts.ripgrep, context), readRootRules(root, parts.scan, parts.limits)]);
  const notes = [...context.notes, ...rules.notes];
  const frameOf = (main: RulesPass, more: readonly string[]): Frame => {
    const tree = parts.trees.of(root, selection, main);
    const frame: Frame = {
      parts,
      context,
      selection,
      passes: passesOf(selection, rules, root, { isSorted: false, main }),
      tree,
      within: (part, deadline) => ({
        ...frame,
        context: { ...context, deadline },
        passes: passesOf(selection, rules, root, { isSorted: false, main, part }),
      }),
      notes: [...notes, ...more],
    };
    return frame;
  };
  const withoutGitignore = async (note: string, from: Resumed | undefined) => {
    const frame = frameOf('without-gitignore', [note]);
    return { frame, found: await run(frame, from), from, rules: 'a' as const };
  };
  const from = resumed(selection);
  if (from?.rules === 'a') return withoutGitignore(ASIDE, from);
  // Nothing was searched yet: if everything was hidden, the search begins anew.
  const hidden = from?.rules === 'u' ? await findHidingRuleFirst(rules, parts.ripgrep, context) : undefined;
  if (hidden !== undefined) return withoutGitignore(hidingNote(hidden), undefined);
  const frame = frameOf('all', []);
  const found = await run(frame, from);
  const outcome = seen(found);
  const { isEmpty, ends, isCut } = outcome;
  const searched = searchedBy(ends);
  if (from?.rules === 'h') return { frame, found, from, rules: 'h' };
  if (isCut === true) return { frame, found, from, rules: rulesAfter(searched?.files ?? 0) };
  if (!isEmpty || searched === undefined || searched.files > 1) return { frame, found, from, rules: 'h' };
  const hiding = await findHidingRule(rules, parts.ripgrep, context);
  if (hiding === 'unknown') return { frame, found: outcome.asCut?.() ?? found, from, rules: 'u' };
  return hiding === undefined ? { frame, found, from, rules: 'h' } : withoutGitignore(hidingNote(hiding), undefined);
}
