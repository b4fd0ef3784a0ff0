/** The real search over a made-up tree, without a process of our own in between: ToolRunner, real rg, real files. Also seeded
 *  randomness, a walk over pages, and a reader of text replies that trusts nothing but the form of a line. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { rgPath } from '@vscode/ripgrep';
import { Deadline } from '#dist/base/deadline.js';
import { defaultLimits, type LimitName, type Limits } from '#dist/base/limits.js';
import type { Log } from '#dist/base/log.js';
import { Progress } from '#dist/base/progress.js';
import { Ripgrep } from '#dist/ripgrep/process.js';
import type { SearchContext, SearchParts } from '#dist/search/context.js';
import { FileStates } from '#dist/search/file-states.js';
import { Gate } from '#dist/search/gate.js';
import { KnownTrees } from '#dist/search/known-trees.js';
import { Sources } from '#dist/search/sources.js';
import { Children } from '#dist/security/child.js';
import { Root } from '#dist/security/root.js';
import { Roots } from '#dist/security/roots.js';
import { Scratch } from '#dist/security/scratch.js';
import { Spools } from '#dist/security/spools.js';
import { TestCommands } from '#dist/security/test-command.js';
import { TestRuns } from '#dist/testing/test-runs.js';
import { Account } from '#dist/tools/account.js';
import { Brake } from '#dist/tools/brake.js';
import { TOOLS } from '#dist/tools/registry.js';
import { ToolRunner } from '#dist/tools/runner.js';
import type { AnyTool } from '#dist/tools/tool.js';
import { unexplained } from './explained.js';
import type { Structured } from './replies.js';

export type Args = Readonly<Record<string, unknown>>;
export type Tree = Readonly<Record<string, string | Buffer>>;

export const quietLog: Log = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };
const base = realpathSync(mkdtempSync(join(tmpdir(), 'ripscope-lab-')));
const closers: (() => void)[] = [];
after(() => {
  for (const close of closers) close();
  rmSync(base, { recursive: true, force: true });
});
let serial = 0;

/** A fresh folder with these files. */
export function plant(tree: Tree): string {
  const dir = join(base, `t${++serial}`);
  mkdirSync(dir);
  for (const [path, text] of Object.entries(tree)) put(dir, path, text);
  return dir;
}

export function put(dir: string, path: string, text: string | Buffer): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), text);
}

export function uproot(dir: string): void {
  rmSync(dir, { recursive: true, force: true });
}

export interface Reply {
  readonly isError: boolean;
  readonly found: boolean;
  readonly text: string;
  readonly data: Structured & { readonly next?: Args; readonly durationMs?: number; readonly truncateReason?: string | null };
}

export interface Lab {
  readonly dir: string;
  readonly runner: ToolRunner;
  readonly limits: Limits;
  readonly parts: SearchParts;
  context(): Promise<SearchContext>;
  text(tool: string, args: Args): Promise<Reply>;
  json(tool: string, args: Args): Promise<Reply>;
}

/** Tools whose lines docs/answers.md explains. */
const ANSWERS: ReadonlySet<string> = new Set(['search_text', 'search_code', 'locate', 'explore', 'read_snippet', 'list_files']);

export interface LabOptions {
  readonly limits?: Partial<Record<LimitName, number>>;
  /** Another ripgrep. */
  readonly program?: string;
  readonly gateMode?: 'advise' | 'refuse';
}

export const toolNamed = (name: string): AnyTool => {
  const tool = TOOLS.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
};

export function openLab(dir: string, options: LabOptions = {}): Lab {
  const limits: Limits = { ...defaultLimits(), ...options.limits };
  const children = new Children();
  const scratch = new Scratch(join(base, `scratch${++serial}`));
  closers.push(() => {
    children.killAll();
    scratch.close();
  });
  const ripgrep = new Ripgrep({ children, scratch, limits, program: options.program });
  const parts: SearchParts = {
    ripgrep,
    limits,
    scan: { respectGitignore: true, excludeDirs: [] },
    sources: new Sources(limits),
    trees: new KnownTrees(),
    states: new FileStates(limits.fileStatesBytes),
  };
  const spools = new Spools({ limits, session: undefined, isServer: true, since: Date.now(), base: join(base, `spools${serial}`) });
  closers.push(() => spools.close());
  const tests = new TestRuns(new TestCommands({ commands: {}, environment: { PATH: process.env.PATH ?? '' } }), spools, limits);
  closers.push(() => tests.killAll());
  const roots = new Roots([{ path: dir, problem: undefined }], { allowSecrets: false });
  const outputs = { spools, brake: new Brake(limits), account: new Account(new Date()), isOffered: true };
  const gate = new Gate(options.gateMode ?? 'advise', limits);
  const runner = new ToolRunner({ roots, search: parts, gate, tests, outputs, limits, version: '0.0.0', problem: undefined });
  const run = async (tool: string, args: Args, format: 'text' | 'json'): Promise<Reply> => {
    const options = { signal: new AbortController().signal, log: quietLog, progress: new Progress(), format };
    const reply = await runner.run(toolNamed(tool), args, options);
    if (format === 'text' && !reply.isError && ANSWERS.has(tool))
      assert.deepEqual(unexplained(tool, reply.text), [], `docs/answers.md explains every line of ${tool} ${JSON.stringify(args)}`);
    return { isError: reply.isError, found: reply.found, text: reply.text, data: (reply.data ?? {}) as Reply['data'] };
  };
  return {
    dir,
    runner,
    limits,
    parts,
    context: async () => ({
      root: await Root.open(dir, { allowSecrets: false }),
      signal: new AbortController().signal,
      deadline: new Deadline(limits.deadlineMs),
      log: quietLog,
      notes: [],
      progress: new Progress(),
    }),
    text: (tool, args) => run(tool, args, 'text'),
    json: (tool, args) => run(tool, args, 'json'),
  };
}

/** rg itself, for comparison. */
export function rg(dir: string, args: readonly string[]): { code: number | null; stdout: string } {
  const { status, stdout } = spawnSync(rgPath, ['--no-config', ...args], {
    cwd: dir,
    env: { LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return { code: status, stdout };
}

/** mulberry32: the same seed gives the same numbers in [0, 1) everywhere. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export class Dice {
  readonly next: () => number;

  constructor(seed: number) {
    this.next = seeded(seed);
  }

  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  pick<T>(items: readonly T[]): T {
    return items[this.int(0, items.length - 1)]!;
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  many<T>(low: number, high: number, make: () => T): T[] {
    return Array.from({ length: this.int(low, high) }, make);
  }
}

/** Every page of a call, by cursor. Where a page has no room for a single item, the same page is asked for with more room, as
 *  the reply says. */
export async function pagesOf(lab: Lab, form: 'text' | 'json', tool: string, args: Args, most = 2_000): Promise<Reply[]> {
  const pages: Reply[] = [];
  let cursor: string | undefined;
  let maxChars = args.maxChars as number | undefined;
  while (pages.length < most) {
    const call = { ...args, ...(maxChars === undefined ? {} : { maxChars }), ...(cursor === undefined ? {} : { cursor }) };
    const page = await lab[form](tool, call);
    if (page.isError) throw new Error(`${tool} ${JSON.stringify(call)}: ${page.text}`);
    if (form === 'text' && /^# the next (?:match|path) does not fit into maxChars/m.test(page.text)) {
      if (maxChars === undefined || maxChars >= 50_000) throw new Error(`no room for one item: ${page.text}`);
      maxChars = Math.min(50_000, maxChars * 2);
      continue;
    }
    maxChars = args.maxChars as number | undefined;
    pages.push(page);
    cursor = form === 'json' ? page.data.nextCursor : /^# more: repeat this call with cursor: "([^"]+)"$/m.exec(page.text)?.[1];
    if (cursor === undefined) return pages;
  }
  throw new Error(`more than ${most} pages of ${tool} ${JSON.stringify(args)}`);
}

export interface ShownRow {
  readonly path: string;
  readonly line: number;
  readonly isHit: boolean;
  readonly text: string;
}

export interface ShownReply {
  readonly head: string;
  readonly rows: readonly ShownRow[];
  readonly paths: readonly string[];
  readonly facts: readonly string[];
}

/** What stands behind a path whose lines are shown. */
const STAMP = / @[\w-]{6}$/;

/** A text reply by the form of its lines alone: `12:hit`, `12-context`, `# fact`, and everything else a path. */
export function readText(text: string): ShownReply {
  const [head = '', ...lines] = text.split('\n');
  const rows: ShownRow[] = [];
  const paths: string[] = [];
  const facts: string[] = [];
  for (const line of lines) {
    const row = /^(\d+)([:-])(.*)$/s.exec(line);
    if (line.startsWith('# ')) facts.push(line.slice(2));
    else if (row === null) paths.push(line.replace(STAMP, ''));
    else rows.push({ path: paths.at(-1) ?? '', line: Number(row[1]), isHit: row[2] === ':', text: row[3] ?? '' });
  }
  return { head, rows, paths, facts };
}

/** Why a name cannot be made here, for trees of odd names. */
export const canName = process.platform !== 'win32';
