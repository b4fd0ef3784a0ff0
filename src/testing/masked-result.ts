/** The result of a test run with marks in place of keys and tokens that its output shows. Pure. */
import { maskLine, maskLines } from '../security/mask.js';
import type { TestResult } from './test-filter.js';

/** @returns the masked result, and how many lines have a mark */
export function maskResult(result: TestResult): { readonly result: TestResult; readonly masked: number } {
  let masked = 0;
  const lines = (texts: readonly string[]): string[] =>
    maskLines(texts).map((text, index) => {
      if (text !== texts[index]) masked++;
      return text;
    });
  const failures = result.failures.map((one) => ({ ...one, name: maskLine(one.name).text, lines: lines(one.lines) }));
  const telling = lines(result.telling);
  const tail = lines(result.tail);
  const last = result.lastFailure === undefined ? {} : { lastFailure: maskLine(result.lastFailure).text };
  return { result: { ...result, ...last, failures, telling, tail, notes: result.notes.map((note) => maskLine(note).text) }, masked };
}
