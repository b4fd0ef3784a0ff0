/** How many of the kept hits a search for whole words would keep, without a further run. Pure. Only where that can be told exactly:
 *  for literal text in lines that were kept whole. */
import type { FileRows } from '../ripgrep/budget.js';
import type { ExactQuery } from './exact-query.js';

/** A word character as ripgrep sees it. */
const WORD = String.raw`[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]`;
const IS_WORD = new RegExp(WORD, 'u');

/** Whether `word: true` would mean anything: a pattern that ends in a sign is not part of a longer word. */
export function canBeWholeWord({ word, pattern }: Pick<ExactQuery, 'word' | 'pattern'>): boolean {
  return !word && IS_WORD.test(pattern.charAt(0)) && IS_WORD.test(pattern.charAt(pattern.length - 1)) && !/[\n\r]/.test(pattern);
}

/** @returns undefined where it cannot be told */
export function countWholeWords(files: readonly FileRows[], query: ExactQuery, isLiteral: boolean): number | undefined {
  if (!isLiteral || query.multiline || query.encoding !== undefined || !canBeWholeWord(query)) return undefined;
  const whole = new RegExp(`(?<!${WORD})${escapeUnicode(query.pattern)}(?!${WORD})`, query.ignoreCase ? 'iu' : 'u');
  let hits = 0;
  for (const { rows } of files) {
    for (const { isHit, text, before, after, long, isMasked } of rows) {
      if (!isHit) continue;
      if (before + after > 0 || long !== undefined || isMasked === true) return undefined;
      if (whole.test(text)) hits++;
    }
  }
  return hits;
}

/** With the `u` flag JavaScript refuses escapes that it does not know. */
const escapeUnicode = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
