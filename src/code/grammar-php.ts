/** PHP. */
import type { Collector } from './collector.js';
import { type Grammar, type Rule, type Rules, unquoted } from './grammar.js';
import type { Place } from './nesting.js';
import type { SyntaxNode } from './parser.js';
import type { DefinitionKind } from './structure.js';
import { childOfType, childrenOf, descendantsOf, fieldOf } from './syntax.js';

const named =
  (kind: DefinitionKind): Rule =>
  (node, found) =>
    found.define(kind, node, fieldOf(node, 'name'));

/** `$name` is the property name. */
const withoutDollar = (variable: SyntaxNode | undefined, found: Collector): Place | undefined =>
  variable === undefined
    ? undefined
    : { startIndex: variable.startIndex + (found.text.charAt(variable.startIndex) === '$' ? 1 : 0), endIndex: variable.endIndex };

const properties: Rule = (node, found) => {
  for (const element of childrenOf(node))
    if (element.type === 'property_element')
      found.define('property', node, withoutDollar(fieldOf(element, 'name') ?? childOfType(element, 'variable_name'), found));
};

const constants: Rule = (node, found) => {
  for (const element of childrenOf(node)) if (element.type === 'const_element') found.define('constant', node, childrenOf(element)[0]);
};

const defineCall: Rule = (node, found) => {
  const target = fieldOf(node, 'function');
  if (target === undefined || found.textOf(target).toLowerCase() !== 'define') return;
  const first = childrenOf(fieldOf(node, 'arguments') ?? node)[0];
  const text = first === undefined ? undefined : childOfType(first, 'string', 'encapsed_string');
  if (text !== undefined) found.define('constant', node, { startIndex: text.startIndex + 1, endIndex: text.endIndex - 1 });
};

/** `namespace A;` holds what follows, up to the next one. */
const namespace: Rule = (node, found) => {
  const name = fieldOf(node, 'name');
  const isBlock = fieldOf(node, 'body') !== undefined;
  const next = isBlock ? node.endIndex : nextNamespace(found.text, node.endIndex);
  if (name !== undefined)
    found.define('module', { startIndex: node.startIndex, endIndex: next }, name, { text: found.textOf(name).replaceAll('\\', '.') });
};

function nextNamespace(text: string, from: number): number {
  const pattern = /^[ \t]*namespace\s+[\w\\]+\s*[;{]/gm;
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

const DEFINITIONS: Rules = {
  namespace_definition: namespace,
  class_declaration: named('class'),
  interface_declaration: named('interface'),
  trait_declaration: named('trait'),
  enum_declaration: named('enum'),
  enum_case: named('enumerator'),
  anonymous_class: (node, found) =>
    found.define('class', node, { startIndex: node.startIndex, endIndex: node.startIndex + 1 }, { text: '<class>' }),
  function_definition: named('function'),
  method_declaration: (node, found) =>
    found.define('method', node, fieldOf(node, 'name'), { isDeclaration: fieldOf(node, 'body') === undefined }),
  property_declaration: properties,
  property_promotion_parameter: (node, found) =>
    found.define('property', node, withoutDollar(fieldOf(node, 'name'), found), { isOfClass: true }),
  const_declaration: constants,
  function_call_expression: defineCall,
};

/** `\A\B\c` calls c of \A\B. */
function calledName(name: SyntaxNode | undefined, found: Collector): void {
  if (name?.type === 'qualified_name') {
    const text = found.textOf(name);
    const cut = text.lastIndexOf('\\');
    found.callOf(text.slice(cut + 1), name.startIndex + cut + 1, text.slice(0, Math.max(0, cut)));
  } else if (name?.type === 'name') found.call(name);
}

const memberCall: Rule = (node, found) => {
  const name = fieldOf(node, 'name');
  if (name?.type === 'name') found.call(name, fieldOf(node, 'object') ?? fieldOf(node, 'scope'));
};

const CALLS: Rules = {
  function_call_expression: (node, found) => calledName(fieldOf(node, 'function'), found),
  member_call_expression: memberCall,
  nullsafe_member_call_expression: memberCall,
  scoped_call_expression: memberCall,
  object_creation_expression: (node, found) => calledName(childrenOf(node)[0], found),
};

const use: Rule = (node, found) => {
  const prefix = childOfType(node, 'namespace_name');
  const group = fieldOf(node, 'body');
  const before = prefix === undefined || group === undefined ? '' : `${found.textOf(prefix)}\\`;
  for (const clause of childrenOf(group ?? node)) {
    const path = clause.type === 'namespace_use_clause' ? childOfType(clause, 'qualified_name', 'name') : undefined;
    if (path === undefined) continue;
    const alias = fieldOf(clause, 'alias');
    const module = `${before}${found.textOf(path)}`;
    const name = module.slice(module.lastIndexOf('\\') + 1);
    found.depend('use', path, module, [{ name, ...(alias === undefined ? {} : { alias: found.textOf(alias) }) }]);
  }
};

/** The text of an included path; `__DIR__ . '/x.php'` is found from the file's own folder. */
const include: Rule = (node, found) => {
  const text = descendantsOf(node, ['string', 'encapsed_string'], 50)[0];
  if (text === undefined) return;
  const module = unquoted(found.textOf(text));
  found.depend('include', text, module, [], /__DIR__|__FILE__/.test(found.textOf(node)) || /^\.{1,2}\//.test(module));
};

export const PHP: Grammar = {
  file: 'tree-sitter-php.wasm',
  headerEnd: 'brace',
  definitions: DEFINITIONS,
  calls: CALLS,
  imports: {
    namespace_use_declaration: use,
    require_expression: include,
    require_once_expression: include,
    include_expression: include,
    include_once_expression: include,
  },
  comments: ['comment'],
  strings: ['string', 'encapsed_string', 'heredoc', 'nowdoc', 'shell_command_expression'],
  embedded: [],
};
