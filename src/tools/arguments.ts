/** From what a client sent to checked arguments. Tolerates what models often send ("5" for 5, "*.ts" for ["*.ts"], null for
 *  absent); everything else that does not fit is refused with the argument, the reason and the repair. */
import { showJson } from '../base/display.js';
import { ToolError } from '../base/errors.js';
import { nearest } from '../base/near.js';
import type { Validator } from '../base/validators.js';
import type { AnyTool } from './tool.js';

interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

const SHOWN_VALUE = 60;

/** @throws ToolError argument_invalid, argument_unknown */
export function checkArguments(tool: AnyTool, given: unknown, validate: Validator): Record<string, unknown> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new ToolError('argument_invalid', `The arguments of ${tool.name} must be an object, not ${show(given)}.`);
  }
  const args = Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, unpackArray(tool, name, value)]),
  );
  if (validate(args)) return args;
  const errors = (validate.errors ?? []) as readonly SchemaError[];
  const unknown = errors.find((error) => error.keyword === 'additionalProperties');
  if (unknown !== undefined) throw unknownArgument(tool, String(unknown.params.additionalProperty));
  const reasons = [...new Set(errors.map((error) => reason(tool, error, given as Record<string, unknown>)))];
  throw new ToolError('argument_invalid', reasons.slice(0, 3).join(' '));
}

/** Some clients send lists as JSON text. */
function unpackArray(tool: AnyTool, name: string, value: unknown): unknown {
  if (tool.input.properties[name]?.type !== 'array' || typeof value !== 'string' || !value.startsWith('[')) return value;
  try {
    const list: unknown = JSON.parse(value);
    return Array.isArray(list) ? list : value;
  } catch {
    return value; // no JSON: a glob that starts with a bracket
  }
}

function unknownArgument(tool: AnyTool, name: string): ToolError {
  const known = Object.keys(tool.input.properties);
  const near = ALIASES[name] !== undefined && known.includes(ALIASES[name]) ? [ALIASES[name]] : nearest(name, known, 1);
  const meant = near[0] === undefined ? '' : ` Did you mean "${near[0]}"?`;
  return new ToolError('argument_unknown', `${tool.name} has no argument "${name}".${meant}`, {
    hint: `Its arguments are ${known.join(', ')}.`,
  });
}

/** What other tools of this kind call the same thing. */
const ALIASES: Readonly<Record<string, string>> = {
  pattern: 'globs',
  query: 'pattern',
  search: 'pattern',
  text: 'pattern',
  q: 'pattern',
  file_pattern: 'globs',
  include: 'globs',
  glob: 'globs',
  ignore: 'exclude',
  dir: 'scope',
  directory: 'scope',
  folder: 'scope',
  path: 'scope',
  file: 'path',
  filePath: 'path',
  file_path: 'path',
  limit: 'maxMatches',
  head_limit: 'maxMatches',
  start: 'startLine',
  end: 'endLine',
  case_insensitive: 'ignoreCase',
  literal: 'regex',
};

function reason(tool: AnyTool, error: SchemaError, given: Readonly<Record<string, unknown>>): string {
  const [name = '', item] = error.instancePath.slice(1).split('/');
  const property = tool.input.properties[name];
  const about = `${name}${item === undefined ? '' : `[${item}]`}`;
  switch (error.keyword) {
    case 'required':
      return `"${String(error.params.missingProperty)}" is missing; it is ${describe(tool, String(error.params.missingProperty))}.`;
    case 'type':
      return `"${about}" is ${show(given[name])}; it must be ${describe(tool, name)}.`;
    case 'enum':
      return `"${about}" is ${show(given[name])}; it takes ${(property?.enum ?? []).join(', ')}.`;
    case 'minimum':
    case 'maximum':
      return `"${about}" is ${show(given[name])}; it takes ${property?.minimum} to ${property?.maximum}.`;
    case 'minLength':
      return `"${about}" is empty.`;
    default:
      return `"${about}" ${error.message}.`;
  }
}

function describe(tool: AnyTool, name: string): string {
  const property = tool.input.properties[name];
  if (property === undefined) return 'of another type';
  const kind = { string: 'a text', integer: 'a whole number', boolean: 'true or false', array: 'a list of texts' }[property.type];
  return `${kind} (${property.description.charAt(0).toLowerCase()}${property.description.slice(1)})`;
}

function show(value: unknown): string {
  const text = value === undefined ? 'undefined' : showJson(value);
  return text.length > SHOWN_VALUE ? `${text.slice(0, SHOWN_VALUE)}…` : text;
}
