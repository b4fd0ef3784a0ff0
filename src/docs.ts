/** Writes the parts of docs/ that derive from tables: limits.md, errors.md, tools.md. Run by `npm run docs`; a test fails when the
 *  files on disk differ from what the tables say. */
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { FLAGS, VARIABLES } from './base/config.js';
import { ERRORS } from './base/errors.js';
import { flagOf, keyOf, LIMITS, type Limit, type LimitName, variableOf } from './base/limits.js';
import { TOOLS } from './tools/registry.js';

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`).join('\n');

const SAMPLE = {
  roots: ['/srv/repository'],
  format: 'text',
  logLevel: 'info',
  logFile: '/var/log/ripscope.log',
  scan: { respectGitignore: true, excludeDirs: ['third_party'], maxFileBytes: 1_048_576 },
  security: { allowSecrets: false, maskSecrets: true },
  tests: { commands: { unit: ['npm', 'run', 'test:unit', '--', '{path}'] }, env: ['DATABASE_URL'] },
  limits: { deadlineMs: 30_000, maxChars: 8_000 },
  gates: { mode: 'refuse', maxFiles: 40 },
};

function limitsPage(): string {
  const rows = Object.entries(LIMITS) as [LimitName, Limit][];
  const limitFlags = new Set(rows.map(([name]) => flagOf(name).slice(2)));
  const operator = rows
    .filter(([, limit]) => limit.operator)
    .map(([name, { def, min, max, unit, doc }]) => [
      `\`${flagOf(name)}\``,
      `\`${variableOf(name)}\``,
      `\`${keyOf(name)}\``,
      `${def}`,
      `${min}-${max}`,
      unit,
      doc,
    ]);
  const others = rows
    .filter(([, limit]) => !limit.operator)
    .map(([name, { def, min, max, unit, doc }]) => [name, `${def}`, `${min}-${max}`, unit, doc]);
  return [
    '# Limits, flags, variables and the config file',
    '',
    'Written by `npm run docs` from `src/base/limits.ts` and `src/base/config.ts`.',
    '',
    '## Set by the operator',
    '',
    'By flag, environment variable or config key, in this order of precedence.',
    '',
    table(['flag', 'variable', 'config key', 'default', 'range', 'unit', 'what it bounds'], operator),
    '',
    '## Other flags and variables',
    '',
    table(
      ['flag', 'what it does'],
      Object.entries(FLAGS)
        .filter(([name]) => !limitFlags.has(name))
        .map(([name, { doc }]) => [`\`--${name}\``, doc]),
    ),
    '',
    table(
      ['variable', 'what it does'],
      Object.entries(VARIABLES).map(([name, doc]) => [`\`${name}\``, doc]),
    ),
    '',
    '## Config file',
    '',
    'JSON, named by `--config` or `RIPSCOPE_CONFIG`. All keys are optional; an unknown one is an error that names the near one.',
    '',
    '```json',
    JSON.stringify(SAMPLE, undefined, 2),
    '```',
    '',
    '## Set per call, or fixed',
    '',
    table(['name', 'default', 'range', 'unit', 'what it bounds'], others),
    '',
  ].join('\n');
}

function errorsPage(): string {
  return [
    '# Errors',
    '',
    'Written by `npm run docs` from `src/base/errors.ts`. A tool that cannot do what was asked answers a result with `isError` and the text',
    '`code: what is wrong` with the repair on the next line; with `--format json` it is `{"error": {"code", "message", "hint"}}`.',
    '',
    table(
      ['code', 'meaning', 'repair'],
      Object.entries(ERRORS).map(([code, { doc, hint }]) => [`\`${code}\``, doc, hint]),
    ),
    '',
  ].join('\n');
}

function toolsPage(): string {
  const sections = TOOLS.flatMap((tool) => [
    `## ${tool.name}`,
    '',
    tool.description,
    '',
    table(
      ['argument', 'type', 'default', 'range', 'what it does'],
      Object.entries(tool.input.properties).map(([name, property]) => [
        `\`${name}\`${tool.input.required?.includes(name) ? ' (required)' : ''}`,
        property.enum?.join(', ') ?? (property.type === 'array' ? 'list of texts' : property.type),
        property.default === undefined ? '' : String(property.default),
        property.minimum === undefined ? '' : `${property.minimum}-${property.maximum}`,
        property.description,
      ]),
    ),
    '',
  ]);
  return [
    '# Tools',
    '',
    'Written by `npm run docs` from the tools in `src/tools/`. Paths are relative to the root, with forward slashes.',
    '',
    ...sections,
  ].join('\n');
}

/** File name below docs/ -> its text. */
export const PAGES: Readonly<Record<string, () => string>> = { 'limits.md': limitsPage, 'errors.md': errorsPage, 'tools.md': toolsPage };

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [name, page] of Object.entries(PAGES)) writeFileSync(new URL(`../docs/${name}`, import.meta.url), page());
}
