/** Go. */
import { type Grammar, type Rule, unquoted } from './grammar.js';
import type { SyntaxNode } from './parser.js';
import type { DefinitionKind } from './structure.js';
import { childrenOf, fieldOf, fieldsOf } from './syntax.js';

const typeSpec: Rule = (node, found) => {
  const type = fieldOf(node, 'type')?.type;
  found.define(type === 'struct_type' ? 'struct' : type === 'interface_type' ? 'interface' : 'type', node, fieldOf(node, 'name'));
};

const method: Rule = (node, found) => {
  const receiver = fieldOf(node, 'receiver');
  const type = receiver === undefined ? '' : found.textOf(receiver);
  // (r *Type[T]), (Type), (r Type)
  const scope = /(\w+)\s*(?:\[[^\]]*\])?\s*,?\s*\)$/.exec(type)?.[1];
  found.define('method', node, fieldOf(node, 'name'), { scope });
};

const values =
  (kind: DefinitionKind): Rule =>
  (node, found) => {
    if (found.isLocal(node)) return;
    for (const name of fieldsOf(node, 'name')) if (found.textOf(name) !== '_') found.define(kind, node, name);
  };

const field: Rule = (node, found) => {
  const names = fieldsOf(node, 'name');
  for (const name of names) found.define('field', node, name);
  if (names.length > 0) return;
  // An embedded type is a field with the type's own name.
  const type = fieldOf(node, 'type');
  const base = type?.type === 'generic_type' ? fieldOf(type, 'type') : type;
  found.define('field', node, base?.type === 'qualified_type' ? fieldOf(base, 'name') : base);
};

/** `f(…)`, `a.b.f(…)`, `f[T](…)`. */
function target(node: SyntaxNode): SyntaxNode | undefined {
  const outer = fieldOf(node, 'function') ?? fieldOf(node, 'type');
  if (outer?.type === 'generic_type' || outer?.type === 'type_instantiation_expression')
    return fieldOf(outer, 'type') ?? childrenOf(outer)[0];
  return outer?.type === 'index_expression' ? fieldOf(outer, 'operand') : outer;
}

const called: Rule = (node, found) => {
  const name = target(node);
  if (name?.type === 'selector_expression') found.call(fieldOf(name, 'field'), fieldOf(name, 'operand'));
  else if (name?.type === 'qualified_type') found.call(fieldOf(name, 'name'), fieldOf(name, 'package'));
  else if (name?.type === 'identifier' || name?.type === 'type_identifier') found.call(name);
};

export const GO: Grammar = {
  file: 'tree-sitter-go.wasm',
  headerEnd: 'brace',
  definitions: {
    function_declaration: (node, found) => found.define('function', node, fieldOf(node, 'name')),
    method_declaration: method,
    // A lone type begins at the word `type`; in a group each begins at its own line.
    type_declaration: (node, found) => {
      if (!/^type\s*\(/.test(found.textOf(node, 40))) found.wrap(node);
    },
    type_spec: typeSpec,
    type_alias: (node, found) => found.define('type', node, fieldOf(node, 'name')),
    const_spec: values('constant'),
    var_spec: values('variable'),
    field_declaration: field,
    method_elem: (node, found) => found.define('method', node, fieldOf(node, 'name'), { isDeclaration: true }),
    func_literal: (node, found) => found.enterFunction(node),
  },
  calls: { call_expression: called, type_conversion_expression: called },
  imports: {
    import_spec: (node, found) => {
      const [path, name] = [fieldOf(node, 'path'), fieldOf(node, 'name')];
      if (path === undefined) return;
      const names = name === undefined ? [] : [{ name: '*', alias: found.textOf(name) }];
      const module = unquoted(found.textOf(path));
      found.depend('import', path, module, names, module.startsWith('.'));
    },
  },
  comments: ['comment'],
  strings: ['interpreted_string_literal', 'raw_string_literal', 'rune_literal'],
  embedded: [],
};
