/** Near spellings: which of the known names did the caller mean? Pure. */

/** Edits between two short names: insertions, deletions, substitutions and swaps of neighbours (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwap ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, swap));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}

const plain = (name: string): string => name.toLowerCase().replace(/[-_]/g, '');

/** Longer names are not misspelled but something else; comparing them costs their product. */
const MOST_LETTERS = 100;

/** The nearest of `names` to `name`, best first: those within a third of the letters, or that contain it or are contained in it. */
export function nearest(name: string, names: Iterable<string>, most = 3): string[] {
  const wanted = plain(name);
  if (wanted.length > MOST_LETTERS) return [];
  const scored: { candidate: string; distance: number }[] = [];
  for (const candidate of names) {
    const known = plain(candidate);
    if (known.length > MOST_LETTERS) continue;
    const contains = wanted.length > 2 && known.length > 2 && (known.includes(wanted) || wanted.includes(known));
    const distance =
      Math.abs(known.length - wanted.length) > Math.max(1, wanted.length / 3) ? Number.POSITIVE_INFINITY : editDistance(wanted, known);
    if (distance <= Math.max(1, Math.floor(wanted.length / 3)) || contains) scored.push({ candidate, distance });
  }
  return scored
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, most)
    .map((entry) => entry.candidate);
}
