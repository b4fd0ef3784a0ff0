/** Bash and the shells like it. */
import { type Grammar, type Rule, unquoted } from './grammar.js';
import { childrenOf, fieldOf, fieldsOf } from './syntax.js';

const variable: Rule = (node, found) => {
  const name = fieldOf(node, 'name');
  if (name?.type === 'variable_name' && !found.isLocal(node)) found.define('variable', node, name);
};

const alias: Rule = (node, found) => {
  const name = fieldOf(node, 'name');
  if (name === undefined || found.textOf(name) !== 'alias') return;
  for (const argument of fieldsOf(node, 'argument')) {
    const text = /^[\w.:@-]+(?==)/.exec(found.textOf(argument))?.[0];
    if (text !== undefined)
      found.define('function', argument, { startIndex: argument.startIndex, endIndex: argument.startIndex + text.length });
  }
};

const called: Rule = (node, found) => {
  const word = childrenOf(fieldOf(node, 'name') ?? node)[0];
  if (word?.type === 'word') found.call(word);
};

const sourced: Rule = (node, found) => {
  const name = fieldOf(node, 'name');
  const path = fieldsOf(node, 'argument')[0];
  if (name === undefined || path === undefined || !['source', '.'].includes(found.textOf(name))) return;
  const module = unquoted(found.textOf(path));
  found.depend('source', path, module, [], /^\.{1,2}\/|BASH_SOURCE|dirname/.test(module));
};

export const BASH: Grammar = {
  file: 'tree-sitter-bash.wasm',
  headerEnd: 'first-line',
  definitions: {
    function_definition: (node, found) => found.define('function', node, fieldOf(node, 'name')),
    variable_assignment: variable,
    command: alias,
  },
  calls: { command: called },
  imports: { command: sourced },
  comments: ['comment'],
  strings: ['string', 'raw_string', 'ansi_c_string', 'heredoc_body'],
  embedded: ['command_substitution', 'process_substitution'],
};
