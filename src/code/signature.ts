/** The text that declares something, without its body. Pure. */
import type { DefinitionKind } from './structure.js';

/** What ends a declaration in a language: `{`, a colon, or the line. Brackets around these keep it open, but for `first-line`. */
export type HeaderEnd = 'brace' | 'colon' | 'line' | 'first-line';

/** How far before a definition its line is shown (`export`, `public static`). */
const BEFORE = 60;
const ONE_LINE: ReadonlySet<DefinitionKind> = new Set<DefinitionKind>([
  'constant',
  'variable',
  'field',
  'property',
  'enumerator',
  'export',
  'macro',
]);

/** @returns at most maxChars characters, an ellipsis at the end when there were more */
export function signatureOf(
  text: string,
  place: { readonly startIndex: number; readonly endIndex: number; readonly nameIndex: number },
  kind: DefinitionKind,
  headerEnd: HeaderEnd,
  maxChars: number,
): string {
  const start = startOf(text, place);
  // Twice the bound leaves room for the white space that is squeezed.
  const last = Math.min(place.endIndex, place.nameIndex + maxChars * 2, text.length);
  const end = endOf(text, place.nameIndex, last, ONE_LINE.has(kind) ? 'line' : headerEnd);
  const squeezed = text
    .slice(Math.max(start, place.nameIndex - maxChars), end)
    .replace(/\s+/g, ' ')
    .replace(/\s*\{\s*$/, '')
    .trim();
  return squeezed.length <= maxChars ? squeezed : `${squeezed.slice(0, maxChars - 1)}…`;
}

/** Decorators and attributes in lines of their own are left out: the line of the name, or the definition's start within it. */
function startOf(text: string, place: { readonly startIndex: number; readonly nameIndex: number }): number {
  const lineStart = text.lastIndexOf('\n', place.startIndex - 1) + 1;
  const before = text.slice(Math.max(lineStart, place.startIndex - BEFORE), place.startIndex);
  if (place.startIndex - lineStart <= BEFORE && !/[;{},(]/.test(before)) return skipLeads(text, lineStart, place.nameIndex);
  return skipLeads(text, place.startIndex, place.nameIndex);
}

function skipLeads(text: string, start: number, nameIndex: number): number {
  let from = start;
  for (let end = text.indexOf('\n', from); end >= 0 && end < nameIndex; end = text.indexOf('\n', from)) {
    if (!/^\s*(?:@|#\[|\[|\/\/|template\b.*>\s*$|\)|$)/.test(text.slice(from, Math.min(end, from + 200)))) break;
    from = end + 1;
  }
  return from;
}

function endOf(text: string, from: number, last: number, headerEnd: HeaderEnd): number {
  let depth = 0;
  for (let at = from; at < last; at++) {
    const char = text.charAt(at);
    if (char === '\n' && headerEnd === 'first-line') return at;
    if (char === '(' || char === '[') depth++;
    else if (char === ')' || char === ']') depth--;
    else if (depth > 0) continue;
    else if (char === '\n' && headerEnd === 'line') return at;
    else if (headerEnd === 'brace' && (char === '{' || char === ';')) return at;
    else if (headerEnd === 'colon' && char === ':') return at;
    else if (char === '=' && text.charAt(at + 1) === '>' && headerEnd === 'brace') return at;
  }
  return last;
}
