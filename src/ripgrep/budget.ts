/** The budget that ends a search: takes ripgrep's events, keeps the rows of accepted files, and says stop when the matches or
 *  the text kept pass their cap. Pure. Memory is bounded by the cap, not by what the repository holds. */
import { cutAround } from '../base/display.js';
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

  #row(event: { type: string; line: number; text: string; spans: readonly Span[] }): Row {
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
    return { line: event.line, isHit: event.type === 'match', text, spans, before: cut.before, after: cut.after };
  }
}

function longRow(event: LongEvent): Row {
  const text = event.matchText?.slice(0, 200) ?? '';
  return { line: event.line ?? 0, isHit: event.isMatch, text, spans: [{ start: 0, end: text.length }], before: 0, after: 0, long: event };
}
