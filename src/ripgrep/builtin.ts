/** The built-in ignore rules: what is almost never the answer. A repository's .csignore can take any of them back. */

const LOCK_FILES = [
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'bun.lockb',
  'Cargo.lock',
  'Gemfile.lock',
  'poetry.lock',
  'uv.lock',
  'Pipfile.lock',
  'composer.lock',
  'go.sum',
  'flake.lock',
  'mix.lock',
  'pubspec.lock',
  'Podfile.lock',
];
const MEDIA = [
  'png',
  'jpg',
  'jpeg',
  'gif',
  'webp',
  'avif',
  'ico',
  'bmp',
  'tif',
  'tiff',
  'psd',
  'mp3',
  'mp4',
  'm4a',
  'm4v',
  'mov',
  'avi',
  'mkv',
  'webm',
  'wav',
  'flac',
  'ogg',
  'woff',
  'woff2',
  'ttf',
  'otf',
  'eot',
];
const ARCHIVES = ['zip', 'tar', 'gz', 'tgz', 'bz2', 'tbz2', 'xz', 'txz', 'zst', '7z', 'rar', 'jar', 'war', 'ear', 'whl', 'iso', 'dmg'];

/** Gitignore lines that always hold. */
export const BUILTIN: readonly string[] = [
  'node_modules/',
  '.hg/',
  '.svn/',
  '__pycache__/',
  '.venv/',
  '.tox/',
  '.mypy_cache/',
  '.gradle/',
  '.terraform/',
  ...LOCK_FILES,
  '*.min.*',
  '*.js.map',
  '*.css.map',
  '*.mjs.map',
  ...[...MEDIA, ...ARCHIVES].map((extension) => `*.${extension}`),
];

/** Build folders, which only a root without a .gitignore needs: hundreds of real source files live in folders so named. */
export const BUILTIN_WITHOUT_GITIGNORE: readonly string[] = ['dist/', 'build/', '.next/', 'coverage/', 'target/'];
