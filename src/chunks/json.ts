/** JSON: laid out so that its lines follow its structure, and cut by keys. Pure. */
import { LIMITS } from '../base/limits.js';
import { append, type Chunk, pieces } from './chunk.js';

/** What is this short stays on one line. */
const INLINE = 80;
/** Deeper structure is not laid out: its indentation would grow with the square of the text. */
const MOST_LEVELS = 20;

/** Whether a text is one JSON object or list. */
export function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON with one key or item a line, a blank of indentation a level. Only blanks change: numbers and strings stay as they are written.
 *  @param text valid JSON */
export function layOutJson(text: string): string {
  const parts: string[] = [];
  const isShort = shortOnes(text);
  let depth = 0;
  let at = 0;
  const newLine = (): void => {
    if (depth <= MOST_LEVELS) parts.push('\n', ' '.repeat(depth));
  };
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === '{' || char === '[') {
      if (isShort[at] === 1) {
        const short = inline(text, at);
        parts.push(short.text);
        at = short.end;
        continue;
      }
      parts.push(char);
      depth++;
      newLine();
    } else if (char === '}' || char === ']') {
      depth--;
      if (depth < MOST_LEVELS) newLine();
      parts.push(char);
    } else if (char === ',') {
      parts.push(',');
      newLine();
    } else if (char === ':') parts.push(': ');
    else if (!isBlank(char)) {
      const end = tokenEnd(text, at);
      parts.push(text.slice(at, end));
      at = end;
      continue;
    }
    at++;
  }
  return parts.join('');
}

const isBlank = (char: string): boolean => char === ' ' || char === '\n' || char === '\r' || char === '\t';

/** Where a string, number or word ends that starts at a place. */
function tokenEnd(text: string, start: number): number {
  let at = start + 1;
  if (text.charAt(start) === '"') {
    while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1;
    return at + 1;
  }
  while (at < text.length && !',:{}[]" \n\r\t'.includes(text.charAt(at))) at++;
  return at;
}

/** Where the objects and lists start that are short on one line, by their place. Told for all in one pass: to try each of them would
 *  look at every character once for each level around it. */
function shortOnes(text: string): Uint8Array {
  const isShort = new Uint8Array(text.length);
  /** Of those that are open: where each starts, and how many units stood on the line before it. */
  const starts: number[] = [];
  const before: number[] = [];
  let units = 0;
  for (let at = 0; at < text.length; ) {
    const char = text.charAt(at);
    if (isBlank(char)) {
      at++;
      continue;
    }
    if (char === '{' || char === '[') {
      starts.push(at);
      before.push(units);
    }
    const end = tokenIn(text, at);
    units += end - at + (char === ',' || char === ':' ? 1 : 0);
    at = end;
    if (char !== '}' && char !== ']') continue;
    const start = starts.pop() ?? 0;
    if (units - (before.pop() ?? 0) <= INLINE) isShort[start] = 1;
  }
  return isShort;
}

const tokenIn = (text: string, at: number): number => ('{}[],:'.includes(text.charAt(at)) ? at + 1 : tokenEnd(text, at));

/** A short object or list on one line, and where it ends. */
function inline(text: string, start: number): { text: string; end: number } {
  let out = '';
  let depth = 0;
  let at = start;
  do {
    const char = text.charAt(at);
    if (isBlank(char)) {
      at++;
      continue;
    }
    const end = tokenIn(text, at);
    out += text.slice(at, end) + (char === ',' || char === ':' ? ' ' : '');
    at = end;
    if (char === '{' || char === '[') depth++;
    if (char === '}' || char === ']') depth--;
  } while (depth > 0 && at < text.length);
  return { text: out, end: at };
}

/** An object, list or value, by the lines that it takes. */
interface Node {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

/** Objects and lists that fit into a piece stay whole; larger ones are cut at their keys and items.
 *  @param lines as `layOutJson` gives them */
export function chunkJson(lines: readonly string[]): Chunk[] {
  const found: Chunk[] = [];
  split({ start: 1, end: lines.length, label: '' }, 0, []);
  return found;

  function split(node: Node, depth: number, path: readonly string[]): void {
    const size = node.end - node.start + 1;
    if (size <= LIMITS.chunkLines.def) {
      found.push({ startLine: node.start, endLine: node.end, path });
      return;
    }
    const children = childrenOf(lines, node, depth);
    if (children.length === 0) {
      append(found, pieces(node.start, node.end, path));
      return;
    }
    const isList = lines[node.start - 1]?.endsWith('[') === true;
    let values: Node[] = [];
    // The plain values of an object belong together, also around its larger parts.
    const flush = (): void => {
      const [first] = values;
      const last = values.at(-1);
      if (first !== undefined && last !== undefined) append(found, pieces(first.start, last.end, path));
      values = [];
    };
    for (const child of children) {
      if (!isList && child.start === child.end) {
        values.push(child);
        continue;
      }
      flush();
      split(child, depth + 1, isList ? inList(path, child.label) : [...path, child.label]);
    }
    flush();
  }
}

const inList = (path: readonly string[], item: string): string[] => [...path.slice(0, -1), `${path.at(-1) ?? ''}[${item}]`];

const KEY = /^ *("(?:[^"\\]|\\.)*"): /;

/** The keys or items of an object or list: lines of one level more, each with what is indented below it. */
function childrenOf(lines: readonly string[], { start, end }: Node, depth: number): Node[] {
  const indent = ' '.repeat(depth + 1);
  const starts: number[] = [];
  for (let line = start + 1; line < end; line++) {
    const text = lines[line - 1] ?? '';
    const isOfLevel = text.startsWith(indent) && text.charAt(depth + 1) !== ' ';
    if (isOfLevel && !/^ *[\]}],?$/.test(text)) starts.push(line);
  }
  return starts.map((line, index) => ({
    start: line,
    end: (starts[index + 1] ?? end) - 1,
    label: keyOf(lines[line - 1] ?? '') ?? String(index),
  }));
}

function keyOf(line: string): string | undefined {
  const written = KEY.exec(line)?.[1];
  if (written === undefined) return undefined;
  try {
    return JSON.parse(written) as string;
  } catch {
    return written; // a key that was folded
  }
}
