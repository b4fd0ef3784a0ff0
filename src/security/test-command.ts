/** The allowlist: which commands may run tests, where, and with which arguments. Always argv arrays, never a line for a shell. A
 *  client chooses a name and a confined path; only the operator's config file adds names. */
import path from 'node:path';
import { showJson, showPath } from '../base/display.js';
import { ToolError } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import { nearest } from '../base/near.js';
import { findProgram, isProgram, type Program } from './program.js';
import type { ConfinedPath, Root } from './root.js';
import { readSmallFile } from './tree.js';

/** What is started for one call. */
export interface TestStart {
  /** Name in the allowlist. */
  readonly command: string;
  readonly file: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Facts for the reply. */
  readonly notes: readonly string[];
}

export interface TestCommandOptions {
  /** Name -> argv, from the config file; `{path}` stands for the path of a call. */
  readonly commands: Readonly<Record<string, readonly string[]>>;
  readonly environment: Readonly<Record<string, string>>;
}

/** A path as the runner gets it. */
interface Target {
  /** Relative to the project's folder, forward slashes; '' is that folder. */
  readonly path: string;
  readonly kind: 'file' | 'folder';
}

interface BuiltIn {
  readonly program: string;
  /** A file that tells where the project is: in the folder of the path or the nearest one above, up to the root. */
  readonly marker?: string;
  /** Why the marker is not enough, if it is not. */
  check?(text: string): string | undefined;
  args(target: Target | undefined): { readonly args: readonly string[]; readonly note?: string };
}

/** A name that begins with a dash must not be taken for a flag, nor one with an at sign for a file of arguments (pytest). */
const asArgument = (target: string): string => (target === '' ? '.' : /^[-@]/.test(target) ? `./${target}` : target);
const behind =
  (...args: readonly string[]) =>
  (target: Target | undefined) => ({
    args: target === undefined ? args.filter((arg) => arg !== '--') : [...args, asArgument(target.path)],
  });

const script = (program: string, ...args: readonly string[]): BuiltIn => ({
  program,
  marker: 'package.json',
  check: (text) => (scriptOf(text) === undefined ? 'has no script "test"' : undefined),
  args: behind(...args),
});

export const BUILT_IN: Readonly<Record<string, BuiltIn>> = {
  npm_test: script('npm', 'test', '--'),
  pnpm_test: script('pnpm', 'test'),
  yarn_test: script('yarn', 'test'),
  node_test: { program: 'node', args: (target) => ({ args: ['--test', ...nodePatterns(target)] }) },
  pytest: { program: 'pytest', args: behind('-q') },
  go_test: { program: 'go', marker: 'go.mod', args: goArguments },
  cargo_test: { program: 'cargo', marker: 'Cargo.toml', args: cargoArguments },
};

/** What Node itself looks for without arguments, below a folder. */
const NODE_PATTERNS = ['*.test', '*-test', '*_test', 'test-*', 'test', 'test/**/*'].map((name) => `**/${name}.?(c|m)js`);
/** From here on Node takes patterns instead of folders. */
const NODE_WITH_PATTERNS = 21;

function nodePatterns(target: Target | undefined, version = Number(process.versions.node.split('.')[0])): string[] {
  if (target === undefined || target.path === '') return [];
  if (target.kind === 'file' || version < NODE_WITH_PATTERNS) return [asArgument(target.path)];
  const isTestFolder = target.path.split('/').includes('test');
  return (isTestFolder ? ['**/*.?(c|m)js'] : NODE_PATTERNS).map((pattern) => `${asArgument(target.path)}/${pattern}`);
}

/** Go runs packages, which are folders. */
function goArguments(target: Target | undefined): { args: string[]; note?: string } {
  if (target === undefined || (target.kind === 'folder' && target.path === '')) return { args: ['test', './...'] };
  if (target.kind === 'folder') return { args: ['test', `./${target.path}/...`] };
  const folder = path.posix.dirname(target.path);
  return { args: ['test', folder === '.' ? '.' : `./${folder}`], note: `go runs whole packages: this is the package of ${target.path}` };
}

/** Cargo runs test programs, and in them names that contain a text. */
function cargoArguments(target: Target | undefined): { args: string[]; note?: string } {
  const all = ['test', '--no-fail-fast'];
  if (target === undefined || (target.kind === 'folder' && target.path === '')) return { args: all };
  const program = /^tests\/([^/]+)\.rs$/.exec(target.path)?.[1] ?? /^tests\/([^/]+)(?:\/main\.rs)?$/.exec(target.path)?.[1];
  if (program !== undefined) return { args: [...all, ...(program.startsWith('-') ? [`--test=${program}`] : ['--test', program])] };
  const module =
    /^src\/(.+?)(?:\/mod)?\.rs$/.exec(target.path)?.[1] ?? (target.kind === 'folder' ? /^src\/(.+)$/.exec(target.path)?.[1] : undefined);
  // No module of Rust begins with a dash; a filter that does would be a flag of cargo, or behind "--" of the test program.
  if (module?.startsWith('-') === true) throw unusable(target.path);
  if (module !== undefined && module !== 'lib' && module !== 'main') {
    const name = `${module.replaceAll('/', '::')}::`;
    return { args: [...all, name], note: `cargo runs the tests whose names contain ${name}` };
  }
  if (target.path === 'src' || target.path === 'tests' || module !== undefined)
    return { args: all, note: 'cargo runs all tests of the package' };
  throw unusable(target.path);
}

const unusable = (target: string): ToolError =>
  new ToolError('test_path_unusable', `cargo_test cannot be narrowed to ${showJson(target)}.`, {
    hint: 'Name a folder with a Cargo.toml, tests/NAME.rs, or a module below src; or leave path out.',
  });

export class TestCommands {
  readonly #options: TestCommandOptions;

  constructor(options: TestCommandOptions) {
    this.#options = options;
  }

  get names(): string[] {
    return [...new Set([...Object.keys(BUILT_IN), ...Object.keys(this.#options.commands)])];
  }

  /** @throws ToolError test_command_unknown, test_project_missing, test_program_missing, test_path_unusable, and those of Root.resolve */
  async prepare(name: string, root: Root, given: string | undefined): Promise<TestStart> {
    const own = Object.hasOwn(this.#options.commands, name) ? this.#options.commands[name] : undefined;
    const builtIn = Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name] : undefined;
    if (own === undefined && builtIn === undefined) throw this.#unknown(name);
    const target = given === undefined ? undefined : await root.resolve(given);
    if (own !== undefined) return this.#prepareOwn(name, own, root, target);
    if (builtIn === undefined) throw this.#unknown(name);
    const folder = builtIn.marker === undefined ? '' : await projectFolder(name, builtIn, builtIn.marker, root, target);
    const within = target === undefined ? undefined : { path: path.posix.relative(folder, target.relative), kind: target.kind };
    const { args, note } = builtIn.args(within);
    const cwd = path.join(root.path, folder);
    const program = this.#find(name, builtIn.program, cwd);
    return {
      command: name,
      file: program.file,
      args: [...program.args, ...args],
      cwd,
      env: this.#options.environment,
      notes: [...(folder === '' ? [] : [`run in ${showPath(folder)}`]), ...(note === undefined ? [] : [note])],
    };
  }

  #prepareOwn(name: string, argv: readonly string[], root: Root, target: ConfinedPath | undefined): TestStart {
    const [first = '', ...rest] = argv;
    if (target !== undefined && !rest.includes('{path}'))
      throw new ToolError('test_path_unusable', `The operator's command ${name} takes no path.`, { hint: 'Leave path out.' });
    const args = rest.flatMap((arg) => (arg !== '{path}' ? [arg] : target === undefined ? [] : [asArgument(target.relative)]));
    // A program given with a slash lies in the project.
    const program = this.#find(name, /[\\/]/.test(first) ? path.resolve(root.path, first) : first, root.path);
    return {
      command: name,
      file: program.file,
      args: [...program.args, ...args],
      cwd: root.path,
      env: this.#options.environment,
      notes: [],
    };
  }

  #unknown(name: string): ToolError {
    const [near] = nearest(name, this.names, 1);
    return new ToolError(
      'test_command_unknown',
      `${showJson(name)} is not a test command.${near === undefined ? '' : ` Did you mean "${near}"?`}`,
      {
        hint: `The commands are ${this.names.join(', ')}; the operator adds others with tests.commands in the config file.`,
      },
    );
  }

  /** @throws ToolError test_program_missing */
  #find(name: string, program: string, cwd: string): Program {
    // The Node that runs this server is there for certain, and its version is known.
    if (program === 'node') return { file: process.execPath, args: [] };
    const bin = process.platform === 'win32' ? 'Scripts' : 'bin';
    const found = findProgram(program, {
      platform: process.platform,
      path: this.#options.environment.PATH ?? this.#options.environment.Path ?? '',
      first: program === 'pytest' ? ['.venv', 'venv'].map((folder) => path.join(cwd, folder, bin)) : [],
      node: process.execPath,
      isProgram,
    });
    if (found !== undefined) return found;
    throw new ToolError(
      'test_program_missing',
      `${name} needs the program "${path.basename(program)}", which the server does not find on its PATH.`,
    );
  }
}

/** The folder of the project that a path belongs to, relative to the root.
 *  @throws ToolError test_project_missing */
async function projectFolder(
  name: string,
  command: BuiltIn,
  marker: string,
  root: Root,
  target: ConfinedPath | undefined,
): Promise<string> {
  const start = target === undefined ? '' : target.kind === 'folder' ? target.relative : path.posix.dirname(target.relative);
  let wrong: string | undefined;
  for (let folder = start === '.' ? '' : start; ; folder = path.posix.dirname(folder) === '.' ? '' : path.posix.dirname(folder)) {
    const file = path.posix.join(folder, marker);
    // Whoever wrote the repository may have put a pipe, a device or a link to elsewhere in its place.
    const found = await readSmallFile(root, file, LIMITS.projectFileBytes.def);
    if (found.kind === 'text') {
      const lack = command.check?.(found.text);
      if (lack === undefined) return folder;
      wrong ??= `${showPath(file)} ${lack}`;
    } else if (found.kind === 'unusable') wrong ??= `${showPath(file)} ${found.why}`;
    if (folder === '') break;
  }
  const script = command.check === undefined ? '' : ' with a script "test"';
  throw new ToolError('test_project_missing', `${name} needs ${marker}${script}; ${wrong ?? `${marker} is not there`}.`);
}

/** The script that `npm test` runs; undefined where there is none, or npm's own placeholder. */
function scriptOf(text: string): string | undefined {
  try {
    const test = (JSON.parse(text.replace(/^\uFEFF/, '')) as { scripts?: { test?: unknown } } | null)?.scripts?.test;
    return typeof test === 'string' && !test.includes('Error: no test specified') ? test : undefined;
  } catch {
    return undefined; // not JSON: npm could not read it either
  }
}
