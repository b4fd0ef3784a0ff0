/** Arguments of one ripgrep run. Pure. Every run starts at the root (cwd = root, path `./`), since several path arguments, or
 *  a scope given as a path, make ripgrep apply ignore rules wrongly. Positive globs and the scope are a rule file (a positive
 *  `-g` would override every ignore rule); what must not be found is a negative `-g`, which no repository can undo. */
import { OWN_GLOBS, SECRET_GLOBS } from '../security/secrets.js';
import type { RootRules, Selection } from './accept.js';
import { escapeFolder, escapePath } from './glob.js';
import { type Part, partGlobs, partRules } from './part.js';

/** Which ignore rules of the repository a run respects. */
export type RulesPass =
  /** all of them */
  | 'all'
  /** all but .gitignore, for a root whose .gitignore hides every file */
  | 'without-gitignore'
  /** none, for `ignored: true` and for what .csignore includes again */
  | 'none';

export interface Walk {
  readonly selection: Selection;
  readonly rules: RootRules;
  readonly pass: RulesPass;
  readonly allowsSecrets: boolean;
  /** Files come in path order, single-threaded; otherwise in any order, by all cores. */
  readonly isSorted: boolean;
  /** Only this part of the tree. */
  readonly part?: Part | undefined;
}

/** Rule files as written to disk. */
export interface RuleFiles {
  readonly prune?: string;
  readonly csignore?: string;
}

export interface TextQuery {
  readonly pattern: string;
  readonly isLiteral: boolean;
  readonly ignoreCase: boolean;
  readonly word: boolean;
  readonly multiline: boolean;
  /** Search binary files as text. */
  readonly binary: boolean;
  readonly encoding: string | undefined;
  /** Lines before and after each match. */
  readonly context: number;
  /** Stop in each file after its first match. */
  readonly isFirstOnly: boolean;
}

/** The rule file that keeps ripgrep out of what the search is not about; undefined when it is about everything.
 *  @param skip paths whose whole content earlier pages covered */
export function pruneRules({ selection, part }: Pick<Walk, 'selection' | 'part'>, skip: readonly string[] = []): string | undefined {
  const lines: string[] = [];
  if (selection.globs.length > 0) {
    lines.push('*', '!*/');
    // ripgrep's `?` is one byte: a star lets more in, and what is too much is sorted out afterwards.
    for (const glob of selection.globs) for (const pattern of glob.patterns) lines.push(`!/${pattern.replace(/(?<!\\)\?/g, '*')}`);
  }
  if (selection.scope !== '') {
    let above = '/';
    const parts = selection.scope.split('/');
    for (const [depth, part] of parts.entries()) {
      const isFile = depth === parts.length - 1 && selection.isScopeFile;
      lines.push(`${above}*`, isFile ? `!${above}${escapePath(part)}` : `!${above}${escapeFolder(part)}/`);
      above += `${escapePath(part)}/`;
    }
  }
  if (part !== undefined) lines.push(...partRules(part));
  for (const path of skip) lines.push(`/${escapePath(path)}`);
  return lines.length === 0 ? undefined : `${lines.join('\n')}\n`;
}

function walkArgs(walk: Walk, files: RuleFiles): string[] {
  const { selection, rules } = walk;
  const args = ['--no-config', '--hidden', '--no-ignore-global', '--no-ignore-parent'];
  if (!rules.isGit) args.push('--no-require-git');
  if (walk.pass === 'none' || selection.ignored) args.push('--no-ignore');
  else if (walk.pass === 'without-gitignore' || !rules.usesGitignore) args.push('--no-ignore-vcs');
  args.push('--iglob', '!.git');
  for (const glob of OWN_GLOBS) args.push('-g', `!${glob}`);
  if (!walk.allowsSecrets) for (const glob of SECRET_GLOBS) args.push('--iglob', `!${glob}`);
  for (const glob of selection.excluded) for (const pattern of glob.patterns) args.push('-g', `!/${pattern}`);
  // What .csignore includes again is looked for in a pass of its own, so that here the built-in rules may be final.
  if (walk.pass !== 'none' && !selection.ignored) for (const rule of rules.builtin) args.push('-g', `!${rule}`);
  if (walk.part !== undefined) for (const glob of partGlobs(walk.part)) args.push('-g', glob);
  if (files.prune !== undefined) args.push('--ignore-file', files.prune);
  if (files.csignore !== undefined) args.push('--ignore-file', files.csignore);
  if (walk.isSorted) args.push('--sort', 'path');
  return args;
}

/** A search that reports JSON events. */
export function searchArgs(walk: Walk, query: TextQuery, files: RuleFiles): string[] {
  return ['--json', ...walkArgs(walk, files), ...queryArgs(query), '--', './'];
}

/** A search that reports how many lines match in each file that has any: path, NUL, count. */
export function countArgs(walk: Walk, query: TextQuery, files: RuleFiles): string[] {
  return ['--count', '--null', '--with-filename', ...walkArgs(walk, files), ...queryArgs({ ...query, context: 0 }), '--', './'];
}

/** A listing of files, each ended by NUL. */
export function listArgs(walk: Walk, files: RuleFiles): string[] {
  return ['--files', '--null', ...walkArgs(walk, files), '--', './'];
}

/** What to look for, in which text. */
export function queryArgs(query: TextQuery): string[] {
  const args = ['--crlf'];
  if (query.isLiteral) args.push('-F');
  else args.push('--engine', 'auto');
  if (query.ignoreCase) args.push('-i');
  if (query.word) args.push('-w');
  if (query.multiline) args.push('-U');
  if (query.binary) args.push('-a');
  if (query.encoding !== undefined) args.push('--encoding', query.encoding);
  if (query.context > 0) args.push('-C', String(query.context));
  if (query.isFirstOnly) args.push('-m', '1');
  args.push('-e', query.pattern);
  return args;
}

/** Checks globs without searching anything: ripgrep says on stderr which one it cannot parse. */
export function globCheckArgs(patterns: readonly string[]): string[] {
  return ['--files', '--no-config', ...patterns.flatMap((pattern) => ['-g', `!/${pattern}`]), '--', './'];
}
