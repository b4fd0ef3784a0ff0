/** search_text: exact search, complete and in path order, or cut with the place to go on from. */

import { showControls, showCut, showPath } from '../base/display.js';
import { laneOfSearch } from '../base/lane.js';
import { LIMITS } from '../base/limits.js';
import { wellFormed } from '../base/path-bytes.js';
import type { FileRows, Row } from '../ripgrep/budget.js';
import type { ExactOutcome } from '../search/exact.js';
import type { ExactQuery } from '../search/exact-query.js';
import type { Refinement } from '../search/refinement.js';
import type { ShownFile, Stamped } from '../search/stamps.js';
import { countWithin, fit } from './fit.js';
import { gateData, gateLines, gateNote, refusalHeadline, refusalLine } from './gate-text.js';
import { maskedFacts, stampOf, stampsOf } from './marks.js';
import { coveredData } from './partial.js';
import { CURSOR, EXCLUDE, FORCE, GLOBS, IGNORED, integer, MAX_CHARS, ROOT, SCOPE, TIMEOUT } from './properties.js';
import { available, facts, headline, hitsOf, itemsOf, moreOf, nextCursor, totalsOf, truncateReason } from './search-text-facts.js';
import type { Style } from './style.js';
import { defineTool } from './tool.js';

type Arguments = Omit<Partial<ExactQuery>, 'gate'> & { readonly pattern: string; readonly force?: boolean };

/** A line with more places than this is given with the first of them. */
const DATA_SUBMATCHES = 10;

export const searchText = defineTool<Arguments, Stamped<ExactOutcome>>({
  name: 'search_text',
  group: 'search',
  lane: laneOfSearch,
  effect: 'reads',
  description:
    'Exact search of every file: literal or regex, in path order, complete or with a cursor. ' +
    'An empty reply says what kept matches out, a broad one what narrows it.',
  input: {
    type: 'object',
    properties: {
      pattern: { type: 'string', description: 'Text or regex', minLength: 1, maxLength: LIMITS.patternChars.max },
      regex: {
        type: 'boolean',
        description: 'false: literal; unset: a regex where that makes sense',
      },
      ignoreCase: { type: 'boolean', description: 'Any letter case', default: false },
      word: { type: 'boolean', description: 'Whole words', default: false },
      multiline: { type: 'boolean', description: 'Over several lines', default: false },
      scope: SCOPE,
      globs: GLOBS,
      exclude: EXCLUDE,
      output: {
        type: 'string',
        enum: ['content', 'files', 'count'],
        description: 'Lines, paths, or matches per file',
        default: 'content',
      },
      context: integer('context', 'Lines around each match'),
      maxMatches: integer('maxMatches', 'Matches (or files) shown'),
      ignored: IGNORED,
      encoding: {
        type: 'string',
        description: 'e.g. gbk, without a byte order mark',
        pattern: '^[\\w:.-]{1,40}$',
      },
      binary: { type: 'boolean', description: 'Binary files as text', default: false },
      force: FORCE,
      cursor: CURSOR,
      root: ROOT,
      maxChars: MAX_CHARS,
      timeoutMs: TIMEOUT,
    },
    required: ['pattern'],
    additionalProperties: false,
  },
  budget: 'maxChars',
  run: async (args, context) => {
    const { searchExact } = await import('../search/exact.js');
    const { force, ...asked } = args;
    const outcome = await searchExact(
      {
        ...asked,
        ...(force === true || hasOwnBound(args) ? {} : { gate: context.gate }),
        ignoreCase: args.ignoreCase ?? false,
        word: args.word ?? false,
        multiline: args.multiline ?? false,
        binary: args.binary ?? false,
        output: args.output ?? 'content',
        context: args.context ?? LIMITS.context.def,
        maxMatches: args.maxMatches ?? LIMITS.maxMatches.def,
        maxChars: args.maxChars ?? context.limits.maxChars,
      },
      context.search,
      context,
    );
    const { stampFiles } = await import('../search/stamps.js');
    return { ...outcome, stamps: await stampFiles(shownFiles(outcome), context) };
  },
  text: (outcome, maxChars, style) => {
    const items = itemsOf(outcome);
    if (outcome.gate?.status === 'refine') return refusalText(outcome, outcome.gate, maxChars, style);
    const advice = outcome.gate === undefined ? [] : gateLines(outcome.gate, { maxChars }).map((line) => `# ${line}`);
    const render = (shown: number): string => {
      // A reply that shows everything is no flood, and advice would only make it longer.
      const isWhole = shown === outcome.total?.matches;
      const body = outcome.query.output === 'content' ? contentLines(outcome, shown, style) : countLines(outcome, shown, style);
      const tooSmall = shown === 0 && items > 0 ? [`the next match does not fit into maxChars: ${maxChars}; raise maxChars`] : [];
      const trailer = [...tooSmall, ...moreOf(outcome, shown), ...maskedFacts(maskedIn(outcome, shown)), ...facts(outcome)].map(
        (fact) => `# ${fact}`,
      );
      return [headline(outcome, shown), ...(isWhole ? [] : advice), ...body, ...trailer].join('\n');
    };
    return fit(items, maxChars, render);
  },
  data: (outcome, maxChars) => {
    if (outcome.gate?.status === 'refine') return refusalData(outcome, outcome.gate);
    const isContent = outcome.query.output === 'content';
    const hits = hitsOf(outcome).slice(0, outcome.query.maxMatches);
    const counts = outcome.counts.slice(0, outcome.query.maxMatches);
    const context = outcome.query.context;
    const shown = isContent
      ? countWithin(hits, maxChars, (hit) => sizeOf(hit, context))
      : countWithin(counts, maxChars, ({ path }) => path.length);
    const isTruncated = shown < available(outcome) || outcome.isCapped || outcome.timedOut;
    const cursor = nextCursor(outcome, shown);
    return {
      ...gateData(outcome.gate),
      ...(isContent
        ? {
            matches: hits.slice(0, shown).map(({ file, row }) => matchOf(file, row, outcome.query.context)),
            ...stampsOf(
              outcome.stamps,
              hits.slice(0, shown).map(({ file }) => file.path),
            ),
          }
        : {}),
      ...(outcome.query.output === 'files' ? { files: counts.slice(0, shown).map(({ path }) => wellFormed(path)) } : {}),
      ...(outcome.query.output === 'count'
        ? { counts: counts.slice(0, shown).map(({ path, ...count }) => ({ path: wellFormed(path), ...count })) }
        : {}),
      reading: outcome.reading.isLiteral ? 'literal' : 'regex',
      seenMatches: available(outcome),
      ...totalsOf(outcome),
      truncated: isTruncated,
      truncateReason: truncateReason(outcome, shown),
      timedOut: outcome.timedOut,
      partial: outcome.isPartial,
      ...coveredData(outcome.covered),
      notes: [
        headline(outcome, shown),
        ...adviceNotes(outcome, shown),
        ...moreOf(outcome, shown),
        ...maskedFacts(maskedIn(outcome, shown)),
        ...facts(outcome),
      ],
      ...(cursor === undefined ? {} : { nextCursor: cursor }),
      durationMs: outcome.elapsedMs,
    };
  },
  found: (outcome) => available(outcome) > 0,
  summary: (outcome) => ({
    hits: available(outcome),
    reading: outcome.reading.isLiteral ? 'literal' : 'regex',
    partial: outcome.isPartial,
    capped: outcome.isCapped,
    ...(outcome.gate === undefined ? {} : { gate: outcome.gate.status, reason: outcome.gate.reason }),
  }),
});

/** The caller has said how much it wants, or goes on with what it has seen the beginning of. */
const hasOwnBound = ({ maxMatches, cursor, output = 'content' }: Arguments): boolean =>
  maxMatches !== undefined || cursor !== undefined || output !== 'content';

/** Nothing but the refinement and the best few matches. */
function refusalText(outcome: ExactOutcome, gate: Refinement, maxChars: number, style: Style): string {
  const advice = [...gateLines(gate, { maxChars }), refusalLine(gate)].map((line) => `# ${line}`);
  const previewed = available(outcome);
  return fit(previewed, maxChars, (shown) =>
    [
      `status: refine. ${refusalHeadline(gate, 'match', shown)}`,
      ...advice,
      ...contentLines(outcome, shown, style),
      ...maskedFacts(maskedIn(outcome, shown)).map((fact) => `# ${fact}`),
      ...facts(outcome).map((fact) => `# ${fact}`),
    ].join('\n'),
  );
}

function refusalData(outcome: Stamped<ExactOutcome>, gate: Refinement): object {
  const hits = hitsOf(outcome);
  return {
    ...gateData(gate),
    preview: hits.map(({ file, row }) => matchOf(file, row, outcome.query.context)),
    ...stampsOf(
      outcome.stamps,
      hits.map(({ file }) => file.path),
    ),
    reading: outcome.reading.isLiteral ? 'literal' : 'regex',
    truncated: true,
    partial: outcome.isPartial,
    notes: [
      refusalHeadline(gate, 'match', hits.length),
      gateNote(gate),
      refusalLine(gate),
      ...maskedFacts(maskedIn(outcome, hits.length)),
      ...facts(outcome),
    ],
    durationMs: outcome.elapsedMs,
  };
}

function adviceNotes({ gate, total }: ExactOutcome, shown: number): string[] {
  return gate === undefined || shown === total?.matches ? [] : [gateNote(gate)];
}

/** Files with the lines that a reply may show, as far as the budget can reach. */
function shownFiles({ files, query }: ExactOutcome): ShownFile[] {
  const shown: ShownFile[] = [];
  let left = query.maxChars;
  let hits = query.maxMatches;
  for (const { path, rows, hits: own } of files) {
    if (left <= 0 || hits <= 0) break;
    const lines = new Map<number, string>();
    for (const row of rows) {
      if (row.isMasked !== true && row.long === undefined && row.before + row.after === 0)
        for (const [index, text] of row.text.split('\n').entries()) lines.set(row.line + index, text);
    }
    shown.push({ path, lines });
    left -= rows.reduce((sum, { text }) => sum + text.length, path.length);
    hits -= own;
  }
  return shown;
}

/** Masked lines among those of the first `shown` matches. */
function maskedIn({ files, query }: ExactOutcome, shown: number): number {
  let left = shown;
  let masked = 0;
  for (const { rows } of files) {
    const hits = rows.filter((row) => row.isHit).slice(0, left);
    left -= hits.length;
    masked += rows.filter(
      (row) => row.isMasked && (row.isHit ? hits.includes(row) : hits.some((hit) => isAround(hit, row, query.context))),
    ).length;
    if (left <= 0) break;
  }
  return masked;
}

/** Path lines with the rows of the first `shown` matches. */
function contentLines(outcome: Stamped<ExactOutcome>, shown: number, style: Style): string[] {
  const lines: string[] = [];
  let left = shown;
  for (const file of outcome.files) {
    const hits = file.rows.filter((row) => row.isHit).slice(0, left);
    if (hits.length === 0) continue;
    left -= hits.length;
    lines.push(`${style.path(showPath(file.path))}${stampOf(outcome.stamps, file.path)}`);
    for (const row of file.rows) {
      const isShown = row.isHit ? hits.includes(row) : hits.some((hit) => isAround(hit, row, outcome.query.context));
      if (isShown) lines.push(...rowLines(row, style));
    }
    if (left === 0) break;
  }
  return lines;
}

const endOf = (row: Row): number => row.line + row.text.split('\n').length - 1;
const isAround = (hit: Row, row: Row, context: number): boolean => row.line >= hit.line - context && row.line <= endOf(hit) + context;

function rowLines(row: Row, style: Style): string[] {
  const mark = row.isHit ? ':' : '-';
  const texts = row.text.split('\n').map((text) => text.replace(/\r$/, ''));
  if (texts.length > 1) {
    return texts.map((text, index) => {
      const isLast = index === texts.length - 1;
      const cut = { text, before: index === 0 ? row.before : 0, after: isLast ? row.after : 0 };
      return `${row.line + index}${mark}${style.hit(showCut(cut))}`;
    });
  }
  return [`${row.line}${mark}${row.isHit ? marked(row, style) : style.dim(showCut(row))}`];
}

/** The row with its matches marked, on a terminal. */
function marked(row: Row, style: Style): string {
  if (style.hit('x') === 'x') return showCut(row);
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of row.spans) {
    if (start < at) continue;
    parts.push(showControls(row.text.slice(at, start)), style.hit(showControls(row.text.slice(start, end))));
    at = end;
  }
  parts.push(showControls(row.text.slice(at)));
  return showCut({ text: '', before: row.before, after: 0 }) + parts.join('') + showCut({ text: '', before: 0, after: row.after });
}

function countLines(outcome: ExactOutcome, shown: number, style: Style): string[] {
  const isCount = outcome.query.output === 'count';
  return outcome.counts.slice(0, shown).map((entry) => style.path(showPath(entry.path)) + (isCount ? `:${entry.count}` : ''));
}

/** The context lines of one match. */
function contextOf(file: FileRows, hit: Row, context: number): { before: Row[]; after: Row[] } {
  const around = context === 0 ? [] : file.rows.filter((row) => !row.isHit && isAround(hit, row, context));
  return { before: around.filter((row) => row.line < hit.line), after: around.filter((row) => row.line > hit.line) };
}

function sizeOf({ file, row }: { file: FileRows; row: Row }, context: number): number {
  const { before, after } = contextOf(file, row, context);
  return file.path.length + [row, ...before, ...after].reduce((sum, { text }) => sum + text.length, 0);
}

function matchOf(file: FileRows, row: Row, context: number): object {
  const plain = ({ line, text }: Row): object => ({ line, text });
  const { before, after } = contextOf(file, row, context);
  const end = endOf(row);
  return {
    path: wellFormed(file.path),
    line: row.line,
    ...(end > row.line ? { endLine: end } : {}),
    column: (row.spans[0]?.start ?? 0) + 1,
    text: row.text,
    submatches: row.spans.slice(0, DATA_SUBMATCHES),
    ...(row.before + row.after > 0 ? { cutBefore: row.before, cutAfter: row.after } : {}),
    ...(context > 0 ? { before: before.map(plain), after: after.map(plain) } : {}),
  };
}
