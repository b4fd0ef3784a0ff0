/** Which paths are never searched or read, whatever a repository's own files say: `.git` at any level, and files that hold
 *  credentials by their name. Pure. Paths are relative to the root, with forward slashes. Letter case is ignored, since
 *  case-insensitive file systems open `.ENV` for `.env`. */

/** Secrets as gitignore globs, for ripgrep to prune. `.env.*` is missing here: it has exceptions, so `isSecret` cuts it. */
export const SECRET_GLOBS: readonly string[] = [
  '.env',
  '*.pem',
  '*.key',
  '*.p12',
  '*.pfx',
  'id_rsa*',
  'id_ed25519*',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '**/.aws/credentials',
];

/** Every secret has one of these in its path: most paths need no second look. */
const HINT = /\.(?:env|pem|key|p12|pfx|netrc|npmrc|pypirc|aws)|id_(?:rsa|ed25519)/i;
const NAME = /(?:^|\/)(?:\.env|[^/]*\.(?:pem|key|p12|pfx)|id_(?:rsa|ed25519)[^/]*|\.netrc|\.npmrc|\.pypirc|\.aws\/credentials)(?:\/|$)/i;
const DOTENV = /(?:^|\/)\.env\.(?!(?:[^/]*\.)?(?:example|sample|template)(?:\/|$))/i;

/** True for a path of which any component is a credential file's name. */
export const isSecret = (path: string): boolean => HINT.test(path) && (NAME.test(path) || DOTENV.test(path));

/** True for `.git` itself and all below it, at any level. */
export function isGit(path: string): boolean {
  return /(?:^|\/)\.git(?:\/|$)/i.test(path);
}

/** Our own private files, where the temp folder lies within the root: kept outputs and rule files, for ripgrep to prune. */
export const OWN_GLOBS: readonly string[] = [
  `**/ripscope-*/{spool-${'[0-9a-f]'.repeat(32)},rules-[0-9]*,owner-[0-9]*}`,
  '**/ripscope-rules-[0-9]*',
];

/** True for a folder with private files of our own, and for all below it. */
export function isOwn(path: string): boolean {
  return /(?:^|\/)ripscope-(?:[^/]*\/(?:spool-[0-9a-f]{32}|(?:rules|owner)-\d[^/]*)|rules-\d[^/]*)(?:\/|$)/.test(path);
}
