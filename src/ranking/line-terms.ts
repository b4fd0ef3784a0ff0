/** Which identifiers of a matched line hold terms. Pure. Works on the line as ripgrep's JSON escapes it, since unescaping half a
 *  million lines costs more than minding a backslash. */
import { type Held, scanPattern, type Term, type TermMatcher } from './terms.js';

const COMMENT = /^(?:\\t|\s)*(?:\/\/|\/?\*(?!\w)|#(?![a-z]|\s*(?:define|include|if|el|end|pragma|undef))|--|<!--|;;)/;
/** What stands before a name where it is defined, in most languages; a Go receiver may come between. */
const DEFINES =
  /(?:^|[^\w.])(?:function\*?|class|def|fn|func|struct|enum|interface|trait|type|module|namespace|define|macro_rules!|impl|object|union|record|protocol|const|static|typedef|defn?)(?:\s|\\t)+(?:self\.|\([^)]*\)\s*)?$/;
/** Factors of a line. Who asks for one identifier asks for its definition before all uses. */
export const LINE = { definition: 1.3, exactDefinition: 5, comment: 0.85 };
/** How far before a name its keyword may stand. */
const BEFORE_NAME = 60;
const WORD_CHAR = /[\p{L}\p{M}\p{N}_$]/u;

const isAsciiWord = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95 || code === 36;

export interface TermSink {
  /** @param factor of the line, or of a definition
   *  @param at where the identifier starts */
  term(held: Held, factor: number, at: number): void;
}

export class LineReader {
  readonly #matcher: TermMatcher;
  readonly #stems: RegExp;
  readonly #phrases: readonly { readonly escaped: string; readonly held: Held }[];

  readonly #isEscaped: boolean;
  readonly #definition: number;
  /** Of the line that is read; 0 before its first term. */
  #factor = 0;

  /** @param options.isEscaped whether lines come as JSON escapes them
   *  @param options.wantsDefinition definitions come before all uses */
  constructor(terms: readonly Term[], matcher: TermMatcher, options: { isEscaped: boolean; wantsDefinition: boolean }) {
    this.#isEscaped = options.isEscaped;
    this.#matcher = matcher;
    this.#definition = options.wantsDefinition ? LINE.exactDefinition : LINE.definition;
    this.#stems = scanPattern(terms.filter((term) => term.kind !== 'phrase'));
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

  /** Tells the sink of every identifier (and phrase) that holds terms. */
  read(text: string, sink: TermSink): void {
    this.#factor = 0;
    for (const { escaped, held } of this.#phrases) {
      const at = text.indexOf(escaped);
      if (at >= 0) this.#tell(sink, text, held, at);
    }
    const stems = this.#stems;
    stems.lastIndex = 0;
    // test() moves lastIndex as exec() does, and builds no array; a stem is made of word characters, so its end finds its word.
    while (stems.test(text)) {
      const last = stems.lastIndex - 1;
      const start = startOfWord(text, last, this.#isEscaped);
      const end = endOfWord(text, last + 1);
      const held = end > start ? this.#matcher.held(text.slice(start, end)) : undefined;
      if (held !== undefined) this.#tell(sink, text, held, start);
      stems.lastIndex = end;
    }
  }

  #tell(sink: TermSink, text: string, held: Held, at: number): void {
    if (this.#factor === 0) this.#factor = isComment(text) ? LINE.comment : 1;
    sink.term(held, this.#factor === 1 && this.#defines(text, at) ? this.#definition : this.#factor, at);
  }

  /** Whether the name at a place is defined there. */
  #defines(text: string, at: number): boolean {
    if (!mayFollowKeyword(text, at, this.#isEscaped)) return false;
    const before = text.slice(Math.max(0, at - BEFORE_NAME), at);
    return DEFINES.test(
      this.#isEscaped && before.includes('\\')
        ? before.replace(/\\(.)/g, (_, char: string) => ('tnrbf'.includes(char) ? '  ' : '\\\\'))
        : before,
    );
  }
}

/** A keyword and its name have a blank between them, or `self.`; the regular expression is asked only then. */
function mayFollowKeyword(text: string, at: number, isEscaped: boolean): boolean {
  const code = text.charCodeAt(at - 1);
  return code === 32 || code === 9 || code === 46 || code === 41 || (isEscaped && text.charCodeAt(at - 2) === 92);
}

/** Most lines start with a letter; the regular expression is asked only about the others. */
function isComment(text: string): boolean {
  let at = 0;
  for (; ; at++) {
    const code = text.charCodeAt(at);
    if (code === 92 && text.charCodeAt(at + 1) === 116) at++;
    else if (code !== 32 && code !== 9) break;
  }
  const code = text.charCodeAt(at) | 32;
  return !(code >= 97 && code <= 122) && COMMENT.test(text);
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
    // \u0001 has five characters behind its backslash, other escapes one.
    const length = text.charCodeAt(start) === 117 && /^u[0-9a-f]{4}/.test(text.slice(start, start + 5)) ? 5 : 1;
    if (backslashes % 2 === 1 && start < from + 1) start += length;
  }
  return start;
}

function endOfWord(text: string, from: number): number {
  let end = from;
  while (end < text.length && isWordAt(text, end)) end++;
  return end;
}
