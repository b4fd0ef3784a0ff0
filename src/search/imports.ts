/** From what an import says to the file it means, by the rules of each language; only what exists below the root counts. */
import type { LanguageName } from '../code/language.js';
import type { Import } from '../code/structure.js';
import type { Root } from '../security/root.js';
import { readSmallFile } from '../security/tree.js';

export interface ResolvedImport {
  readonly import: Import;
  /** A file below the root, or a folder where the language imports folders; undefined for what comes from outside. */
  readonly path: string | undefined;
}

const SCRIPT_ENDINGS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.d.ts', '.json', '.vue', '.svelte'];
const SCRIPT_INDEX = ['index.ts', 'index.tsx', 'index.js', 'index.mjs', 'index.cjs', 'index.d.ts'];
const MOST_GO_MOD = 65_536;

/** Resolves imports of files of one root; remembers what it asked the file system. */
export class ImportResolver {
  readonly #root: Root;
  readonly #known = new Map<string, Promise<'file' | 'folder' | undefined>>();
  #goModule: Promise<string | undefined> | undefined;

  constructor(root: Root) {
    this.#root = root;
  }

  /** @param from the file that imports */
  async resolve(from: string, language: LanguageName | undefined, one: Import): Promise<ResolvedImport> {
    for await (const candidate of this.#candidates(from, language, one)) {
      if (candidate === undefined || candidate.startsWith('..')) continue;
      const kind = await this.#kindOf(candidate);
      if (kind === 'file' || (kind === 'folder' && language === 'go')) return { import: one, path: candidate };
    }
    return { import: one, path: undefined };
  }

  async *#candidates(from: string, language: LanguageName | undefined, one: Import): AsyncGenerator<string | undefined> {
    const folder = folderOf(from);
    switch (language) {
      case 'typescript':
      case 'tsx':
      case 'javascript':
        if (one.isRelative) yield* scriptFiles(join(folder, one.module));
        break;
      case 'python':
        yield* pythonFiles(folder, one);
        break;
      case 'go': {
        const module = await this.#moduleOfGo();
        if (one.isRelative) yield join(folder, one.module);
        else if (module !== undefined && one.module === module) yield '';
        else if (module !== undefined && one.module.startsWith(`${module}/`)) yield one.module.slice(module.length + 1);
        break;
      }
      case 'rust':
        yield* rustFiles(from, one);
        break;
      case 'java':
        yield* javaFiles(folder, one);
        break;
      case 'c':
      case 'cpp':
        if (one.isRelative) yield join(folder, one.module);
        for (const base of ['include', '', 'src']) yield join(base, one.module);
        for (const above of foldersAbove(folder)) yield join(above, `include/${one.module}`);
        break;
      case 'ruby':
        if (one.isRelative) yield* withEndings(join(folder, one.module), ['.rb', '']);
        else for (const base of ['lib', '', 'app']) yield* withEndings(join(base, one.module), ['.rb', '']);
        break;
      case 'php':
      case 'bash':
        yield join(folder, one.module.replace(/^\//, ''));
        yield join('', one.module);
        break;
      default:
        break;
    }
  }

  #kindOf(path: string): Promise<'file' | 'folder' | undefined> {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    const asked = this.#root.resolve(path === '' ? '.' : path, { offersNames: false }).then(
      ({ kind, relative }) => (relative === path ? kind : undefined),
      () => undefined, // it does not exist, or lies outside: then it is not what the import means
    );
    this.#known.set(path, asked);
    return asked;
  }

  #moduleOfGo(): Promise<string | undefined> {
    this.#goModule ??= readSmallFile(this.#root, 'go.mod', MOST_GO_MOD).then((file) =>
      file.kind === 'text' ? /^module\s+(\S+)/m.exec(file.text)?.[1] : undefined,
    );
    return this.#goModule;
  }
}

export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Folder and relative path joined; undefined when it leads above the root. */
function join(folder: string, relative: string): string | undefined {
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of relative.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

function* foldersAbove(folder: string): Generator<string> {
  for (let at = folder; at !== ''; at = folderOf(at)) yield at;
}

function* withEndings(path: string | undefined, endings: readonly string[]): Generator<string> {
  if (path !== undefined) for (const ending of endings) yield path + ending;
}

function* scriptFiles(path: string | undefined): Generator<string> {
  if (path === undefined) return;
  // TypeScript names the file that will be built: ./x.js means ./x.ts.
  const built = /\.([mc]?)jsx?$/.exec(path);
  if (built !== null) yield* withEndings(path.slice(0, built.index), [`.${built[1]}ts`, '.tsx', `.d.${built[1]}ts`]);
  yield path;
  yield* withEndings(path, SCRIPT_ENDINGS);
  for (const index of SCRIPT_INDEX) yield `${path}/${index}`;
}

function* pythonFiles(folder: string, { module, isRelative, names }: Import): Generator<string | undefined> {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const rest = module.slice(dots).replaceAll('.', '/');
  const bases = isRelative ? [join(folder, '../'.repeat(Math.max(0, dots - 1)))] : ['', 'src', 'lib', ...foldersAbove(folder)];
  for (const base of bases) {
    if (base === undefined) continue;
    const path = join(base, rest) ?? '';
    // `from . import x` and `from a import b` may name a module.
    const [only] = names;
    if (only !== undefined && names.length === 1 && only.name !== '*')
      yield* withEndings(join(path, only.name), ['.py', '/__init__.py', '.pyi']);
    if (path !== '' && rest !== '') yield* withEndings(path, ['.py', '/__init__.py', '.pyi']);
    else if (isRelative) yield join(path, '__init__.py');
  }
}

function* rustFiles(from: string, { module, kind, names }: Import): Generator<string | undefined> {
  const folder = folderOf(from);
  const base = from.slice(from.lastIndexOf('/') + 1);
  // The modules of a file lie beside it if it stands for its folder, else in a folder of its name.
  const own = /^(?:mod|lib|main)\.rs$/.test(base) ? folder : from.replace(/\.rs$/, '');
  if (kind === 'module') {
    yield* withEndings(join(own, module), ['.rs', '/mod.rs']);
    return;
  }
  const parts = module.split('::');
  let start: string | undefined = own;
  if (parts[0] === 'crate') {
    parts.shift();
    start = /^(.*?)src(?:\/|$)/.exec(`${folder}/`)?.[1];
    start = start === undefined ? folder : `${start}src`;
  } else if (parts[0] === 'self') parts.shift();
  else if (parts[0] === 'super') {
    while (parts[0] === 'super') {
      parts.shift();
      start = start === undefined ? undefined : folderOf(start);
    }
  } else return;
  const last = names.length === 1 && names[0]?.name !== '*' ? [names[0]?.name ?? ''] : [];
  for (const path of [[...parts, ...last], parts, parts.slice(0, -1)]) {
    if (path.length > 0) yield* withEndings(join(start ?? '', path.join('/')), ['.rs', '/mod.rs']);
  }
  yield* withEndings(start === '' ? undefined : start, ['.rs', '/mod.rs', '/lib.rs']);
}

function* javaFiles(folder: string, { module, names }: Import): Generator<string | undefined> {
  const [only] = names;
  const whole = only === undefined || only.name === '*' || module.endsWith(`.${only.name}`) ? module : `${module}.${only.name}`;
  const parts = whole.replace(/\.\*$/, '').split('.');
  // The source root is where the file's own package starts, or one that Maven and Gradle know.
  const roots = [...foldersAbove(folder), '', 'src/main/java', 'src/test/java', 'src'];
  for (const size of [parts.length, parts.length - 1]) {
    if (size <= 0) continue;
    const file = `${parts.slice(0, size).join('/')}.java`;
    for (const root of roots) yield join(root, file);
  }
}
