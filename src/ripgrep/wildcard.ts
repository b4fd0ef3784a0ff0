/** Matches paths against one glob, with the meaning that ripgrep gives it. Pure. Time is linear in path times glob, whatever a
 *  repository or a caller writes: no regular expression, no backtracking beyond the last star. Letter case counts. */

type Token =
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'any' | 'star' }
  | { readonly kind: 'class'; readonly class: CharClass };

interface CharClass {
  readonly isNegated: boolean;
  /** Pairs of first and last code point. */
  readonly ranges: readonly (readonly [number, number])[];
}

/** One folder or file name of a glob; `**` stands for any number of them. */
type Component = readonly Token[] | '**';

/** More alternatives than this make no sensible glob. */
const MOST_ALTERNATIVES = 1_000;

/** A function that says whether a whole path matches; undefined for braces that multiply out of all measure. */
export function compileWildcard(glob: string): ((path: string) => boolean) | undefined {
  const alternatives = expandBraces(glob);
  if (alternatives === undefined) return undefined;
  const compiled = alternatives.map((alternative) => alternative.split('/').map(parseComponent).filter(isNoRepeat));
  return (path) => {
    const parts = path.split('/');
    return compiled.some((components) => matchPath(components, parts));
  };
}

/** `**\/**` means no more than `**`. */
const isNoRepeat = (component: Component, index: number, all: readonly Component[]): boolean =>
  component !== '**' || all[index - 1] !== '**';

/** `a{b,c}d` -> abd, acd; nested; escapes and classes are left alone. undefined once there are more than `budget` of them. */
function expandBraces(glob: string, budget = { left: MOST_ALTERNATIVES }): string[] | undefined {
  const braces = firstBraces(glob);
  if (braces === undefined) return --budget.left < 0 ? undefined : [glob];
  const all: string[] = [];
  for (const piece of braces.pieces) {
    const expanded = expandBraces(glob.slice(0, braces.open) + piece + glob.slice(braces.end), budget);
    if (expanded === undefined) return undefined;
    all.push(...expanded);
  }
  return all;
}

/** The first pair of braces and what its commas separate; unclosed ones are refused by ripgrep before they come here. */
function firstBraces(glob: string): { open: number; end: number; pieces: string[] } | undefined {
  const open = findUnescaped(glob, 0, '{');
  const pieces: string[] = [];
  let depth = 0;
  let from = open + 1;
  for (let at = Math.max(0, open); open >= 0 && at < glob.length; at++) {
    const char = glob[at];
    if (char === '\\') at++;
    else if (char === '[') at = classEnd(glob, at);
    else if (char === '{') depth++;
    else if ((char === ',' && depth === 1) || (char === '}' && --depth === 0)) {
      pieces.push(glob.slice(from, at));
      from = at + 1;
      if (depth === 0) return { open, end: from, pieces };
    }
  }
  return undefined;
}

function findUnescaped(text: string, from: number, wanted: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === wanted) return at;
    else if (text[at] === '[') at = classEnd(text, at);
  }
  return -1;
}

/** Position of the bracket that ends a class, or of the opening one where none does. */
function classEnd(text: string, open: number): number {
  const first = text[open + 1] === '!' || text[open + 1] === '^' ? open + 2 : open + 1;
  const close = text.indexOf(']', first + 1);
  return close < 0 ? open : close;
}

function parseComponent(text: string): Component {
  if (text === '**') return '**';
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    const char = String.fromCodePoint(text.codePointAt(at) ?? 0);
    const end = char === '[' ? classEnd(text, at) : at;
    if (char === '\\' && at + 1 < text.length) {
      const escaped = String.fromCodePoint(text.codePointAt(at + 1) ?? 0);
      tokens.push({ kind: 'char', char: escaped });
      at += 1 + escaped.length;
    } else if (char === '*') {
      if (tokens.at(-1)?.kind !== 'star') tokens.push({ kind: 'star' });
      at++;
    } else if (char === '?') {
      tokens.push({ kind: 'any' });
      at++;
    } else if (end > at) {
      tokens.push({ kind: 'class', class: parseClass(text.slice(at + 1, end)) });
      at = end + 1;
    } else {
      tokens.push({ kind: 'char', char });
      at += char.length;
    }
  }
  return tokens;
}

function parseClass(body: string): CharClass {
  const isNegated = /^[!^]/.test(body);
  const chars = [...body.slice(isNegated ? 1 : 0)].map((char) => char.codePointAt(0) ?? 0);
  const ranges: [number, number][] = [];
  for (let at = 0; at < chars.length; at++) {
    const first = chars[at] ?? 0;
    const isRange = chars[at + 1] === 0x2d && at + 2 < chars.length;
    ranges.push([first, isRange ? (chars[at + 2] ?? first) : first]);
    if (isRange) at += 2;
  }
  return { isNegated, ranges };
}

/** Both levels are the same walk: go on as far as possible, and where it fails, let the last star take one more. */
function walk(
  patterns: number,
  items: number,
  isStar: (pattern: number) => boolean,
  fits: (pattern: number, item: number) => boolean,
): boolean {
  let pattern = 0;
  let item = 0;
  let star = -1;
  let resume = 0;
  while (item < items) {
    if (pattern < patterns && isStar(pattern)) {
      star = pattern++;
      resume = item;
    } else if (pattern < patterns && fits(pattern, item)) {
      pattern++;
      item++;
    } else if (star >= 0) {
      pattern = star + 1;
      item = ++resume;
    } else return false;
  }
  while (pattern < patterns && isStar(pattern)) pattern++;
  return pattern === patterns;
}

function matchPath(components: readonly Component[], parts: readonly string[]): boolean {
  // `a/**` is what lies below a, not a itself.
  if (components.at(-1) === '**' && components.length > 1) {
    const above = components.slice(0, -1);
    return parts.length > 1 && matchPrefix(above, parts);
  }
  return walk(
    components.length,
    parts.length,
    (pattern) => components[pattern] === '**',
    (pattern, item) => matchName(components[pattern] as readonly Token[], parts[item] ?? ''),
  );
}

function matchPrefix(components: readonly Component[], parts: readonly string[]): boolean {
  for (let length = 1; length < parts.length; length++) if (matchPath(components, parts.slice(0, length))) return true;
  return false;
}

function matchName(tokens: readonly Token[], name: string): boolean {
  const chars = [...name];
  return walk(
    tokens.length,
    chars.length,
    (pattern) => tokens[pattern]?.kind === 'star',
    (pattern, item) => {
      const token = tokens[pattern];
      const char = chars[item] ?? '';
      if (token?.kind === 'char') return token.char === char;
      if (token?.kind === 'class') return inClass(token.class, char.codePointAt(0) ?? 0);
      return token?.kind === 'any';
    },
  );
}

const inClass = ({ ranges, isNegated }: CharClass, code: number): boolean =>
  ranges.some(([first, last]) => code >= first && code <= last) !== isNegated;
