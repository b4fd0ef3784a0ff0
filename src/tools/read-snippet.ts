/** read_snippet: lines of one file, a symbol's body, or the block around a line; bounded by lines and by characters, continued by
 *  position. */
import { bytes, clip, count, cutAround, plural, showControls, showJson, showPath } from '../base/display.js';
import { ToolError } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import type { Since, WantedLines } from '../search/since.js';
import type { Stamped } from '../search/stamps.js';
import type { LineRange } from '../search/target.js';
import { LONGEST_SECRET, looksLikeKeyBody, MOST_KEY_LINES, maskParts, type Part, secretsOf } from '../security/mask.js';
import type { ConfinedPath } from '../security/root.js';
import type { RangeRequest, Snippet, SnippetLine } from '../security/snippet.js';
import { countWithin, fit } from './fit.js';
import { maskedFacts, stampOf } from './marks.js';
import { integer, READ_MAX_CHARS, ROOT } from './properties.js';
import { defineTool, type ToolContext } from './tool.js';

interface Arguments {
  readonly path?: string;
  readonly startLine?: number;
  readonly endLine?: number;
  readonly target?: string;
  readonly expand?: boolean;
  readonly maxLines?: number;
  readonly startColumn?: number;
  readonly stamp?: string;
  readonly maxChars?: number;
}

interface ReadOutcome extends Stamped<object> {
  readonly path: string;
  readonly startLine: number;
  /** As asked for; undefined means to the end of the file. */
  readonly endLine: number | undefined;
  readonly startColumn: number;
  readonly maxLines: number;
  readonly snippet: Snippet;
  /** Of a line's text as it is in `snippet`, by line: what a mark stands for. */
  readonly secrets?: ReadonlyMap<number, readonly Part[]>;
  /** How a target was understood, and what changed since the stamp that was given. */
  readonly notes: readonly string[];
}

export const readSnippet = defineTool<Arguments, ReadOutcome>({
  name: 'read_snippet',
  group: 'search',
  // The target may be a symbol, which is looked for in the whole tree.
  lane: ({ path }) => (path === undefined ? 'wide' : 'light'),
  effect: 'reads',
  description:
    'Lines of a file by path, or target: a symbol (its whole body), path:10 (the function around it), path:10-40. ' +
    'A cut reply names the next call.',
  input: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'File', minLength: 1, maxLength: LIMITS.pathChars.max },
      target: {
        type: 'string',
        description: 'In place of path: Symbol, Class.method, path:10',
        minLength: 1,
        maxLength: LIMITS.pathChars.max,
      },
      expand: { type: 'boolean', description: 'Widen to the function or class (default for a symbol or path:10)' },
      startLine: integer('lineNumber', 'First line'),
      endLine: integer('lineNumber', 'Last line (default: what fits)', { hasDefault: false }),
      maxLines: integer('maxLines', 'Lines shown'),
      startColumn: integer('columnNumber', 'Start in the first line'),
      stamp: { type: 'string', description: '@… of an earlier reply: what changed since', pattern: '^@?[\\w-]{6}$' },
      root: ROOT,
      maxChars: READ_MAX_CHARS,
    },
    additionalProperties: false,
  },
  budget: 'readMaxChars',
  run: async (given, context) => {
    const { readRange } = await import('../security/snippet.js');
    const { args, since } = await followStamp(given, context);
    const startColumn = args.startColumn ?? 1;
    const maxLines = args.maxLines ?? LIMITS.maxLines.def;
    const maxChars = args.maxChars ?? context.limits.readMaxChars;
    const wanted = await rangeOf(args, context);
    const { startLine } = wanted;
    const file = await context.root.resolve(wanted.path);
    if (file.kind === 'folder')
      throw new ToolError('not_a_file', `${showJson(wanted.path)} is a folder.`, {
        hint: `List it with list_files ${showJson({ scope: file.relative || '.' })}.`,
      });
    const endLine = Math.min(wanted.endLine ?? Number.POSITIVE_INFINITY, startLine + maxLines - 1);
    const range = { startLine, endLine, startColumn, maxChars, countLinesBytes: context.limits.countLinesBytes };
    const snippet = await readRange(context.root, file, range, context);
    const notes = [...wanted.notes, ...(since ?? (await sinceStamp(file.relative, undefined, args, context))).notes];
    refuseBeyond(snippet, startLine, startColumn, file.relative, since?.notes ?? []);
    // Only a line that fills the budget alone is shown in part.
    const last = snippet.lines.at(-1);
    const lines = snippet.lines.length > 1 && last?.isCut === true ? snippet.lines.slice(0, -1) : snippet.lines;
    const { stampFiles } = await import('../search/stamps.js');
    const whole = lines.filter((line) => !line.isCut && line.text.length >= line.length - 1);
    return {
      path: file.relative,
      startLine,
      endLine: wanted.endLine,
      startColumn,
      maxLines,
      snippet: { ...snippet, lines },
      secrets: context.root.masksSecrets ? await secretsIn(lines, range, file, context) : new Map(),
      stamps: await stampFiles([{ path: file.relative, lines: new Map(whole.map(({ line, text }) => [line, text])) }], context),
      notes,
    };
  },
  text: (outcome, maxChars, style) => {
    const { lines } = outcome.snippet;
    const whole = (shown: number): string => render(outcome, lines.slice(0, shown), style.path);
    const isOneTooMuch = lines.length > 0 && whole(1).length > maxChars;
    return isOneTooMuch ? cutFirstLine(outcome, maxChars, style.path) : fit(lines.length, maxChars, whole);
  },
  data: (outcome, maxChars) => {
    const { lines, totalLines } = outcome.snippet;
    const stamp = outcome.stamps?.get(outcome.path);
    let shown = lines.slice(
      0,
      countWithin(lines, maxChars, (line) => shownText(outcome, line).length),
    );
    const [only] = shown;
    if (shown.length === 1 && only !== undefined && only.text.length > maxChars) {
      shown = [{ ...only, text: cutAround(only.text, 0, 0, maxChars).text, isCut: true }];
    }
    const next = nextCall(outcome, shown);
    return {
      path: outcome.path,
      requestedLines: { start: outcome.startLine, end: outcome.endLine ?? null },
      returnedLines: { start: shown[0]?.line ?? 0, end: shown.at(-1)?.line ?? 0 },
      totalLines: totalLines ?? null,
      lines: shown.map((line) => ({ line: line.line, text: shownText(outcome, line) })),
      truncated: next !== undefined,
      truncateReason: next === undefined ? null : shown.length >= outcome.maxLines ? 'maxLines' : 'maxChars',
      ...(stamp === undefined ? {} : { stamp }),
      notes: notesOf(outcome, shown, next),
      ...(next === undefined ? {} : { next }),
    };
  },
  found: (outcome) => outcome.snippet.lines.length > 0,
  summary: (outcome) => ({ lines: outcome.snippet.lines.length, bytes: outcome.snippet.size }),
});

/** The text with its marks; of a line that is cut once more, as far as it goes. */
function shownText({ secrets }: ReadOutcome, { line, text }: SnippetLine): string {
  const parts = secrets?.get(line)?.filter(({ start }) => start < text.length) ?? [];
  return maskParts(
    text,
    parts.map(({ start, end }) => ({ start, end: Math.min(end, text.length) })),
  );
}

async function secretsIn(
  lines: readonly SnippetLine[],
  range: RangeRequest,
  file: ConfinedPath,
  context: ToolContext,
): Promise<Map<number, readonly Part[]>> {
  const secrets = new Map<number, readonly Part[]>();
  const [first] = lines;
  if (first === undefined) return secrets;
  const { linesAbove } = await import('../security/snippet.js');
  // Nothing in a line of a private key's body tells what it is.
  const isSuspect = lines.some(({ text }) => looksLikeKeyBody(text));
  const above = isSuspect ? await linesAbove(context.root, file.relative, first.line, MOST_KEY_LINES, context) : [];
  const texts = lines.map(({ text }) => text);
  for (const [index, parts] of secretsOf(texts, above).entries())
    if (parts.length > 0) secrets.set((lines[index] as SnippetLine).line, parts);
  for (const line of lines) {
    const column = line === first ? range.startColumn : 1;
    if (column === 1 && !line.isCut) continue;
    const before = [...above, ...texts.slice(0, lines.indexOf(line))];
    secrets.set(line.line, await secretsAround(line, column, before, range, file, context));
  }
  return secrets;
}

/** The secrets of the shown part of a line, which is looked at with more of the line on both sides: a key may begin before the part, or
 *  end behind it.
 *  @param above the lines above it */
async function secretsAround(
  { line, text }: SnippetLine,
  column: number,
  above: readonly string[],
  range: RangeRequest,
  file: ConfinedPath,
  context: ToolContext,
): Promise<readonly Part[]> {
  const { readRange } = await import('../security/snippet.js');
  const startColumn = Math.max(1, column - LONGEST_SECRET);
  const before = column - startColumn;
  const wide = {
    ...range,
    startLine: line,
    endLine: line,
    startColumn,
    maxChars: before + text.length + LONGEST_SECRET,
    countLinesBytes: 0,
  };
  const { lines } = await readRange(context.root, file, wide, context);
  return (secretsOf([lines[0]?.text ?? ''], above)[0] ?? [])
    .map(({ start, end }) => ({ start: Math.max(0, start - before), end: Math.min(text.length, end - before) }))
    .filter(({ start, end }) => end > start);
}

/** `path:10` or `path:10-40` of a target. */
const TARGET_LINES = /^(.+?):(\d+)(?:-(\d+))?$/s;

interface Followed {
  readonly args: Arguments;
  /** undefined: the call names no lines of an earlier state. */
  readonly since: Since | undefined;
}

/** The call with its lines where they are now, when they were numbered in the state that its stamp names. */
async function followStamp(args: Arguments, context: ToolContext): Promise<Followed> {
  const { path, target } = args;
  const [, name, start, end] = TARGET_LINES.exec(target?.trim() ?? '') ?? [];
  const text = path ?? name;
  const startLine = path === undefined ? Number(start) : args.startLine;
  if (args.stamp === undefined || text === undefined || startLine === undefined || (path === undefined) === (target === undefined))
    return { args, since: undefined };
  const file = await context.root.resolve(text).catch((error: unknown) => {
    // A symbol may look like it; what is missing is said where the target is looked up.
    if (error instanceof ToolError && path === undefined) return undefined;
    throw error;
  });
  if (file === undefined) return { args, since: undefined };
  const endLine = path === undefined ? Number(end ?? start) : args.endLine;
  const since = await sinceStamp(file.relative, { startLine, endLine }, args, context);
  const { lines } = since;
  if (lines === undefined) return { args, since };
  const last = lines.endLine === undefined ? {} : { endLine: lines.endLine };
  if (path !== undefined) return { args: { ...args, startLine: lines.startLine, ...last }, since };
  const to = end === undefined ? '' : `-${lines.endLine}`;
  return { args: { ...args, target: `${name}:${lines.startLine}${to}` }, since };
}

async function sinceStamp(path: string, wanted: WantedLines | undefined, args: Arguments, context: ToolContext): Promise<Since> {
  if (args.stamp === undefined) return { notes: [] };
  const [{ since }, { stateOf }] = await Promise.all([import('../search/since.js'), import('../search/stamps.js')]);
  const stamp = args.stamp.replace(/^@/, '');
  const { states } = context.search;
  const now = await stateOf(path, context);
  return since(stamp, now, states.find(context.root.path, path, stamp), wanted, args.maxLines ?? LIMITS.maxLines.def);
}

/** The lines that the arguments ask for; nothing of the code is looked at unless a target or `expand` needs it. */
async function rangeOf(args: Arguments, context: ToolContext): Promise<LineRange> {
  const { path, target, startLine = 1, endLine, expand } = args;
  if ((path === undefined) === (target === undefined)) {
    throw new ToolError('argument_invalid', 'Give either "path" (with startLine and endLine) or "target".');
  }
  if (target !== undefined) {
    const names = ['startLine', 'endLine'] as const;
    const extra = names.find((name) => args[name] !== undefined);
    if (extra !== undefined)
      throw new ToolError('argument_invalid', `"${extra}" belongs to "path"; lines of a target are written target: "path:10-40".`);
    const { resolveTarget } = await import('../search/target.js');
    return resolveTarget(target, expand, context.search, context);
  }
  if (endLine !== undefined && endLine < startLine) {
    throw new ToolError('range_invalid', `endLine ${endLine} is before startLine ${startLine}.`);
  }
  const range = { path: path ?? '', startLine, endLine, notes: [] };
  if (expand !== true || args.startLine === undefined) return range;
  const { widen } = await import('../search/target.js');
  const file = await context.root.resolve(range.path);
  return widen({ ...range, path: file.relative, endLine: endLine ?? startLine }, context.search, context);
}

function refuseBeyond(
  { totalLines, lines, size }: Snippet,
  startLine: number,
  startColumn: number,
  path: string,
  since: readonly string[],
): void {
  if (lines.length === 0 && startLine > 1) {
    const has = totalLines === undefined ? `is larger than can be counted (${bytes(size)})` : `has ${plural(totalLines, 'line')}`;
    throw new ToolError(
      'range_invalid',
      `${showJson(path)} ${has}; line ${count(startLine)} does not exist${since.map((note) => ` (${note})`).join('')}.`,
    );
  }
  const [first] = lines;
  if (first !== undefined && startColumn > 1 && startColumn > first.length) {
    throw new ToolError(
      'range_invalid',
      `Line ${startLine} of ${showJson(path)} has ${plural(first.length, 'character')}; column ${startColumn} does not exist.`,
    );
  }
}

interface NextCall {
  readonly path: string;
  readonly startLine: number;
  readonly endLine?: number;
  readonly startColumn?: number;
}

/** The call that continues, when something asked for was not shown. */
function nextCall(outcome: ReadOutcome, shown: readonly SnippetLine[]): NextCall | undefined {
  const last = shown.at(-1);
  const { snippet, endLine, path, startLine, startColumn } = outcome;
  if (last === undefined) return snippet.lines.length > 0 ? { path, startLine } : undefined;
  const rest = endLine === undefined ? {} : { endLine };
  if (last.isCut) {
    const from = last.line === startLine ? startColumn : 1;
    return { path, startLine: last.line, ...rest, startColumn: from + last.text.length };
  }
  const wantedEnd = Math.min(endLine ?? Number.POSITIVE_INFINITY, snippet.totalLines ?? Number.POSITIVE_INFINITY);
  return last.line < wantedEnd ? { path, startLine: last.line + 1, ...rest } : undefined;
}

function notesOf(outcome: ReadOutcome, shown: readonly SnippetLine[], next: NextCall | undefined): string[] {
  const { snippet, endLine } = outcome;
  const notes: string[] = [...outcome.notes];
  notes.push(...maskedFacts(shown.filter((line) => shownText(outcome, line) !== line.text).length));
  if (next !== undefined) notes.push(`more: read_snippet ${showJson(next)}`);
  if (endLine !== undefined && snippet.totalLines !== undefined && endLine > snippet.totalLines)
    notes.push(`the file ends at line ${count(snippet.totalLines)}`);
  if (snippet.hasNul) notes.push('the file contains NUL bytes, shown as \u2400');
  if (snippet.size === 0) notes.push('the file is empty');
  return notes;
}

function render(outcome: ReadOutcome, shown: readonly SnippetLine[], path: (text: string) => string): string {
  const { snippet, startColumn } = outcome;
  const total = snippet.totalLines === undefined ? `more (${bytes(snippet.size)})` : count(snippet.totalLines);
  const range = shown.length === 0 ? '0' : `${shown[0]?.line}-${shown.at(-1)?.line}`;
  const column = startColumn > 1 && shown.length > 0 ? `, from column ${startColumn}` : '';
  const lines = shown.map((line) => `${line.line}\t${showControls(shownText(outcome, line))}${line.isCut ? '…' : ''}`);
  const notes = notesOf(outcome, shown, nextCall(outcome, shown)).map((note) => `# ${note}`);
  return [
    `${path(showPath(outcome.path))}${stampOf(outcome.stamps, outcome.path)}  lines ${range} of ${total}${column}`,
    ...lines,
    ...notes,
  ].join('\n');
}

/** One line that is longer than the whole budget: as much of it as fits, and the column to go on from. */
function cutFirstLine(outcome: ReadOutcome, maxChars: number, path: (text: string) => string): string {
  const [first] = outcome.snippet.lines;
  if (first === undefined) return '';
  const upTo = (units: number): string => render(outcome, [{ ...first, text: cutAround(first.text, 0, 0, units).text, isCut: true }], path);
  const least = 2; // a surrogate pair
  if (upTo(least).length > maxChars)
    return clip(`# maxChars: ${maxChars} is too small for a line of ${showPath(outcome.path)}; raise maxChars`, maxChars);
  return fit(first.text.length - 1, maxChars, upTo);
}
