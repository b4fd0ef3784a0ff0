/** Reads a reply of search_code by nothing but the form of its lines. */
import type { Reply } from '../support/e2e-lab.js';

export interface Row {
  readonly line: number;
  readonly text: string;
}

export interface Packet {
  readonly rank: number;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly score: number;
  readonly has: string | undefined;
  readonly rows: readonly Row[];
  /** Runs of lines that a mark says are left out, as [first, last]. */
  readonly omitted: readonly (readonly [number, number])[];
}

export interface Pointer {
  readonly rank: number;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
}

export interface RankedReply {
  readonly packets: readonly Packet[];
  readonly pointers: readonly Pointer[];
  /** Lines of the trailer, without their mark. */
  readonly facts: readonly string[];
  /** The arguments of the read_snippet calls that the trailer names. */
  readonly calls: readonly Record<string, unknown>[];
  /** Lines of no known form. */
  readonly strange: readonly string[];
}

// A path holds no two spaces in the trees of these tests, so that what a line of code says cannot be taken for a head.
const HEAD = /^\[(\d+)\] ((?:(?! {2}).)+?):(\d+)-(\d+)(?: @[\w-]{6})? {2}score (-?[\d.]+)(?: {2}in (?:(?! {2}).)+)?(?: {2}has: (.*))?$/;
const POINTER = /^\[(\d+)\] ((?:(?! {2}).)+?):(\d+)(?:-(\d+))?(?: @[\w-]{6})? {2}(.*)$/;

/** A path that is more than one plain word is shown as JSON. */
const pathOf = (shown: string): string => (shown.startsWith('"') ? String(JSON.parse(shown)) : shown);
const ROW = /^(\d+) {2}(.*)$/;
/** A line that is empty loses its trailing spaces. */
const EMPTY_ROW = /^(\d+)$/;
const OMITTED = /^(\d+)(?:-(\d+))? omitted$/;
const CALL = /read_snippet (\{.*\})$/;

interface OpenPacket extends Packet {
  readonly rows: Row[];
  readonly omitted: (readonly [number, number])[];
}

export function readRanked(text: string): RankedReply {
  const packets: OpenPacket[] = [];
  const pointers: Pointer[] = [];
  const facts: string[] = [];
  const strange: string[] = [];
  let open: OpenPacket | undefined;
  for (const line of text.split('\n')) {
    const head = HEAD.exec(line);
    const pointer = POINTER.exec(line);
    const row = ROW.exec(line) ?? EMPTY_ROW.exec(line);
    const gap = OMITTED.exec(line);
    if (line.startsWith('# ') || line.startsWith('No place found')) facts.push(line.replace(/^# /, ''));
    else if (head !== null) {
      const [, rank, path = '', start, end, score, has] = head;
      open = {
        rank: Number(rank),
        path: pathOf(path),
        startLine: Number(start),
        endLine: Number(end),
        score: Number(score),
        has,
        rows: [],
        omitted: [],
      };
      packets.push(open);
    } else if (pointer !== null) {
      const [, rank, path = '', start, end = start, shown = ''] = pointer;
      pointers.push({
        rank: Number(rank),
        path: pathOf(path),
        startLine: Number(start),
        endLine: Number(end),
        text: shown,
      });
      open = undefined;
    } else if (open !== undefined && gap !== null) open.omitted.push([Number(gap[1]), Number(gap[2] ?? gap[1])]);
    else if (open !== undefined && row !== null) open.rows.push({ line: Number(row[1]), text: row[2] ?? '' });
    else strange.push(line);
  }
  const calls = facts.flatMap((fact) => {
    const call = CALL.exec(fact)?.[1];
    return call === undefined ? [] : [JSON.parse(call) as Record<string, unknown>];
  });
  return { packets, pointers, facts, calls, strange };
}

/** The fields of the structured form. */
export interface RankedData {
  readonly results?: readonly {
    readonly path: string;
    readonly startLine: number;
    readonly endLine: number;
    readonly score: number;
    readonly symbol?: string;
    readonly lines: readonly Row[];
  }[];
  readonly pointers?: readonly {
    readonly path: string;
    readonly startLine: number;
    readonly endLine: number;
    readonly line: number;
    readonly text: string;
  }[];
  readonly totalMatches?: number;
  readonly totalFiles?: number;
  readonly unmatchedTerms?: readonly string[];
  readonly distribution?: readonly { readonly dir: string }[];
  readonly truncated?: boolean;
  readonly timedOut?: boolean;
  readonly partial?: boolean;
  readonly notes?: readonly string[];
}

export const dataOf = (reply: Reply): RankedData => reply.data as RankedData;

/** The files of a reply, best first. */
export function rankedPaths(data: object): string[] {
  const { results = [], pointers = [] } = data as RankedData;
  return [...results, ...pointers].map(({ path }) => path);
}

/** The files of a text reply, best first. */
export function shownPaths(text: string): string[] {
  const { packets, pointers } = readRanked(text);
  return [...packets, ...pointers].sort((a, b) => a.rank - b.rank).map(({ path }) => path);
}
