/** What the tests read out of a reply: the structured form where there is one; the text form is only searched for what it
 *  must and must not hold, so that its wording can change. */

export interface Match {
  readonly path: string;
  readonly line: number;
  readonly endLine?: number;
  readonly column: number;
  readonly text: string;
  readonly submatches: readonly { readonly start: number; readonly end: number }[];
}

/** The fields of PRODUCT.md "Structured results", all optional because each tool has its own. */
export interface Structured {
  readonly matches?: readonly Match[];
  readonly files?: readonly string[];
  readonly counts?: readonly { readonly path: string; readonly count: number }[];
  readonly lines?: readonly { readonly line: number; readonly text: string }[];
  readonly path?: string;
  readonly totalLines?: number;
  readonly returned?: number;
  readonly seenMatches?: number;
  readonly totalMatches?: number;
  readonly totalFiles?: number;
  readonly truncated?: boolean;
  readonly truncateReason?: string | null;
  readonly timedOut?: boolean;
  readonly partial?: boolean;
  readonly notes?: readonly string[];
  readonly nextCursor?: string;
  readonly error?: { readonly code: string; readonly message: string; readonly hint: string };
}

interface Shown {
  readonly text: string;
  readonly structured?: Structured | undefined;
}

/** `path:line` of each match, in the order of the reply. */
export function places(reply: Shown): string[] {
  return (reply.structured?.matches ?? []).map((match) => `${match.path}:${match.line}`);
}

export function matchesOf(reply: Shown): readonly Match[] {
  return reply.structured?.matches ?? [];
}

export function matchAt(reply: Shown, path: string, line: number): Match {
  const match = matchesOf(reply).find((each) => each.path === path && each.line === line);
  if (match === undefined) throw new Error(`no match at ${path}:${line}; there are ${places(reply).join(' ')}`);
  return match;
}

export function filesOf(reply: Shown): readonly string[] {
  return reply.structured?.files ?? [];
}

export function linesOf(reply: Shown): readonly { readonly line: number; readonly text: string }[] {
  return reply.structured?.lines ?? [];
}

/** The texts of a match that its submatches point at. */
export function hits(match: Match): string[] {
  return match.submatches.map(({ start, end }) => match.text.slice(start, end));
}

/** The cursor that a cut reply offers, from whichever form it has. */
export function cursorOf(reply: Shown): string | undefined {
  return reply.structured?.nextCursor ?? /"?cursor"?\s*:\s*"([^"]+)"/.exec(reply.text)?.[1];
}

/** A text reply without the stamps of its files. */
export const unstamped = (text: string): string => text.replace(/ @[\w-]{6}(?= {2}|$)/gm, '');

/** Every string in a value, keys included. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => [key, ...stringsIn(each)]);
}

/** All that a client can read in a reply, in both forms. */
export function everything(reply: Shown): string {
  return [reply.text, ...stringsIn(reply.structured)].join('\n');
}

/** `rg --sort path` order: component by component, each by its bytes. */
export function comparePaths(left: string, right: string): number {
  const a = left.split('/');
  const b = right.split('/');
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = Buffer.compare(Buffer.from(a[i]!), Buffer.from(b[i]!));
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Words with which the text form may say each flag of the structured form. */
export const SAYS = {
  timedOut: /time[d -]*out|time limit|deadline|stopped after|ran out of time/i,
  partial: /incomplete|partial|could not be (read|searched)|not (fully )?searched/i,
  truncated: /at least|cursor/i,
  bareNothing: /^\s*no (matches|files)( found)?\.?\s*$/i,
} as const;
