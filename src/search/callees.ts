/** What a function calls: what stands in front of a name, the imports of its file and the files they lead to tell what is meant; where
 *  they do not, the name alone is looked for, and the answer says so. */
import { type LanguageName, languageOf } from '../code/language.js';
import type { Definition, SourceStructure } from '../code/structure.js';
import { escapeRegex } from '../ranking/terms.js';
import type { SearchEnd } from '../ripgrep/process.js';
import { BUILT_IN, IMPLICIT_SELF, SUPER } from './calls.js';
import type { SymbolDefinition } from './definitions.js';
import type { Frame } from './frame.js';
import { folderOf, ImportResolver } from './imports.js';
import { comparePaths } from './order.js';
import type { Source } from './sources.js';
import { useRank } from './symbol-pass.js';
import { GRADES, type SymbolHit, scanSymbols } from './symbol-scan.js';

export interface Callee {
  readonly name: string;
  readonly receiver: string;
  /** Where it is called, in order. */
  readonly lines: readonly number[];
}

export interface CalleePlace {
  readonly callee: Callee;
  readonly path: string;
  readonly line: number;
  /** Definitions that the name may mean; 1 where it is known. */
  readonly count: number;
}

export interface FoundCallees {
  /** Known by scope, by import, or as the only one of its name. */
  readonly known: readonly CalleePlace[];
  /** The name fits; what stands in front of it is not known. */
  readonly possible: readonly CalleePlace[];
  readonly outside: readonly Callee[];
  readonly ends: readonly SearchEnd[];
}

/** What is called within a definition, most often first: by its lines where the tree does not have it. */
export function calleesIn(structure: SourceStructure, best: SymbolDefinition): Callee[] {
  const { startLine, endLine } = best;
  const own = structure.definitions.findIndex(
    ({ name, nameLine, kind, container }) =>
      name === best.name && nameLine === best.nameLine && kind === best.kind && container === best.container,
  );
  const found = new Map<string, { name: string; receiver: string; lines: number[] }>();
  for (const { name, receiver, line, within } of structure.calls) {
    if (line < startLine || line > endLine) continue;
    // A line where it begins or ends may hold others as well.
    if (own >= 0 && (line === startLine || line === endLine) && !structure.isInside(within, own)) continue;
    const key = `${receiver} ${name}`;
    const known = found.get(key);
    if (known === undefined) found.set(key, { name, receiver, lines: [line] });
    else if (known.lines.at(-1) !== line) known.lines.push(line);
  }
  return [...found.values()].sort((a, b) => b.lines.length - a.lines.length || (a.lines[0] ?? 0) - (b.lines[0] ?? 0));
}

/** Languages in which a bare name is defined in its file or imported by name. */
const NAMED_IMPORTS: ReadonlySet<LanguageName | undefined> = new Set<LanguageName | undefined>([
  'typescript',
  'tsx',
  'javascript',
  'python',
]);
const SCRIPTS: ReadonlySet<LanguageName | undefined> = new Set<LanguageName | undefined>(['typescript', 'tsx', 'javascript']);
const SELF = /^(?:this|self|super|super\(\)|cls|Self|static|parent|\$this)$/;
const MEMBERS: ReadonlySet<string> = new Set(['method', 'field', 'property']);
/** Values that others make are called as well. */
const CALLABLE: ReadonlySet<string> = new Set([
  ...['function', 'method', 'class', 'struct', 'macro', 'constant', 'variable', 'export', 'field', 'property', 'union', 'enumerator'],
]);
const MOST_HOPS = 4;
/** Modules that one name is looked for in where everything is exported again. */
const MOST_MODULES = 40;

/** @param best whose callees they are */
export async function findCallees(
  callees: readonly Callee[],
  best: SymbolDefinition,
  { structure, lines }: Source,
  frame: Frame,
): Promise<FoundCallees> {
  const body = lines.slice(best.startLine - 1, best.endLine).join('\n');
  const modules = new Modules(best.path, structure, frame);
  const known: CalleePlace[] = [];
  const possible: CalleePlace[] = [];
  const outside: Callee[] = [];
  const open: Callee[] = [];
  for (const callee of callees) {
    const isSuper = SUPER.test(callee.receiver);
    const typed = { ...callee, receiver: isSuper ? baseOf(best, structure) : typeOf(callee.receiver, body, structure) };
    const place =
      (isSuper ? undefined : (ownPlace(callee, best, structure) ?? (await modules.place(callee)))) ??
      (typed.receiver === '' ? undefined : (ownPlace(typed, best, structure) ?? (await modules.place(typed))));
    if (place === 'outside') outside.push(callee);
    else if (place !== undefined) known.push({ callee, ...place, count: 1 });
    else if (callee.receiver === '' && NAMED_IMPORTS.has(structure.language) && structure.source === 'tree') outside.push(callee);
    else open.push(callee);
  }
  const names = [...new Set(open.map(({ name }) => name))];
  const { places, ends } =
    names.length === 0 ? { places: new Map<string, NamedPlaces>(), ends: [] } : await placesOf(names, best.path, frame);
  for (const callee of open) {
    const found = places.get(callee.name)?.[callee.receiver === '' ? 'all' : 'members'];
    const isItself = found !== undefined && found.hit.path === best.path && found.hit.line === best.nameLine;
    if (found === undefined || (SUPER.test(callee.receiver) && isItself)) {
      outside.push(callee);
      continue;
    }
    const isSelf = SELF.test(callee.receiver);
    const isKnown =
      found.count === 1 && (isSelf || callee.receiver === '' || !SCRIPTS.has(structure.language) || !BUILT_IN.has(callee.name));
    (isKnown ? known : possible).push({ callee, path: found.hit.path, line: found.hit.line, count: found.count });
  }
  return { known, possible, outside, ends };
}

/** The class that a variable, parameter or field is written to be, or made of; '' where the file does not say. */
function typeOf(receiver: string, body: string, { definitions, language }: SourceStructure): string {
  if (!NAMED_IMPORTS.has(language)) return '';
  const [, self, name = ''] = /^(this\.|self\.)?([#\w$]+)[!?]?$/.exec(receiver) ?? [];
  if (name === '' || SELF.test(name)) return '';
  const fields = self === undefined ? [] : definitions.filter((one) => one.name === name && MEMBERS.has(one.kind));
  const text = self === undefined ? body : fields.map(({ signature }) => signature).join('\n');
  const escaped = escapeRegex(name);
  const annotated = new RegExp(`(?<![\\w$.])${escaped}\\s*[?!]?:\\s*([A-Z][\\w$]*)`).exec(text);
  const made = new RegExp(`(?<![\\w$.])${escaped}\\b[^=\\n]{0,80}=\\s*new\\s+([A-Z][\\w$]*)`).exec(text);
  return annotated?.[1] ?? made?.[1] ?? '';
}

/** The first class that the class around a method is made from; '' where its head does not say. */
function baseOf({ container }: SymbolDefinition, { definitions }: SourceStructure): string {
  const own = definitions.find((one) => one.name === container.split('.').at(-1) && !MEMBERS.has(one.kind));
  const [, python, others] = /^class\s+\w+\s*\(\s*([\w.]+)|\bextends\s+([\w$.]+)/.exec(own?.signature ?? '') ?? [];
  return python ?? others ?? '';
}

type Place = Pick<CalleePlace, 'path' | 'line'>;

/** In the file itself: its functions, and the methods of the class around. */
function ownPlace({ name, receiver }: Callee, best: SymbolDefinition, { definitions, language }: SourceStructure): Place | undefined {
  const same = definitions.filter((one) => one.name === name && !one.isDeclaration && CALLABLE.has(one.kind));
  const last = receiver.split(/\.|::|->/).at(-1) ?? '';
  const fits = (one: Definition): boolean => {
    if (receiver === '') return !MEMBERS.has(one.kind) || IMPLICIT_SELF.has(language);
    const owner = one.container.split('.').at(-1) ?? '';
    return SELF.test(receiver) ? one.container === best.container && best.container !== '' : owner !== '' && owner === last;
  };
  const within = same.filter(fits);
  // The innermost scope around the function wins.
  const near = within.find(({ startLine }) => startLine > best.startLine && startLine <= best.endLine) ?? within[0];
  return near === undefined ? undefined : { path: best.path, line: near.startLine };
}

/** Names that a file imports, followed to their definitions. */
class Modules {
  readonly #path: string;
  readonly #structure: SourceStructure;
  readonly #frame: Frame;
  readonly #resolver: ImportResolver;

  constructor(path: string, structure: SourceStructure, frame: Frame) {
    this.#path = path;
    this.#structure = structure;
    this.#frame = frame;
    this.#resolver = new ImportResolver(frame.context.root);
  }

  /** @returns 'outside' for what another package brings, undefined for what no import names */
  async place({ name, receiver }: Callee): Promise<Place | 'outside' | undefined> {
    if (!/^[\w$.]*$/.test(receiver)) return undefined;
    const [first = name, ...rest] = receiver === '' ? [name] : receiver.split('.');
    for (const one of this.#structure.imports) {
      const bound =
        one.names.find((each) => (each.alias ?? each.name) === first && each.name !== '*') ??
        one.names.find((each) => each.alias === first);
      if (bound === undefined || one.kind === 'reexport') continue;
      const { path } = await this.#resolver.resolve(this.#path, this.#structure.language, one);
      if (path === undefined) return NAMED_IMPORTS.has(this.#structure.language) ? 'outside' : undefined;
      if (languageOf(path) === undefined) return undefined;
      const isWhole = bound.name === '*' || bound.name === 'default';
      const wanted = receiver === '' && !isWhole ? bound.name : name;
      const container = receiver === '' ? undefined : (rest.at(-1) ?? (isWhole ? undefined : bound.name));
      const place = await this.#find(path, wanted, container, { left: MOST_MODULES }, 0);
      // A namespace that is exported by name: \`import { util } from\`.
      if (place !== undefined || receiver === '') return place;
      return rest.length === 0 && bound.name === '*' ? undefined : this.#find(path, name, undefined, { left: MOST_MODULES }, 0);
    }
    return undefined;
  }

  async #find(path: string, name: string, container: string | undefined, room: { left: number }, hops: number): Promise<Place | undefined> {
    if (hops > MOST_HOPS || room.left-- <= 0 || this.#frame.context.deadline.isOver) return undefined;
    const source = await this.#frame.parts.sources.read(path, this.#frame.context, { imports: true });
    if (source === undefined) return undefined;
    const { definitions, imports, language } = source.structure;
    const found = definitions.find(
      (one) =>
        one.name === name &&
        one.kind !== 'export' &&
        CALLABLE.has(one.kind) &&
        !one.isDeclaration &&
        (container === undefined ? !MEMBERS.has(one.kind) : one.container.split('.').at(-1) === container),
    );
    if (found !== undefined) return { path, line: found.startLine };
    for (const one of imports) {
      const isAll = one.names.some((each) => each.name === '*');
      const bound = one.names.find((each) => [name, container].includes(each.alias ?? each.name));
      if (bound === undefined && !(isAll && one.kind === 'reexport')) continue;
      const { path: next } = await this.#resolver.resolve(path, language, one);
      if (next === undefined || next === path || languageOf(next) === undefined) continue;
      // \`import * as util\` that is exported again: the name stands in the module itself.
      const isSpace = bound !== undefined && bound.name === '*' && bound.alias === container;
      const wanted = bound !== undefined && bound.alias === name && bound.name !== '*' ? bound.name : name;
      const place = await this.#find(next, wanted, isSpace ? undefined : container, room, hops + 1);
      if (place !== undefined) return place;
    }
    return undefined;
  }
}

interface NamedPlaces {
  readonly all?: { hit: SymbolHit; count: number };
  readonly members?: { hit: SymbolHit; count: number };
}

/** In front of a name that is no member of anything. */
const FREE = /\b(?:function\s*\*?|class|interface|type|enum|const|let|var|struct|fn|trait)\s+$|^(?:async\s+)?def\s+$/;

/** Where names are defined, by the look of lines alone: the most certain place of each, and how many there are. */
async function placesOf(
  names: readonly string[],
  nearPath: string,
  frame: Frame,
): Promise<{ places: ReadonlyMap<string, NamedPlaces>; ends: readonly SearchEnd[] }> {
  const places = new Map<string, { all?: { hit: SymbolHit; count: number }; members?: { hit: SymbolHit; count: number } }>();
  const folder = folderOf(nearPath);
  // Of several definitions of one name the near one is meant more often than not.
  const worth = (hit: SymbolHit): number =>
    GRADES[hit.grade] * (useRank(hit) === 0 ? 1 : 0.3) +
    (hit.path === nearPath ? 1 : folderOf(hit.path) === folder ? 0.5 : hit.path.startsWith('include/') ? 0.2 : 0);
  const better = (known: { hit: SymbolHit; count: number } | undefined, hit: SymbolHit): { hit: SymbolHit; count: number } => {
    if (known === undefined) return { hit, count: 1 };
    const isBetter = worth(hit) > worth(known.hit) || (worth(hit) === worth(known.hit) && comparePaths(hit.path, known.hit.path) < 0);
    return { hit: isBetter ? hit : known.hit, count: known.count + 1 };
  };
  const ends = await scanSymbols(names, false, frame, {
    file: () => {},
    hit: (hit) => {
      if (hit.role !== 'code' || useRank(hit) === 2 || GRADES[hit.grade] < GRADES.assignment) return;
      const known = places.get(hit.name) ?? {};
      places.set(hit.name, known);
      known.all = better(known.all, hit);
      const isScript = NAMED_IMPORTS.has(languageOf(hit.path));
      if (!isScript || !FREE.test(hit.text.slice(0, hit.column))) known.members = better(known.members, hit);
    },
  });
  return { places, ends };
}
