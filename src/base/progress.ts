/** What a running call has done so far, for progress notifications. Written by the search, read by whoever reports. Places are looked at
 *  only where somebody watches, so that a call without a reader pays for a few counters alone. */
import { clip, count, plural, showPath } from './display.js';
import { Tally } from './tally.js';

/** A place that was found; line 1-based, undefined where only the file is known. */
export interface FoundPlace {
  readonly path: string;
  readonly line: number | undefined;
}

/** Of a path in a message; a longer one loses its end, which a reply then shows. */
const PATH_CHARS = 200;

export class Progress {
  matches = 0;
  /** Files that hold them. */
  matchedFiles = 0;
  /** Files that were listed. */
  files = 0;
  /** Whether the places found so far are of interest. */
  isWatched = false;
  /** Whether the call has not begun, because others run. */
  isWaiting = false;
  /** What was searched; ripgrep tells it at the end of each of its runs. */
  readonly tally = new Tally();
  #best: FoundPlace | undefined;
  #weight = 0;
  #isRanked = false;
  #describe: (() => string) | undefined;
  /** A search that starts again, part by part, finds again what it has told of: the numbers told never go down. */
  #told = { matches: 0, files: 0 };

  /** Another message than the number of matches; asked for when one is sent. */
  describe(message: () => string): void {
    this.#describe = message;
  }

  /** Goes back to what an attempt begins with. */
  restart(matches: number, matchedFiles: number): void {
    this.matches = matches;
    this.matchedFiles = matchedFiles;
  }

  /** The best place so far. */
  get best(): FoundPlace | undefined {
    return this.#best;
  }

  /** Takes a place if it comes before the best one so far in the order of the reply.
   *  @param compare negative when the first path comes before the second */
  offerFirst(path: string, line: number | undefined, compare: (a: string, b: string) => number): void {
    const best = this.#best;
    if (best !== undefined && (best.path === path || compare(path, best.path) >= 0)) return;
    this.#best = { path, line };
  }

  /** Takes a place if it weighs more than the best one so far. */
  offer(path: string, line: number, weight: number): void {
    if (weight <= this.#weight) return;
    this.#weight = weight;
    this.#isRanked = true;
    this.#best = { path, line };
  }

  /** One line, short, in which nothing from the repository can break out of it. */
  get message(): string {
    if (this.isWaiting) return 'waits for its turn, since other calls are running';
    if (this.#describe !== undefined) return this.#describe();
    if (this.files > 0) return `${plural(this.files, 'file')} so far`;
    const matches = Math.max(this.#told.matches, this.matches);
    const files = Math.max(this.#told.files, this.matchedFiles);
    this.#told = { matches, files };
    const { filesSearched } = this.tally;
    const searched = filesSearched === 0 ? '' : `, ${plural(filesSearched, 'file')} searched`;
    if (matches === 0) return `no match so far${searched}`;
    const held = files === 0 ? '' : ` in ${plural(files, 'file')}`;
    return `${count(matches)} ${matches === 1 ? 'match' : 'matches'}${held} so far${searched}${this.#shownBest()}`;
  }

  #shownBest(): string {
    if (this.#best === undefined) return '';
    const { path, line } = this.#best;
    return `; ${this.#isRanked ? 'best' : 'first'} so far ${showPath(clip(path, PATH_CHARS))}${line === undefined ? '' : `:${line}`}`;
  }
}
