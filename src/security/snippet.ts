/** Reads a range of lines of one file through a checked handle. Memory stays bounded by what is shown, however large the file
 *  or its lines are. Lines end at LF only, as ripgrep counts them; UTF-8 and, with a byte order mark, UTF-16 are decoded. */
import type { FileHandle } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import type { Deadline } from '../base/deadline.js';
import { showJson } from '../base/display.js';
import { ToolError } from '../base/errors.js';
import type { ConfinedPath, Root } from './root.js';

const CHUNK = 65_536;
const SNIFF = 8_192;
/** A file with NUL bytes is taken for binary when more than this share of its beginning is control characters. */
const BINARY_SHARE = 0.1;

export interface RangeRequest {
  /** 1-based, inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  /** 1-based column (UTF-16 units) at which the first line starts. */
  readonly startColumn: number;
  /** Units of text kept in all; the line that passes it is kept up to there. */
  readonly maxChars: number;
  /** How far the file is read to learn how many lines it has. */
  readonly countLinesBytes: number;
}

export interface SnippetLine {
  readonly line: number;
  /** From `startColumn` (the first line) or the line's start; without its line end. */
  readonly text: string;
  /** Units of the whole line; of a cut line, only as far as it was read. */
  readonly length: number;
  /** More of the line follows after `text`. */
  readonly isCut: boolean;
}

export interface Snippet {
  readonly lines: readonly SnippetLine[];
  /** Lines of the file; undefined when the file is too large to count. */
  readonly totalLines: number | undefined;
  readonly size: number;
  readonly hasNul: boolean;
}

/** What ends a read early. */
export interface ReadCall {
  readonly signal: AbortSignal;
  readonly deadline: Deadline;
}

/** @throws ToolError file_binary, timed_out, and what Root.openFile throws */
export async function readRange(root: Root, file: ConfinedPath, request: RangeRequest, call: ReadCall): Promise<Snippet> {
  const { handle, size } = await root.openFile(file);
  try {
    // Each step waits for a thread, behind whatever else runs: a small file takes a single read.
    const first = await readAt(handle, 0, CHUNK);
    const encoding = sniff(first.subarray(0, SNIFF), file.relative);
    const reader = new RangeReader(request, encoding);
    let offset = encoding.skip;
    let hasNul = false;
    let isAtEnd = false;
    for (let bytes: Buffer | undefined = first; !isAtEnd && (!reader.isComplete || offset < request.countLinesBytes); bytes = undefined) {
      call.signal.throwIfAborted();
      if (call.deadline.isOver) {
        if (reader.isComplete) break;
        throw new ToolError(
          'timed_out',
          `Line ${request.startLine} of ${showJson(file.relative)} was not reached within ${call.deadline.limitMs} ms.`,
        );
      }
      const chunk: Buffer = bytes?.subarray(encoding.skip) ?? (await readAt(handle, offset, CHUNK));
      hasNul ||= encoding.name === 'utf8' && !reader.isComplete && chunk.includes(0);
      reader.take(chunk);
      offset += chunk.length;
      isAtEnd = offset >= size ? chunk.length < CHUNK : chunk.length === 0;
    }
    const isWhole = isAtEnd || offset >= size || (await readAt(handle, offset, 1)).length === 0;
    return { lines: reader.finish(isWhole), totalLines: isWhole ? reader.lineCount : undefined, size, hasNul };
  } finally {
    await handle.close();
  }
}

/** Bytes at a place in a file, for the excerpt of a line too long to come whole. */
export async function readBytes(root: Root, file: ConfinedPath, offset: number, length: number): Promise<Buffer> {
  const { handle } = await root.openFile(file);
  try {
    return await readAt(handle, offset, length);
  } finally {
    await handle.close();
  }
}

export interface WholeFile {
  /** undefined: larger than was asked for. */
  readonly content: Buffer | undefined;
  readonly version: string;
  readonly changedMs: number;
}

/** The bytes of a whole file; undefined when it cannot be had. */
export async function readWhole(root: Root, path: string, maxBytes: number): Promise<WholeFile | undefined> {
  try {
    const { handle, size, version, changedMs } = await root.openFile(await root.resolve(path, { offersNames: false }));
    try {
      // One byte more tells a file that grew since.
      const content = size > maxBytes ? undefined : await readAt(handle, 0, size + 1);
      return content?.length === size + 1 ? undefined : { content, version, changedMs };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

/** The lines of a file's bytes as `readRange` numbers and decodes them. */
export function linesIn(content: Buffer): string[] {
  const isBigEndian = content[0] === 0xfe && content[1] === 0xff;
  const isUtf16 = isBigEndian || (content[0] === 0xff && content[1] === 0xfe);
  const even = content.length - (content.length % 2);
  const text = isBigEndian
    ? Buffer.from(content.subarray(0, even)).swap16().toString('utf16le')
    : content.toString(isUtf16 ? 'utf16le' : 'utf8');
  const lines = text.replace(/^\ufeff/, '').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

async function readAt(handle: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  const { bytesRead } = await handle.read(buffer, 0, length, offset);
  return buffer.subarray(0, bytesRead);
}

interface Encoding {
  readonly name: 'utf8' | 'utf16le' | 'utf16be';
  /** Bytes of the byte order mark. */
  readonly skip: number;
}

function sniff(head: Buffer, name: string): Encoding {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { name: 'utf8', skip: 3 };
  if (head[0] === 0xff && head[1] === 0xfe) return { name: 'utf16le', skip: 2 };
  if (head[0] === 0xfe && head[1] === 0xff) return { name: 'utf16be', skip: 2 };
  const nul = head.indexOf(0);
  if (nul >= 0) {
    let controls = 0;
    for (const byte of head) if (byte < 9 || (byte > 13 && byte < 32)) controls++;
    if (controls > head.length * BINARY_SHARE) {
      throw new ToolError('file_binary', `${showJson(name)} is binary (NUL byte at offset ${nul}).`);
    }
  }
  return { name: 'utf8', skip: 0 };
}

/** Takes decoded bytes in order, keeps the wanted lines, counts the rest. */
class RangeReader {
  readonly #request: RangeRequest;
  readonly #encoding: Encoding;
  readonly #decoder: StringDecoder;
  readonly #kept: SnippetLine[] = [];
  #line = 1;
  #room: number;
  /** Of the current line, if it is wanted: text kept and units seen. */
  #text = '';
  #length = 0;
  #hasBytes = false;
  #odd: Buffer | undefined;

  constructor(request: RangeRequest, encoding: Encoding) {
    this.#request = request;
    this.#encoding = encoding;
    this.#decoder = new StringDecoder(encoding.name === 'utf8' ? 'utf8' : 'utf16le');
    this.#room = request.maxChars;
  }

  /** Nothing further is kept: the range has passed or the room is used up. */
  get isComplete(): boolean {
    return this.#line > this.#request.endLine || this.#room <= 0;
  }

  /** Lines seen, the last one also without a line end. */
  get lineCount(): number {
    return this.#hasBytes ? this.#line : this.#line - 1;
  }

  take(chunk: Buffer): void {
    if (this.#encoding.name === 'utf8' && (this.#line < this.#request.startLine || this.isComplete)) {
      this.#skip(chunk);
      return;
    }
    this.#takeText(this.#decoder.write(this.#encoding.name === 'utf16be' ? this.#swap(chunk) : chunk));
  }

  /** Counting only needs the bytes; decoding starts in the chunk that holds the first wanted line. */
  #skip(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) {
      this.#line++;
      from = at + 1;
      if (this.#line === this.#request.startLine && !this.isComplete) {
        this.#hasBytes = false;
        if (from < chunk.length) this.take(chunk.subarray(from));
        return;
      }
    }
    if (chunk.length > 0) this.#hasBytes = from < chunk.length;
  }

  #takeText(text: string): void {
    let from = 0;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
      this.#add(text.slice(from, at));
      this.#endLine();
      from = at + 1;
    }
    if (from < text.length) this.#add(text.slice(from));
  }

  #isWanted(): boolean {
    return this.#line >= this.#request.startLine && this.#line <= this.#request.endLine;
  }

  #add(part: string): void {
    this.#hasBytes = true;
    if (!this.#isWanted() || this.#room <= 0) return;
    const from = Math.max(0, this.#skipped() - this.#length);
    const room = this.#room - this.#text.length;
    this.#text += part.slice(from, from + room);
    this.#length += part.length;
    // The CR of a line end takes no room; whether it is one shows with the next character.
    const rest = part.slice(from + room);
    if (rest !== '' && rest !== '\r') this.#keep(true);
  }

  /** Units left out at the start of the current line. */
  #skipped(): number {
    return this.#line === this.#request.startLine ? this.#request.startColumn - 1 : 0;
  }

  #endLine(): void {
    if (this.#isWanted() && this.#room > 0) this.#keep(false);
    this.#text = '';
    this.#length = 0;
    this.#line++;
    this.#hasBytes = false;
  }

  #keep(isCut: boolean): void {
    const isSplit = isCut && /[\ud800-\udbff]$/.test(this.#text);
    const text = isSplit || (!isCut && this.#text.endsWith('\r')) ? this.#text.slice(0, -1) : this.#text;
    this.#kept.push({ line: this.#line, text, length: this.#length, isCut });
    // A cut line used up the room; nothing after it is kept.
    this.#room = isCut ? 0 : this.#room - this.#text.length - 1;
  }

  /** @param isWhole whether the end of the file was reached, so that the line in hand is the last one */
  finish(isWhole: boolean): readonly SnippetLine[] {
    if (isWhole && !this.isComplete) this.#takeText(this.#decoder.end());
    if (this.#hasBytes && this.#isWanted() && this.#room > 0) this.#keep(false);
    return this.#kept;
  }

  /** Big-endian pairs as little-endian ones; a byte left over waits for the next chunk. */
  #swap(chunk: Buffer): Buffer {
    const bytes = this.#odd === undefined ? Buffer.from(chunk) : Buffer.concat([this.#odd, chunk]);
    const even = bytes.length - (bytes.length % 2);
    this.#odd = even < bytes.length ? Buffer.from(bytes.subarray(even)) : undefined;
    return bytes.subarray(0, even).swap16();
  }
}

/** Of longer lines above a place, so many are enough: a body on one line stands below its mark and its headers. */
const NEAREST = 4;

/** Lines above `line`, as many as a private key may have; none when they cannot be had. */
export async function linesAbove(root: Root, path: string, line: number, most: number, call: ReadCall): Promise<string[]> {
  try {
    const range = {
      startLine: Math.max(1, line - most),
      endLine: line - 1,
      startColumn: 1,
      maxChars: Math.max(most * 500, 100_000),
      countLinesBytes: 0,
    };
    if (range.endLine < 1) return [];
    const { lines } = await readRange(root, await root.resolve(path), range, call);
    // Long lines may have used up the room above the ones that are nearest.
    if (lines.length <= range.endLine - range.startLine && most > NEAREST) return await linesAbove(root, path, line, NEAREST, call);
    return lines.map(({ text }) => text);
  } catch (error) {
    if (error instanceof ToolError) return [];
    throw error;
  }
}

/** All lines of a file of at most twice `maxBytes`, without their line ends; undefined when it cannot be had (gone, too large, binary,
 *  not readable, no longer inside the root).
 *  @param endLine last one that is wanted */
export async function readLines(
  root: Root,
  path: string,
  maxBytes: number,
  call: ReadCall,
  endLine = Number.POSITIVE_INFINITY,
): Promise<string[] | undefined> {
  try {
    const file = await root.resolve(path);
    const { lines, size } = await readRange(
      root,
      file,
      { startLine: 1, endLine, startColumn: 1, maxChars: maxBytes * 2, countLinesBytes: 0 },
      call,
    );
    // Of a larger one only the head was read, which must not be taken for the whole.
    return size > maxBytes * 2 ? undefined : lines.map((line) => line.text);
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
