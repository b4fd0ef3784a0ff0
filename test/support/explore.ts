/** Replies of explore by their sections. */
import { type Args, type Lab, openLab, plant, type Tree } from './e2e-lab.js';

export interface Explored {
  readonly isError: boolean;
  readonly text: string;
  readonly relation: string;
  readonly anchor: string;
  readonly notes: readonly string[];
  readonly timedOut: boolean;
  readonly partial: boolean;
  readonly titles: readonly string[];
  readonly error: { readonly code: string; readonly message: string; readonly hint: string } | undefined;
  /** `path:lines  text` of the sections whose title fits. */
  edges(title: RegExp): string[];
  /** `path:line` of the same, every line by itself. */
  places(title: RegExp): string[];
}

interface Data {
  readonly relation: string;
  readonly anchor: string;
  readonly sections?: readonly {
    readonly title: string;
    readonly edges: readonly { path: string; line: number | null; lines: readonly number[]; text: string }[];
  }[];
  readonly notes?: readonly string[];
  readonly timedOut: boolean;
  readonly partial: boolean;
  readonly error?: Explored['error'];
}

export async function exploreIn(lab: Lab, args: Args): Promise<Explored> {
  const reply = await lab.json('explore', { maxChars: 50_000, ...args });
  const data = reply.data as unknown as Data;
  const sections = data.sections ?? [];
  const of = (title: RegExp) => sections.filter((section) => title.test(section.title)).flatMap(({ edges }) => edges);
  return {
    isError: reply.isError,
    text: reply.text,
    relation: data.relation,
    anchor: data.anchor,
    notes: data.notes ?? [],
    timedOut: data.timedOut,
    partial: data.partial,
    titles: sections.map(({ title }) => title),
    error: data.error,
    edges: (title) => of(title).map(({ path, line, lines, text }) => `${path}:${[line ?? 0, ...lines].join(',')}  ${text}`),
    places: (title) => of(title).flatMap(({ path, line, lines }) => [line ?? 0, ...lines].map((each) => `${path}:${each}`)),
  };
}

export const exploreTree = (tree: Tree, args: Args): Promise<Explored> => exploreIn(openLab(plant(tree)), args);
