/** Markdown, cut by headings; a section carries the headings above it. Pure. */
import { LIMITS } from '../base/limits.js';
import { append, type Chunk, pieces } from './chunk.js';

const HEADING = /^(#{1,6})\s+(\S.*)$/;
const FENCE = /^\s{0,3}(`{3,}|~{3,})/;
/** Headings that make a text Markdown, and the share of them that must stand apart; comments of a script rarely do. */
const LEAST_HEADINGS = 2;
const APART = 0.5;
const MOST_TITLE = 80;

interface Heading {
  readonly line: number;
  readonly level: number;
  readonly title: string;
}

/** Headings, but for what looks like one inside a fenced block. */
function headingsOf(lines: readonly string[]): Heading[] {
  const found: Heading[] = [];
  let fence: string | undefined;
  for (const [index, text] of lines.entries()) {
    const mark = FENCE.exec(text)?.[1];
    if (mark !== undefined) {
      if (fence === undefined) fence = mark;
      else if (mark.startsWith(fence)) fence = undefined;
      continue;
    }
    const heading = fence === undefined ? HEADING.exec(text) : null;
    if (heading !== null)
      found.push({ line: index + 1, level: heading[1]?.length ?? 1, title: titleOf(heading[2] ?? '').slice(0, MOST_TITLE) });
  }
  return found;
}

/** Without the marks that may close a heading. One regex for all of it would take the cube of the line's length. */
function titleOf(text: string): string {
  const trimmed = text.trimEnd();
  let end = trimmed.length;
  while (end > 1 && trimmed.charAt(end - 1) === '#') end--;
  return trimmed.slice(0, end).trimEnd();
}

export function isMarkdown(lines: readonly string[]): boolean {
  const headings = headingsOf(lines);
  const apart = headings.filter(({ line }) => line === 1 || (lines[line - 2] ?? '').trim() === '');
  return headings.length >= LEAST_HEADINGS && apart.length >= headings.length * APART;
}

export function chunkMarkdown(lines: readonly string[]): Chunk[] {
  const headings = headingsOf(lines);
  const found: Chunk[] = [];
  const first = headings[0]?.line ?? lines.length + 1;
  if (first > 1) append(found, section(1, first - 1, []));
  const above: Heading[] = [];
  for (const [index, heading] of headings.entries()) {
    while ((above.at(-1)?.level ?? 0) >= heading.level) above.pop();
    above.push(heading);
    const end = (headings[index + 1]?.line ?? lines.length + 1) - 1;
    append(
      found,
      section(
        heading.line,
        end,
        above.map(({ title }) => title),
      ),
    );
  }
  return found;
}

function section(start: number, end: number, path: readonly string[]): Chunk[] {
  return end - start < LIMITS.chunkLines.def ? [{ startLine: start, endLine: end, path }] : pieces(start, end, path);
}
