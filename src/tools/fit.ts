/** Fitting a reply into its budget. Pure. */
import { clip } from '../base/display.js';

/** The reply with as many items as fit.
 *  @param items   how many there are
 *  @param render  the whole reply, trailer included, when the first `count` items are shown
 *  @returns text of at most `maxChars` units; with no item at all it is cut hard as a last resort */
export function fit(items: number, maxChars: number, render: (count: number) => string): string {
  let low = 0;
  let best = items > 0 ? undefined : render(0);
  if (items > 0) {
    const all = render(items);
    if (all.length <= maxChars) return all;
    let high = items - 1;
    // Longer with every item but for a few digits in the trailer, which the check of each candidate covers.
    while (low <= high) {
      const middle = Math.ceil((low + high) / 2);
      const text = render(middle);
      if (text.length <= maxChars) {
        best = text;
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
  }
  const text = best ?? render(0);
  return clip(text, maxChars);
}

/** How many leading items stay within a budget of units; at least one, so that a caller always gets on. */
export function countWithin<T>(items: readonly T[], maxChars: number, size: (item: T) => number): number {
  let used = 0;
  for (const [index, item] of items.entries()) {
    used += size(item);
    if (used > maxChars) return Math.max(1, index);
  }
  return items.length;
}
