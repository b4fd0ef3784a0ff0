/** What the room knows of one language: which node types matter and what each of them says. */
import type { Collector } from './collector.js';
import type { SyntaxNode } from './parser.js';
import type { HeaderEnd } from './signature.js';

/** Tells the collector what a node of one type defines, calls or imports. */
export type Rule = (node: SyntaxNode, found: Collector) => void;
/** Node type -> rule. */
export type Rules = Readonly<Record<string, Rule>>;

export interface Grammar {
  /** File of the grammar in the package. */
  readonly file: string;
  readonly headerEnd: HeaderEnd;
  readonly definitions: Rules;
  readonly calls: Rules;
  readonly imports: Rules;
  readonly comments: readonly string[];
  readonly strings: readonly string[];
  /** Node types of code inside strings. */
  readonly embedded: readonly string[];
}

/** `"x"`, `'x'`, <x> without what is around it. */
export const unquoted = (text: string): string => text.replace(/^[<"'`]+|[>"'`]+$/g, '');
