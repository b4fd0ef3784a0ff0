/** How a refinement reads: a few lines near the top of a reply, with the arguments that would narrow the call and what each gives,
 *  or the same as data. Pure. */
import { clip, count, plural, showJson } from '../base/display.js';
import type { Refinement } from '../search/refinement.js';
import type { Action, Suggestion } from '../search/suggestions.js';

/** Characters of a refinement, and the part of a small reply that it may take. */
const MOST_CHARS = 1_500;
const MOST_PART = 1 / 3;
const MOST_OF_KIND = 6;
/** So far above its bounds a search is only a little too broad, and two lines are enough. */
const SMALL_BREACH = 3;

export interface GateTextOptions {
  /** Of the whole reply. */
  readonly maxChars: number;
  /** Never more lines than this. */
  readonly maxLines?: number;
}

/** The lines of a refinement, at most as long as they are worth; without the `# ` before each. */
export function gateLines(refinement: Refinement, { maxChars, maxLines = 3 }: GateTextOptions): string[] {
  const room = Math.min(MOST_CHARS, Math.floor(maxChars * MOST_PART));
  const most = isSmall(refinement) ? Math.min(2, maxLines) : maxLines;
  for (let ofKind = MOST_OF_KIND; ofKind > 0; ofKind--) {
    const lines = linesWith(refinement, ofKind, most);
    if (lines.reduce((sum, line) => sum + line.length + 3, 0) <= room) return lines;
  }
  return [gateNote(refinement)].filter((line) => line.length + 3 <= room);
}

/** What is the matter, without the suggestions: what data says beside its fields. */
export function gateNote(refinement: Refinement): string {
  const { axes, isAtLeast, countedMs, estTokens, status, refusalCount } = refinement;
  if (status === 'open') return `the gate opened after ${plural(refusalCount, 'refusal')} in a row`;
  if (axes.includes('relevance')) return weakness(refinement);
  const size = `${isAtLeast ? 'over' : 'about'} ${count(rounded(estTokens))} tokens`;
  const counted = countedMs === undefined ? '' : `; counted for ${countedMs} ms`;
  return `broad (${axes.join(', ')}; ${size}${counted})`;
}

/** How much a refused search has found, and that nearly all of it is kept back. */
export function refusalHeadline({ hits, files, isAtLeast }: Refinement, noun: string, shown: number): string {
  return `${isAtLeast ? 'At least ' : ''}${plural(hits, noun)} in ${plural(files, 'file')}, ${shown === 0 ? 'none' : `the best ${shown}`} shown.`;
}

/** The line of a refusal that says how often it came. */
export function refusalLine({ refusalCount, bounds }: Refinement): string {
  const left = bounds.maxRefusals - refusalCount;
  const opens = left > 0 ? `after ${left} more` : 'with the next broad call';
  return `force: true shows what fits; refusal ${refusalCount} in a row, ${opens} the gate opens once`;
}

const isSmall = ({ hits, files, isAtLeast, bounds }: Refinement): boolean =>
  !isAtLeast && hits <= bounds.maxHits * SMALL_BREACH && files <= bounds.maxFiles * SMALL_BREACH;

const MOST_MISSING = 5;
const MISSING_WIDTH = 40;

function weakness({ relevance, missing }: Refinement): string {
  const words = missing.slice(0, MOST_MISSING).map((word) => showJson(clip(word, MISSING_WIDTH)));
  const without = words.length === 0 ? '' : `, without ${words.join(', ')}${missing.length > words.length ? ', …' : ''}`;
  return `weak (relevance): the best place holds ${Math.round((relevance ?? 0) * 100)} % of what the words weigh${without}; try other words, or fewer`;
}

/** An estimate, to two digits. */
function rounded(value: number): number {
  const unit = 10 ** Math.max(0, String(Math.round(value)).length - 2);
  return Math.round(value / unit) * unit;
}

function linesWith(refinement: Refinement, ofKind: number, maxLines: number): string[] {
  const { suggestions, hits, isAtLeast, isApproximate, status } = refinement;
  const kinds: readonly Action[] = ['narrow_scope', 'add_glob', 'whole_word', 'exclude_tests'];
  const amount = (value: number): string => `${count(value)}${isAtLeast ? '+' : ''}`;
  const phrases = kinds.flatMap((action) => {
    const some = suggestions.filter((one) => one.action === action).slice(0, ofKind);
    if (status === 'open' || some.length === 0) return [];
    const elsewhere = hits - some.reduce((sum, { wouldYield }) => sum + wouldYield, 0);
    const rest = action === 'narrow_scope' && elsewhere > 0 ? `; elsewhere ${amount(elsewhere)}` : '';
    return [phraseOf(some, amount) + rest];
  });
  if (phrases.length === 0) return [gateNote(refinement)];
  const first = `${gateNote(refinement)}. One of these narrows it to ${isApproximate ? 'about ' : ''}the number behind it${isAtLeast ? ' (+: at least)' : ''}:`;
  const [scopes = '', ...others] = phrases;
  return maxLines <= 2 || others.length === 0 ? [first, phrases.join(SEPARATOR)] : [first, scopes, others.join(SEPARATOR)];
}

const SEPARATOR = ' \u00b7 ';

/** `scope: "a" 12, "b" 7` */
function phraseOf(some: readonly Suggestion[], amount: (value: number) => string): string {
  const [{ argument } = { argument: 'scope' }] = some;
  return `${argument}: ${some.map(({ arg, wouldYield }) => `${showJson(arg)} ${amount(wouldYield)}`).join(', ')}`;
}

/** The fields of a refinement in structured results. */
export function gateData(refinement: Refinement | undefined): object {
  if (refinement === undefined) return {};
  const {
    status,
    reason,
    hits,
    files,
    isAtLeast,
    isApproximate,
    estTokens,
    relevance,
    distribution,
    elsewhere,
    suggestions,
    refusalCount,
  } = refinement;
  return {
    status,
    reason,
    summary: {
      totalFound: hits,
      files,
      estTokens,
      topScore: relevance ?? null,
      ...(isAtLeast ? { isAtLeast } : {}),
      ...(isApproximate ? { isApproximate } : {}),
    },
    distribution: distribution.map(({ dir, hits: here }) => ({ dir, hits: here })),
    ...(distribution.length > 0 ? { elsewhere } : {}),
    suggestions: suggestions.map(({ action, argument, arg, wouldYield }) => ({ action, argument, arg, wouldYield })),
    refusalCount,
  };
}
