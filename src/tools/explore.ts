/** explore: relations between functions and files, an edge a line, each with the place that proves it. */
import { clip, count, showControls, showPath, showWord } from '../base/display.js';
import { LIMITS } from '../base/limits.js';
import { wellFormed } from '../base/path-bytes.js';
import type { Edge, Section } from '../search/edge.js';
import type { ExploreOutcome, ExploreQuery } from '../search/explore.js';
import { fit } from './fit.js';
import { integer, MAX_CHARS, ROOT, SCOPE, TIMEOUT } from './properties.js';
import type { Style } from './style.js';
import { defineTool } from './tool.js';

type Arguments = Partial<ExploreQuery>;

const TEXT_WIDTH = 120;
const MOST_FACT = 400;
const MOST_LINES = 6;

export const exploreTool = defineTool<Arguments, ExploreOutcome>({
  name: 'explore',
  group: 'search',
  isReadOnly: true,
  description:
    'Who calls a function, what it calls, what a file imports, who imports it, what a change reaches, an overview of a folder; each edge with its file:line.',
  input: {
    type: 'object',
    properties: {
      relation: {
        type: 'string',
        enum: ['auto', 'callers', 'callees', 'dependencies', 'dependents', 'impact', 'overview'],
        description: 'auto: from the question or anchor',
        default: 'auto',
      },
      anchor: { type: 'string', description: 'Symbol, Class.method or file', maxLength: LIMITS.queryChars.max },
      question: { type: 'string', description: 'In words, for auto', maxLength: LIMITS.queryChars.max },
      scope: SCOPE,
      depth: integer('exploreDepth', 'Levels of callers (impact: 3)', { hasDefault: false }),
      root: ROOT,
      maxChars: MAX_CHARS,
      timeoutMs: TIMEOUT,
    },
    additionalProperties: false,
  },
  budget: 'maxChars',
  run: async (args, context) => {
    const search = await import('../search/explore.js');
    return search.explore({ ...args, relation: args.relation ?? 'auto' }, context.search, context);
  },
  text: (outcome, maxChars, style) => {
    const all = outcome.sections.flatMap((section) => section.edges);
    return fit(all.length, maxChars, (shown) => render(outcome, shown, style));
  },
  data: (outcome, maxChars) => {
    let room = maxChars;
    const sections = outcome.sections.map(({ title, edges }) => ({
      title,
      total: edges.length,
      edges: edges
        .filter(({ path, text }) => {
          room -= path.length + text.length;
          return room > 0;
        })
        .map(({ path, line, lines, text }) => ({ path: wellFormed(path), line: line === 0 ? null : line, lines, text })),
    }));
    return {
      relation: outcome.relation,
      anchor: outcome.anchor,
      sections,
      truncated: sections.some(({ total, edges }) => edges.length < total) || outcome.timedOut,
      timedOut: outcome.timedOut,
      partial: outcome.isPartial,
      notes: facts(outcome),
      durationMs: outcome.elapsedMs,
    };
  },
  found: (outcome) => outcome.sections.length > 0,
  summary: ({ relation, sections, isPartial }) => ({
    relation,
    edges: sections.reduce((sum, { edges }) => sum + edges.length, 0),
    partial: isPartial,
  }),
});

/** The first edges, in the order of their sections; a section that is cut says so. */
function render(outcome: ExploreOutcome, shown: number, style: Style): string {
  const lines: string[] = [];
  let left = shown;
  for (const section of outcome.sections) {
    const edges = section.edges.slice(0, left);
    left -= edges.length;
    lines.push(`# ${heading(section, edges.length)}`, ...edges.map((edge) => edgeLine(edge, style)));
  }
  if (outcome.sections.length === 0)
    lines.push(`# ${outcome.relation} of ${showWord(outcome.anchor)}: none found${outcome.isPartial ? ' so far' : ''}`);
  return [...lines, ...facts(outcome).map((fact) => `# ${fact}`)].join('\n');
}

function heading({ title, edges }: Section, shown: number): string {
  const amount = edges.length === 1 || /^(?:definition|README)$|^\d/.test(title) ? '' : ` (${count(edges.length)})`;
  return `${showControls(clip(title, TEXT_WIDTH))}${amount}${shown < edges.length ? `, ${count(shown)} shown: raise maxChars or narrow scope` : ''}`;
}

function edgeLine({ path, line, lines, text }: Edge, style: Style): string {
  const more = lines.slice(0, MOST_LINES);
  const numbers = line === 0 ? '' : `:${[line, ...more].join(',')}${lines.length > more.length ? ',…' : ''}`;
  // What a folder has more is no path.
  const place = path === '…' ? path : style.path(showPath(path));
  return `${place}${numbers}  ${showControls(clip(text, TEXT_WIDTH))}`.trimEnd();
}

function facts({ timedOut, limitMs, notes }: ExploreOutcome): string[] {
  const lines = timedOut ? [`stopped after ${count(limitMs)} ms: incomplete; narrow scope or raise timeoutMs`] : [];
  return [...lines, ...notes.map(showControls)].map((line) => clip(line, MOST_FACT));
}
