/** Which lines of a file are its evidence. Pure: takes the file's lines and the words on them, gives ranges. */
import type { LineReader } from './line-terms.js';
import { ownCopy } from './tokenizer.js';

export interface EvidenceLine {
  /** 1-based. */
  readonly line: number;
  /** Sum of what its words tell; 0 for a line of context. */
  readonly value: number;
  /** Where its first word starts, in units. */
  readonly at: number;
  /** Terms on it, as flags. */
  readonly mask: number;
}

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** What is kept of a file: the lines that tell most. The others are only counted, so that memory does not grow with the files. */
export interface Evidence {
  readonly lineCount: number;
  /** The best lines, in line order. */
  readonly found: readonly EvidenceLine[];
  /** Numbers of all lines with words, in order. */
  readonly hits: Uint32Array;
  /** Texts of the best lines and their context, by line. */
  readonly texts: ReadonlyMap<number, string>;
  /** Lines whose text has a mark in place of a secret. */
  readonly masked?: ReadonlySet<number>;
}

/** @param lines  of the whole file
 *  @param idfs   weight of each term
 *  @param window whose lines come before better ones elsewhere
 *  @param keep   lines whose text is kept, each with `context` lines around it */
export function gatherEvidence(
  lines: readonly string[],
  reader: LineReader,
  idfs: readonly number[],
  window: Range,
  keep: { readonly lines: number; readonly context: number },
): Evidence {
  const all = valueLines(lines, reader, idfs);
  const found = byWorth(all, window).slice(0, keep.lines);
  const texts = new Map<number, string>();
  for (const { line } of found) {
    for (let at = Math.max(1, line - keep.context); at <= Math.min(lines.length, line + keep.context); at++) {
      if (!texts.has(at)) texts.set(at, ownCopy(lines[at - 1] ?? ''));
    }
  }
  return {
    lineCount: lines.length,
    found: found.sort((a, b) => a.line - b.line),
    hits: Uint32Array.from(all, ({ line }) => line),
    texts,
  };
}

/** The same for a file of which one line is shown: nothing outside its window is looked at, unless the window holds no word any more.
 *  @param lines from the file's first to at least the window's last */
export function gatherBestLine(lines: readonly string[], reader: LineReader, idfs: readonly number[], window: Range): Evidence {
  const within = valueLines(lines.slice(window.start - 1, window.end), reader, idfs, window.start);
  const all = within.length > 0 ? within : valueLines(lines, reader, idfs);
  const found = byWorth(all, window).slice(0, 1);
  const texts = new Map(found.map(({ line }) => [line, ownCopy(lines[line - 1] ?? '')]));
  return { lineCount: lines.length, found, hits: Uint32Array.from(all, ({ line }) => line), texts };
}

/** Lines of the window first, then the best of the rest. */
function byWorth(found: readonly EvidenceLine[], window: Range): EvidenceLine[] {
  const isIn = ({ line }: EvidenceLine): boolean => line >= window.start && line <= window.end;
  return [...found].sort((a, b) => Number(isIn(b)) - Number(isIn(a)) || b.value - a.value || a.line - b.line);
}

/** Every line with words of the query and what it tells.
 *  @param idfs  weight of each term
 *  @param first number of the first line */
export function valueLines(lines: readonly string[], reader: LineReader, idfs: readonly number[], first = 1): EvidenceLine[] {
  const found: EvidenceLine[] = [];
  for (const [index, text] of lines.entries()) {
    let mask = 0;
    let value = 0;
    let at = text.length;
    reader.read(text, {
      term: (held, factor, start) => {
        at = Math.min(at, start);
        for (const [position, term] of held.terms.entries()) {
          // A word that stands twice on a line tells no more than once.
          if ((mask & (1 << term)) !== 0) continue;
          mask |= 1 << term;
          value += (idfs[term] ?? 0) * (held.weights[position] ?? 0) * factor;
        }
      },
    });
    if (mask !== 0) found.push({ line: index + first, value, at, mask });
  }
  return found;
}

/** The lines worth showing: those of the best window first, then the best of the rest, as long as there is room.
 *  @param cost units that showing a line takes
 *  @param room units in all
 *  @returns ranges with context, overlapping or touching ones merged, in line order; at least the best line */
export function chooseRanges(
  { found, lineCount }: Evidence,
  window: Range,
  context: number,
  cost: (line: number) => number,
  room: number,
): Range[] {
  const shown = new Set<number>();
  let used = 0;
  for (const { line } of byWorth(found, window)) {
    const added: number[] = [];
    for (let at = Math.max(1, line - context); at <= Math.min(lineCount, line + context); at++) if (!shown.has(at)) added.push(at);
    const price = added.reduce((sum, at) => sum + cost(at), 0);
    if (used + price > room) {
      if (shown.size > 0) continue;
      // Not even the best line fits with its context: it stands alone.
      shown.add(line);
      break;
    }
    for (const at of added) shown.add(at);
    used += price;
  }
  return rangesOf(shown);
}

function rangesOf(lines: ReadonlySet<number>): Range[] {
  const ranges: { start: number; end: number }[] = [];
  for (const line of [...lines].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && line === last.end + 1) last.end = line;
    else ranges.push({ start: line, end: line });
  }
  return ranges;
}
