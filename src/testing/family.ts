/** What every reader of one kind of test output is: it takes all lines, claims those that it knows, and tells what it found. */
import type { FailureList } from './failures.js';

export interface Line {
  /** Cleaned. */
  readonly text: string;
  /** Width of the white space before the text, tabs as one. */
  readonly indent: number;
  /** Without that white space. */
  readonly body: string;
}

export const lineOf = (text: string): Line => {
  const body = text.trimStart();
  return { text, indent: text.length - body.length, body };
};

/** undefined: the output does not tell. */
export interface Counts {
  readonly passed?: number | undefined;
  readonly failed?: number | undefined;
  readonly skipped?: number | undefined;
}

export interface Family {
  readonly name: string;
  /** Whether this is output of its kind. */
  readonly isSeen: boolean;
  readonly failures: FailureList;
  readonly counts: Counts;
  /** How many of the failed tests that it counts are not among `failures`, where that is not the mere difference. */
  readonly unseen?: number;
  /** Facts beside the tests. */
  readonly notes: readonly string[];
  /** Whether the line was of its kind; a claimed line is not looked at by the generic reader. */
  take(line: Line): boolean;
}

/** Numbers named by words, as in "3 failed | 1 passed": the last one of each word. */
export function numbersIn(text: string, words: string): Map<string, number> {
  return new Map([...text.matchAll(new RegExp(`(\\d+) (${words})\\b`, 'g'))].map(([, number = '0', word = '']) => [word, Number(number)]));
}
