/** What a search that is too broad is answered beside its hits, or instead of them: by which bound, where the hits lie, and what
 *  would make it narrower. Pure but for the gate's own memory of refusals. */
import { distribute, type FileHits, type Share } from './distribution.js';
import type { Admission, Gate } from './gate.js';
import { type Means, type Suggestion, suggest } from './suggestions.js';

export interface Refinement extends Admission {
  /** What was passed, to tell a little from a lot. */
  readonly bounds: { readonly maxHits: number; readonly maxFiles: number; readonly maxRefusals: number };
  readonly hits: number;
  readonly files: number;
  /** Every number is at least so much: counting was stopped, or not possible. */
  readonly isAtLeast: boolean;
  /** A changed call may find some more or fewer: what counts as a hit is judged by the files that it sees. */
  readonly isApproximate: boolean;
  /** How long was counted, where that was stopped. */
  readonly countedMs: number | undefined;
  readonly estTokens: number;
  readonly relevance: number | undefined;
  /** Words that the best place lacks. */
  readonly missing: readonly string[];
  readonly distribution: readonly Share[];
  readonly elsewhere: number;
  readonly suggestions: readonly Suggestion[];
}

/** What a search has found, as far as it was counted. */
export interface Extent {
  /** Hits by file. */
  readonly tally: readonly FileHits[];
  readonly hits: number;
  readonly files: number;
  readonly isAtLeast: boolean;
  readonly isApproximate?: boolean;
  readonly countedMs?: number | undefined;
  /** Characters of all hits as a reply would show them. */
  readonly chars: number;
  readonly wholeWord?: number | undefined;
  readonly relevance?: number | undefined;
  readonly missing?: readonly string[];
}

/** @param base  the folder that was searched, '' for the root; undefined where it was a file
 *  @param means what the tool can be told
 *  @returns undefined for a search that passes */
export function refine(extent: Extent, gate: Gate, root: string, base: string | undefined, means: Means): Refinement | undefined {
  const { tally, hits, files, chars, relevance } = extent;
  // Nothing found is no answer that a row of refusals could end with.
  if (hits === 0 && relevance === undefined) return undefined;
  const estTokens = gate.tokens(chars);
  const admission = gate.ask({ hits, files, estTokens, ...(relevance === undefined ? {} : { relevance }) }, root);
  if (admission === undefined) return undefined;
  const { shares, elsewhere } =
    base === undefined ? { shares: [], elsewhere: 0 } : distribute(tally, base, (some, among) => gate.passes(some, among));
  return {
    ...admission,
    bounds: { maxHits: gate.limits.gateMaxHits, maxFiles: gate.limits.gateMaxFiles, maxRefusals: gate.limits.maxRefusals },
    hits,
    files,
    isAtLeast: extent.isAtLeast,
    isApproximate: extent.isApproximate ?? false,
    countedMs: extent.countedMs,
    estTokens,
    relevance,
    missing: extent.missing ?? [],
    distribution: shares,
    elsewhere,
    suggestions: suggest(tally, hits, shares, extent.wholeWord, means),
  };
}
