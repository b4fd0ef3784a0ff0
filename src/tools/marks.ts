/** What replies say about the files and lines they show beside the lines themselves: stamps and masks. Pure. */
import { plural } from '../base/display.js';
import { wellFormed } from '../base/path-bytes.js';
import type { Stamps } from '../search/stamps.js';

/** Behind the place of a file: ` @Ab3_xY`, or nothing where there is no stamp. */
export function stampOf(stamps: Stamps | undefined, path: string): string {
  const stamp = stamps?.get(path);
  return stamp === undefined ? '' : ` @${stamp}`;
}

/** Stamps of the files of a reply that are shown, for structured replies. */
export function stampsOf(stamps: Stamps | undefined, paths: Iterable<string>): { stamps?: Record<string, string> } {
  const shown: Record<string, string> = {};
  for (const path of paths) {
    const stamp = stamps?.get(path);
    if (stamp !== undefined) shown[wellFormed(path)] = stamp;
  }
  return Object.keys(shown).length === 0 ? {} : { stamps: shown };
}

/** @param lines how many shown lines have a mark in place of a secret */
export function maskedFacts(lines: number): string[] {
  if (lines === 0) return [];
  return [`${plural(lines, 'line')} not as in the file: [masked: …] stands for a key or token`];
}
