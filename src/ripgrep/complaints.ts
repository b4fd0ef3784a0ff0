/** What ripgrep says on stderr, told apart: a path that could not be read makes an answer partial, a bad line in a repository's
 *  own ignore file is worth a note, the rest is a failure. Pure. */

export interface Complaint {
  readonly kind: 'unreadable' | 'ignore-file' | 'other';
  /** Relative to the root, where one is named. */
  readonly path?: string;
  readonly message: string;
}

const WITH_PATH = /^rg: (?:\.\/)?(.+?): ((?:[A-Z]|PCRE2|line \d+|stream).*)$/;

/** @param isOurs whether a named path is one of our own rule files, about which a complaint is a failure */
export function parseComplaints(stderr: string, isOurs: (path: string) => boolean): Complaint[] {
  const found: Complaint[] = [];
  for (const line of stderr.split('\n')) {
    if (line === '') continue;
    const parts = WITH_PATH.exec(line);
    if (parts === null) {
      if (line.startsWith('rg: ')) found.push({ kind: 'other', message: line.slice('rg: '.length) });
      continue;
    }
    const [, path = '', message = ''] = parts;
    if (isOurs(path)) found.push({ kind: 'other', message: `${path}: ${message}` });
    else if (/^line \d+: /.test(message)) found.push({ kind: 'ignore-file', path, message });
    else found.push({ kind: 'unreadable', path, message: message.replace(/ \(os error \d+\)$/, '') });
  }
  return found;
}

/** The part of a pattern error that says what is wrong, on one line. */
export function patternReason(stderr: string): string {
  const pcre = /PCRE2: error compiling pattern at offset (\d+): (.+)/.exec(stderr);
  const plain = /^error: (.+)/m.exec(stderr)?.[1];
  const isLookAround = /look-around|backreferences/.test(plain ?? '');
  if (pcre !== null && (plain === undefined || isLookAround)) return `${pcre[2]} (at offset ${pcre[1]})`;
  if (plain !== undefined) return plain;
  const first = stderr.split('\n').find((line) => line.trim() !== '') ?? '';
  return first.replace(/^rg: /, '').replace(/^error parsing flag --\w+: /, '');
}
