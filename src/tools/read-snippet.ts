/** read_snippet: a range of lines of one file, bounded by lines and by characters, continued by position. */
import { bytes, clip, count, cutAround, plural, showControls, showJson, showPath } from '../base/display.js';
import { ToolError } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import type { Snippet, SnippetLine } from '../security/snippet.js';
import { countWithin, fit } from './fit.js';
import { integer, READ_MAX_CHARS, ROOT } from './properties.js';
import { defineTool } from './tool.js';

interface Arguments {
  readonly path: string;
  readonly startLine?: number;
  readonly endLine?: number;
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
}

export const readSnippet = defineTool<Arguments, ReadOutcome>({
  name: 'read_snippet',
  title: 'Read lines',
  group: 'search',
  isReadOnly: true,
  description:
    'Lines of a file, numbered as search_text numbers them. A cut reply names the next call; long lines are read on with startColumn.',
  input: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'File, relative to the root', minLength: 1, maxLength: LIMITS.pathChars.max },
      startLine: integer('lineNumber', 'First line'),
      endLine: integer('lineNumber', 'Last line (default: as far as the budget goes)', { hasDefault: false }),
      maxLines: integer('maxLines', 'Lines of this reply'),
      startColumn: integer('columnNumber', 'Where to start in the first line'),
      root: ROOT,
      maxChars: READ_MAX_CHARS,
    },
    required: ['path'],
    additionalProperties: false,
  },
  budget: 'readMaxChars',
  run: async (args, context) => {
    const { readRange } = await import('../security/snippet.js');
    const startLine = args.startLine ?? 1;
    const startColumn = args.startColumn ?? 1;
    const maxLines = args.maxLines ?? LIMITS.maxLines.def;
    const maxChars = args.maxChars ?? context.limits.readMaxChars;
    if (args.endLine !== undefined && args.endLine < startLine) {
      throw new ToolError('range_invalid', `endLine ${args.endLine} is before startLine ${startLine}.`);
    }
    const file = await context.root.resolve(args.path);
    if (file.kind === 'folder')
      throw new ToolError('not_a_file', `"${showControls(args.path)}" is a folder.`, {
        hint: `List it with list_files {"scope": ${JSON.stringify(file.relative || '.')}}.`,
      });
    const endLine = Math.min(args.endLine ?? Number.POSITIVE_INFINITY, startLine + maxLines - 1);
    const range = { startLine, endLine, startColumn, maxChars, countLinesBytes: context.limits.countLinesBytes };
    const snippet = await readRange(context.root, file, range, context);
    refuseBeyond(snippet, startLine, startColumn, file.relative);
    // Only a line that fills the budget alone is shown in part.
    const last = snippet.lines.at(-1);
    const lines = snippet.lines.length > 1 && last?.isCut === true ? snippet.lines.slice(0, -1) : snippet.lines;
    return { path: file.relative, startLine, endLine: args.endLine, startColumn, maxLines, snippet: { ...snippet, lines } };
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

function refuseBeyond({ totalLines, lines, size }: Snippet, startLine: number, startColumn: number, path: string): void {
  if (lines.length === 0 && startLine > 1) {
    const has = totalLines === undefined ? `is larger than can be counted (${bytes(size)})` : `has ${plural(totalLines, 'line')}`;
    throw new ToolError('range_invalid', `"${showControls(path)}" ${has}; line ${count(startLine)} does not exist.`);
  }
  const [first] = lines;
  if (first !== undefined && startColumn > 1 && startColumn > first.length) {
    throw new ToolError(
      'range_invalid',
      `Line ${startLine} of "${showControls(path)}" has ${plural(first.length, 'character')}; column ${startColumn} does not exist.`,
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
  const notes: string[] = [];
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
