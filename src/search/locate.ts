/** Where a symbol or an idea lives. A symbol is looked for as a whole identifier, its definitions first; words rank files, and the
 *  blocks in them that hold most of the words. */
import { count, plural, showWord } from '../base/display.js';
import { ToolError } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import { classOf } from '../ranking/path-class.js';
import { bestBlock } from './blocks.js';
import type { SearchContext, SearchParts } from './context.js';
import { type Covered, coveredBy, isTimedOut, undecided } from './cover.js';
import { findDefinitions, isWithin, type SymbolDefinition } from './definitions.js';
import type { FileHits } from './distribution.js';
import { type Frame, inFrame } from './frame.js';
import type { Gate } from './gate.js';
import { complaintNotes, gapNotes, isIncomplete, leavesOut, searchedBy } from './notes.js';
import { detectProject, type Project } from './project.js';
import { type Place, searchRanked } from './ranked.js';
import type { Refinement } from './refinement.js';
import { ResumeCursors } from './resume.js';
import type { FileChoice } from './selection.js';
import { ParseBudget, type Source } from './sources.js';
import { type Asked, refineHits, refineRanked } from './symbol-gate.js';
import { findSymbolHits, type SymbolHits, useRank } from './symbol-pass.js';
import { parseSymbol, type SymbolName } from './symbol-query.js';
import type { SymbolHit } from './symbol-scan.js';

export interface LocateQuery extends FileChoice {
  readonly query: string;
  readonly kind: 'any' | 'definition' | 'reference';
  readonly maxResults: number;
  /** Continues with what an earlier call did not cover. */
  readonly cursor?: string;
  /** Asked whether the result is too much; absent where the caller has set a bound of its own. */
  readonly gate?: Gate;
}

export interface LocatedPlace {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** A kind of definition, `declaration`, `reference`, `test`, `comment`, `string`, a class of files such as `docs`, or `file`. */
  readonly kind: string;
  readonly name: string;
  readonly signature: string;
}

export interface LocateOutcome {
  readonly query: LocateQuery;
  /** How the query was read: `symbol`, `symbol-any-case` or `words`. */
  readonly matchMode: 'symbol' | 'symbol-any-case' | 'words';
  readonly project: Project;
  /** Best first, at most `maxResults`. */
  readonly places: readonly LocatedPlace[];
  readonly totals: { readonly definitions: number; readonly references: number; readonly tests: number; readonly texts: number };
  readonly files: number;
  readonly searched: { readonly files: number; readonly bytes: number } | undefined;
  readonly timedOut: boolean;
  /** Set when not everything was covered. */
  readonly covered: Covered | undefined;
  /** Continues with what was not. */
  readonly nextCursor: string | undefined;
  readonly isPartial: boolean;
  readonly notes: readonly string[];
  /** The query is too broad, or its best place too weak, and what would help. */
  readonly gate?: Refinement;
  readonly limitMs: number;
  readonly elapsedMs: number;
}

/** @throws ToolError for bad arguments and a ripgrep that cannot run */
export async function locate(query: LocateQuery, parts: SearchParts, context: SearchContext): Promise<LocateOutcome> {
  if (query.query.trim() === '') throw new ToolError('argument_invalid', '"query" is empty.');
  const symbol = parseSymbol(query.query);
  return symbol === undefined ? locateWords(query, parts, context) : locateSymbol(query, symbol, parts, context);
}

export interface FoundSymbol {
  readonly frame: Frame;
  readonly hits: SymbolHits;
  readonly project: Project;
  readonly definitions: readonly SymbolDefinition[];
  /** Said where the query names a container that none of them is in. */
  readonly elsewhere: readonly string[];
  /** Continues with what was not covered. */
  readonly nextCursor: string | undefined;
  /** Paths that earlier pages have passed over. */
  readonly gaps: number;
}

/** How an earlier call read the name: as it is written, or in any letter case; `name!` as the name of a macro, without its sign. */
const ANY_CASE = 'any case';
const MACRO = 'macro';
const stateOf = (isAnyCase: boolean, isMacro: boolean): string =>
  [...(isMacro ? [MACRO] : []), ...(isAnyCase ? [ANY_CASE] : [])].join(', ');

/** A search for a symbol that did not see everything proves no absence.
 *  @throws ToolError timed_out, target_missing that says what was left out */
export function refuseIfCut({ hits }: FoundSymbol, name: string, { deadline }: SearchContext): void {
  const { ends } = hits.coverage;
  if (!isTimedOut(hits.coverage)) {
    if (!leavesOut(ends)) return;
    throw new ToolError(
      'target_missing',
      `${showWord(name)} was not found, but not everything was searched. ${complaintNotes(ends).join('. ')}.`,
      {
        hint: 'Find it with search_text, or name the file that it is in.',
      },
    );
  }
  throw new ToolError(
    'timed_out',
    `${showWord(name)} was not found within ${count(deadline.limitMs)} ms, but not everything was searched.`,
  );
}

function elsewhereNote({ name, containers }: SymbolName, definitions: readonly SymbolDefinition[]): string[] {
  if (containers.length === 0 || definitions.length === 0) return [];
  if (definitions.some(({ container, path }) => isWithin(container, path, containers))) return [];
  return [`no ${showWord(name)} in ${showWord(containers.join('.'))} was found; these are others of that name`];
}

/** `name!` is a method of Ruby, or else the call of a macro, which is defined without its sign. */
export async function findSymbol(
  symbol: SymbolName,
  choice: FileChoice & { readonly cursor?: string },
  keepUses: number,
  parts: SearchParts,
  context: SearchContext,
): Promise<FoundSymbol> {
  const found = await findSigned(symbol, false, choice, keepUses, parts, context);
  if (macroOf(symbol).name === symbol.name || found.definitions.length > 0 || isUnsure(found.hits) || choice.cursor !== undefined)
    return found;
  const bare = await findSigned(symbol, true, choice, keepUses, parts, context);
  // What was cut short may hold the macro: that nothing was found would be no proof.
  return bare.definitions.some(({ kind }) => kind === 'macro') || isUnsure(bare.hits) ? bare : found;
}

const macroOf = (symbol: SymbolName): SymbolName => ({ ...symbol, name: symbol.name.replace(/(?<=\w)!$/, '') });

/** What was cut short, or could not be read, may hold what was not found. */
const isUnsure = ({ coverage }: SymbolHits): boolean => isTimedOut(coverage) || isIncomplete(coverage.ends);

/** Uses and definitions of a symbol, in its own letter case; in any case where that finds no definition of an all lower-case name.
 *  @param asMacro without its sign; a call that goes on does as the first one did */
async function findSigned(
  written: SymbolName,
  asMacro: boolean,
  choice: FileChoice & { readonly cursor?: string },
  keepUses: number,
  parts: SearchParts,
  context: SearchContext,
): Promise<FoundSymbol> {
  const bound = { tool: 'locate', root: context.root.path, query: [...written.containers, written.name].join(' '), options: '' };
  const readBy = (state = ''): { symbol: SymbolName; isMacro: boolean } => {
    const isMacro = asMacro || state.includes(MACRO);
    return { symbol: isMacro ? macroOf(written) : written, isMacro };
  };
  const opened = await inFrame(
    choice,
    parts,
    context,
    (frame, from) =>
      findSymbolHits(readBy(from?.state).symbol.name, from?.state.includes(ANY_CASE) === true, keepUses, frame, from?.resume),
    (hits) => ({
      isEmpty: hits.files === 0,
      ends: hits.coverage.ends,
      isCut: isTimedOut(hits.coverage),
      asCut: () => undecided(hits),
    }),
    (selection) => new ResumeCursors(bound, selection).read(choice.cursor),
  );
  const { frame, found, rules } = opened;
  const gaps = opened.from?.gaps ?? 0;
  const { symbol, isMacro } = readBy(opened.from?.state);
  const define = async (hits: SymbolHits): Promise<FoundSymbol> => {
    const project = await detectProject(context.root, hits.languages);
    const { resume } = hits.coverage;
    const state = stateOf(hits.isAnyCase, isMacro);
    const nextCursor =
      resume === undefined
        ? undefined
        : new ResumeCursors(bound, frame.selection).write({ resume, state, rules, gaps: gaps + hits.coverage.uncovered.length });
    const definitions = await findDefinitions(symbol, hits, project, frame);
    // Another page may hold the one in that container.
    const isAll = choice.cursor === undefined && !isTimedOut(hits.coverage);
    return { frame, hits, project, definitions, elsewhere: isAll ? elsewhereNote(symbol, definitions) : [], nextCursor, gaps };
  };
  const exact = await define(found);
  // A call that goes on reads the name as the first one did.
  if (choice.cursor !== undefined) return exact;
  if (exact.definitions.length > 0 || isUnsure(found) || symbol.name !== symbol.name.toLowerCase()) {
    if (found.files > 0 || isUnsure(found)) return exact;
  }
  const anyCase = await define(await findSymbolHits(symbol.name, true, keepUses, frame));
  return anyCase.definitions.length > 0 || found.files === 0 ? anyCase : exact;
}

/** Uses that turn out to be definitions leave room for others. */
const MOST_DEFINITIONS = 200;

async function locateSymbol(query: LocateQuery, symbol: SymbolName, parts: SearchParts, context: SearchContext): Promise<LocateOutcome> {
  const started = performance.now();
  const keep = query.maxResults + MOST_DEFINITIONS;
  const { frame, hits, project, definitions, elsewhere, nextCursor, gaps } = await findSymbol(symbol, query, keep, parts, context);
  const { coverage } = hits;
  const timedOut = isTimedOut(coverage);
  const defined = new Set(definitions.map(({ path, nameLine }) => `${path}:${nameLine}`));
  const uses = hits.uses.filter(({ path, line }) => !defined.has(`${path}:${line}`));
  const places = [
    ...(query.kind === 'reference' ? [] : definitions.map(definitionPlace)),
    ...(query.kind === 'definition' ? [] : uses.map(usePlace)),
  ];
  const unparsed = definitions.filter(({ kind }) => kind === 'definition').length;
  const tests = definitions.filter(({ path }) => classOf(path) === 'test').length;
  const asked = timedOut ? undefined : askedOf(query, frame, context);
  // In a scope without the definition such a name is read in any letter case.
  const mayChangeCase = !hits.isAnyCase && symbol.name === symbol.name.toLowerCase();
  const gate =
    asked === undefined
      ? undefined
      : refineHits(
          { tally: tallyOf(query.kind, hits, definitions), shown: places.map(placeText), isJudged: query.kind !== 'any' || mayChangeCase },
          asked,
        );
  return {
    query,
    matchMode: hits.isAnyCase && hits.files > 0 ? 'symbol-any-case' : 'symbol',
    project,
    places: places.slice(0, gate?.status === 'refine' ? PREVIEW : query.maxResults),
    ...(gate === undefined ? {} : { gate }),
    totals: {
      definitions: definitions.length,
      references: Math.max(0, hits.counts.code - (definitions.length - tests)),
      tests: Math.max(0, hits.counts.test - tests),
      texts: hits.counts.text,
    },
    files: hits.files,
    searched: searchedBy(coverage.ends),
    timedOut,
    covered: coveredBy(coverage, frame.tree.size, hits.sights),
    nextCursor,
    isPartial: gaps > 0 || timedOut || leavesOut(coverage.ends),
    notes: [
      ...frame.notes,
      ...gapNotes(gaps),
      ...elsewhere,
      ...(unparsed > 0 && query.kind !== 'reference'
        ? [`${plural(unparsed, 'definition')} only by the look of the line (kind "definition"): the files were too many to be parsed`]
        : []),
      ...complaintNotes(coverage.ends),
    ],
    limitMs: context.deadline.limitMs,
    elapsedMs: Math.round(performance.now() - started),
  };
}

/** Places that a refusal shows. */
export const PREVIEW = 3;

function askedOf({ gate, ...choice }: LocateQuery, { passes }: Frame, { root }: SearchContext): Asked | undefined {
  const selection = passes[0]?.walk.selection;
  if (gate === undefined || selection === undefined) return undefined;
  return { gate, root: root.path, base: selection.isScopeFile ? undefined : selection.scope, choice, takesGlobs: true };
}

/** What was asked for, file by file: every line with the name, or the definitions alone, or all others. */
function tallyOf(kind: LocateQuery['kind'], { tally }: SymbolHits, definitions: readonly SymbolDefinition[]): readonly FileHits[] {
  if (kind === 'any') return tally;
  const defined = new Map<string, number>();
  for (const { path } of definitions) defined.set(path, (defined.get(path) ?? 0) + 1);
  if (kind === 'definition') return [...defined].map(([path, hits]) => ({ path, hits }));
  return tally.map(({ path, hits }) => ({ path, hits: Math.max(0, hits - (defined.get(path) ?? 0)) }));
}

const placeText = ({ path, startLine, endLine, kind, name, signature }: LocatedPlace): string =>
  `${path}:${startLine}-${endLine}  ${kind}  ${signature === '' ? name : signature}`;

function definitionPlace({ path, startLine, endLine, kind, isDeclaration, container, name, signature }: SymbolDefinition): LocatedPlace {
  const full = container === '' ? name : `${container}.${name}`;
  return { path, startLine, endLine, kind: isDeclaration ? 'declaration' : kind, name: full, signature };
}

function usePlace(hit: SymbolHit): LocatedPlace {
  const kind = hit.role !== 'code' ? hit.role : useRank(hit) === 1 ? 'test' : useRank(hit) === 2 ? hit.class : 'reference';
  return { path: hit.path, startLine: hit.line, endLine: hit.line, kind, name: hit.name, signature: '' };
}

async function locateWords(query: LocateQuery, parts: SearchParts, context: SearchContext): Promise<LocateOutcome> {
  const started = performance.now();
  const topK = Math.min(query.maxResults, LIMITS.topK.max);
  const ranked = await searchRanked({ ...query, tool: 'locate', topK, includeTests: false, namesBlocks: false }, parts, context);
  const budget = new ParseBudget(parts.limits);
  const places: LocatedPlace[] = [];
  const gate =
    query.gate === undefined || ranked.relevance === undefined || ranked.timedOut
      ? undefined
      : refineRanked(ranked.totalFiles, ranked.relevance, { gate: query.gate, root: context.root.path });
  for (const place of ranked.places.slice(0, gate?.status === 'refine' ? PREVIEW : query.maxResults)) {
    const source = budget.isSpent || context.deadline.isOver ? undefined : await parts.sources.read(place.path, context);
    if (source !== undefined) budget.take(source);
    places.push(blockOf(place, source));
  }
  return {
    query,
    matchMode: 'words',
    project: await detectProject(context.root, new Map()),
    places,
    ...(gate === undefined ? {} : { gate }),
    totals: { definitions: 0, references: ranked.totalMatches, tests: 0, texts: 0 },
    files: ranked.totalFiles,
    searched: ranked.searched,
    timedOut: ranked.timedOut,
    covered: ranked.covered,
    nextCursor: ranked.nextCursor,
    isPartial: ranked.isPartial,
    notes: [...ranked.notes, ...(query.kind === 'any' ? [] : ['kind was not used: it is about a symbol, and this query is words'])],
    limitMs: ranked.limitMs,
    elapsedMs: Math.round(performance.now() - started),
  };
}

/** The function or class that a place is about; the best lines alone where there is none. */
function blockOf({ path, window, evidence }: Place, source: Source | undefined): LocatedPlace {
  const block = source === undefined ? undefined : bestBlock(evidence, window, source);
  if (block === undefined) return { path, startLine: window.start, endLine: window.end, kind: 'file', name: '', signature: '' };
  return { ...definitionPlace({ ...block, path, isConfirmed: true, score: 0 }), kind: block.kind };
}
