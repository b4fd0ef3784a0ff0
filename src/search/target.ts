/** What a read is about: a file, lines of it, or a symbol, widened to the function or class around. */
import { plural, showJson, showPath, showWord } from '../base/display.js';
import { ToolError } from '../base/errors.js';
import { hasFileEnding } from '../code/language.js';
import type { SearchContext, SearchParts } from './context.js';
import { isWithin, type SymbolDefinition } from './definitions.js';
import { type FoundSymbol, findSymbol, refuseIfCut } from './locate.js';
import { EVERYTHING, passesOf, readRootRules } from './selection.js';
import { parseSymbol, type SymbolName } from './symbol-query.js';

export interface LineRange {
  readonly path: string;
  readonly startLine: number;
  /** undefined means to the end of the file. */
  readonly endLine: number | undefined;
  /** What was chosen, and what else could have been meant. */
  readonly notes: readonly string[];
}

/** Lines around a single line that no function or class holds. */
const AROUND = 10;
const MOST_OTHERS = 5;

/** `path`, `path:10`, `path:10-40`, `Symbol` or `Class.method`. A file that exists comes before a symbol of the same spelling.
 *  @param expand undefined means: for a symbol and a single line
 *  @throws ToolError target_missing, path errors */
export async function resolveTarget(
  target: string,
  expand: boolean | undefined,
  parts: SearchParts,
  context: SearchContext,
): Promise<LineRange> {
  const [, name = target, start, end] = /^(.+?)(?::(\d+)(?:-(\d+))?)?$/s.exec(target.trim()) ?? [];
  const path = await resolveFile(name, context);
  if (path !== undefined) {
    if (start === undefined) return { path, startLine: 1, endLine: undefined, notes: [] };
    const range = { path, startLine: Number(start), endLine: Number(end ?? start), notes: [] };
    if (Number(start) < 1) throw new ToolError('range_invalid', `${showJson(target)}: lines count from 1.`);
    if (range.endLine < range.startLine) throw new ToolError('range_invalid', `${showJson(target)} ends before it starts.`);
    return (expand ?? end === undefined) ? widen(range, parts, context) : range;
  }
  const { found } = await findNamed(target, parts, context, name);
  const { definitions } = found;
  const best = definitions.find(({ isDeclaration }) => !isDeclaration) ?? definitions[0];
  if (best === undefined) refuseIfCut(found, target, context);
  if (best === undefined) throw await missing(target, name, context);
  const { startLine, endLine, nameLine } = best;
  const range = expand === false ? { startLine: nameLine, endLine: nameLine } : { startLine, endLine };
  return { path: best.path, ...range, notes: [...found.elsewhere, `${whatIs(best)}${others(definitions, best)}`] };
}

/** The symbol that a text names, where it names no file. One that looks like a path is not looked up by its ending: what `src/nope.ts`
 *  names is a file that is not there, and not `ts`.
 *  @param name the text without the lines behind it
 *  @throws ToolError target_missing, path errors */
export async function findNamed(
  target: string,
  parts: SearchParts,
  context: SearchContext,
  name = target,
): Promise<{ readonly symbol: SymbolName; readonly found: FoundSymbol }> {
  const symbol = parseSymbol(target);
  if (symbol === undefined || hasSlash(target, symbol)) throw await missing(target, name, context);
  const found = await findSymbol(symbol, {}, 1, parts, context);
  if (await isFileName(name, symbol, found, parts, context)) {
    refuseIfCut(found, target, context);
    const error = await missing(target, name, context);
    const hint = `${error.hint} If a symbol is meant, name it alone: ${showJson(symbol.name)}.`;
    throw error.code === 'path_missing' ? new ToolError(error.code, error.message, { hint }) : error;
  }
  return { symbol, found };
}

/** An operator may have a slash in its own name, the brackets of a call in its arguments. */
const hasSlash = (target: string, { name }: SymbolName): boolean => !name.includes('/') && target.replace(/\(.*$/s, '').includes('/');

/** Whether `a.b` is a file that is not there rather than `b` of `a`: nothing in an `a` is called `b`, and files end so. */
async function isFileName(
  name: string,
  { containers }: SymbolName,
  { definitions }: FoundSymbol,
  parts: SearchParts,
  context: SearchContext,
): Promise<boolean> {
  const ending = /\.\w{1,8}$/.exec(name)?.[0];
  if (ending === undefined || definitions.some(({ container }) => isWithin(container, '', containers))) return false;
  if (hasFileEnding(name)) return true;
  // Where nothing is defined, the reply is about the path anyway.
  if (definitions.length === 0 || definitions.some(({ path }) => isWithin('', path, containers))) return false;
  return hasFilesEnding(ending, parts, context);
}

async function hasFilesEnding(ending: string, { ripgrep, scan, limits }: SearchParts, context: SearchContext): Promise<boolean> {
  const rules = await readRootRules(context.root, scan, limits);
  let isFound = false;
  for (const { walk, accepts } of passesOf(EVERYTHING, rules, context.root, { isSorted: false, main: 'all' })) {
    await ripgrep.list(walk, context, (path) => {
      isFound ||= path.endsWith(ending) && accepts(path);
      return !isFound;
    });
    if (isFound) break;
  }
  return isFound;
}

/** Lines widened to the innermost function or class that holds them all. */
export async function widen(range: LineRange, parts: SearchParts, context: SearchContext): Promise<LineRange> {
  const { path, startLine, endLine = startLine } = range;
  const source = await parts.sources.read(path, context);
  if (source === undefined) return { ...range, notes: [...range.notes, 'not expanded: the file is too large to be parsed, or no text'] };
  const block = source.structure.definitions
    .filter((one) => one.startLine <= startLine && one.endLine >= endLine && one.endLine > one.startLine)
    .at(-1);
  if (block !== undefined) {
    const how = source.structure.source === 'tree' ? '' : ' (by the look of its lines: no grammar for this file)';
    return {
      path,
      startLine: block.startLine,
      endLine: block.endLine,
      notes: [...range.notes, `expanded to ${block.kind} ${showWord(fullName(block))}${how}`],
    };
  }
  const note = `no function or class around line ${startLine}`;
  if (startLine !== endLine) return { ...range, notes: [...range.notes, note] };
  return {
    path,
    startLine: Math.max(1, startLine - AROUND),
    endLine: Math.min(Math.max(startLine, source.lines.length), startLine + AROUND),
    notes: [...range.notes, `${note}; lines around it`],
  };
}

const fullName = ({ container, name }: { container: string; name: string }): string => (container === '' ? name : `${container}.${name}`);
const whatIs = (one: SymbolDefinition): string => `${one.isDeclaration ? `${one.kind} declaration` : one.kind} ${showWord(fullName(one))}`;

function others(definitions: readonly SymbolDefinition[], best: SymbolDefinition): string {
  const rest = definitions.filter((one) => one !== best);
  if (rest.length === 0) return '';
  const shown = rest.slice(0, MOST_OTHERS).map((one) => `${showPath(one.path)}:${one.startLine} ${whatIs(one)}`);
  const more = rest.length > MOST_OTHERS ? `, and ${rest.length - MOST_OTHERS} more (locate)` : '';
  return `; ${plural(rest.length, 'other candidate')}: ${shown.join(', ')}${more}`;
}

const looksLikePath = (name: string): boolean => /[/\\]|\.\w{1,8}$/.test(name);

/** The file of that name, or undefined when there is none. */
export async function resolveFile(name: string, context: SearchContext): Promise<string | undefined> {
  try {
    const file = await context.root.resolve(name, { offersNames: false });
    return file.kind === 'file' ? file.relative : undefined;
  } catch (error) {
    const isAbsent = error instanceof ToolError && error.code === 'path_missing';
    // A path that leads out of the root is refused as such.
    if (isAbsent || !looksLikePath(name)) return undefined;
    throw error;
  }
}

export function folderError(path: string): ToolError {
  return new ToolError('not_a_file', `${showJson(path)} is a folder.`, {
    hint: `List it with list_files ${showJson({ scope: path })}.`,
  });
}

/** For what looks like a path, or is a folder, the error of the path, which names near ones. */
async function missing(target: string, name: string, context: SearchContext): Promise<ToolError> {
  const found = await context.root.resolve(name).catch((reason: unknown) => reason);
  if (found instanceof ToolError && looksLikePath(name)) return found;
  if (!(found instanceof Error)) return folderError(name);
  return new ToolError('target_missing', `${showJson(target)} names no file and no symbol that is defined here.`, {
    hint: `Find it with search_code ${showJson({ query: target })} or locate; a path is relative to the root.`,
  });
}
