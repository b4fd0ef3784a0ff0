/** explore: relations between functions and files, an edge a line, each with the place that proves it. */
import { clip, count, showControls, showPath, showWord } from '../base/display.js';
import { LIMITS } from '../base/limits.js';
import { wellFormed } from '../base/path-bytes.js';
import type { Edge, Section } from '../search/edge.js';
import type { ExploreOutcome as Explored, ExploreQuery } from '../search/explore.js';
import type { Stamped } from '../search/stamps.js';
import { maskLine } from '../security/mask.js';
import { fit } from './fit.js';
import { maskedFacts, stampOf, stampsOf } from './marks.js';
import { integer, MAX_CHARS, ROOT, SCOPE, TIMEOUT } from './properties.js';
import type { Style } from './style.js';
import { defineTool } from './tool.js';

type Arguments = Partial<ExploreQuery>;

/** Texts of edges are masked. */
interface ExploreOutcome extends Stamped<Explored> {
  readonly masked?: number;
}

const TEXT_WIDTH = 120;
const MOST_FACT = 400;
const MOST_LINES = 6;
const MOST_STAMPS = 200;

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
    const outcome = await search.explore({ ...args, relation: args.relation ?? 'auto' }, context.search, context);
    const { stampFiles } = await import('../search/stamps.js');
    const stamps = await stampFiles(shownFiles(outcome), context);
    return { ...outcome, ...masking(outcome.sections, context.root.masksSecrets), stamps };
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
      ...stampsOf(
        outcome.stamps,
        sections.flatMap(({ edges }) => edges.map(({ path }) => path)),
      ),
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

/** Files with a line that an answer of the usual size can show; an edge about a folder or a whole file shows none. */
function shownFiles({ sections }: Explored): { readonly path: string }[] {
  const edges = sections.flatMap((section) => section.edges).filter(({ line }) => line > 0);
  return [...new Set(edges.map(({ path }) => path))].slice(0, MOST_STAMPS).map((path) => ({ path }));
}

function masking(sections: readonly Section[], isOn: boolean): Pick<ExploreOutcome, 'sections' | 'masked'> {
  if (!isOn) return { sections, masked: 0 };
  let masked = 0;
  const shown = sections.map(({ title, edges }) => ({
    title,
    edges: edges.map((edge) => {
      const { text, isMasked } = maskLine(edge.text);
      if (isMasked) masked++;
      return isMasked ? { ...edge, text } : edge;
    }),
  }));
  return { sections: shown, masked };
}

/** The first edges, in the order of their sections; a section that is cut says so. */
function render(outcome: ExploreOutcome, shown: number, style: Style): string {
  const lines: string[] = [];
  let left = shown;
  const named = new Set<string>();
  for (const section of outcome.sections) {
    const edges = section.edges.slice(0, left);
    left -= edges.length;
    lines.push(`# ${heading(section, edges.length)}`, ...edges.map((edge) => edgeLine(edge, stampFor(edge), style)));
  }
  if (outcome.sections.length === 0)
    lines.push(`# ${outcome.relation} of ${showWord(outcome.anchor)}: none found${outcome.isPartial ? ' so far' : ''}`);
  return [...lines, ...facts(outcome).map((fact) => `# ${fact}`)].join('\n');

  /** Where a file is first named with a line. */
  function stampFor({ path, line }: Edge): string {
    if (line === 0 || named.has(path)) return '';
    named.add(path);
    return stampOf(outcome.stamps, path);
  }
}

function heading({ title, edges }: Section, shown: number): string {
  const amount = edges.length === 1 || /^(?:definition|README)$|^\d/.test(title) ? '' : ` (${count(edges.length)})`;
  return `${showControls(clip(title, TEXT_WIDTH))}${amount}${shown < edges.length ? `, ${count(shown)} shown: raise maxChars or narrow scope` : ''}`;
}

function edgeLine({ path, line, lines, text }: Edge, stamp: string, style: Style): string {
  const more = lines.slice(0, MOST_LINES);
  const numbers = line === 0 ? '' : `:${[line, ...more].join(',')}${lines.length > more.length ? ',…' : ''}`;
  // What a folder has more is no path.
  const place = path === '…' ? path : style.path(showPath(path));
  return `${place}${numbers}${stamp}  ${showControls(clip(text, TEXT_WIDTH))}`.trimEnd();
}

function facts({ timedOut, limitMs, notes, masked = 0 }: ExploreOutcome): string[] {
  const lines = timedOut ? [`stopped after ${count(limitMs)} ms: incomplete; narrow scope or raise timeoutMs`] : [];
  return [...lines, ...maskedFacts(masked), ...notes.map(showControls)].map((line) => clip(line, MOST_FACT));
}
