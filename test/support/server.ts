/** Starts the built server as a client does and talks to it over its pipes. It runs with a clean environment, every wait has
 *  an end, and all children are ended by their ids when the test that started them is over. */
import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { after, afterEach } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Structured } from './replies.js';
import { encode, type Framing, type Message, ReplyReader } from './wire.js';

/** Compiled, this file is dist/test/support/server.js. */
export const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));
export const CLI = fileURLToPath(new URL('../../cli.js', import.meta.url));
/** Long enough for a loaded machine; a hang is what runs into it. */
export const PATIENCE_MS = 10_000;

export type Args = Readonly<Record<string, unknown>>;

export interface StartOptions {
  readonly root?: string;
  readonly roots?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly framing?: Framing;
  /** RIPSCOPE_FORMAT; text is the product's default. */
  readonly format?: 'text' | 'json';
  /** User and group to run as. */
  readonly uid?: number;
  /** Lives until the end of the file, not of the test. */
  readonly shared?: boolean;
}

export interface CallReply {
  readonly isError: boolean;
  readonly text: string;
  readonly structured: Structured | undefined;
  readonly raw: Message;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface CallOptions {
  readonly id?: string | number;
  readonly meta?: Args;
  readonly ms?: number;
}

const running = new Set<Server>();
afterEach(() => endAll((server) => !server.shared));
after(() => endAll(() => true));
process.on('exit', () => {
  for (const server of running) server.kill();
});

async function endAll(which: (server: Server) => boolean): Promise<void> {
  await Promise.all([...running].filter(which).map((server) => server.end()));
}

export function baseEnvironment(env: Readonly<Record<string, string>> = {}): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of ['PATH', 'HOME', 'TMPDIR', 'SystemRoot', 'TEMP']) {
    const value = process.env[name];
    if (value !== undefined) kept[name] = value;
  }
  return { ...kept, ...env };
}

export function startServer(options: StartOptions = {}): Server {
  const env = baseEnvironment(options.env);
  const roots = options.roots ?? (options.root === undefined ? [] : [options.root]);
  if (roots.length > 0) env.REPO_ROOT = roots.join(delimiter);
  if (options.format === 'json') env.RIPSCOPE_FORMAT = 'json';
  const child = spawn(process.execPath, [CLI, ...(options.args ?? [])], {
    cwd: options.cwd ?? '/',
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
  const server = new Server(child, options.framing ?? 'newline', options.shared ?? false);
  running.add(server);
  void server.exited.then(() => running.delete(server));
  return server;
}

/** A server that has answered `initialize`. */
export async function openServer(options: StartOptions = {}): Promise<Server> {
  const server = startServer(options);
  await server.initialize();
  return server;
}

export class Server {
  readonly shared: boolean;
  readonly framing: Framing;
  readonly exited: Promise<Exit>;
  /** All that came on stdout, in order; a batch reply counts as its members. */
  readonly messages: Message[] = [];
  readonly batches: Message[][] = [];
  readonly reader = new ReplyReader();
  stderr = '';
  exit: Exit | undefined;
  #child: ChildProcessByStdio<Writable, Readable, Readable>;
  #nextId = 1_000;
  #listeners = new Set<() => void>();
  #outputEnded = false;

  constructor(child: ChildProcessByStdio<Writable, Readable, Readable>, framing: Framing, shared: boolean) {
    this.#child = child;
    this.framing = framing;
    this.shared = shared;
    child.stdout.on('data', (chunk: Buffer) => this.#take(chunk));
    child.stderr.on('data', (chunk: Buffer) => {
      this.stderr += chunk.toString('utf8');
    });
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {});
    child.stdout.once('close', () => {
      this.#outputEnded = true;
      this.#wake();
    });
    this.exited = new Promise((resolve) => {
      const done = (exit: Exit): void => {
        this.exit = exit;
        this.#wake();
        resolve(exit);
      };
      child.once('error', () => done({ code: null, signal: null }));
      child.once('close', (code, signal) => done({ code, signal }));
      // 'close' waits for the pipes; a pipe that the test closed or paused must not hide the exit.
      child.once('exit', (code, signal) => {
        this.exit = { code, signal };
        this.#wake();
      });
    });
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  get stdout(): Readable {
    return this.#child.stdout;
  }

  async initialize(version = '2025-06-18'): Promise<Message> {
    const reply = await this.request('initialize', {
      protocolVersion: version,
      capabilities: {},
      clientInfo: { name: 'regression', version: '1' },
    });
    this.notify('notifications/initialized');
    return reply;
  }

  /** The id under which the request was sent. */
  send(method: string, params?: unknown, id: string | number = this.#nextId++): string | number {
    this.write(encode({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) }, this.framing));
    return id;
  }

  notify(method: string, params?: unknown): void {
    this.write(encode({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) }, this.framing));
  }

  write(bytes: string | Buffer): void {
    if (!this.#child.stdin.writableEnded && !this.#child.stdin.destroyed) this.#child.stdin.write(bytes);
  }

  /** Writes and waits until the pipe has room again, or the server is gone. */
  async writeAll(bytes: Buffer, chunkSize = bytes.length): Promise<void> {
    for (let at = 0; at < bytes.length && this.exit === undefined; at += chunkSize) {
      if (this.#child.stdin.write(bytes.subarray(at, at + chunkSize))) continue;
      const stop = new AbortController();
      await Promise.race([once(this.#child.stdin, 'drain', { signal: stop.signal }).catch(() => {}), this.exited]);
      stop.abort();
    }
  }

  async request(method: string, params?: unknown, options: CallOptions = {}): Promise<Message> {
    const id = this.send(method, params, options.id ?? this.#nextId++);
    return await this.reply(id, options.ms);
  }

  sendCall(name: string, args: Args, options: CallOptions = {}): string | number {
    const params = { name, arguments: args, ...(options.meta === undefined ? {} : { _meta: options.meta }) };
    return this.send('tools/call', params, options.id ?? this.#nextId++);
  }

  async call(name: string, args: Args, options: CallOptions = {}): Promise<CallReply> {
    return asCallReply(await this.reply(this.sendCall(name, args, options), options.ms));
  }

  async callReply(id: string | number, ms?: number): Promise<CallReply> {
    return asCallReply(await this.reply(id, ms));
  }

  async reply(id: string | number | null, ms?: number): Promise<Message> {
    return await this.message(`reply ${JSON.stringify(id)}`, (message) => message.id === id && message.method === undefined, ms);
  }

  /** The first message that fits, waiting for it if it has not come yet. */
  async message(what: string, fits: (message: Message) => boolean, ms = PATIENCE_MS): Promise<Message> {
    let seen = 0;
    for (const deadline = Date.now() + ms; ; ) {
      for (; seen < this.messages.length; seen++) if (fits(this.messages[seen]!)) return this.messages[seen]!;
      const left = deadline - Date.now();
      const over = this.exit !== undefined && this.#outputEnded;
      if (left <= 0 || over) {
        const why = over ? `before the exit with ${JSON.stringify(this.exit)}` : `within ${ms} ms`;
        throw new Error(`no ${what} ${why}; stderr: ${this.stderr.slice(-2_000)}`);
      }
      await this.#change(left);
    }
  }

  /** Ends stdin and leaves the rest to the server. */
  endInput(): void {
    this.#child.stdin.end();
  }

  closeOutput(): void {
    this.#child.stdout.destroy();
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Waits for the exit; undefined when the server is still there. */
  async gone(ms = PATIENCE_MS): Promise<Exit | undefined> {
    await until(() => this.exit !== undefined, ms);
    return this.exit;
  }

  async close(ms = PATIENCE_MS): Promise<Exit | undefined> {
    this.endInput();
    return await this.gone(ms);
  }

  kill(): void {
    if (this.exit === undefined) this.#child.kill('SIGKILL');
  }

  /** Asks it to go, then makes it. */
  async end(): Promise<void> {
    this.#child.stdout.resume();
    if ((await this.close(3_000)) === undefined) this.kill();
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream.destroy();
    await this.gone(3_000);
  }

  /** Live processes below this one (Linux). */
  descendants(): number[] {
    return descendantsOf(this.pid);
  }

  /** Waits until a child runs, and gives its id. */
  async childStarted(ms = PATIENCE_MS): Promise<number[]> {
    await until(() => this.descendants().length > 0, ms);
    return this.descendants();
  }

  /** A number of /proc/PID/status in MiB. */
  memory(field: 'VmRSS' | 'VmHWM'): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1_024;
  }

  #take(chunk: Buffer): void {
    for (const each of this.reader.push(chunk)) {
      if (Array.isArray(each)) this.batches.push(each);
      this.messages.push(...(Array.isArray(each) ? each : [each]));
    }
    this.#wake();
  }

  #wake(): void {
    for (const listener of this.#listeners) listener();
  }

  async #change(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#listeners.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#listeners.add(done);
    });
  }
}

function asCallReply(raw: Message): CallReply {
  const result = raw.result;
  if (result === undefined) throw new Error(`protocol error instead of a tool result: ${JSON.stringify(raw.error)}`);
  const content = result.content as readonly { readonly type: string; readonly text: string }[];
  return {
    isError: result.isError === true,
    text: content.map((block) => block.text).join('\n'),
    structured: result.structuredContent as Structured | undefined,
    raw,
  };
}

/** A pair of servers over the same root: one for each form of the replies. */
export interface Forms {
  readonly text: Server;
  readonly json: Server;
  call(tool: string, args: Args): Promise<Both>;
  search(args: Args): Promise<Both>;
  read(args: Args): Promise<Both>;
  list(args: Args): Promise<Both>;
}

/** One call's answer in both forms: `text` of the text form, `structured` of the other. */
export interface Both {
  readonly isError: boolean;
  readonly text: string;
  readonly structured: Structured;
  readonly code: string | undefined;
  /** Sizes of the two whole messages on the wire. */
  readonly bytes: { readonly text: number; readonly json: number };
}

export async function openForms(options: StartOptions = {}): Promise<Forms> {
  const [text, json] = await Promise.all([openServer(options), openServer({ ...options, format: 'json' })]);
  const call = async (tool: string, args: Args): Promise<Both> => {
    const [plain, data] = await Promise.all([text.call(tool, args), json.call(tool, args)]);
    if (plain.isError !== data.isError) throw new Error(`the two forms disagree: ${plain.text}\n---\n${data.text}`);
    if (data.structured === undefined) throw new Error(`no structuredContent: ${data.text}`);
    return {
      isError: data.isError,
      text: plain.text,
      structured: data.structured,
      code: data.structured.error?.code,
      bytes: { text: JSON.stringify(plain.raw).length, json: JSON.stringify(data.raw).length },
    };
  };
  return {
    text,
    json,
    call,
    search: (args) => call('search_text', args),
    read: (args) => call('read_snippet', args),
    list: (args) => call('list_files', args),
  };
}

/** Forms that are started at the first use and serve all tests of a file. */
export function sharedForms(options: () => StartOptions): () => Promise<Forms> {
  let opened: Promise<Forms> | undefined;
  return () => {
    opened ??= openForms({ ...options(), shared: true });
    return opened;
  };
}

export interface CliResult extends Exit {
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Buffer;
  /** The input ends when so many lines have come, and at once without it. Calls get a second to finish after the end, which may be too short for them on a busy machine. */
  readonly endAfterLines?: number;
  readonly ms?: number;
}

/** Runs the command to its end; stdin is `input` and then EOF. */
export async function runCli(args: readonly string[], options: RunOptions = {}): Promise<CliResult> {
  return await run(process.execPath, [CLI, ...args], options);
}

/** Reads 1 kB every 10 ms, and prints what it reads. */
const SLOW_READER = `
const { readSync, writeSync } = require('node:fs');
const part = Buffer.alloc(1024);
const wait = new Int32Array(new SharedArrayBuffer(4));
for (;;) {
  const size = readSync(0, part);
  if (size === 0) break;
  for (let at = 0; at < size; ) at += writeSync(1, part, at, size - at);
  Atomics.wait(wait, 0, 0, 10);
}
`;

/** The same behind a real pipe with a slow reader at its end. */
export async function runCliToSlowReader(options: RunOptions): Promise<CliResult> {
  return await run('/bin/sh', ['-c', '"$0" "$1" | "$0" -e "$2"', process.execPath, CLI, SLOW_READER], options);
}

async function run(command: string, args: readonly string[], options: RunOptions): Promise<CliResult> {
  const child = spawn(command, args, {
    cwd: options.cwd ?? '/',
    env: baseEnvironment(options.env),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  let linesToCome = options.endAfterLines ?? 0;
  child.stdout.on('data', (chunk: Buffer) => {
    out.push(chunk);
    for (const byte of chunk) if (byte === 0x0a && --linesToCome === 0) child.stdin.end();
  });
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  child.stdin.on('error', () => {});
  child.stdin.write(options.input ?? '');
  if (linesToCome === 0) child.stdin.end();
  const timer = setTimeout(() => {
    for (const pid of [...(HAS_PROC ? descendantsOf(child.pid!) : []), child.pid!]) process.kill(pid, 'SIGKILL');
  }, options.ms ?? PATIENCE_MS);
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  clearTimeout(timer);
  return { code, signal, stdout: Buffer.concat(out).toString('utf8'), stderr: Buffer.concat(err).toString('utf8') };
}

/** The messages in a whole stdout; throws at what is none. */
export function messagesOf(stdout: string): { messages: (Message | Message[])[]; framing: Framing | undefined } {
  const reader = new ReplyReader();
  const messages = reader.push(Buffer.from(stdout));
  if (reader.garbage.length > 0 || reader.unfinished.trim() !== '') {
    throw new Error(`stdout holds what is no message: ${[...reader.garbage, reader.unfinished].join('\n').slice(0, 500)}`);
  }
  return { messages, framing: reader.framing };
}

/** Polls for what gives no event of its own (processes, files); false when time is up. */
export async function until(holds: () => boolean, ms = PATIENCE_MS): Promise<boolean> {
  for (const deadline = Date.now() + ms; ; ) {
    if (holds()) return true;
    if (Date.now() >= deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}

export const HAS_PROC = process.platform === 'linux';

export function descendantsOf(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const [state, parent] = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      if (state !== 'Z') parents.set(Number(name), Number(parent));
    } catch {
      // Gone between the listing and the read.
    }
  }
  const found = [pid];
  for (const each of found) for (const [child, parent] of parents) if (parent === each) found.push(child);
  return found.slice(1);
}

export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Why a server cannot run as that user here, or undefined when it can. */
export function whyNotAs(uid: number): string | undefined {
  if (process.getuid === undefined) return 'this system has no user ids';
  const script = `require('node:fs').accessSync(${JSON.stringify(CLI)}, 4); require('node:fs').readdirSync(${JSON.stringify(`${PROJECT}node_modules`)})`;
  const tried = spawnSync(process.execPath, ['-e', script], { uid, gid: uid, cwd: '/', env: baseEnvironment(), encoding: 'utf8' });
  if (tried.error !== undefined) return `a child cannot be started as user ${uid}: ${tried.error.message}`;
  return tried.status === 0 ? undefined : `user ${uid} cannot read dist and node_modules`;
}
