/** The gate: whether what a search found is more than a reply should hold, and by which of its bounds. The decision is pure; all
 *  that is remembered is how often in a row a root's searches were refused, so that a caller who cannot do better gets through. */
import type { GateMode } from '../base/config.js';
import type { Limits } from '../base/limits.js';

/** What a search can be too much, or too little, of. */
export type Axis = 'breadth' | 'volume' | 'relevance';

export interface Measured {
  readonly hits: number;
  readonly files: number;
  /** Estimated size of everything found. */
  readonly estTokens: number;
  /** Share of the weight of the query's words that the best place holds; undefined where words are not ranked. */
  readonly relevance?: number;
}

export interface Verdict {
  /** The one bound that was passed; `compound` for several. */
  readonly reason: Axis | 'compound';
  readonly axes: readonly Axis[];
}

export interface Admission extends Verdict {
  /** `advise`: answered, with advice. `refine`: refused. `open`: answered after so many refusals in a row. */
  readonly status: 'advise' | 'refine' | 'open';
  /** Refusals in a row, this one included. */
  readonly refusalCount: number;
}

export type GateLimits = Pick<
  Limits,
  'gateMaxFiles' | 'gateMaxHits' | 'gateMaxTokens' | 'gateMinRelevance' | 'gateCompoundMargin' | 'maxRefusals'
>;

/** Bounds are compared as real numbers: 15 % above 120 is 138 and not a little less. */
const ROUNDING = 1e-9;

/** What is too much, or undefined when the search passes. A bound that is passed by no more than the margin counts only together
 *  with another one. */
export function judge(measured: Measured, limits: GateLimits): Verdict | undefined {
  const { gateMaxFiles, gateMaxHits, gateMaxTokens, gateMinRelevance, gateCompoundMargin } = limits;
  const isAbove = (value: number, max: number, margin: number): boolean => value > max * (1 + margin) + ROUNDING;
  const breaches: Readonly<Record<Axis, (margin: number) => boolean>> = {
    breadth: (margin) => isAbove(measured.files, gateMaxFiles, margin),
    volume: (margin) => isAbove(measured.hits, gateMaxHits, margin) || isAbove(measured.estTokens, gateMaxTokens, margin),
    relevance: (margin) => measured.relevance !== undefined && measured.relevance < gateMinRelevance * (1 - margin) - ROUNDING,
  };
  const axes = (Object.keys(breaches) as Axis[]).filter((axis) => breaches[axis](0));
  const [only] = axes;
  if (only === undefined || (axes.length === 1 && !breaches[only](gateCompoundMargin))) return undefined;
  return { reason: axes.length === 1 ? only : 'compound', axes };
}

/** One for each client session, which is a server's connection. */
export class Gate {
  readonly limits: GateLimits & Pick<Limits, 'charsPerToken' | 'gateCountMs'>;
  readonly #mode: GateMode;
  /** Refusals in a row, by root. */
  readonly #refusals = new Map<string, number>();

  constructor(mode: GateMode, limits: Gate['limits']) {
    this.#mode = mode;
    this.limits = limits;
  }

  /** Judges a search and remembers a refusal; undefined when there is nothing to say about it.
   *  @param root whose refusals are counted together */
  ask(measured: Measured, root: string): Admission | undefined {
    const verdict = judge(measured, this.limits);
    if (verdict === undefined) {
      this.#refusals.delete(root);
      return undefined;
    }
    if (this.#mode === 'advise') return { ...verdict, status: 'advise', refusalCount: 0 };
    const before = this.#refusals.get(root) ?? 0;
    if (before >= this.limits.maxRefusals) {
      this.#refusals.delete(root);
      return { ...verdict, status: 'open', refusalCount: before };
    }
    this.#refusals.set(root, before + 1);
    return { ...verdict, status: 'refine', refusalCount: before + 1 };
  }

  /** Tokens of a text, by its length. */
  tokens(chars: number): number {
    return Math.ceil(chars / this.limits.charsPerToken);
  }

  /** Whether a scope with so much would pass. Its size in characters is not known; hits and files nearly always decide. */
  passes(hits: number, files: number): boolean {
    return judge({ hits, files, estTokens: 0 }, this.limits) === undefined;
  }
}
