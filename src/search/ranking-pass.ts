/** The ranking pass: one ripgrep run that sees every hit of the query's words and keeps a few bytes of each. It is never killed at
 *  a cap, since ripgrep's order says nothing of relevance; only its deadline ends it early. */

import type { HitTable } from '../ranking/hits.js';
import { LineReader } from '../ranking/line-terms.js';
import { classOf, DEMOTION } from '../ranking/path-class.js';
import { type Held, type Term, type TermMatcher, type Terms, termPattern } from '../ranking/terms.js';
import type { TextQuery } from '../ripgrep/args.js';
import type { Ripgrep, SearchEnd } from '../ripgrep/process.js';
import type { SearchContext } from './context.js';
import type { Pass } from './selection.js';

export interface RankingPass {
  readonly end: SearchEnd;
  /** Lines in which a word was found. */
  readonly lines: number;
}

/** A query for words in any letter case, of which nothing is shown. */
export function wordQuery(pattern: string): TextQuery {
  return {
    pattern,
    isLiteral: false,
    ignoreCase: true,
    word: false,
    multiline: false,
    binary: false,
    encoding: undefined,
    context: 0,
    isFirstOnly: false,
  };
}

/** @param table takes the hits, behind those that it has */
export async function runRankingPass(
  ripgrep: Ripgrep,
  { walk, accepts }: Pass,
  query: Terms,
  matcher: TermMatcher,
  table: HitTable,
  context: SearchContext,
): Promise<RankingPass> {
  const reader = new LineReader(query.terms, matcher, { isEscaped: true, wantsDefinition: query.wantsDefinition });
  const asked = wordQuery(termPattern(query.terms));
  const sink = new TableSink(table, query.terms);
  let lines = 0;
  const { progress } = context;
  let isWanted = false;
  let path = '';
  const longLines = new Set<string>();
  const binaryPaths: string[] = [];
  const end = await ripgrep.scan(walk, asked, context, {
    begin: (begun) => {
      isWanted = accepts(begun);
      path = begun;
      if (isWanted) table.begin(begun);
    },
    line: (line, text) => {
      if (!isWanted) return;
      sink.startLine(line);
      reader.read(text, sink);
      if (!sink.hasTerm) return;
      lines++;
      progress.matches++;
      if (progress.isWatched) progress.offer(path, line, sink.weight * DEMOTION[classOf(path)]);
    },
    tooLong: () => {
      if (isWanted) longLines.add(path);
    },
    binary: () => {
      if (isWanted) binaryPaths.push(path);
    },
    end: (bytes) => {
      if (!isWanted) return;
      if (!table.hasHit) {
        table.drop();
        return;
      }
      table.end(bytes);
      progress.matchedFiles++;
    },
  });
  return { end: { ...end, longLines: { paths: [...longLines], query: asked }, binaryPaths }, lines };
}

/** Takes the terms of one line after another into the table. */
export class TableSink {
  /** Terms of the line that are asked for, as flags. */
  #mask = 0;
  /** The highest factor of one of them. */
  #factor = 0;
  #line = 0;
  readonly #table: HitTable;
  readonly #wanted: number;

  constructor(table: HitTable, terms: readonly Term[]) {
    this.#table = table;
    this.#wanted = terms.reduce((mask, { isNegative }, index) => (isNegative ? mask : mask | (1 << index)), 0);
  }

  startLine(line: number): void {
    this.#line = line;
    this.#mask = 0;
    this.#factor = 0;
  }

  /** Whether the line has a term that is asked for. */
  get hasTerm(): boolean {
    return this.#mask !== 0;
  }

  /** How promising the line is by itself: how many different terms it has, and whether one is defined there. */
  get weight(): number {
    let terms = 0;
    for (let mask = this.#mask; mask !== 0; mask &= mask - 1) terms++;
    return terms * this.#factor;
  }

  term(held: Held, factor: number): void {
    this.#table.add(this.#line, held, factor);
    const wanted = held.mask & this.#wanted;
    if (wanted === 0) return;
    this.#mask |= wanted;
    if (factor > this.#factor) this.#factor = factor;
  }
}
