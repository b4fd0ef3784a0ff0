/** Which language a file is written in, by its name and, where asked, its first line. Pure. */

export type LanguageName =
  | 'typescript'
  | 'tsx'
  | 'javascript'
  | 'python'
  | 'go'
  | 'rust'
  | 'java'
  | 'c'
  | 'cpp'
  | 'csharp'
  | 'ruby'
  | 'php'
  | 'bash';

const EXTENSIONS: Readonly<Record<LanguageName, string>> = {
  typescript: 'ts mts cts',
  tsx: 'tsx',
  javascript: 'js jsx mjs cjs es6',
  python: 'py pyi pyw pyx bzl star',
  go: 'go',
  rust: 'rs',
  java: 'java',
  c: 'c h',
  cpp: 'cpp cc cxx c++ hpp hh hxx h++ inl ipp tcc tpp cu cuh ino',
  csharp: 'cs csx',
  ruby: 'rb rake gemspec ru podspec jbuilder thor',
  php: 'php phtml php3 php4 php5 php7 phps',
  bash: 'sh bash zsh ksh ebuild eclass bats',
};

const BASE_NAMES: Readonly<Record<string, LanguageName>> = {
  Rakefile: 'ruby',
  Gemfile: 'ruby',
  Guardfile: 'ruby',
  Vagrantfile: 'ruby',
  Podfile: 'ruby',
  Fastfile: 'ruby',
  Capfile: 'ruby',
  Brewfile: 'ruby',
  SConstruct: 'python',
  SConscript: 'python',
  wscript: 'python',
  BUILD: 'python',
  WORKSPACE: 'python',
  Tiltfile: 'python',
  PKGBUILD: 'bash',
  APKBUILD: 'bash',
  '.bashrc': 'bash',
  '.bash_profile': 'bash',
  '.bash_aliases': 'bash',
  '.profile': 'bash',
  '.zshrc': 'bash',
};

const BY_EXTENSION: ReadonlyMap<string, LanguageName> = new Map(
  Object.entries(EXTENSIONS).flatMap(([name, list]) => list.split(' ').map((extension) => [extension, name as LanguageName] as const)),
);

const INTERPRETERS: readonly (readonly [interpreter: RegExp, language: LanguageName])[] = [
  [/^(?:node|nodejs|bun)$/, 'javascript'],
  [/^(?:deno|tsx|ts-node)$/, 'typescript'],
  [/^(?:python|pypy)[\d.]*$/, 'python'],
  [/^(?:sh|bash|dash|ash|ksh|zsh)$/, 'bash'],
  [/^(?:ruby|jruby)[\d.]*$/, 'ruby'],
  [/^php[\d.]*$/, 'php'],
];

/** Endings of files that are no code; words that are more often names of methods (`log`, `lock`, `conf`) are not among them. */
const OTHER_ENDINGS: ReadonlySet<string> = new Set(
  'adoc cfg css csv dart gradle graphql htm html ini ipynb json jsonc json5 kt kts less lua markdown md mdx pl pm png proto rst sass scala scss sql svelte svg swift tf toml tsv txt vue xml yaml yml zig'.split(
    ' ',
  ),
);

/** Whether a name ends as files are known to: `.ts`, `.md`. */
export function hasFileEnding(name: string): boolean {
  const ending = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase();
  return ending !== undefined && (BY_EXTENSION.has(ending) || OTHER_ENDINGS.has(ending));
}

/** By extension, then by base name, then, where text is given, by the interpreter of its first line.
 *  @param path with slashes; only the part behind the last one counts */
export function languageOf(path: string, text?: string): LanguageName | undefined {
  const base = path.slice(path.lastIndexOf('/') + 1);
  const named = Object.hasOwn(BASE_NAMES, base) ? BASE_NAMES[base] : undefined;
  if (named !== undefined) return named;
  const dot = base.lastIndexOf('.');
  // Foo.C and Foo.H are C++ by the custom of Unix; all other extensions are the same in capitals.
  const extension = dot < 0 ? '' : base.slice(dot + 1);
  if (extension === 'C' || extension === 'H') return 'cpp';
  return BY_EXTENSION.get(extension.toLowerCase()) ?? (dot <= 0 && text !== undefined ? byFirstLine(text) : undefined);
}

function byFirstLine(text: string): LanguageName | undefined {
  const words = /^\uFEFF?#![ \t]*(\S+)[ \t]*(?:-S[ \t]+)?(\S*)/.exec(text.slice(0, 200));
  if (words === null) return undefined;
  const last = (word = ''): string => word.slice(word.lastIndexOf('/') + 1);
  const interpreter = last(words[1]) === 'env' ? last(words[2]) : last(words[1]);
  return INTERPRETERS.find(([pattern]) => pattern.test(interpreter))?.[1];
}
