/** list_files: which files there are, by glob or folder. */

import { count, plural, showControls, showPath } from '../base/display.js';
import { laneOfSearch } from '../base/lane.js';
import { LIMITS } from '../base/limits.js';
import { wellFormed } from '../base/path-bytes.js';
import type { ListedFile, ListOutcome, ListQuery } from '../search/listing.js';
import { countWithin, fit } from './fit.js';
import { coveredData, partialFacts } from './partial.js';
import { CURSOR, GLOBS, IGNORED, integer, MAX_CHARS, ROOT, SCOPE, TIMEOUT } from './properties.js';
import { defineTool } from './tool.js';

type Arguments = Partial<ListQuery>;

export const listFiles = defineTool<Arguments, ListOutcome>({
  name: 'list_files',
  group: 'search',
  lane: laneOfSearch,
  effect: 'reads',
  description: 'Files by glob or folder, hidden ones included; with the total, and a cursor for more.',
  input: {
    type: 'object',
    properties: {
      globs: GLOBS,
      scope: SCOPE,
      maxResults: integer('maxResults', 'Files shown'),
      sort: { type: 'string', enum: ['path', 'modified'], description: 'Path order, or newest first', default: 'path' },
      ignored: IGNORED,
      cursor: CURSOR,
      root: ROOT,
      maxChars: MAX_CHARS,
      timeoutMs: TIMEOUT,
    },
    additionalProperties: false,
  },
  budget: 'maxChars',
  run: async (args, context) => {
    const search = await import('../search/listing.js');
    return search.listFiles(
      { ...args, sort: args.sort ?? 'path', maxResults: args.maxResults ?? LIMITS.maxResults.def },
      context.search,
      context,
    );
  },
  text: (outcome, maxChars, style) =>
    fit(shownOf(outcome).length, maxChars, (shown) => {
      const paths = outcome.files.slice(0, shown).map((file) => style.path(showPath(file.path)));
      const tooSmall =
        shown === 0 && outcome.files.length > 0 ? [`the next path does not fit into maxChars: ${maxChars}; raise maxChars`] : [];
      const cursor = nextCursor(outcome, shown);
      const isAll = shown >= outcome.files.length;
      const more = cursor === undefined || isAll ? [] : [`more: repeat this call with cursor: "${cursor}"`];
      const partial = partialFacts(outcome.covered, outcome.limitMs, isAll ? cursor : undefined);
      return [
        `# ${headline(outcome, shown)}`,
        ...paths,
        ...[...tooSmall, ...more, ...partial, ...facts(outcome)].map((fact) => `# ${fact}`),
      ].join('\n');
    }),
  data: (outcome, maxChars) => {
    const files = shownOf(outcome);
    const shown = countWithin(files, maxChars, (file) => file.path.length);
    const cursor = nextCursor(outcome, shown);
    const isCut = shown < outcome.files.length;
    return {
      files: files.slice(0, shown).map((file) => wellFormed(file.path)),
      returned: shown,
      ...(outcome.total === undefined ? {} : { totalFiles: outcome.shownBefore + outcome.total }),
      truncated: isCut || outcome.timedOut,
      truncateReason: outcome.timedOut ? 'timeout' : !isCut ? null : shown === outcome.query.maxResults ? 'maxResults' : 'maxChars',
      timedOut: outcome.timedOut,
      partial: outcome.isPartial,
      ...coveredData(outcome.covered),
      notes: [headline(outcome, shown), ...partialFacts(outcome.covered, outcome.limitMs, isCut ? undefined : cursor), ...facts(outcome)],
      ...(cursor === undefined ? {} : { nextCursor: cursor }),
      durationMs: outcome.elapsedMs,
    };
  },
  found: (outcome) => outcome.files.length > 0,
  summary: (outcome) => ({ files: outcome.total, partial: outcome.isPartial }),
});

const shownOf = (outcome: ListOutcome): readonly ListedFile[] => outcome.files.slice(0, outcome.query.maxResults);

function headline(outcome: ListOutcome, shown: number): string {
  const { total, shownBefore, timedOut } = outcome;
  if (outcome.files.length === 0) {
    if (timedOut) return 'No file found so far, which is no proof of absence.';
    if (outcome.isPartial) return 'No file could be listed: incomplete.';
    return outcome.query.cursor === undefined ? 'No files match.' : 'No further files.';
  }
  const amount = total === undefined ? 'An unknown number of files' : plural(shownBefore + total, 'file');
  const isAll = shownBefore === 0 && shown === total;
  const order = outcome.query.sort === 'modified' ? ', newest first' : '';
  return `${amount}${isAll ? '' : `, ${count(shownBefore + (shown > 0 ? 1 : 0))}-${count(shownBefore + shown)} shown`}${order}.`;
}

function nextCursor(outcome: ListOutcome, shown: number): string | undefined {
  if (shown >= outcome.files.length) return outcome.cursorBeyond(shown);
  const last = outcome.files[shown - 1];
  // Cut by time, what follows in another order than that of paths is not known.
  if (last === undefined || (outcome.timedOut && outcome.query.sort === 'modified')) return undefined;
  return outcome.cursorAfter(last, shown);
}

function facts({ hidden, notes, files, query, isPartial }: ListOutcome): string[] {
  const lines: string[] = [];
  lines.push(...notes.map(showControls));
  if (hidden === 'none' && !isPartial) lines.push('ignored files were looked at as well; secrets (.env, keys) and .git are never listed');
  else if (hidden === 'unknown') lines.push('whether ignored files match was not found out in time: ignored: true lists them');
  else if (typeof hidden === 'object') {
    const number = `${hidden.isAtLeast ? 'at least ' : ''}${plural(hidden.files, 'file')}`;
    lines.push(`${number} with ignored: true (${showControls(hidden.because)}), first ${showPath(hidden.example)}`);
  }
  if (files.length === 0 && query.scope !== undefined && (query.globs ?? []).some((glob) => glob.includes('/')))
    lines.push('globs are relative to the root, not to scope');
  return lines;
}
