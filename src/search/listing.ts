/** One listing of files: complete counts and the first files of the order, in one parallel run and bounded memory. */
import { showPath, showWord } from '../base/display.js';
import type { RootRules, Selection } from '../ripgrep/accept.js';
import type { RulesPass } from '../ripgrep/args.js';
import type { RunEnd } from '../ripgrep/process.js';
import { modifiedNs } from '../security/tree.js';
import type { SearchContext, SearchParts } from './context.js';
import { decodeCursor, encodeCursor, queryHash } from './cursor.js';
import { complaintNotes, hidingNote, isIncomplete } from './notes.js';
import { comparePaths } from './order.js';
import { type FileChoice, findHidingRule, passesOf, readRootRules, select } from './selection.js';
import { Smallest } from './smallest.js';

export interface ListQuery extends FileChoice {
  readonly sort: 'path' | 'modified';
  readonly maxResults: number;
  readonly cursor?: string;
}

export interface ListedFile {
  readonly path: string;
  /** Nanoseconds since 1970; 0n when sorted by path. */
  readonly modified: bigint;
}

export interface ListOutcome {
  readonly query: ListQuery;
  /** In order, after the cursor; possibly one more than asked for. */
  readonly files: readonly ListedFile[];
  readonly shownBefore: number;
  /** From the cursor on; undefined when the listing was cut short. */
  readonly total: number | undefined;
  /** For an empty listing: files that ignore rules hide, and the first of them with its rule. */
  readonly hidden: { readonly files: number; readonly example: string; readonly because: string } | undefined;
  readonly timedOut: boolean;
  readonly isPartial: boolean;
  readonly notes: readonly string[];
  readonly limitMs: number;
  readonly elapsedMs: number;
  cursorAfter(file: ListedFile, shown: number): string;
}

/** The last file shown, its modification time as text (JSON has no large integers), and how many were shown so far. */
type Position = readonly [path: string, modified: string, shown: number];

function isPosition(value: unknown): value is Position {
  if (!Array.isArray(value) || value.length !== 3) return false;
  const [path, modified, shown] = value as unknown[];
  return typeof path === 'string' && typeof modified === 'string' && /^\d{1,20}$/.test(modified) && Number.isSafeInteger(shown);
}

/** Newest first, then path order: a total order, so that pages never overlap. */
const byModified = (a: ListedFile, b: ListedFile): number =>
  a.modified === b.modified ? comparePaths(a.path, b.path) : a.modified < b.modified ? 1 : -1;
const byPath = (a: ListedFile, b: ListedFile): number => comparePaths(a.path, b.path);

/** @throws ToolError for bad arguments and a ripgrep that cannot run */
export async function listFiles(query: ListQuery, parts: SearchParts, context: SearchContext): Promise<ListOutcome> {
  const started = performance.now();
  const [selection, rules] = await Promise.all([
    select(query, parts.ripgrep, context),
    readRootRules(context.root, parts.scan, parts.limits),
  ]);
  const hash = queryHash({
    tool: 'list_files',
    root: context.root.path,
    sort: query.sort,
    scope: selection.scope,
    ignored: selection.ignored,
    globs: selection.globs.map((glob) => glob.text),
    excluded: selection.excluded.map((glob) => glob.text),
  });
  const position = query.cursor === undefined ? undefined : decodeCursor(query.cursor, hash, isPosition);
  const [path, modified, shownBefore = 0] = position ?? [];
  const after = path === undefined || modified === undefined ? undefined : { path, modified: BigInt(modified) };
  const notes = [...context.notes, ...rules.notes];
  const listing = { query, parts, context, selection, rules, after };
  let listed = await list(listing, 'all');
  if (listed.total === 0 && after === undefined && !selection.ignored && !listed.timedOut) {
    const hiding = await findHidingRule(rules, parts.ripgrep, context);
    if (hiding !== undefined) {
      notes.push(hidingNote(hiding));
      listed = await list(listing, 'without-gitignore');
    }
  }
  const isEmpty = listed.total === 0 && after === undefined && !selection.ignored && !listed.timedOut;
  notes.push(...complaintNotes(listed.ends));
  return {
    query,
    files: listed.files,
    shownBefore,
    total: listed.timedOut ? undefined : listed.total,
    hidden: isEmpty ? await findHidden(listing) : undefined,
    timedOut: listed.timedOut,
    isPartial: isIncomplete(listed.ends),
    notes,
    limitMs: context.deadline.limitMs,
    elapsedMs: Math.round(performance.now() - started),
    cursorAfter: (file, shown) => encodeCursor(hash, [file.path, String(file.modified), shownBefore + shown] satisfies Position),
  };
}

interface Listing {
  readonly query: ListQuery;
  readonly parts: SearchParts;
  readonly context: SearchContext;
  readonly selection: Selection;
  readonly rules: RootRules;
  readonly after: ListedFile | undefined;
}

async function list(it: Listing, main: RulesPass): Promise<{ files: ListedFile[]; total: number; timedOut: boolean; ends: RunEnd[] }> {
  const compare = it.query.sort === 'modified' ? byModified : byPath;
  const first = new Smallest<ListedFile>(it.query.maxResults + 1, compare);
  const { root, progress } = it.context;
  let total = 0;
  const ends: RunEnd[] = [];
  for (const pass of passesOf(it.selection, it.rules, root, { isSorted: false, main })) {
    ends.push(
      await it.parts.ripgrep.list(pass.walk, it.context, (path) => {
        if (!pass.accepts(path)) return true;
        const file = { path, modified: it.query.sort === 'modified' ? modifiedNs(root, path) : 0n };
        if (it.after !== undefined && compare(file, it.after) <= 0) return true;
        first.add(file);
        total++;
        progress.files = total;
        return true;
      }),
    );
  }
  return { files: first.sorted(), total, timedOut: ends.some((end) => end.reason === 'deadline'), ends };
}

async function findHidden(it: Listing): Promise<ListOutcome['hidden']> {
  const context = { ...it.context, deadline: it.context.deadline.within(it.parts.limits.diagnoseMs) };
  const wide = { ...it, context, selection: { ...it.selection, ignored: true }, query: { ...it.query, maxResults: 1 } };
  const { files, total } = await list(wide, 'none');
  const example = files[0]?.path;
  if (example === undefined) return undefined;
  const walk = {
    selection: it.selection,
    rules: it.rules,
    pass: 'all' as const,
    allowsSecrets: context.root.allowsSecrets,
    isSorted: false,
  };
  const [why] = await it.parts.ripgrep.whyIgnored(walk, [example], context);
  const builtin = it.rules.rules.lastMatch(example);
  const because =
    why !== undefined
      ? `rule ${showWord(why.rule)} of ${showPath(why.from)}`
      : builtin !== undefined
        ? `${it.rules.builtin.includes(builtin.text) ? 'built-in ' : ''}rule ${showWord(builtin.text)}${it.rules.builtin.includes(builtin.text) ? '' : ' of .csignore'}`
        : 'ignore rules';
  return { files: total, example, because };
}
