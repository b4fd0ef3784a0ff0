/** Who calls a name, and what a function calls: ripgrep finds the files, their syntax trees say which lines are calls, and of whom. */
import type { LanguageName } from '../code/language.js';
import type { Call, Definition, SourceStructure } from '../code/structure.js';
import { escapeRegex } from '../ranking/terms.js';
import type { SearchEnd } from '../ripgrep/process.js';
import type { SymbolDefinition } from './definitions.js';
import type { Frame } from './frame.js';
import { folderOf } from './imports.js';
import { comparePaths } from './order.js';
import { ParseBudget } from './sources.js';
import { useRank } from './symbol-pass.js';
import { GRADES, type SymbolHit, scanSymbols } from './symbol-scan.js';

export interface CallSite {
  readonly path: string;
  readonly line: number;
  /** The name that is called. */
  readonly name: string;
  /** The innermost function or class that holds the call; undefined at the top of a file, and where the file was not parsed. */
  readonly caller: Definition | undefined;
  readonly isTest: boolean;
  /** A syntax tree says that it is a call; else only the look of its line. */
  readonly isParsed: boolean;
}

export interface FoundCalls {
  /** Code before tests, by path and line. */
  readonly sites: readonly CallSite[];
  /** Lines of code that hold a name without calling it: handed over as a value, exported, named in a table. */
  readonly values: readonly SymbolHit[];
  /** Calls of something else that has the same name, by their receiver. */
  readonly others: number;
  /** Files with calls that were not parsed, since there were too many. */
  readonly unparsed: number;
  /** Hits beyond what is kept. */
  readonly cut: number;
  readonly ends: readonly SearchEnd[];
}

const MOST_HITS = 20_000;
const IMPORT_LINE =
  /^\s*(?:import\b|from\b|export\s+(?:\*|\{)|use\b|pub\s+use\b|#\s*include\b|require|const\s*\{[^}]*\}\s*=\s*require|using\b|EXPORT_SYMBOL)/;

/** Every call of some names.
 *  @param targets what is meant by each name; calls that cannot mean it are counted apart. Without one every call counts. */
export async function findCalls(
  names: readonly string[],
  targets: ReadonlyMap<string, SymbolDefinition>,
  frame: Frame,
): Promise<FoundCalls> {
  const files = new Map<string, SymbolHit[]>();
  let kept = 0;
  let cut = 0;
  const ends = await scanSymbols(names, false, frame, {
    file: () => {},
    hit: (hit) => {
      // What looks like a string may be a call in a template.
      const isCode =
        hit.role === 'code' ? useRank(hit) !== 2 : hit.role === 'string' && hit.isCall && useRank({ ...hit, role: 'code' }) !== 2;
      if (!isCode) return;
      if (kept >= MOST_HITS) {
        cut++;
        return;
      }
      kept++;
      const known = files.get(hit.path);
      if (known === undefined) files.set(hit.path, [hit]);
      else known.push(hit);
    },
  });
  const order = [...files].sort(([a, [first]], [b, [second]]) => rankOf(first) - rankOf(second) || comparePaths(a, b));
  const budget = new ParseBudget({ confirmFiles: frame.parts.limits.exploreFiles, confirmChars: frame.parts.limits.exploreChars });
  const wanted = new Set(names);
  const sites: CallSite[] = [];
  const values: SymbolHit[] = [];
  let others = 0;
  let unparsed = 0;
  for (const [path, hits] of order) {
    if (!hits.some((hit) => hit.mayCall && !isOwnLine(hit, targets))) {
      values.push(...hits.filter((hit) => isValue(hit, targets)));
      continue;
    }
    const isOver = budget.isSpent || frame.context.deadline.isOver;
    const source = isOver ? undefined : await frame.parts.sources.read(path, frame.context, { calls: true, imports: true });
    if (source === undefined) {
      unparsed++;
      sites.push(
        ...hits.filter(({ isCall, grade, role }) => isCall && role === 'code' && GRADES[grade] < 1).map((hit) => unparsedSite(hit)),
      );
      continue;
    }
    budget.take(source);
    const { structure } = source;
    const lines = new Set<string>();
    const aliases = aliasesOf(structure, wanted);
    for (const call of structure.calls) {
      const name = wanted.has(call.name) ? call.name : call.receiver === '' ? aliases.get(call.name) : undefined;
      if (name === undefined) continue;
      lines.add(`${call.line} ${name}`);
      const target = targets.get(name);
      if (!mayMean(call, target, structure, path) || isShadowed(call, target, structure, path, hits)) others++;
      else
        sites.push({
          path,
          line: call.line,
          name,
          caller: callerOf(call, structure),
          isTest: hits[0]?.class === 'test',
          isParsed: true,
        });
    }
    const defined = new Set(structure.definitions.map(({ nameLine, name }) => `${nameLine} ${name}`));
    values.push(
      ...hits.filter((hit) => !lines.has(`${hit.line} ${hit.name}`) && !defined.has(`${hit.line} ${hit.name}`) && isValue(hit, targets)),
    );
  }
  return { sites, values, others, unparsed, cut, ends };
}

const rankOf = (hit: SymbolHit | undefined): number => (hit?.class === 'test' ? 1 : 0);

const unparsedSite = (hit: SymbolHit): CallSite => ({
  path: hit.path,
  line: hit.line,
  name: hit.name,
  caller: undefined,
  isTest: hit.class === 'test',
  isParsed: false,
});

/** What the imports of a file call the wanted names: `import { name as alias }`. */
function aliasesOf({ imports }: SourceStructure, wanted: ReadonlySet<string>): Map<string, string> {
  const aliases = new Map<string, string>();
  for (const { names } of imports)
    for (const { name, alias } of names) if (alias !== undefined && wanted.has(name)) aliases.set(alias, name);
  return aliases;
}

function isOwnLine(hit: SymbolHit, targets: ReadonlyMap<string, SymbolDefinition>): boolean {
  const target = targets.get(hit.name);
  return target !== undefined && target.path === hit.path && target.nameLine === hit.line;
}

/** A use that is neither a definition nor an import. */
function isValue(hit: SymbolHit, targets: ReadonlyMap<string, SymbolDefinition>): boolean {
  if (hit.role !== 'code' || isOwnLine(hit, targets)) return false;
  return GRADES[hit.grade] < GRADES.declaration && !IMPORT_LINE.test(hit.text);
}

/** The definition around a call that a reader would name: functions and classes, not the variable that holds a value. */
function callerOf(call: Call, structure: SourceStructure): Definition | undefined {
  return structure.enclosing(call.line) ?? (call.within >= 0 ? structure.definitions[call.within] : undefined);
}

/** Languages in which a method is called without its object inside its own class. */
export const IMPLICIT_SELF: ReadonlySet<LanguageName | undefined> = new Set<LanguageName | undefined>([
  'java',
  'csharp',
  'cpp',
  'c',
  'ruby',
  undefined,
]);

/** Methods of what the language itself brings. */
export const BUILT_IN: ReadonlySet<string> = new Set(
  [
    Object,
    Function,
    Array,
    String,
    Number,
    Map,
    Set,
    WeakMap,
    Promise,
    RegExp,
    Date,
    Error,
    Symbol,
    iteratorPrototype(),
    JSON,
    Math,
    Reflect,
  ].flatMap((one) => [...Object.getOwnPropertyNames(one), ...Object.getOwnPropertyNames('prototype' in one ? (one.prototype ?? {}) : {})]),
);

/** The prototype of generators, which has no name of its own. */
function iteratorPrototype(): object {
  return Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())) as object;
}

/** Whether an object is named like the class whose method it is: `mutationCache.has` of MutationCache. */
function isNamedLike(receiver: string, container: string): boolean {
  const [object, owner] = [receiver, container].map((text) => (text.split('.').at(-1) ?? '').replace(/\W|_/g, '').toLowerCase());
  if (/^(?:this|super)$/.test(receiver)) return true;
  return object !== undefined && owner !== undefined && object !== '' && owner !== '' && (object.includes(owner) || owner.includes(object));
}

/** Whether a call can mean a definition, as far as what stands in front of its name tells. */
function mayMean(call: Call, target: SymbolDefinition | undefined, structure: SourceStructure, path: string): boolean {
  if (target === undefined || call.receiver === '...') return true;
  const isBare = call.receiver === '';
  // A bare name never means a method where methods are called on something.
  if (target.kind === 'method') {
    // `x.add()` may be any Set; only its name speaks for a class of the sources.
    if (!isBare && SCRIPTS.has(structure.language) && BUILT_IN.has(target.name)) return isNamedLike(call.receiver, target.container);
    return !isBare || IMPLICIT_SELF.has(structure.language);
  }
  if (target.container !== '' && target.kind !== 'function')
    return !isBare || IMPLICIT_SELF.has(structure.language) || path === target.path;
  if (isBare || !FREE_KINDS.has(target.kind)) return true;
  return isModule(call.receiver, target, structure);
}

const FREE_KINDS: ReadonlySet<string> = new Set(['function', 'constant', 'variable', 'class']);
const SCRIPTS: ReadonlySet<LanguageName | undefined> = new Set<LanguageName | undefined>(['typescript', 'tsx', 'javascript']);

/** Whether a bare name in another file is a parameter or variable there: no import brings it, and a line binds it. */
function isShadowed(
  call: Call,
  target: SymbolDefinition | undefined,
  { language, imports }: SourceStructure,
  path: string,
  hits: readonly SymbolHit[],
): boolean {
  if (target === undefined || target.path === path || call.receiver !== '' || !SCRIPTS.has(language)) return false;
  if (imports.some(({ names }) => names.some(({ name, alias }) => (alias ?? name) === call.name))) return false;
  const bound = new RegExp(`(?:\\b(?:const|let|var|function)\\s+|[({,\\[]\\s*)${escapeRegex(call.name)}\\s*(?:[?:,)=}]|$)`);
  return hits.some(({ name, text }) => name === call.name && bound.test(text));
}

/** Whether a receiver is a module, package or namespace that may hold the target, not an object. */
function isModule(receiver: string, target: SymbolDefinition, structure: SourceStructure): boolean {
  const parts = receiver.split(/\.|::|->|\\/).filter((part) => part !== '');
  const [first = ''] = parts;
  const last = parts.at(-1) ?? '';
  const { language, imports } = structure;
  if (language === 'c') return false;
  const places = target.path.split('/').map((part) => part.replace(/\.\w+$/, ''));
  if (target.container !== '' && target.container.split('.').includes(last)) return true;
  if (/^(?:exports|module|self|crate|super|Self|this)$/.test(first)) return parts.length > 1 || !/^(?:self|this)$/.test(first);
  if (language === 'go' || language === 'rust')
    return places.includes(last) || imports.some(({ names }) => names.some(({ alias, name }) => (alias ?? name) === first));
  return imports.some(
    ({ names, module }) =>
      (names.some(({ name, alias }) => (alias ?? name) === first && (name === '*' || name === 'default' || name === first)) ||
        (names.length === 0 &&
          module
            .split(/[./]/)
            .filter((part) => part !== '')
            .at(-1) === last)) &&
      mayHold(module, target),
  );
}

/** Whether an import names the file of a target, or its folder. */
function mayHold(module: string, target: SymbolDefinition): boolean {
  const last =
    module
      .replace(/\.[mc]?[jt]sx?$/, '')
      .split(/[./\\]|::/)
      .filter((part) => part !== '')
      .at(-1) ?? '';
  const stem = (target.path.split('/').at(-1) ?? '').replace(/(?:\.d)?\.\w+$/, '');
  const folder = folderOf(target.path).split('/').at(-1) ?? '';
  return last === '' || last === stem || last === folder || /^(?:index|mod|lib|__init__)$/.test(last);
}
