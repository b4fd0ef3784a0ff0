/** What an exact search is asked. */
import type { Gate } from './gate.js';
import type { FileChoice } from './selection.js';

export interface ExactQuery extends FileChoice {
  readonly pattern: string;
  readonly regex?: boolean;
  readonly ignoreCase: boolean;
  readonly word: boolean;
  readonly multiline: boolean;
  readonly encoding?: string;
  readonly binary: boolean;
  readonly output: 'content' | 'files' | 'count';
  readonly context: number;
  readonly maxMatches: number;
  readonly maxChars: number;
  readonly cursor?: string;
  /** Asked whether the result is too much; absent where the caller has set a bound of its own. */
  readonly gate?: Gate;
}
