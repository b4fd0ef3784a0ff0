/** What a project is written in, from the manifest at its root, else from the files that a search met. It only breaks ties. */
import { showPath } from '../base/display.js';
import type { LanguageName } from '../code/language.js';
import type { Root } from '../security/root.js';
import { entriesOf } from '../security/tree.js';

export interface Project {
  /** `unknown` where nothing tells. */
  readonly type: string;
  readonly languages: readonly LanguageName[];
  /** The manifest, or what else told. */
  readonly because: string;
}

const SCRIPT: readonly LanguageName[] = ['typescript', 'tsx', 'javascript'];
/** First that is there; TypeScript before JavaScript, since every TypeScript project has a package.json as well. */
const MANIFESTS: readonly (readonly [name: RegExp, type: string, languages: readonly LanguageName[]])[] = [
  [/^tsconfig\.json$/, 'typescript', ['typescript', 'tsx']],
  [/^Cargo\.toml$/, 'rust', ['rust']],
  [/^go\.mod$/, 'go', ['go']],
  [/^(?:pyproject\.toml|setup\.py|setup\.cfg|requirements\.txt)$/, 'python', ['python']],
  [/^(?:pom\.xml|build\.gradle|build\.gradle\.kts|settings\.gradle(?:\.kts)?)$/, 'java', ['java']],
  [/^composer\.json$/, 'php', ['php']],
  [/^(?:Gemfile|.+\.gemspec)$/, 'ruby', ['ruby']],
  [/^.+\.(?:sln|slnx|csproj)$/, 'csharp', ['csharp']],
  [/^(?:CMakeLists\.txt|meson\.build|configure\.ac|Kbuild|Kconfig)$/, 'c', ['c', 'cpp']],
  [/^package\.json$/, 'javascript', SCRIPT],
];
const MOST_ENTRIES = 2_000;

/** @param seen languages of the files that a search met, and how many */
export async function detectProject(root: Root, seen: ReadonlyMap<LanguageName, number>): Promise<Project> {
  const entries = ((await entriesOf(root, '', MOST_ENTRIES)) ?? []).map((entry) => entry.name);
  for (const [name, type, languages] of MANIFESTS) {
    const found = entries.filter((entry) => name.test(entry)).sort()[0];
    if (found !== undefined) return { type, languages, because: showPath(found) };
  }
  const [most] = [...seen].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return most === undefined
    ? { type: 'unknown', languages: [], because: 'no manifest at the root' }
    : { type: most[0], languages: [most[0]], because: 'files with the name' };
}
