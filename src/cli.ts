#!/usr/bin/env node
/** The program: verbs, flags, exit codes, signals. The only file that touches argv, the environment, the standard streams and
 *  the exit of the process. */

import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism, homedir } from 'node:os';
import { parseArgs } from 'node:util';
import { type Config, type FileConfig, FLAGS, type FlagValues, parseConfigFile, resolveConfig } from './base/config.js';
import { showControls } from './base/display.js';
import { ToolError } from './base/errors.js';
import { LIMITS } from './base/limits.js';
import { createLog, type Log, type LogSink } from './base/log.js';
import { nearest } from './base/near.js';
import { Progress } from './base/progress.js';
import { UsageError } from './base/usage.js';
import { Connection } from './jsonrpc/connection.js';
import { Router } from './mcp/router.js';
import { createServices, packageVersion, type Services } from './server.js';
import { PLAIN, type Style } from './tools/style.js';
import type { OptionTable, Verb } from './verbs.js';

/** Flags of every verb. */
const COMMON: OptionTable = Object.fromEntries(
  Object.entries(FLAGS).map(([name, { type, multiple }]) => [name, { type, ...(multiple ? { multiple } : {}) }]),
);
const EXIT = { found: 0, nothing: 1, error: 2 } as const;

async function main(argv: readonly string[]): Promise<void> {
  const [first = 'serve', ...rest] = argv;
  if (first === '--version' || first === '-V') return print(`${packageVersion()}\n`);
  const isVerb = !first.startsWith('-');
  const at = isVerb ? -1 : await verbBehindFlags(argv);
  if (at > 0) return main([argv[at] ?? '', ...(argv[at] === 'help' ? [] : argv.slice(0, at)), ...argv.slice(at + 1)]);
  const verb = isVerb ? first : 'serve';
  const args = isVerb ? rest : argv;
  if (verb === 'serve' && !asksForHelp(args)) return serve(args);
  if (verb === 'hook' && !asksForHelp(args)) return hook(args);
  const { help, VERBS } = await import('./verbs.js');
  if (verb === 'hook') return print(help(undefined));
  if (verb === 'help' && rest[0] !== undefined && VERBS[rest[0]] === undefined) throw new UsageError(`unknown verb "${rest[0]}"`);
  if (verb === 'help' || verb === 'serve') return print(help(rest[0]));
  const known = VERBS[verb];
  if (known === undefined) {
    const [near] = nearest(verb, verbNames(VERBS), 1);
    throw new UsageError(`unknown verb "${verb}"${near === undefined ? '' : `; did you mean "${near}"?`}`);
  }
  if (asksForHelp(args)) return print(help(verb));
  return once(known, args);
}

/** Where the verb stands that comes behind flags, as in `ripscope --root DIR grep x`, or a word that was meant for one; -1 where there is
 *  none. Anything else goes to the server, which starts all the same: its client shows what is wrong with it. */
async function verbBehindFlags(argv: readonly string[]): Promise<number> {
  // Flags of the verb are not known yet; one that is unknown takes no value, so that what follows it is looked at.
  const { tokens } = parseArgs({ args: [...argv], options: COMMON, strict: false, tokens: true });
  const token = tokens.find(({ kind }) => kind !== 'option');
  if (token?.kind !== 'positional') return -1;
  const { VERBS } = await import('./verbs.js');
  return nearest(token.value, verbNames(VERBS), 1).length > 0 ? token.index : -1;
}

const verbNames = (verbs: object): string[] => [...Object.keys(verbs), 'serve', 'hook', 'help'];

/** `--help` among the flags; what follows `--` is no flag. */
const asksForHelp = (args: readonly string[]): boolean =>
  (args.includes('--') ? args.slice(0, args.indexOf('--')) : args).some((arg) => arg === '--help' || arg === '-h');

/** One call of a tool, as text on stdout. */
async function once(verb: Verb, argv: readonly string[]): Promise<void> {
  const { toolArguments, toolFlags, toolOf } = await import('./verbs.js');
  const tool = toolOf(verb);
  const { values, positionals } = parse(argv, toolFlags(tool));
  if (Array.isArray(values.root) && values.root.length > 1) throw new UsageError('a verb searches one root; give --root once');
  const { config, problem } = await configure(values);
  if (problem !== undefined) throw problem;
  const log = openLog(config);
  // Whoever sits at a terminal waits for the end of a test run.
  const limits = { ...config.limits, testAnswerMs: LIMITS.testAnswerMs.max };
  const services = createServices({ ...config, limits }, log, { isServer: false });
  process.once('exit', () => services.close());
  const abort = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => abort.abort(new UsageError(`stopped by ${signal}`)));
  const progress = new Progress();
  const stopProgress = showProgress(progress);
  const style = process.stdout.isTTY && process.env.NO_COLOR === undefined ? COLOURED : PLAIN;
  const given = toolArguments(tool, verb, values, positionals);
  try {
    const { runner } = await services.toolbox();
    const reply = await runner.run(tool, given, { signal: abort.signal, log, progress, format: config.format, style });
    stopProgress();
    if (reply.isError && config.format === 'text') process.stderr.write(`${reply.text}\n`);
    else print(`${reply.text}\n`);
    process.exitCode = reply.isError ? EXIT.error : (reply.exitCode ?? (reply.found ? EXIT.found : EXIT.nothing));
  } finally {
    stopProgress();
  }
}

/** A client's hook: its event on stdin, an answer on stdout or none. Whatever goes wrong, the tool call of the client goes on as if
 *  there were no hook: exit code 0, nothing on stdout. */
async function hook(argv: readonly string[]): Promise<void> {
  // Nobody may be left to read the answer, or what went wrong: a full disk, a client that ended.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  process.on('uncaughtException', () => process.exit(EXIT.found));
  try {
    const { values, positionals } = parse(argv, {});
    const { config, problem } = await configure(values);
    if (positionals.length !== 1 || positionals[0] !== 'post-tool-use')
      throw new UsageError('the hook is called: ripscope hook post-tool-use');
    if (problem !== undefined) throw problem;
    const { answerHook } = await import('./hook/post-tool-use.js');
    const answer = await answerHook(await readInput(LIMITS.maxEventInput.def), config);
    if (answer !== undefined) process.stdout.write(`${answer}\n`);
  } catch (error) {
    process.stderr.write(`ripscope: ${error instanceof Error ? error.message : String(error)}\n`);
  }
  process.exitCode = EXIT.found;
}

/** All of stdin; undefined when it is larger. */
async function readInput(maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    size += (chunk as Buffer).length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

/** MCP on stdin and stdout until the client goes away. */
async function serve(argv: readonly string[]): Promise<void> {
  const { config, problem } = await configureServer(argv);
  const log = openLog(config);
  const services = createServices(config, log, { isServer: true, problem });
  const { toolbox, info } = services;
  const handler = new Router({ toolbox, info, limits: config.limits, cores: availableParallelism(), format: config.format, log });
  const connection = new Connection({ input: process.stdin, output: process.stdout, handler, limits: config.limits, log });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      log.info({ signal }, 'stopping');
      // What a run of tests is in the middle of may be tidied up; the exit below ends what is left.
      void services.stop();
      connection.stop();
    });
  }
  guard(log, services);
  process.once('exit', () => services.close());
  log.info({ version: info.version, roots: config.roots.length, node: process.version }, 'serving');
  if (problem !== undefined) log.error({ code: problem.code }, problem.message);
  for (const root of config.roots) if (root.problem !== undefined) log.error({ code: 'root_missing' }, root.problem);
  const reason = await connection.run();
  await services.stop();
  log.info({ reason }, 'ended');
  process.exit(reason === 'fatal' ? 1 : 0);
}

/** A bug outside of any call: say so, end the children, and leave; a half-broken server would answer wrongly. */
function guard(log: Log, services: Services): void {
  const fail = (err: unknown): void => {
    log.error({ err }, 'unexpected failure outside of a call');
    services.close();
    process.exit(1);
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
}

/** A wrong flag must not keep the server from starting: a client would only show "failed". */
async function configureServer(argv: readonly string[]): Promise<{ config: Config; problem?: ToolError }> {
  try {
    const { values, positionals } = parse(argv, {});
    if (positionals.length > 0) throw new UsageError(`serve takes no arguments, but got "${positionals[0]}"`);
    return await configure(values);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { ...(await configure({})), problem: new ToolError('config_invalid', `Command line: ${error.message}.`) };
  }
}

async function configure(flags: FlagValues): Promise<{ config: Config; problem?: ToolError }> {
  const surroundings = {
    flags,
    env: process.env,
    cwd: process.cwd(),
    home: homeFolder(),
    file: {} as FileConfig,
    warnings: [] as readonly string[],
  };
  try {
    const named = flags.config ?? process.env.RIPSCOPE_CONFIG;
    if (typeof named !== 'string' || named === '') return { config: resolveConfig(surroundings) };
    const { validators } = await import('./base/validators.js');
    const { config: validate } = validators;
    if (validate === undefined) throw new Error('no validator for the config file');
    return { config: resolveConfig({ ...surroundings, ...parseConfigFile(readConfig(named), named, validate) }) };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    // A client would only show "failed to start"; a server that says what is wrong in every call can be repaired.
    return {
      config: resolveConfig({ ...surroundings, flags: {}, env: { RIPSCOPE_FORMAT: process.env.RIPSCOPE_FORMAT === 'json' ? 'json' : '' } }),
      problem: error,
    };
  }
}

/** A user may have no home (a container with an arbitrary uid). */
function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return '/';
  }
}

function readConfig(name: string): string {
  try {
    if (!statSync(name).isFile()) throw new ToolError('config_invalid', `The config file ${name} is not a regular file.`);
    if (statSync(name).size > LIMITS.configBytes.def) throw new ToolError('config_invalid', `The config file ${name} is too large.`);
    return readFileSync(name, 'utf8');
  } catch (error) {
    if (error instanceof ToolError) throw error;
    throw new ToolError('config_invalid', `The config file ${name} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** stderr may be closed, or nobody may read it: lines beyond a bound are dropped and counted. */
function openLog(config: Config): Log {
  process.stderr.on('error', () => {});
  const { logFile, limits } = config;
  let dropped = 0;
  const stderr: LogSink = {
    write: (line) => {
      if (process.stderr.writableLength > limits.maxUnsentLogBytes || process.stderr.destroyed) {
        dropped++;
        return;
      }
      if (dropped > 0)
        process.stderr.write(
          `${JSON.stringify({ level: 40, time: Date.now(), dropped, msg: 'log lines were dropped because stderr was not read' })}\n`,
        );
      dropped = 0;
      process.stderr.write(line);
    },
  };
  const file: LogSink = {
    write: (line) => {
      try {
        appendFileSync(logFile ?? '', line);
      } catch {
        stderr.write(line); // the file cannot be written: better there than nowhere
      }
    },
  };
  // A pipe as log file would wait for its reader.
  const isFile = logFile !== undefined && (statSync(logFile, { throwIfNoEntry: false })?.isFile() ?? true);
  return createLog(config.logLevel, isFile ? file : stderr);
}

function parse(argv: readonly string[], own: OptionTable): { values: FlagValues; positionals: string[] } {
  const options: OptionTable = { ...COMMON, ...own };
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true, allowNegative: true });
    return { values: values as FlagValues, positionals };
  } catch (error) {
    const name = /'(--?[\w-]+)/.exec((error as Error).message)?.[1];
    if ((error as NodeJS.ErrnoException).code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION' || name === undefined)
      throw new UsageError((error as Error).message);
    const [near] = nearest(name.replace(/^--?/, ''), Object.keys(options), 1);
    throw new UsageError(`unknown flag ${name}${near === undefined ? '' : `; did you mean --${near}?`}`);
  }
}

const COLOURED: Style = {
  path: (text) => `\u001b[35m${text}\u001b[0m`,
  hit: (text) => `\u001b[1;31m${text}\u001b[0m`,
  dim: (text) => `\u001b[2m${text}\u001b[0m`,
};

/** On a terminal, a long search says that it is alive. */
function showProgress(progress: Progress): () => void {
  if (!process.stderr.isTTY) return () => {};
  progress.isWatched = true;
  let isShown = false;
  const timer = setInterval(() => {
    isShown = true;
    process.stderr.write(`\r\u001b[K${showControls(progress.message)}`);
  }, LIMITS.progressFirstMs.def);
  return () => {
    clearInterval(timer);
    if (isShown) process.stderr.write('\r\u001b[K');
    isShown = false;
  };
}

function print(text: string): void {
  process.stdout.on('error', () => process.exit(EXIT.error));
  process.stdout.write(text);
}

await main(process.argv.slice(2)).catch((error: unknown) => {
  if (error instanceof UsageError) process.stderr.write(`ripscope: ${showControls(error.message)}\nripscope help lists verbs and flags.\n`);
  else if (error instanceof ToolError)
    process.stderr.write(`${error.code}: ${showControls(error.message)}\n# ${showControls(error.hint)}\n`);
  else throw error;
  process.exitCode = EXIT.error;
});
