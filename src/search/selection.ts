/** From what a caller wrote (scope, globs, exclude, ignored) and what the root says (.gitignore, .csignore, built-in rules) to
 *  the walk that ripgrep makes. */
import { plural } from '../base/display.js';
import { ToolError } from '../base/errors.js';
import type { Limits } from '../base/limits.js';
import { Acceptor, type RootRules, type Selection } from '../ripgrep/accept.js';
import type { RulesPass, Walk } from '../ripgrep/args.js';
import { BUILTIN, BUILTIN_WITHOUT_GITIGNORE } from '../ripgrep/builtin.js';
import { type Glob, parseGlob, parseIgnore, RuleSet } from '../ripgrep/glob.js';
import { inPart, type Part } from '../ripgrep/part.js';
import type { Ripgrep, RunContext } from '../ripgrep/process.js';
import type { Root } from '../security/root.js';
import { readSmallFile, rootHas } from '../security/tree.js';

/** The part of a call that says which files. */
export interface FileChoice {
  readonly scope?: string;
  readonly globs?: readonly string[];
  readonly exclude?: readonly string[];
  readonly ignored?: boolean;
}

/** The part of the configuration that says which files. */
export interface ScanOptions {
  readonly respectGitignore: boolean;
  readonly excludeDirs: readonly string[];
}

/** @throws ToolError for a bad scope or glob */
export async function select(choice: FileChoice, ripgrep: Ripgrep, context: RunContext): Promise<Selection> {
  const scope = choice.scope === undefined ? undefined : await context.root.resolve(choice.scope);
  if (scope !== undefined && /[\n\r]/.test(scope.relative)) throw new ToolError('path_invalid', 'A scope cannot contain a line break.');
  const globs = (choice.globs ?? []).filter((glob) => !glob.startsWith('!')).map(parseGlob);
  const negated = (choice.globs ?? []).filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1));
  const excluded = [...negated, ...(choice.exclude ?? []).map((glob) => glob.replace(/^!/, ''))].map(parseGlob);
  await ripgrep.checkGlobs([...globs, ...excluded].filter(needsCheck), context);
  return {
    scope: scope?.relative ?? '',
    isScopeFile: scope?.kind === 'file',
    globs,
    excluded,
    ignored: choice.ignored ?? false,
  };
}

/** Only brackets, braces and backslashes can make a glob that ripgrep cannot parse. */
const needsCheck = (glob: Glob): boolean => /[[\]{}\\]/.test(glob.text);

export async function readRootRules(root: Root, scan: ScanOptions, limits: Limits): Promise<RootRules> {
  const [isGit, hasGitignore, csignore] = await Promise.all([
    rootHas(root, '.git'),
    rootHas(root, '.gitignore'),
    readSmallFile(root, '.csignore', limits.csignoreBytes),
  ]);
  const builtin = [
    ...BUILTIN,
    ...(hasGitignore ? [] : BUILTIN_WITHOUT_GITIGNORE),
    ...scan.excludeDirs.map((name) => `${name.replace(/\/+$/, '')}/`),
  ];
  const text = csignore.kind === 'text' ? csignore.text : undefined;
  const skipped: number[] = [];
  const own = parseIgnore(text ?? '', (line) => skipped.push(line));
  return {
    isGit,
    usesGitignore: scan.respectGitignore,
    builtin,
    rules: new RuleSet([...parseIgnore(builtin.join('\n')), ...own]),
    csignore: text,
    notes: [
      ...(csignore.kind === 'unusable' ? [`.csignore was not used: it ${csignore.why}`] : []),
      ...(skipped.length > 0
        ? [`${plural(skipped.length, 'line')} of .csignore not used, the first is line ${skipped[0]}: too many alternatives or rules`]
        : []),
    ],
  };
}

/** One ripgrep run of a search and which of its files count. */
export interface Pass {
  readonly walk: Walk;
  accepts(path: string): boolean;
}

/** The runs that together cover a selection, each file in exactly one: the repository's rules as they are, and, where .csignore
 *  includes something again, a run without rules over that alone.
 *  @param options.part only this part of the tree */
export function passesOf(
  selection: Selection,
  rules: RootRules,
  root: Root,
  { isSorted, main: pass, part }: { isSorted: boolean; main: RulesPass; part?: Part | undefined },
): Pass[] {
  const acceptor = new Acceptor(selection, rules, (path) => root.mayShow(path));
  const isInPart = part === undefined ? () => true : inPart(part);
  const accepts = (path: string): boolean => isInPart(path) && acceptor.accepts(path);
  const base = { rules, allowsSecrets: root.allowsSecrets, isSorted, part };
  const main: Pass = { walk: { ...base, selection, pass }, accepts };
  if (!acceptor.hasReincluded) return [main];
  const once: Pass = { ...main, accepts: (path) => accepts(path) && !acceptor.isReincluded(path) };
  const globs = rules.rules.rules.filter((rule) => rule.isNegated).map((rule) => ({ ...rule }));
  const again: Pass = {
    walk: { ...base, selection: { ...selection, globs }, pass: 'none' },
    accepts: (path) => accepts(path) && acceptor.isReincluded(path),
  };
  return [once, again];
}

/** All files of a root that its rules let through. */
export const EVERYTHING: Selection = { scope: '', isScopeFile: false, globs: [], excluded: [], ignored: false };

export interface HidingRule {
  readonly rule: string;
  readonly from: string;
}

/** Where the root's .gitignore hides every file there is, the rule that does it; the search then sets .gitignore aside.
 *  Asked only after a search that found no file to search.
 *  @returns 'unknown' where time was over before that was found out */
export async function findHidingRule(rules: RootRules, ripgrep: Ripgrep, context: RunContext): Promise<HidingRule | 'unknown' | undefined> {
  if (!rules.usesGitignore) return undefined;
  let isCut = false;
  const first = async (main: RulesPass): Promise<string | undefined> => {
    let found: string | undefined;
    for (const pass of passesOf(EVERYTHING, rules, context.root, { isSorted: false, main })) {
      const end = await ripgrep.list(pass.walk, context, (path) => {
        if (pass.accepts(path) && !isControlFile(path)) found ??= path;
        return found === undefined;
      });
      isCut ||= end.reason === 'deadline' && found === undefined;
      if (found !== undefined) break;
    }
    return found;
  };
  if ((await first('all')) !== undefined) return undefined;
  const hidden = isCut ? undefined : await first('without-gitignore');
  if (isCut) return 'unknown';
  if (hidden === undefined) return undefined;
  const walk: Walk = { rules, allowsSecrets: context.root.allowsSecrets, isSorted: false, selection: EVERYTHING, pass: 'all' };
  const [why] = await ripgrep.whyIgnored(walk, [hidden], context);
  if (why === undefined && context.deadline.isOver) return 'unknown';
  // Without a rule by name the tree has changed between the runs.
  return why;
}

const HIDING_SHARE = 0.3;

/** The same for a search that goes on and has searched nothing yet. It takes a moment where there is anything to be found; the search
 *  needs the rest of its time. */
export async function findHidingRuleFirst(rules: RootRules, ripgrep: Ripgrep, context: RunContext): Promise<HidingRule | undefined> {
  const deadline = context.deadline.within(context.deadline.limitMs * HIDING_SHARE);
  const hiding = await findHidingRule(rules, ripgrep, { ...context, deadline });
  return hiding === 'unknown' ? undefined : hiding;
}

/** The rule files themselves are no content: a root of which only they are left counts as empty. */
const isControlFile = (path: string): boolean => path === '.gitignore' || path === '.csignore' || path === '.ignore';
