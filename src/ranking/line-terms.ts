/** Which identifiers of a matched line hold terms. Pure. Works on the line as ripgrep's JSON escapes it, since unescaping half a
 *  million lines costs more than minding a backslash. */
import type { Held, Term, TermMatcher } from './terms.js';
import { termPattern } from './terms.js';

const COMMENT = /^(?:\\t|\s)*(?:\/\/|\/?\*(?!\w)|#(?![a-z]|\s*(?:define|include|if|el|end|pragma|undef))|--|<!--|;;)/;
/** What stands before a name where it is defined, in most languages; a Go receiver may come between. */
const DEFINES =
  /(?:^|[^\w.])(?:function\*?|class|def|fn|func|struct|enum|interface|trait|type|module|namespace|define|macro_rules!|impl|object|union|record|protocol|const|static|typedef|defn?)(?:\s|\\t)+(?:self\.|\([^)]*\)\s*)?$/;
export const LINE = { definition: 1.3, comment: 0.85 };
const WORD_CHAR = /[\p{L}\p{M}\p{N}_$]/u;

const isAsciiWord = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95 || code === 36;

export class LineReader {
  readonly #matcher: TermMatcher;
  readonly #stems: RegExp;
  readonly #phrases: readonly { readonly escaped: string; readonly held: Held }[];

  readonly #isEscaped: boolean;

  /** @param options.isEscaped whether lines come as JSON escapes them */
  constructor(terms: readonly Term[], matcher: TermMatcher, options: { isEscaped: boolean }) {
    this.#isEscaped = options.isEscaped;
    this.#matcher = matcher;
    // JavaScript has no inline flags and no look at what precedes that would matter here: edges are judged by the matcher.
    const pattern = termPattern(terms.filter((term) => term.kind !== 'phrase'))
      .replaceAll('(?:\\b|_)', '')
      .replace(/\(\?-i:\[a-z0-9\](.*?)\)/g, '$1');
    this.#stems = new RegExp(pattern === '' ? '(?!)' : pattern, 'giu');
    this.#phrases = terms.flatMap((term, index) =>
      term.kind === 'phrase'
        ? [
            {
              escaped: options.isEscaped ? JSON.stringify(term.text).slice(1, -1) : term.text,
              held: { terms: [index], weights: [1], mask: 1 << index },
            },
          ]
        : [],
    );
  }

  /** Calls `found` for every identifier (and phrase) that holds terms; `factor` is that of the whole line. */
  read(text: string, found: (held: Held, factor: number) => void): void {
    let factor = 0;
    const report = (held: Held, place = 1): void => {
      if (factor === 0) factor = COMMENT.test(text) ? LINE.comment : 1;
      found(held, factor === 1 ? place : factor);
    };
    for (const { escaped, held } of this.#phrases) if (text.includes(escaped)) report(held);
    this.#stems.lastIndex = 0;
    for (let match = this.#stems.exec(text); match !== null; match = this.#stems.exec(text)) {
      const start = startOfWord(text, match.index, this.#isEscaped);
      const end = endOfWord(text, Math.max(match.index + match[0].length, start));
      const held = end > start ? this.#matcher.held(text.slice(start, end)) : undefined;
      if (held !== undefined) report(held, DEFINES.test(text.slice(Math.max(0, start - 60), start)) ? LINE.definition : 1);
      this.#stems.lastIndex = Math.max(end, match.index + 1);
    }
  }
}

const isWordAt = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code < 128 ? isAsciiWord(code) : WORD_CHAR.test(text.charAt(at));
};

function startOfWord(text: string, from: number, isEscaped: boolean): number {
  let start = from;
  while (start > 0 && isWordAt(text, start - 1)) start--;
  // The letter of an escape (\t, \n) is no part of the word behind it; an escaped backslash is no escape of it.
  if (isEscaped && start > 0 && text.charCodeAt(start - 1) === 92) {
    let backslashes = 1;
    while (text.charCodeAt(start - 1 - backslashes) === 92) backslashes++;
    if (backslashes % 2 === 1 && start < from + 1) start++;
  }
  return start;
}

function endOfWord(text: string, from: number): number {
  let end = from;
  while (end < text.length && isWordAt(text, end)) end++;
  return end;
}
