/** Cursors: where a cut reply ended, as an opaque text that any later process understands. Stateless; bound to the root, the
 *  query and the version of this form by a hash, so that a cursor can never continue another search. Pure. */
import { createHash } from 'node:crypto';
import { ToolError } from '../base/errors.js';

const FORM = 1;
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

/** `position` is plain JSON. */
export function encodeCursor(hash: string, position: unknown): string {
  return hash + Buffer.from(JSON.stringify(position), 'utf8').toString('base64url');
}

/** @param isPosition checks the decoded value, since a cursor comes from outside
 *  @throws ToolError cursor_invalid */
export function decodeCursor<T>(cursor: string, hash: string, isPosition: (value: unknown) => value is T): T {
  const refuse = (why: string): never => {
    throw new ToolError('cursor_invalid', `The cursor ${why}.`);
  };
  if (!/^[\w-]{9,}$/.test(cursor)) refuse('is not one that this server made');
  if (!cursor.startsWith(hash))
    refuse('belongs to another query, other options or another root; repeat the call with exactly the arguments that gave it');
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(cursor.slice(HASH_LENGTH), 'base64url').toString('utf8'));
  } catch {
    refuse('is damaged');
  }
  return isPosition(value) ? value : refuse('is damaged');
}
