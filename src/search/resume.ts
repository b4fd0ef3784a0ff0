/** Cursors of searches whose reply has no order of places to go on from: they continue with what was not covered, nothing else. */
import type { Selection } from '../ripgrep/accept.js';
import type { CursorPace, Resume } from './cover.js';
import { decodeCursor, encodeCursor, isCount, isPathBelow, isRulesKnown, queryHash, type RulesKnown } from './cursor.js';

/** `state` is what the tool has to know again, such as how a first call read the query. */
type Position = readonly [from: string, pace: CursorPace, state: string, rules: RulesKnown, gaps: number];

function isPosition(value: unknown): value is Position {
  if (!Array.isArray(value) || value.length !== 5) return false;
  const [from, pace, state, rules, gaps] = value as unknown[];
  return (
    typeof from === 'string' && isPathBelow(from) && isCount(pace) && isCount(gaps) && typeof state === 'string' && isRulesKnown(rules)
  );
}

export interface Resumed {
  readonly resume: Resume;
  readonly state: string;
  readonly rules: RulesKnown;
  /** Paths that pages so far have passed over. */
  readonly gaps: number;
}

export class ResumeCursors {
  readonly #hash: string;

  /** @param bound what the cursor belongs to: tool, root, query, files */
  constructor(bound: { readonly tool: string; readonly root: string; readonly query: string; readonly options: string }, files: Selection) {
    const { scope, ignored, globs, excluded } = files;
    this.#hash = queryHash({ ...bound, scope, ignored, globs: globs.map(({ text }) => text), excluded: excluded.map(({ text }) => text) });
  }

  /** @throws ToolError cursor_invalid */
  read(cursor: string | undefined): Resumed | undefined {
    if (cursor === undefined) return undefined;
    const [from, pace, state, rules, gaps] = decodeCursor(cursor, this.#hash, isPosition);
    return { resume: { from, pace }, state, rules, gaps };
  }

  write({ resume, state, rules, gaps }: Resumed): string {
    return encodeCursor(this.#hash, [resume.from, resume.pace, state, rules, gaps] satisfies Position);
  }
}
