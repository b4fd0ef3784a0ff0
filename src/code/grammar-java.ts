/** Java. */
import type { Collector } from './collector.js';
import type { Grammar, Rule, Rules } from './grammar.js';
import type { SyntaxNode } from './parser.js';
import type { DefinitionKind } from './structure.js';
import { childOfType, childrenOf, fieldOf, fieldsOf } from './syntax.js';

const named =
  (kind: DefinitionKind): Rule =>
  (node, found) =>
    found.define(kind, node, fieldOf(node, 'name'));

const method: Rule = (node, found) =>
  found.define('method', node, fieldOf(node, 'name'), { isDeclaration: fieldOf(node, 'body') === undefined });

const fields: Rule = (node, found) => {
  const isConstant = /\bstatic\s+final\b|\bfinal\s+static\b/.test(found.textOf(node));
  for (const declarator of fieldsOf(node, 'declarator')) found.define(isConstant ? 'constant' : 'field', node, fieldOf(declarator, 'name'));
};

/** Components of a record are its fields. */
const record: Rule = (node, found) => {
  found.define('class', node, fieldOf(node, 'name'));
  for (const component of childrenOf(fieldOf(node, 'parameters') ?? node))
    if (component.type === 'formal_parameter') found.define('field', component, fieldOf(component, 'name'));
};

/** `new Runnable() { … }` is `<Runnable>`, which is nobody's name. */
const anonymous: Rule = (node, found) => {
  const body = childOfType(node, 'class_body');
  const type = fieldOf(node, 'type');
  if (body !== undefined && type !== undefined) found.define('class', node, type, { text: `<${simpleName(type, found)}>` });
};

const simpleName = (type: SyntaxNode, found: Collector): string => /([\w$]+)\s*(?:<.*)?$/s.exec(found.textOf(type))?.[1] ?? '';

const DEFINITIONS: Rules = {
  package_declaration: (node, found) => found.define('module', node, childOfType(node, 'scoped_identifier', 'identifier')),
  class_declaration: named('class'),
  interface_declaration: named('interface'),
  annotation_type_declaration: named('interface'),
  enum_declaration: named('enum'),
  enum_constant: named('enumerator'),
  record_declaration: record,
  method_declaration: method,
  constructor_declaration: named('method'),
  compact_constructor_declaration: named('method'),
  annotation_type_element_declaration: (node, found) => found.define('method', node, fieldOf(node, 'name'), { isDeclaration: true }),
  field_declaration: fields,
  constant_declaration: (node, found) => {
    for (const declarator of fieldsOf(node, 'declarator')) found.define('constant', node, fieldOf(declarator, 'name'));
  },
  object_creation_expression: anonymous,
};

const CALLS: Rules = {
  method_invocation: (node, found) => found.call(fieldOf(node, 'name'), fieldOf(node, 'object')),
  object_creation_expression: (node, found) => {
    const type = fieldOf(node, 'type');
    const base = type?.type === 'generic_type' ? childrenOf(type)[0] : type;
    if (base !== undefined) found.callOf(simpleName(base, found), base.startIndex);
  },
  explicit_constructor_invocation: (node, found) => found.call(fieldOf(node, 'constructor'), fieldOf(node, 'object')),
  // Foo::bar hands the method on: who looks for its callers wants this place too.
  method_reference: (node, found) => {
    const [type, name] = [childrenOf(node)[0], childrenOf(node).at(-1)];
    if (name?.type === 'identifier' && type !== name) found.call(name, type);
  },
};

const importDeclaration: Rule = (node, found) => {
  const path = childOfType(node, 'scoped_identifier', 'identifier');
  if (path === undefined) return;
  const isAll = childOfType(node, 'asterisk') !== undefined;
  const name = found.textOf(path).replace(/\s+/g, '');
  found.depend('import', path, name, isAll ? [{ name: '*' }] : [{ name: name.slice(name.lastIndexOf('.') + 1) }]);
};

export const JAVA: Grammar = {
  file: 'tree-sitter-java.wasm',
  headerEnd: 'brace',
  definitions: DEFINITIONS,
  calls: CALLS,
  imports: { import_declaration: importDeclaration },
  comments: ['line_comment', 'block_comment'],
  strings: ['string_literal', 'character_literal'],
  embedded: ['string_interpolation'],
};
