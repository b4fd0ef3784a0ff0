/** Which lines of a file are its evidence. Pure: takes the file's lines and the words on them, gives ranges. */
import type { LineReader } from './line-terms.js';

export interface EvidenceLine {
  /** 1-based. */
  readonly line: number;
  /** Sum of what its words tell; 0 for a line of context. */
  readonly value: number;
  /** Where its first word starts, in units. */
  readonly at: number;
}

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Every line with words of the query and what it tells.
 *  @param idfs weight of each term */
export function valueLines(lines: readonly string[], reader: LineReader, idfs: readonly number[]): EvidenceLine[] {
  const found: EvidenceLine[] = [];
  for (const [index, text] of lines.entries()) {
    let mask = 0;
    let value = 0;
    let at = text.length;
    reader.read(text, (held, factor, start) => {
      at = Math.min(at, start);
      for (const [position, term] of held.terms.entries()) {
        // A word that stands twice on a line tells no more than once.
        if ((mask & (1 << term)) !== 0) continue;
        mask |= 1 << term;
        value += (idfs[term] ?? 0) * (held.weights[position] ?? 0) * factor;
      }
    });
    if (mask !== 0) found.push({ line: index + 1, value, at });
  }
  return found;
}

/** The lines worth showing: those of the best window first, then the best of the rest, as long as there is room.
 *  @param cost units that showing a line takes
 *  @param room units in all
 *  @returns ranges with context, overlapping or touching ones merged, in line order; at least the best line */
export function chooseRanges(
  found: readonly EvidenceLine[],
  window: Range,
  lineCount: number,
  context: number,
  cost: (line: number) => number,
  room: number,
): Range[] {
  const isIn = ({ line }: EvidenceLine): boolean => line >= window.start && line <= window.end;
  const order = [...found].sort((a, b) => Number(isIn(b)) - Number(isIn(a)) || b.value - a.value || a.line - b.line);
  const shown = new Set<number>();
  let used = 0;
  for (const { line } of order) {
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
