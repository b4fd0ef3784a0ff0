/** Searches kept texts in three layers, word by word: as the word is, with its other forms; within longer words; as a near spelling.
 *  A word goes to the next layer only when no text has it. */
import { Deadline } from '../base/deadline.js';
import { ToolError } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import { parseTerms, type Term, type Terms } from '../ranking/terms.js';
import type { SearchEnd } from '../ripgrep/process.js';
import { Root } from '../security/root.js';
import { fileOf, HEAD_LINES, type KeptText } from '../security/spool.js';
import type { SearchContext, SearchParts } from './context.js';
import { type Found, type KeptFrame, type KeptPass, runKeptPass, walkOf } from './kept-pass.js';
import { KeptReader } from './kept-reader.js';
import { type KeptWindow, lastLine, type WindowOptions, windowsOf } from './kept-window.js';
import { NearWords } from './near-words.js';
import { complaintNotes, isIncomplete } from './notes.js';
import { wordQuery } from './ranking-pass.js';

export const LAYERS = ['words', 'substrings', 'near spellings'] as const;
export type Layer = (typeof LAYERS)[number];

/** A place in a kept text. */
export interface KeptPlace {
  readonly text: KeptText;
  /** Keys or headings above it. */
  readonly path: readonly string[];
  readonly score: number;
  readonly windows: readonly KeptWindow[];
}

export interface KeptAnswer {
  readonly query: string;
  /** The deepest layer that was needed; undefined when nothing was found. */
  readonly layer: Layer | undefined;
  readonly places: readonly KeptPlace[];
  /** Pieces with a word, shown or not. */
  readonly total: number;
  /** Words that no text has as they are, and what was searched instead. */
  readonly replaced: readonly { readonly word: string; readonly as: string; readonly layer: Layer }[];
  /** Words that no text has in any layer. */
  readonly missing: readonly string[];
}

export interface KeptOutcome {
  readonly answers: readonly KeptAnswer[];
  readonly timedOut: boolean;
  readonly isPartial: boolean;
  readonly notes: readonly string[];
  readonly limitMs: number;
  readonly elapsedMs: number;
}

export interface KeptQuery {
  readonly queries: readonly string[];
  /** Results of each query. */
  readonly limit: number;
  /** Windows of each result; undefined means as many as its words need. */
  readonly windows?: number;
  readonly masksSecrets: boolean;
}

/** A place that scores less than this share of the best one is noise to a reader who pays for every line. */
const LEAST_SHARE = 0.5;
/** Places ranked for each one that is shown: overlapping ones fall out. */
const SPARE = 4;

/** @param folder absolute path of the folder of these texts
 *  @throws ToolError for a query without a word, and a ripgrep that cannot run */
export async function searchKept(
  query: KeptQuery,
  texts: readonly KeptText[],
  folder: string,
  parts: SearchParts,
  given: SearchContext,
): Promise<KeptOutcome> {
  const started = performance.now();
  const root = await Root.open(folder, { allowSecrets: true });
  const context = { ...given, root };
  // What was found in time is shown, even when reading it takes a moment longer.
  const reading = { signal: given.signal, deadline: new Deadline(given.deadline.limitMs) };
  const frame: KeptFrame = { texts, reader: new KeptReader(root, reading), parts, context };
  const ends: SearchEnd[] = [];
  const answers: KeptAnswer[] = [];
  let unread = 0;
  for (const text of query.queries) {
    const { answer, passes } = await answerOne(text, query, frame);
    answers.push(answer);
    ends.push(...passes.map((pass) => pass.end));
    unread += passes.at(-1)?.unread ?? 0;
  }
  return {
    answers,
    timedOut: ends.some((end) => end.reason === 'deadline'),
    isPartial: isIncomplete(ends) || unread > 0,
    notes: [...given.notes, ...complaintNotes(ends), ...(unread > 0 ? ['incomplete: a text with hits could not be read'] : [])],
    limitMs: given.deadline.limitMs,
    elapsedMs: Math.round(performance.now() - started),
  };
}

async function answerOne(text: string, query: KeptQuery, frame: KeptFrame): Promise<{ answer: KeptAnswer; passes: KeptPass[] }> {
  const parsed = parseTerms(text);
  if (!parsed.terms.some((term) => !term.isNegative && term.key.trim() !== ''))
    throw new ToolError('argument_invalid', 'A query has no word to look for.');
  const keep = query.limit * SPARE;
  let pass = await runKeptPass(parsed, keep, frame);
  const passes = [pass];
  const replaced: { word: string; as: string; layer: Layer }[] = [];
  for (const layer of [LAYERS[1], LAYERS[2]]) {
    const absent = absentTerms(pass);
    if (absent.length === 0) break;
    const instead = layer === 'substrings' ? absent.map(asSubstring) : await Promise.all(absent.map((term) => asNear(term, frame)));
    if (instead.every((term) => term === undefined)) continue;
    const next = await runKeptPass(withTerms(pass.terms, absent, instead), keep, frame);
    passes.push(next);
    for (const term of instead) {
      if (term !== undefined && frequencyOf(next, term) > 0) replaced.push({ word: term.text, as: term.key, layer });
    }
    pass = next;
  }
  const missing = absentTerms(pass).map((term) => term.text);
  const layer = pass.total === 0 ? undefined : (replaced.at(-1)?.layer ?? LAYERS[0]);
  return { answer: { query: text, layer, places: placesOf(pass, query), total: pass.total, replaced, missing }, passes };
}

const frequencyOf = ({ terms, scoring }: KeptPass, term: Term): number => scoring.documentFrequencies[terms.terms.indexOf(term)] ?? 0;

/** Words of the query itself that no piece holds. */
const absentTerms = (pass: KeptPass): Term[] =>
  pass.terms.terms.filter((term) => !term.isNegative && term.kind !== 'part' && term.kind !== 'phrase' && frequencyOf(pass, term) === 0);

const withTerms = (terms: Terms, old: readonly Term[], instead: readonly (Term | undefined)[]): Terms => ({
  ...terms,
  terms: terms.terms.map((term) => (old.includes(term) ? (instead[old.indexOf(term)] ?? term) : term)),
});

const asSubstring = (term: Term): Term => ({ ...term, kind: 'substring', key: term.text.toLowerCase() });

/** The word in the texts that is nearest to one that is in none. */
async function asNear(term: Term, { texts, parts, context }: KeptFrame): Promise<Term | undefined> {
  const words = new NearWords(term.text, LIMITS.vocabulary.def);
  if (words.isHopeless) return undefined;
  const files = new Set(texts.map((text) => fileOf(text.handle)));
  let isWanted = false;
  await parts.ripgrep.scan(walkOf(texts), wordQuery(words.pattern), context, {
    begin: (path) => {
      isWanted = files.has(path);
    },
    line: (line, escaped) => {
      if (isWanted && line > HEAD_LINES) words.add(escaped);
    },
    end: () => {},
  });
  const [near] = words.nearest(1);
  return near === undefined ? undefined : { ...term, kind: 'substring', key: near.toLowerCase() };
}

/** The places that are shown: those near the best one in score, no line twice. */
function placesOf(pass: KeptPass, { limit, windows: most, masksSecrets }: KeptQuery): KeptPlace[] {
  const places: KeptPlace[] = [];
  const least = (pass.best[0]?.score ?? 0) * LEAST_SHARE;
  for (const found of pass.best) {
    if (places.length >= limit || found.score < least) break;
    const windows = windowsFor(found, pass, { most, masksSecrets });
    if (windows.length === 0 || windows.every((window) => isShown(places, found, window))) continue;
    places.push({ text: found.content.text, path: found.chunk.path, score: found.score, windows });
  }
  return places;
}

function windowsFor(found: Found, pass: KeptPass, options: WindowOptions): KeptWindow[] {
  const evidence = pass.evidence(found);
  const { lines, text } = found.content;
  // A record of a log is short; what stands around it tells more than the record alone.
  const range = text.kind === 'log' ? { start: 1, end: lines.length } : { start: found.chunk.startLine, end: found.chunk.endLine };
  return evidence.length === 0 ? [] : windowsOf(lines, range, evidence, options);
}

const isShown = (places: readonly KeptPlace[], { content }: Found, window: KeptWindow): boolean =>
  places.some(
    (place) =>
      place.text.handle === content.text.handle &&
      place.windows.some((shown) => shown.line <= window.line && lastLine(shown) >= lastLine(window)),
  );
