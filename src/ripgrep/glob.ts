/** Globs and gitignore lines as matchers and as ripgrep rules. Pure. Paths are relative to the root with forward slashes. */
import { showJson } from '../base/display.js';
import { ToolError } from '../base/errors.js';
import { compileWildcard } from './wildcard.js';

/** A glob of the caller: matches whole paths, and everything below a folder that it names. */
export interface Glob {
  /** As the caller wrote it, without a leading `!`. */
  readonly text: string;
  /** Anchored gitignore forms for ripgrep, without their leading slash. */
  readonly patterns: readonly string[];
  matches(path: string): boolean;
}

/** @throws ToolError glob_invalid for what ripgrep would take but no caller can mean */
export function parseGlob(text: string): Glob {
  const refuse = (why: string): never => {
    throw new ToolError('glob_invalid', `The glob ${showJson(text)} ${why}.`);
  };
  if (text.trim() === '') refuse('is empty');
  if (/[\0\n\r]/.test(text)) refuse('contains a NUL or a line break');
  const normal = text.replace(/\/{2,}/g, '/').replace(/^(?:\.\/)+/, '');
  if (normal.split('/').includes('..')) refuse('contains "..", and globs never leave the root');
  const trimmed = normal.replace(/(?<!\\)\/+$/, '');
  // A glob without a slash means the name at any depth.
  const anchored = trimmed === '' || trimmed === '.' ? '**' : trimmed.includes('/') ? trimmed.replace(/^\//, '') : `**/${trimmed}`;
  // Names such as app/[id] and {x} exist: a path that has the very brackets matches as well.
  const literal = anchored.replace(/(?<!\\)[[\]{}]/g, '\\$&');
  const bases = literal === anchored ? [anchored] : [anchored, literal];
  const matchers = bases.map((base) => compileWildcard(base) ?? refuse('has braces that stand for too many alternatives'));
  const patterns = bases.flatMap((base) => (base.split('/').at(-1) === '**' ? [base] : [base, `${base}/**`])).map(escapeTail);
  return { text, patterns, matches: (path) => matchers.some((matches) => matchesOrHolds(matches, path)) };
}

/** ripgrep drops white space at the end of a rule; as a class it stays. */
function escapeTail(pattern: string): string {
  const kept = trimTail(pattern);
  return kept + [...pattern.slice(kept.length)].map((char) => `[${char}]`).join('');
}

/** Without white space at the end, of which the first may be escaped. Linear, unlike a pattern that looks from every space. */
function trimTail(text: string): string {
  let end = text.length;
  while (end > 0 && /\s/.test(text.charAt(end - 1))) end--;
  return end < text.length && text[end - 1] === '\\' ? text.slice(0, end + 1) : text.slice(0, end);
}

/** Whether a path itself matches, or a folder above it. */
function matchesOrHolds(matches: (path: string) => boolean, path: string): boolean {
  return matches(path) || isBelow(matches, path);
}

function isBelow(matches: (path: string) => boolean, path: string): boolean {
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) if (matches(path.slice(0, slash))) return true;
  return false;
}

/** A glob that means exactly one path. */
export function literalGlob(path: string): Glob {
  return { text: path, patterns: [escapePath(path)], matches: (other) => other === path };
}

/** One line of a gitignore file. */
export interface IgnoreRule {
  readonly text: string;
  /** `!`: the paths are included again. */
  readonly isNegated: boolean;
  /** Anchored gitignore forms for ripgrep, without their leading slash. */
  readonly patterns: readonly string[];
  /** Matches a path itself or by a folder above it. */
  matches(path: string): boolean;
}

const MOST_FOLDERS = 256;
/** More rules than this in one file are not used. */
const MOST_RULES = 1_000;

/** The rules of a gitignore text, in order; comments and blank lines are dropped.
 *  @param skipped called with the number of a line that cannot be used */
export function parseIgnore(text: string, skipped: (line: number) => void = () => {}): IgnoreRule[] {
  const rules: IgnoreRule[] = [];
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const line = trimTail(raw);
    if (line === '' || line.startsWith('#')) continue;
    const isNegated = line.startsWith('!');
    const body = line.slice(isNegated ? 1 : 0).replace(/^\\(?=[!#])/, '');
    const isFolder = body.endsWith('/');
    const name = body.replace(/\/+$/, '');
    if (name === '') continue;
    const base = name.includes('/') ? name.replace(/^\//, '') : `**/${name}`;
    const matches = compileWildcard(base);
    if (matches === undefined || rules.length >= MOST_RULES) {
      skipped(index + 1);
      continue;
    }
    // A rule that ends in a slash is about folders; what is asked about here are files, so only their folders count.
    const holds = isFolder ? (path: string) => isBelow(matches, path) : (path: string) => matchesOrHolds(matches, path);
    rules.push({ text: line, isNegated, patterns: [base, `${base}/**`].map(escapeTail), matches: holds });
  }
  return rules;
}

/** Finds the last rule that matches, which decides. Most rules are a plain name or an ending; those are looked up, not tried. */
export class RuleSet {
  readonly rules: readonly IgnoreRule[];
  /** Name or ending -> positions of its rules. */
  readonly #names = new Map<string, number[]>();
  readonly #endings = new Map<string, number[]>();
  /** All other rules, last first, each with a text without which no path matches it. */
  readonly #others: { readonly position: number; readonly needs: string }[] = [];
  /** Folder -> what its names alone decide, of the folders asked about last: files come folder by folder, from a few of them at once. */
  readonly #folders = new Map<string, number>();

  constructor(rules: readonly IgnoreRule[]) {
    this.rules = rules;
    for (const [position, rule] of rules.entries()) {
      const name = /^!?([\w.@+-]+)\/?$/.exec(rule.text)?.[1];
      const ending = /^!?\*(\.[\w.+-]+)\/?$/.exec(rule.text)?.[1];
      if (name !== undefined) put(this.#names, name, position);
      else if (ending !== undefined) put(this.#endings, ending, position);
      else this.#others.unshift({ position, needs: literalOf(rule.text) });
    }
  }

  lastMatch(path: string): IgnoreRule | undefined {
    const slash = path.lastIndexOf('/');
    let last = slash < 0 ? -1 : this.#lastInFolder(path.slice(0, slash));
    for (const position of this.#namedBy(path.slice(slash + 1)))
      if (position > last && this.rules[position]?.matches(path)) last = position;
    for (const { position, needs } of this.#others) {
      if (position <= last) break;
      if (path.includes(needs) && this.rules[position]?.matches(path)) last = position;
    }
    return this.rules[last];
  }

  /** The last rule that holds for all below a folder by a name in its path. */
  #lastInFolder(folder: string): number {
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    let last = -1;
    for (const part of folder.split('/')) for (const position of this.#namedBy(part)) last = Math.max(last, position);
    if (this.#folders.size >= MOST_FOLDERS) this.#folders.clear();
    this.#folders.set(folder, last);
    return last;
  }

  /** Rules that are a plain name or an ending, and fit this one. */
  #namedBy(name: string): readonly number[] {
    const named = this.#names.get(name);
    const positions = named === undefined ? [] : [...named];
    for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
      const ended = this.#endings.get(name.slice(dot));
      if (ended !== undefined) positions.push(...ended);
    }
    return positions;
  }
}

/** The longest part of a rule that stands in every path it matches; empty where classes, braces or escapes leave none certain. */
function literalOf(rule: string): string {
  if (/[[{\\]/.test(rule)) return '';
  const pieces = rule.replace(/^!/, '').split(/[*?/]+/);
  return pieces.reduce((longest, piece) => (piece.length > longest.length ? piece : longest), '');
}

function put(index: Map<string, number[]>, key: string, position: number): void {
  const known = index.get(key);
  if (known === undefined) index.set(key, [position]);
  else known.push(position);
}

/** A literal path as an anchored gitignore pattern without its leading slash. */
export function escapePath(path: string): string {
  return escapeTail(path.replace(/[\\*?[\]{}!#]/g, '\\$&'));
}

/** The same for a folder, where a slash follows: ripgrep takes a backslash before it for an escape of the slash, even if it is
 *  escaped itself. The pattern fits any character there. */
export const escapeFolder = (path: string): string => escapePath(path).replace(/\\\\$/, '?');
