/** Globs and gitignore lines as matchers and as ripgrep rules. Pure; the only user of picomatch. Paths are relative to the
 *  root with forward slashes. */
import picomatch from 'picomatch';
import { showControls } from '../base/display.js';
import { ToolError } from '../base/errors.js';

const PICOMATCH = { dot: true, nonegate: true, noextglob: true, windows: false } as const;

/** A glob of the caller: matches whole paths, and everything below a folder that it names. */
export interface Glob {
  /** As the caller wrote it, without a leading `!`. */
  readonly text: string;
  /** Anchored gitignore forms for ripgrep, without their leading slash. */
  readonly patterns: readonly string[];
  matches(path: string): boolean;
}

/** picomatch reads parentheses as groups; in a glob they are plain characters. */
const matcherOf = (pattern: string): ((path: string) => boolean) => picomatch(pattern.replace(/(?<!\\)[()]/g, '\\$&'), PICOMATCH);

/** @throws ToolError glob_invalid for what ripgrep would take but no caller can mean */
export function parseGlob(text: string): Glob {
  const refuse = (why: string): never => {
    throw new ToolError('glob_invalid', `The glob "${showControls(text)}" ${why}.`);
  };
  if (text.trim() === '') refuse('is empty');
  if (/[\0\n\r]/.test(text)) refuse('contains a NUL or a line break');
  const normal = text.replace(/\/{2,}/g, '/').replace(/^(?:\.\/)+/, '');
  if (normal.split('/').includes('..')) refuse('contains "..", and globs never leave the root');
  const trimmed = normal.replace(/\/+$/, '');
  if (trimmed === '' || trimmed === '.') return compileGlob(text, ['**']);
  // A glob without a slash means the name at any depth.
  const anchored = trimmed.includes('/') ? trimmed.replace(/^\//, '') : `**/${trimmed}`;
  // Names such as app/[id] and {x} exist: a path that has the very brackets matches as well.
  const literal = anchored.replace(/(?<!\\)[[\]{}]/g, '\\$&');
  return compileGlob(text, literal === anchored ? [anchored] : [anchored, literal]);
}

function compileGlob(text: string, bases: readonly string[]): Glob {
  const patterns = bases.flatMap((base) => (base.endsWith('**') ? [base] : [base, `${base}/**`]));
  const matchers = patterns.map(matcherOf);
  return { text, patterns, matches: (path) => matchers.some((matches) => matches(path)) };
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

/** The rules of a gitignore text, in order; comments and blank lines are dropped. */
export function parseIgnore(text: string): IgnoreRule[] {
  const rules: IgnoreRule[] = [];
  for (const raw of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const line = raw.replace(/(?<!\\)\s+$/, '');
    if (line === '' || line.startsWith('#')) continue;
    const isNegated = line.startsWith('!');
    const body = line.slice(isNegated ? 1 : 0).replace(/^\\(?=[!#])/, '');
    const isFolder = body.endsWith('/');
    const name = body.replace(/\/+$/, '');
    if (name === '') continue;
    const base = name.includes('/') ? name.replace(/^\//, '') : `**/${name}`;
    // A rule that ends in a slash is about folders; what is asked about here are files, so only their folders count.
    const below = matcherOf(`${base}/**/*`);
    const itself = isFolder ? undefined : matcherOf(base);
    rules.push({ text: line, isNegated, patterns: [base, `${base}/**`], matches: (path) => below(path) || itself?.(path) === true });
  }
  return rules;
}

/** The last rule that matches, which decides. */
export function lastMatch(rules: readonly IgnoreRule[], path: string): IgnoreRule | undefined {
  return rules.findLast((rule) => rule.matches(path));
}

/** A literal path as an anchored gitignore pattern without its leading slash. */
export function escapePath(path: string): string {
  return path.replace(/[\\*?[\]{}!#]/g, '\\$&').replace(/ +$/, (spaces) => '\\ '.repeat(spaces.length));
}
