/** Configuration: flags, environment and the text of a config file become one frozen value. Pure: everything from outside comes
 *  in as an argument. Order of precedence: flag, variable, config file, default. */
import path from 'node:path';
import { ToolError } from './errors.js';
import { defaultLimits, flagOf, keyOf, LIMITS, type Limit, type LimitName, type Limits, OTHER_VARIABLES, variableOf } from './limits.js';
import { LOG_LEVELS, type LogLevel } from './log.js';
import { nearest } from './near.js';
import { testEnvironment } from './test-environment.js';

/** A folder that the operator allows, or why one cannot be used. */
export interface RootChoice {
  /** Absolute; undefined when there is a problem. */
  readonly path: string | undefined;
  readonly problem: string | undefined;
}

export interface Config {
  readonly roots: readonly RootChoice[];
  readonly format: 'text' | 'json';
  readonly tools: readonly string[] | undefined;
  /** The client's session, where it names one: the same in the server and in its hooks. */
  readonly session: string | undefined;
  readonly limits: Limits;
  readonly gates: { readonly mode: GateMode };
  readonly logLevel: LogLevel;
  readonly logFile: string | undefined;
  /** Path of another ripgrep. */
  readonly ripgrep: string | undefined;
  readonly scan: { readonly respectGitignore: boolean; readonly excludeDirs: readonly string[] };
  readonly security: { readonly allowSecrets: boolean; readonly maskSecrets: boolean };
  readonly tests: {
    /** Name -> argv: what the operator allows beside the built-in commands, or in their place. */
    readonly commands: Readonly<Record<string, readonly string[]>>;
    readonly environment: Readonly<Record<string, string>>;
  };
  /** What was passed over, for the log. */
  readonly warnings: readonly string[];
}

/** A flag of the command line. */
export interface Flag {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  readonly doc: string;
}

export type FlagValues = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

const OPERATOR_LIMITS = (Object.keys(LIMITS) as LimitName[]).filter((name) => LIMITS[name].operator);
export const TOOL_GROUPS = ['search', 'tests', 'output'] as const;
export type ToolGroup = (typeof TOOL_GROUPS)[number];
const FORMATS = ['text', 'json'] as const;
export const GATE_MODES = ['advise', 'refuse'] as const;
/** What a search that is too broad is answered: the best that fits, with advice, or a refusal with advice. */
export type GateMode = (typeof GATE_MODES)[number];

/** Flags of every verb, without their dashes. */
export const FLAGS: Readonly<Record<string, Flag>> = {
  root: { type: 'string', multiple: true, doc: 'Folder to search; may be repeated.' },
  'project-root': { type: 'string', multiple: true, doc: 'The same as --root.' },
  config: { type: 'string', doc: 'Config file (JSON).' },
  format: { type: 'string', doc: 'Results as text (default) or json.' },
  json: { type: 'boolean', doc: 'The same as --format json.' },
  'mask-secrets': { type: 'boolean', doc: 'Show a mark in place of keys and tokens in lines (default); --no-mask-secrets shows them.' },
  tools: { type: 'string', doc: `Groups of tools to offer, separated by commas: ${TOOL_GROUPS.join(', ')}.` },
  rg: { type: 'string', doc: 'Another ripgrep program.' },
  'gate-mode': { type: 'string', doc: 'Answer to a search that is too broad: advise (default) or refuse.' },
  debug: { type: 'boolean', doc: 'Log everything to stderr.' },
  'log-level': { type: 'string', doc: `One of ${LOG_LEVELS.join(', ')}; default error.` },
  'log-file': { type: 'string', doc: 'Append the log to this file instead of stderr.' },
  ...Object.fromEntries(
    OPERATOR_LIMITS.map((name) => [
      flagOf(name).slice(2),
      { type: 'string', doc: `${LIMITS[name].doc} (${LIMITS[name].unit}, ${LIMITS[name].def})` } as Flag,
    ]),
  ),
};

/** Environment variables beside those of the limits. */
export const VARIABLES: Readonly<Record<string, string>> = {
  REPO_ROOT: 'Folders to search, joined by the path delimiter of the system; `--root` comes before it.',
  CODE_CONTEXT_GATE_ROOT: 'The same, after the config file.',
  CLAUDE_PROJECT_DIR: 'The same, last before the working directory; Claude Code sets it.',
  RIPSCOPE_CONFIG: 'Config file (JSON).',
  RIPSCOPE_FORMAT: 'text or json.',
  RIPSCOPE_TOOLS: 'Groups of tools to offer.',
  CLAUDE_CODE_SESSION_ID: 'The session whose kept outputs this server searches, and removes when it ends; Claude Code sets it.',
  RIPSCOPE_GATE_MODE: 'advise or refuse.',
  RIPSCOPE_MASK_SECRETS: 'true (default) or false: whether keys and tokens in lines are shown as a mark.',
  RIPSCOPE_RG: 'Another ripgrep program; RG_PATH is read as well.',
  RIPSCOPE_LOG_LEVEL: 'Log level; LARGE_REPO_MCP_LOG_LEVEL is read as well, and LARGE_REPO_MCP_DEBUG=1 means debug.',
  RIPSCOPE_LOG_FILE: 'File to append the log to.',
};

/** Top-level keys of code-context-gate's config files that mean nothing here. */
const FOREIGN_KEYS = ['project', 'projectRoot', 'index', 'cache', 'output', 'ranking', 'languages', 'version', '$schema'];
const FOREIGN_LIMITS = ['maxTokens', 'maxReadLines', 'maxResults'];

/** The numbers of one section of the config file, by the names of their keys. */
function numbersOf(section: 'limits' | 'gates' | 'estimation'): Record<string, { type: string; minimum: number; maximum: number }> {
  const names = OPERATOR_LIMITS.filter((name) => keyOf(name).startsWith(`${section}.`));
  return Object.fromEntries(
    names.map((name) => {
      const { min, max, isFraction }: Limit = LIMITS[name];
      return [keyInSection(name), { type: isFraction === true ? 'number' : 'integer', minimum: min, maximum: max }];
    }),
  );
}

const keyInSection = (name: LimitName): string => keyOf(name).replace(/^\w+\./, '');

/** The config file's schema; `limits` derives from the table. Compiled at build time. */
export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    roots: { type: 'array', items: { type: 'string', minLength: 1 } },
    root: { type: 'string', minLength: 1 },
    format: { type: 'string', enum: FORMATS },
    tools: { type: 'array', items: { type: 'string', enum: TOOL_GROUPS } },
    rg: { type: 'string', minLength: 1 },
    logLevel: { type: 'string', enum: LOG_LEVELS },
    logFile: { type: 'string', minLength: 1 },
    scan: {
      type: 'object',
      properties: {
        respectGitignore: { type: 'boolean' },
        maxFileBytes: { type: 'integer', minimum: LIMITS.maxFileBytes.min, maximum: LIMITS.maxFileBytes.max },
        excludeDirs: { type: 'array', items: { type: 'string', pattern: '^[^/\\\\*?!\\n\\r]+$' } },
      },
      additionalProperties: false,
    },
    security: {
      type: 'object',
      properties: { allowSecrets: { type: 'boolean' }, maskSecrets: { type: 'boolean' } },
      additionalProperties: false,
    },
    tests: {
      type: 'object',
      properties: {
        commands: {
          type: 'object',
          propertyNames: { pattern: '^[a-z][a-z0-9_]{0,39}$' },
          additionalProperties: {
            type: 'array',
            items: { type: 'string', minLength: 1, maxLength: 4_096, pattern: '^[^\\u0000]*$' },
            minItems: 1,
            maxItems: 100,
          },
        },
        env: { type: 'array', items: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]*$' } },
      },
      additionalProperties: false,
    },
    limits: {
      type: 'object',
      properties: numbersOf('limits'),
      additionalProperties: false,
    },
    gates: {
      type: 'object',
      properties: { mode: { type: 'string', enum: GATE_MODES }, ...numbersOf('gates') },
      additionalProperties: false,
    },
    estimation: { type: 'object', properties: numbersOf('estimation'), additionalProperties: false },
  },
  additionalProperties: false,
} as const;

export interface FileConfig {
  readonly roots?: readonly string[];
  readonly root?: string;
  readonly format?: 'text' | 'json';
  readonly tools?: readonly string[];
  readonly rg?: string;
  readonly logLevel?: LogLevel;
  readonly logFile?: string;
  readonly scan?: { readonly respectGitignore?: boolean; readonly excludeDirs?: readonly string[]; readonly maxFileBytes?: number };
  readonly security?: { readonly allowSecrets?: boolean; readonly maskSecrets?: boolean };
  readonly tests?: { readonly commands?: Readonly<Record<string, readonly string[]>>; readonly env?: readonly string[] };
  readonly limits?: Partial<Record<LimitName, number>>;
  readonly gates?: { readonly mode?: GateMode } & Readonly<Record<string, string | number>>;
  readonly estimation?: Readonly<Record<string, number>>;
}

export interface Surroundings {
  readonly flags: FlagValues;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
  readonly file: FileConfig;
  readonly warnings: readonly string[];
}

const invalid = (message: string): never => {
  throw new ToolError('config_invalid', message);
};

interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

type Validator = ((value: unknown) => boolean) & { errors?: readonly SchemaError[] | null };

/** The text of a config file as a checked value.
 *  @throws ToolError config_invalid naming the key */
export function parseConfigFile(text: string, name: string, validate: Validator): { file: FileConfig; warnings: string[] } {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return invalid(`The config file ${name} is not JSON: ${(error as Error).message}.`);
  }
  const warnings: string[] = [];
  const drop = (holder: unknown, keys: readonly string[], prefix: string): void => {
    if (typeof holder !== 'object' || holder === null) return;
    for (const key of keys) {
      if (!Object.hasOwn(holder, key)) continue;
      delete (holder as Record<string, unknown>)[key];
      warnings.push(`The config key ${prefix}${key} of ${name} means nothing here and was passed over.`);
    }
  };
  drop(value, FOREIGN_KEYS, '');
  drop((value as { limits?: unknown } | null)?.limits, FOREIGN_LIMITS, 'limits.');
  if (validate(value)) return { file: value as FileConfig, warnings };
  const [error] = validate.errors ?? [];
  return invalid(`The config file ${name}: ${error === undefined ? 'invalid' : configReason(error)}.`);
}

function configReason({ instancePath, keyword, params, message }: SchemaError): string {
  const at = instancePath.slice(1).replaceAll('/', '.');
  if (keyword !== 'additionalProperties')
    return `${at || 'it'} ${message}${Array.isArray(params.allowedValues) ? `: ${params.allowedValues.join(', ')}` : ''}`;
  const key = String(params.additionalProperty);
  const holder =
    at === '' ? CONFIG_SCHEMA : CONFIG_SCHEMA.properties[at as 'limits' | 'gates' | 'estimation' | 'scan' | 'security' | 'tests'];
  const [near] = nearest(key, Object.keys(holder?.properties ?? {}), 1);
  return `unknown key ${at === '' ? '' : `${at}.`}${key}${near === undefined ? '' : `; did you mean ${near}?`}`;
}

/** @throws ToolError config_invalid naming the flag, variable or key and what it takes */
export function resolveConfig(from: Surroundings): Config {
  const { flags, env, file } = from;
  const text = (flag: string, ...variables: string[]): string | undefined => {
    const value = flags[flag];
    if (typeof value === 'string') return value;
    return variables.map((name) => env[name]).find((candidate) => candidate !== undefined && candidate !== '');
  };
  const oneOf = <T extends string>(value: string | undefined, allowed: readonly T[], name: string): T | undefined => {
    if (value === undefined) return undefined;
    return allowed.find((candidate) => candidate === value) ?? invalid(`${name} is "${value}"; it takes ${allowed.join(', ')}.`);
  };
  const debugVariable = env.LARGE_REPO_MCP_DEBUG === '1' ? 'debug' : undefined;
  const level = oneOf(text('log-level', 'RIPSCOPE_LOG_LEVEL', 'LARGE_REPO_MCP_LOG_LEVEL'), LOG_LEVELS, 'The log level');
  const format = flags.json === true ? 'json' : oneOf(text('format', 'RIPSCOPE_FORMAT'), FORMATS, 'The format');
  const mode = oneOf(text('gate-mode', 'RIPSCOPE_GATE_MODE'), GATE_MODES, 'The mode of the gate');
  const maskVariable = oneOf(text('', 'RIPSCOPE_MASK_SECRETS'), ['true', 'false', '1', '0'] as const, 'RIPSCOPE_MASK_SECRETS');
  const maskFlag = flags['mask-secrets'];
  const masks = typeof maskFlag === 'boolean' ? maskFlag : maskVariable === undefined ? undefined : /^(?:true|1)$/.test(maskVariable);
  const groups = text('tools', 'RIPSCOPE_TOOLS')
    ?.split(',')
    .map((name) => oneOf(name.trim(), TOOL_GROUPS, 'A tool group') ?? '');
  return Object.freeze({
    roots: resolveRoots(from),
    format: format ?? file.format ?? 'text',
    tools: groups ?? file.tools,
    session: (env.CLAUDE_CODE_SESSION_ID ?? '') === '' ? undefined : env.CLAUDE_CODE_SESSION_ID,
    limits: Object.freeze(resolveLimits(from)),
    gates: { mode: mode ?? file.gates?.mode ?? 'advise' },
    logLevel: flags.debug === true ? 'debug' : (level ?? debugVariable ?? file.logLevel ?? 'error'),
    logFile: text('log-file', 'RIPSCOPE_LOG_FILE') ?? file.logFile,
    ripgrep: text('rg', 'RIPSCOPE_RG', 'RG_PATH') ?? file.rg,
    scan: { respectGitignore: file.scan?.respectGitignore ?? true, excludeDirs: file.scan?.excludeDirs ?? [] },
    security: { allowSecrets: file.security?.allowSecrets ?? false, maskSecrets: masks ?? file.security?.maskSecrets ?? true },
    tests: { commands: file.tests?.commands ?? {}, environment: testEnvironment(env, file.tests?.env ?? []) },
    warnings: from.warnings,
  });
}

function resolveLimits({ flags, env, file }: Surroundings): Limits {
  const limits = defaultLimits();
  for (const name of OPERATOR_LIMITS) {
    const { min, max, unit, isFraction }: Limit = LIMITS[name];
    const flag = flags[flagOf(name).slice(2)];
    const [first, other = first] = [variableOf(name), OTHER_VARIABLES[name]];
    const variable = (env[first] ?? '') === '' ? other : first;
    const [source, given] = typeof flag === 'string' ? [flagOf(name), flag] : [variable, env[variable]];
    if (given === undefined || (source !== flagOf(name) && given === '')) {
      limits[name] = fromFile(file, name) ?? (name === 'maxFileBytes' ? file.scan?.maxFileBytes : undefined) ?? limits[name];
      continue;
    }
    const value = given.trim() === '' ? Number.NaN : Number(given);
    const isOfKind = isFraction === true ? Number.isFinite(value) : Number.isInteger(value);
    if (!isOfKind || value < min || value > max) {
      const kind = isFraction === true ? 'a number' : `a whole number of ${unit}`;
      invalid(`${source} is "${given}"; it takes ${kind} from ${min} to ${max}.`);
    }
    limits[name] = value;
  }
  return limits;
}

function fromFile(file: FileConfig, name: LimitName): number | undefined {
  const section = file[keyOf(name).split('.')[0] as 'limits' | 'gates' | 'estimation'] as Readonly<Record<string, unknown>> | undefined;
  return section?.[keyInSection(name)] as number | undefined;
}

/** The first source that names roots wins; a root that came only from the working directory may not be / or the home folder. */
function resolveRoots({ flags, env, cwd, home, file }: Surroundings): RootChoice[] {
  const given = [flags.root, flags['project-root']].flat().filter((value) => typeof value === 'string');
  const variable = (name: string): string[] => (env[name] ?? '').split(path.delimiter).filter((value) => value !== '');
  const sources: [name: string, values: readonly string[]][] = [
    ['--root', given],
    ['REPO_ROOT', variable('REPO_ROOT')],
    ['the config file', file.roots ?? (file.root === undefined ? [] : [file.root])],
    ['CODE_CONTEXT_GATE_ROOT', variable('CODE_CONTEXT_GATE_ROOT')],
    ['CLAUDE_PROJECT_DIR', variable('CLAUDE_PROJECT_DIR')],
  ];
  const [name, values] = sources.find(([, found]) => found.length > 0) ?? ['the working directory', []];
  if (values.length > 0) return values.map((value) => explicitRoot(value, name, cwd, home));
  if (path.resolve(cwd) === path.parse(path.resolve(cwd)).root || path.resolve(cwd) === path.resolve(home)) {
    return [{ path: undefined, problem: `No root is set, and the working directory (${cwd}) is too wide to search by accident.` }];
  }
  return [{ path: path.resolve(cwd), problem: undefined }];
}

function explicitRoot(value: string, source: string, cwd: string, home: string): RootChoice {
  if (value.trim() === '') return { path: undefined, problem: `${source} is empty.` };
  if (/\$\{.*\}/.test(value)) {
    return { path: undefined, problem: `${source} is "${value}": the client did not replace the variable. Write the folder's full path.` };
  }
  const expanded = value === '~' || /^~[\\/]/.test(value) ? path.join(home, value.slice(1)) : value;
  return { path: path.resolve(cwd, expanded), problem: undefined };
}
