/** One ranked pass over kept texts: ripgrep names the lines that hold a word, the pieces they stand in are scored as files are. */
import type { Chunk } from '../chunks/chunk.js';
import { type EvidenceLine, valueLines } from '../ranking/excerpt.js';
import { HitTable } from '../ranking/hits.js';
import { LineReader } from '../ranking/line-terms.js';
import { DEMOTION, type PathClass } from '../ranking/path-class.js';
import { createScoring, FileScorer, type Scoring } from '../ranking/score.js';
import { TermMatcher, type Terms, termPattern } from '../ranking/terms.js';
import type { RootRules } from '../ripgrep/accept.js';
import type { Walk } from '../ripgrep/args.js';
import { RuleSet } from '../ripgrep/glob.js';
import type { SearchEnd } from '../ripgrep/process.js';
import { fileOf, HEAD_LINES, type KeptText } from '../security/spool.js';
import type { SearchContext, SearchParts } from './context.js';
import type { KeptContent, KeptReader } from './kept-reader.js';
import { TableSink, wordQuery } from './ranking-pass.js';
import { Smallest } from './smallest.js';

/** A piece of a kept text that was found. */
export interface Found {
  readonly content: KeptContent;
  readonly chunk: Chunk;
  readonly score: number;
}

export interface KeptPass {
  readonly terms: Terms;
  readonly scoring: Scoring;
  readonly end: SearchEnd;
  /** Best first, newer texts before older ones. */
  readonly best: readonly Found[];
  /** Pieces with a word. */
  readonly total: number;
  /** Texts that could not be read, or not in time. */
  readonly unread: number;
  /** Lines of a piece with words, and what they tell. */
  evidence(found: Found): EvidenceLine[];
}

export interface KeptFrame {
  readonly texts: readonly KeptText[];
  readonly reader: KeptReader;
  readonly parts: SearchParts;
  /** Its root is the folder of the kept texts. */
  readonly context: SearchContext;
}

/** The folder holds nothing but texts of ours, so no ignore rule is looked at. */
const RULES: RootRules = { isGit: false, usesGitignore: false, builtin: [], rules: new RuleSet([]), csignore: undefined, notes: [] };
/** A key or a heading is no path: it is never demoted as one. */
const LIFTED: ReadonlySet<PathClass> = new Set(Object.keys(DEMOTION) as PathClass[]);

export function walkOf(texts: readonly KeptText[]): Walk {
  const [only, other] = texts;
  const scope = only !== undefined && other === undefined ? fileOf(only.handle) : '';
  const selection = { scope, isScopeFile: scope !== '', globs: [], excluded: [], ignored: true };
  return { selection, rules: RULES, pass: 'none', allowsSecrets: true, isSorted: false };
}

/** @throws as Ripgrep.scan */
export async function runKeptPass(terms: Terms, keep: number, { texts, reader, parts, context }: KeptFrame): Promise<KeptPass> {
  const hits = new Map(texts.map((text) => [fileOf(text.handle), { text, lines: [] as number[] }]));
  let current: { lines: number[] } | undefined;
  const end = await parts.ripgrep.scan(walkOf(texts), wordQuery(termPattern(terms.terms)), context, {
    begin: (path) => {
      current = hits.get(path);
    },
    line: (line) => {
      if (line > HEAD_LINES) current?.lines.push(line - HEAD_LINES);
    },
    end: () => {},
  });
  const matcher = new TermMatcher(terms.terms);
  const lineReader = new LineReader(terms.terms, matcher, { isEscaped: false, wantsDefinition: false });
  const table = new HitTable(terms.terms, parts.limits.maxRankedHits);
  const sink = new TableSink(table, terms.terms);
  const pieces: Omit<Found, 'score'>[] = [];
  const seen = { chunks: 0, bytes: 0, unread: 0 };
  for (const { text, lines } of hits.values()) {
    if (lines.length === 0) continue;
    const content = await reader.read(text);
    if (content === undefined) {
      seen.unread++;
      continue;
    }
    seen.chunks += content.chunks.length;
    seen.bytes += text.bytes;
    addPieces(content, lines);
  }
  const bytes = texts.reduce((sum, text) => sum + text.bytes, 0);
  // Texts without a hit are not cut; they count as if cut like the others.
  const corpus = { files: Math.max(1, Math.round((seen.chunks * bytes) / Math.max(1, seen.bytes))), bytes };
  const scoring = createScoring([table], terms, corpus, matcher, LIFTED);
  const { best, total } = bestOf(table, scoring, pieces, keep);
  return {
    terms,
    scoring,
    end,
    best,
    total,
    unread: seen.unread,
    evidence: ({ content, chunk: { startLine, endLine } }) =>
      valueLines(content.lines.slice(startLine - 1, endLine), lineReader, scoring.idfs).map((one) => ({
        ...one,
        line: one.line + startLine - 1,
      })),
  };

  function addPieces(content: KeptContent, lines: readonly number[]): void {
    let from = 0;
    for (const chunk of content.chunks) {
      // Pieces come in line order; the next one may begin with lines of this one.
      while (from < lines.length && (lines[from] ?? 0) < chunk.startLine) from++;
      if ((lines[from] ?? Number.POSITIVE_INFINITY) > chunk.endLine) continue;
      table.begin(chunk.path.join('/'));
      for (let at = from; at < lines.length && (lines[at] ?? 0) <= chunk.endLine; at++) {
        const line = lines[at] ?? 0;
        sink.startLine(line);
        lineReader.read(content.lines[line - 1] ?? '', sink);
      }
      if (!table.hasHit) {
        table.drop();
        continue;
      }
      table.end(content.lines.slice(chunk.startLine - 1, chunk.endLine).reduce((sum, line) => sum + line.length + 1, 0));
      pieces.push({ content, chunk });
    }
  }
}

function bestOf(
  table: HitTable,
  scoring: Scoring,
  pieces: readonly Omit<Found, 'score'>[],
  keep: number,
): { best: Found[]; total: number } {
  const scorer = new FileScorer(table, scoring);
  const best = new Smallest<Found>(
    keep,
    (a, b) => b.score - a.score || b.content.text.time - a.content.text.time || a.chunk.startLine - b.chunk.startLine,
  );
  let total = 0;
  for (const [index, piece] of pieces.entries()) {
    const score = scorer.score(index, best.last?.score);
    if (score <= 0) continue;
    total++;
    best.add({ ...piece, score });
  }
  return { best: best.sorted(), total };
}
