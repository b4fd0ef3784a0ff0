/** Imports, re-exports and required modules of TypeScript and JavaScript, and the names that patterns bind. */
import type { Collector } from './collector.js';
import { type Rule, type Rules, unquoted } from './grammar.js';
import type { SyntaxNode } from './parser.js';
import type { ImportedName } from './structure.js';
import { childOfType, childrenOf, fieldOf, innermost } from './syntax.js';

/** Names that a pattern binds, as nodes; a bound for patterns that nest without end. */
const MAX_PATTERN_NODES = 500;

/** Names bound by a destructuring pattern; `place` is the part of the pattern that binds. */
export function boundNames(pattern: SyntaxNode): { place: SyntaxNode; name: SyntaxNode; from?: SyntaxNode }[] {
  const bound: { place: SyntaxNode; name: SyntaxNode; from?: SyntaxNode }[] = [];
  const open: { node: SyntaxNode; place: SyntaxNode; from?: SyntaxNode }[] = [{ node: pattern, place: pattern }];
  for (let visited = 0; visited < MAX_PATTERN_NODES; visited++) {
    const next = open.pop();
    if (next === undefined) break;
    const { node, place, from } = next;
    if (node.type === 'identifier' || node.type === 'shorthand_property_identifier_pattern') {
      bound.push({ place, name: node, ...(from === undefined ? {} : { from }) });
    } else if (node.type === 'pair_pattern') {
      const value = fieldOf(node, 'value');
      const key = fieldOf(node, 'key');
      if (value !== undefined) open.push({ node: value, place: node, ...(key === undefined ? {} : { from: key }) });
    } else if (node.type === 'assignment_pattern' || node.type === 'object_assignment_pattern') {
      const left = fieldOf(node, 'left');
      if (left !== undefined) open.push({ node: left, place: node, ...(from === undefined ? {} : { from }) });
    } else {
      for (const child of childrenOf(node).reverse()) open.push({ node: child, place: child });
    }
  }
  return bound;
}

const isRelative = (module: string): boolean => /^\.{1,2}(?:\/|$)/.test(module);

function imported(found: Collector, kind: 'import' | 'require' | 'reexport', source: SyntaxNode, names: ImportedName[]): void {
  const module = unquoted(found.textOf(source));
  found.depend(kind, source, module, names, isRelative(module));
}

function specifierName(specifier: SyntaxNode, found: Collector): ImportedName[] {
  const [name, alias] = [fieldOf(specifier, 'name'), fieldOf(specifier, 'alias')];
  if (name === undefined) return [];
  return [{ name: unquoted(found.textOf(name)), ...(alias === undefined ? {} : { alias: unquoted(found.textOf(alias)) }) }];
}

const importStatement: Rule = (node, found) => {
  const required = childOfType(node, 'import_require_clause');
  const source = fieldOf(required ?? node, 'source');
  if (source === undefined) return;
  const names: ImportedName[] = [];
  for (const child of childrenOf(required ?? childOfType(node, 'import_clause') ?? node)) {
    if (child.type === 'identifier') names.push({ name: required === undefined ? 'default' : '*', alias: found.textOf(child) });
    else if (child.type === 'namespace_import') {
      const alias = childrenOf(child)[0];
      names.push({ name: '*', ...(alias === undefined ? {} : { alias: found.textOf(alias) }) });
    } else if (child.type === 'named_imports') names.push(...childrenOf(child).flatMap((specifier) => specifierName(specifier, found)));
  }
  imported(found, 'import', source, names);
};

const reexport: Rule = (node, found) => {
  const source = fieldOf(node, 'source');
  if (source === undefined) return;
  const clause = childOfType(node, 'export_clause');
  const all = childOfType(node, 'namespace_export');
  const alias = all === undefined ? undefined : childrenOf(all)[0];
  const names =
    clause === undefined
      ? [{ name: '*', ...(alias === undefined ? {} : { alias: found.textOf(alias) }) }]
      : childrenOf(clause).flatMap((specifier) => specifierName(specifier, found));
  imported(found, 'reexport', source, names);
};

/** The text of `require('…')` or `import('…')`, also behind members, calls and `await`. */
function requiredModule(value: SyntaxNode | undefined, found: Collector): SyntaxNode | undefined {
  if (value === undefined) return undefined;
  const call = value.type === 'await_expression' ? childrenOf(value)[0] : innermost(value, 'object');
  if (call?.type !== 'call_expression') return undefined;
  const target = fieldOf(call, 'function');
  if (target === undefined) return undefined;
  // require('x')(…) and require('x').y(…): the call is the target of another one.
  if (target.type === 'call_expression' || target.type === 'member_expression') {
    const inner = innermost(target, 'function', 'object');
    return inner.type === 'identifier' && found.textOf(inner) === 'require' && inner.parent !== null
      ? stringArgument(inner.parent)
      : undefined;
  }
  return target.type === 'import' || found.textOf(target) === 'require' ? stringArgument(call) : undefined;
}

function stringArgument(call: SyntaxNode): SyntaxNode | undefined {
  const first = childrenOf(fieldOf(call, 'arguments') ?? call)[0];
  return first?.type === 'string' ? first : undefined;
}

const requireDeclaration: Rule = (node, found) => {
  for (const declarator of childrenOf(node)) {
    const source = declarator.type === 'variable_declarator' ? requiredModule(fieldOf(declarator, 'value'), found) : undefined;
    const name = source === undefined ? undefined : fieldOf(declarator, 'name');
    if (source === undefined || name === undefined) continue;
    const value = fieldOf(declarator, 'value');
    const member = value?.type === 'member_expression' ? fieldOf(value, 'property') : undefined;
    const names: ImportedName[] =
      name.type === 'identifier'
        ? [{ name: member === undefined ? '*' : found.textOf(member), alias: found.textOf(name) }]
        : boundNames(name).map(({ name: bound, from }) =>
            from === undefined ? { name: found.textOf(bound) } : { name: found.textOf(from), alias: found.textOf(bound) },
          );
    imported(found, /\bimport\s*\(/.test(found.textOf(node)) ? 'import' : 'require', source, names);
  }
};

const requireCall: Rule = (node, found) => {
  const target = fieldOf(node, 'function');
  if (target === undefined || (target.type !== 'import' && (target.type !== 'identifier' || found.textOf(target) !== 'require'))) return;
  const source = stringArgument(node);
  if (source !== undefined) imported(found, target.type === 'import' ? 'import' : 'require', source, []);
};

export const SCRIPT_IMPORTS: Rules = {
  import_statement: importStatement,
  export_statement: reexport,
  lexical_declaration: requireDeclaration,
  variable_declaration: requireDeclaration,
  call_expression: requireCall,
};
