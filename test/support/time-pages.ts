/** Walks the pages of a call that runs out of time again and again, each page by a server that knows nothing of the others. */
import assert from 'node:assert/strict';
import { type Args, type Lab, openLab } from './e2e-lab.js';

export const TEXT = 'export function needle() {}\n';

export type Found = (data: Record<string, unknown>) => string[];
export const TOOLS: Readonly<Record<string, { args: Args; found: Found }>> = {
  'search_text, matches': {
    args: { pattern: 'needle', maxMatches: 500 },
    found: (data) => (data.matches as { path: string }[]).map(({ path }) => path),
  },
  'search_text, files': { args: { pattern: 'needle', output: 'files', maxMatches: 500 }, found: (data) => data.files as string[] },
  search_code: {
    args: { query: 'needle', topK: 50 },
    found: (data) => [data.results, data.pointers].flatMap((places) => (places as { path: string }[]).map(({ path }) => path)),
  },
  locate: {
    args: { query: 'needle', maxResults: 100 },
    found: (data) => (data.results as { path: string }[]).map(({ path }) => path),
  },
  list_files: { args: { maxResults: 500 }, found: (data) => (data.files as string[]).filter((path) => path.endsWith('.ts')) },
};
/** The same with few items a page, so that pages end by number and by time in turn. */
export const FEW: typeof TOOLS = {
  'search_text, few matches': { args: { pattern: 'needle', maxMatches: 7 }, found: (data) => TOOLS['search_text, matches']!.found(data) },
  'search_text, few files': { args: { pattern: 'needle', output: 'files', maxMatches: 7 }, found: (data) => data.files as string[] },
  'list_files, few': { args: { maxResults: 7 }, found: (data) => TOOLS.list_files!.found(data) },
};
export const nameOf = (title: string): string => title.split(',')[0] ?? '';

/** All pages, each of a server that knows nothing of the others. */
export const pagesInTime = (dir: string, program: string, title: string, args: Args, between: (page: number) => void = () => {}) =>
  pagesOfLabs(() => openLab(dir, { program }), title, args, between);

/** All pages, each of the lab that is given for it. */
export async function pagesOfLabs(labOf: () => Lab, title: string, args: Args, between: (page: number) => void = () => {}) {
  const pages: Record<string, unknown>[] = [];
  let cursor: unknown;
  do {
    assert.ok(pages.length < 60, `${title} comes to no end`);
    between(pages.length);
    const call = { ...args, maxChars: 50_000, timeoutMs: 500, ...(cursor === undefined ? {} : { cursor }) };
    const reply = await labOf().json(nameOf(title), call);
    assert.ok(!reply.isError, reply.text);
    pages.push(reply.data as Record<string, unknown>);
    cursor = reply.data.nextCursor;
    if (cursor !== undefined && reply.data.timedOut)
      assert.equal(reply.data.partial, true, `${title}: a page that another one follows is partial`);
  } while (cursor !== undefined);
  return pages;
}

/** Files that the pages had to show: on a busy machine even one file may be too much for a call, which then says so. */
export function promised(pages: readonly Record<string, unknown>[], files: readonly string[]): string[] {
  const gaps = pages.flatMap((page) => (page as { covered?: { uncovered?: string[] } }).covered?.uncovered ?? []);
  if (gaps.length > 0) assert.equal(pages.at(-1)?.partial, true, 'a walk with gaps does not end as if it were whole');
  return files.filter((path) => !gaps.some((gap) => path === gap || path.startsWith(`${gap}/`)));
}
