/** One listing of files: complete counts and the first files of the order, in one parallel run and bounded memory. */
import { showPath, showWord } from '../base/display.js';
import type { RootRules, Selection } from '../ripgrep/accept.js';
import type { RulesPass } from '../ripgrep/args.js';
import type { RunEnd } from '../ripgrep/process.js';
import { modifiedNs } from '../security/tree.js';
import type { SearchContext, SearchParts } from './context.js';
import { type Coverage, type Covered, type CursorPace, cover, coveredBy, isTimedOut, type Resume, undecided } from './cover.js';
import { decodeCursor, encodeCursor, isCount, isPathBelow, isRulesKnown, queryHash, type RulesKnown } from './cursor.js';
import { FolderCounter } from './folder-sizes.js';
import type { TreeSize } from './known-trees.js';
import { ASIDE, complaintNotes, gapNotes, hidingNote, isIncomplete } from './notes.js';
import { comparePaths } from './order.js';
import { type FileChoice, findHidingRule, findHidingRuleFirst, passesOf, readRootRules, select } from './selection.js';
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

/** Files that only `ignored: true` lists. */
export interface Hidden {
  readonly files: number;
  /** Not all of them could be counted in time. */
  readonly isAtLeast: boolean;
  readonly example: string;
  readonly because: string;
}

export interface ListOutcome {
  readonly query: ListQuery;
  /** In order, after the cursor; possibly one more than asked for. */
  readonly files: readonly ListedFile[];
  readonly shownBefore: number;
  /** From the cursor on; undefined when the listing was cut short. */
  readonly total: number | undefined;
  /** For an empty listing: files that ignore rules hide, and the first of them with its rule. */
  readonly hidden: Hidden | 'none' | 'unknown' | undefined;
  readonly timedOut: boolean;
  /** Set when not everything was covered. */
  readonly covered: Covered | undefined;
  readonly isPartial: boolean;
  readonly notes: readonly string[];
  readonly limitMs: number;
  readonly elapsedMs: number;
  cursorAfter(file: ListedFile, shown: number): string;
  /** Continues, `shown` files being shown, with what was not covered; undefined where that cannot be told. */
  cursorBeyond(shown: number): string | undefined;
}

/** A file with its time, whether it was shown (else it, or what lies below it, comes next), how many were shown so far, where the
 *  listing goes on part by part its pace (else 0), and what is known of the rules. */
type Position = readonly [
  path: string,
  modified: string,
  isShown: boolean,
  shown: number,
  pace: CursorPace,
  rules: RulesKnown,
  gaps: number,
];

function isPosition(value: unknown): value is Position {
  if (!Array.isArray(value) || value.length !== 7) return false;
  const [path, modified, isShown, shown, pace, rules, gaps] = value as unknown[];
  const isFile = typeof path === 'string' && isPathBelow(path) && typeof modified === 'string' && /^\d{1,20}$/.test(modified);
  return isFile && typeof isShown === 'boolean' && isCount(shown) && isCount(pace) && isCount(gaps) && isRulesKnown(rules);
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
  const [path = '', modified = '0', isShown = false, shownBefore = 0, pace = 0, known, gaps = 0] = position ?? [];
  // Newest first, the place says nothing of what was covered.
  const resume = pace > 0 && query.sort === 'path' ? { from: path, pace } : undefined;
  const place = position === undefined ? undefined : { path, modified: BigInt(modified), isShown };
  const notes = [...context.notes, ...rules.notes];
  const listing: Listing = { query, parts, context, selection, rules, place, resume };
  const { listed, rulesKnown, isAnew } = await listWithRules(listing, known, notes);
  const { coverage } = listed;
  const allGaps = gaps + coverage.uncovered.length;
  notes.push(...gapNotes(gaps));
  const timedOut = isTimedOut(coverage);
  const isEmpty = listed.total === 0 && position === undefined && !selection.ignored && !timedOut;
  notes.push(...complaintNotes(coverage.ends));
  return {
    query,
    files: listed.files,
    shownBefore,
    total: timedOut || gaps > 0 || coverage.ends.some((end) => end.isBroken) ? undefined : listed.total,
    hidden: isEmpty ? await findHidden(listing) : undefined,
    timedOut,
    covered: coveredBy(coverage, listed.size, [], listed.total),
    isPartial: timedOut || gaps > 0 || isIncomplete(coverage.ends),
    notes,
    limitMs: context.deadline.limitMs,
    elapsedMs: Math.round(performance.now() - started),
    cursorAfter: (file, shown) =>
      encodeCursor(hash, [
        file.path,
        String(file.modified),
        true,
        shownBefore + shown,
        coverage.pace,
        rulesKnown,
        allGaps,
      ] satisfies Position),
    cursorBeyond: (shown) => {
      const { resume: next } = coverage;
      // The newest of all are not known before all are.
      if (next === undefined || query.sort === 'modified') return undefined;
      // A part may begin before what was shown last, at a folder above it.
      const isBehind = place === undefined || isAnew === true || comparePaths(next.from, place.path) > 0;
      const [from, wasShown] = isBehind ? [next.from, false] : [place.path, place.isShown];
      return encodeCursor(hash, [from, '0', wasShown, shownBefore + shown, next.pace, rulesKnown, allGaps] satisfies Position);
    },
  };
}

interface Listing {
  readonly query: ListQuery;
  readonly parts: SearchParts;
  readonly context: SearchContext;
  readonly selection: Selection;
  readonly rules: RootRules;
  /** Where earlier pages left off. */
  readonly place: (ListedFile & { readonly isShown: boolean }) | undefined;
  readonly resume: Resume | undefined;
}

interface Listed {
  readonly files: ListedFile[];
  readonly total: number;
  readonly coverage: Coverage<RunEnd>;
  /** What is known of everything that the listing is about. */
  readonly size: TreeSize | undefined;
}

interface ListedByRules {
  readonly listed: Listed;
  readonly rulesKnown: RulesKnown;
  /** The place where earlier pages left off says nothing of it. */
  readonly isAnew?: boolean;
}

/** Lists by the repository's rules, and, where its .gitignore hides every file there is, once more without.
 *  @param known what pages before this one have found out
 *  @param notes takes what is to be said of it */
async function listWithRules(it: Listing, known: RulesKnown | undefined, notes: string[]): Promise<ListedByRules> {
  const aside = async (at: Listing, note: string): Promise<ListedByRules> => {
    notes.push(note);
    return { listed: await list(at, 'without-gitignore'), rulesKnown: 'a', isAnew: at === anew };
  };
  const anew: Listing = { ...it, place: undefined, resume: undefined };
  if (known === 'a') return aside(it, ASIDE);
  // Nothing was listed yet: if everything was hidden, the listing begins anew.
  const { rules, parts, context } = it;
  const hidden = known === 'u' ? await findHidingRuleFirst(rules, parts.ripgrep, context) : undefined;
  if (hidden !== undefined) return aside(anew, hidingNote(hidden));
  const listed = await list(it, 'all');
  if (known === 'h' || listed.total > 0 || it.selection.ignored) return { listed, rulesKnown: 'h' };
  if (isTimedOut(listed.coverage)) return { listed, rulesKnown: 'u' };
  const rule = await findHidingRule(rules, parts.ripgrep, context);
  if (rule === 'unknown') return { listed: undecided(listed), rulesKnown: 'u' };
  return rule === undefined ? { listed, rulesKnown: 'h' } : aside(anew, hidingNote(rule));
}

async function list(it: Listing, main: RulesPass): Promise<Listed> {
  const compare = it.query.sort === 'modified' ? byModified : byPath;
  const { root, progress, deadline } = it.context;
  const { scope, isScopeFile } = it.selection;
  const tree = it.parts.trees.of(root, it.selection, main);
  const kept = new Smallest<ListedFile>(it.query.maxResults + 1, compare);
  let total = 0;
  const request = {
    root,
    scope,
    isScopeFile,
    deadline,
    limits: it.parts.limits,
    from: it.resume,
    // Only in path order does the place say what lies before it.
    start: it.query.sort === 'path' ? it.place?.path : undefined,
    tree,
    kind: 'list' as const,
  };
  const coverage = await cover(request, async (part, until) => {
    const first = new Smallest<ListedFile>(it.query.maxResults + 1, compare);
    let files = 0;
    const folders = tree.isWhole && part === undefined ? new FolderCounter() : undefined;
    const ends: RunEnd[] = [];
    const started = performance.now();
    for (const pass of passesOf(it.selection, it.rules, root, { isSorted: false, main, part })) {
      const end = await it.parts.ripgrep.list(pass.walk, { ...it.context, deadline: until }, (path) => {
        if (!pass.accepts(path)) return true;
        folders?.add(path);
        const file = { path, modified: it.query.sort === 'modified' ? modifiedNs(root, path) : 0n };
        if (it.place !== undefined && (it.place.isShown ? compare(file, it.place) <= 0 : comparePaths(path, it.place.path) < 0))
          return true;
        first.add(file);
        files++;
        progress.files = total + files;
        return true;
      });
      ends.push(end);
    }
    const tookMs = performance.now() - started;
    return {
      ends,
      keep: () => {
        if (folders !== undefined && !ends.some((end) => end.isBroken)) tree.learnFolders(folders.sizes(), tookMs);
        for (const file of first.sorted()) kept.add(file);
        total += files;
      },
    };
  });
  if (it.place === undefined && !isTimedOut(coverage) && !coverage.ends.some((end) => end.isBroken))
    tree.learn({ files: total, bytes: undefined });
  return { files: kept.sorted(), total, coverage, size: tree.size };
}

async function findHidden(it: Listing): Promise<Hidden | 'none' | 'unknown'> {
  const context = { ...it.context, deadline: it.context.deadline.within(it.parts.limits.diagnoseMs) };
  const wide = { ...it, context, selection: { ...it.selection, ignored: true }, query: { ...it.query, maxResults: 1 } };
  const { files, total, coverage } = await list(wide, 'none');
  const isAtLeast = isTimedOut(coverage);
  const example = files[0]?.path;
  if (example === undefined) return isAtLeast ? 'unknown' : 'none';
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
  return { files: total, isAtLeast, example, because };
}
