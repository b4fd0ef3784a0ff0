/** The verbs of the command line: which tool each one calls, its flags, and its help. Derived from the tools' schemas. */
import { FLAGS, type FlagValues } from './base/config.js';
import { flagOf } from './base/limits.js';
import { UsageError } from './base/usage.js';
import { TOOLS } from './tools/registry.js';
import type { AnyTool, Property } from './tools/tool.js';

export type OptionTable = Record<string, { type: 'string' | 'boolean'; multiple?: boolean; short?: string }>;

export interface Verb {
  readonly tool: string;
  /** Arguments that may be given without their flag, in order; a list takes all that remain. */
  readonly positional: readonly string[];
  /** The argument that a single one is. */
  readonly alone?: string;
  readonly doc: string;
  /** Exit codes, where they are not those of a search. */
  readonly exits?: string;
}

export const VERBS: Readonly<Record<string, Verb>> = {
  search: { tool: 'search_code', positional: ['query', 'scope'], doc: 'ranked search: ripscope search "WORDS" [SCOPE]' },
  grep: { tool: 'search_text', positional: ['pattern', 'scope'], doc: 'exact search: ripscope grep PATTERN [SCOPE]' },
  locate: { tool: 'locate', positional: ['query', 'scope'], doc: 'where a symbol is: ripscope locate SYMBOL [SCOPE]' },
  read: {
    tool: 'read_snippet',
    positional: ['path', 'startLine', 'endLine'],
    alone: 'target',
    doc: 'read lines or a symbol: ripscope read PATH [START [END]], or SYMBOL, or PATH:LINE',
  },
  explore: {
    tool: 'explore',
    positional: ['relation', 'anchor', 'scope'],
    doc: 'relations: ripscope explore callers|callees|dependencies|dependents|impact ANCHOR, or overview',
  },
  files: { tool: 'list_files', positional: ['globs'], doc: 'list files: ripscope files [GLOB...]' },
  test: {
    tool: 'run_test_filtered',
    positional: ['command', 'path'],
    doc: 'run tests: ripscope test COMMAND [PATH]',
    exits: "the command's own, 124 after a timeout, 2 error",
  },
  outputs: { tool: 'search_output', positional: ['queries'], doc: 'search kept outputs: ripscope outputs "WORDS"... [--source NAME]' },
};

/** The tool that a verb calls. */
export function toolOf(verb: Verb): AnyTool {
  const tool = TOOLS.find((candidate) => candidate.name === verb.tool);
  if (tool === undefined) throw new Error(`no tool ${verb.tool}`);
  return tool;
}

const SHORT: Readonly<Record<string, string>> = { ignoreCase: 'i', word: 'w', context: 'C', globs: 'g', maxMatches: 'm' };

/** A tool's arguments as flags: maxMatches is --max-matches, globs is --globs (repeatable). */
export function toolFlags(tool: AnyTool): OptionTable {
  return Object.fromEntries(
    Object.entries(tool.input.properties)
      .filter(([name]) => name !== 'root')
      .map(([name, { type }]) => {
        const short = SHORT[name];
        return [
          flagOf(name).slice(2),
          {
            type: type === 'boolean' ? ('boolean' as const) : ('string' as const),
            ...(type === 'array' ? { multiple: true } : {}),
            ...(short === undefined ? {} : { short }),
          },
        ];
      }),
  );
}

export function toolArguments(tool: AnyTool, verb: Verb, values: FlagValues, positionals: readonly string[]): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const name of Object.keys(tool.input.properties)) {
    const value = values[flagOf(name).slice(2)];
    if (name !== 'root' && value !== undefined) given[name] = value;
  }
  const left = [...positionals];
  // With lines as flags it is the path that they belong to.
  const isAlone = positionals.length === 1 && verb.alone !== undefined && !verb.positional.some((name) => Object.hasOwn(given, name));
  const names = isAlone ? [verb.alone] : verb.positional;
  for (const name of names) {
    if (left.length === 0) break;
    if (given[name] !== undefined && tool.input.properties[name]?.type !== 'array') continue;
    given[name] =
      tool.input.properties[name]?.type === 'array' ? [...((given[name] as string[] | undefined) ?? []), ...left.splice(0)] : left.shift();
  }
  if (left.length > 0) throw new UsageError(`too many arguments: "${left[0]}"`);
  return given;
}

/** Which values a flag takes. */
function valuesOf({ enum: choices, minimum, maximum, default: standard }: Property): string {
  const facts = [
    choices?.join(', '),
    minimum === undefined ? undefined : `${minimum}-${maximum}`,
    standard === undefined || standard === false ? undefined : `default ${standard}`,
  ];
  const known = facts.filter((fact) => fact !== undefined);
  return known.length === 0 ? '' : ` (${known.join('; ')})`;
}

/** What `ripscope help [VERB]` prints. */
export function help(verb: string | undefined): string {
  const known = verb === undefined ? undefined : VERBS[verb];
  const rows = (entries: readonly (readonly [string, string])[]): string =>
    entries.map(([name, doc]) => `  ${name.padEnd(26)} ${doc}`).join('\n');
  if (known !== undefined) {
    const tool = toolOf(known);
    const own = Object.entries(tool.input.properties)
      .filter(([name]) => name !== 'root')
      .map(
        ([name, property]) =>
          [flagOf(name) + (SHORT[name] === undefined ? '' : `, -${SHORT[name]}`), property.description + valuesOf(property)] as const,
      );
    return `${known.doc}\n\n${tool.description}\n\n${rows(own)}\n\nFlags of every verb: ripscope help\nExit codes: ${known.exits ?? '0 found, 1 nothing found, 2 error'}\n`;
  }
  return [
    'ripscope: searches huge repositories with ripgrep and nothing to index',
    '',
    'ripscope [serve]             MCP server on stdin and stdout',
    ...Object.entries(VERBS).map(([name, { doc }]) => `ripscope ${name.padEnd(19)} ${doc}`),
    'ripscope hook post-tool-use  Claude Code hook: keeps large outputs out of the context',
    'ripscope help [VERB]         this text, or the flags of a verb',
    'ripscope --version',
    '',
    'Flags:',
    rows(Object.entries(FLAGS).map(([name, { doc }]) => [`--${name}`, doc] as const)),
    '',
  ].join('\n');
}
