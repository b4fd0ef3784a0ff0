/** What a stamp of an earlier reply says of a file as it is now: unchanged, changed, and where the wanted lines are. Pure. */
import { plural } from '../base/display.js';
import type { FileState } from './file-states.js';
import { changedLines, whereWent } from './moved.js';

export interface Since {
  /** What to add to the numbers of the wanted lines. */
  readonly shift: number;
  readonly notes: readonly string[];
}

export interface WantedLines {
  readonly startLine: number;
  /** undefined: as far as the reply goes. */
  readonly endLine: number | undefined;
}

const UNCHANGED: Since = { shift: 0, notes: [] };

/** @param now  undefined: the file cannot be stamped
 *  @param then what this process remembers of the state with the stamp
 *  @param wanted in the numbers of then; undefined where the call named no lines
 *  @param most  lines that a reply without an end shows */
export function since(
  stamp: string,
  now: FileState | undefined,
  then: FileState | undefined,
  wanted: WantedLines | undefined,
  most: number,
): Since {
  const say = (text: string, shift = 0): Since => ({ shift, notes: [text] });
  if (now === undefined) return say(`whether it changed since @${stamp} is not known: it was written just now`);
  if (now.stamp === stamp) return UNCHANGED;
  const changed = `changed since @${stamp}`;
  if (then?.lines === undefined || now.lines === undefined)
    return say(`${changed}; what it held then is not remembered, so lines may have moved`);
  if (wanted === undefined) {
    const [first, last] = changedLines(then.lines, now.lines);
    return say(
      first > last ? `${changed}: lines were removed before line ${first}` : `${changed}: all that differs is in lines ${first}-${last}`,
    );
  }
  const { startLine, endLine } = wanted;
  const name = (shift: number): string =>
    endLine === undefined || endLine === startLine ? `line ${startLine + shift}` : `lines ${startLine + shift}-${endLine + shift}`;
  const verdict = whereWent(then.lines, now.lines, startLine, endLine ?? startLine + most - 1);
  if (verdict.kind === 'same') return say(`${changed}, but not in these lines`);
  if (verdict.kind === 'gone') return say(`${changed}: what was in ${name(0)} is not there any more`);
  const { shift, changed: differing } = verdict;
  const among = differing === 0 ? '' : `, ${plural(differing, 'line')} of them changed`;
  return say(shift === 0 ? `${changed}, also here${among}` : `${changed}: ${name(0)} moved to ${name(shift)}${among}`, shift);
}
