/** locate: where a symbol or an idea lives, a line a place. */
import { bytes, clip, count, plural, showControls, showName, showPath } from '../base/display.js';
import { laneOfSearch } from '../base/lane.js';
import { LIMITS } from '../base/limits.js';
import { wellFormed } from '../base/path-bytes.js';
import type { LocateOutcome as Located, LocatedPlace, LocateQuery } from '../search/locate.js';
import type { Refinement } from '../search/refinement.js';
import type { Stamped } from '../search/stamps.js';
import { maskLine } from '../security/mask.js';
import { countWithin, fit } from './fit.js';
import { gateData, gateLines, gateNote, refusalHeadline, refusalLine } from './gate-text.js';
import { maskedFacts, stampOf, stampsOf } from './marks.js';
import { coveredData, partialFacts } from './partial.js';
import { CURSOR, FORCE, GLOBS, integer, MAX_CHARS, ROOT, SCOPE, TIMEOUT } from './properties.js';
import type { Style } from './style.js';
import { defineTool } from './tool.js';

/** Signatures are masked. */
interface LocateOutcome extends Stamped<Located> {
  readonly masked?: readonly LocatedPlace[];
}

type Arguments = Omit<Partial<LocateQuery>, 'gate'> & Pick<LocateQuery, 'query'> & { readonly force?: boolean };

/** Of a signature; the name is in it, so that it stands in place of it. */
const SIGNATURE_WIDTH = 120;
const MOST_FACT = 300;

export const locateTool = defineTool<Arguments, LocateOutcome>({
  name: 'locate',
  group: 'search',
  lane: laneOfSearch,
  effect: 'reads',
  description: 'Where a symbol is defined and used, definitions first; or which functions hold some words.',
  input: {
    type: 'object',
    properties: {
      query: {
        type: 'string',
        description: 'A symbol (Name, Class.method, ns::f, $x) or words',
        minLength: 1,
        maxLength: LIMITS.queryChars.max,
      },
      kind: { type: 'string', enum: ['any', 'definition', 'reference'], description: 'What to list', default: 'any' },
      scope: SCOPE,
      globs: GLOBS,
      maxResults: integer('locateResults', 'Places shown'),
      cursor: CURSOR,
      force: FORCE,
      root: ROOT,
      maxChars: MAX_CHARS,
      timeoutMs: TIMEOUT,
    },
    required: ['query'],
    additionalProperties: false,
  },
  budget: 'maxChars',
  run: async (args, context) => {
    const search = await import('../search/locate.js');
    const { force, ...asked } = args;
    // A caller that says how many places it wants has set a bound of its own; of the rest of a search there is no whole to be judged.
    const gate = force === true || args.maxResults !== undefined || args.cursor !== undefined ? {} : { gate: context.gate };
    const outcome = await search.locate(
      { ...asked, kind: args.kind ?? 'any', maxResults: args.maxResults ?? LIMITS.locateResults.def, ...gate },
      context.search,
      context,
    );
    const { stampFiles } = await import('../search/stamps.js');
    const paths = [...new Set(outcome.places.map(({ path }) => path))];
    const stamps = await stampFiles(
      paths.map((path) => ({ path })),
      context,
    );
    return { ...outcome, ...masking(outcome.places, context.root.masksSecrets), stamps };
  },
  text: (outcome, maxChars, style) =>
    fit(outcome.places.length, maxChars, (shown) =>
      [
        ...opening(outcome, shown, (gate) => gateLines(gate, { maxChars, maxLines: MOST_ADVICE })).map((line) => `# ${line}`),
        ...placeLines(outcome, shown, style),
        ...facts(outcome, shown).map((fact) => `# ${fact}`),
      ].join('\n'),
    ),
  data: (outcome, maxChars) => {
    const shown = countWithin(outcome.places, maxChars, ({ path, name, signature }) => path.length + name.length + signature.length);
    const { gate } = outcome;
    if (gate?.status === 'refine')
      return {
        ...gateData(gate),
        preview: outcome.places.map(({ path, ...place }) => ({ path: wellFormed(path), ...place })),
        ...stampsOf(
          outcome.stamps,
          outcome.places.map(({ path }) => path),
        ),
        truncated: true,
        partial: outcome.isPartial,
        notes: [...opening(outcome, shown, (gate) => [gateNote(gate)]), ...facts(outcome, shown)],
        durationMs: outcome.elapsedMs,
      };
    return {
      ...gateData(gate),
      projectType: outcome.project.type,
      matchMode: outcome.matchMode,
      results: outcome.places.slice(0, shown).map(({ path, ...place }) => ({ path: wellFormed(path), ...place })),
      ...stampsOf(
        outcome.stamps,
        outcome.places.slice(0, shown).map(({ path }) => path),
      ),
      truncated: isCut(outcome, shown),
      timedOut: outcome.timedOut,
      partial: outcome.isPartial,
      ...coveredData(outcome.covered),
      ...(outcome.nextCursor === undefined ? {} : { nextCursor: outcome.nextCursor }),
      notes: [...opening(outcome, shown, (gate) => [gateNote(gate)]), ...facts(outcome, shown)],
      durationMs: outcome.elapsedMs,
    };
  },
  found: (outcome) => outcome.places.length > 0,
  summary: (outcome) => ({ ...outcome.totals, files: outcome.files, partial: outcome.isPartial }),
});

/** The definition stands in the first lines of a reply; what is said of the rest must not push it down. */
const MOST_ADVICE = 2;

function opening(outcome: LocateOutcome, shown: number, adviceOf: (gate: Refinement) => string[]): string[] {
  const { gate } = outcome;
  // A reply that shows everything is no flood; whether it is about the query is another question.
  const isWhole = shown >= totalOf(outcome) && gate?.axes.includes('relevance') !== true;
  if (gate === undefined || (gate.status !== 'refine' && isWhole)) return [headline(outcome)];
  const advice = adviceOf(gate);
  if (gate.status !== 'refine') return [headline(outcome), ...advice];
  return [
    `status: refine. ${refusalHeadline(gate, outcome.matchMode === 'words' ? 'place' : 'line', shown)}`,
    ...advice,
    refusalLine(gate),
  ];
}

function masking(places: readonly LocatedPlace[], isOn: boolean): Pick<LocateOutcome, 'places' | 'masked'> {
  if (!isOn) return { places, masked: [] };
  const masked: LocatedPlace[] = [];
  const shown = places.map((place) => {
    const { text, isMasked } = maskLine(place.signature);
    if (!isMasked) return place;
    const one = { ...place, signature: text };
    masked.push(one);
    return one;
  });
  return { places: shown, masked };
}

/** The stamp of a file stands where the file is first named. */
function placeLines({ places, stamps }: LocateOutcome, shown: number, style: Style): string[] {
  const named = new Set<string>();
  return places.slice(0, shown).map((place) => {
    const stamp = named.has(place.path) ? '' : stampOf(stamps, place.path);
    named.add(place.path);
    return placeLine(place, stamp, style);
  });
}

function placeLine({ path, startLine, endLine, kind, name, signature }: LocatedPlace, stamp: string, style: Style): string {
  const range = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
  const what = signature === '' || signature === name ? '' : `  ${clip(signature, SIGNATURE_WIDTH)}`;
  return `${style.path(showPath(path))}:${range}${stamp}  ${kind}  ${showName(name)}${showControls(what)}`.trimEnd();
}

/** Everything that was found and belongs to what was asked for. */
function totalOf({ totals, query, matchMode, files }: LocateOutcome): number {
  if (matchMode === 'words') return files;
  const uses = totals.references + totals.tests + totals.texts;
  return (query.kind === 'reference' ? 0 : totals.definitions) + (query.kind === 'definition' ? 0 : uses);
}

const isCut = (outcome: LocateOutcome, shown: number): boolean => shown < totalOf(outcome) || outcome.timedOut;

function headline(outcome: LocateOutcome): string {
  const { query, totals, matchMode, searched, timedOut, files, places, project } = outcome;
  const over = searched === undefined ? '' : ` of ${count(searched.files)} searched (${bytes(searched.bytes)})`;
  if (searched?.files === 0 && files === 0) return 'Nothing was searched: no file fits the scope and globs.';
  if (files === 0 && timedOut) return 'Nothing found so far, which is no proof of absence.';
  if (files === 0 && query.cursor !== undefined) return 'Nothing further found.';
  if (files === 0)
    return outcome.isPartial
      ? 'Nothing found: incomplete.'
      : `Nothing found: no file${over} has it. Files with a NUL byte count as binary and are passed over.`;
  const language = project.type === 'unknown' ? '' : `; project: ${project.type} (${project.because})`;
  if (matchMode === 'words')
    return `Blocks of the best ${plural(places.length, 'file')}; ${plural(files, 'file')}${over} have one of the words${language}`;
  const texts = totals.texts > 0 ? `, ${count(totals.texts)} in comments, strings and docs` : '';
  return `${plural(totals.definitions, 'definition')}, ${plural(totals.references, 'use')}, ${count(totals.tests)} in tests${texts}; ${plural(files, 'file')}${over}${language}`;
}

function facts(outcome: LocateOutcome, shown: number): string[] {
  const { query, matchMode, totals, timedOut, notes, files } = outcome;
  const lines: string[] = [];
  const total = totalOf(outcome);
  if (shown < total && outcome.gate?.status !== 'refine') {
    const most = matchMode === 'words' ? LIMITS.topK.max : LIMITS.locateResults.max;
    const how =
      shown < outcome.places.length
        ? 'raise maxChars'
        : query.maxResults < most
          ? `raise maxResults (to ${most})`
          : 'narrow scope or globs';
    lines.push(`${count(total - shown)} more: ${how}${matchMode === 'words' ? '' : ', or search_text with output "files"'}`);
  }
  if (matchMode === 'symbol-any-case') lines.push('no definition in this letter case: any case was searched');
  // What other pages cover may hold it.
  const isAll = query.cursor === undefined && !timedOut;
  if (isAll && matchMode !== 'words' && files > 0 && totals.definitions === 0 && query.kind !== 'reference')
    lines.push('no definition found: it may come from outside, or be made at run time');
  lines.push(...maskedFacts(outcome.places.slice(0, shown).filter((place) => outcome.masked?.includes(place) === true).length));
  lines.push(...notes.map(showControls));
  if (isAll && files === 0 && matchMode !== 'words')
    lines.push(
      'symbols match as whole identifiers; search_code finds parts of names, search_text any text, also in ignored files (ignored: true)',
    );
  // A cursor must stay whole.
  return [...partialFacts(outcome.covered, outcome.limitMs, outcome.nextCursor), ...lines.map((line) => clip(line, MOST_FACT))];
}
