/** A query -> the symbol it names, with what contains it; or no symbol, but words. Pure. */
import { hasFileEnding } from '../code/language.js';

export interface SymbolName {
  /** As it is searched: `handleRequest`, `$scope`, `#priv`, `operator+`. */
  readonly name: string;
  /** `Outer`, `Inner` of `Outer.Inner.name`, outermost first. */
  readonly containers: readonly string[];
}

const WORD = String.raw`[\p{L}\p{M}\p{N}_$]+`;
const QUALIFIED = new RegExp(String.raw`^[$@#:&*]*(?:${WORD}(?:<[^<>]*>)?(?:\.|::|->|#|/|\\))*[#$@~]?${WORD}[?!=]?$`, 'u');
const OPERATOR = /^(?:[\w.]+(?:::|\.))?operator\s*(?:[^\w\s]+|\(\)|\[\]|new|delete)$/;
const SEPARATOR = /\.|::|->|(?<=[^.:>/\\])#|\/|\\/u;
const SIGNS = /^[^\p{L}\p{M}\p{N}\s]{1,8}$/u;

/** @returns undefined for words: then blocks are ranked by them */
export function parseSymbol(query: string): SymbolName | undefined {
  // A call is a name as well: foo(), Foo.bar(x).
  const text = query
    .trim()
    .replace(/^`(.*)`$/, '$1')
    .replace(/\([^()]*\)$/, (call) => (/operator/.test(query) ? call : ''));
  if (SIGNS.test(text)) return { name: text, containers: [] };
  if (OPERATOR.test(text)) {
    const [, container, name = text] = /^(?:(.+)(?:::|\.))?(operator.*)$/.exec(text) ?? [];
    return { name, containers: container === undefined ? [] : [container] };
  }
  if (!QUALIFIED.test(text)) return undefined;
  // `src/store.ts` is a file, and no `ts` in `store`.
  if (/[/\\]/.test(text) && hasFileEnding(text)) return undefined;
  const parts = text
    .replace(/<[^<>]*>/g, '')
    .split(SEPARATOR)
    .filter((part) => part !== '');
  const last = parts.pop() ?? text;
  // `Class#method` asks for a method; `#priv` alone is a private name.
  return { name: last.replace(/^[:&*]+/, ''), containers: parts.map((part) => part.replace(/^[:&*@]+/, '')).filter((part) => part !== '') };
}
