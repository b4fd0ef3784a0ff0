/** A piece of a kept text that is ranked as one, and the kinds of texts that are cut in their own way. */
import { LIMITS } from '../base/limits.js';

export const KINDS = ['json', 'markdown', 'trace', 'log', 'text'] as const;
export type Kind = (typeof KINDS)[number];

export interface Chunk {
  /** 1-based, inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  /** Where it stands in its text, from the outside in: keys of JSON, headings of Markdown; empty elsewhere. */
  readonly path: readonly string[];
}

/** Lines cut at fixed places, each piece sharing a few lines with the one before, so that no fact is cut in two.
 *  @param start 1-based
 *  @param end   inclusive */
export function pieces(start: number, end: number, path: readonly string[]): Chunk[] {
  const { chunkLines, chunkOverlap } = LIMITS;
  const found: Chunk[] = [];
  for (let at = start; at <= end; at += chunkLines.def - chunkOverlap.def) {
    found.push({ startLine: at, endLine: Math.min(end, at + chunkLines.def - 1), path });
    if (at + chunkLines.def > end) break;
  }
  return found;
}

/** More pieces behind those found, one by one: as arguments of one call a large text has too many. */
export function append(found: Chunk[], more: readonly Chunk[]): void {
  for (const one of more) found.push(one);
}
