/** What a test needs to let the real ripgrep walk a small tree: by our arguments alone, and by arguments and `accepts` together. */
import { after } from 'node:test';
import { Deadline } from '#dist/base/deadline.js';
import { defaultLimits } from '#dist/base/limits.js';
import type { Log } from '#dist/base/log.js';
import type { RulesPass, TextQuery } from '#dist/ripgrep/args.js';
import { Ripgrep, type RunContext } from '#dist/ripgrep/process.js';
import { type FileChoice, type Pass, passesOf, readRootRules, type ScanOptions, select } from '#dist/search/selection.js';
import { Children } from '#dist/security/child.js';
import { Root } from '#dist/security/root.js';
import { Scratch } from '#dist/security/scratch.js';
import type { Place } from '../security/place.js';

export const LIMITS = defaultLimits();
export const SCAN: ScanOptions = { respectGitignore: true, excludeDirs: [] };
export const QUIET: Log = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };

export const QUERY: TextQuery = {
  pattern: '^',
  isLiteral: false,
  ignoreCase: false,
  word: false,
  multiline: false,
  binary: false,
  encoding: undefined,
  context: 0,
  isFirstOnly: true,
};

export interface Options {
  readonly scan?: Partial<ScanOptions>;
  readonly main?: RulesPass;
  readonly allowSecrets?: boolean;
}

export class Rig {
  readonly children = new Children();
  readonly scratch: Scratch;
  readonly ripgrep: Ripgrep;

  constructor(place: Place, program?: string) {
    this.scratch = new Scratch(place.at('scratch'));
    this.ripgrep = new Ripgrep({ children: this.children, scratch: this.scratch, limits: LIMITS, program });
    after(() => this.scratch.close());
  }

  contextOf(root: Root, parts: Partial<RunContext> = {}): RunContext {
    return { root, signal: new AbortController().signal, deadline: new Deadline(60_000), log: QUIET, ...parts };
  }

  /** The runs that a choice of files leads to. */
  async passes(path: string, choice: FileChoice = {}, options: Options = {}): Promise<{ passes: Pass[]; context: RunContext }> {
    const root = await Root.open(path, { allowSecrets: options.allowSecrets ?? false });
    const context = this.contextOf(root);
    const [selection, rules] = await Promise.all([
      select(choice, this.ripgrep, context),
      readRootRules(root, { ...SCAN, ...options.scan }, LIMITS),
    ]);
    return { passes: passesOf(selection, rules, root, { isSorted: false, main: options.main ?? 'all' }), context };
  }

  /** The files of a choice, as list_files would show them. */
  async list(path: string, choice: FileChoice = {}, options: Options = {}): Promise<string[]> {
    const { passes, context } = await this.passes(path, choice, options);
    const found: string[] = [];
    for (const pass of passes) {
      await this.ripgrep.list(pass.walk, context, (file) => {
        if (pass.accepts(file)) found.push(file);
        return true;
      });
    }
    return found.sort();
  }

  /** What ripgrep itself gives for our arguments, before `accepts` is asked. */
  async listRaw(path: string, choice: FileChoice = {}, options: Options = {}): Promise<string[]> {
    const { passes, context } = await this.passes(path, choice, options);
    const found = new Set<string>();
    for (const pass of passes) await this.ripgrep.list(pass.walk, context, (file) => found.add(file) !== undefined);
    return [...found].sort();
  }

  /** The files of a choice in which a search finds a line. */
  async search(path: string, choice: FileChoice = {}, options: Options = {}): Promise<string[]> {
    const { passes, context } = await this.passes(path, choice, options);
    const found: string[] = [];
    for (const pass of passes) {
      await this.ripgrep.search(pass.walk, QUERY, context, {
        wantsLines: true,
        accept: (event) => {
          if (event.type === 'begin' && pass.accepts(event.path)) found.push(event.path);
          return true;
        },
      });
    }
    return found.sort();
  }
}
