/** Second half of the build: compiles the JSON Schemas (2020-12) of all tools and of the config file into plain code, which
 *  makes starting cheap. Writes dist/base/validators.js. */
import { writeFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { CONFIG_SCHEMA } from './base/config.js';
import { TOOLS } from './tools/registry.js';

const arguments_ = new Ajv2020({ coerceTypes: 'array', allErrors: true, verbose: false, code: { source: true, esm: true } });
const config = new Ajv2020({ allErrors: false, code: { source: true, esm: true } });

const names = TOOLS.map((tool) => tool.name);
for (const tool of TOOLS) arguments_.addSchema({ ...tool.input, $id: tool.name });
config.addSchema({ ...CONFIG_SCHEMA, $id: 'config' });

const generate = (standalone as unknown as { default: (ajv: Ajv2020, refs: Record<string, string>) => string }).default;
const code = [
  "import { createRequire } from 'node:module';",
  'const require = createRequire(import.meta.url);',
  ...[generate(arguments_, Object.fromEntries(names.map((name) => [name, name]))), generate(config, { config: 'config' })].map(
    (part, index) =>
      // Two modules in one: the helper names of the second must not meet those of the first.
      `const part${index} = (() => { ${part
        .replace(/^"use strict";/, '')
        .replace(/export const (\w+) = /g, 'exported.$1 = ')
        .replace(/^/, 'const exported = {}; ')}; return exported; })();`,
  ),
  'export const validators = { ...part0, ...part1 };',
];
writeFileSync(new URL('./base/validators.js', import.meta.url), `${code.join('\n')}\n`);
