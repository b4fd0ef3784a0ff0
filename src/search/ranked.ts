/** One ranked search: which files are the best places for a question. A ranking pass sees every hit; the best files are then read
 *  for their evidence. Same tree, same query, same outcome. */

import { Deadline } from '../base/deadline.js';
import { bytes, plural } from '../base/display.js';
import { ToolError } from '../base/errors.js';
import { nearest } from '../base/near.js';
import { languageOf } from '../code/language.js';
import { chooseRanges, type Evidence, gatherBestLine, gatherEvidence, type Range } from '../ranking/excerpt.js';
import { HEAD_LINES, isGenerated } from '../ranking/generated.js';
import { HitTable } from '../ranking/hits.js';
import { LineReader } from '../ranking/line-terms.js';
import { classOf, DEMOTION, liftedBy } from '../ranking/path-class.js';
import { type Corpus, createScoring, type Scoring, scorePath } from '../ranking/score.js';
import { parseTerms, type Term, TermMatcher, type Terms } from '../ranking/terms.js';
import { splitIdentifier, stem } from '../ranking/tokenizer.js';
import type { Selection } from '../ripgrep/accept.js';
import type { SearchEnd } from '../ripgrep/process.js';
import { readLines } from '../security/snippet.js';
import { bestBlock, blockName } from './blocks.js';
import type { SearchContext, SearchParts } from './context.js';
import { type Coverage, type Covered, coveredBy, isTimedOut, type Resume, type Sight, undecided } from './cover.js';
import { coverFrame, type Frame, inFrame } from './frame.js';
import { maskEvidence } from './key-bodies.js';
import { complaintNotes, gapNotes, leavesOut, searchedBy } from './notes.js';
import { comparePaths } from './order.js';
import { type RankedFiles, rankFiles } from './rank-files.js';
import { type RankingPass, runRankingPass, wordQuery } from './ranking-pass.js';
import { type Relevance, relevanceOf } from './relevance.js';
import { ResumeCursors } from './resume.js';
import type { FileChoice } from './selection.js';
import { ParseBudget } from './sources.js';

export type { Range };

export interface RankedQuery extends FileChoice {
  /** Whose cursors fit: those of one tool are none of another. */
  readonly tool: 'search_code' | 'locate';
  readonly query: string;
  readonly topK: number;
  readonly includeTests: boolean;
  /** Parse the first files, to name the function or class that each place lies in. */
  readonly namesBlocks: boolean;
  /** Continues with what an earlier call did not cover. */
  readonly cursor?: string;
}

/** A ranked file. */
export interface Place {
  readonly path: string;
  readonly score: number;
  readonly parts: Readonly<Record<string, number>>;
  /** Best window of the file; line 1 alone where only its path matches. */
  readonly window: Range;
  /** Terms that it holds, as flags. */
  readonly mask: number;
  /** The file's lines that matter; undefined when it was not read. */
  readonly evidence: Evidence | undefined;
  /** The function or class that the best window lies in, of places that are shown with their lines. */
  readonly block?: string;
}

export interface RankedOutcome {
  readonly query: RankedQuery;
  readonly terms: Terms;
  /** Best first; those at the front have evidence. */
  readonly places: readonly Place[];
  readonly totalMatches: number;
  readonly totalFiles: number;
  readonly searched: { readonly files: number; readonly bytes: number } | undefined;
  /** Files with hits that are too large to be ranked. */
  readonly large: number;
  /** Words that stand nowhere, with near identifiers that exist. */
  readonly unmatched: readonly { readonly word: string; readonly near: readonly string[] }[];
  /** How much of the query the first place holds; undefined where there is none. */
  readonly relevance?: Relevance;
  /** Folders with the most matching files. */
  readonly distribution: readonly { readonly dir: string; readonly files: number }[];
  readonly timedOut: boolean;
  /** Set when not everything was covered. */
  readonly covered: Covered | undefined;
  /** Continues with what was not. */
  readonly nextCursor: string | undefined;
  readonly isPartial: boolean;
  readonly notes: readonly string[];
  readonly limitMs: number;
  readonly elapsedMs: number;
  /** Which lines of a place to show within some room. */
  ranges(place: Place, room: number, cost: (line: number) => number): Range[];
}

const NEAR_PREFIX = 3;
/** Places that are kept of a run that was cut short. */
const MOST_SIGHTS = 50;
/** Lines kept for a packet; even a reply of one packet and 50,000 characters shows fewer. */
const PACKET_LINES = 500;

interface Ranked {
  readonly terms: Terms;
  readonly matcher: TermMatcher;
  readonly table: HitTable;
  readonly lines: number;
  readonly coverage: Coverage<SearchEnd>;
  readonly sights: readonly Sight[];
  readonly scoring: Scoring;
  readonly found: RankedFiles;
}

/** @throws ToolError for bad arguments and a ripgrep that cannot run */
export async function searchRanked(query: RankedQuery, parts: SearchParts, context: SearchContext): Promise<RankedOutcome> {
  const started = performance.now();
  const terms = parseTerms(query.query);
  if (!terms.terms.some((term) => !term.isNegative && term.key.trim() !== '')) {
    throw new ToolError('argument_invalid', '"query" has no word to look for.');
  }
  const options = query.includeTests ? 'tests' : '';
  const cursors = (selection: Selection): ResumeCursors =>
    new ResumeCursors({ tool: query.tool, root: context.root.path, query: query.query, options }, selection);
  const opened = await inFrame(
    query,
    parts,
    context,
    (open, resumed) => rank(open, soften(terms, spellingsOf(resumed?.state)) ?? terms, query.includeTests, resumed?.resume),
    (ranking) => ({
      isEmpty: ranking.found.total === 0,
      ends: ranking.coverage.ends,
      isCut: isTimedOut(ranking.coverage),
      asCut: () => undecided(ranking),
    }),
    (selection) => cursors(selection).read(query.cursor),
  );
  const { frame } = opened;
  const from = opened.from?.resume;
  const gaps = opened.from?.gaps ?? 0;
  let ranked = opened.found;
  const notes = [...frame.notes];
  // A pass that was cut short, or goes on, proves no absence.
  const isPart = from !== undefined || isTimedOut(ranked.coverage) || leavesOut(ranked.coverage.ends);
  const unmatched = isPart ? [] : await nearSpellings(frame, ranked);
  const softened = soften(terms, unmatched);
  if (softened !== undefined) ranked = await rank(frame, softened, query.includeTests, undefined);
  const { coverage } = ranked;
  const timedOut = isTimedOut(coverage);
  const byPath = timedOut ? [] : await findByPath(frame, ranked, from);
  const { ends } = coverage;
  if (timedOut && wantsPaths(frame, ranked)) notes.push('files that match by their name alone were not looked for');
  if (ranked.found.large > 0)
    notes.push(
      `${plural(ranked.found.large, 'file')} above ${bytes(parts.limits.maxFileBytes)} with these words not ranked; search_text searches files of any size`,
    );
  // Some files may have gone since: a few more than are read are kept in reserve.
  const best = ranked.found.best.map((file) => ({ ...file, evidence: undefined }));
  const read = await readEvidence([...best, ...byPath].sort(byScore), ranked, frame, query.topK);
  const places = query.namesBlocks ? await nameBlocks(read, query.topK, frame) : read;
  return {
    query,
    terms: ranked.terms,
    places,
    totalMatches: ranked.lines,
    totalFiles: ranked.found.total,
    searched: searchedBy(ends),
    unmatched: unmatched.filter(({ word, near }) => near.length > 0 || !isNamed(places, ranked.terms, word)),
    ...(places[0] === undefined ? {} : { relevance: relevanceOf(ranked.terms, ranked.scoring.idfs, places[0].mask) }),
    large: ranked.found.large,
    distribution: ranked.found.folders,
    timedOut,
    covered: coveredBy(coverage, frame.tree.size, ranked.sights),
    nextCursor:
      coverage.resume === undefined
        ? undefined
        : cursors(frame.selection).write({
            resume: coverage.resume,
            state: stateOf(from === undefined ? unmatched : spellingsOf(opened.from?.state)),
            rules: opened.rules,
            gaps: gaps + coverage.uncovered.length,
          }),
    isPartial: timedOut || gaps > 0 || leavesOut(ends),
    notes: [...notes, ...gapNotes(gaps), ...complaintNotes(ends)],
    limitMs: context.deadline.limitMs,
    elapsedMs: Math.round(performance.now() - started),
    ranges: (place, room, cost) =>
      place.evidence === undefined ? [] : chooseRanges(place.evidence, place.window, parts.limits.packetContext, cost, room),
  };
}

/** Whether a word that stands in no file stands in the name of one that is shown. */
function isNamed(places: readonly Place[], { terms }: Terms, word: string): boolean {
  const index = terms.findIndex((term) => term.text === word);
  return places.some(({ mask }) => (mask & (1 << index)) !== 0);
}

const byScore = (a: Place, b: Place): number => b.score - a.score || comparePaths(a.path, b.path);
/** What a run that was cut short has seen, in place of ripgrep's own count. */
function sizeOf(table: HitTable): Corpus {
  let bytes = 0;
  for (let file = 0; file < table.fileCount; file++) bytes += table.bytes(file);
  return { files: table.fileCount, bytes };
}

async function rank(frame: Frame, terms: Terms, includeTests: boolean, from: Resume | undefined): Promise<Ranked> {
  const { parts, context } = frame;
  const { limits } = parts;
  const matcher = new TermMatcher(terms.terms);
  const lifted = liftedBy(terms.words);
  if (includeTests) lifted.add('test');
  const table = new HitTable(terms.terms, limits.maxRankedHits);
  const sights: Sight[] = [];
  let files = 0;
  let lines = 0;
  const coverage = await coverFrame(frame, from, async (open) => {
    // What an attempt before this one has left counts for nothing.
    table.keepFirst(files);
    context.progress.restart(lines, files);
    const passes: RankingPass[] = [];
    for (const pass of open.passes) passes.push(await runRankingPass(parts.ripgrep, pass, terms, matcher, table, open.context));
    const ends = passes.map((pass) => pass.end);
    if (ends.some((end) => end.reason === 'deadline')) sights.push(...sightsOf(table, files));
    return {
      ends,
      keep: () => {
        files = table.fileCount;
        lines += passes.reduce((sum, pass) => sum + pass.lines, 0);
      },
    };
  });
  table.keepFirst(files);
  const searched = searchedBy(coverage.ends);
  if (from === undefined && !isTimedOut(coverage)) frame.tree.learn(searched);
  const scoring = createScoring([table], terms, searched ?? sizeOf(table), matcher, lifted);
  const options = { keep: limits.maxRead * 2, maxBytes: limits.maxFileBytes };
  return { terms, matcher, table, lines, coverage, sights, scoring, found: rankFiles([table], terms, scoring, options) };
}

/** The first places of a run, from a file on. */
function sightsOf(table: HitTable, from: number): Sight[] {
  const sights: Sight[] = [];
  for (let file = from; file < Math.min(table.fileCount, from + MOST_SIGHTS); file++)
    if (table.to(file) > table.from(file)) sights.push({ path: table.path(file), line: table.line(table.from(file)) });
  return sights;
}

/** Words that stand nowhere, and the nearest identifiers that do. One small run per such word, only when there are some. */
async function nearSpellings(frame: Frame, ranked: Ranked): Promise<RankedOutcome['unmatched']> {
  const { parts, context } = frame;
  const missing = ranked.terms.terms.filter(
    (term, index) => (ranked.scoring.documentFrequencies[index] ?? 0) === 0 && term.kind !== 'part' && !term.isNegative,
  );
  const found: { word: string; near: string[] }[] = [];
  for (const term of missing) found.push({ word: term.text, near: isSpellable(term) ? await nearIdentifiers(term) : [] });
  return found;

  async function nearIdentifiers(term: Term): Promise<string[]> {
    const word = term.text.toLowerCase();
    const tail = `{${Math.max(0, word.length - NEAR_PREFIX - 2)},${word.length - NEAR_PREFIX + 2}}`;
    const pattern = `(?:\\b|_)${word.slice(0, NEAR_PREFIX)}[a-z]${tail}(?:\\b|_)`;
    const counts = new Map<string, number>();
    for (const pass of frame.passes) {
      let isWanted = false;
      await parts.ripgrep.scan(pass.walk, wordQuery(pattern), context, {
        begin: (path) => {
          isWanted = pass.accepts(path);
        },
        line: (_, text) => {
          for (const identifier of isWanted ? (text.match(/[A-Za-z_]\w+/g) ?? []) : []) {
            for (const part of splitIdentifier(identifier)) {
              if (part.startsWith(word.slice(0, NEAR_PREFIX))) counts.set(part, (counts.get(part) ?? 0) + 1);
            }
          }
        },
        end: () => {},
      });
    }
    return nearest(
      word,
      [...counts.keys()].filter((part) => Math.abs(part.length - word.length) <= 2),
      parts.limits.nearSpellings,
    );
  }
}

const isSpellable = (term: Term): boolean => term.kind === 'word' && /^[a-z]{5,30}$/i.test(term.text);

/** Pages look for the same words: a cursor carries those that were replaced. */
const stateOf = (unmatched: RankedOutcome['unmatched']): string =>
  unmatched.flatMap(({ word, near: [spelled] }) => (spelled === undefined ? [] : [`${word}=${spelled}`])).join(' ');

function spellingsOf(state = ''): RankedOutcome['unmatched'] {
  return [...state.matchAll(/(\w+)=(\w+)/g)].map(([, word = '', spelled = '']) => ({ word, near: [spelled] }));
}

/** The query with a word that stands nowhere replaced by its nearest spelling. */
function soften(terms: Terms, unmatched: RankedOutcome['unmatched']): Terms | undefined {
  const spelled = new Map(unmatched.flatMap(({ word, near }) => (near[0] === undefined ? [] : [[word, near[0]] as const])));
  if (spelled.size === 0) return undefined;
  return {
    ...terms,
    terms: terms.terms.map((term) => {
      const near = spelled.get(term.text);
      return near === undefined ? term : { ...term, key: stem(near) };
    }),
  };
}

const wantsPaths = ({ parts }: Frame, { found, terms }: Ranked): boolean => found.total < parts.limits.pathOnlyFiles && !terms.isExact;

/** Files that match by their path alone, looked for when few files hold the words themselves. */
async function findByPath(frame: Frame, ranked: Ranked, from: Resume | undefined): Promise<Place[]> {
  const { parts, context, passes } = frame;
  if (!wantsPaths(frame, ranked)) return [];
  const known = new Set(ranked.table.paths);
  const found: Place[] = [];
  for (const pass of passes) {
    await parts.ripgrep.list(pass.walk, context, (path) => {
      if (known.has(path) || !pass.accepts(path) || (from !== undefined && comparePaths(path, from.from) < 0)) return true;
      const { score, mask } = scorePath(path, ranked.scoring);
      if (score > 0) found.push({ path, score, mask, parts: { path: score }, window: { start: 1, end: 1 }, evidence: undefined });
      return true;
    });
  }
  return found.sort(byScore).slice(0, parts.limits.maxRead);
}

/** Reads the best files and marks the lines that matter. A file that says it was generated goes down among the others. */
async function readEvidence(places: readonly Place[], ranked: Ranked, { parts, context }: Frame, topK: number): Promise<Place[]> {
  const reader = new LineReader(ranked.terms.terms, ranked.matcher, { isEscaped: false, wantsDefinition: ranked.terms.wantsDefinition });
  const shown: Place[] = [];
  let packets = topK;
  // What a pass that ran out of time has found is still worth showing.
  const reading = { signal: context.signal, deadline: new Deadline(parts.limits.diagnoseMs) };
  for (const place of places) {
    if (shown.length >= parts.limits.maxRead) break;
    const { window } = place;
    const isPacket = packets > 0;
    // A pointer shows one line of its window. Whether a program wrote the file stands at its beginning.
    const endLine = isPacket ? Number.POSITIVE_INFINITY : Math.max(window.end, HEAD_LINES);
    const lines = await readLines(context.root, place.path, parts.limits.maxFileBytes, reading, endLine);
    // Gone, changed or closed to us since the ranking pass: it has no evidence, and is left out.
    if (lines === undefined) continue;
    const factor =
      isGenerated(lines) && classOf(place.path) !== 'generated' && !ranked.scoring.lifted.has('generated') ? DEMOTION.generated : 1;
    // One that goes down leaves its packet to the next, but may need it where there are few.
    if (factor === 1) packets--;
    const { parts: scores, score } = place;
    const { idfs } = ranked.scoring;
    const keep = { lines: PACKET_LINES, context: parts.limits.packetContext };
    const gathered = isPacket ? gatherEvidence(lines, reader, idfs, window, keep) : gatherBestLine(lines, reader, idfs, window);
    const evidence = context.root.masksSecrets ? maskEvidence(gathered, lines) : gathered;
    shown.push({ ...place, score: score * factor, parts: factor === 1 ? scores : { ...scores, generated: factor }, evidence });
  }
  return shown.sort(byScore);
}

async function nameBlocks(places: readonly Place[], topK: number, { parts, context }: Frame): Promise<Place[]> {
  const budget = new ParseBudget(parts.limits);
  const named: Place[] = [];
  for (const place of places) {
    const isWanted = named.length < topK && place.evidence !== undefined && !budget.isSpent && !context.deadline.isOver;
    const source =
      isWanted && languageOf(place.path) !== undefined ? await parts.sources.readAround(place.path, place.window, context) : undefined;
    if (source !== undefined) budget.take(source);
    const block = source === undefined ? undefined : bestBlock(place.evidence, place.window, source);
    named.push(block === undefined ? place : { ...place, block: blockName(block) });
  }
  return named;
}
