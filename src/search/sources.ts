/** The structure of files of one root, read at query time through checked handles. One owner of the parser; nothing is loaded
 *  before the first file is read. */

import type { Limits } from '../base/limits.js';
import { type LanguageName, languageOf } from '../code/language.js';
import type { StructureReader, Wanted } from '../code/reader.js';
import type { SourceStructure } from '../code/structure.js';
import type { RunContext } from '../ripgrep/process.js';
import { readLines } from '../security/snippet.js';

export interface Source {
  readonly lines: readonly string[];
  readonly structure: SourceStructure;
}

/** Languages with most functions at the top level, which parse by themselves. */
const FLAT: ReadonlySet<LanguageName> = new Set<LanguageName>(['c', 'cpp', 'go', 'rust']);
const LARGE_LINES = 1_500;
const LINES_BEFORE = 400;
const LINES_BEHIND = 200;

/** Blank lines in place of what is left out; it starts behind a block that ends at the margin. */
function partOf(lines: readonly string[], { start, end }: { readonly start: number; readonly end: number }): string[] {
  let from = Math.max(0, start - LINES_BEFORE);
  while (from > 0 && !lines[from - 1]?.startsWith('}')) from--;
  return [...Array<string>(from).fill(''), ...lines.slice(from, end + LINES_BEHIND)];
}

/** Parsed whatever their size. */
const LEAST_FILES = 2;

export class Sources {
  readonly #limits: Limits;
  #reader: Promise<StructureReader> | undefined;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** undefined when the file cannot be had: gone, too large, binary, not readable, outside the root. */
  async read(path: string, context: RunContext, wanted: Wanted = {}): Promise<Source | undefined> {
    const lines = await readLines(context.root, path, this.#limits.maxFileBytes, context);
    return lines === undefined ? undefined : { lines, structure: await this.structureOf(path, lines, context, wanted) };
  }

  /** The structure around some lines. Of a large file in a language whose functions stand at the top only that part is parsed: line
   *  numbers stay, containers and what lies elsewhere are missing. */
  async readAround(
    path: string,
    lines: { readonly start: number; readonly end: number },
    context: RunContext,
  ): Promise<Source | undefined> {
    const all = await readLines(context.root, path, this.#limits.maxFileBytes, context);
    if (all === undefined) return undefined;
    const language = languageOf(path);
    const isPart = language !== undefined && FLAT.has(language) && all.length > LARGE_LINES;
    const shown = isPart ? partOf(all, lines) : all;
    return { lines: shown, structure: await this.structureOf(path, shown, context) };
  }

  /** Of a file whose lines are at hand. */
  async structureOf(path: string, lines: readonly string[], context: RunContext, wanted: Wanted = {}): Promise<SourceStructure> {
    this.#reader ??= this.#load();
    return (await this.#reader).read(path, lines.join('\n'), { wanted, signal: context.signal });
  }

  async #load(): Promise<StructureReader> {
    const [{ StructureReader }, { SyntaxParser }] = await Promise.all([import('../code/reader.js'), import('../code/parser.js')]);
    return new StructureReader(this.#limits, new SyntaxParser(this.#limits.maxParserMiB));
  }
}

/** What one answer may parse. */
export class ParseBudget {
  #files: number;
  #chars: number;
  #taken = 0;

  constructor({ confirmFiles, confirmChars }: Pick<Limits, 'confirmFiles' | 'confirmChars'>) {
    this.#files = confirmFiles;
    this.#chars = confirmChars;
  }

  get isSpent(): boolean {
    return this.#taken >= LEAST_FILES && (this.#files <= 0 || this.#chars <= 0);
  }

  take({ lines }: Source): void {
    this.#taken++;
    this.#files--;
    for (const line of lines) this.#chars -= line.length + 1;
  }
}
