/** run_test_filtered: runs a test command of the allowlist, and answers with what failed. */
import { bytes, clip, count, plural, showControls, showJson } from '../base/display.js';
import { ToolError } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import type { Failure } from '../testing/failures.js';
import { maskResult } from '../testing/masked-result.js';
import type { RunReport as Report } from '../testing/test-run.js';
import { integer, MAX_CHARS, ROOT } from './properties.js';
import type { Style } from './style.js';
import { type AnyTool, defineTool } from './tool.js';

interface RunOutcome extends RunReport {
  /** Whether the log can be searched here. */
  readonly isSearchable: boolean;
}

interface Arguments {
  readonly command?: string;
  readonly path?: string;
  readonly timeoutMs?: number;
  readonly wait?: string;
}

interface RunReport extends Report {
  /** Lines of the output with a mark in place of a key or token. */
  readonly masked?: number;
}

const COMMANDS = 'npm_test, pnpm_test, yarn_test, node_test, pytest, go_test or cargo_test';
/** Lines of the reply that are not about failures: headline, log, what was left out, notes. */
const TRAILER_LINES = 11;
/** Of a failure that does not fit whole, this many lines make sense. */
const LEAST_LINES = 6;

export const runTests = defineTool<Arguments, RunOutcome>({
  name: 'run_test_filtered',
  group: 'tests',
  lane: () => 'tests',
  effect: 'runs',
  description:
    'Runs tests, shows only what failed: message, expected, received and own stack of each failing test; counts, exit code. ' +
    'The log is kept. An unfinished run answers a handle: call again with wait.',
  input: {
    type: 'object',
    properties: {
      command: { type: 'string', description: COMMANDS, minLength: 1, maxLength: 40 },
      path: { type: 'string', description: 'Test file or folder', minLength: 1, maxLength: LIMITS.pathChars.max },
      timeoutMs: integer('testTimeoutMs', 'Then end it (exit code 124)'),
      wait: { type: 'string', description: 'Handle of an unfinished run', minLength: 1, maxLength: 100 },
      root: ROOT,
      maxChars: MAX_CHARS,
    },
    additionalProperties: false,
  },
  budget: 'maxChars',
  run: async ({ command, path, timeoutMs, wait }, { tests, outputs, root, limits, progress, signal, log, tally }) => {
    if (wait === undefined && command === undefined)
      throw new ToolError('argument_invalid', `"command" is missing; it is ${tests.commands.names.join(', ')}.`);
    const run = wait === undefined ? await tests.start(command ?? '', root, path, timeoutMs ?? limits.testTimeoutMs) : tests.find(wait);
    log.info({ command, pid: run.pid, run: run.handle }, wait === undefined ? 'test command started' : 'waiting for a test command');
    progress.describe(() => progressOf(run.report()));
    await run.wait(limits.testAnswerMs, signal);
    tally.bytesKept += run.takeKeptBytes();
    const report = run.report();
    const kept = { ...report, isSearchable: report.log.isKept && outputs.isOffered };
    return root.masksSecrets ? { ...kept, ...maskResult(report.result) } : { ...kept, masked: 0 };
  },
  text: render,
  data: (report, maxChars) => {
    const { counts, failures } = report.result;
    const shown = pick(entriesOf(report), LIMITS.testReplyLines.def, maxChars);
    return {
      command: report.command,
      exitCode: report.exitCode,
      timedOut: report.reason === 'deadline',
      durationMs: report.durationMs,
      ...(counts.passed === undefined ? {} : { passed: counts.passed }),
      ...(counts.failed === undefined ? {} : { failed: counts.failed }),
      ...(counts.skipped === undefined ? {} : { skipped: counts.skipped }),
      failures: shown.whole.map(({ name, lines, left }) => ({ name, lines: left === 0 ? lines : [...lines, leftOut(left)] })),
      truncated:
        shown.whole.length < failures.length ||
        report.result.failuresTotal > failures.length ||
        (!report.isRunning && report.result.failuresUnseen > 0),
      notes: [headline(report), ...factsOf(report, shown.whole.length)],
      source: report.handle,
      ...(report.isRunning ? { wait: report.handle } : {}),
    };
  },
  found: (report) => report.exitCode === 0,
  exitCode: (report) => report.exitCode ?? undefined,
  summary: ({ command, exitCode, signal, durationMs, log, result }) => ({
    command,
    exitCode,
    signal,
    runMs: durationMs,
    logBytes: log.bytes,
    runners: result.runners,
    failed: result.failuresTotal,
  }),
});

/** The tool as this server offers it: with the names that its operator has added. */
export function withCommands(tool: AnyTool, added: readonly string[]): AnyTool {
  const { command } = tool.input.properties;
  if (tool.name !== runTests.name || added.length === 0 || command === undefined) return tool;
  const properties = { ...tool.input.properties, command: { ...command, description: `${COMMANDS}; here also ${added.join(', ')}` } };
  return { ...tool, input: { ...tool.input, properties } };
}

function progressOf({ result, log }: Report): string {
  const { passed, failed } = result.counts;
  const counts = [passed === undefined ? [] : [`${count(passed)} passed`], failed === undefined ? [] : [`${count(failed)} failed`]].flat();
  return [...counts, `${plural(log.lines, 'line')} of output`].join(', ');
}

function headline(report: RunReport): string {
  const { command, result, exitCode, signal, isRunning, reason, durationMs, limitMs } = report;
  const { passed, failed, skipped } = result.counts;
  const counts = [
    ...(failed === undefined ? [] : [`${count(failed)} failed`]),
    ...(passed === undefined ? [] : [`${count(passed)} passed`]),
    ...(skipped === undefined ? [] : [`${count(skipped)} skipped`]),
  ].join(', ');
  const kinds = result.runners.filter((name) => name !== 'compiler');
  const by = kinds.length === 0 ? '' : ` (${kinds.join(', ')})`;
  const time = `${(durationMs / 1_000).toFixed(1)} s`;
  const tail = counts === '' || result.hasNoTests ? '' : `: ${counts}${by}`;
  if (isRunning) return `${command} is still running after ${time}${tail === '' ? '' : `; so far${tail}`}.`;
  if (reason === 'deadline')
    return `${command} timed out after ${limitMs / 1_000} s, exit code ${exitCode}${tail === '' ? '' : `; until then${tail}`}.`;
  if (reason === 'cancelled' || reason === 'shutdown')
    return `${command} was cancelled after ${time}${tail === '' ? '' : `; until then${tail}`}.`;
  if (signal !== null)
    return `${command} was killed by ${signal} after ${time}, exit code ${exitCode}${tail === '' ? '' : `; until then${tail}`}.`;
  if (result.hasNoTests) return `${command} found no tests, exit code ${exitCode}, in ${time}.`;
  if (result.compileErrors > 0)
    return `${command} did not compile: ${plural(result.compileErrors, 'error')}, exit code ${exitCode}, in ${time}${tail}.`;
  if (exitCode === 0) return `${command} passed, exit code 0, in ${time}${tail}.`;
  const nothing = result.runners.length === 0 ? ' without a test result that is known' : '';
  return `${command} failed${nothing}, exit code ${exitCode}, in ${time}${tail}.`;
}

/** What the run has to show: failing tests, and the telling lines where the tests themselves do not say why. */
function entriesOf(report: RunReport): Failure[] {
  const { failures, telling, tail, hasNoTests, runners } = report.result;
  const isGood = report.exitCode === 0 && failures.length === 0 && runners.length > 0;
  const isMute = failures.length === 0 || failures.some(({ lines }) => !lines.some(saysSomething));
  if (isGood || !isMute) return [...failures];
  if (telling.some((line) => line.trim() !== '') && !(hasNoTests && report.exitCode === 0))
    return [...failures, { name: 'lines of the output that stand out', lines: telling }];
  if (failures.length > 0) return [...failures];
  return tail.length === 0 ? [] : [{ name: `last ${plural(tail.length, 'line')} of the output`, lines: tail }];
}

/** node:test has no more to say about a file that crashed. */
const saysSomething = (line: string): boolean =>
  line.trim() !== '' && !/^(?:at \S+:\d+:\d+|location: .*|(?:error: )?'test failed')$/.test(line.trim());

/** A failure as far as it is shown. */
interface ShownFailure extends Failure {
  /** Lines left out at its end. */
  readonly left: number;
}

interface Picked {
  readonly whole: readonly ShownFailure[];
  /** Names of those that follow, as far as they fit. */
  readonly names: readonly string[];
}

/** The first entries whole, as far as lines and characters go; the very first is cut rather than left out. */
function pick(entries: readonly Failure[], maxLines: number, maxChars: number): Picked {
  const whole: ShownFailure[] = [];
  let lines = 0;
  let chars = 0;
  for (const entry of entries) {
    const size = sizeOf(entry);
    if (lines + entry.lines.length + 1 > maxLines || chars + size > maxChars) {
      const cut = cutEntry(entry, maxLines - lines, maxChars - chars);
      if (whole.length > 0 && cut.lines.length < LEAST_LINES) break;
      if (whole.length > 0 && entry !== entries.at(-1)) break;
      whole.push(cut);
      lines = maxLines;
      break;
    }
    whole.push({ ...entry, left: 0 });
    lines += entry.lines.length + 1;
    chars += size;
  }
  const names: string[] = [];
  for (const { name } of entries.slice(whole.length)) {
    chars += name.length + 8;
    if (++lines > maxLines || chars > maxChars) break;
    names.push(name);
  }
  return { whole, names };
}

/** The fence and the number of each line included. */
const sizeOf = ({ name, lines }: Failure): number => lines.reduce((sum, line) => sum + line.length + 3, name.length + 8);

function cutEntry({ name, lines }: Failure, maxLines: number, maxChars: number): ShownFailure {
  const shown: string[] = [];
  const title = clip(name, Math.max(20, maxChars - 40));
  let room = maxChars - title.length - 40;
  for (const line of lines.slice(0, Math.max(0, maxLines - 2))) {
    room -= line.length + 3;
    if (room < 0) break;
    shown.push(line);
  }
  return { name: title, lines: shown, left: lines.length - shown.length };
}

const leftOut = (left: number): string => `… ${plural(left, 'more line')}`;

/** @param shown how many failures are shown whole */
function factsOf(report: RunOutcome, shown: number): string[] {
  const { result, log, handle, isRunning, isSearchable, masked = 0 } = report;
  const left = result.failuresTotal - Math.min(shown, result.failuresTotal);
  const unseen = isRunning ? 0 : result.failuresUnseen;
  const last = result.lastFailure === undefined ? '' : `; the last: ${showJson(clip(result.lastFailure, 200))}`;
  return [
    ...(left > 0 ? [`${plural(left, 'more failure')} not shown whole${last}`] : []),
    ...(left > 0 && !isRunning ? [`the same result with more room: run_test_filtered {"wait": "${handle}", "maxChars": …}`] : []),
    ...(unseen > 0
      ? [`${count(unseen)} more failed, which the output does not show in a known form${log.isKept ? ': see the log' : ''}`]
      : []),
    ...(isRunning ? [`it goes on: call run_test_filtered {"wait": "${handle}"}`] : []),
    ...result.notes.slice(0, 3).map((note) => clip(showControls(note), 200)),
    ...report.notes,
    ...(masked === 0 ? [] : ['keys or tokens in the output are shown as [masked: …]']),
    `log: ${plural(log.lines, 'line')}, ${bytes(log.bytes)}${log.isCut ? ', its end not kept' : ''}${isSearchable ? `; search it: search_output ${showJson({ queries: ['…'], source: handle })}` : ''}`,
  ];
}

function render(report: RunOutcome, maxChars: number, style: Style): string {
  const entries = entriesOf(report);
  const head = headline(report);
  const trailer = (shown: number): string[] => factsOf(report, shown).map((fact) => `# ${fact}`);
  const reserved = head.length + trailer(0).join('\n').length + 2;
  const { whole, names } = pick(entries, LIMITS.testReplyLines.def - TRAILER_LINES, Math.max(0, maxChars - reserved));
  const blocks = whole.flatMap(({ name, lines, left }, index) => [
    `[${index + 1}] ${style.hit(showControls(name))}`,
    ...lines.map((line) => (line === '' ? '|' : `| ${showControls(line)}`)),
    ...(left === 0 ? [] : [leftOut(left)]),
  ]);
  const others = names.map((name, index) => `[${whole.length + index + 1}] ${showControls(name)}`);
  return clip([head, ...blocks, ...others, ...trailer(whole.length)].join('\n'), maxChars);
}
