/** Stack traces: which lines belong to one, so that it stays whole. Pure. */
import { append, type Chunk, pieces } from './chunk.js';

/** A frame, as JavaScript, Java, .NET, Python, Go, Rust, Ruby and PHP print it. */
const FRAME =
  /^\s+at \S|^\s+File ".+", line \d+|^\s*\.\.\. \d+ (?:more|common frames omitted)|^\t\S+\.go:\d+|^\s+\d+: +\S+::|^\s+from \S+:\d+:in |^#\d+ +\S+\(\d+\)/;
/** A line that goes on with a trace, though it is no frame. */
const LINK =
  /^(?:Caused by|Suppressed|During handling|The above exception|Traceback|goroutine \d|\[cause\])|^[\w.$]*(?:Error|Exception|Panic|panicked)\b/;
/** Lines of message above the first frame. */
const MOST_HEAD = 5;
const LEAST_FRAMES = 3;
/** Share of a text's lines that makes it a trace. */
const FRAME_SHARE = 0.25;

const isFrame = (line: string): boolean => FRAME.test(line);
const isBlank = (line: string): boolean => line.trim() === '';

export function isTrace(lines: readonly string[]): boolean {
  const frames = lines.filter(isFrame).length;
  return frames >= LEAST_FRAMES && frames >= lines.filter((line) => !isBlank(line)).length * FRAME_SHARE;
}

/** Each trace whole, with its message and its causes; what stands between, and a text without any, in pieces.
 *  @param start first line to cut, 1-based
 *  @param end   last one */
export function chunkTraces(lines: readonly string[], start = 1, end = lines.length): Chunk[] {
  const found: Chunk[] = [];
  let free = start;
  for (let line = start; line <= end; line++) {
    if (!isFrame(lines[line - 1] ?? '')) continue;
    const head = headOf(lines, line, free);
    const tail = tailOf(lines, line, end);
    if (head > free) append(found, pieces(free, head - 1, []));
    found.push({ startLine: head, endLine: tail, path: [] });
    free = tail + 1;
    line = tail;
  }
  if (free <= end) append(found, pieces(free, end, []));
  return found;
}

/** The first line of the message above a frame. */
function headOf(lines: readonly string[], frame: number, free: number): number {
  let head = frame;
  while (head > free && frame - head < MOST_HEAD && !isBlank(lines[head - 2] ?? '')) head--;
  return head;
}

function tailOf(lines: readonly string[], frame: number, end: number): number {
  let tail = frame;
  const goesOn = (line: number): boolean => {
    const text = lines[line - 1] ?? '';
    return line <= end && (isFrame(text) || LINK.test(text) || (/^\s+\S/.test(text) && !isBlank(text)));
  };
  for (;;) {
    if (goesOn(tail + 1)) tail++;
    // A chain of errors may have blank lines between its links.
    else if (tail + 2 <= end && isBlank(lines[tail] ?? '') && LINK.test(lines[tail + 1] ?? '')) tail += 2;
    else return tail;
  }
}
