/** Ruby. */
import type { Collector } from './collector.js';
import { type Grammar, type Rule, unquoted } from './grammar.js';
import type { Place } from './nesting.js';
import type { SyntaxNode } from './parser.js';
import type { DefinitionKind } from './structure.js';
import { childrenOf, fieldOf } from './syntax.js';

/** `class A::B` is B in A. */
const named =
  (kind: DefinitionKind): Rule =>
  (node, found) => {
    const name = fieldOf(node, 'name');
    if (name?.type !== 'scope_resolution') return found.define(kind, node, name);
    const scope = fieldOf(name, 'scope');
    found.define(kind, node, fieldOf(name, 'name'), {
      scope: scope === undefined ? undefined : found.textOf(scope).replaceAll('::', '.'),
    });
  };

const singletonMethod: Rule = (node, found) => {
  const object = fieldOf(node, 'object');
  const scope = object === undefined || object.type === 'self' ? undefined : found.textOf(object);
  found.define('method', node, fieldOf(node, 'name'), { scope });
};

const CLASS_MAKERS = /^(?:Struct|Class|Data|Module)\.(?:new|define)\b/;

const assignment: Rule = (node, found) => {
  const left = fieldOf(node, 'left');
  if (left === undefined || found.isLocal(node)) return;
  for (const name of left.type === 'constant' ? [left] : childrenOf(left)) {
    if (name.type !== 'constant') continue;
    const right = fieldOf(node, 'right');
    const made = right === undefined ? null : CLASS_MAKERS.exec(found.textOf(right, 40));
    const kind = made === null ? 'constant' : made[0].startsWith('Module') ? 'module' : made[0].startsWith('Struct') ? 'struct' : 'class';
    found.define(kind, node, name);
  }
};

/** Methods that are called in a class to define others. */
const DEFINING: Readonly<Record<string, 'property' | 'method'>> = {
  attr_accessor: 'property',
  attr_reader: 'property',
  attr_writer: 'property',
  attr: 'property',
  mattr_accessor: 'property',
  cattr_accessor: 'property',
  define_method: 'method',
  define_singleton_method: 'method',
  alias_method: 'method',
};

const symbolPlace = (symbol: SyntaxNode): Place => ({ startIndex: symbol.startIndex + 1, endIndex: symbol.endIndex });

const definingCall: Rule = (node, found) => {
  const method = fieldOf(node, 'method');
  if (method === undefined) return;
  const name = found.textOf(method);
  const kind = Object.hasOwn(DEFINING, name) ? DEFINING[name] : undefined;
  if (kind === undefined) return;
  const symbols = argumentsOf(node).filter(({ type }) => type === 'simple_symbol');
  for (const symbol of kind === 'property' ? symbols : symbols.slice(0, 1)) found.define(kind, node, symbolPlace(symbol));
};

const argumentsOf = (call: SyntaxNode): SyntaxNode[] => {
  const list = fieldOf(call, 'arguments');
  return list === undefined ? [] : childrenOf(list);
};

const called: Rule = (node, found) => {
  const method = fieldOf(node, 'method');
  const receiver = fieldOf(node, 'receiver');
  // Foo.new makes a Foo, but the call is of `new`.
  found.call(method, receiver);
};

const LOADING: Readonly<Record<string, 'require' | 'include'>> = {
  require: 'require',
  require_relative: 'require',
  load: 'require',
  autoload: 'require',
  include: 'include',
  extend: 'include',
  prepend: 'include',
};

const loadingCall: Rule = (node, found) => {
  const method = fieldOf(node, 'method');
  const name = method === undefined ? '' : found.textOf(method);
  const kind = Object.hasOwn(LOADING, name) ? LOADING[name] : undefined;
  if (kind === undefined || fieldOf(node, 'receiver') !== undefined) return;
  const given = argumentsOf(node);
  const wanted = kind === 'include' ? given : given.filter(({ type }) => type === 'string').slice(0, 1);
  const first = given[0];
  for (const one of wanted) {
    if (kind === 'include' && one.type !== 'constant' && one.type !== 'scope_resolution') continue;
    const names = name === 'autoload' && first?.type === 'simple_symbol' ? [{ name: textOfSymbol(first, found) }] : [];
    found.depend(kind, one, unquoted(found.textOf(one)), names, name === 'require_relative');
  }
};

const textOfSymbol = (symbol: SyntaxNode, found: Collector): string => found.textOf(symbolPlace(symbol));

export const RUBY: Grammar = {
  file: 'tree-sitter-ruby.wasm',
  headerEnd: 'line',
  definitions: {
    module: named('module'),
    class: named('class'),
    method: (node, found) => found.define('method', node, fieldOf(node, 'name')),
    singleton_method: singletonMethod,
    assignment,
    alias: (node, found) => found.define('method', node, fieldOf(node, 'name')),
    call: definingCall,
  },
  calls: { call: called },
  imports: { call: loadingCall },
  comments: ['comment'],
  strings: ['string', 'heredoc_body', 'string_array', 'symbol_array', 'regex', 'subshell', 'delimited_symbol', 'character'],
  embedded: ['interpolation'],
};
