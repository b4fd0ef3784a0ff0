/** Relations in code, at query time: who calls, what is called, what imports what, what a change reaches. Every edge names the line
 *  that proves it; what cannot be told apart is said. */
import { plural, showJson, showPath, showWord } from '../base/display.js';
import { ToolError } from '../base/errors.js';
import { type LanguageName, languageOf } from '../code/language.js';
import type { Definition } from '../code/structure.js';
import { classOf } from '../ranking/path-class.js';
import type { SearchEnd } from '../ripgrep/process.js';
import { blockName } from './blocks.js';
import { type Callee, type CalleePlace, calleesIn, type FoundCallees, findCallees } from './callees.js';
import { type CallSite, findCalls } from './calls.js';
import type { SearchContext, SearchParts } from './context.js';
import { isTimedOut } from './cover.js';
import type { SymbolDefinition } from './definitions.js';
import { findDependents } from './dependents.js';
import type { FileHits } from './distribution.js';
import type { Edge, Section } from './edge.js';
import { anchorOf, type Relation, relationOf } from './explore-query.js';
import { type Frame, inFrame } from './frame.js';
import type { Gate } from './gate.js';
import { ImportResolver } from './imports.js';
import { type FoundSymbol, PREVIEW, refuseIfCut } from './locate.js';
import { complaintNotes, leavesOut } from './notes.js';
import { overview } from './overview.js';
import type { Refinement } from './refinement.js';
import { refineHits } from './symbol-gate.js';
import { findNamed, resolveFile } from './target.js';

export interface ExploreQuery {
  readonly relation: Relation | 'auto';
  readonly anchor?: string;
  readonly question?: string;
  readonly scope?: string;
  /** Levels of callers; undefined means 1, and 3 for an impact. */
  readonly depth?: number;
  /** Asked whether the result is too much; absent where the caller wants it all the same. */
  readonly gate?: Gate;
}

export interface ExploreOutcome {
  readonly relation: Relation;
  readonly anchor: string;
  readonly sections: readonly Section[];
  readonly notes: readonly string[];
  /** There are too many callers or dependents, and what would narrow them. */
  readonly gate?: Refinement;
  readonly timedOut: boolean;
  readonly isPartial: boolean;
  readonly limitMs: number;
  readonly elapsedMs: number;
}

const MOST_CALLEES = 60;
const MOST_VALUES = 40;
const MOST_POSSIBLE = 40;
const IMPACT_DEPTH = 3;
/** Callers of one level that are followed to the next. */
const MOST_FOLLOWED = 25;
const MOST_NAMED = 5;

type Answer = Pick<ExploreOutcome, 'sections' | 'notes'> & {
  readonly anchor?: string;
  readonly ends: readonly SearchEnd[];
  readonly isCut?: boolean;
  readonly reach?: Reach;
};

/** Lines that call or import what was asked about, file by file. */
interface Reach {
  readonly tally: readonly FileHits[];
  readonly frame: Frame;
  /** Some files were not looked into. */
  readonly isAtLeast: boolean;
}

/** @throws ToolError for bad arguments, target_missing, and a ripgrep that cannot run */
export async function explore(query: ExploreQuery, parts: SearchParts, context: SearchContext): Promise<ExploreOutcome> {
  const started = performance.now();
  const question = query.question ?? '';
  const asked = query.relation === 'auto' ? relationOf(question) : query.relation;
  const anchor = (query.anchor ?? anchorOf(question))?.trim();
  if (anchor === undefined && asked !== undefined && asked !== 'overview') {
    throw new ToolError('argument_invalid', `"anchor" is missing: the symbol or file whose ${asked} are asked for.`);
  }
  const relation = asked ?? (anchor === undefined ? 'overview' : await likelyRelation(anchor, context));
  const choice = query.scope === undefined ? {} : { scope: query.scope };
  const answer: Answer =
    relation === 'overview'
      ? await overview(query.scope ?? anchor ?? '', parts, context)
      : await relate(relation, anchor ?? '', choice, query.depth, parts, context);
  const timedOut = answer.isCut === true || answer.ends.some((end) => end.reason === 'deadline') || context.deadline.isOver;
  const sections = answer.sections.filter(({ edges }) => edges.length > 0);
  const gate = timedOut ? undefined : refineReach(answer.reach, sections, query, context);
  return {
    relation,
    anchor: answer.anchor ?? anchor ?? '',
    sections: gate?.status === 'refine' ? firstEdges(sections, PREVIEW) : sections,
    ...(gate === undefined ? {} : { gate }),
    notes: [...answer.notes, ...complaintNotes(answer.ends)],
    timedOut,
    isPartial: timedOut || leavesOut(answer.ends),
    limitMs: context.deadline.limitMs,
    elapsedMs: Math.round(performance.now() - started),
  };
}

function refineReach(
  reach: Reach | undefined,
  sections: readonly Section[],
  query: ExploreQuery,
  { root }: SearchContext,
): Refinement | undefined {
  const selection = reach?.frame.passes[0]?.walk.selection;
  if (query.gate === undefined || reach === undefined || selection === undefined) return undefined;
  const texts = sections.flatMap(({ edges }) => edges.map(({ path, line, text }) => `${path}:${line}  ${text}`));
  const base = selection.isScopeFile ? undefined : selection.scope;
  const asked = { gate: query.gate, root: root.path, base, choice: {}, takesGlobs: false };
  return refineHits({ tally: reach.tally, shown: texts, isAtLeast: reach.isAtLeast, isJudged: true }, asked);
}

/** The definition does not count. */
function firstEdges(sections: readonly Section[], most: number): Section[] {
  let left = most + 1;
  return sections.flatMap(({ title, edges }) => {
    const some = edges.slice(0, left);
    left -= some.length;
    return some.length === 0 ? [] : [{ title, edges: some }];
  });
}

function tallyLines(places: readonly { readonly path: string; readonly line: number }[]): FileHits[] {
  const lines = new Map<string, Set<number>>();
  for (const { path, line } of places) lines.set(path, (lines.get(path) ?? new Set()).add(line));
  return [...lines].map(([path, numbers]) => ({ path, hits: numbers.size }));
}

/** Of a file one asks who needs it, of a symbol who calls it. */
async function likelyRelation(anchor: string, context: SearchContext): Promise<Relation> {
  const file = await resolveFile(anchor, context);
  return file === undefined ? 'callers' : 'dependents';
}

type Choice = { readonly scope?: string };

async function relate(
  relation: Exclude<Relation, 'overview'>,
  anchor: string,
  choice: Choice,
  depth: number | undefined,
  parts: SearchParts,
  context: SearchContext,
): Promise<Answer> {
  const file = await resolveFile(anchor, context);
  if (file !== undefined) {
    if (relation === 'dependencies') return dependencies(file, parts, context);
    if (relation === 'dependents' || relation === 'impact') return dependents(file, choice, parts, context);
    throw new ToolError('argument_invalid', `${showJson(anchor)} is a file; ${relation} are those of a function.`, {
      hint: 'Give a symbol as anchor, or ask for its dependencies or dependents.',
    });
  }
  // Definitions may lie outside the scope in which callers are looked for.
  const { symbol, found } = await findNamed(anchor, parts, context);
  const best = found.definitions.find(isBody) ?? found.definitions.find(({ isDeclaration }) => !isDeclaration) ?? found.definitions[0];
  if (best === undefined && (found.hits.files === 0 || !(relation === 'callers' || relation === 'impact')))
    refuseIfCut(found, anchor, context);
  if (relation === 'callers' || relation === 'impact') {
    if (best === undefined && found.hits.files === 0) throw missing(anchor);
    const levels = depth ?? (relation === 'impact' ? IMPACT_DEPTH : 1);
    return callers(symbol.name, found, best, choice, levels, parts, context);
  }
  if (best === undefined) throw missing(anchor);
  if (relation === 'callees') return callees(best, found, parts, context);
  const answer = await (relation === 'dependencies'
    ? dependencies(best.path, parts, context)
    : dependents(best.path, choice, parts, context));
  return { ...answer, notes: [...found.elsewhere, ...answer.notes] };
}

const missing = (anchor: string): ToolError =>
  new ToolError('target_missing', `${showJson(anchor)} names no file and no symbol that is defined here.`);

const edgeOf = (path: string, line: number, text: string, lines: readonly number[] = []): Edge => ({ path, line, lines, text });

const definitionEdge = (one: SymbolDefinition): Edge =>
  edgeOf(one.path, one.startLine, `${one.isDeclaration ? 'declaration of ' : ''}${blockName(asBlock(one))}`);

const asBlock = ({ kind, container, name }: SymbolDefinition): Pick<Definition, 'kind' | 'container' | 'name'> => ({
  kind: kind === 'definition' ? 'function' : kind,
  container,
  name,
});

/** Kinds that name something whose body is elsewhere: a property of an interface, a type beside its value, an export. */
const NO_BODY: ReadonlySet<string> = new Set(['property', 'field', 'export', 'interface', 'type']);
const isBody = ({ isDeclaration, kind }: SymbolDefinition): boolean => !isDeclaration && !NO_BODY.has(kind);

/** Several bodies of one name cannot be told apart by a call. */
function ambiguity(name: string, { definitions }: FoundSymbol): string[] {
  const bodies = definitions.filter((one) => isBody(one) && classOf(one.path) !== 'test');
  if (bodies.length < 2) return [];
  const places = bodies.slice(0, MOST_NAMED).map(({ path, startLine }) => `${showPath(path)}:${startLine}`);
  return [
    `${showWord(name)} has ${bodies.length} definitions (${places.join(', ')}${bodies.length > MOST_NAMED ? ', …' : ''}); calls are matched by name`,
  ];
}

const undefinedNote = (name: string): string => `no definition of ${showWord(name)} was found here; these are uses of that name`;

async function callers(
  name: string,
  found: FoundSymbol,
  best: SymbolDefinition | undefined,
  choice: Choice,
  levels: number,
  parts: SearchParts,
  context: SearchContext,
): Promise<Answer> {
  // Variants in one file, as under #ifdef, are one definition to a caller.
  const isUnique = new Set(found.definitions.filter(isBody).map(({ path }) => path)).size <= 1;
  let targets = new Map(best === undefined || !isUnique ? [] : [[name, best]]);
  let names = [name];
  const seen = new Set(names);
  const sections: (Section & { readonly level: number })[] = [];
  const ends: SearchEnd[] = [];
  const notes = [...found.elsewhere, ...ambiguity(name, found), ...(best === undefined ? [undefinedNote(name)] : [])];
  const tests = new Map<string, number>();
  let reach: Reach | undefined;
  let hasPossible = false;
  for (let level = 1; level <= levels && names.length > 0; level++) {
    const { frame, found: calls } = await inFrame(
      choice,
      parts,
      context,
      (open) => findCalls(names, targets, open),
      (one) => ({ isEmpty: one.sites.length === 0 && one.possible.length === 0, ends: one.ends }),
    );
    const isAtLeast = calls.cut > 0 || calls.unparsed > 0;
    if (level === 1) {
      notes.unshift(...frame.notes);
      reach = { tally: tallyLines([...calls.sites, ...calls.values]), frame, isAtLeast };
    }
    ends.push(...calls.ends);
    for (const { path, isTest } of calls.sites) if (isTest) tests.set(path, (tests.get(path) ?? 0) + 1);
    const code = calls.sites.filter(({ isTest }) => !isTest);
    sections.push({
      level,
      title: level === 1 ? `callers of ${showWord(name)}` : `callers at level ${level}`,
      edges: callerEdges(code, level > 1),
      isAtLeast,
    });
    hasPossible ||= calls.possible.length > 0;
    if (level === 1 && calls.possible.length > 0) {
      const edges = callerEdges(calls.possible, false);
      sections.push({
        level,
        title: `may be called: what stands in front of ${showWord(name)} is not known`,
        edges: edges.slice(0, MOST_POSSIBLE),
        isAtLeast: isAtLeast || edges.length > MOST_POSSIBLE,
      });
      if (edges.length > MOST_POSSIBLE)
        notes.push(`${edges.length - MOST_POSSIBLE} further places that may call ${showWord(name)}; narrow scope`);
    }
    if (level === 1 && calls.values.length > 0) {
      const values = calls.values.slice(0, MOST_VALUES);
      sections.push({
        level,
        title: `${showWord(name)} used without a call`,
        edges: values.map((hit) => edgeOf(hit.path, hit.line, hit.text.trim())),
        isAtLeast: isAtLeast || calls.values.length > values.length,
      });
      if (calls.values.length > values.length)
        notes.push(`${calls.values.length - values.length} further places that use ${showWord(name)} without a call; narrow scope`);
    }
    notes.push(...limitsOf(calls, names));
    const next = new Map<string, SymbolDefinition | undefined>();
    for (const { caller } of code)
      if (caller !== undefined && isFollowed(caller) && !seen.has(caller.name)) next.set(caller.name, undefined);
    names = [...next.keys()].slice(0, MOST_FOLLOWED);
    if (level < levels && next.size > names.length)
      notes.push(`${next.size - names.length} callers of level ${level} were not followed further`);
    for (const one of names) seen.add(one);
    targets = new Map();
  }
  if (levels > 1 && hasPossible) notes.push('callers of what may be called are not followed');
  if (levels > 1 && sections.length > 1) notes.push('from level 2 on calls are matched by name alone');
  const testEdges = [...tests].map(([path, times]) => edgeOf(path, 0, plural(times, 'call')));
  // Tests are what a reader runs next, so they come before the callers of callers.
  const first = sections.filter(({ level }) => level === 1);
  const deeper = sections.filter(({ level }) => level > 1);
  return {
    sections: [
      { title: 'definition', edges: best === undefined ? [] : [definitionEdge(best)] },
      ...first,
      { title: 'tests that call them', edges: testEdges },
      ...deeper,
    ],
    notes,
    ends,
    isCut: isTimedOut(found.hits.coverage),
    ...(reach === undefined ? {} : { reach }),
  };
}

const isFollowed = ({ kind }: Definition): boolean => kind === 'function' || kind === 'method' || kind === 'macro';

function limitsOf(calls: Awaited<ReturnType<typeof findCalls>>, names: readonly string[]): string[] {
  const what = names.length === 1 ? showWord(names[0] ?? '') : 'these names';
  return [
    ...(calls.others > 0
      ? [`${plural(calls.others, 'call')} of something else named ${what} left out, by what stands in front of the name`]
      : []),
    ...(calls.unparsed > 0
      ? [`${plural(calls.unparsed, 'file')} with calls not parsed (too many or too large): their callers are not named`]
      : []),
    ...(calls.cut > 0 ? [`${plural(calls.cut, 'further line')} with ${what} not looked at; narrow scope`] : []),
  ];
}

/** One edge a caller, with all its lines. */
function callerEdges(sites: readonly CallSite[], namesCallee: boolean): Edge[] {
  const groups = new Map<string, { site: CallSite; lines: number[] }>();
  for (const site of sites) {
    const key = `${site.path}\n${site.caller?.nameLine ?? 0}\n${site.caller?.nameColumn ?? 0}\n${namesCallee ? site.name : ''}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { site, lines: [site.line] });
    else if (group.lines.at(-1) !== site.line) group.lines.push(site.line);
  }
  return [...groups.values()].map(({ site, lines }) => {
    const where = site.caller === undefined ? (site.isParsed ? 'top level' : 'not parsed') : `in ${blockName(site.caller)}`;
    return edgeOf(site.path, site.line, namesCallee ? `${where} calls ${site.name}` : where, lines.slice(1));
  });
}

async function callees(best: SymbolDefinition, found: FoundSymbol, parts: SearchParts, context: SearchContext): Promise<Answer> {
  const { frame } = found;
  const source = await parts.sources.read(best.path, context, { calls: true, imports: true });
  const all = source === undefined ? [] : calleesIn(source.structure, best);
  const most = all.slice(0, MOST_CALLEES);
  const { known, possible, outside, ends } = source === undefined ? NO_CALLEES : await findCallees(most, best, source, frame);
  return {
    sections: [
      { title: 'definition', edges: [definitionEdge(best)] },
      { title: `called by ${showWord(best.name)}`, edges: calleeEdges(known) },
      { title: `may be called by ${showWord(best.name)}: the name fits`, edges: calleeEdges(possible) },
    ],
    notes: [
      ...frame.notes,
      ...(outside.length > 0 ? [`not defined here: ${[...new Set(outside.map(fullName))].map(showWord).join(', ')}`] : []),
      ...(all.length > MOST_CALLEES ? [`${all.length - MOST_CALLEES} further callees`] : []),
      ...(source === undefined ? ['the file could not be parsed'] : []),
      ...found.elsewhere,
      ...ambiguity(best.name, found),
    ],
    ends: [...found.hits.coverage.ends, ...ends],
    isCut: isTimedOut(found.hits.coverage),
  };
}

const NO_CALLEES: FoundCallees = { known: [], possible: [], outside: [], ends: [] };

const fullName = ({ name, receiver }: Callee): string => (receiver === '' ? name : `${receiver}.${name}`);

/** One edge a definition, with all the lines that call it. */
function calleeEdges(places: readonly CalleePlace[]): Edge[] {
  const groups = new Map<string, { place: CalleePlace; lines: number[] }>();
  for (const place of places) {
    const key = `${place.path}\n${place.line}\n${place.callee.name}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { place, lines: [...place.callee.lines] });
    else group.lines.push(...place.callee.lines);
  }
  return [...groups.values()].map(({ place, lines }) => {
    const unique = [...new Set(lines)].sort((a, b) => a - b);
    const at = `called in line ${unique.slice(0, MOST_NAMED).join(', ')}${unique.length > MOST_NAMED ? ', …' : ''}`;
    const among = place.count > 1 ? `, one of ${place.count} definitions` : '';
    return edgeOf(place.path, place.line, `${fullName(place.callee)}${among}  ${at}`);
  });
}

async function dependencies(path: string, parts: SearchParts, context: SearchContext): Promise<Answer> {
  const source = await parts.sources.read(path, context, { imports: true });
  if (source === undefined) throw new ToolError('argument_invalid', `${showJson(path)} is too large to be parsed, or no text.`);
  const resolver = new ImportResolver(context.root);
  const language: LanguageName | undefined = languageOf(path) ?? source.structure.language;
  const inside: Edge[] = [];
  const outside: Edge[] = [];
  for (const one of source.structure.imports) {
    const { path: file } = await resolver.resolve(path, language, one);
    const names = one.names.map(({ name, alias }) => (alias === undefined ? name : `${name} as ${alias}`)).join(', ');
    if (file === undefined) outside.push(edgeOf(path, one.line, `${one.module}${names === '' ? '' : `: ${names}`}`));
    else inside.push(edgeOf(path, one.line, `${file === '' ? '.' : file}${names === '' ? '' : `: ${names}`}`));
  }
  return {
    anchor: path,
    sections: [
      { title: 'files below the root', edges: inside },
      { title: 'from outside, or not resolved', edges: outside },
    ],
    notes: [
      ...(source.structure.source === 'fallback' ? ['read by the look of lines: no grammar for this file'] : []),
      ...(source.structure.imports.length === 0 ? ['no imports found'] : []),
    ],
    ends: [],
  };
}

async function dependents(path: string, choice: Choice, parts: SearchParts, context: SearchContext): Promise<Answer> {
  const opened = await inFrame(
    choice,
    parts,
    context,
    (frame: Frame) => findDependents(path, frame),
    (found) => ({ isEmpty: found.edges.length === 0, ends: found.ends }),
  );
  const { edges, unresolved, unparsed, ends } = opened.found;
  const toEdge = ({ path: from, line, text }: { path: string; line: number; text: string }): Edge => edgeOf(from, line, text);
  const isTest = ({ path: from }: { path: string }): boolean => classOf(from) === 'test';
  return {
    anchor: path,
    sections: [
      { title: `files that import ${showPath(path)}`, edges: edges.filter((edge) => !isTest(edge)).map(toEdge) },
      { title: 'tests that import it', edges: edges.filter(isTest).map(toEdge) },
      { title: 'may import it: the name fits, the file could not be resolved', edges: unresolved.map(toEdge) },
    ],
    notes: [...opened.frame.notes, ...(unparsed > 0 ? [`${plural(unparsed, 'file')} with the name not parsed: too many`] : [])],
    ends,
    reach: { tally: tallyLines([...edges, ...unresolved]), frame: opened.frame, isAtLeast: unparsed > 0 },
  };
}
