/** Which words of a text tell what it is about: those that stand in several places but not everywhere, names before plain words,
 *  and what sounds like trouble first of all. Pure. */
import { LIMITS } from '../base/limits.js';
import { idf } from '../ranking/bm25.js';
import { isCompound, STOP_WORDS } from '../ranking/tokenizer.js';

const WORD = /[\p{L}_$][\p{L}\p{M}\p{N}_$]{3,29}/gu;
const TROUBLE = /error|exception|fail|refus|denied|timeout|timed|fatal|panic|crash|abort|invalid|missing|deadlock|leak/i;
/** Made of digits for the most part: an id, which nobody would guess. */
const IS_ID = /(?:\d.*){4}|^[0-9a-f]{8,}$/i;
/** Parts of a text in which a word is counted once. */
const PARTS = 40;
/** Words that stand in more than this share of the parts tell nothing. */
const MOST_SHARE = 0.4;
const NAME_BONUS = 1.5;
const TROUBLE_BONUS = 3;
/** A word for so many bytes of text. */
const BYTES_PER_WORD = 250;
/** Different words that are counted. */
const MOST_WORDS = 50_000;

interface Count {
  readonly word: string;
  parts: number;
  last: number;
}

/** @returns best first, at most one for each 250 units of text */
export function distinctiveWords(lines: readonly string[], most = LIMITS.summaryTerms.def): string[] {
  const counts = new Map<string, Count>();
  const perPart = Math.max(1, Math.ceil(lines.length / PARTS));
  const parts = Math.ceil(lines.length / perPart);
  let units = 0;
  for (const [index, line] of lines.entries()) {
    units += line.length + 1;
    for (const [word] of line.matchAll(WORD)) countIn(counts, word, Math.floor(index / perPart));
  }
  const wanted = Math.min(most, Math.ceil(units / BYTES_PER_WORD));
  const scored = [...counts.values()].flatMap(({ word, parts: df }) => {
    const isTrouble = TROUBLE.test(word);
    if (!isTrouble && (df < 2 || df > Math.max(2, parts * MOST_SHARE))) return [];
    const bonus = (isTrouble ? TROUBLE_BONUS : 1) * (isCompound(word) ? NAME_BONUS : 1);
    return [{ word, score: bonus * idf(df, parts) * Math.sqrt(Math.min(df, 4)) }];
  });
  scored.sort((a, b) => b.score - a.score || (a.word < b.word ? -1 : 1));
  return scored.slice(0, wanted).map(({ word }) => word);
}

function countIn(counts: Map<string, Count>, word: string, part: number): void {
  const key = word.toLowerCase();
  if (STOP_WORDS.has(key) || IS_ID.test(word)) return;
  const known = counts.get(key);
  if (known === undefined) {
    if (counts.size < MOST_WORDS) counts.set(key, { word, parts: 1, last: part });
  } else if (known.last !== part) {
    known.parts++;
    known.last = part;
  }
}
