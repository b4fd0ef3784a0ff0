/** Rust. */
import type { Collector } from './collector.js';
import type { Grammar, Rule, Rules } from './grammar.js';
import type { SyntaxNode } from './parser.js';
import { scanDefinitions } from './scan.js';
import type { DefinitionKind, ImportedName } from './structure.js';
import { childOfType, childrenOf, fieldOf, innermost } from './syntax.js';

/** Most names of one use declaration. */
const MAX_USED = 300;

const named =
  (kind: DefinitionKind, options: { isDeclaration?: boolean } = {}): Rule =>
  (node, found) =>
    found.define(kind, node, fieldOf(node, 'name'), options);

/** `impl Trait for m::Type<T>` is about Type. */
const implementation: Rule = (node, found) => {
  const type = fieldOf(node, 'type');
  if (type === undefined) return;
  const name = innermost(type, 'type', 'name');
  found.define('impl', node, name, { text: found.textOf(name).replace(/^[&\s*]*(?:dyn\s+|mut\s+)?/, '') });
};

const value =
  (kind: DefinitionKind): Rule =>
  (node, found) => {
    // A constant of a trait may have no value.
    const isDeclaration = kind === 'constant' && fieldOf(node, 'value') === undefined;
    if (!found.isLocal(node)) found.define(kind, node, fieldOf(node, 'name'), { isDeclaration });
  };

const module: Rule = (node, found) =>
  found.define('module', node, fieldOf(node, 'name'), { isDeclaration: fieldOf(node, 'body') === undefined });

/** `cfg_rt! { pub fn f() {} }`: the grammar sees only tokens, so that the text is read as the fallback reads a file. */
const macroBody: Rule = (node, found) => {
  if (found.isLocal(node)) return;
  const tokens = childOfType(node, 'token_tree');
  if (tokens === undefined || found.text.charAt(tokens.startIndex) !== '{') return;
  for (const draft of scanDefinitions(found.text, { from: tokens.startIndex + 1, to: tokens.endIndex - 1 })) found.adopt(draft);
};

const DEFINITIONS: Rules = {
  attribute_item: (node, found) => found.lead(node),
  function_item: named('function'),
  function_signature_item: named('function', { isDeclaration: true }),
  struct_item: named('struct'),
  union_item: named('union'),
  enum_item: named('enum'),
  enum_variant: named('enumerator'),
  trait_item: named('trait'),
  impl_item: implementation,
  mod_item: module,
  macro_definition: named('macro'),
  const_item: value('constant'),
  static_item: value('variable'),
  type_item: named('type'),
  associated_type: named('type', { isDeclaration: true }),
  field_declaration: named('field'),
  use_declaration: (node, found) => {
    if (childOfType(node, 'visibility_modifier') === undefined) return;
    for (const { place } of usedBy(node, found)) if (/^(?!self$)\w+$/.test(found.textOf(place))) found.define('export', node, place);
  },
  macro_invocation: macroBody,
};

const called: Rule = (node, found) => {
  const outer = fieldOf(node, 'function');
  const target = outer?.type === 'generic_function' ? fieldOf(outer, 'function') : outer;
  if (target?.type === 'field_expression') found.call(fieldOf(target, 'field'), fieldOf(target, 'value'));
  else if (target?.type === 'scoped_identifier') found.call(fieldOf(target, 'name'), fieldOf(target, 'path'));
  else if (target?.type === 'identifier') found.call(target);
};

const NOT_CALLED = new Set(['if', 'match', 'while', 'for', 'in', 'fn', 'pub', 'return', 'let', 'move', 'as', 'where', 'await']);

/** A macro is called by its name, and in its tokens a name before a parenthesis is called. */
const calledMacro: Rule = (node, found) => {
  const macro = fieldOf(node, 'macro');
  if (macro?.type === 'scoped_identifier') found.call(fieldOf(macro, 'name'), fieldOf(macro, 'path'));
  else found.call(macro);
  const tokens = childOfType(node, 'token_tree');
  if (tokens === undefined) return;
  const word = /(?<!\bfn\s)\b[a-z_]\w*(?=!?\()/g;
  const body = found.text.slice(tokens.startIndex, tokens.endIndex);
  for (let match = word.exec(body); match !== null; match = word.exec(body))
    if (!NOT_CALLED.has(match[0])) found.callOf(match[0], tokens.startIndex + match.index);
};

interface Used {
  readonly module: string;
  readonly name: string;
  /** What the name is in this file. */
  readonly place: SyntaxNode;
  readonly alias?: string;
}

/** The names of a use tree, each with the path before it. */
function usedBy(declaration: SyntaxNode, found: Collector): Used[] {
  const argument = fieldOf(declaration, 'argument');
  const used: Used[] = [];
  const open: { node: SyntaxNode; path: string }[] = argument === undefined ? [] : [{ node: argument, path: '' }];
  for (let next = open.pop(); next !== undefined && used.length < MAX_USED; next = open.pop()) {
    const { node, path } = next;
    const join = (inner: string): string => [path, inner].filter((part) => part !== '').join('::');
    if (node.type === 'scoped_use_list' || node.type === 'use_list') {
      const head = fieldOf(node, 'path');
      const list = node.type === 'use_list' ? node : fieldOf(node, 'list');
      const inside = head === undefined ? path : join(found.textOf(head));
      for (const child of list === undefined ? [] : childrenOf(list).reverse()) open.push({ node: child, path: inside });
    } else if (node.type === 'use_as_clause') {
      const [inner, alias] = [fieldOf(node, 'path'), fieldOf(node, 'alias')];
      if (inner === undefined || alias === undefined) continue;
      used.push({ ...split(inner, found, path), place: alias, alias: found.textOf(alias) });
    } else if (node.type === 'use_wildcard') {
      const inner = childrenOf(node)[0];
      used.push({ module: inner === undefined ? path : join(found.textOf(inner)), name: '*', place: node });
    } else {
      used.push({ ...split(node, found, path), place: fieldOf(node, 'name') ?? node });
    }
  }
  return used;
}

function split(node: SyntaxNode, found: Collector, path: string): { module: string; name: string } {
  const [head, name] = [fieldOf(node, 'path'), fieldOf(node, 'name')];
  const inner = head === undefined ? '' : found.textOf(head);
  return { module: [path, inner].filter((part) => part !== '').join('::'), name: found.textOf(name ?? node) };
}

const isRelative = (module: string): boolean => /^(?:crate|self|super)\b/.test(module);

const use: Rule = (node, found) => {
  const byModule = new Map<string, { names: ImportedName[]; place: SyntaxNode }>();
  for (const { module, name, alias, place } of usedBy(node, found)) {
    const key = module === '' ? name : module;
    const known = byModule.get(key) ?? { names: [], place };
    if (module !== '' || alias !== undefined) known.names.push({ name, ...(alias === undefined ? {} : { alias }) });
    byModule.set(key, known);
  }
  for (const [path, { names, place }] of byModule) found.depend('use', place, path, names, isRelative(path));
};

export const RUST: Grammar = {
  file: 'tree-sitter-rust.wasm',
  headerEnd: 'brace',
  definitions: DEFINITIONS,
  calls: { call_expression: called, macro_invocation: calledMacro },
  imports: {
    use_declaration: use,
    extern_crate_declaration: (node, found) => {
      const name = fieldOf(node, 'name');
      if (name !== undefined) found.depend('import', name, found.textOf(name));
    },
    // `mod x;` is the file x.rs: a dependency as much as a definition.
    mod_item: (node, found) => {
      const name = fieldOf(node, 'name');
      if (name !== undefined && fieldOf(node, 'body') === undefined) found.depend('module', name, found.textOf(name), [], true);
    },
  },
  comments: ['line_comment', 'block_comment'],
  strings: ['string_literal', 'raw_string_literal', 'char_literal'],
  embedded: [],
};
