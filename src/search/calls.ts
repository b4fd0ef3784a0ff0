/** Who calls a name, and what a function calls: ripgrep finds the files, their syntax trees say which lines are calls, and of whom. */

import { roleInLine } from '../code/definition-line.js';
import { type LanguageName, languageOf } from '../code/language.js';
import type { Call, Definition, Import, ImportedName, SourceStructure } from '../code/structure.js';
import { classOf } from '../ranking/path-class.js';
import { escapeRegex } from '../ranking/terms.js';
import type { SearchEnd } from '../ripgrep/process.js';
import type { SymbolDefinition } from './definitions.js';
import { findDependents } from './dependents.js';
import type { Frame } from './frame.js';
import { folderOf, ImportResolver } from './imports.js';
import { comparePaths } from './order.js';
import { ParseBudget, type Source } from './sources.js';
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
  /** Calls that may mean the name: nothing proves it, nothing speaks against it. */
  readonly possible: readonly CallSite[];
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
    hit: (found) => {
      const hit = asCode(found);
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
  const defaults = await findDefaults(targets, frame);
  for (const path of defaults.importers) if (!files.has(path)) files.set(path, []);
  ends.push(...defaults.ends);
  const order = [...files].sort(([a], [b]) => rankOf(a) - rankOf(b) || comparePaths(a, b));
  const budget = new ParseBudget({ confirmFiles: frame.parts.limits.exploreFiles, confirmChars: frame.parts.limits.exploreChars });
  const wanted = new Set(names);
  const sites: CallSite[] = [];
  const possible: CallSite[] = [];
  const values: SymbolHit[] = [];
  const spaces = new Spaces(frame);
  let others = 0;
  let unparsed = 0;
  for (const [path, hits] of order) {
    if (!defaults.importers.has(path) && !hits.some((hit) => hit.mayCall && !isOwnLine(hit, targets))) {
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
    for (const target of defaults.targets)
      for (const alias of defaults.importers.has(path) ? await spaces.defaultNames(target, structure, path) : [])
        if (!wanted.has(alias)) aliases.set(alias, target.name);
    for (const call of structure.calls) {
      const name = wanted.has(call.name) ? call.name : call.receiver === '' ? aliases.get(call.name) : undefined;
      if (name === undefined) continue;
      lines.add(`${call.line} ${name}`);
      const target = targets.get(name);
      const verdict = await judge(call, target, source, path, hits, spaces);
      if (verdict === 'other') others++;
      else
        (verdict === 'yes' ? sites : possible).push({
          path,
          line: call.line,
          name,
          caller: callerOf(call, structure),
          isTest: classOf(path) === 'test',
          isParsed: true,
        });
    }
    // What was read by lines alone, or not to its end, may call in lines that were not understood.
    if (structure.source === 'fallback' || structure.isCut) {
      const missed = hits.filter((hit) => hit.isCall && isValue(hit, targets) && !lines.has(`${hit.line} ${hit.name}`));
      possible.push(...missed.map((hit) => unparsedSite(hit)));
      for (const hit of missed) lines.add(`${hit.line} ${hit.name}`);
    }
    values.push(...aliasUses(path, source, aliases, lines));
    const defined = new Set(structure.definitions.map(({ nameLine, name }) => `${nameLine} ${name}`));
    values.push(
      ...hits.filter((hit) => !lines.has(`${hit.line} ${hit.name}`) && !defined.has(`${hit.line} ${hit.name}`) && isValue(hit, targets)),
    );
  }
  return { sites, possible, values, others, unparsed, cut, ends };
}

const rankOf = (path: string): number => (classOf(path) === 'test' ? 1 : 0);

/** `"name": name`: of several places of a line, the one in code counts. */
function asCode(hit: SymbolHit): SymbolHit {
  if (hit.role === 'code') return hit;
  const places = [...hit.text.matchAll(new RegExp(`(?<![\\w$])${escapeRegex(hit.name)}(?![\\w$])`, 'g'))];
  const inCode = places.find(({ index }) => roleInLine(hit.text, index, languageOf(hit.path)) === 'code');
  return inCode === undefined ? hit : { ...hit, role: 'code', column: inCode.index };
}

interface Defaults {
  /** Targets that are what their file exports by default, which others import under any name. */
  readonly targets: readonly SymbolDefinition[];
  /** Files that import one of their files, or one that exports it again. */
  readonly importers: ReadonlySet<string>;
  readonly ends: readonly SearchEnd[];
}

/** Files that pass a default export on and are followed. */
const MOST_PASSED = 5;

async function findDefaults(targets: ReadonlyMap<string, SymbolDefinition>, frame: Frame): Promise<Defaults> {
  const found: SymbolDefinition[] = [];
  const importers = new Set<string>();
  const ends: SearchEnd[] = [];
  for (const target of targets.values()) {
    if (target.container !== '' || !SCRIPTS.has(languageOf(target.path))) continue;
    const source = await frame.parts.sources.read(target.path, frame.context);
    if (source === undefined || !isDefault(target.name, source.lines.join('\n'))) continue;
    found.push(target);
    const open = [target.path];
    for (let at = 0; at < Math.min(open.length, MOST_PASSED); at++) {
      const dependents = await findDependents(open[at] ?? '', frame);
      ends.push(...dependents.ends);
      for (const { path, text } of [...dependents.edges, ...dependents.unresolved]) {
        importers.add(path);
        if (/^export\b.*\bdefault\b/.test(text) && !open.includes(path)) open.push(path);
      }
    }
  }
  return { targets: found, importers, ends };
}

function isDefault(name: string, text: string): boolean {
  const word = `${escapeRegex(name)}(?![\\w$])`;
  return new RegExp(
    `^[ \\t]*export\\s+default\\s+(?:async\\s+)?(?:function\\s*\\*?\\s*|(?:abstract\\s+)?class\\s+)?${word}|^[ \\t]*export\\s*\\{[^}]*(?<![\\w$])${word}\\s+as\\s+default\\b|(?<![\\w$.])module\\.exports\\s*=\\s*(?:async\\s+)?(?:function\\s*\\*?\\s*|class\\s+)?${word}|^[ \\t]*export\\s*=\\s*${word}`,
    'm',
  ).test(text);
}

/** Lines that hold another name of a target without calling it. */
function aliasUses(
  path: string,
  { lines, structure }: Source,
  aliases: ReadonlyMap<string, string>,
  called: ReadonlySet<string>,
): SymbolHit[] {
  const uses: SymbolHit[] = [];
  for (const [alias, name] of aliases) {
    const pattern = new RegExp(`(?<![\\w$.]|\\bas\\s+)${escapeRegex(alias)}(?![\\w$]|\\s*:)`, 'g');
    for (const [index, text] of lines.entries()) {
      if (!text.includes(alias) || IMPORT_LINE.test(text) || called.has(`${index + 1} ${name}`)) continue;
      if (structure.imports.some(({ line, names }) => line === index + 1 && names.some((one) => one.alias === alias))) continue;
      const place = [...text.matchAll(pattern)].find((match) => roleInLine(text, match.index, structure.language) === 'code');
      if (place === undefined) continue;
      const shown = text.length > LINE_UNITS ? `${text.slice(0, LINE_UNITS)}…` : text;
      const hit = { path, line: index + 1, name, column: place.index, text: shown, class: classOf(path) };
      uses.push({ ...hit, grade: 'none', role: 'code', isCall: false, mayCall: false });
    }
  }
  return uses;
}

const LINE_UNITS = 200;

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
  if (hit.role !== 'code' || isOwnLine(hit, targets) || isLabel(hit)) return false;
  return GRADES[hit.grade] < GRADES.declaration && !IMPORT_LINE.test(hit.text);
}

const HAS_LABELS: ReadonlySet<LanguageName | undefined> = new Set<LanguageName | undefined>(['c', 'cpp', 'go', 'csharp', 'php']);

/** A place to go to shares no more than the name. */
function isLabel({ path, text, column, name }: SymbolHit): boolean {
  if (!HAS_LABELS.has(languageOf(path))) return false;
  const before = text.slice(0, column);
  return /\bgoto\s+$/.test(before) || (before.trim() === '' && /^\s*:(?![:=])/.test(text.slice(column + name.length)));
}

/** The definition around a call that a reader would name: functions and classes, not the variable that holds a value. */
function callerOf(call: Call, structure: SourceStructure): Definition | undefined {
  return structure.around(call.within) ?? structure.definitions[call.within];
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

/** What calls a method of the base class, never one of the class that it stands in. */
export const SUPER = /^(?:super(?:\(.*\))?|parent)$/;

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

/** Whether a call means a definition: `maybe` where neither that nor the contrary is proved. */
type Verdict = 'yes' | 'maybe' | 'other';

/** Judges a call by what stands in front of its name. */
async function judge(
  call: Call,
  target: SymbolDefinition | undefined,
  source: Source,
  path: string,
  hits: readonly SymbolHit[],
  spaces: Spaces,
): Promise<Verdict> {
  if (target === undefined || call.receiver === '...') return 'yes';
  const { structure } = source;
  if (SUPER.test(call.receiver) && path === target.path && callerOf(call, structure)?.container === target.container) return 'other';
  const isBare = call.receiver === '';
  // A bare name never means a method where methods are called on something.
  if (target.kind === 'method') {
    // `x.add()` may be any Set; only its name speaks for a class of the sources.
    if (!isBare && SCRIPTS.has(structure.language) && BUILT_IN.has(target.name))
      return isNamedLike(call.receiver, target.container) ? 'yes' : 'other';
    return !isBare || IMPLICIT_SELF.has(structure.language) ? 'yes' : 'other';
  }
  if (target.container !== '' && target.kind !== 'function')
    return !isBare || IMPLICIT_SELF.has(structure.language) || path === target.path ? 'yes' : 'other';
  if (isBare) return shadowed(call, target, source, path, hits);
  return FREE_KINDS.has(target.kind) ? spaces.judge(call, target, structure, path) : 'yes';
}

const FREE_KINDS: ReadonlySet<string> = new Set(['function', 'constant', 'variable', 'class']);
const SCRIPTS: ReadonlySet<LanguageName | undefined> = new Set<LanguageName | undefined>(['typescript', 'tsx', 'javascript']);

/** Whether a bare name in another file is a parameter or variable there: no import brings it, and a line around the call binds it. */
function shadowed(call: Call, target: SymbolDefinition, { structure, lines }: Source, path: string, hits: readonly SymbolHit[]): Verdict {
  if (target.path === path || !SCRIPTS.has(structure.language)) return 'yes';
  if (structure.imports.some(({ names }) => names.some(({ name, alias }) => (alias ?? name) === call.name))) return 'yes';
  const isTree = structure.source === 'tree';
  const name = `(?<![\\w$.])${escapeRegex(call.name)}(?![\\w$])`;
  const inside = `(?:[^()]*[,{[]|\\s*)\\s*(?:\\.\\.\\.\\s*)?${name}`;
  const variable = new RegExp(
    `\\b(?:const|let|var|class)\\s+${name}|\\bfunction\\b\\s*\\*?\\s*${name}|\\b(?:const|let|var)\\s*[{[](?:[^=]*[,:{[])?\\s*${name}\\s*[,=}\\]]`,
  );
  const parameter = new RegExp(
    `\\bfunction\\b[^()]*\\(${inside}|\\(${inside}[^()]*\\)[^()=]*=>|${name}\\s*=>|^\\s*(?!if|while|switch|for|return|await|with)(?:[\\w*#$]+\\s+)*[\\w#$]+\\s*\\(${inside}.*\\{\\s*$|\\bcatch\\s*\\(\\s*${name}`,
  );
  // A parameter, part of a pattern or value in a line of its own.
  const alone = new RegExp(`^\\s*(?:(?:public|private|protected|readonly)\\s+)*(?:\\.\\.\\.)?${name}\\s*(?:\\?|[:=,].*)?\\s*$`);
  // A variable, its type or value may stand around the call with brackets in it.
  const unclear = new RegExp(`\\([^)]*${name}\\s*\\??\\s*:[^)]*\\)`);
  let verdict: Verdict = 'yes';
  for (const { name: word, text, line, column } of hits) {
    if (word !== call.name || IMPORT_LINE.test(text)) continue;
    const isVariable = variable.test(text);
    const isParameter = !isVariable && parameter.test(text);
    if (!isVariable && !isParameter && !(line <= call.line && (alone.test(text) || unclear.test(text)))) continue;
    const around = structure.enclosing(line);
    if (around !== undefined && (call.line < around.startLine || call.line > around.endLine)) continue;
    const isOwn = around?.startLine === line && column > 0;
    const isSure = isTree && ((isParameter && isOwn) || ((isVariable || isParameter) && isUnder(lines, line, call.line, isVariable)));
    if (isSure) return 'other';
    verdict = 'maybe';
  }
  return verdict;
}

/** Whether a line lies in the block that another one stands in or opens, as far as their indentation says. */
function isUnder(lines: readonly string[], from: number, to: number, isSameBlock: boolean): boolean {
  if (from === to) return true;
  if (to < from) return false;
  const indentOf = (text: string): number => text.search(/\S/);
  const least = indentOf(lines[from - 1] ?? '');
  return lines.slice(from, to).every((text) => {
    const indent = indentOf(text);
    return indent < 0 || /^\s*\{\s*$/.test(text) || indent > least || (isSameBlock && indent === least);
  });
}

/** Modules that are read to follow what stands in front of one name. */
const MOST_MODULES = 40;
const SCRIPT_OR_PYTHON: ReadonlySet<LanguageName | undefined> = new Set<LanguageName | undefined>([...SCRIPTS, 'python']);
const LOADED = /^\(?\s*(?:await\s+import|require)\s*\(\s*["'`]([^"'`]+)["'`]\s*\)\s*\)?((?:\??\.[\w$]+)*)$/;

/** Tells namespaces and modules in front of a name from objects, by what the imports of a file lead to. */
class Spaces {
  readonly #frame: Frame;
  readonly #resolver: ImportResolver;
  readonly #known = new Map<string, Promise<Verdict>>();

  constructor(frame: Frame) {
    this.#frame = frame;
    this.#resolver = new ImportResolver(frame.context.root);
  }

  judge({ receiver }: Call, target: SymbolDefinition, structure: SourceStructure, path: string): Promise<Verdict> {
    const key = [path, receiver, target.name].join('\n');
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const asked = this.#judge(receiver, target, structure, path);
    this.#known.set(key, asked);
    return asked;
  }

  /** Names under which a file imports what another one exports by default. */
  async defaultNames(target: SymbolDefinition, { imports, language }: SourceStructure, path: string): Promise<string[]> {
    const found: string[] = [];
    for (const one of imports) {
      if (one.kind === 'reexport') continue;
      for (const bound of one.names) {
        const given = bound.alias ?? bound.name;
        const isWhole = bound.name === '*' && one.kind === 'require';
        if (given === '*' || (bound.name === '*' && !isWhole)) continue;
        const { path: file } = await this.#resolver.resolve(path, language, { ...one, names: [bound] });
        if (file === undefined) continue;
        const wanted = isWhole ? 'default' : bound.name;
        if ((await this.#leads(file, wanted, target, { left: MOST_MODULES }, new Set())) === 'yes') found.push(given);
      }
    }
    return found;
  }

  async #judge(receiver: string, target: SymbolDefinition, structure: SourceStructure, path: string): Promise<Verdict> {
    const { language, imports, definitions } = structure;
    if (structure.source === 'fallback') return isModule(receiver, target, structure) ? 'yes' : 'maybe';
    if (!SCRIPT_OR_PYTHON.has(language)) return isModule(receiver, target, structure) ? 'yes' : 'other';
    const loaded = LOADED.exec(receiver);
    if (loaded !== null) {
      const module = loaded[1] ?? '';
      const one: Import = { kind: 'import', module, names: [{ name: '*' }], line: 0, isRelative: module.startsWith('.') };
      return this.#through(one, { name: '*' }, (loaded[2] ?? '').split(/\??\./).slice(1), target, structure, path);
    }
    const [first = '', ...rest] = receiver.replace(/[?!]/g, '').split('.');
    if (/^(?:this|self|cls|super)$/.test(first)) return rest.length > 0 && isModule(receiver, target, structure) ? 'yes' : 'other';
    let best: Verdict | undefined;
    for (const one of imports) {
      if (one.kind === 'reexport') continue;
      for (const bound of one.names) {
        if ((bound.alias ?? bound.name) !== first) continue;
        best = better(best, await this.#through(one, bound, rest, target, structure, path));
      }
      // \`import a.b\` of Python binds a.
      if (one.names.length === 0 && language === 'python' && one.module.split('.')[0] === first) {
        const stem = target.path.replace(/(?:\/__init__)?\.\w+$/, '');
        const isMeant = `/${stem}`.endsWith(`/${[first, ...rest].join('/')}`);
        best = better(best, isMeant ? 'yes' : await this.#through(one, { name: '*' }, rest, target, structure, path));
      }
    }
    if (best !== undefined) return best;
    const last = rest.at(-1) ?? first;
    if (target.container !== '' && target.container.split('.').includes(last)) return 'yes';
    if (/^(?:exports|module)$/.test(first)) return 'yes';
    // A class or object of this file has a member of that name, or the language has.
    if (definitions.some(({ name, container }) => name === target.name && container.split('.').at(-1) === last)) return 'other';
    if (BUILT_IN.has(target.name) || !/^[\w$]+$/.test(first)) return 'other';
    return 'maybe';
  }

  /** @param rest what stands between the imported name and the called one */
  async #through(
    one: Import,
    bound: ImportedName,
    rest: readonly string[],
    target: SymbolDefinition,
    { language }: SourceStructure,
    path: string,
  ): Promise<Verdict> {
    const { path: file } = await this.#resolver.resolve(path, language, { ...one, names: [bound] });
    const wanted = bound.name === '*' ? (rest[0] ?? target.name) : bound.name;
    if (file === undefined) {
      if (mayHold(one.module, target)) return 'yes';
      const places = target.path.split('/').map((part) => part.replace(/\.\w+$/, ''));
      const isAlias =
        one.isRelative || /^[@~#]?\//.test(one.module) || one.module.split(/[./]/).some((part) => part !== '' && places.includes(part));
      return isAlias ? 'maybe' : 'other';
    }
    // \`from pkg import module\`: the file is the name.
    const isFile = language === 'python' && `/${file.replace(/(?:\/__init__)?\.\w+$/, '')}`.endsWith(`/${bound.name}`);
    return this.#leads(file, isFile ? (rest[0] ?? target.name) : wanted, target, { left: MOST_MODULES }, new Set());
  }

  /** Whether a name of a module is the target, or a namespace that holds it. */
  async #leads(path: string, name: string, target: SymbolDefinition, room: { left: number }, seen: Set<string>): Promise<Verdict> {
    if (path === target.path) {
      const isHeld = [target.name, 'default', ...target.container.split('.')].includes(name);
      return isHeld ? 'yes' : 'maybe';
    }
    const key = `${path}\n${name}`;
    if (seen.has(key)) return 'other';
    seen.add(key);
    if (languageOf(path) === undefined) return 'maybe';
    if (seen.size > MOST_MODULES || room.left-- <= 0 || this.#frame.context.deadline.isOver) return 'maybe';
    const source = await this.#frame.parts.sources.read(path, this.#frame.context, { imports: true });
    if (source === undefined || source.structure.source === 'fallback' || source.structure.isCut) return 'maybe';
    const { language, imports } = source.structure;
    let best: Verdict = 'other';
    for (const one of imports) {
      for (const each of one.names.length === 0 ? [{ name: '*' }] : one.names) {
        const given = each.alias ?? each.name;
        const isMeant = given === name;
        const isAll = each.name === '*' && each.alias === undefined;
        if (!isMeant && !isAll && each.name !== target.name && each.name !== '*') continue;
        if (isAll && one.names.length === 0 && one.kind === 'import') continue;
        const { path: next } = await this.#resolver.resolve(path, language, { ...one, names: [each] });
        if (next === undefined) {
          if (one.isRelative) best = better(best, 'maybe');
          continue;
        }
        const wanted = isMeant ? (each.name === '*' ? target.name : each.name) : isAll ? name : target.name;
        const found = await this.#leads(next, wanted, target, room, seen);
        const isPassed = isMeant || (isAll && (one.kind === 'reexport' || language === 'python'));
        best = better(best, found === 'yes' && !isPassed ? 'maybe' : found);
        if (best === 'yes') return best;
      }
    }
    return best;
  }
}

const better = (one: Verdict | undefined, other: Verdict): Verdict =>
  one === 'yes' || other === 'yes' ? 'yes' : one === 'maybe' || other === 'maybe' ? 'maybe' : 'other';

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
