/** read_snippet: lines of one file, a symbol's body, or the block around a line; bounded by lines and by characters, continued by
 *  position. */
import { bytes, clip, count, cutAround, plural, showControls, showJson, showPath } from '../base/display.js';
import { ToolError } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import type { LineRange } from '../search/target.js';
import type { Snippet, SnippetLine } from '../security/snippet.js';
import { countWithin, fit } from './fit.js';
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
  readonly maxChars?: number;
}

interface ReadOutcome {
  readonly path: string;
  readonly startLine: number;
  /** As asked for; undefined means to the end of the file. */
  readonly endLine: number | undefined;
  readonly startColumn: number;
  readonly maxLines: number;
  readonly snippet: Snippet;
  /** How a target was understood. */
  readonly notes: readonly string[];
}

export const readSnippet = defineTool<Arguments, ReadOutcome>({
  name: 'read_snippet',
  group: 'search',
  isReadOnly: true,
  description:
    'Lines of a file by path, or target: a symbol (its whole body), path:10 (the function around it), path:10-40. ' +
    'A cut reply names the next call.',
  input: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'File, relative to the root', minLength: 1, maxLength: LIMITS.pathChars.max },
      target: {
        type: 'string',
        description: 'In place of path: Symbol, Class.method, path, path:10 or path:10-40',
        minLength: 1,
        maxLength: LIMITS.pathChars.max,
      },
      expand: { type: 'boolean', description: 'Widen to the function or class (default for a symbol or path:10)' },
      startLine: integer('lineNumber', 'First line'),
      endLine: integer('lineNumber', 'Last line (default: as far as the budget goes)', { hasDefault: false }),
      maxLines: integer('maxLines', 'Lines shown'),
      startColumn: integer('columnNumber', 'Where to start in the first line'),
      root: ROOT,
      maxChars: READ_MAX_CHARS,
    },
    additionalProperties: false,
  },
  budget: 'readMaxChars',
  run: async (args, context) => {
    const { readRange } = await import('../security/snippet.js');
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
    refuseBeyond(snippet, startLine, startColumn, file.relative);
    // Only a line that fills the budget alone is shown in part.
    const last = snippet.lines.at(-1);
    const lines = snippet.lines.length > 1 && last?.isCut === true ? snippet.lines.slice(0, -1) : snippet.lines;
    return {
      path: file.relative,
      startLine,
      endLine: wanted.endLine,
      startColumn,
      maxLines,
      snippet: { ...snippet, lines },
      notes: wanted.notes,
    };
  },
  text: (outcome, maxChars, style) => {
    const { lines } = outcome.snippet;
    const whole = (shown: number): string => render(outcome, lines.slice(0, shown), style.path);
    const isOneTooMuch = lines.length > 0 && whole(1).length > maxChars;
    return isOneTooMuch ? cutFirstLine(outcome, maxChars, style.path) : fit(lines.length, maxChars, whole);
  },
  data: (outcome, maxChars) => {
    const { lines, totalLines, stamp } = outcome.snippet;
    let shown = lines.slice(
      0,
      countWithin(lines, maxChars, (line) => line.text.length),
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
      lines: shown.map(({ line, text }) => ({ line, text })),
      truncated: next !== undefined,
      truncateReason: next === undefined ? null : shown.length >= outcome.maxLines ? 'maxLines' : 'maxChars',
      stamp,
      notes: notesOf(outcome, next),
      ...(next === undefined ? {} : { next }),
    };
  },
  found: (outcome) => outcome.snippet.lines.length > 0,
  summary: (outcome) => ({ lines: outcome.snippet.lines.length, bytes: outcome.snippet.size }),
});

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

function refuseBeyond({ totalLines, lines, size }: Snippet, startLine: number, startColumn: number, path: string): void {
  if (lines.length === 0 && startLine > 1) {
    const has = totalLines === undefined ? `is larger than can be counted (${bytes(size)})` : `has ${plural(totalLines, 'line')}`;
    throw new ToolError('range_invalid', `${showJson(path)} ${has}; line ${count(startLine)} does not exist.`);
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

function notesOf(outcome: ReadOutcome, next: NextCall | undefined): string[] {
  const { snippet, endLine } = outcome;
  const notes: string[] = [...outcome.notes];
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
  const lines = shown.map(({ line, text, isCut }) => `${line}\t${showControls(text)}${isCut ? '…' : ''}`);
  const notes = notesOf(outcome, nextCall(outcome, shown)).map((note) => `# ${note}`);
  return [`${path(showPath(outcome.path))}  lines ${range} of ${total}${column}`, ...lines, ...notes].join('\n');
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
