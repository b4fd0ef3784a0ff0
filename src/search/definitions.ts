/** Where a name is defined: lines that look like it, confirmed by the syntax trees of the best files. */

import { languageOf } from '../code/language.js';
import type { Definition, DefinitionKind, SourceStructure } from '../code/structure.js';
import { classOf, DEMOTION } from '../ranking/path-class.js';
import type { Frame } from './frame.js';
import { comparePaths } from './order.js';
import type { Project } from './project.js';
import { ParseBudget } from './sources.js';
import { certainty, type SymbolHits } from './symbol-pass.js';
import type { SymbolName } from './symbol-query.js';
import type { SymbolHit } from './symbol-scan.js';

export interface SymbolDefinition {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** The kind by its tree; `definition` where only the line was looked at. */
  readonly kind: DefinitionKind | 'definition';
  readonly name: string;
  /** `Outer.Inner`, or ''. */
  readonly container: string;
  readonly signature: string;
  readonly nameLine: number;
  /** Another place holds the body. */
  readonly isDeclaration: boolean;
  /** A tree says so; else only the look of the line. */
  readonly isConfirmed: boolean;
  readonly score: number;
}

const KINDS: Readonly<Record<DefinitionKind, number>> = {
  function: 1,
  method: 0.95,
  class: 1,
  interface: 1,
  struct: 1,
  union: 1,
  enum: 1,
  trait: 1,
  type: 0.95,
  macro: 1,
  module: 0.85,
  constant: 0.9,
  enumerator: 0.9,
  variable: 0.7,
  field: 0.6,
  property: 0.65,
  impl: 0.2,
  export: 0.3,
};
const FACTORS = { declaration: 0.5, local: 0.35, ofFile: 0.85, unconfirmed: 0.8, otherLanguage: 0.95, onlyPath: 0.8, otherContainer: 0.3 };
const FROM_OTHER_FILES: ReadonlySet<DefinitionKind> = new Set<DefinitionKind>([
  'function',
  'method',
  'class',
  'variable',
  'constant',
  'module',
]);
/** A file whose best line is less certain than this is read only when nothing better was confirmed. */
const CLEAR = 0.4;

/** The definitions of a name, best first; equal scores by depth, then in path order.
 *  How many files are parsed depends on their number and size, never on time: the same call gives the same answer. */
export async function findDefinitions(symbol: SymbolName, hits: SymbolHits, project: Project, frame: Frame): Promise<SymbolDefinition[]> {
  const { sources } = frame.parts;
  const found: SymbolDefinition[] = [];
  const read = async (wanted: readonly SymbolHit[]): Promise<void> => {
    const budget = new ParseBudget(frame.parts.limits);
    for (const [path, lines] of byFile(wanted)) {
      const source = budget.isSpent || frame.context.deadline.isOver ? undefined : await sources.read(path, frame.context);
      if (source !== undefined) budget.take(source);
      const confirmed = source === undefined ? undefined : definitionsOf(source.structure, path, symbol, project, hits.isAnyCase);
      found.push(...(confirmed ?? []));
      // A tree with errors may have lost a definition.
      const isSure = source?.structure.source === 'tree' && !source.structure.isCut && !source.structure.hasErrors;
      if (!isSure) found.push(...lines.filter((hit) => isOpen(hit, confirmed ?? [])).map((hit) => unconfirmed(hit, symbol, project)));
    }
  };
  await read(hits.candidates);
  if (!found.some(({ score, isConfirmed }) => isConfirmed && score >= CLEAR)) {
    const known = new Set(hits.candidates.map(({ path }) => path));
    await read(hits.possible.filter(({ path, grade }) => grade !== 'none' && !known.has(path)));
  }
  const unique = new Map(found.sort(better).map((one) => [`${one.path}:${one.nameLine}:${one.kind}:${one.container}`, one]));
  return [...unique.values()].sort(better);
}

/** Of equals the one that lies less deep: init/ before arch/x/boot/. */
const depth = (path: string): number => path.split('/').length;

const better = (a: SymbolDefinition, b: SymbolDefinition): number =>
  b.score - a.score || depth(a.path) - depth(b.path) || comparePaths(a.path, b.path) || a.startLine - b.startLine;

function byFile(hits: readonly SymbolHit[]): Map<string, SymbolHit[]> {
  const files = new Map<string, SymbolHit[]>();
  for (const hit of hits) files.set(hit.path, [...(files.get(hit.path) ?? []), hit]);
  return files;
}

/** Only lines that are quite certain by themselves stand without a tree. */
const isOpen = (hit: SymbolHit, confirmed: readonly SymbolDefinition[]): boolean =>
  (hit.grade === 'definition' || hit.grade === 'assignment') &&
  !confirmed.some(({ startLine, endLine, nameLine }) => nameLine === hit.line || (startLine === hit.line && endLine >= hit.line));

/** The definitions of a name in one file. */
export function definitionsOf(
  structure: SourceStructure,
  path: string,
  symbol: SymbolName,
  project: Project,
  isAnyCase: boolean,
): SymbolDefinition[] {
  const isSame = sameName(symbol.name, isAnyCase);
  return structure.definitions
    .filter((definition) => isSame(definition.name))
    .map((definition) => ({
      path,
      startLine: definition.startLine,
      endLine: definition.endLine,
      kind: definition.kind,
      name: definition.name,
      container: definition.container,
      signature: definition.signature,
      nameLine: definition.nameLine,
      isDeclaration: definition.isDeclaration,
      isConfirmed: structure.source === 'tree',
      score:
        KINDS[definition.kind] *
        (definition.isDeclaration ? FACTORS.declaration : 1) *
        (isLocal(definition, structure) ? FACTORS.local : 1) *
        (isOfFile(definition, path) ? FACTORS.ofFile : 1) *
        containerFactor(definition.container, path, symbol.containers) *
        placeFactor(path, project),
    }));
}

function unconfirmed(hit: SymbolHit, symbol: SymbolName, project: Project): SymbolDefinition {
  const isUnplaced = symbol.containers.length > 0 && !isWithin('', hit.path, symbol.containers);
  return {
    path: hit.path,
    startLine: hit.line,
    endLine: hit.line,
    kind: 'definition',
    name: symbol.name,
    container: '',
    signature: '',
    nameLine: hit.line,
    isDeclaration: false,
    isConfirmed: false,
    score:
      (certainty(hit) / DEMOTION[hit.class]) *
      FACTORS.unconfirmed *
      (isUnplaced ? FACTORS.otherContainer : 1) *
      placeFactor(hit.path, project),
  };
}

function placeFactor(path: string, { languages }: Project): number {
  const language = languageOf(path);
  const isOther = languages.length > 0 && (language === undefined || !languages.includes(language));
  const kind = classOf(path);
  // A body in a header is what everyone gets who includes it.
  return (kind === 'header' ? 1 : DEMOTION[kind]) * (isOther ? FACTORS.otherLanguage : 1);
}

/** What a C source file defines beside functions and variables that are not static is nobody else's. */
function isOfFile({ kind, signature }: Definition, path: string): boolean {
  return /\.(?:c|cc|cpp|cxx)$/.test(path) && (!FROM_OTHER_FILES.has(kind) || /^\s*static\b/.test(signature));
}

/** A variable or constant inside a function is of no use to anybody else. */
function isLocal(definition: Definition, structure: SourceStructure): boolean {
  for (let at = definition.parent; at >= 0; at = structure.definitions[at]?.parent ?? -1) {
    const kind = structure.definitions[at]?.kind;
    if (kind === 'function' || kind === 'method') return true;
  }
  return false;
}

/** `$x`, `@x` and `#x` are written with and without their sign. */
const bare = (name: string): string => name.replace(/^[$@#:]+/, '');

/** @param isAnyCase letter case does not count */
export function sameName(wanted: string, isAnyCase: boolean): (name: string) => boolean {
  const isSigned = /^[$@#]/.test(wanted);
  const keyOf = (name: string): string => {
    const key = (isSigned ? name : bare(name)).replace(/\s+/g, '');
    return isAnyCase ? key.toLowerCase() : key;
  };
  const key = keyOf(wanted);
  return (name) => name === wanted || keyOf(name) === key;
}

/** A class of that name says more than a folder or file of that name. */
function containerFactor(container: string, path: string, containers: readonly string[]): number {
  if (isWithin(container, '', containers)) return 1;
  return isWithin('', path, containers) ? FACTORS.onlyPath : FACTORS.otherContainer;
}

/** Whether a place lies in what the query names before the symbol: a class, a module, a package, a file or a folder. */
export function isWithin(container: string, path: string, containers: readonly string[]): boolean {
  const last = containers.at(-1)?.toLowerCase();
  if (last === undefined) return true;
  const inside = container.toLowerCase().split(/\.|::/);
  const places = path
    .toLowerCase()
    .split('/')
    .map((part) => part.replace(/\.\w+$/, ''));
  return inside.includes(last) || places.includes(last);
}
