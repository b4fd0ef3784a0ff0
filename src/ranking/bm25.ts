/** BM25 in its parts. Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond (2009). Pure; the statistics
 *  come in as arguments, so that one formula serves files, windows and tests. */

export interface Bm25 {
  /** Saturation: how soon further occurrences stop counting; 1.2 to 2. */
  readonly k1: number;
  /** Length normalisation: 0 none, 1 full. Low here, since large files are often central ones. */
  readonly b: number;
}

export const FILE_BM25: Bm25 = { k1: 1.2, b: 0.2 };
/** Windows all have the same length. */
export const WINDOW_BM25: Bm25 = { k1: 1.2, b: 0 };

/** How much a term tells: n files in all, df of them with the term. Never negative. */
export function idf(df: number, n: number): number {
  return Math.log(1 + (Math.max(n, df) - df + 0.5) / (df + 0.5));
}

/** Saturated frequency of one term, 0 to k1 + 1.
 *  @param tf    weighted occurrences
 *  @param ratio size of the text divided by the mean size */
export function saturate(tf: number, ratio: number, { k1, b }: Bm25): number {
  return tf === 0 ? 0 : (tf * (k1 + 1)) / (tf + k1 * (1 - b + b * ratio));
}
/** Identifiers that hold several words: the first tells most. */
export const MULTI_BM25: Bm25 = { k1: 1.2, b: 0 };
