/** TypeScript, TSX and JavaScript: three grammars, one set of rules. */
import type { Collector } from './collector.js';
import type { Grammar, Rule, Rules } from './grammar.js';
import type { SyntaxNode } from './parser.js';
import { boundNames, SCRIPT_IMPORTS } from './script-imports.js';
import type { DefinitionKind } from './structure.js';
import { childrenOf, fieldOf } from './syntax.js';

const FUNCTION_VALUES = ['arrow_function', 'function_expression', 'generator_function'];

/** What a value makes of the name that it is given. */
function kindOfValue(value: SyntaxNode | undefined): DefinitionKind | undefined {
  if (value === undefined) return undefined;
  if (FUNCTION_VALUES.includes(value.type)) return 'function';
  return value.type === 'class' ? 'class' : undefined;
}

const named =
  (kind: DefinitionKind, options: { isDeclaration?: boolean } = {}): Rule =>
  (node, found) =>
    found.define(kind, node, nameOf(node, found), options);

/** The name field, without the quotes or brackets of a computed or quoted one. */
function nameOf(node: SyntaxNode, found: Collector): { startIndex: number; endIndex: number } | undefined {
  const name = fieldOf(node, 'name') ?? fieldOf(node, 'property') ?? fieldOf(node, 'key');
  return name === undefined ? undefined : bare(name, found);
}

function bare(name: SyntaxNode, found: Collector): { startIndex: number; endIndex: number } {
  const { type, startIndex, endIndex } = name;
  if (type === 'string' && endIndex - startIndex > 2) return { startIndex: startIndex + 1, endIndex: endIndex - 1 };
  if (type === 'computed_property_name' && /^\[[\w.$]+\]$/.test(found.textOf(name)))
    return { startIndex: startIndex + 1, endIndex: endIndex - 1 };
  return { startIndex, endIndex };
}

const field: Rule = (node, found) => {
  const isFunction = kindOfValue(fieldOf(node, 'value')) === 'function';
  found.define(isFunction ? 'method' : 'field', node, nameOf(node, found));
};

/** const, let and var: functions and classes anywhere, other values where they are not local. */
const variables: Rule = (node, found) => {
  const declarators = childrenOf(node).filter(({ type }) => type === 'variable_declarator');
  const isConstant = found.text.startsWith('const', node.startIndex);
  for (const declarator of declarators) {
    const name = fieldOf(declarator, 'name');
    if (name === undefined) continue;
    const kind = kindOfValue(fieldOf(declarator, 'value'));
    const place = declarators.length === 1 ? node : declarator;
    if (kind === undefined && found.isLocal(node)) continue;
    // A constant without a value is declared: `declare const x: T`.
    const isDeclaration = isConstant && fieldOf(declarator, 'value') === undefined;
    if (name.type === 'identifier') found.define(kind ?? (isConstant ? 'constant' : 'variable'), place, name, { isDeclaration });
    else for (const bound of boundNames(name)) found.define(isConstant ? 'constant' : 'variable', bound.place, bound.name);
  }
};

/** `exports.x = …`, `Foo.prototype.bar = function`, `Foo.bar = class`. */
const assignment: Rule = (node, found) => {
  const left = fieldOf(node, 'left');
  if (left?.type !== 'member_expression') return;
  const [object, property] = [fieldOf(left, 'object'), fieldOf(left, 'property')];
  if (object === undefined || property === undefined) return;
  const owner = found.textOf(object);
  const value = fieldOf(node, 'right');
  const kind = kindOfValue(value);
  const isExported = owner === 'exports' || owner === 'module.exports';
  if (isExported) {
    const isAlias = value?.type === 'identifier' && found.textOf(value) === found.textOf(property);
    if (kind !== undefined || (!found.isLocal(node) && !isAlias)) found.define(kind ?? 'export', node, property);
  } else if (kind !== undefined && !(owner === 'module' && found.textOf(property) === 'exports') && /^[\w$.]+$/.test(owner)) {
    // What is put on `this` belongs to whatever is around it.
    const scope = owner === 'this' ? '' : owner.replace(/\.prototype$/, '');
    found.define(kind, node, property, { scope });
  }
};

/** `{ key: () => … }`; other pairs of objects are data. */
const pair: Rule = (node, found) => {
  if (kindOfValue(fieldOf(node, 'value')) === 'function') found.define('method', node, nameOf(node, found));
};

/** A function expression: what is declared in it is local, also where it has no name. */
const functionExpression: Rule = (node, found) => {
  found.define('function', node, fieldOf(node, 'name'));
  found.enterFunction(node);
};

const enumeration: Rule = (node, found) => {
  found.define('enum', node, fieldOf(node, 'name'));
  for (const member of childrenOf(fieldOf(node, 'body') ?? node)) {
    if (member.type === 'enum_assignment') found.define('enumerator', member, nameOf(member, found));
    else if (member.type === 'property_identifier' || member.type === 'string') found.define('enumerator', member, bare(member, found));
  }
};

const namespace: Rule = (node, found) => {
  const name = fieldOf(node, 'name');
  if (name !== undefined) found.define('module', node, bare(name, found));
};

const exportStatement: Rule = (node, found) => {
  if (fieldOf(node, 'declaration') !== undefined) return found.wrap(node);
  const isReexport = fieldOf(node, 'source') !== undefined;
  for (const child of childrenOf(node)) {
    if (child.type === 'namespace_export') found.define('export', child, childrenOf(child)[0]);
    if (child.type !== 'export_clause') continue;
    for (const specifier of childrenOf(child)) {
      const alias = fieldOf(specifier, 'alias');
      // A name that is only listed is defined elsewhere in this file.
      if (isReexport || alias !== undefined) found.define('export', specifier, alias ?? fieldOf(specifier, 'name'));
    }
  }
};

const staticBlock: Rule = (node, found) =>
  found.define('method', node, { startIndex: node.startIndex, endIndex: node.startIndex + 'static'.length });

const DEFINITIONS: Rules = {
  export_statement: exportStatement,
  decorator: (node, found) => found.lead(node),
  function_declaration: named('function'),
  generator_function_declaration: named('function'),
  class_declaration: named('class'),
  class: (node, found) => found.define('class', node, fieldOf(node, 'name')),
  method_definition: named('method'),
  class_static_block: staticBlock,
  lexical_declaration: variables,
  variable_declaration: variables,
  assignment_expression: assignment,
  pair,
  function_expression: functionExpression,
  generator_function: functionExpression,
  arrow_function: (node, found) => found.enterFunction(node),
};

const TYPED: Rules = {
  ...DEFINITIONS,
  function_signature: named('function', { isDeclaration: true }),
  abstract_class_declaration: named('class'),
  public_field_definition: field,
  method_signature: named('method', { isDeclaration: true }),
  abstract_method_signature: named('method', { isDeclaration: true }),
  interface_declaration: named('interface'),
  property_signature: named('property'),
  type_alias_declaration: named('type'),
  enum_declaration: enumeration,
  ambient_declaration: (node, found) => found.wrap(node),
  internal_module: namespace,
  module: namespace,
};

const called: Rule = (node, found) => call(fieldOf(node, 'function') ?? fieldOf(node, 'constructor'), found);

/** Around what is called: `(f)()`, `f!()`, `(f as T)()`, `f<T>()`. */
const AROUND = ['parenthesized_expression', 'non_null_expression', 'as_expression', 'satisfies_expression', 'instantiation_expression'];

function call(target: SyntaxNode | undefined, found: Collector): void {
  let inner = target;
  while (inner !== undefined && AROUND.includes(inner.type)) inner = childrenOf(inner)[0];
  if (inner?.type === 'identifier' || inner?.type === 'super') found.call(inner);
  if (inner?.type !== 'member_expression') return;
  const [object, property] = [fieldOf(inner, 'object'), fieldOf(inner, 'property')];
  found.call(property, object);
  // f.call(…) and f.apply(…) call f.
  if (property !== undefined && /^(?:call|apply)$/.test(found.textOf(property))) call(object, found);
}

const decorated: Rule = (node, found) => {
  const [target] = childrenOf(node);
  if (target?.type !== 'call_expression') call(target, found);
};

/** A component in JSX is called by its name; small letters are elements of HTML. */
const component: Rule = (node, found) => {
  const name = fieldOf(node, 'name');
  if (name === undefined || !/^[A-Z]|\./.test(found.textOf(name))) return;
  if (name.type === 'member_expression') found.call(fieldOf(name, 'property'), fieldOf(name, 'object'));
  else found.call(name);
};

const CALLS: Rules = { call_expression: called, new_expression: called, decorator: decorated };
const CALLS_JSX: Rules = { ...CALLS, jsx_opening_element: component, jsx_self_closing_element: component };

const TEXTS = {
  headerEnd: 'brace',
  imports: SCRIPT_IMPORTS,
  comments: ['comment', 'html_comment'],
  strings: ['string', 'template_string', 'regex'],
  embedded: ['template_substitution'],
} as const;

export const JAVASCRIPT: Grammar = {
  ...TEXTS,
  file: 'tree-sitter-javascript.wasm',
  definitions: { ...DEFINITIONS, field_definition: field },
  calls: CALLS_JSX,
};
export const TYPESCRIPT: Grammar = { ...TEXTS, file: 'tree-sitter-typescript.wasm', definitions: TYPED, calls: CALLS };
export const TSX: Grammar = { ...TEXTS, file: 'tree-sitter-tsx.wasm', definitions: TYPED, calls: CALLS_JSX };
