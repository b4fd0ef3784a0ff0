/** How a pattern is read: as literal text or as a regex. Pure but for the one question to ripgrep that `decideReading` asks. */
import { ToolError } from '../base/errors.js';
import type { TextQuery } from '../ripgrep/args.js';
import type { Ripgrep, RunContext } from '../ripgrep/process.js';

export interface Reading {
  readonly isLiteral: boolean;
  /** Why an undecided pattern is read as it is, for the reply. */
  readonly why?: string;
  /** The caller left the choice open and the other reading means something else. */
  readonly isOpen: boolean;
}

/** Characters that mean something in a regex. */
const SPECIAL = /[\\.^$|?*+()[\]{}]/;

export const isPlain = (pattern: string): boolean => !SPECIAL.test(pattern);

export const escapeRegex = (text: string): string =>
  text.replace(/[\\.^$|?*+()[\]{}\-#&~\s]/g, (char) => (/\s/.test(char) ? char : `\\${char}`));

/** A literal that spans lines must also match files with CR LF line ends, which needs a regex. */
export const literalLines = (text: string): string => text.split(/\r?\n/).map(escapeRegex).join('\\r?\\n');

/** @throws ToolError pattern_invalid when the caller insists on a regex that does not compile */
export async function decideReading(query: TextQuery, regex: boolean | undefined, ripgrep: Ripgrep, context: RunContext): Promise<Reading> {
  if (regex === false || (regex === undefined && isPlain(query.pattern))) return { isLiteral: true, isOpen: false };
  if (regex === true) return { isLiteral: false, isOpen: false };
  const tried = await ripgrep.tryPattern(toRipgrep({ ...query, isLiteral: false }), context);
  if ('error' in tried) return { isLiteral: true, isOpen: false, why: `no valid regex: ${tried.error}` };
  if (tried.matchesEmpty) return { isLiteral: true, isOpen: false, why: 'as a regex it would match every line' };
  return { isLiteral: false, isOpen: true };
}

/** Plain text with `.`, `.*`, `.+` and alternatives: each of them also matches its own text. Linear, since no two branches share
 *  a first character; a regex of the caller is never run in here. */
const MATCHES_ITSELF = /^(?:[\w /:,;=<>!@%&~"'#-]|\.[*+]?(?![*+?])|\|)+$/;

/** Whether every line that holds the literal text is also a match of the regex: then the matches of the regex can be told apart
 *  without a second search. */
export function literalIsIncluded(query: TextQuery): boolean {
  return !query.word && !query.multiline && MATCHES_ITSELF.test(query.pattern);
}

/** Whether a line holds the literal text. */
export function holdsLiteral(query: Pick<TextQuery, 'pattern' | 'ignoreCase'>, text: string): boolean {
  return query.ignoreCase ? text.toLowerCase().includes(query.pattern.toLowerCase()) : text.includes(query.pattern);
}

/** Whether a regex names a line end outside of a negated class. Without multi-line search ripgrep's default engine refuses it, and
 *  its other engine then takes it and never matches. */
const asksForLineEnd = (pattern: string): boolean => /(?<!\\)(?:\\\\)*\\n/.test(pattern.replace(/\[\^(?:\\.|[^\]\\])*\]/g, ''));

/** The query with a pattern that ripgrep can take: line breaks need multi-line search.
 *  @throws ToolError pattern_invalid for a NUL outside of `binary` */
export function toRipgrep(query: TextQuery): TextQuery {
  if (/\p{Surrogate}/u.test(query.pattern))
    throw new ToolError('pattern_invalid', 'The pattern contains half a character (a lone surrogate).');
  if (query.pattern.includes('\0')) {
    throw new ToolError('pattern_invalid', 'The pattern contains a NUL character.', { hint: 'Write \\x00 in a regex, with binary: true.' });
  }
  if (!query.isLiteral && asksForLineEnd(query.pattern)) return { ...query, multiline: true };
  if (!/[\n\r]/.test(query.pattern)) return query;
  if (query.isLiteral) return { ...query, pattern: literalLines(query.pattern), isLiteral: false, multiline: true };
  return { ...query, multiline: true };
}
