/** explore: relations between functions and files, an edge a line, each with the place that proves it. */
import { clip, count, showControls, showPath, showWord } from '../base/display.js';
import { laneOfSearch } from '../base/lane.js';
import { LIMITS } from '../base/limits.js';
import { wellFormed } from '../base/path-bytes.js';
import type { Edge, Section } from '../search/edge.js';
import type { ExploreOutcome as Explored, ExploreQuery } from '../search/explore.js';
import type { Refinement } from '../search/refinement.js';
import type { Stamped } from '../search/stamps.js';
import { maskLine } from '../security/mask.js';
import { fit } from './fit.js';
import { gateData, gateLines, gateNote, refusalHeadline, refusalLine } from './gate-text.js';
import { maskedFacts, stampOf, stampsOf } from './marks.js';
import { FORCE, integer, MAX_CHARS, ROOT, SCOPE, TIMEOUT } from './properties.js';
import type { Style } from './style.js';
import { defineTool } from './tool.js';

type Arguments = Omit<Partial<ExploreQuery>, 'gate'> & { readonly force?: boolean };

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
  lane: laneOfSearch,
  effect: 'reads',
  description:
    'Who calls a function, what it calls, imports, importers, what a change reaches, an overview of a folder; each edge with file:line.',
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
      force: FORCE,
      root: ROOT,
      maxChars: MAX_CHARS,
      timeoutMs: TIMEOUT,
    },
    additionalProperties: false,
  },
  budget: 'maxChars',
  run: async (args, context) => {
    const search = await import('../search/explore.js');
    const { force, ...asked } = args;
    const gate = force === true ? {} : { gate: context.gate };
    const outcome = await search.explore({ ...asked, relation: args.relation ?? 'auto', ...gate }, context.search, context);
    const { stampFiles } = await import('../search/stamps.js');
    const stamps = await stampFiles(shownFiles(outcome), context);
    return { ...outcome, ...masking(outcome.sections, context.root.masksSecrets), stamps };
  },
  text: (outcome, maxChars, style) => {
    const all = outcome.sections.flatMap((section) => section.edges);
    return fit(all.length, maxChars, (shown) => render(outcome, shown, maxChars, style));
  },
  data: (outcome, maxChars) => {
    let room = maxChars;
    const sections = outcome.sections.map(({ title, edges, isAtLeast }) => ({
      title,
      total: edges.length,
      ...(isAtLeast === true ? { isAtLeast } : {}),
      edges: edges
        .filter(({ path, text }) => {
          room -= path.length + text.length;
          return room > 0;
        })
        .map(({ path, line, lines, text }) => ({ path: wellFormed(path), line: line === 0 ? null : line, lines, text })),
    }));
    const { gate } = outcome;
    const shown = sections.reduce((sum, { edges }) => sum + edges.length, 0);
    const stamps = stampsOf(
      outcome.stamps,
      sections.flatMap(({ edges }) => edges.map(({ path }) => path)),
    );
    if (gate?.status === 'refine')
      return {
        ...gateData(gate),
        relation: outcome.relation,
        anchor: outcome.anchor,
        preview: sections,
        ...stamps,
        truncated: true,
        partial: outcome.isPartial,
        notes: [...advice(outcome, shown, (gate) => [gateNote(gate)]), ...facts(outcome)],
        durationMs: outcome.elapsedMs,
      };
    return {
      ...gateData(gate),
      relation: outcome.relation,
      anchor: outcome.anchor,
      sections,
      ...stamps,
      truncated: sections.some(({ total, edges }) => edges.length < total) || outcome.timedOut,
      timedOut: outcome.timedOut,
      partial: outcome.isPartial,
      notes: [...advice(outcome, shown, (gate) => [gateNote(gate)]), ...[absence(outcome) ?? []].flat(), ...facts(outcome)],
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
  const shown = sections.map(({ edges, ...section }) => ({
    ...section,
    edges: edges.map((edge) => {
      const { text, isMasked } = maskLine(edge.text);
      if (isMasked || edge.isMasked === true) masked++;
      return isMasked ? { ...edge, text } : edge;
    }),
  }));
  return { sections: shown, masked };
}

/** The first edges, in the order of their sections; a section that is cut says so. */
function render(outcome: ExploreOutcome, shown: number, maxChars: number, style: Style): string {
  const adviceOf = (gate: Refinement): string[] => gateLines(gate, { maxChars, maxLines: MOST_ADVICE });
  const lines = advice(outcome, shown, adviceOf).map((line) => `# ${line}`);
  let left = shown;
  const named = new Set<string>();
  for (const section of outcome.sections) {
    const edges = section.edges.slice(0, left);
    left -= edges.length;
    const title = outcome.gate?.status === 'refine' ? titleOf(section) : heading(section, edges.length);
    lines.push(`# ${title}`, ...edges.map((edge) => edgeLine(edge, stampFor(edge), style)));
  }
  if (outcome.sections.length === 0)
    lines.push(`# ${outcome.relation} of ${showWord(outcome.anchor)}: none found${outcome.isPartial ? ' so far' : ''}`);
  const none = absence(outcome);
  if (none !== undefined) lines.push(`# ${none}`);
  return [...lines, ...facts(outcome).map((fact) => `# ${fact}`)].join('\n');

  /** Where a file is first named with a line. */
  function stampFor({ path, line }: Edge): string {
    if (line === 0 || named.has(path)) return '';
    named.add(path);
    return stampOf(outcome.stamps, path);
  }
}

const MOST_ADVICE = 2;

/** What the gate says, where not everything is shown. */
function advice({ gate, sections }: ExploreOutcome, shown: number, adviceOf: (gate: Refinement) => string[]): string[] {
  if (gate === undefined) return [];
  const lines = adviceOf(gate);
  const all = sections.filter(isAnswer).reduce((sum, { edges }) => sum + edges.length, 0);
  if (gate.status === 'refine')
    return [`status: refine. ${refusalHeadline(gate, 'line', Math.min(shown, all))}`, ...lines, refusalLine(gate)];
  return shown >= sections.reduce((sum, { edges }) => sum + edges.length, 0) ? [] : lines;
}

const titleOf = ({ title }: Section): string => showControls(clip(title, TEXT_WIDTH));
const isAnswer = ({ title }: Section): boolean => title !== 'definition';

function heading(section: Section, shown: number): string {
  const { title, edges, isAtLeast } = section;
  const amount =
    edges.length === 1 || /^(?:definition|README)$|^\d/.test(title)
      ? ''
      : ` (${isAtLeast === true ? 'at least ' : ''}${count(edges.length)})`;
  return `${titleOf(section)}${amount}${shown < edges.length ? `, ${count(shown)} shown: raise maxChars or narrow scope` : ''}`;
}

function edgeLine({ path, line, lines, text }: Edge, stamp: string, style: Style): string {
  const more = lines.slice(0, MOST_LINES);
  const numbers = line === 0 ? '' : `:${[line, ...more].join(',')}${lines.length > more.length ? ',…' : ''}`;
  // What a folder has more is no path.
  const place = path === '…' ? path : style.path(showPath(path));
  return `${place}${numbers}${stamp}  ${showControls(clip(text, TEXT_WIDTH))}`.trimEnd();
}

/** Said where a definition is all that was found, or tests alone, so that what is missing is not taken for left out. */
function absence({ relation, sections, gate, isPartial }: ExploreOutcome): string | undefined {
  if (sections.length === 0 || gate?.status === 'refine') return undefined;
  const has = (title: RegExp): boolean => sections.some((section) => title.test(section.title));
  const soFar = isPartial ? ' so far' : '';
  if (relation === 'callers' || relation === 'impact') {
    if (!has(/^(?:definition|tests that call|.* used without a call$)/) || has(/^callers /)) return undefined;
    return has(/^tests that call/) ? `no callers found outside of tests${soFar}` : `no callers found${soFar}`;
  }
  return relation === 'callees' && !sections.some(isAnswer) ? `no callees found that are defined here${soFar}` : undefined;
}

function facts({ timedOut, limitMs, notes, masked = 0 }: ExploreOutcome): string[] {
  const lines = timedOut ? [`stopped after ${count(limitMs)} ms: incomplete; narrow scope or raise timeoutMs`] : [];
  return [...lines, ...maskedFacts(masked), ...notes.map(showControls)].map((line) => clip(line, MOST_FACT));
}
