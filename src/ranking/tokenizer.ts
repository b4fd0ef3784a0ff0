/** Words and identifiers -> terms. Pure. One splitting for queries and for code, so that both sides meet. */

/** Characters of a word: letters, marks and digits of any script, and what identifiers add. */
export const WORD = /[\p{L}\p{M}\p{N}_$]+/gu;

/** `parseHTTPServer_v2` -> parse, HTTP, Server, v, 2; `parseURLs` -> parse, URLs. */
const PART = /\p{Lu}{2,}s(?!\p{Ll})|\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+|\p{Lu}|\p{N}+/gu;

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Scripts that write no spaces between words: their words are matched as substrings. */
export const isUnspaced = (word: string): boolean => CJK.test(word);

/** A slice keeps the whole text alive that it was cut from; a copy does not. */
export const ownCopy = (slice: string): string => Buffer.from(slice).toString();

/** Sub-words of an identifier, in lower case. */
export function splitIdentifier(identifier: string): string[] {
  return identifier.match(PART)?.map((part) => part.toLowerCase()) ?? [];
}

/** Whether a word is made of several sub-words (camelCase, snake_case, HTTPServer). */
export function isCompound(word: string): boolean {
  const parts = word.match(PART);
  return parts !== null && parts.filter((part) => /\p{L}/u.test(part)).length > 1;
}

/** A light stem: what is left of an English word without its most common endings, as a prefix of all its forms (retry, retries
 *  and retried give "retr"; cache, caches, cached and caching give "cach"). Never shorter than three letters. */
export function stem(word: string): string {
  const lower = word.toLowerCase();
  if (lower.length !== word.length) return word; // İ becomes two characters, which ripgrep does not take for one
  if (!/^[a-z]{4,}$/.test(lower)) return lower;
  const noun = NOUN.exec(lower);
  if (noun !== null) return lower.slice(0, noun.index + NOUN_STEM.length);
  for (const ending of ENDINGS) {
    if (!lower.endsWith(ending)) continue;
    const left = lower.slice(0, -ending.length);
    // Four letters left, or three before a plain ending: nvme is not nvm, size is not siz.
    if (left.length < (ending === 's' || ending === 'ing' ? 3 : 4)) continue;
    // string, speed
    if ((ending === 'ing' || ending === 'ed') && (!/[aeiouy]/.test(left) || left.endsWith('e'))) continue;
    if (ending === 's' && /[suia]$/.test(left)) return lower; // class, status, axis, alias
    // stopped, stopping -> stop; but called, passing -> call, pass
    const isDoubled = (ending === 'ed' || ending === 'ing') && left.length > 3 && /([bdgmnprt])\1$/.test(left);
    const bare = isDoubled ? left.slice(0, -1) : left;
    return ending === 's' && bare.endsWith('e') && bare.length > 4 ? bare.slice(0, -1) : bare;
  }
  return lower;
}

/** validation, validator: nouns of a verb in -ate, whose other forms give the same stem. Not station, which is none. */
const NOUN = /(?<=...)at(?:ions?|ors?)$/;
const NOUN_STEM = 'at';
const ENDINGS = ['ies', 'ied', 'ing', 'ed', 'es', 'ly', 'y', 's', 'e'];

/** Words that say nothing about where code is: English function words, and the filler of issue trackers. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and any are as at be been being but by can could did do does doing don done for from get gets getting got had has have having he her here him his how i if in ' +
    'into is isn it its itself just let like make makes making may me might more most must my no nor not now of off on once only or other our out over own same ' +
    'she should so some such than that the their them then there these they this those through to too under until up us use used uses using very via was we were what when ' +
    'where whether which while who why will with without would you your t s re ve ll d m doesn didn won wouldn shouldn aren wasn weren hasn haven cannot ' +
    'fix fixes fixed fixing bug bugs issue issues ensure ensures ensured handle handles handled fail fails failed failing failure properly correctly correct incorrect ' +
    'incorrectly wrong broken breaks allow allows allowed add adds added adding support supports supported supporting improve improves improved avoid avoids avoided ' +
    'prevent prevents prevented remove removes removed change changes changed update updates updated instead also still already always never when after before during ' +
    'work works working workaround need needs needed problem problems case cases pr gh via see find code implementation implement implemented implements'
  ).split(' '),
);
