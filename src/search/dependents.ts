/** Which files import a file: ripgrep finds its name, each import that fits is resolved and must lead back to it. */
import { hostsScripts } from '../code/embedded.js';
import { languageOf } from '../code/language.js';
import { escapeRegex } from '../ranking/terms.js';
import type { SearchEnd } from '../ripgrep/process.js';
import type { Frame } from './frame.js';
import { folderOf, ImportResolver } from './imports.js';
import { comparePaths } from './order.js';
import { ParseBudget } from './sources.js';
import { scanSymbols } from './symbol-scan.js';

export interface ImportEdge {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface Dependents {
  readonly edges: readonly ImportEdge[];
  /** The name fits, but what is meant could not be found. */
  readonly unresolved: readonly ImportEdge[];
  readonly unparsed: number;
  readonly ends: readonly SearchEnd[];
}

/** Files that stand for their folder, which is what others name. */
const FOLDER_FILE = /^(?:index\.\w+|mod\.rs|lib\.rs|main\.rs|__init__\.pyi?)$/;

export async function findDependents(path: string, frame: Frame): Promise<Dependents> {
  const base = path.slice(path.lastIndexOf('/') + 1);
  const folder = folderOf(path);
  const folderName = folder.slice(folder.lastIndexOf('/') + 1);
  const isGo = languageOf(path) === 'go';
  const stem = base.replace(/(?:\.d)?\.[^.]+$/, '');
  // A header is named with its ending; a Go file by its package, which is a folder.
  const names = [...new Set(isGo || FOLDER_FILE.test(base) ? [folderName, ...(isGo ? [] : [stem])] : [stem])].filter((name) => name !== '');
  const files = new Set<string>();
  const ends =
    names.length === 0
      ? []
      : await scanSymbols(names, false, frame, { file: () => {}, hit: (hit) => void (hit.role === 'comment' ? 0 : files.add(hit.path)) });
  const resolver = new ImportResolver(frame.context.root);
  const { exploreFiles, exploreChars } = frame.parts.limits;
  const budget = new ParseBudget({ confirmFiles: exploreFiles, confirmChars: exploreChars });
  const target = isGo ? folder : path;
  const edges: ImportEdge[] = [];
  const unresolved: ImportEdge[] = [];
  let unparsed = 0;
  for (const file of [...files].sort(comparePaths)) {
    if (file === path || (languageOf(file) === undefined && !hostsScripts(file))) continue;
    const source =
      budget.isSpent || frame.context.deadline.isOver ? undefined : await frame.parts.sources.read(file, frame.context, { imports: true });
    if (source === undefined) {
      unparsed++;
      continue;
    }
    budget.take(source);
    const told = new Set<number>();
    for (const one of source.structure.imports) {
      if (told.has(one.line) || !names.some((name) => mentions(one.module, name) || one.names.some((each) => each.name === name))) continue;
      const { language } = source.structure;
      const resolved = await resolver.resolve(file, language, one);
      // Each name of `from package import a, b` may be a module of its own.
      const modules = language === 'python' && one.names.length > 1 ? one.names.map((each) => ({ ...one, names: [each] })) : [];
      const meant = await Promise.all(modules.map((each) => resolver.resolve(file, language, each)));
      const text = (source.lines[one.line - 1] ?? '').trim();
      if ([resolved, ...meant].some(({ path }) => path === target)) edges.push({ path: file, line: one.line, text });
      else if (resolved.path === undefined && (one.isRelative || IS_ALIAS.test(one.module)))
        unresolved.push({ path: file, line: one.line, text });
      else continue;
      told.add(one.line);
    }
  }
  return { edges, unresolved, unparsed, ends };
}

/** `@/lib/money`, `~/x`, `#/x`: what the settings of a build map to a folder. */
const IS_ALIAS = /^[@~#]?\//;

/** Whether a name stands in a module as whole parts of it; one may have dots of its own: `./user.service`. */
const mentions = (module: string, name: string): boolean => new RegExp(`(?<![^/\\\\.:])${escapeRegex(name)}(?![^/\\\\.:])`).test(module);
