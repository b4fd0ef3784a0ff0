/** Cursors: where a cut reply ended, as an opaque text that any later process understands. Stateless; bound to the root, the
 *  query and the version of this form by a hash, so that a cursor can never continue another search. Pure. */
import { createHash } from 'node:crypto';
import { ToolError } from '../base/errors.js';

const FORM = 4;
const HASH_LENGTH = 8;

/** A short hash of everything that decides what a search finds. Key order does not matter; undefined values are dropped. */
export function queryHash(query: Readonly<Record<string, unknown>>): string {
  const sorted = Object.keys(query)
    .sort()
    .filter((key) => query[key] !== undefined)
    .map((key) => [key, query[key]]);
  return createHash('sha256')
    .update(JSON.stringify([FORM, sorted]))
    .digest('base64url')
    .slice(0, HASH_LENGTH);
}

/** The position under the query's hash, so that a cursor that was changed, or belongs to another query, is told apart. */
const seal = (hash: string, payload: string): string =>
  createHash('sha256').update(`${hash} ${payload}`).digest('base64url').slice(0, HASH_LENGTH);

/** `position` is plain JSON. */
export function encodeCursor(hash: string, position: unknown): string {
  const payload = Buffer.from(JSON.stringify(position), 'utf8').toString('base64url');
  return seal(hash, payload) + payload;
}

/** @param isPosition checks the decoded value, since a cursor comes from outside
 *  @throws ToolError cursor_invalid */
export function decodeCursor<T>(cursor: string, hash: string, isPosition: (value: unknown) => value is T): T {
  const payload = cursor.slice(HASH_LENGTH);
  if (payload === '' || cursor.slice(0, HASH_LENGTH) !== seal(hash, payload)) {
    throw new ToolError('cursor_invalid', 'The cursor is damaged, or belongs to another query, other options or another root.');
  }
  const value = parsed(Buffer.from(payload, 'base64url').toString('utf8'));
  if (!isPosition(value)) throw new ToolError('cursor_invalid', 'The cursor is not one of this tool.');
  return value;
}

/** The seal has no key: whoever knows this form can seal anything. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A path of a cursor comes from outside: it must not lead out of the root. */
export const isPathBelow = (path: string): boolean => !path.startsWith('/') && !/(?:^|[\\/])\.\.(?:[\\/]|$)|\0/.test(path);
/** What pages before this one have found out about the rules: nothing was searched yet, so that .gitignore may hide every file (u); they
 *  hold (h); or .gitignore hides every file, and was set aside (a). */
export type RulesKnown = 'u' | 'h' | 'a';
export const isRulesKnown = (value: unknown): value is RulesKnown => value === 'u' || value === 'h' || value === 'a';
/** What a page that was cut has found out, by the files that it searched. A rule file may be the only one. */
export const rulesAfter = (files: number): RulesKnown => (files > 1 ? 'h' : 'u');

export const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
