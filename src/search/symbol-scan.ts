/** ripgrep runs for names as whole identifiers; every hit is graded by the look of its line. Nothing is kept here. */
import { type Grade, gradeLine, roleInLine } from '../code/definition-line.js';
import { type LanguageName, languageOf } from '../code/language.js';
import { classOf, DEMOTION, type PathClass } from '../ranking/path-class.js';
import { escapeRegex } from '../ranking/terms.js';
import { ownCopy } from '../ranking/tokenizer.js';
import type { SearchEnd } from '../ripgrep/process.js';
import type { Frame } from './frame.js';
import { wordQuery } from './ranking-pass.js';

/** A line that holds the name. */
export interface SymbolHit {
  readonly path: string;
  readonly line: number;
  /** As it stands there; differs from the query's in letter case alone. */
  readonly name: string;
  /** Where the name starts, in units. */
  readonly column: number;
  readonly grade: Grade;
  readonly role: 'code' | 'comment' | 'string';
  readonly class: PathClass;
  /** The line, at most its first 200 units. */
  readonly text: string;
  /** Whether an opening bracket follows somewhere on the line: a call, if it is no definition. */
  readonly isCall: boolean;
  /** Whether a tree may find a call of it here: also across lines, by a tag, a decorator, `new`, an alias or a word alone. */
  readonly mayCall: boolean;
}

/** How much a line looks like a definition. */
export const GRADES: Readonly<Record<Grade, number>> = {
  definition: 1,
  assignment: 0.6,
  declaration: 0.5,
  item: 0.3,
  possible: 0.2,
  none: 0,
};

/** Told of every line that holds one of the names; of a file with several, in the order of its lines. */
export interface SymbolSink {
  file(language: LanguageName | undefined, path: string): void;
  hit(hit: SymbolHit): void;
}

/** @param names at least one; of each line every name is told once, where it looks most like a definition */
export async function scanSymbols(
  names: readonly string[],
  ignoreCase: boolean,
  { passes, parts, context }: Frame,
  sink: SymbolSink,
): Promise<SearchEnd[]> {
  const ends: SearchEnd[] = [];
  const { progress } = context;
  const [only = ''] = names;
  // The first alternative that fits wins, so longer ones come first.
  const pattern = [...names]
    .sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
    .map(escapeRegex)
    .join('|');
  const query = { ...wordQuery(names.length === 1 ? only : pattern), isLiteral: names.length === 1, word: true, ignoreCase };
  for (const pass of passes) {
    let file: FileFacts | undefined;
    const longLines = new Set<string>();
    const binaryPaths: string[] = [];
    const end = await parts.ripgrep.scan(pass.walk, query, context, {
      begin: (path) => {
        file = pass.accepts(path) ? { path, language: languageOf(path), class: classOf(path), isTold: false } : undefined;
      },
      line: (line, escaped) => {
        if (file === undefined) return;
        const text = unescaped(escaped);
        for (const name of names) {
          const hit = hitOf(line, text, name, ignoreCase, file);
          if (hit === undefined) continue;
          if (!file.isTold) sink.file(file.language, file.path);
          if (!file.isTold) progress.matchedFiles++;
          file.isTold = true;
          sink.hit(hit);
          progress.matches++;
          if (progress.isWatched) progress.offer(hit.path, line, (GRADES[hit.grade] + LEAST_WEIGHT) * DEMOTION[hit.class]);
        }
      },
      tooLong: () => {
        if (file !== undefined) longLines.add(file.path);
      },
      binary: () => {
        if (file !== undefined) binaryPaths.push(file.path);
      },
      end: () => {},
    });
    ends.push({ ...end, longLines: { paths: [...longLines], query }, binaryPaths });
  }
  return ends;
}

/** A use is worth telling of while nothing better is known. */
const LEAST_WEIGHT = 0.1;
const LINE_UNITS = 200;
/** How far around a name is looked for what makes it a call: a line may be a megabyte. */
const AROUND_UNITS = 120;
const CALL_AFTER = /^\s*(?:<[^;]*>)?!?\s*(?:\?\.)?\s*\(|^`/;
/** Type arguments or brackets in the next line, `.call(…)`, an alias. */
const OPEN_AFTER = /^\s*(?:<|!?\)|$)|^\s*\.(?:call|apply)\b|^\s+as\s/;
const CALL_BEFORE = /(?:\bnew\s+|@|<)[\w$.]*$/;
/** Languages that call without brackets. */
const BARE_CALLS: ReadonlySet<LanguageName | undefined> = new Set<LanguageName | undefined>(['ruby', 'bash', undefined]);

interface FileFacts {
  readonly path: string;
  readonly language: LanguageName | undefined;
  readonly class: PathClass;
  isTold: boolean;
}

/** The occurrence on a line that looks most like a definition. */
function hitOf(line: number, text: string, name: string, ignoreCase: boolean, file: FileFacts): SymbolHit | undefined {
  const where = ignoreCase ? text.toLowerCase() : text;
  const wanted = ignoreCase ? name.toLowerCase() : name;
  let best: SymbolHit | undefined;
  let [isCall, mayCall] = [false, false];
  for (let at = where.indexOf(wanted); at >= 0; at = where.indexOf(wanted, at + 1)) {
    if (!isWhole(text, at, name.length)) continue;
    const after = text.slice(at + name.length, at + name.length + AROUND_UNITS);
    isCall ||= CALL_AFTER.test(after);
    mayCall ||=
      isCall || BARE_CALLS.has(file.language) || OPEN_AFTER.test(after) || CALL_BEFORE.test(text.slice(Math.max(0, at - AROUND_UNITS), at));
    // What looks like a definition in prose is a sentence.
    const isProse = file.language === undefined && (file.class === 'docs' || file.class === 'changelog' || PROSE.test(file.path));
    const grade = isProse ? 'none' : gradeLine(text, at, name.length, file.language);
    if (best !== undefined && GRADES[grade] <= GRADES[best.grade]) continue;
    const plain = roleInLine(text, at, file.language);
    // A quoted name that something is assigned to is a definition: 'name': function, define('NAME', 1).
    const isQuotedName = plain === 'string' && grade === 'assignment' && /['"]/.test(text.charAt(at - 1));
    const role = isQuotedName ? 'code' : plain;
    best = {
      path: file.path,
      line,
      name: ignoreCase ? ownCopy(text.slice(at, at + name.length)) : name,
      column: at,
      grade: role === 'code' ? grade : 'none',
      role,
      class: file.class,
      text: ownCopy(text.length > LINE_UNITS ? `${text.slice(0, LINE_UNITS)}…` : text),
      isCall: false,
      mayCall: false,
    };
  }
  return best === undefined ? undefined : { ...best, isCall, mayCall };
}

/** The line as it stands, of what JSON escapes; without its line end. */
function unescaped(escaped: string): string {
  const text = escaped.includes('\\') ? (JSON.parse(`"${escaped}"`) as string) : escaped;
  return text.replace(/\r?\n$/, '');
}

const PROSE = /\.(?:mdx?|markdown|rst|txt|adoc|textile|html?|tex|org|feature)$|(?:^|\/)\.gitignore$/i;
const SIGN = /[-+*/%&|^=<>!~]/;
const WORD = /[\p{L}\p{M}\p{N}_$]/u;

/** No word character beyond an end of the name that is one itself, and no sign of an operator beyond another. */
function isWhole(text: string, at: number, length: number): boolean {
  const isFree = (outside: string, inside: string): boolean =>
    !(WORD.test(outside) && outside !== '$' && WORD.test(inside)) && !(SIGN.test(outside) && SIGN.test(inside));
  return isFree(text.charAt(at - 1), text.charAt(at)) && isFree(text.charAt(at + length), text.charAt(at + length - 1));
}
