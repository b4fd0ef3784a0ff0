/** Which files belong to a search. `whyNot` is the one truth, asked once per file in the consumer; the rules given to ripgrep
 *  (args.ts) only spare it work. Pure. Rules of .gitignore, .ignore and .rgignore are ripgrep's own business and not known here. */
import type { Glob, RuleSet } from './glob.js';

/** What the caller chose. */
export interface Selection {
  /** Relative to the root, links resolved; '' is the whole root. */
  readonly scope: string;
  readonly isScopeFile: boolean;
  /** Empty means every file. */
  readonly globs: readonly Glob[];
  readonly excluded: readonly Glob[];
  /** Include what ignore rules hide. */
  readonly ignored: boolean;
}

/** What the root and the operator say. */
export interface RootRules {
  /** Whether the root has a .git of its own. */
  readonly isGit: boolean;
  /** Whether .gitignore files count (config: scan.respectGitignore). */
  readonly usesGitignore: boolean;
  /** Built-in gitignore lines, scan.excludeDirs included. */
  readonly builtin: readonly string[];
  /** `builtin`, then .csignore, in order. */
  readonly rules: RuleSet;
  /** The text of .csignore, for ripgrep; undefined when there is none. */
  readonly csignore: string | undefined;
  /** Notes for the reply, about a .csignore that could not be used. */
  readonly notes: readonly string[];
}

export type Refusal =
  | { readonly by: 'scope' | 'globs' | 'secret' }
  | { readonly by: 'exclude' | 'builtin' | 'csignore'; readonly rule: string };

export class Acceptor {
  readonly #selection: Selection;
  readonly #rules: RootRules;
  readonly #mayShow: (path: string) => boolean;

  /** @param mayShow the root's answer about secrets and .git */
  constructor(selection: Selection, rules: RootRules, mayShow: (path: string) => boolean) {
    this.#selection = selection;
    this.#rules = rules;
    this.#mayShow = mayShow;
  }

  /** What keeps a file out, or undefined when it belongs to the search. */
  whyNot(path: string): Refusal | undefined {
    const { scope, isScopeFile, globs, excluded, ignored } = this.#selection;
    if (!this.#mayShow(path)) return { by: 'secret' };
    const isInScope = scope === '' || path === scope || (!isScopeFile && path.startsWith(`${scope}/`));
    if (!isInScope) return { by: 'scope' };
    if (globs.length > 0 && !globs.some((glob) => glob.matches(path))) return { by: 'globs' };
    const exclude = excluded.find((glob) => glob.matches(path));
    if (exclude !== undefined) return { by: 'exclude', rule: exclude.text };
    const rule = ignored ? undefined : this.#rules.rules.lastMatch(path);
    if (rule === undefined || rule.isNegated) return undefined;
    return { by: this.#rules.builtin.includes(rule.text) ? 'builtin' : 'csignore', rule: rule.text };
  }

  accepts(path: string): boolean {
    return this.whyNot(path) === undefined;
  }

  /** Whether .csignore includes the file again, also against .gitignore. */
  isReincluded(path: string): boolean {
    return !this.#selection.ignored && this.#rules.rules.lastMatch(path)?.isNegated === true;
  }

  /** Whether .csignore includes anything again, so that a second pass is needed. */
  get hasReincluded(): boolean {
    return !this.#selection.ignored && this.#rules.rules.rules.some((rule) => rule.isNegated);
  }
}
