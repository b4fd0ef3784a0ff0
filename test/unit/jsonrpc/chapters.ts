/** Reads the chapters of test/framing: titles, bytes and expected events. The notation is explained in detection.md. */

import { readdirSync, readFileSync } from 'node:fs';
import { FrameDecoder, type FrameEvent } from '#dist/jsonrpc/framing.js';

const FOLDER = new URL('../../../../test/framing/', import.meta.url);

export interface FrameLimits {
  readonly maxFrameBytes: number;
  readonly maxHeaderBytes: number;
}

export interface FramingCase {
  readonly title: string;
  readonly limits: FrameLimits;
  readonly input: Buffer;
  /** The lines of the events block. */
  readonly expected: readonly string[];
}

export function readChapters(): FramingCase[] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.md'));
  return names.sort().flatMap((name) => readChapter(name.replace('.md', ''), readFileSync(new URL(name, FOLDER), 'utf8')));
}

function readChapter(chapter: string, text: string): FramingCase[] {
  const [head, ...sections] = text.split(/^## /m);
  const limits = /^Limits: maxFrameBytes=(\d+) maxHeaderBytes=(\d+)$/m.exec(head!);
  if (limits === null) throw new Error(`${chapter}: no limits`);
  return sections.map((section) => {
    const input = /^```input\n(.*?)^```$/ms.exec(section);
    const events = /^```events\n(.*?)^```$/ms.exec(section);
    const title = section.slice(0, section.indexOf('\n'));
    if (input === null || events === null) throw new Error(`${chapter}: ${title}: a block is missing`);
    return {
      title: `${chapter}: ${title}`,
      limits: { maxFrameBytes: Number(limits[1]), maxHeaderBytes: Number(limits[2]) },
      input: unescapeBytes(input[1]!.replaceAll('\n', '')),
      expected: events[1]!
        .split('\n')
        .slice(0, -1)
        .map((line) => showBytes(unescapeBytes(line))),
    };
  });
}

/** Decodes the pieces one by one and writes down what happened, in the notation of an events block. */
export function replay(limits: FrameLimits, pieces: Iterable<Buffer>): string[] {
  const decoder = new FrameDecoder(limits);
  const pushed = [...pieces].flatMap((piece) => decoder.push(piece)).map(showEvent);
  const ended = decoder.end().map(showEvent);
  return [`framing ${decoder.framing ?? 'undecided'}`, ...pushed, 'end', ...ended];
}

/** Cuts bytes into chunks of one width. */
export function* chunksOf(bytes: Buffer, width: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += width) yield bytes.subarray(at, at + width);
}

function showEvent(event: FrameEvent): string {
  if (event.kind === 'frame') return `frame ${showBytes(event.body)}`;
  return event.kind === 'oversize' ? `oversize ${event.limit}` : `fatal ${event.reason}`;
}

function unescapeBytes(text: string): Buffer {
  const named: Record<string, string> = { n: '\n', r: '\r', t: '\t', '\\': '\\' };
  const latin1 = Buffer.from(text).toString('latin1');
  const bytes = latin1.replace(/\\(?:x([0-9a-f]{2})|(.))/g, (_, hex?: string, letter?: string) => {
    const byte = hex === undefined ? named[letter!] : String.fromCharCode(Number.parseInt(hex, 16));
    if (byte === undefined) throw new Error(`unknown escape in ${text}`);
    return byte;
  });
  return Buffer.from(bytes, 'latin1');
}

function showBytes(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/[^ -[\]-~]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
