/** How much of a query its best place holds. Pure. Words weigh what their idf says, so that a place with all the common words and none
 *  of the rare ones counts for little. */
import type { Terms } from '../ranking/terms.js';

export interface Relevance {
  /** Share of the weight of all words, 0 to 1. */
  readonly share: number;
  /** Words of the query that the place lacks. */
  readonly missing: readonly string[];
}

/** @param idfs weight of each term
 *  @param mask terms that the place holds, as flags */
export function relevanceOf({ terms }: Terms, idfs: readonly number[], mask: number): Relevance {
  let [met, all] = [0, 0];
  const missing: string[] = [];
  for (const [index, { text, kind, isNegative }] of terms.entries()) {
    if (isNegative) continue;
    const weight = idfs[index] ?? 0;
    all += weight;
    if ((mask & (1 << index)) !== 0) met += weight;
    else if (kind !== 'part') missing.push(text);
  }
  return { share: all === 0 ? 1 : met / all, missing };
}
