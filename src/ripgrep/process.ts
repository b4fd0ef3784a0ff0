/** Runs ripgrep: finds the program, writes the rule files, streams events to a consumer that says when to stop, and tells
 *  failed, partial and complete apart. The only file that knows how ripgrep is started. */

import type { Deadline } from '../base/deadline.js';
import { showJson } from '../base/display.js';
import { ToolError } from '../base/errors.js';
import type { Limits } from '../base/limits.js';
import type { Log } from '../base/log.js';
import { decodePath } from '../base/path-bytes.js';
import type { Tally } from '../base/tally.js';
import type { Child, ChildExit, Children, StopReason } from '../security/child.js';
import type { Root } from '../security/root.js';
import type { Scratch } from '../security/scratch.js';
import {
  countArgs,
  globCheckArgs,
  listArgs,
  pruneRules,
  queryArgs,
  type RuleFiles,
  searchArgs,
  type TextQuery,
  type Walk,
} from './args.js';
import { type Complaint, parseComplaints, patternReason } from './complaints.js';
import { CountDecoder } from './counts.js';
import { EventDecoder, type RgEvent } from './events.js';
import { MatchScanner, type ScanConsumer } from './scanner.js';

/** How a long search treats others. */
export interface Courtesy {
  /** Whether more calls wait than can run; ripgrep then gets a lower priority, so that short ones pass. */
  isCrowded(): boolean;
  /** What is awaited before more output is looked at. */
  giveWay(): Promise<void>;
}

export interface RunContext {
  readonly root: Root;
  readonly signal: AbortSignal;
  readonly deadline: Deadline;
  readonly log: Log;
  /** Where what was searched is counted. */
  readonly tally?: Tally;
  /** Set where other calls matter more. */
  readonly courtesy?: Courtesy;
}

export interface RunEnd {
  readonly reason: StopReason;
  readonly complaints: readonly Complaint[];
  /** Complaints that were counted but not kept. */
  readonly complaintsCut: number;
  /** A signal from outside, or a crash, ended ripgrep early. */
  readonly isBroken: boolean;
}

export interface SearchEnd extends RunEnd {
  /** Files and bytes searched; undefined unless ripgrep came to its end. */
  readonly searched: { readonly files: number; readonly bytes: number } | undefined;
  readonly longLines?: LongLines;
  /** Files with a match that were searched only up to a NUL byte. */
  readonly binaryPaths?: readonly string[];
}

/** Files with a match in a line that was too long to be looked at, and what was looked for. */
export interface LongLines {
  readonly paths: readonly string[];
  readonly query: TextQuery;
}

export interface RipgrepOptions {
  readonly children: Children;
  readonly scratch: Scratch;
  readonly limits: Limits;
  /** Another ripgrep, by path; undefined means the one that the package brings. */
  readonly program: string | undefined;
}

const NUL = 0;
/** The two lines of a probe are shorter, and so is every path: more without an end is no ripgrep. */
const PROBE_OUTPUT = 65_536;
/** So many lines that are no events: another program was named as ripgrep. */
const NO_RIPGREP_LINES = 20;

export class Ripgrep {
  readonly #options: RipgrepOptions;
  #program: Promise<string> | undefined;

  constructor(options: RipgrepOptions) {
    this.#options = options;
  }

  /** Searches for a pattern. The consumer gets events as they come and returns false to stop.
   *  @param skip folders and files that earlier pages covered whole
   *  @throws ToolError pattern_invalid, encoding_unknown, ripgrep_missing, ripgrep_failed; the signal's reason when cancelled */
  async search(
    walk: Walk,
    query: TextQuery,
    context: RunContext,
    consumer: { wantsLines: boolean; accept: (event: RgEvent) => boolean; skip?: readonly string[] },
  ): Promise<SearchEnd> {
    const decoder = new EventDecoder({ ...this.#options.limits, wantsLines: consumer.wantsLines });
    let searched: SearchEnd['searched'];
    const take = (chunk: Buffer): boolean => {
      for (const event of decoder.push(chunk)) {
        if (event.type === 'summary') searched = { files: event.searches, bytes: event.bytesSearched };
        else if (!consumer.accept(event)) return false;
      }
      return decoder.unreadableLines < NO_RIPGREP_LINES;
    };
    const exit = await this.#withRules(walk, consumer.skip, (files) => this.#run(searchArgs(walk, query, files), context, take));
    // Exit code 2 means "some path failed" as well as "nothing was searched"; only the second prints no summary.
    const isFailed = decoder.unreadableLines >= NO_RIPGREP_LINES || (exit.reason === 'end' && searched === undefined && exit.code !== null);
    if (isFailed) throw searchFailure(exit, decoder.unreadableLines);
    countIn(context.tally, searched);
    return { ...this.#end(exit), searched };
  }

  /** Searches and hands the matched lines on without building events, for passes over very many matches.
   *  @throws as `search` */
  async scan(walk: Walk, query: TextQuery, context: RunContext, consumer: Omit<ScanConsumer, 'summary'>): Promise<SearchEnd> {
    let searched: SearchEnd['searched'];
    const scanner = new MatchScanner(
      {
        begin: (path) => consumer.begin(path),
        line: (line, text) => consumer.line(line, text),
        tooLong: () => consumer.tooLong?.(),
        binary: () => consumer.binary?.(),
        end: (bytes) => consumer.end(bytes),
        summary: (files, bytes) => {
          searched = { files, bytes };
        },
      },
      this.#options.limits,
    );
    const exit = await this.#withRules(walk, undefined, (files) =>
      this.#run(searchArgs(walk, query, files), context, (chunk) => {
        scanner.push(chunk);
        return true;
      }),
    );
    if (exit.reason === 'end' && searched === undefined && exit.code !== null) throw searchFailure(exit, 0);
    countIn(context.tally, searched);
    return { ...this.#end(exit), searched };
  }

  /** Counts matching lines file by file, at the least cost there is. A file that turns out to be binary after its first matches is
   *  left out by ripgrep, unlike in a search.
   *  @returns `end` as its reason only where everything was counted
   *  @throws ToolError ripgrep_missing, ripgrep_failed; the signal's reason when cancelled */
  async count(walk: Walk, query: TextQuery, context: RunContext, take: (path: string, count: number) => void): Promise<RunEnd> {
    const decoder = new CountDecoder(take);
    let isReadable = true;
    const push = (chunk: Buffer): boolean => {
      isReadable = decoder.push(chunk);
      return isReadable;
    };
    const exit = await this.#withRules(walk, undefined, (files) => this.#run(countArgs(walk, query, files), context, push));
    if (!isReadable) throw new ToolError('ripgrep_failed', 'The program named as ripgrep does not report counts.');
    return this.#end(exit);
  }

  /** Lists files; paths are relative to the root. The consumer returns false to stop.
   *  @throws ToolError ripgrep_missing, ripgrep_failed; the signal's reason when cancelled */
  async list(walk: Walk, context: RunContext, accept: (path: string) => boolean): Promise<RunEnd> {
    let rest = Buffer.alloc(0);
    let listed = 0;
    const take = (chunk: Buffer): boolean => {
      const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      let from = 0;
      for (let at = bytes.indexOf(NUL); at >= 0; at = bytes.indexOf(NUL, from)) {
        listed++;
        if (!accept(decodePath(bytes.subarray(bytes[from] === 0x2e && bytes[from + 1] === 0x2f ? from + 2 : from, at)))) return false;
        from = at + 1;
      }
      rest = Buffer.from(bytes.subarray(from));
      return rest.length < PROBE_OUTPUT;
    };
    const exit = await this.#withRules(walk, undefined, (files) => this.#run(listArgs(walk, files), context, take));
    const end = this.#end(exit);
    const failure = end.complaints.find((complaint) => complaint.kind === 'other');
    // A deadline may come after the exit and before the output was read: then its code says nothing about what was listed.
    const isOver = exit.reason === 'end' && listed === 0;
    if (rest.length >= PROBE_OUTPUT || (isOver && exit.code === 0))
      throw new ToolError('ripgrep_failed', 'The program named as ripgrep does not list files.');
    if (isOver && exit.code === 2 && failure !== undefined)
      throw new ToolError('ripgrep_failed', `ripgrep failed: ${showJson(failure.message)}`);
    return end;
  }

  /** @throws ToolError glob_invalid naming the first glob that ripgrep cannot parse */
  async checkGlobs(globs: readonly { readonly text: string; readonly patterns: readonly string[] }[], context: RunContext): Promise<void> {
    if (globs.length === 0) return;
    const cwd = this.#options.scratch.emptyFolder();
    const exit = await this.#run(globCheckArgs(globs.map((glob) => glob.patterns[0] ?? '')), context, () => true, cwd);
    const why = /error parsing glob '!?\/?(?:\*\*\/)?(.*)': (.+?)(?: \(maybe escape.*)?$/m.exec(exit.stderr);
    if (why === null) return;
    const [, pattern = '', reason = ''] = why;
    const glob = globs.find(({ text }) => text.includes(pattern)) ?? globs[0];
    throw new ToolError('glob_invalid', `The glob "${glob?.text ?? pattern}" cannot be parsed: ${reason}.`);
  }

  /** How ripgrep reads a regex, tried on a line that is empty and one that holds a single unlikely character.
   *  `emptiness` is true when it matches both: then it can match the empty string, and so every line. */
  async tryPattern(query: TextQuery, context: RunContext): Promise<{ error: string } | { matchesEmpty: boolean }> {
    const probe = this.#options.scratch.write('\n\uE000\n');
    try {
      let output = '';
      const args = [
        '--no-config',
        '--no-filename',
        '--line-number',
        ...queryArgs({ ...query, context: 0, encoding: undefined, isFirstOnly: false }),
        '--',
        probe,
      ];
      const exit = await this.#run(args, context, (chunk) => {
        output += chunk.toString('utf8');
        return output.length < PROBE_OUTPUT;
      });
      if (exit.reason === 'end' && exit.code === 2) return { error: patternReason(exit.stderr) };
      return { matchesEmpty: /^1:/m.test(output) && /^2:/m.test(output) };
    } finally {
      this.#options.scratch.remove(probe);
    }
  }

  /** Which rule of which file keeps these files out, by ripgrep's own account. Walks only the folders above the first of them. */
  async whyIgnored(walk: Walk, paths: readonly string[], context: RunContext): Promise<{ path: string; rule: string; from: string }[]> {
    const found: { path: string; rule: string; from: string }[] = [];
    for (const path of paths) {
      const selection = { ...walk.selection, scope: path, isScopeFile: true, globs: [], excluded: [] };
      const exit = await this.#withRules({ ...walk, selection }, undefined, (files) =>
        this.#run(['--debug', ...listArgs({ ...walk, selection }, files)], context, () => true),
      );
      for (const line of exit.stderr.split('\n')) {
        const said =
          /ignoring (?:\.\/)?(.+?): Ignore\(IgnoreMatch\(Gitignore\(Glob \{ from: Some\("(.*?)"\), original: "(.*?)", actual/.exec(line);
        if (said === null) continue;
        const [, ignored = '', from = '', rule = ''] = said;
        if (path !== ignored && !path.startsWith(`${ignored}/`)) continue;
        if (this.#options.scratch.owns(from)) continue;
        const file = from.replace(/^\.\//, '');
        // A rule file that is a link may hold text of a file outside the root.
        if (!(await isOwnFile(context.root, file))) break;
        found.push({ path, rule: rule.replaceAll('\\\\', '\\'), from: file });
        break;
      }
    }
    return found;
  }

  async #withRules(walk: Walk, skip: readonly string[] | undefined, run: (files: RuleFiles) => Promise<ChildExit>): Promise<ChildExit> {
    const { scratch } = this.#options;
    const prune = pruneRules(walk, skip);
    const csignore = walk.selection.ignored || walk.pass === 'none' ? undefined : walk.rules.csignore;
    const files: { prune?: string; csignore?: string } = {};
    try {
      if (prune !== undefined) files.prune = scratch.write(prune);
      if (csignore !== undefined) files.csignore = scratch.write(csignore);
      const result = await run(files);
      // What ripgrep says about our copy is about the repository's own file.
      return files.csignore === undefined ? result : { ...result, stderr: result.stderr.replaceAll(files.csignore, '.csignore') };
    } finally {
      for (const file of Object.values(files)) scratch.remove(file);
    }
  }

  async #run(args: readonly string[], context: RunContext, take: (chunk: Buffer) => boolean, cwd = context.root.path): Promise<ChildExit> {
    context.signal.throwIfAborted();
    const started = performance.now();
    const program = await this.#findProgram();
    const child = this.#options.children.spawn(program, args, {
      cwd,
      signal: context.signal,
      deadlineMs: context.deadline.remainingMs,
      maxStderrBytes: this.#options.limits.maxStderrBytes,
      yields: context.courtesy?.isCrowded() === true,
    });
    const seen = await consume(child, take, started, context.courtesy);
    const exit = await child.stop('end');
    const fields = { argv: [program, ...args], child: child.pid, firstByteMs: seen.firstMs, ms: since(started), bytesRead: seen.bytes };
    context.log.info({ ...fields, stopped: exit.reason, exitCode: exit.code, stderrBytes: exit.stderr.length }, 'ripgrep ended');
    if (exit.error !== undefined) throw await startFailure(program, context.root, exit.error);
    context.signal.throwIfAborted();
    return exit;
  }

  #end(exit: ChildExit): RunEnd {
    return {
      reason: exit.reason,
      complaints: parseComplaints(exit.stderr, (path) => this.#options.scratch.owns(path)),
      complaintsCut: exit.stderrLinesCut,
      isBroken: exit.reason === 'end' && exit.code === null,
    };
  }

  #findProgram(): Promise<string> {
    this.#program ??= this.#options.program === undefined ? packagedProgram() : Promise.resolve(this.#options.program);
    return this.#program;
  }
}

function countIn(tally: Tally | undefined, searched: SearchEnd['searched']): void {
  if (tally === undefined) return;
  if (searched === undefined) tally.runsCut++;
  else {
    tally.bytesSearched += searched.bytes;
    tally.filesSearched += searched.files;
  }
}

async function isOwnFile(root: Root, path: string): Promise<boolean> {
  const file = await root.resolve(path, { offersNames: false }).catch(() => undefined);
  return file?.relative === path;
}

const since = (start: number): number => Math.round(performance.now() - start);

async function consume(
  child: Child,
  take: (chunk: Buffer) => boolean,
  started: number,
  courtesy: Courtesy | undefined,
): Promise<{ bytes: number; firstMs: number | undefined }> {
  let bytes = 0;
  let firstMs: number | undefined;
  try {
    for await (const chunk of child.chunks()) {
      firstMs ??= since(started);
      bytes += chunk.length;
      if (courtesy !== undefined) await courtesy.giveWay();
      if (!take(chunk)) {
        void child.stop('budget');
        break;
      }
    }
  } catch (error) {
    void child.stop('failed');
    throw error;
  }
  return { bytes, firstMs };
}

async function packagedProgram(): Promise<string> {
  try {
    const { rgPath } = await import('@vscode/ripgrep');
    return rgPath;
  } catch (error) {
    throw new ToolError('ripgrep_missing', `The ripgrep program of this system (${process.platform}-${process.arch}) is not installed.`, {
      cause: error,
    });
  }
}

/** A program that does not start and a working folder that does not exist give the same error code. */
async function startFailure(program: string, root: Root, error: Error): Promise<ToolError> {
  if (!(await root.stillExists())) return new ToolError('root_missing', 'The root folder no longer exists.', { cause: error });
  const code = (error as NodeJS.ErrnoException).code ?? error.message;
  return new ToolError('ripgrep_missing', `ripgrep cannot be started: ${code} for "${program}".`, { cause: error });
}

function searchFailure(exit: ChildExit, unreadableLines: number): ToolError {
  if (unreadableLines > 0) return new ToolError('ripgrep_failed', 'The program named as ripgrep does not report JSON events.');
  const encoding = /unknown encoding: (.+)/.exec(exit.stderr)?.[1];
  if (encoding !== undefined) return new ToolError('encoding_unknown', `ripgrep does not know the encoding "${encoding}".`);
  const isPattern = /regex|pattern|PCRE2|literal "\\[nr]"/.test(exit.stderr);
  const reason = patternReason(exit.stderr) || `exit code ${exit.code} without a word`;
  if (isPattern) return new ToolError('pattern_invalid', `ripgrep cannot use the pattern: ${reason}.`);
  return new ToolError('ripgrep_failed', `ripgrep failed: ${reason}.`);
}
