/** What a folder is: its folders with languages and sizes, where it starts, what its README says, and the definitions that are named
 *  most often in its own files. */
import { bytes, clip, plural, showPath } from '../base/display.js';
import { type LanguageName, languageOf } from '../code/language.js';
import { classOf } from '../ranking/path-class.js';
import type { RunEnd, SearchEnd } from '../ripgrep/process.js';
import { maskParts, secretsOf } from '../security/mask.js';
import { readLines } from '../security/snippet.js';
import { sizeOf } from '../security/tree.js';
import { blockName } from './blocks.js';
import type { SearchContext, SearchParts } from './context.js';
import type { Edge, Section } from './edge.js';
import { type Frame, inFrame } from './frame.js';
import { folderOf } from './imports.js';
import { comparePaths } from './order.js';
import { ParseBudget } from './sources.js';

const MOST_FOLDERS = 15;
const MOST_ENTRIES = 12;
const MOST_DEFINITIONS = 20;
const README_LINES = 8;
const README_CHARS = 400;
const ENTRY_DEPTH = 4;
const ENTRY_NAME =
  /^(?:main|index|app|server|cli|lib|mod|__main__|manage|wsgi|asgi|setup|Program|Main|Application)\.(?:[cm]?[jt]sx?|py|go|rs|java|c|cc|cpp|cs|rb|php)$/;
const MANIFEST =
  /^(?:package\.json|Cargo\.toml|go\.mod|pyproject\.toml|setup\.py|pom\.xml|build\.gradle(?:\.kts)?|composer\.json|Gemfile|CMakeLists\.txt|meson\.build|.+\.(?:sln|csproj|gemspec))$/;

interface Folder {
  files: number;
  bytes: number;
  readonly languages: Map<LanguageName, number>;
}

interface Listing {
  readonly files: readonly string[];
  readonly ends: readonly (RunEnd & Pick<SearchEnd, 'searched'>)[];
}

/** @param scope a folder, '' for the whole root */
export async function overview(
  scope: string,
  parts: SearchParts,
  context: SearchContext,
): Promise<{ sections: Section[]; notes: string[]; anchor: string; ends: readonly SearchEnd[] }> {
  const choice = scope === '' ? {} : { scope };
  const { frame, found } = await inFrame(choice, parts, context, listAll, ({ files, ends }) => ({ isEmpty: files.length === 0, ends }));
  const base = scope === '' ? '' : (await context.root.resolve(scope)).relative;
  const files = [...found.files].sort(comparePaths);
  const sizes = new Map(files.map((path) => [path, sizeOf(context.root, path)]));
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const top = files.filter((path) => folderOf(path) === base);
  const { edges, notes } = await mostNamed(files, sizes, frame);
  const sections: Section[] = [
    {
      title: `${plural(files.length, 'file')}, ${bytes(total)}${base === '' ? '' : ` in ${showPath(base)}`}`,
      edges: folderEdges(base, files, sizes),
    },
    { title: 'manifests and entry points', edges: entryEdges(base, files) },
    { title: 'README', edges: await readmeEdges(top, context, parts) },
    { title: 'definitions named most often', edges },
  ];
  return { sections, notes: [...frame.notes, ...notes], anchor: base === '' ? '.' : base, ends: found.ends };
}

async function listAll({ passes, parts, context }: Frame): Promise<Listing> {
  const files: string[] = [];
  const ends: Listing['ends'][number][] = [];
  for (const pass of passes) {
    const end = await parts.ripgrep.list(pass.walk, context, (path) => {
      if (pass.accepts(path)) files.push(path);
      return true;
    });
    // A listing searches nothing; as one that came to its end it proves that there are no files.
    ends.push({ ...end, searched: end.reason === 'end' ? { files: files.length, bytes: 0 } : undefined });
  }
  return { files, ends };
}

function folderEdges(base: string, files: readonly string[], sizes: ReadonlyMap<string, number>): Edge[] {
  const folders = new Map<string, Folder>();
  const inside = base === '' ? 0 : base.length + 1;
  for (const path of files) {
    const slash = path.indexOf('/', inside);
    const name = slash < 0 ? `${path.slice(0, Math.max(0, inside - 1)) || '.'}` : path.slice(0, slash);
    const folder = folders.get(name) ?? { files: 0, bytes: 0, languages: new Map<LanguageName, number>() };
    folders.set(name, folder);
    folder.files++;
    folder.bytes += sizes.get(path) ?? 0;
    const language = languageOf(path);
    if (language !== undefined) folder.languages.set(language, (folder.languages.get(language) ?? 0) + (sizes.get(path) ?? 0));
  }
  const order = [...folders].sort((a, b) => b[1].bytes - a[1].bytes || comparePaths(a[0], b[0]));
  const edges = order.slice(0, MOST_FOLDERS).map(([name, folder]) => edge(name === '.' ? '.' : `${name}/`, describe(folder)));
  const rest = order.slice(MOST_FOLDERS);
  const left = rest.reduce((sum, [, folder]) => sum + folder.files, 0);
  return rest.length === 0 ? edges : [...edges, edge('…', `${plural(rest.length, 'smaller folder')} with ${plural(left, 'file')}`)];
}

function describe({ files, bytes: size, languages }: Folder): string {
  const most = [...languages].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 3);
  const shares = most.map(([name, part]) => `${name} ${Math.round((100 * part) / Math.max(1, size))} %`);
  return [plural(files, 'file'), bytes(size), ...shares].join(', ');
}

function entryEdges(base: string, files: readonly string[]): Edge[] {
  const depth = (path: string): number => path.slice(base.length).split('/').length;
  const known = files.filter((path) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return (
      depth(path) <= ENTRY_DEPTH &&
      (MANIFEST.test(name) ||
        (folderOf(path) === base && /^(?:Makefile|Kbuild)$/.test(name)) ||
        (ENTRY_NAME.test(name) && classOf(path) === 'source'))
    );
  });
  return known
    .sort((a, b) => depth(a) - depth(b) || comparePaths(a, b))
    .slice(0, MOST_ENTRIES)
    .map((path) => edge(path, ''));
}

async function readmeEdges(top: readonly string[], context: SearchContext, parts: SearchParts): Promise<Edge[]> {
  const readme = top.find((path) => /(?:^|\/)readme(?:\.\w+)?$/i.test(path));
  if (readme === undefined) return [];
  const lines = (await readLines(context.root, readme, parts.limits.maxFileBytes, context)) ?? [];
  const isText = (line: string): boolean => line.trim() !== '' && !/^\s*(?:<|\[?!\[|\[!|\.\. |:\w+:|[-=*_~^#]{3,}\s*$)/.test(line);
  const told = lines.flatMap((text, at) => (isText(text) ? [at] : [])).slice(0, README_LINES);
  // Nothing in a line of the body of a key tells what it is.
  const secrets = context.root.masksSecrets ? secretsOf(lines.slice(0, (told.at(-1) ?? -1) + 1)) : [];
  const shown = told.map((at) => {
    const parts = secrets[at] ?? [];
    return { path: readme, line: at + 1, lines: [], text: maskParts(lines[at] ?? '', parts).trim(), isMasked: parts.length > 0 };
  });
  let room = README_CHARS;
  return shown.filter(({ text }) => {
    room -= text.length;
    return room > 0;
  });
}

/** Functions and types whose names stand most often in the code of the folder itself. */
async function mostNamed(
  files: readonly string[],
  sizes: ReadonlyMap<string, number>,
  { parts, context }: Frame,
): Promise<{ edges: Edge[]; notes: string[] }> {
  const code = files.filter((path) => languageOf(path) !== undefined && ['source', 'header'].includes(classOf(path)));
  const size = code.reduce((sum, path) => sum + (sizes.get(path) ?? 0), 0);
  if (size > parts.limits.exploreChars) {
    return {
      edges: [],
      notes: [`definitions were not counted: ${plural(code.length, 'source file')} with ${bytes(size)}; give a smaller scope`],
    };
  }
  // The smaller ones first: so most files count, and the few largest, which cost most of the time, may not.
  const order = code.sort((a, b) => (sizes.get(a) ?? 0) - (sizes.get(b) ?? 0) || comparePaths(a, b));
  const budget = new ParseBudget({ confirmFiles: code.length, confirmChars: parts.limits.exploreChars / 2 });
  let parsed = 0;
  const times = new Map<string, number>();
  const places = new Map<string, { edge: Edge; count: number }>();
  for (const path of order) {
    if (budget.isSpent || context.deadline.isOver) break;
    const source = await parts.sources.read(path, context);
    if (source === undefined) continue;
    budget.take(source);
    parsed++;
    for (const line of source.lines)
      for (const name of line.match(/[\p{L}_$][\p{L}\p{N}_$]{2,}/gu) ?? []) times.set(name, (times.get(name) ?? 0) + 1);
    for (const one of source.structure.definitions) {
      if (one.isDeclaration || !NAMED.has(one.kind) || one.container !== '') continue;
      const known = places.get(one.name);
      if (known === undefined) places.set(one.name, { edge: { path, line: one.startLine, lines: [], text: blockName(one) }, count: 1 });
      else known.count++;
    }
  }
  // A name that several places define tells little about any of them.
  const unique = [...places].filter(([, { count: definitions }]) => definitions === 1);
  const edges = unique
    .map(([name, { edge: place }]) => ({ ...place, uses: (times.get(name) ?? 0) - 1 }))
    .filter(({ uses }) => uses > 0)
    .sort((a, b) => b.uses - a.uses || comparePaths(a.path, b.path) || a.line - b.line)
    .slice(0, MOST_DEFINITIONS)
    .map(({ uses, ...place }) => ({ ...place, text: `${clip(place.text, 80)}  named ${plural(uses, 'time')}` }));
  const rest = code.length - parsed;
  return {
    edges,
    notes: rest > 0 ? [`definitions were counted without the ${rest} largest of ${plural(code.length, 'source file')}`] : [],
  };
}

/** Not methods: their names are often plain words, which would count wherever they stand. */
const NAMED: ReadonlySet<string> = new Set(['function', 'class', 'interface', 'struct', 'enum', 'trait', 'type', 'macro', 'union']);

const edge = (path: string, text: string): Edge => ({ path, line: 0, lines: [], text });
