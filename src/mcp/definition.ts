/** A tool as `tools/list` shows it. Every session pays for each character, so what only the check of arguments needs stays out: the
 *  check uses the whole schema, and its errors name the bound. */
import type { AnyTool, Property } from '../tools/tool.js';

/** A tool that is not read-only is taken for destructive unless it says otherwise. */
const ANNOTATIONS = {
  reads: { readOnlyHint: true, openWorldHint: false },
  adds: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  runs: { readOnlyHint: false, openWorldHint: true },
} as const;

/** Bounds that callers do not come near by themselves, less so where a default says what is usual; who passes one is told. */
const NEVER_REACHED = 100_000;
const RARELY_REACHED = 10_000;

/** @param hasRoots whether there are several roots, without which `root` is of no use */
export function definition(tool: AnyTool, hasRoots: boolean): object {
  const properties = Object.entries(tool.input.properties).filter(([name]) => hasRoots || name !== 'root');
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: { ...tool.input, properties: Object.fromEntries(properties.map(([name, property]) => [name, published(property)])) },
    annotations: ANNOTATIONS[tool.effect],
  };
}

function published({ type, description, enum: choices, items, maximum, default: standard }: Property): object {
  return {
    type,
    description,
    ...(choices === undefined ? {} : { enum: choices }),
    ...(items === undefined ? {} : { items: { type: items.type } }),
    ...(maximum === undefined || maximum > (standard === undefined ? NEVER_REACHED : RARELY_REACHED) ? {} : { maximum }),
    ...(standard === undefined || standard === false ? {} : { default: standard }),
  };
}
