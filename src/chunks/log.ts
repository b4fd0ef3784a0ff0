/** Logs, cut by records: a line that starts one, and what belongs to it. Pure. */
import { LIMITS } from '../base/limits.js';
import { append, type Chunk } from './chunk.js';
import { chunkTraces } from './trace.js';

/** A time, a level, an address, a JSON object, or the verdict of a test at the start of a line. */
const RECORD = new RegExp(
  [
    '^\\[?\\d{4}[-/]\\d\\d[-/]\\d\\d[T ]',
    '^[A-Z][a-z]{2} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d',
    '^\\[?\\d\\d:\\d\\d:\\d\\d',
    '^\\d{10,13}\\b',
    '^\\d{1,3}(?:\\.\\d{1,3}){3}\\b',
    '^\\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL)\\b',
    '^\\{".*\\}$',
    '^\\s*(?:not )?ok \\d+\\b',
    '^\\s*[✓✔✗✖×] ',
    '^(?:PASS|FAIL|PASSED|FAILED)\\b',
    '^test \\S+ \\.\\.\\. ',
    '^\\s*(?:=== RUN|--- (?:PASS|FAIL|SKIP))\\b',
  ].join('|'),
);
const LEAST_RECORDS = 5;
/** Share of a text's lines that makes it a log. */
const RECORD_SHARE = 0.5;

export function isLog(lines: readonly string[]): boolean {
  const records = lines.filter((line) => RECORD.test(line)).length;
  return records >= LEAST_RECORDS && records >= lines.filter((line) => line.trim() !== '').length * RECORD_SHARE;
}

/** A record each. Where no line looks like the start of one, every line that is not indented is. */
export function chunkLog(lines: readonly string[]): Chunk[] {
  const starts = recordStarts(lines, (line) => RECORD.test(line));
  const chosen = starts.length > 0 ? starts : recordStarts(lines, (line) => /^\S/.test(line));
  const found: Chunk[] = [];
  const first = chosen[0] ?? lines.length + 1;
  if (first > 1) append(found, chunkTraces(lines, 1, first - 1));
  for (const [index, start] of chosen.entries()) {
    const end = (chosen[index + 1] ?? lines.length + 1) - 1;
    if (end - start < LIMITS.chunkLines.def) found.push({ startLine: start, endLine: end, path: [] });
    else append(found, chunkTraces(lines, start, end));
  }
  return found;
}

function recordStarts(lines: readonly string[], isStart: (line: string) => boolean): number[] {
  const starts: number[] = [];
  for (const [index, line] of lines.entries()) if (isStart(line)) starts.push(index + 1);
  return starts;
}
