/** Calls and imports by the look of lines, for texts without a tree. Pure and linear; comments that begin a line are left out,
 *  strings are not known. */
import type { Collector } from './collector.js';
import type { ImportKind } from './structure.js';

/** Part of a line that is looked at for calls. */
const LINE_CHARS = 2_000;

const IMPORTS: readonly (readonly [kind: ImportKind, pattern: RegExp])[] = [
  ['include', /^\s*#\s*(?:include|import)\s*([<"][^>"\n]{1,300})/],
  ['import', /^\s*import\s+(?:[\w*{},\s$]{1,300}\sfrom\s+)?["']([^"'\n]{1,300})/],
  ['import', /^\s*from\s+([\w.]{1,300})\s+import\b/],
  ['require', /\brequire(?:_relative)?\s*\(?\s*["']([^"'\n]{1,300})/],
  ['import', /^\s*(?:@testable\s+)?import\s+(?:static\s+|qualified\s+|func\s+|class\s+|struct\s+)?([A-Za-z_][\w.:*]{0,300})/],
  ['use', /^\s*(?:pub\s+)?(?:use|using|alias|open)\s+([A-Za-z_\\][\w.:\\]{0,300})/],
  ['source', /^\s*(?:source|\.)\s+["']?([\w./~$-]{1,300})/],
];

const COMMENT_LINE = /^\s*(?:\/\/|\/?\*|--|#(?!\s*(?:include|import|define)))/;
const CALLED = /(?:([\p{L}_$][\p{L}\p{N}_$.]{0,80})(?:\.|->|::|:))?([\p{L}_$][\p{L}\p{N}_$]{0,200}[?!]?)\(/gu;
const NOT_CALLED = new Set(
  'if for while switch catch return sizeof when until unless foreach defined function fun func fn def elif elsif and or not in is as do else case throw await yield match with assert'.split(
    ' ',
  ),
);

export function scanUses(text: string, found: Collector, wanted: { readonly calls?: boolean; readonly imports?: boolean }): void {
  if (wanted.calls !== true && wanted.imports !== true) return;
  const names = new Set(found.drafts.map(({ nameIndex }) => nameIndex));
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, Math.min(end, start + LINE_CHARS));
    if (!COMMENT_LINE.test(line)) {
      if (wanted.imports === true) importIn(line, start, found);
      if (wanted.calls === true) callsIn(line, start, found, names);
    }
    start = end + 1;
  }
}

function importIn(line: string, start: number, found: Collector): void {
  for (const [kind, pattern] of IMPORTS) {
    const match = pattern.exec(line);
    const module = match?.[1]?.replace(/^[<"]/, '');
    if (match === null || module === undefined) continue;
    const at = start + match.index;
    found.depend(kind, { startIndex: at, endIndex: at + match[0].length }, module, [], /^\.|^"/.test(match[1] ?? ''));
    return;
  }
}

function callsIn(line: string, start: number, found: Collector, names: ReadonlySet<number>): void {
  for (const match of line.matchAll(CALLED)) {
    const [whole, receiver = '', name = ''] = match;
    const at = start + match.index + whole.length - 1 - name.length;
    if (!NOT_CALLED.has(name) && !names.has(at)) found.callOf(name, at, receiver);
  }
}
