/** C#. */
import type { Collector } from './collector.js';
import type { Grammar, Rule, Rules } from './grammar.js';
import type { Place } from './nesting.js';
import type { SyntaxNode } from './parser.js';
import type { DefinitionKind } from './structure.js';
import { childOfType, childrenOf, fieldOf } from './syntax.js';

const named =
  (kind: DefinitionKind): Rule =>
  (node, found) =>
    found.define(kind, node, fieldOf(node, 'name'));

const bodyless: Rule = (node, found) => {
  const isDeclaration = fieldOf(node, 'body') === undefined && childOfType(node, 'arrow_expression_clause') === undefined;
  found.define('method', node, fieldOf(node, 'name'), { isDeclaration });
};

const variables =
  (kind: DefinitionKind): Rule =>
  (node, found) => {
    const isConstant = /\bconst\b|\bstatic\s+readonly\b/.test(found.textOf(node));
    for (const declarator of childrenOf(childOfType(node, 'variable_declaration') ?? node))
      if (declarator.type === 'variable_declarator') found.define(isConstant ? 'constant' : kind, node, fieldOf(declarator, 'name'));
  };

/** A member named by a word of the language: `this[…]`, `operator +`, `implicit operator int`. */
const worded =
  (pattern: RegExp, text: (match: RegExpExecArray) => string): Rule =>
  (node, found) => {
    const match = pattern.exec(found.textOf(node));
    if (match === null) return;
    const startIndex = node.startIndex + match.index;
    found.define('method', node, { startIndex, endIndex: startIndex + match[0].length }, { text: text(match) });
  };

/** `namespace A.B;` holds the rest of the file. */
const fileNamespace: Rule = (node, found) =>
  found.define('module', { startIndex: node.startIndex, endIndex: found.text.length }, fieldOf(node, 'name'));

const record: Rule = (node, found) => {
  const kind = /\bstruct\b/.test(found.textOf(node).split(/[({;]/)[0] ?? '') ? 'struct' : 'class';
  found.define(kind, node, fieldOf(node, 'name'));
  for (const component of childrenOf(childOfType(node, 'parameter_list') ?? node))
    if (component.type === 'parameter') found.define('property', component, fieldOf(component, 'name'));
};

const DEFINITIONS: Rules = {
  namespace_declaration: named('module'),
  file_scoped_namespace_declaration: fileNamespace,
  class_declaration: named('class'),
  struct_declaration: named('struct'),
  record_declaration: record,
  interface_declaration: named('interface'),
  enum_declaration: named('enum'),
  enum_member_declaration: named('enumerator'),
  delegate_declaration: named('type'),
  method_declaration: bodyless,
  constructor_declaration: named('method'),
  destructor_declaration: (node, found) => {
    const name = fieldOf(node, 'name');
    if (name !== undefined) found.define('method', node, name, { text: `~${found.textOf(name)}` });
  },
  property_declaration: named('property'),
  indexer_declaration: worded(/\bthis(?=\s*\[)/, () => 'this'),
  operator_declaration: worded(/\boperator\s*([^\s(]+)/, (match) => `operator ${match[1]}`),
  conversion_operator_declaration: worded(/\boperator\s+([\w.<>[\]?]+)/, (match) => `operator ${match[1]}`),
  event_declaration: named('property'),
  event_field_declaration: variables('field'),
  field_declaration: variables('field'),
  local_function_statement: named('function'),
};

/** `Name`, `Name<T>`, `a.Name`, `a?.Name`. */
function calledName(target: SyntaxNode, found: Collector): void {
  const [expression, name] = [fieldOf(target, 'expression') ?? fieldOf(target, 'qualifier'), fieldOf(target, 'name')];
  if (target.type === 'identifier') found.call(target);
  else if (target.type === 'generic_name') found.call(childrenOf(target)[0]);
  else if (target.type === 'member_access_expression' || target.type === 'qualified_name') found.call(plain(name), expression);
  else if (target.type === 'conditional_access_expression') {
    const member = childOfType(target, 'member_binding_expression');
    found.call(plain(member === undefined ? undefined : fieldOf(member, 'name')), fieldOf(target, 'condition'));
  }
}

const plain = (name: SyntaxNode | undefined): Place | undefined => (name?.type === 'generic_name' ? childrenOf(name)[0] : name);

const CALLS: Rules = {
  invocation_expression: (node, found) => {
    const target = fieldOf(node, 'function');
    if (target !== undefined) calledName(target, found);
  },
  object_creation_expression: (node, found) => {
    const type = fieldOf(node, 'type');
    if (type !== undefined) calledName(type, found);
  },
};

const using: Rule = (node, found) => {
  const names = childrenOf(node).filter(({ type }) => /name$|^identifier$/.test(type));
  const target = names.at(-1);
  if (target === undefined) return;
  const alias = fieldOf(node, 'name');
  const isStatic = /^(?:global\s+)?using\s+static\b/.test(found.textOf(node));
  const all = alias === undefined ? (isStatic ? [{ name: '*' }] : []) : [{ name: '*', alias: found.textOf(alias) }];
  found.depend('use', target, found.textOf(target), all);
};

export const CSHARP: Grammar = {
  file: 'tree-sitter-c-sharp.wasm',
  headerEnd: 'brace',
  definitions: DEFINITIONS,
  calls: CALLS,
  imports: { using_directive: using },
  comments: ['comment'],
  strings: ['string_literal', 'verbatim_string_literal', 'raw_string_literal', 'character_literal', 'interpolated_string_expression'],
  embedded: ['interpolation'],
};
