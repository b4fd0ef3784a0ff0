/** A structure as short text, so that tests are tables. */
import { defaultLimits } from '#dist/base/limits.js';
import { SyntaxParser } from '#dist/code/parser.js';
import { StructureReader } from '#dist/code/reader.js';
import type { Definition, SourceStructure } from '#dist/code/structure.js';

/** Everything is wanted of every text. */
export const EVERYTHING = { calls: true, imports: true, roles: true } as const;

const { maxParserMiB } = defaultLimits();
export const parser = new SyntaxParser(maxParserMiB);
/** Slow machines must not turn a test of rules into one of time. */
export const reader = new StructureReader({ ...defaultLimits(), parseMs: 10_000 }, parser);

export const read = (path: string, text: string): Promise<SourceStructure> => reader.read(path, text, { wanted: EVERYTHING });

/** `method Outer.name 3-5`, with `declared` behind what has no body. */
export function show({ kind, name, container, startLine, endLine, isDeclaration }: Definition): string {
  const path = container === '' ? name : `${container}.${name}`;
  return `${kind} ${path} ${startLine}-${endLine}${isDeclaration ? ' declared' : ''}`;
}

export const outline = async (path: string, text: string): Promise<string[]> => (await read(path, text)).definitions.map(show);

/** `receiver|name 3:4 in Outer.name`. */
export async function calls(path: string, text: string): Promise<string[]> {
  const { calls, definitions } = await read(path, text);
  return calls.map(({ name, receiver, line, column, within }) => {
    const around = definitions[within];
    const path = around === undefined ? 'top' : [around.container, around.name].filter((part) => part !== '').join('.');
    return `${receiver === '' ? '' : `${receiver}|`}${name} ${line}:${column} in ${path}`;
  });
}

/** `kind module {name as alias} 3 relative`. */
export async function imports(path: string, text: string): Promise<string[]> {
  return (await read(path, text)).imports.map(({ kind, module, names, line, isRelative }) => {
    const list = names.map(({ name, alias }) => (alias === undefined ? name : `${name} as ${alias}`)).join(', ');
    return `${kind} ${module}${list === '' ? '' : ` {${list}}`} ${line}${isRelative ? ' relative' : ''}`;
  });
}
