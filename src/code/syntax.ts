/** Small questions to one node of a syntax tree. Each is a call into WebAssembly, so rules ask few. */
import type { SyntaxNode } from './parser.js';

/** Deepest chain of declarators, members or patterns that a rule follows; real code has fewer than ten. */
const MAX_CHAIN = 64;

export const fieldOf = (node: SyntaxNode, field: string): SyntaxNode | undefined => node.childForFieldName(field) ?? undefined;

/** Commas between the values of a field count as the field too, and are left out. */
export const fieldsOf = (node: SyntaxNode, field: string): SyntaxNode[] =>
  node.childrenForFieldName(field).filter((child) => child?.isNamed === true) as SyntaxNode[];

export const childrenOf = (node: SyntaxNode): SyntaxNode[] => node.namedChildren.filter((child) => child !== null);

export const childOfType = (node: SyntaxNode, ...types: string[]): SyntaxNode | undefined =>
  childrenOf(node).find((child) => types.includes(child.type));

/** Follows one field inwards until a node does not have it. */
export function innermost(node: SyntaxNode, ...fields: string[]): SyntaxNode {
  let current = node;
  for (let depth = 0; depth < MAX_CHAIN; depth++) {
    const inner = fields.map((field) => fieldOf(current, field)).find((one) => one !== undefined);
    if (inner === undefined) break;
    current = inner;
  }
  return current;
}

/** Named descendants of some types, not looking inside those found; at most `limit` nodes are visited. */
export function descendantsOf(node: SyntaxNode, types: readonly string[], limit = 1_000): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  const open = childrenOf(node).reverse();
  for (let visited = 0; visited < limit; visited++) {
    const next = open.pop();
    if (next === undefined) break;
    if (types.includes(next.type)) found.push(next);
    else open.push(...childrenOf(next).reverse());
  }
  return found;
}
