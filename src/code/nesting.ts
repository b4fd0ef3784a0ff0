/** Definitions and calls by their offsets -> what is inside of what. Pure. */
import { lineAt } from './lines.js';
import type { Call, DefinitionKind } from './structure.js';

/** A stretch of the text, in UTF-16 units. Syntax nodes are places. */
export interface Place {
  readonly startIndex: number;
  readonly endIndex: number;
}

/** What was reported, with offsets instead of lines. */
export interface Draft extends Place {
  readonly kind: DefinitionKind;
  readonly name: string;
  readonly nameIndex: number;
  readonly scope: string;
  readonly isDeclaration: boolean;
  readonly isOfClass: boolean;
}

export interface DraftCall {
  readonly name: string;
  readonly receiver: string;
  readonly startIndex: number;
}

export const CLASS_KINDS: ReadonlySet<DefinitionKind> = new Set<DefinitionKind>([
  'class',
  'interface',
  'struct',
  'union',
  'enum',
  'trait',
  'impl',
]);

export interface Nested {
  readonly draft: Draft;
  readonly kind: DefinitionKind;
  readonly container: string;
  readonly parent: number;
}

/** Gives every draft its enclosing one and its container. A function in a class is a method, a variable there a field. */
export function nest(drafts: readonly Draft[]): Nested[] {
  const nested: Nested[] = [];
  const open: number[] = [];
  const fieldsTold = new Set<string>();
  for (const draft of drafts) {
    while (open.length > 0 && isBeside(nested[open.at(-1) ?? 0]?.draft, draft)) open.pop();
    let parent = open.at(-1) ?? -1;
    if (draft.isOfClass) {
      while (parent >= 0 && !CLASS_KINDS.has(nested[parent]?.kind ?? 'function')) parent = nested[parent]?.parent ?? -1;
      const key = `${parent} ${draft.name}`;
      if (parent < 0 || fieldsTold.has(key)) continue;
      fieldsTold.add(key);
    }
    const around = nested[parent];
    const inClass = draft.scope !== '' || (around !== undefined && CLASS_KINDS.has(around.kind));
    const kind = inClass && draft.kind === 'function' ? 'method' : inClass && draft.kind === 'variable' ? 'field' : draft.kind;
    if (kind === 'field' || kind === 'constant') fieldsTold.add(`${parent} ${draft.name}`);
    const container = [around?.container ?? '', around?.draft.name ?? '', draft.scope].filter((part) => part !== '').join('.');
    // What a method puts on its object holds nothing: calls in its value belong to the method.
    if (!draft.isOfClass) open.push(nested.length);
    nested.push({ draft, kind, container, parent });
  }
  return nested;
}

/** Whether a definition does not hold the next one: it ends before, or both share one declaration (`int a, b;`). */
const isBeside = (before: Draft | undefined, next: Draft): boolean =>
  before === undefined ||
  before.endIndex <= next.startIndex ||
  (before.startIndex === next.startIndex && before.endIndex === next.endIndex);

/** Calls in the order of the text, each with the innermost definition around it. */
export function placeCalls(calls: readonly DraftCall[], drafts: readonly Draft[], lineStarts: readonly number[]): Call[] {
  const open: number[] = [];
  let next = 0;
  return [...calls]
    .sort((a, b) => a.startIndex - b.startIndex)
    .map(({ name, receiver, startIndex }) => {
      for (; next < drafts.length && (drafts[next]?.startIndex ?? 0) <= startIndex; next++) {
        const start = drafts[next]?.startIndex ?? 0;
        while (open.length > 0 && (drafts[open.at(-1) ?? 0]?.endIndex ?? 0) <= start) open.pop();
        if (drafts[next]?.isOfClass !== true) open.push(next);
      }
      while (open.length > 0 && (drafts[open.at(-1) ?? 0]?.endIndex ?? 0) <= startIndex) open.pop();
      const line = lineAt(lineStarts, startIndex);
      return { name, receiver, line, column: startIndex - (lineStarts[line - 1] ?? 0), within: open.at(-1) ?? -1 };
    });
}
