/** Why an exact search found nothing: tries what the caller's restrictions left out, in one wide run first, and only where that
 *  hits, one restriction at a time. Bounded in time and matches. */
import { showPath, showWord } from '../base/display.js';
import type { RootRules, Selection } from '../ripgrep/accept.js';
import { Acceptor } from '../ripgrep/accept.js';
import type { RulesPass, TextQuery } from '../ripgrep/args.js';
import { literalGlob } from '../ripgrep/glob.js';
import type { SearchContext, SearchParts } from './context.js';
import { isIncomplete } from './notes.js';
import { comparePaths } from './order.js';
import { escapeRegex, isPlain, literalLines, toRipgrep } from './reading.js';
import { passesOf } from './selection.js';

/** One way to find something after all. */
export interface Remedy {
  /** The argument that lifts the restriction, as it stands in a call. */
  readonly change: string;
  readonly matches: number;
  readonly files: number;
  readonly isAtLeast: boolean;
  /** The first place, in path order. */
  readonly example: string;
  /** What hid it, in words. */
  readonly because: string;
}

export interface Diagnosis {
  readonly remedies: readonly Remedy[];
  /** Every restriction was lifted and still nothing was found. */
  readonly isAbsent: boolean;
  /** The wide run was cut by its time limit. */
  readonly isCut: boolean;
}

export interface Case {
  readonly parts: SearchParts;
  readonly context: SearchContext;
  /** As ripgrep was asked. */
  readonly query: TextQuery;
  /** As the caller wrote it. */
  readonly source: TextQuery;
  readonly regex: boolean | undefined;
  readonly selection: Selection;
  readonly rules: RootRules;
  readonly main: RulesPass;
}

interface Tally {
  matches: number;
  readonly files: Map<string, number>;
  isAtLeast: boolean;
  /** Something could not be searched. */
  isIncomplete: boolean;
  hasUtf16: boolean;
}

const RESTRICTED_FILES = 50;

export async function diagnose(it: Case): Promise<Diagnosis> {
  const { limits } = it.parts;
  const context = { ...it.context, deadline: it.context.deadline.within(limits.diagnoseMs) };
  const bounded: Case = { ...it, context };
  const wide: TextQuery = { ...it.query, ...widePattern(it), ignoreCase: true, binary: true, word: false, context: 0, isFirstOnly: false };
  const other = await otherReading(bounded);
  if (other !== undefined) {
    const found = await tally(bounded, { ...other.query, context: 0, isFirstOnly: false }, it.selection, true);
    if (found.matches > 0) return { remedies: [remedy(other.change, found, other.because)], isAbsent: false, isCut: false };
  }
  const all = await tally(bounded, wide, { ...it.selection, ignored: true });
  if (all.matches === 0) return { remedies: [], isAbsent: !all.isAtLeast && !all.isIncomplete, isCut: all.isAtLeast };
  // From here on only the files that the wide run named are searched; where it was stopped, everything in path order, so that
  // the same call gives the same answer.
  const files = [...all.files.keys()].sort(comparePaths);
  const isNarrow = !all.isAtLeast && files.length <= RESTRICTED_FILES && !files.some((file) => /[\n\r]/.test(file));
  const within = (selection: Selection): Selection => (isNarrow ? { ...selection, globs: files.map(literalGlob) } : selection);
  const remedies: Remedy[] = [];
  const tryOne = async (change: string, query: TextQuery, selection: Selection, because: string): Promise<void> => {
    const found = await tally(bounded, { ...query, context: 0, isFirstOnly: false }, within(selection), !isNarrow);
    if (found.matches > 0) remedies.push(remedy(change, found, because));
  };
  if (!it.selection.ignored) {
    const ignored = { ...it.selection, ignored: true };
    const found = await tally(bounded, { ...it.query, context: 0, isFirstOnly: false }, within(ignored), !isNarrow);
    if (found.matches > 0) remedies.push(remedy('ignored: true', found, await ruleBehind(bounded, found)));
  }
  if (!it.query.ignoreCase) await tryOne('ignoreCase: true', { ...it.query, ignoreCase: true }, it.selection, 'another letter case');
  if (it.query.word) await tryOne('word: false', { ...it.query, word: false }, it.selection, 'part of a longer word');
  if (!it.query.binary)
    await tryOne('binary: true', { ...it.query, binary: true }, it.selection, 'files with NUL bytes, which count as binary');
  if (all.hasUtf16 && it.query.encoding === undefined) {
    await tryOne('encoding: "utf-16le"', { ...it.query, encoding: 'utf-16le' }, it.selection, 'UTF-16 without a byte order mark');
    await tryOne('encoding: "utf-16be"', { ...it.query, encoding: 'utf-16be' }, it.selection, 'UTF-16 without a byte order mark');
  }
  if (remedies.length === 0) {
    remedies.push(remedy('ignored: true, ignoreCase: true, binary: true together', all, 'more than one restriction at once'));
  }
  return { remedies, isAbsent: false, isCut: all.isAtLeast && all.matches < limits.diagnoseHits };
}

/** The pattern, and for literal text also its bytes in UTF-16 and Latin-1, which a search for UTF-8 passes over. */
function widePattern(it: Case): { pattern: string; isLiteral: boolean } {
  const { pattern } = it.source;
  const isText = it.query.isLiteral && !/[\n\r]/.test(pattern) && pattern.length <= 200;
  if (!isText) return { pattern: it.query.pattern, isLiteral: it.query.isLiteral };
  const hex = (code: number): string => `\\x${code.toString(16).padStart(2, '0')}`;
  const bytesOf = (buffer: Buffer): string => `(?-u:${[...buffer].map(hex).join('')})`;
  const forms = [escapeRegex(pattern), bytesOf(Buffer.from(pattern, 'utf16le'))];
  if (/[\u0080-\u00ff]/.test(pattern) && !/[\u0100-\uffff]/.test(pattern)) forms.push(bytesOf(Buffer.from(pattern, 'latin1')));
  return { pattern: forms.join('|'), isLiteral: false };
}

/** The caller insisted on one reading; the other one, where it makes sense. */
async function otherReading(it: Case): Promise<{ change: string; query: TextQuery; because: string } | undefined> {
  if (it.regex === undefined || isPlain(it.source.pattern)) return undefined;
  if (it.regex) {
    const query = { ...it.query, pattern: literalLines(it.source.pattern), isLiteral: false };
    return { change: 'regex: false', query, because: 'the pattern taken as literal text' };
  }
  const query = toRipgrep({ ...it.query, pattern: it.source.pattern, isLiteral: false });
  const tried = await it.parts.ripgrep.tryPattern(query, it.context);
  if ('error' in tried || tried.matchesEmpty) return undefined;
  return { change: 'regex: true', query, because: 'the pattern taken as a regex' };
}

async function tally(it: Case, query: TextQuery, selection: Selection, isSorted = false): Promise<Tally> {
  const { parts, context, rules } = it;
  const found: Tally = { matches: 0, files: new Map(), isAtLeast: false, isIncomplete: false, hasUtf16: false };
  for (const pass of passesOf(selection, rules, context.root, { isSorted, main: it.main })) {
    let path: string | undefined;
    const end = await parts.ripgrep.search(pass.walk, query, context, {
      wantsLines: true,
      accept: (event) => {
        if (event.type === 'begin') path = pass.accepts(event.path) ? event.path : undefined;
        if ((event.type !== 'match' && !(event.type === 'long' && event.isMatch)) || path === undefined) return true;
        found.matches++;
        if (!found.files.has(path)) found.files.set(path, event.line ?? 0);
        if (event.type === 'match' && event.text.includes('\0')) found.hasUtf16 = true;
        return found.matches < parts.limits.diagnoseHits;
      },
    });
    found.isAtLeast ||= end.reason !== 'end';
    found.isIncomplete ||= isIncomplete([end]);
  }
  return found;
}

function remedy(change: string, found: Tally, because: string): Remedy {
  const [path = '', line = 0] = [...found.files].sort(([a], [b]) => comparePaths(a, b))[0] ?? [];
  return { change, matches: found.matches, files: found.files.size, isAtLeast: found.isAtLeast, example: `${path}:${line}`, because };
}

/** The rule that hides the first of the files, and where it stands. */
async function ruleBehind(it: Case, found: Tally): Promise<string> {
  const [path = ''] = [...found.files.keys()].sort(comparePaths);
  const acceptor = new Acceptor(it.selection, it.rules, () => true);
  const refusal = acceptor.whyNot(path);
  if (refusal?.by === 'builtin') return `built-in rule ${showWord(refusal.rule)}`;
  if (refusal?.by === 'csignore') return `rule ${showWord(refusal.rule)} of .csignore`;
  const walk = { selection: it.selection, rules: it.rules, pass: it.main, allowsSecrets: it.context.root.allowsSecrets, isSorted: false };
  const [why] = await it.parts.ripgrep.whyIgnored(walk, [path], it.context);
  return why === undefined ? 'ignore rules' : `rule ${showWord(why.rule)} of ${showPath(why.from)}`;
}
