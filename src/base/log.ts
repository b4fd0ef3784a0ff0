/** Structured logs: one JSON line an event, to a sink that the caller gives (stderr or a file). pino is loaded with the first
 *  line that is written, so a quiet server starts without it. Never throws, never blocks, never sees file contents. */
import { createRequire } from 'node:module';

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
type Written = Exclude<LogLevel, 'silent' | 'trace'>;

export interface LogSink {
  /** Takes one line with its newline; must not throw or block. */
  write(line: string): void;
}

export type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  error(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  debug(fields: LogFields, message: string): void;
}

type Pino = Record<Written, (fields: object, message: string) => void>;

/** A log that writes `level` and what is graver. Errors are serialised with their stack, under the key `err`. */
export function createLog(level: LogLevel, sink: LogSink): Log {
  const threshold = LOG_LEVELS.indexOf(level);
  let pino: Pino | undefined;
  const load = (): Pino => createRequire(import.meta.url)('pino')({ level, base: { pid: process.pid } }, sink) as Pino;
  const at = (name: Written) => (fields: LogFields, message: string) => {
    if (LOG_LEVELS.indexOf(name) > threshold) return;
    pino ??= load();
    pino[name](fields, message);
  };
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
}

/** The same log with fields on every line (request id, tool). */
export function withFields(log: Log, extra: LogFields): Log {
  const at = (name: Written) => (fields: LogFields, message: string) => log[name]({ ...extra, ...fields }, message);
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
}
