/** Python. */
import type { Collector } from './collector.js';
import type { Grammar, Rule } from './grammar.js';
import type { SyntaxNode } from './parser.js';
import type { ImportedName } from './structure.js';
import { childrenOf, fieldOf, fieldsOf } from './syntax.js';

/** Names that are data of the language, not of the program. */
const NOT_DEFINED = new Set(['__all__', '_', '__slots__']);

const assignment: Rule = (node, found) => {
  const left = fieldOf(node, 'left');
  if (left === undefined) return;
  if (left.type === 'attribute') return selfField(node, left, found);
  if (found.isLocal(node)) return;
  const isFunction = fieldOf(node, 'right')?.type === 'lambda';
  for (const name of left.type === 'identifier' ? [left] : childrenOf(left)) {
    if (name.type !== 'identifier') continue;
    const text = found.textOf(name);
    if (NOT_DEFINED.has(text)) continue;
    found.define(isFunction ? 'function' : /^_*[A-Z][A-Z0-9_]*$/.test(text) ? 'constant' : 'variable', node, name);
  }
};

/** `self.x = …` makes a field of the class that the method is in. */
function selfField(node: SyntaxNode, left: SyntaxNode, found: Collector): void {
  const [object, name] = [fieldOf(left, 'object'), fieldOf(left, 'attribute')];
  if (object?.type === 'identifier' && ['self', 'cls'].includes(found.textOf(object)))
    found.define('field', node, name, { isOfClass: true });
}

const called: Rule = (node, found) => {
  const target = fieldOf(node, 'function');
  if (target?.type === 'identifier') found.call(target);
  else if (target?.type === 'attribute') found.call(fieldOf(target, 'attribute'), fieldOf(target, 'object'));
};

function nameOf(node: SyntaxNode, found: Collector): ImportedName {
  if (node.type !== 'aliased_import') return { name: found.textOf(node) };
  const [name, alias] = [fieldOf(node, 'name'), fieldOf(node, 'alias')];
  return { name: name === undefined ? '' : found.textOf(name), ...(alias === undefined ? {} : { alias: found.textOf(alias) }) };
}

const importStatement: Rule = (node, found) => {
  for (const one of fieldsOf(node, 'name')) {
    const { name, alias } = nameOf(one, found);
    found.depend('import', one, name, alias === undefined ? [] : [{ name: '*', alias }]);
  }
};

const importFrom: Rule = (node, found) => {
  const module = fieldOf(node, 'module_name');
  const isAll = childrenOf(node).some(({ type }) => type === 'wildcard_import');
  const names = isAll ? [{ name: '*' }] : fieldsOf(node, 'name').map((one) => nameOf(one, found));
  const text = module === undefined ? '__future__' : found.textOf(module);
  found.depend('import', module ?? node, text, names, text.startsWith('.'));
};

export const PYTHON: Grammar = {
  file: 'tree-sitter-python.wasm',
  headerEnd: 'colon',
  definitions: {
    decorator: (node, found) => found.lead(node),
    function_definition: (node, found) => found.define('function', node, fieldOf(node, 'name')),
    class_definition: (node, found) => found.define('class', node, fieldOf(node, 'name')),
    type_alias_statement: (node, found) => {
      const name = fieldOf(node, 'left');
      if (name !== undefined) found.define('type', node, name, { text: found.textOf(name).replace(/\[.*/s, '') });
    },
    assignment,
  },
  calls: { call: called },
  imports: { import_statement: importStatement, import_from_statement: importFrom, future_import_statement: importFrom },
  comments: ['comment'],
  strings: ['string'],
  embedded: ['interpolation'],
};
