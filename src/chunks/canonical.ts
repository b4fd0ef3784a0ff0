/** A text as it is kept: the same words, in lines that can be searched and shown. Pure. Line ends become LF, terminal colours go,
 *  NUL becomes visible (ripgrep would take the text for binary), JSON is laid out, and long lines are folded. */
import { LIMITS } from '../base/limits.js';
import type { Kind } from './chunk.js';
import { isJson, layOutJson } from './json.js';
import { isLog } from './log.js';
import { isMarkdown } from './markdown.js';
import { isTrace } from './trace.js';

export interface CanonicalText {
  readonly kind: Kind;
  /** Ends with a line end, unless it is empty. */
  readonly text: string;
  readonly lines: readonly string[];
}

const COLOUR = /\u001b\[[\d;?]*[ -/]*[@-~]/g;
/** How far before the fold a blank is looked for. */
const FOLD_ROOM = 100;
/** Lines looked at to tell what a text is. */
const SAMPLE_LINES = 2_000;

export function canonical(given: string): CanonicalText {
  const clean = cleanText(given.replace(/^\uFEFF/, ''));
  const laidOut = isJson(clean) ? layOutJson(clean) : undefined;
  const lines = withoutEnds(laidOut ?? clean)
    .split('\n')
    .flatMap(fold);
  const kind = laidOut === undefined ? kindOf(lines.slice(0, SAMPLE_LINES)) : 'json';
  return { kind, lines, text: lines.length === 1 && lines[0] === '' ? '' : `${lines.join('\n')}\n` };
}

/** Without the line ends behind its last line. A regex would look at each run of empty lines once from each of them. */
function withoutEnds(text: string): string {
  let end = text.length;
  while (text.charCodeAt(end - 1) === 10) end--;
  return text.slice(0, end);
}

/** Without what keeps a text from being searched; also for whole lines of a text that comes in parts. */
export const cleanText = (text: string): string => text.replace(COLOUR, '').replaceAll('\0', '\u2400').replace(/\r\n/g, '\n');

function kindOf(lines: readonly string[]): Kind {
  if (isLog(lines)) return 'log';
  if (isTrace(lines)) return 'trace';
  return isMarkdown(lines) ? 'markdown' : 'text';
}

/** A long line in several, cut at a blank where there is one; what follows is indented below its start. */
export function fold(line: string): string[] {
  const most = LIMITS.foldChars.def;
  if (line.length <= most) return [line];
  const indent = `${/^ */.exec(line.slice(0, FOLD_ROOM))?.[0] ?? ''}  `;
  const parts: string[] = [];
  for (let from = 0; from < line.length; ) {
    const to = foldPlace(line, from, most);
    parts.push(parts.length === 0 ? line.slice(from, to) : indent + line.slice(from, to));
    from = to;
  }
  return parts;
}

function foldPlace(line: string, from: number, most: number): number {
  if (line.length - from <= most) return line.length;
  const end = from + most;
  // Only so far back: a search in the whole line would go through all of it for each part.
  const blank = line.slice(end - FOLD_ROOM + 1, end).lastIndexOf(' ');
  if (blank >= 0) return end - FOLD_ROOM + 1 + blank + 1;
  // A surrogate pair stays whole.
  return (line.charCodeAt(end) & 0xfc00) === 0xdc00 ? end - 1 : end;
}
