/** One ripgrep run for a name as a whole identifier: every hit is graded by the look of its line, the best are kept, all are
 *  counted. Memory is bounded by what is kept. */
import { type Grade, gradeLine, roleInLine } from '../code/definition-line.js';
import { type LanguageName, languageOf } from '../code/language.js';
import { classOf, DEMOTION, type PathClass } from '../ranking/path-class.js';
import type { SearchEnd } from '../ripgrep/process.js';
import type { Frame } from './frame.js';
import { comparePaths } from './order.js';
import { wordQuery } from './ranking-pass.js';
import { Smallest } from './smallest.js';

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
  /** Whether an opening bracket follows: a call, if it is no definition. */
  readonly isCall: boolean;
}

export interface SymbolHits {
  readonly isAnyCase: boolean;
  /** Lines that look like definitions, most certain first. */
  readonly candidates: readonly SymbolHit[];
  /** Lines that may be definitions; only a tree can tell. */
  readonly possible: readonly SymbolHit[];
  /** All lines in the order of use: code, then tests, then comments and strings; by path and line. */
  readonly uses: readonly SymbolHit[];
  readonly counts: { readonly code: number; readonly test: number; readonly text: number };
  readonly files: number;
  /** Languages of the files with hits, and in how many. */
  readonly languages: ReadonlyMap<LanguageName, number>;
  readonly ends: readonly SearchEnd[];
}

const MOST_CANDIDATES = 200;
const GRADES: Readonly<Record<Grade, number>> = { definition: 1, assignment: 0.6, declaration: 0.5, item: 0.3, possible: 0.2, none: 0 };
const PROSE = /\.(?:mdx?|markdown|rst|txt|adoc|textile|html?|tex|org|feature)$|(?:^|\/)\.gitignore$/i;
const SIGN = /[-+*/%&|^=<>!~]/;
const WORD = /[\p{L}\p{M}\p{N}_$]/u;

export const certainty = (hit: SymbolHit): number => GRADES[hit.grade] * DEMOTION[hit.class];

const byCertainty = (a: SymbolHit, b: SymbolHit): number => certainty(b) - certainty(a) || byPlace(a, b);
const byPlace = (a: SymbolHit, b: SymbolHit): number => comparePaths(a.path, b.path) || a.line - b.line;
const byUse = (a: SymbolHit, b: SymbolHit): number => useRank(a) - useRank(b) || byPlace(a, b);

/** Code first, then tests, then what is no code. */
export function useRank({ role, class: kind }: SymbolHit): 0 | 1 | 2 {
  if (role !== 'code' || !['source', 'header', 'build', 'test'].includes(kind)) return 2;
  return kind === 'test' ? 1 : 0;
}

/** @param keepUses uses that are kept; all are counted
 */
export async function findSymbolHits(
  name: string,
  ignoreCase: boolean,
  keepUses: number,
  { passes, parts, context }: Frame,
): Promise<SymbolHits> {
  const candidates = new Smallest<SymbolHit>(MOST_CANDIDATES, byCertainty);
  const possible = new Smallest<SymbolHit>(MOST_CANDIDATES, byCertainty);
  const uses = new Smallest<SymbolHit>(keepUses, byUse);
  const counts = { code: 0, test: 0, text: 0 };
  const languages = new Map<LanguageName, number>();
  const ends: SearchEnd[] = [];
  let files = 0;
  for (const pass of passes) {
    let file: FileFacts | undefined;
    const query = { ...wordQuery(name), isLiteral: true, word: true, ignoreCase };
    const take = (line: number, text: string): void => {
      if (file === undefined) return;
      const hit = hitOf(line, text, name, ignoreCase, file);
      if (hit === undefined) return;
      if (!file.isCounted) {
        file.isCounted = true;
        files++;
        if (file.language !== undefined) languages.set(file.language, (languages.get(file.language) ?? 0) + 1);
      }
      const rank = useRank(hit);
      counts[rank === 0 ? 'code' : rank === 1 ? 'test' : 'text']++;
      context.progress.matches = counts.code + counts.test + counts.text;
      uses.add(hit);
      if (hit.role !== 'code') return;
      if (hit.grade === 'possible' || hit.grade === 'item') possible.add(hit);
      else if (hit.grade !== 'none') candidates.add(hit);
    };
    const end = await parts.ripgrep.scan(pass.walk, query, context, {
      begin: (path) => {
        file = pass.accepts(path) ? { path, language: languageOf(path), class: classOf(path), isCounted: false } : undefined;
      },
      line: take,
      end: () => {},
    });
    ends.push(end);
  }
  return {
    isAnyCase: ignoreCase,
    candidates: candidates.sorted(),
    possible: possible.sorted(),
    uses: uses.sorted(),
    counts,
    files,
    languages,
    ends,
  };
}

interface FileFacts {
  readonly path: string;
  readonly language: LanguageName | undefined;
  readonly class: PathClass;
  isCounted: boolean;
}

/** The occurrence on a line that looks most like a definition. */
function hitOf(line: number, escaped: string, name: string, ignoreCase: boolean, file: FileFacts): SymbolHit | undefined {
  const text = unescaped(escaped);
  const where = ignoreCase ? text.toLowerCase() : text;
  const wanted = ignoreCase ? name.toLowerCase() : name;
  let best: SymbolHit | undefined;
  for (let at = where.indexOf(wanted); at >= 0; at = where.indexOf(wanted, at + 1)) {
    if (!isWhole(text, at, name.length)) continue;
    // What looks like a definition in prose is a sentence.
    const isProse = file.language === undefined && (file.class === 'docs' || file.class === 'changelog' || PROSE.test(file.path));
    const grade = isProse ? 'none' : gradeLine(text, at, name.length, file.language);
    if (best !== undefined && GRADES[grade] <= GRADES[best.grade]) continue;
    const plain = roleInLine(text, at, file.language);
    // A quoted name that something is assigned to is a definition: 'name': function, define('NAME', 1).
    const isQuotedName = plain === 'string' && grade === 'assignment' && /['"]/.test(text.charAt(at - 1));
    const role = isQuotedName ? 'code' : plain;
    const isCall = /^\s*(?:<[^<>]*>)?!?\s*\(/.test(text.slice(at + name.length, at + name.length + 80));
    best = {
      path: file.path,
      line,
      name: text.slice(at, at + name.length),
      column: at,
      grade: role === 'code' ? grade : 'none',
      role,
      class: file.class,
      isCall,
    };
  }
  return best;
}

/** The line as it stands, of what JSON escapes; without its line end. */
function unescaped(escaped: string): string {
  const text = escaped.includes('\\') ? (JSON.parse(`"${escaped}"`) as string) : escaped;
  return text.replace(/\r?\n$/, '');
}

/** No word character beyond an end of the name that is one itself, and no sign of an operator beyond another. */
function isWhole(text: string, at: number, length: number): boolean {
  const isFree = (outside: string, inside: string): boolean =>
    !(WORD.test(outside) && outside !== '$' && WORD.test(inside)) && !(SIGN.test(outside) && SIGN.test(inside));
  return isFree(text.charAt(at - 1), text.charAt(at)) && isFree(text.charAt(at + length), text.charAt(at + length - 1));
}
