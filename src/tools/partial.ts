/** What a reply says when time ran out: how much was covered, up to where, and the call that covers the rest. Pure; the same for all
 *  searches. */
import { bytes, count, plural, showPath } from '../base/display.js';
import { wellFormed } from '../base/path-bytes.js';
import type { Covered } from '../search/cover.js';

const MOST_NAMED = 3;

/** @param limitMs time that the call had
 *  @param cursor  continues with what is not covered; undefined when nothing can */
export function partialFacts(covered: Covered | undefined, limitMs: number, cursor: string | undefined): string[] {
  if (covered === undefined) return [];
  const { upTo, uncovered, seen } = covered;
  const lines = [`incomplete: stopped after ${count(limitMs)} ms; ${amount(covered)}`];
  if (upTo !== undefined && cursor !== undefined)
    lines.push(
      `everything before ${showPath(upTo)} in path order is covered${uncovered.length > 0 ? ', except what is named below' : ''}; the rest: repeat this call with cursor: "${cursor}"`,
    );
  if (seen.length > 0) lines.push(`seen there so far: ${seen.map(({ path, line }) => `${showPath(path)}:${line}`).join(', ')}`);
  if (uncovered.length > 0) {
    const names = uncovered.slice(0, MOST_NAMED).map(showPath).join(', ');
    const rest = uncovered.length > MOST_NAMED ? ` and ${count(uncovered.length - MOST_NAMED)} more` : '';
    lines.push(
      `not covered, and too large for one call: ${names}${rest}; search ${uncovered.length > 1 ? 'each' : 'it'} as scope with a longer timeoutMs`,
    );
  }
  if (cursor === undefined && uncovered.length === 0)
    lines.push('what was not reached may stand anywhere: narrow scope or globs, or raise timeoutMs');
  return lines;
}

function amount({ files, bytes: size, total, upTo }: Covered): string {
  if (files === 0 && upTo === undefined) return 'how many files were searched is not known';
  const all =
    total === undefined
      ? 'an unknown total'
      : `${plural(total.files, 'file')}${total.bytes === undefined ? '' : ` (${bytes(total.bytes)})`}`;
  return `this call covered ${plural(files, 'file')}${size === undefined ? '' : ` (${bytes(size)})`} of ${all}`;
}

/** The same as data. */
export function coveredData(covered: Covered | undefined): object {
  if (covered === undefined) return {};
  const { files, bytes: size, total, upTo, uncovered } = covered;
  return {
    covered: {
      files,
      ...(size === undefined ? {} : { bytes: size }),
      ...(total === undefined ? {} : { totalFiles: total.files }),
      ...(total?.bytes === undefined ? {} : { totalBytes: total.bytes }),
      ...(upTo === undefined ? {} : { upTo: wellFormed(upTo) }),
      ...(uncovered.length === 0 ? {} : { uncovered: uncovered.map(wellFormed) }),
    },
  };
}
