/** search_output: the parts of kept outputs that a few words lead to. */
import { bytes, clip, count, plural, showControls } from '../base/display.js';
import { ToolError } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import type { KeptAnswer, KeptOutcome, KeptPlace } from '../search/kept.js';
import type { KeptText } from '../security/spool.js';
import type { Allowance } from './brake.js';
import { countWithin, fit } from './fit.js';
import { integer, MAX_CHARS, ROOT } from './properties.js';
import type { Style } from './style.js';
import { defineTool } from './tool.js';

interface Arguments {
  readonly queries: readonly string[];
  readonly source?: string;
  readonly limit?: number;
}

interface OutputOutcome extends KeptOutcome {
  readonly texts: readonly KeptText[];
  readonly allowance: Allowance;
  /** A window has a mark in place of a key. */
  readonly isMasked: boolean;
  /** Whether one text was named, so that each result need not say which it is from. */
  readonly isNamed: boolean;
}

const MOST_FACT = 300;
const MOST_PATH = 120;
const MOST_NAME = 60;

export const searchOutput = defineTool<Arguments, OutputOutcome>({
  name: 'search_output',
  group: 'output',
  lane: () => 'light',
  effect: 'reads',
  description:
    'Searches outputs kept out of the context (by keep_output, hooks, test runs): shows 300 characters around each hit. Ask all at once: many calls get shorter ones.',
  input: {
    type: 'object',
    properties: {
      queries: {
        type: 'array',
        items: { type: 'string', minLength: 1, maxLength: LIMITS.queryChars.max },
        maxItems: LIMITS.maxQueries.max,
        description: 'Words; each ranked by itself',
      },
      source: { type: 'string', description: 'Handle or name of one output', minLength: 1, maxLength: LIMITS.sourceChars.max },
      limit: integer('outputResults', 'Results of each query'),
      root: ROOT,
      maxChars: MAX_CHARS,
    },
    required: ['queries'],
    additionalProperties: false,
  },
  budget: 'maxChars',
  run: async (args, context) => {
    const { spools, brake } = context.outputs;
    if (args.queries.length === 0) throw new ToolError('argument_invalid', '"queries" is empty.');
    const folder = context.root.path;
    const texts = args.source === undefined ? spools.visible(folder) : spools.named(folder, args.source);
    if (texts.length === 0) throw nothingToSearch(args.source, spools.visible(folder));
    const allowance = brake.take(performance.now());
    const { searchKept } = await import('../search/kept.js');
    const limit = allowance === 'all' ? (args.limit ?? LIMITS.outputResults.def) : 1;
    const { masksSecrets } = context.root;
    const query = { queries: args.queries, limit, masksSecrets, ...(allowance === 'one' ? { windows: 1 } : {}) };
    const outcome = await searchKept(query, texts, spools.of(folder).folder, context.search, { ...context, notes: [] });
    const answers = allowance === 'one' ? onlyFirst(outcome.answers) : outcome.answers;
    const isMasked = answers.some(({ places }) => places.some(({ windows }) => windows.some((window) => window.isMasked)));
    return { ...outcome, answers, isMasked, texts, allowance, isNamed: texts.length === 1 };
  },
  text: (outcome, maxChars, style) => {
    const shown = outcome.answers.flatMap((answer) => answer.places.map((place) => ({ answer, place })));
    return fit(shown.length, maxChars, (most) => {
      let left = most;
      const parts = outcome.answers.flatMap((answer) => {
        const places = answer.places.slice(0, left);
        left -= places.length;
        return [headline(answer, outcome), ...places.flatMap((place, index) => placeLines(place, index + 1, outcome, style))];
      });
      return [
        ...parts,
        ...facts(
          outcome,
          shown.slice(0, most).map(({ place }) => place),
        ).map((fact) => `# ${fact}`),
      ].join('\n');
    });
  },
  data: (outcome, maxChars) => {
    const all = outcome.answers.flatMap(({ query, places }) => places.map((place) => result(query, place)));
    const results = all.slice(
      0,
      countWithin(all, maxChars, ({ path, text }) => path.join('').length + text.length),
    );
    return {
      results,
      queries: outcome.answers.map(({ query, layer, total, replaced, missing }) => ({
        query,
        layer: layer ?? null,
        total,
        replaced,
        missing,
      })),
      searchedTexts: outcome.texts.length,
      brake: outcome.allowance === 'all' ? null : outcome.allowance,
      truncated: results.length < all.length || outcome.timedOut,
      timedOut: outcome.timedOut,
      partial: outcome.isPartial,
      notes: facts(outcome, []),
      durationMs: outcome.elapsedMs,
    };
  },
  found: ({ answers }) => answers.some(({ places }) => places.length > 0),
  summary: ({ answers, texts, allowance }) => ({
    texts: texts.length,
    hits: answers.reduce((sum, { total }) => sum + total, 0),
    layers: answers.map(({ layer }) => layer),
    allowance,
  }),
});

/** No kept text, or none of that name, is another thing than no hit. */
function nothingToSearch(source: string | undefined, visible: readonly KeptText[]): ToolError {
  if (source === undefined) return new ToolError('output_none', 'Nothing has been kept yet, so there is nothing to search.');
  const names = [...new Set(visible.map((text) => text.source))].slice(-5).map((name) => `"${clip(showControls(name), MOST_NAME)}"`);
  const known = names.length === 0 ? ' Nothing has been kept yet.' : ` Kept are: ${names.join(', ')}.`;
  return new ToolError('output_unknown', `No kept output is called "${clip(showControls(source), MOST_NAME)}".${known}`);
}

/** The first result of all queries; the others keep their counts. */
function onlyFirst(answers: readonly KeptAnswer[]): KeptAnswer[] {
  const first = answers.findIndex(({ places }) => places.length > 0);
  return answers.map((answer, index) => (index === first ? answer : { ...answer, places: [] }));
}

function headline({ query, layer, total, missing, replaced }: KeptAnswer, { texts, isPartial }: OutputOutcome): string {
  const words = `"${clip(showControls(query), MOST_FACT)}"`;
  if (layer === undefined) {
    const over = `${plural(texts.length, 'output')} (${bytes(texts.reduce((sum, text) => sum + text.bytes, 0))})`;
    return `# ${words}: ${isPartial ? 'nothing found, but not all was searched' : `no hit in ${over}, also not as part of a word or misspelled`}`;
  }
  const said = [
    `${plural(total, 'place')} by ${layer}`,
    ...replaced.map(({ word, as, layer: how }) =>
      how === 'substrings' ? `"${showControls(word)}" within words` : `"${showControls(word)}" read as "${showControls(as)}"`,
    ),
    ...(missing.length === 0 ? [] : [`nowhere: ${showControls(missing.join(' '))}`]),
  ];
  return clip(`# ${words}: ${said.join('; ')}`, MOST_FACT * 2);
}

function placeLines(place: KeptPlace, rank: number, outcome: OutputOutcome, style: Style): string[] {
  const { source, handle } = place.text;
  const called = clip(showControls(source), MOST_NAME);
  const name = outcome.isNamed ? '' : `${style.path(isShared(place.text, outcome) ? `${called} ${handle}` : called)} `;
  const lines = place.windows.flatMap((window) => {
    const texts = window.text.split('\n').map(showControls);
    return texts.map((text, index) => {
      const before = index === 0 && window.isCutBefore ? '…' : '';
      const after = index === texts.length - 1 && window.isCutAfter ? '…' : '';
      return `${window.line + index}  ${before}${text}${after}`;
    });
  });
  const path = place.path.length === 0 ? '' : ` ${clip(showControls(place.path.join(' > ')), MOST_PATH)}`;
  return [`[${rank}] ${name}${rangeOf(place)}${path}`, ...lines];
}

/** Whether another text is called the same, so that the name alone does not tell which one is meant. */
const isShared = ({ source, handle }: KeptText, { texts }: OutputOutcome): boolean =>
  texts.some((other) => other.source === source && other.handle !== handle);

function extent({ windows }: KeptPlace): { startLine: number; endLine: number } {
  const last = windows.at(-1);
  return { startLine: windows[0]?.line ?? 1, endLine: last === undefined ? 1 : last.line + last.text.split('\n').length - 1 };
}

function rangeOf(place: KeptPlace): string {
  const { startLine, endLine } = extent(place);
  return startLine === endLine ? `line ${startLine}` : `lines ${startLine}-${endLine}`;
}

function result(query: string, place: KeptPlace): { query: string; path: readonly string[]; text: string } & Record<string, unknown> {
  return {
    query,
    source: place.text.handle,
    name: place.text.source,
    kind: place.text.kind,
    ...extent(place),
    path: place.path,
    score: Math.round(place.score * 10) / 10,
    text: place.windows.map(({ text }) => text).join('\n…\n'),
  };
}

/** @param shown places of which the reply must say where they are from */
function facts(outcome: OutputOutcome, shown: readonly KeptPlace[]): string[] {
  const { texts, isNamed, allowance, timedOut, limitMs, notes } = outcome;
  const named = isNamed ? [] : shown.map(({ text }) => text).filter((text) => !isShared(text, outcome));
  const sources = [...new Map(named.map((text) => [text.handle, text])).values()];
  return [
    ...sources.map((text) => `source ${text.handle} is ${clip(showControls(text.source), MOST_NAME)}`),
    ...(outcome.isMasked ? ['keys or tokens in the output are shown as [masked: …]'] : []),
    ...(allowance === 'all' ? [] : [brakeNote(allowance)]),
    ...(timedOut ? [`stopped after ${count(limitMs)} ms: incomplete; name a source`] : []),
    ...notes.map((note) => clip(showControls(note), MOST_FACT)),
    ...(texts.length > 1 && shown.length === 0 ? [`${count(texts.length)} outputs searched; source names one`] : []),
  ];
}

function brakeNote(allowance: Allowance): string {
  const what = allowance === 'one' ? 'one result of 300 characters a call' : 'one result a query';
  return `many calls in a short time: ${what} for now; ask several queries in one call, or wait a while`;
}
