/** C and C++, both parsed with the C++ grammar: the package has none for C. */
import type { Collector } from './collector.js';
import { type Grammar, type Rule, type Rules, unquoted } from './grammar.js';
import type { Place } from './nesting.js';
import type { SyntaxNode } from './parser.js';
import type { DefinitionKind } from './structure.js';
import { childOfType, childrenOf, fieldOf, fieldsOf } from './syntax.js';

/** Deepest nesting of pointers, arrays, functions and scopes in one declarator. */
const MAX_DECLARATOR = 32;
const MACRO = /^[A-Z][A-Z0-9_]*$/;
const IDENTIFIER = /^[\p{L}_$~][\p{L}\p{N}_$]*$|^operator\b/u;
/** Macros that define a test: the first argument is its suite, the second its name. */
const TEST_MACRO = /^(?:TYPED_)?TEST(?:_[A-Z]+)?$/;

interface Declared {
  readonly name: Place;
  readonly text?: string;
  readonly scope: string;
  readonly isFunction: boolean;
}

/** The name inside `(*const *f[3])(int)`. It is a function if the last thing around the name is a parameter list. */
function declaredBy(declarator: SyntaxNode, found: Collector): Declared | undefined {
  let current: SyntaxNode | undefined = declarator;
  let isFunction = false;
  const scopes: string[] = [];
  for (let depth = 0; current !== undefined && depth < MAX_DECLARATOR; depth++) {
    const node: SyntaxNode = current;
    const { type } = node;
    if (type === 'qualified_identifier') {
      const scope = fieldOf(node, 'scope');
      if (scope !== undefined) scopes.push(found.textOf(scope).replace(/<.*>/s, ''));
      current = fieldOf(node, 'name');
    } else if (type === 'template_function' || type === 'template_type' || type === 'template_method') {
      current = fieldOf(node, 'name');
    } else if (type === 'operator_cast') {
      const text = /^[^(]*/.exec(found.textOf(node))?.[0].trim() ?? '';
      return { name: { startIndex: node.startIndex, endIndex: node.startIndex + text.length }, scope: scopes.join('.'), isFunction: true };
    } else if (/_declarator$/.test(type)) {
      if (type !== 'parenthesized_declarator' && type !== 'init_declarator') isFunction = type === 'function_declarator';
      current = fieldOf(node, 'declarator') ?? childrenOf(node).find((child) => !/attribute|modifier/.test(child.type));
    } else {
      return { name: node, scope: scopes.join('.'), isFunction };
    }
  }
  return undefined;
}

/** SYSCALL_DEFINE3(read, …) { defines read; TEST_F(Suite, Name) { defines Suite.Name. */
function behindMacro(definition: SyntaxNode, declarator: SyntaxNode, declared: Declared, found: Collector): Declared {
  const macro = found.textOf(declared.name);
  if (!MACRO.test(macro) || fieldOf(definition, 'type') !== undefined || declared.scope !== '') return declared;
  const [first, second] = childrenOf(fieldOf(declarator, 'parameters') ?? declarator).filter(
    (child) => child.type === 'parameter_declaration' && /^\w+$/.test(found.textOf(child)),
  );
  if (first === undefined) return declared;
  if (second !== undefined && TEST_MACRO.test(macro)) return { name: second, scope: found.textOf(first), isFunction: true };
  return { name: first, scope: '', isFunction: true };
}

function defineDeclared(found: Collector, kind: DefinitionKind, place: Place, declared: Declared | undefined, isDeclaration = false): void {
  if (declared === undefined) return;
  const { name, scope } = declared;
  const text = found.textOf(name).replace(/\s+/g, ' ');
  if (IDENTIFIER.test(text)) found.define(kind, place, name, { scope, isDeclaration, text: text.replace(/^operator (?=\W)/, 'operator') });
}

const functionDefinition: Rule = (node, found) => {
  const declarator = fieldOf(node, 'declarator');
  const declared = declarator === undefined ? undefined : declaredBy(declarator, found);
  if (declarator === undefined || declared === undefined) return found.enterFunction(node);
  // A function in a function is a loop made by a macro: `for_each_online_cpu(cpu) { … }`.
  if (found.isLocal(node)) return found.call(fieldOf(node, 'type') === undefined ? declared.name : undefined);
  defineDeclared(found, 'function', node, behindMacro(node, declarator, declared, found));
  // Also where the name is unusable, what is inside is local.
  found.enterFunction(node);
};

const declaration: Rule = (node, found) => {
  if (found.isLocal(node)) return;
  const head = found.textOf(node, 60);
  const isExtern = /^extern\b/.test(head) && !/^extern\s*"/.test(head);
  const variable: DefinitionKind = /\bconstexpr\b/.test(head) ? 'constant' : 'variable';
  for (const declarator of fieldsOf(node, 'declarator')) {
    const declared = declaredBy(declarator, found);
    const isLambda = fieldOf(declarator, 'value')?.type === 'lambda_expression';
    // `module_init(x);` has no type, and only a constructor may have none.
    if (declared?.isFunction === true && fieldOf(node, 'type') === undefined && !found.isMember(node)) continue;
    if (declared?.isFunction === true) defineDeclared(found, 'function', node, declared, true);
    else defineDeclared(found, isLambda ? 'function' : variable, node, declared, isExtern);
  }
};

/** `void (*handler)(T *value);` can be read as two calls and a product, and the grammar does. */
const pointerStatement: Rule = (node, found) => {
  if (found.isLocal(node)) return;
  const [whole = '', name = ''] = /^[\w\s*]+\(\s*\*\s*(?:const\s+)?(\w+)\s*(?=(?:\[[^\]]*\]\s*)*\)\s*\()/.exec(found.textOf(node)) ?? [];
  const startIndex = node.startIndex + whole.trimEnd().length - name.length;
  if (name !== '') found.define('variable', node, { startIndex, endIndex: startIndex + name.length });
};

/** Members of structs and classes. */
const member: Rule = (node, found) => {
  for (const declarator of fieldsOf(node, 'declarator')) {
    const declared = declaredBy(declarator, found);
    if (declared !== undefined) defineDeclared(found, declared.isFunction ? 'function' : 'field', node, declared, declared.isFunction);
  }
};

/** struct, union, enum and class: with a body, or `struct x;` alone. All other mentions are uses. */
const tagged =
  (kind: DefinitionKind): Rule =>
  (node, found) => {
    const name = fieldOf(node, 'name');
    if (name === undefined) return;
    const isDeclaration = fieldOf(node, 'body') === undefined;
    if (isDeclaration && !standsAlone(node, found)) return;
    defineDeclared(found, kind, node, declaredBy(name, found), isDeclaration);
  };

function standsAlone(node: SyntaxNode, found: Collector): boolean {
  const { text } = found;
  const before = text.slice(Math.max(0, node.startIndex - 200), node.startIndex);
  return /^\s*;/.test(text.slice(node.endIndex, node.endIndex + 40)) && /(?:^|[;{}>\n])[ \t]*$/.test(before);
}

const ANONYMOUS: Readonly<Record<string, DefinitionKind>> = {
  struct_specifier: 'struct',
  class_specifier: 'class',
  union_specifier: 'union',
  enum_specifier: 'enum',
};

/** `typedef struct { … } X` makes a struct X, any other typedef a type. */
const typeDefinition: Rule = (node, found) => {
  const type = fieldOf(node, 'type');
  const isAnonymous = type !== undefined && fieldOf(type, 'name') === undefined && fieldOf(type, 'body') !== undefined;
  for (const [index, declarator] of fieldsOf(node, 'declarator').entries()) {
    const kind = isAnonymous && index === 0 ? ANONYMOUS[type.type] : undefined;
    const hasBody = type !== undefined && fieldOf(type, 'body') !== undefined;
    // Beside a struct with a name of its own the typedef is only its last line, so that members stay the struct's.
    defineDeclared(found, kind ?? 'type', hasBody && kind === undefined ? declarator : node, declaredBy(declarator, found));
  }
};

const DEFINITIONS: Rules = {
  template_declaration: (node, found) => found.wrap(node),
  friend_declaration: (node, found) => found.enterFunction(node),
  function_definition: functionDefinition,
  lambda_expression: (node, found) => found.enterFunction(node),
  declaration,
  expression_statement: pointerStatement,
  field_declaration: member,
  struct_specifier: tagged('struct'),
  class_specifier: tagged('class'),
  union_specifier: tagged('union'),
  enum_specifier: tagged('enum'),
  enumerator: (node, found) => found.define('enumerator', node, fieldOf(node, 'name')),
  type_definition: typeDefinition,
  alias_declaration: (node, found) => found.define('type', node, fieldOf(node, 'name')),
  concept_definition: (node, found) => found.define('type', node, fieldOf(node, 'name')),
  namespace_definition: (node, found) => {
    const name = fieldOf(node, 'name');
    if (name !== undefined) found.define('module', node, name, { text: found.textOf(name).replace(/\s*::\s*(?:inline\s+)?/g, '.') });
  },
  namespace_alias_definition: (node, found) => found.define('module', node, fieldOf(node, 'name'), { isDeclaration: true }),
  preproc_def: (node, found) => found.define('macro', node, fieldOf(node, 'name')),
  preproc_function_def: (node, found) => found.define('macro', node, fieldOf(node, 'name')),
};

const called: Rule = (node, found) => {
  const target = fieldOf(node, 'function') ?? fieldOf(node, 'type');
  if (target === undefined || target.type === 'primitive_type') return;
  if (target.type === 'field_expression') {
    const field = fieldOf(target, 'field');
    found.call(field === undefined ? undefined : (fieldOf(field, 'name') ?? field), fieldOf(target, 'argument'));
    return;
  }
  const declared = declaredBy(target, found);
  if (declared === undefined) return;
  const name = found.textOf(declared.name);
  if (IDENTIFIER.test(name)) found.callOf(name, declared.name.startIndex, declared.scope.replaceAll('.', '::'));
};

/** Words before a parenthesis that call nothing. */
const NOT_CALLED = new Set([
  'if',
  'for',
  'while',
  'switch',
  'return',
  'sizeof',
  'defined',
  'typeof',
  '__typeof__',
  'alignof',
  '__attribute__',
]);

/** The grammar does not look into the bodies of macros, where much of the calling of C is done. */
const calledInMacro: Rule = (node, found) => {
  const { text } = found;
  const end = node.endIndex;
  const word = /[A-Za-z_]\w*(?=\s?\()/g;
  const body = text.slice(node.startIndex, end);
  for (let match = word.exec(body); match !== null; match = word.exec(body))
    if (!NOT_CALLED.has(match[0])) found.callOf(match[0], node.startIndex + match.index);
};

const include: Rule = (node, found) => {
  const path = fieldOf(node, 'path');
  if (path === undefined) return;
  found.depend('include', path, unquoted(found.textOf(path)), [], path.type === 'string_literal');
};

const using: Rule = (node, found) => {
  const name = childOfType(node, 'qualified_identifier', 'identifier', 'nested_namespace_specifier');
  if (name === undefined) return;
  const isAll = /^using\s+namespace\b/.test(found.textOf(node));
  found.depend('use', name, found.textOf(name), isAll ? [{ name: '*' }] : []);
};

export const CPP: Grammar = {
  file: 'tree-sitter-cpp.wasm',
  headerEnd: 'brace',
  definitions: DEFINITIONS,
  calls: { call_expression: called, new_expression: called, preproc_arg: calledInMacro },
  imports: { preproc_include: include, using_declaration: using },
  comments: ['comment'],
  strings: ['string_literal', 'raw_string_literal', 'char_literal', 'system_lib_string'],
  embedded: [],
};
