/** The one owner of tree-sitter: its WebAssembly runtime, its grammars and its only parser. Nothing is loaded before the first
 *  parse. A tree lives only while its nodes are visited and is freed before `visit` returns. When the runtime aborts or its memory
 *  is half used up (WebAssembly memory never shrinks) it is thrown away, and the next parse starts a new one. */
import { createRequire } from 'node:module';
import type * as TreeSitter from '@vscode/tree-sitter-wasm';
import type { FallbackReason } from './structure.js';

export type SyntaxNode = TreeSitter.Node;
type Library = typeof TreeSitter;

const PACKAGE = '@vscode/tree-sitter-wasm';
const { resolve } = createRequire(import.meta.url);

/** A fresh copy of the library: it keeps its runtime in a module variable, so that a new runtime needs a new module. A `require`
 *  remembers all it ever loaded, so that the old copy is garbage only together with the `require` that loaded it. */
function loadLibrary(): Library {
  const require = createRequire(import.meta.url);
  delete require.cache[require.resolve(PACKAGE)];
  const library = require(PACKAGE) as Library;
  delete require.cache[require.resolve(PACKAGE)];
  return library;
}

/** The part of WebAssembly that is used; its types come only with those of browsers. */
interface WasmMemory {
  readonly buffer: ArrayBuffer;
}
declare const WebAssembly: { readonly Memory: new (pages: { initial: number; maximum: number }) => WasmMemory };

/** What to look for in a text. */
export interface Visit {
  /** File name of the grammar, as in `tree-sitter-go.wasm`. */
  readonly grammar: string;
  /** Node types; `visitor` gets the index of the one that was met. */
  readonly types: readonly string[];
  /** Time for parsing and finding, without loading. */
  readonly parseMs: number;
  readonly signal?: AbortSignal | undefined;
}

export type Visited =
  | { readonly kind: 'visited'; readonly hasErrors: boolean }
  | { readonly kind: 'failed'; readonly reason: FallbackReason };

/** What emscripten starts the runtime with. Its own memory could grow to 2 GiB, and some texts make the parser fill that in
 *  seconds, without a call of the progress callback: a bound on memory is what stops these. */
interface ModuleOptions {
  readonly wasmMemory: WasmMemory;
  locateFile(file: string): string;
  print(): void;
  printErr(): void;
}

interface Runtime {
  readonly library: Library;
  readonly parser: TreeSitter.Parser;
  readonly module: ModuleOptions;
  readonly languages: Map<string, Promise<TreeSitter.Language>>;
  readonly queries: Map<string, TreeSitter.Query>;
}

/** After so many failures to start, or to load a grammar, in a row the parser is given up. */
const MAX_FAILURES = 3;
/** Memory that the library asks for at its start. */
const INITIAL_MIB = 32;
const PAGES_PER_MIB = 16;

export class SyntaxParser {
  readonly #load: () => Library;
  readonly #maxMemoryMiB: number;
  #runtime: Promise<Runtime> | undefined;
  #failures = 0;
  #failure: string | undefined;

  /** @param maxMemoryMiB memory that the runtime may have
   *  @param load gives a library that was never started */
  constructor(maxMemoryMiB: number, load: () => Library = loadLibrary) {
    this.#maxMemoryMiB = maxMemoryMiB;
    this.#load = load;
  }

  /** Why the last parse failed, for a log; undefined when none did. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** MiB that the runtime holds now; 0 before the first parse. */
  async memoryMiB(): Promise<number> {
    const runtime = await this.#runtime;
    return runtime === undefined ? 0 : memoryOf(runtime);
  }

  /** Parses and calls `visitor` for each node of the types, outer before inner, in the order of the text. The nodes are dead
   *  when this returns. Blocks the event loop for at most about `parseMs`. Errors of `visitor` pass through. */
  async visit(text: string, wanted: Visit, visitor: (type: number, node: SyntaxNode) => void): Promise<Visited> {
    if (this.#failures >= MAX_FAILURES) return { kind: 'failed', reason: 'parser-failed' };
    let runtime: Runtime;
    let query: TreeSitter.Query;
    try {
      this.#runtime ??= start(this.#load(), this.#maxMemoryMiB);
      runtime = await this.#runtime;
      query = await queryOf(runtime, wanted);
      this.#failures = 0;
    } catch (error) {
      this.#failures++;
      return this.#fail(error);
    }
    if (wanted.signal?.aborted === true) return { kind: 'failed', reason: 'cancelled' };
    // From here on nothing waits, so that calls that run at once cannot meet in the one parser.
    return this.#parse(runtime, query, text, wanted, visitor);
  }

  #parse(
    runtime: Runtime,
    query: TreeSitter.Query,
    text: string,
    wanted: Visit,
    visitor: (type: number, node: SyntaxNode) => void,
  ): Visited {
    const deadline = performance.now() + wanted.parseMs;
    const progressCallback = (): boolean => performance.now() > deadline;
    let tree: TreeSitter.Tree | null = null;
    let matches: TreeSitter.QueryMatch[];
    try {
      runtime.parser.reset();
      tree = runtime.parser.parse(text, null, { progressCallback });
      matches = tree === null ? [] : query.matches(tree.rootNode, { progressCallback });
    } catch (error) {
      return this.#fail(error);
    }
    if (tree === null) return { kind: 'failed', reason: 'out-of-time' };
    try {
      if (performance.now() > deadline) return { kind: 'failed', reason: 'out-of-time' };
      for (const match of matches) {
        const node = match.captures[0]?.node;
        if (node !== undefined) visitor(match.patternIndex, node);
      }
      return { kind: 'visited', hasErrors: tree.rootNode.hasError };
    } finally {
      tree.delete();
      if (memoryOf(runtime) > this.#maxMemoryMiB / 2) this.#runtime = undefined;
    }
  }

  #fail(error: unknown): Visited {
    this.#failure = error instanceof Error ? error.message : String(error);
    this.#runtime = undefined;
    return { kind: 'failed', reason: 'parser-failed' };
  }
}

const memoryOf = (runtime: Runtime): number => runtime.module.wasmMemory.buffer.byteLength / 1_048_576;

async function start(library: Library, maxMemoryMiB: number): Promise<Runtime> {
  // Silent: stdout belongs to the protocol.
  const module: ModuleOptions = {
    wasmMemory: new WebAssembly.Memory({ initial: INITIAL_MIB * PAGES_PER_MIB, maximum: maxMemoryMiB * PAGES_PER_MIB }),
    locateFile: (file) => resolve(`${PACKAGE}/wasm/${file}`),
    print: () => {},
    printErr: () => {},
  };
  await library.Parser.init(module);
  return { library, parser: new library.Parser(), module, languages: new Map(), queries: new Map() };
}

/** Compiles a query once for each set of types, and makes its grammar the one of the parser. */
async function queryOf(runtime: Runtime, { grammar, types }: Visit): Promise<TreeSitter.Query> {
  let loading = runtime.languages.get(grammar);
  if (loading === undefined) {
    loading = runtime.library.Language.load(resolve(`${PACKAGE}/wasm/${grammar}`));
    runtime.languages.set(grammar, loading);
  }
  const language = await loading;
  runtime.parser.setLanguage(language);
  const key = `${grammar} ${types.join(' ')}`;
  const known = runtime.queries.get(key);
  if (known !== undefined) return known;
  // One pattern for a type: its structure is looked at in JavaScript, since compiling patterns with structure takes ten times
  // longer (60 ms for C++) and a field of a node costs half a microsecond.
  const query = new runtime.library.Query(language, types.map((type) => `(${type}) @${type}`).join('\n'));
  runtime.queries.set(key, query);
  return query;
}
