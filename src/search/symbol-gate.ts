/** The gate for places of a symbol or an idea: the pass that finds them has seen every hit, so nothing is counted again. Pure but for
 *  the gate's own memory of refusals. */
import type { FileHits } from './distribution.js';
import type { Gate } from './gate.js';
import { type Refinement, refine } from './refinement.js';
import type { Relevance } from './relevance.js';
import type { FileChoice } from './selection.js';
import type { Means } from './suggestions.js';

export interface Asked {
  readonly gate: Gate;
  /** Path of the root. */
  readonly root: string;
  /** The folder that was searched; undefined where it was a file. */
  readonly base: string | undefined;
  readonly choice: FileChoice;
  /** Whether the tool takes globs. */
  readonly takesGlobs: boolean;
}

export interface Counted {
  readonly tally: readonly FileHits[];
  /** What stands in the reply, a text for each place: by its size that of all is estimated. */
  readonly shown: readonly string[];
  /** Some could not be looked at. */
  readonly isAtLeast?: boolean;
  /** Each was judged, not only met: definitions, or what is a call of this function. Of fewer files more can be parsed. */
  readonly isJudged: boolean;
}

export function refineHits({ tally, shown, isAtLeast = false, isJudged }: Counted, asked: Asked): Refinement | undefined {
  const found = tally.filter(({ hits }) => hits > 0);
  const hits = found.reduce((sum, file) => sum + file.hits, 0);
  const chars = shown.reduce((sum, text) => sum + text.length + 1, 0) / Math.max(1, shown.length);
  return refine(
    { tally: found, hits, files: found.length, isAtLeast, isApproximate: isJudged, chars: Math.round(chars * hits) },
    asked.gate,
    asked.root,
    asked.base,
    meansOf(asked),
  );
}

/** Ranked places are few by themselves; what may be wrong with them is that they do not fit. */
export function refineRanked(
  total: number,
  { share, missing }: Relevance,
  { gate, root }: Pick<Asked, 'gate' | 'root'>,
): Refinement | undefined {
  const means: Means = { takesGlobs: false, leavesOutBy: undefined };
  const within = { tally: [], hits: 0, files: 0, isAtLeast: false, chars: 0, relevance: share, missing };
  const refinement = refine(within, gate, root, undefined, means);
  if (refinement === undefined) return undefined;
  const suggestions = refinement.suggestions.map((one) => ({ ...one, wouldYield: total }));
  return { ...refinement, hits: total, files: total, suggestions };
}

function meansOf({ choice, takesGlobs }: Asked): Means {
  return { globs: choice.globs, exclude: choice.exclude, takesGlobs, leavesOutBy: takesGlobs ? 'globs' : undefined };
}
