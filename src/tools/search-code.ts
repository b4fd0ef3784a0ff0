/** search_code: the best places for a question, as packets of evidence, pointers, and what the reply covers. */
import { bytes, clip, count, cutAround, plural, showControls, showCut, showJson, showName, showPath } from '../base/display.js';
import { laneOfSearch } from '../base/lane.js';
import { LIMITS } from '../base/limits.js';
import { wellFormed } from '../base/path-bytes.js';
import type { Place, Range, RankedQuery, RankedOutcome as Ranking } from '../search/ranked.js';
import type { ShownFile, Stamped } from '../search/stamps.js';
import { maskedFacts, stampOf, stampsOf } from './marks.js';
import { coveredData, partialFacts } from './partial.js';
import { CURSOR, EXCLUDE, GLOBS, integer, MAX_CHARS, ROOT, SCOPE, TIMEOUT } from './properties.js';
import type { Style } from './style.js';
import { defineTool } from './tool.js';

type Arguments = Partial<RankedQuery> & { readonly query: string };
type RankedOutcome = Stamped<Ranking>;

/** Share of a reply that packets may take; pointers get what is left. */
const PACKET_SHARE = 0.55;
/** Less room than this makes no packet: the place becomes a pointer. */
const LEAST_PACKET = 160;
const GOOD_PACKET = 300;
const LINE_WIDTH = 160;
const POINTER_WIDTH = 48;
/** Of a pointer's line at least this much is kept for the word it is about. */
const WORD_ROOM = 12;
const BLOCK_WIDTH = 60;
const MOST_WORDS = 120;
const MOST_FACT = 300;

export const searchCode = defineTool<Arguments, RankedOutcome>({
  name: 'search_code',
  group: 'search',
  lane: laneOfSearch,
  effect: 'reads',
  description:
    'Where is the code for this? Ranks files by the words of a question or error message and shows the lines that matter. ' +
    '"Quoted" parts are exact, -word demotes. Tests and docs rank low unless asked for. For every occurrence use search_text.',
  input: {
    type: 'object',
    properties: {
      query: {
        type: 'string',
        description: 'Words as they stand in the code, an identifier, or an error message',
        minLength: 1,
        maxLength: LIMITS.queryChars.max,
      },
      scope: SCOPE,
      globs: GLOBS,
      exclude: EXCLUDE,
      topK: integer('topK', 'Files shown with their lines'),
      includeTests: { type: 'boolean', description: 'Rank tests like other code', default: false },
      cursor: CURSOR,
      root: ROOT,
      maxChars: MAX_CHARS,
      timeoutMs: TIMEOUT,
    },
    required: ['query'],
    additionalProperties: false,
  },
  budget: 'maxChars',
  run: async (args, context) => {
    const { searchRanked } = await import('../search/ranked.js');
    const query = {
      ...args,
      tool: 'search_code' as const,
      topK: args.topK ?? LIMITS.topK.def,
      includeTests: args.includeTests ?? false,
      namesBlocks: true,
    };
    const outcome = await searchRanked(query, context.search, context);
    const { stampFiles } = await import('../search/stamps.js');
    return { ...outcome, stamps: await stampFiles(outcome.places.map(shownFile), context) };
  },
  text: (outcome, maxChars, style) => {
    if (outcome.places.length === 0) return clip([headline(outcome), ...facts(outcome).map((fact) => `# ${fact}`)].join('\n'), maxChars);
    const trailer = [headline(outcome), ...facts(outcome)].map((fact) => `# ${fact}`);
    const mayBeMasked = outcome.places.reduce((sum, { evidence }) => sum + (evidence?.masked?.size ?? 0), 0);
    const longest = maskedFacts(mayBeMasked).join('').length;
    const reserved = Math.min(trailer.join('\n').length + 1 + (longest === 0 ? 0 : longest + 3), Math.floor(maxChars / 2));
    const { packets, left } = packPackets(outcome, Math.max(0, maxChars - reserved), style);
    const lines = packets.map(({ text }) => text);
    let used = lines.join('\n').length;
    let shown = packets.length;
    let masked = packets.reduce((sum, { place, ranges }) => sum + maskedIn(place, ranges), 0);
    for (const place of outcome.places.slice(packets.length)) {
      const line = pointerLine(outcome, place, shown + 1, style);
      if (used + line.length + 1 + reserved > maxChars) break;
      lines.push(line);
      used += line.length + 1;
      shown++;
      masked += maskedIn(place, [bestRange(place)]);
    }
    const omitted = left.map(({ place, ranges }) => omissionCall(place, ranges));
    const room = maxChars - used - reserved;
    const calls: string[] = [];
    for (const call of omitted) if (calls.join('\n').length + call.length + 4 < room) calls.push(call);
    trailer.push(...maskedFacts(masked).map((fact) => `# ${fact}`));
    return clip([...lines, ...trailer, ...calls.map((call) => `# ${call}`)].join('\n'), maxChars);
  },
  data: (outcome, maxChars) => {
    const results: object[] = [];
    const paths: string[] = [];
    let used = 0;
    let masked = 0;
    const shownPlaces = outcome.places.slice(0, outcome.query.topK);
    const share = Math.floor((maxChars * PACKET_SHARE) / Math.max(1, shownPlaces.length));
    for (const place of shownPlaces) {
      const ranges = outcome.ranges(place, Math.max(1, share - place.path.length), (line) =>
        Math.min(LINE_WIDTH, textOf(place, line).length),
      );
      const rows = ranges.flatMap(({ start, end }) =>
        Array.from({ length: end - start + 1 }, (_, i) => ({ line: start + i, text: shortLine(place, start + i) })),
      );
      const size = place.path.length + rows.reduce((sum, row) => sum + row.text.length, 0);
      if (used + size > maxChars && results.length > 0) break;
      used += size;
      paths.push(place.path);
      masked += maskedIn(place, ranges);
      const symbol = place.block === undefined ? {} : { symbol: place.block };
      results.push({ path: wellFormed(place.path), ...extent(place, ranges), score: round(place.score), ...symbol, lines: rows });
    }
    const pointers: object[] = [];
    for (const place of outcome.places.slice(results.length)) {
      const { line, text } = bestLine(place);
      const size = place.path.length + text.length;
      if (used + size > maxChars) continue;
      used += size;
      paths.push(place.path);
      masked += maskedIn(place, [bestRange(place)]);
      pointers.push({ path: wellFormed(place.path), startLine: place.window.start, endLine: place.window.end, line, text });
    }
    return {
      results,
      pointers,
      ...stampsOf(outcome.stamps, paths),
      totalMatches: outcome.totalMatches,
      totalFiles: outcome.totalFiles,
      unmatchedTerms: outcome.unmatched.map(({ word }) => word),
      distribution: outcome.distribution,
      truncated: results.length + pointers.length < Math.max(outcome.totalFiles, outcome.places.length) || outcome.timedOut,
      timedOut: outcome.timedOut,
      partial: outcome.isPartial,
      ...coveredData(outcome.covered),
      ...(outcome.nextCursor === undefined ? {} : { nextCursor: outcome.nextCursor }),
      notes: [headline(outcome), ...maskedFacts(masked), ...facts(outcome)],
      durationMs: outcome.elapsedMs,
    };
  },
  found: (outcome) => outcome.places.length > 0,
  summary: (outcome) => ({
    hits: outcome.totalMatches,
    files: outcome.totalFiles,
    partial: outcome.isPartial,
    scores: outcome.places.slice(0, 3).map(({ path, parts }) => ({ path, ...parts })),
  }),
});

/** The lines that are known of a place; a masked one is not as in the file. */
function shownFile({ path, evidence }: Place): ShownFile {
  const lines = [...(evidence?.texts ?? [])].filter(([line]) => evidence?.masked?.has(line) !== true);
  return { path, lines: new Map(lines) };
}

function maskedIn({ evidence }: Place, ranges: readonly Range[]): number {
  return [...(evidence?.masked ?? [])].filter((line) => ranges.some(({ start, end }) => line >= start && line <= end)).length;
}

function bestRange(place: Place): Range {
  const { line } = bestLine(place);
  return { start: line, end: line };
}

const round = (score: number): number => Math.round(score * 10) / 10;

interface Packet {
  readonly place: Place;
  readonly text: string;
  readonly ranges: readonly Range[];
}

/** The first places with their lines, each in an equal share of the room; what one leaves goes to the next. */
function packPackets(
  outcome: RankedOutcome,
  room: number,
  style: Style,
): { packets: Packet[]; left: { place: Place; ranges: readonly Range[] }[] } {
  const packets: Packet[] = [];
  let free = Math.floor(room * PACKET_SHARE);
  // Fewer packets that say something rather than many that do not.
  const most = Math.min(outcome.query.topK, outcome.places.length, Math.max(1, Math.floor(free / GOOD_PACKET)));
  for (const place of outcome.places.slice(0, most)) {
    const share = Math.floor(free / (most - packets.length));
    const packet = share < LEAST_PACKET ? undefined : makePacket(outcome, place, packets.length + 1, share, style);
    if (packet === undefined || packet.text.length > free) break;
    packets.push(packet);
    free -= packet.text.length + 1;
  }
  const left = packets.filter(({ place, ranges }) => hiddenLines(place, ranges).length > 0);
  return { packets, left };
}

function makePacket(outcome: RankedOutcome, place: Place, rank: number, share: number, style: Style): Packet | undefined {
  const found = place.evidence?.found ?? [];
  if (found.length === 0) return { place, ranges: [], text: pointerLine(outcome, place, rank, style) };
  const header = (ranges: readonly Range[]): string => {
    const { startLine, endLine } = extent(place, ranges);
    return `[${rank}] ${style.path(showPath(place.path))}:${startLine}-${endLine}${stampOf(outcome.stamps, place.path)}  score ${place.score.toFixed(1)}${inBlock(place)}${hasWords(outcome, place)}`;
  };
  const room = share - header([{ start: 10_000, end: 10_000 }]).length - 1;
  // Each line costs its text, its number and its line end; a gap before it may cost an omission mark.
  const cost = (line: number): number => shortLine(place, line).length + String(line).length + 3;
  for (let budget = room; budget > 0; budget = Math.floor(budget * 0.8)) {
    const ranges = outcome.ranges(place, budget, cost);
    const text = [header(ranges), ...rangeLines(place, ranges)].join('\n');
    if (text.length <= share) return { place, ranges, text };
    if (ranges.length === 1 && ranges[0]?.start === ranges[0]?.end) break;
  }
  return undefined;
}

const inBlock = ({ block }: Place): string => (block === undefined ? '' : `  in ${clip(showName(block), BLOCK_WIDTH)}`);

function rangeLines(place: Place, ranges: readonly Range[]): string[] {
  return ranges.flatMap(({ start, end }, index) => {
    const before = ranges[index - 1]?.end;
    const gap = before === undefined ? [] : [before + 1 === start - 1 ? `${start - 1} omitted` : `${before + 1}-${start - 1} omitted`];
    return [...gap, ...Array.from({ length: end - start + 1 }, (_, i) => `${start + i}  ${shortLine(place, start + i)}`)];
  });
}

const textOf = (place: Place, line: number): string => place.evidence?.texts.get(line) ?? '';

/** A line of the file; a long one is cut around its first word of the query. */
function shortLine(place: Place, line: number): string {
  const text = textOf(place, line);
  const found = place.evidence?.found.find((one) => one.line === line);
  const at = text.length > LINE_WIDTH ? (found?.at ?? Math.max(0, text.search(/\S/))) : 0;
  return showCut(cutAround(text, at, at, LINE_WIDTH)).trimEnd();
}

function extent(place: Place, ranges: readonly Range[]): { startLine: number; endLine: number } {
  return { startLine: ranges[0]?.start ?? place.window.start, endLine: ranges.at(-1)?.end ?? place.window.end };
}

/** Which of the query's words a place has, when it lacks some. */
function hasWords(outcome: RankedOutcome, place: Place): string {
  const words = mainTerms(outcome);
  const has = words.filter(({ index }) => (place.mask & (1 << index)) !== 0).map(({ text }) => text);
  return has.length === words.length || has.length === 0 || words.length < 2 ? '' : `  has: ${showName(has.join(' '))}`;
}

const mainTerms = ({ terms }: RankedOutcome): { text: string; index: number }[] =>
  terms.terms
    .map(({ text, kind, isNegative }, index) => ({ text, index, counts: kind !== 'part' && !isNegative }))
    .filter(({ counts }) => counts);

/** The words that were found; where none was, the parts of names that were searched in their place. */
function searchedTerms(outcome: RankedOutcome): readonly { readonly text: string }[] {
  const absent = new Set(outcome.unmatched.filter(({ near }) => near.length === 0).map(({ word }) => word));
  const words = mainTerms(outcome);
  const parts = outcome.terms.terms.filter(({ kind }) => kind === 'part');
  return words.every(({ text }) => absent.has(text)) && parts.length > 0 ? parts : words;
}

function bestLine(place: Place): { line: number; text: string } {
  const best = [...(place.evidence?.found ?? [])].sort((a, b) => b.value - a.value || a.line - b.line)[0];
  if (best === undefined) return { line: 1, text: '' };
  const whole = textOf(place, best.line).trimEnd();
  const indent = whole.length - whole.trimStart().length;
  // From its start, unless the words would fall out of sight.
  const from = best.at - indent < POINTER_WIDTH - WORD_ROOM ? indent : best.at;
  const cut = cutAround(whole.slice(indent), from - indent, from - indent, POINTER_WIDTH);
  return { line: best.line, text: `${cut.before > 0 ? '…' : ''}${cut.text}${cut.after > 0 ? '…' : ''}` };
}

function pointerLine({ stamps }: RankedOutcome, place: Place, rank: number, style: Style): string {
  const { start, end } = place.window;
  const { text } = bestLine(place);
  const range = start === end ? `${start}` : `${start}-${end}`;
  return `[${rank}] ${style.path(showPath(place.path))}:${range}${stampOf(stamps, place.path)}  ${text === '' ? '(path only)' : showControls(text)}`;
}

const hiddenLines = (place: Place, ranges: readonly Range[]): number[] =>
  [...(place.evidence?.hits ?? [])].filter((line) => !ranges.some(({ start, end }) => line >= start && line <= end));

function omissionCall(place: Place, ranges: readonly Range[]): string {
  const hidden = hiddenLines(place, ranges);
  const start = hidden[0] ?? 1;
  const end = Math.min(hidden.at(-1) ?? start, start + LIMITS.maxLines.max - 1);
  const inside = hidden.filter((line) => line <= end).length;
  return `${plural(inside, 'further line')} with these words: read_snippet ${showJson({ path: place.path, startLine: start, endLine: end })}`;
}

function headline(outcome: RankedOutcome): string {
  const { query, totalFiles, totalMatches, searched, timedOut, places } = outcome;
  const over = searched === undefined ? '' : ` of ${count(searched.files)} searched (${bytes(searched.bytes)})`;
  const words = clip(
    showControls(
      searchedTerms(outcome)
        .map(({ text }) => text)
        .join(' '),
    ),
    MOST_WORDS,
  );
  if (searched?.files === 0 && places.length === 0 && !timedOut) return 'Nothing was searched: no file fits the scope, globs and rules.';
  if (places.length === 0 && query.cursor !== undefined && !timedOut) return `No further place for: ${words}.`;
  if (places.length === 0) {
    const isSure = !outcome.isPartial && outcome.large === 0;
    return `No place ${isSure ? 'found' : 'to show'} for: ${words}${isSure && over !== '' ? `. No file${over} has one of these words` : ''}.`;
  }
  return `${plural(totalMatches, 'line')} in ${plural(totalFiles, 'file')}${over} have one of: ${words}`;
}

function facts(outcome: RankedOutcome): string[] {
  const lines: string[] = [];
  for (const { word, near } of outcome.unmatched.slice(0, 5)) {
    const offer =
      near.length === 0 ? '' : `; searched instead as ${near[0]}${near.length > 1 ? ` (also near: ${near.slice(1).join(', ')})` : ''}`;
    lines.push(`${showJson(word)} matches nothing${offer}`);
  }
  const words = mainTerms(outcome);
  const all = words.reduce((mask, { index }) => mask | (1 << index), 0);
  if (
    !outcome.isPartial &&
    outcome.query.cursor === undefined &&
    words.length > 1 &&
    outcome.unmatched.length === 0 &&
    outcome.places.length > 0 &&
    !outcome.places.some(({ mask }) => (mask & all) === all)
  ) {
    lines.push('no place has all of these words');
  }
  if (outcome.distribution.length > 1)
    lines.push(`most files: ${outcome.distribution.map(({ dir, files }) => `${showPath(dir)} ${count(files)}`).join(', ')}`);
  lines.push(...outcome.notes.map(showControls));
  if (outcome.places.length === 0)
    lines.push('try other words; search_text says of one word whether ignored (ignored: true), binary or large files have it');
  // A cursor must stay whole.
  return [...partialFacts(outcome.covered, outcome.limitMs, outcome.nextCursor), ...lines.map((line) => clip(line, MOST_FACT))];
}
