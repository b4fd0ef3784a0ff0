/** The budget that ends a search: takes ripgrep's events, keeps the rows of accepted files, and says stop when the matches or
 *  the text kept pass their cap. Pure. Memory is bounded by the cap, not by what the repository holds. */
import { cutAround } from '../base/display.js';
import { LONGEST_SECRET, MASK_START, secretsOf, withMasks } from '../security/mask.js';
import type { LongEvent, RgEvent, Span } from './events.js';

/** A shown line, or the lines of one match that goes over several. */
export interface Row {
  /** Of the first line, 1-based. */
  readonly line: number;
  readonly isHit: boolean;
  /** Cut around the first match where the line is long; a match across lines has line feeds inside. */
  readonly text: string;
  /** Places of matches in `text`. */
  readonly spans: readonly Span[];
  /** Units of the line left out before and after `text`. */
  readonly before: number;
  readonly after: number;
  /** A line too long for an event, whose text is still to be read. */
  readonly long?: LongEvent;
  /** A mark stands in place of a secret, so that this is not the file's text. */
  readonly isMasked?: boolean;
}

export interface FileRows {
  readonly path: string;
  /** In line order; context rows among them. */
  readonly rows: Row[];
  hits: number;
  /** Where a NUL byte made ripgrep stop in this file. */
  binaryOffset: number | undefined;
}

/** A place in a result: everything up to and including this line of this file was shown. */
export interface Place {
  readonly path: string;
  readonly line: number;
}

export interface BudgetOptions {
  /** More matches than this end the search; one more is kept, as the sign that there are more. */
  readonly maxHits: number;
  /** UTF-16 units of kept text that end the search. */
  readonly maxText: number;
  readonly maxLineChars: number;
  /** Show a mark in place of keys and tokens. */
  readonly masksSecrets?: boolean;
  accepts(path: string): boolean;
  /** Skip what was shown already. */
  readonly after?: { readonly place: Place; compare(a: string, b: string): number };
}

export class MatchBudget {
  readonly files: FileRows[] = [];
  /** Names that are not UTF-8 and were decoded with replacement characters. */
  lossyPaths = 0;
  readonly #options: BudgetOptions;
  #hits = 0;
  #text = 0;
  #isSpent = false;
  #file: FileRows | undefined;
  #fromLine = 0;

  constructor(options: BudgetOptions) {
    this.#options = options;
  }

  get hits(): number {
    return this.#hits;
  }

  /** Whether a cap, not the end of the search, ended it. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  /** Takes one event; false means that the budget is spent. */
  accept(event: RgEvent): boolean {
    switch (event.type) {
      case 'begin':
        this.#begin(event.path, event.isLossyPath);
        return true;
      case 'match':
      case 'context':
        return this.#add(event.type === 'match', event.line, () => this.#row(event));
      case 'long':
        return this.#add(event.isMatch, event.line ?? 0, () => longRow(event));
      case 'end':
        this.#end(event.binaryOffset);
        return true;
      default:
        return true;
    }
  }

  #begin(path: string, isLossy: boolean): void {
    const after = this.#options.after;
    const order = after === undefined ? 1 : after.compare(path, after.place.path);
    this.#fromLine = order === 0 ? (after?.place.line ?? 0) + 1 : 0;
    this.#file = order >= 0 && this.#options.accepts(path) ? { path, rows: [], hits: 0, binaryOffset: undefined } : undefined;
    if (isLossy && this.#file !== undefined) this.lossyPaths++;
  }

  #add(isHit: boolean, line: number, make: () => Row): boolean {
    const file = this.#file;
    if (file === undefined || line < this.#fromLine) return true;
    const row = make();
    if (file.rows.length === 0) {
      this.files.push(file);
      this.#text += file.path.length;
    }
    file.rows.push(row);
    this.#text += row.text.length;
    if (isHit) {
      file.hits++;
      this.#hits++;
    }
    this.#isSpent = this.#hits > this.#options.maxHits || this.#text > this.#options.maxText;
    return !this.#isSpent;
  }

  #end(binaryOffset: number | undefined): void {
    if (this.#file === undefined) return;
    this.#file.binaryOffset = binaryOffset;
    this.#file = undefined;
  }

  #row(given: { type: string; line: number; text: string; spans: readonly Span[] }): Row {
    const event = this.#options.masksSecrets === true ? masked(given) : given;
    const first = event.spans[0] ?? { start: 0, end: 0 };
    // A match across lines gets more room, since it is several lines.
    const max = this.#options.maxLineChars * (event.text.includes('\n') ? 10 : 1);
    const cut = cutAround(event.text, first.start, Math.min(first.end, first.start + max), max);
    // The first match is what the window is about, even where it is longer; others count only if they are whole.
    const spans = event.spans
      .map(({ start, end }) => ({ start: start - cut.before, end: end - cut.before }))
      .filter(({ start, end }, index) => start >= 0 && (index === 0 || end <= cut.text.length))
      .map(({ start, end }) => ({ start, end: Math.min(end, cut.text.length) }));
    // A slice keeps the whole line alive in memory; a copy does not.
    const text = cut.text.length < event.text.length ? Buffer.from(cut.text, 'utf16le').toString('utf16le') : cut.text;
    const row = { line: event.line, isHit: event.type === 'match', text, spans, before: cut.before, after: cut.after };
    // The mark may lie in the part that was cut away.
    return text.includes(MASK_START) && event !== given ? { ...row, isMasked: true } : row;
  }
}

/** Of a longer line only what is near its first match is looked at for secrets: no more of it is shown. */
const MASK_WINDOW = 2 * LONGEST_SECRET + 8_192;

/** Masked before it is cut: a part of a key is not recognised. */
function masked<E extends { readonly text: string; readonly spans: readonly Span[] }>(event: E): E {
  const from = Math.max(0, (event.spans[0]?.start ?? 0) - MASK_WINDOW / 2);
  const near = event.text.length <= MASK_WINDOW ? event.text : event.text.slice(from, from + MASK_WINDOW);
  const offset = near === event.text ? 0 : from;
  const lines = near.split('\n');
  const parts: { start: number; end: number }[] = [];
  let at = offset;
  for (const [index, found] of secretsOf(lines).entries()) {
    for (const { start, end } of found) parts.push({ start: start + at, end: end + at });
    at += (lines[index]?.length ?? 0) + 1;
  }
  return parts.length === 0 ? event : { ...event, ...pick(withMasks(event.text, event.spans, parts)) };
}

const pick = ({ text, spans }: { readonly text: string; readonly spans: readonly Span[] }): { text: string; spans: readonly Span[] } => ({
  text,
  spans,
});

function longRow(event: LongEvent): Row {
  const text = event.matchText?.slice(0, 200) ?? '';
  return { line: event.line ?? 0, isHit: event.isMatch, text, spans: [{ start: 0, end: text.length }], before: 0, after: 0, long: event };
}
