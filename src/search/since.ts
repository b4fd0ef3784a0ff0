/** What a stamp of an earlier reply says of a file as it is now: unchanged, changed, and where the wanted lines are. Pure. */
import { plural } from '../base/display.js';
import type { FileState } from './file-states.js';
import { changedLines, whereWent } from './moved.js';

export interface Since {
  /** Where the wanted lines are now; undefined: where they were, or not to be said. */
  readonly lines?: WantedLines;
  readonly notes: readonly string[];
}

export interface WantedLines {
  readonly startLine: number;
  /** undefined: as far as the reply goes. */
  readonly endLine: number | undefined;
}

const UNCHANGED: Since = { notes: [] };

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
  const say = (text: string): Since => ({ notes: [text] });
  if (now === undefined) return say(`whether it changed since @${stamp} is not known: it was written just now`);
  if (now.stamp === stamp) return UNCHANGED;
  const changed = `changed since @${stamp}`;
  if (then?.lines === undefined || now.lines === undefined)
    return say(`${changed}; what it held then is not remembered, so lines may have moved`);
  if (wanted === undefined) {
    const [first, last] = changedLines(then.lines, now.lines);
    if (first > last && then.lines.length === now.lines.length) return say(`${changed}: no line differs, only how lines or the file end`);
    return say(
      first > last ? `${changed}: lines were removed before line ${first}` : `${changed}: all that differs is in lines ${first}-${last}`,
    );
  }
  const { startLine, endLine } = wanted;
  const size = then.lines.length;
  if (startLine > size) return say(`${changed}: it had ${plural(size, 'line')} then, so what is shown is new`);
  const last = endLine ?? startLine + most - 1;
  const verdict = whereWent(then.lines, now.lines, startLine, last);
  if (verdict.kind === 'gone') return say(`${changed}: what was in ${nameOf(wanted)} is not there any more`);
  const { start, end } = verdict.kind === 'same' ? { start: startLine, end: Math.min(last, size) } : verdict;
  // Lines that were asked for beyond the end of then stay beyond it; those that are there now are new.
  const beyond = Math.max(0, last - size);
  const fresh = Math.max(0, Math.min(end + beyond, now.lines.length) - end);
  if (verdict.kind === 'same' && fresh === 0) return say(`${changed}, but not in these lines`);
  const among = `${verdict.kind === 'same' ? '' : amongThem(verdict)}${fresh > 0 ? `, ${plural(fresh, 'line')} added behind them` : ''}`;
  const lines = { startLine: start, endLine: endLine === undefined ? undefined : end + beyond };
  const isThere = start === startLine && (endLine === undefined || beyond > 0 || lines.endLine === endLine);
  if (isThere) return say(`${changed}, also here${among}`);
  return { lines, notes: [`${changed}: ${nameOf(wanted)} moved to ${nameOf(lines)}${among}`] };
}

const nameOf = ({ startLine, endLine }: WantedLines): string =>
  endLine === undefined || endLine === startLine ? `line ${startLine}` : `lines ${startLine}-${endLine}`;

function amongThem({ changed, added, removed }: { changed: number; added: number; removed: number }): string {
  return [
    changed > 0 ? `, ${plural(changed, 'line')} of them changed` : '',
    added > 0 ? `, ${plural(added, 'line')} added among them` : '',
    removed > 0 ? `, ${plural(removed, 'line')} of them removed` : '',
  ].join('');
}
