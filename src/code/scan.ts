/** Definitions by the look of lines: a keyword and a name, and an end told by braces or indentation. Pure, linear in the text,
 *  for languages without a grammar and for what a grammar could not read. It knows no strings, so that it can be wrong. */
import type { Draft } from './nesting.js';
import type { DefinitionKind } from './structure.js';

/** Part of a line that is looked at; definitions begin near the start of theirs. */
const LINE_CHARS = 400;
/** Lines behind a header in which its opening brace is looked for. */
const HEADER_LINES = 12;

export interface ScanOptions {
  /** Part of the text, in UTF-16 units; all of it when left out. */
  readonly from?: number;
  readonly to?: number;
  /** Only functions of C that start in the first column, as `name(…)` with a brace behind. */
  readonly isC?: boolean;
}

const MODIFIER =
  'export|default|public|private|protected|internal|fileprivate|open|final|abstract|sealed|static|override|virtual|extern|unsafe|' +
  'async|suspend|inline|noinline|tailrec|infix|operator|external|expect|actual|inner|value|annotation|companion|data|lateinit|' +
  'implicit|lazy|opaque|case|mutating|nonmutating|convenience|required|indirect|local|global|declare|partial|readonly|native|pure|' +
  'elemental|recursive|impure|shared|synchronized|transparent|extension(?=\\s+type)|pub(?:\\([^)]{0,60}\\))?|class(?=\\s+(?:func|var|let)\\b)|' +
  'const(?=\\s+fn)|enum(?=\\s+class)|module(?=\\s+(?:function|subroutine))|extern\\s+"[^"]{0,20}"|@[\\w.]+(?:\\([^)]{0,80}\\))?';
/** A path before the name: the owner of what is defined (Lua tables, Kotlin extensions, Rust macros have none). */
const OWNER = '((?:[\\p{L}_$][\\p{L}\\p{N}_$]*(?:<[^>\\s]{0,60}>)?\\??(?:\\.|::|:))*)';
const NAME = "([\\p{L}_$][\\p{L}\\p{N}_$]*[?!']?)";

const KEYWORDS: Readonly<Record<string, DefinitionKind>> = {
  fun: 'function',
  func: 'function',
  function: 'function',
  fn: 'function',
  def: 'function',
  defp: 'function',
  defun: 'function',
  defn: 'function',
  'defn-': 'function',
  sub: 'function',
  proc: 'function',
  procedure: 'function',
  subroutine: 'function',
  method: 'function',
  class: 'class',
  object: 'class',
  actor: 'class',
  role: 'class',
  interface: 'interface',
  protocol: 'interface',
  defprotocol: 'interface',
  struct: 'struct',
  record: 'struct',
  union: 'union',
  enum: 'enum',
  trait: 'trait',
  mixin: 'trait',
  impl: 'impl',
  extension: 'impl',
  defimpl: 'impl',
  instance: 'impl',
  module: 'module',
  namespace: 'module',
  package: 'module',
  defmodule: 'module',
  mod: 'module',
  type: 'type',
  typealias: 'type',
  typedef: 'type',
  newtype: 'type',
  data: 'type',
  macro: 'macro',
  'macro_rules!': 'macro',
  defmacro: 'macro',
  const: 'constant',
  val: 'constant',
  let: 'variable',
  var: 'variable',
  static: 'variable',
};
const KEYWORD = Object.keys(KEYWORDS)
  .sort((a, b) => b.length - a.length)
  .join('|');

const BY_KEYWORD = new RegExp(
  `^\\s*(?:(?:${MODIFIER})\\s+)*(${KEYWORD})\\s+(?:<[^>]{0,80}>\\s*)?(?:\\([^)]{0,80}\\)\\s*)?(?:mut\\s+)?${OWNER}${NAME}`,
  'u',
);
/** Constructors that are their own names: Swift, Kotlin. */
const SELF_NAMED = new RegExp(`^\\s*(?:(?:${MODIFIER})\\s+)*(init|deinit|constructor|subscript)\\b[?!]?\\s*[({<]`, 'u');
/** `impl<T> Trait for Type`. */
const IMPL = /^\s*(?:unsafe\s+)?impl\b(?:\s*<[^{]{0,120}?>)?\s+(?:[^{]{1,160}?\sfor\s+)?(?:[\w:]+::)?(\w+)/;
/** `name = function(`, `name: function(`, `a.b = (x) =>`. */
const ASSIGNED = new RegExp(`^\\s*${OWNER}${NAME}\\s*[:=]\\s*(?:async\\s+)?(?:function\\b|\\([^()]{0,120}\\)\\s*=>|fn\\b)`, 'u');
const DEFINE = /^\s*#\s*define\s+([A-Za-z_]\w*)/;
/** `int *name(`, `static Foo<Bar> Foo::name(`; words that are followed by a name, then a parenthesis. */
const TYPED = /^[ \t]*(?:[A-Za-z_][\w<>,[\].:?]*(?:[ \t]+[*&]*|[*&]+[ \t]*))+((?:\w+::)*)(~?[A-Za-z_]\w*)[ \t]*\(/;
/** The same with the type in a line before. */
const BARE = /^((?:\w+::)*)(~?[A-Za-z_]\w*)[ \t]*\(/;
const NOT_TYPES =
  /^\s*(?:return|else|if|for|foreach|while|until|switch|case|throw|new|delete|goto|typedef|do|in|not|and|or|await|yield|assert|import|using|use|package|elif|unless|when|with|catch|print|echo|raise)\b/;
const NOT_NAMES = new Set([
  'if',
  'for',
  'while',
  'switch',
  'catch',
  'return',
  'sizeof',
  'when',
  'until',
  'unless',
  'foreach',
  'defined',
  'function',
]);

/** `mod x;` and `fn x();` of Rust. */
const BODYLESS = /\b(?:mod|fn)\s[^={]*;$/;

interface Line {
  readonly start: number;
  readonly end: number;
  readonly indent: number;
  /** The head of the line, without white space at its end. */
  readonly text: string;
}

interface OpenDefinition {
  readonly draft: Omit<Draft, 'endIndex'>;
  readonly indent: number;
  readonly isBraced: boolean;
  readonly index: number;
}

/** Definitions in the order of the text. */
export function scanDefinitions(text: string, options: ScanOptions = {}): Draft[] {
  const { from = 0, to = text.length, isC = false } = options;
  const lines = linesOf(text, from, to);
  const found: (Draft | undefined)[] = [];
  const open: OpenDefinition[] = [];
  const close = (endIndex: number): void => {
    const top = open.pop();
    if (top !== undefined) found[top.index] = { ...top.draft, endIndex: Math.max(endIndex, top.draft.nameIndex + top.draft.name.length) };
  };
  let lastEnd = from;
  let quote = '';
  for (const [index, line] of lines.entries()) {
    if (line.text === '' || (isC && /^\s*#/.test(line.text))) continue;
    quote = quoteAfter(line.text, quote);
    const match = quote === '' ? matchLine(text, lines, index, isC) : undefined;
    // A brace closes what it is under; without braces the indentation does, and a word like `end` still belongs to it.
    for (let top = open.at(-1); top !== undefined && line.indent <= top.indent; top = open.at(-1)) {
      const closes = /^\s*[})\]]|^\s*end\b|^\s*\{.*\}\s*$/.test(line.text);
      if (closes && line.indent === top.indent) {
        close(line.end);
        break;
      }
      if (top.isBraced && match === undefined && line.indent === top.indent) break;
      if (top.isBraced && isC && match === undefined) break;
      close(lastEnd);
    }
    lastEnd = line.end;
    if (match === undefined) continue;
    const { isBraced, isWhole, ...draft } = match;
    found.push(undefined);
    open.push({ draft, indent: line.indent, isBraced, index: found.length - 1 });
    if (isWhole) close(line.end);
  }
  while (open.length > 0) close(lastEnd);
  return found.filter((draft) => draft !== undefined);
}

function linesOf(text: string, from: number, to: number): Line[] {
  const lines: Line[] = [];
  for (let start = from; start < to; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 || newline > to ? to : newline;
    const head = text.slice(start, Math.min(end, start + LINE_CHARS)).trimEnd();
    // The first line of a part of the text may begin in the middle of one.
    lines.push({ start, end, indent: indentOf(head), text: head });
    start = end + 1;
  }
  return lines;
}

const TAB = 8;

function indentOf(line: string): number {
  let indent = 0;
  for (const char of line) {
    if (char === ' ') indent++;
    else if (char === '\t') indent += TAB - (indent % TAB);
    else break;
  }
  return indent;
}

/** The mark of a comment or string of several lines that is open behind a line, or ''. A line that closes one counts as in it. */
function quoteAfter(line: string, before: string): string {
  if (before !== '') return line.includes(before) ? '' : before;
  if (/^\s*\/\*/.test(line) && !line.includes('*/')) return '*/';
  const mark = /^\s*[rbuf]{0,2}("""|''')/i.exec(line)?.[1];
  return mark !== undefined && line.indexOf(mark) === line.lastIndexOf(mark) ? mark : '';
}

type Matched = Omit<Draft, 'endIndex'> & { readonly isBraced: boolean; readonly isWhole: boolean };

function matchLine(text: string, lines: readonly Line[], index: number, isC: boolean): Matched | undefined {
  const line = lines[index];
  if (line === undefined || /^\s*(?:\/\/|\*|--(?!\w)|;|%)/.test(line.text)) return undefined;
  const make = (
    kind: DefinitionKind,
    name: string,
    owner: string,
    at: number,
    startIndex = line.start + indentLength(line.text),
  ): Matched => {
    const isBraced = isC || opensBrace(lines, index);
    const isClosed = /\{.*\}\s*;?$/.test(line.text);
    const isWhole = isClosed || DEFINE.test(line.text) || (kind === 'module' && !isBraced && /^\s*package\b/.test(line.text));
    const scope = owner
      .replace(/<[^>]*>|\?/g, '')
      .replace(/::|:/g, '.')
      .replace(/\.+$/, '');
    return {
      kind,
      name,
      startIndex,
      nameIndex: line.start + at,
      scope,
      isDeclaration: BODYLESS.test(line.text),
      isOfClass: false,
      isBraced,
      isWhole,
    };
  };
  if (!isC) {
    const define = DEFINE.exec(line.text);
    if (define?.[1] !== undefined) return make('macro', define[1], '', define[0].length - define[1].length);
    const impl = IMPL.exec(line.text);
    if (impl?.[1] !== undefined) return make('impl', impl[1], '', impl[0].length - impl[1].length);
    const match = BY_KEYWORD.exec(line.text) ?? undefined;
    const [whole = '', keyword = '', owner = '', name = ''] = match ?? [];
    const kind = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
    if (kind !== undefined && !isProse(line.text, whole)) return make(kind, name, owner, whole.length - name.length);
    const own = SELF_NAMED.exec(line.text)?.[1];
    if (own !== undefined && line.indent > 0) return make('function', own, '', line.text.indexOf(own));
    const [assigned = '', assignedOwner = '', assignedName = ''] = ASSIGNED.exec(line.text) ?? [];
    if (assignedName !== '')
      return make(
        'function',
        assignedName,
        assignedOwner,
        assigned.indexOf(assignedName, assigned.indexOf(assignedOwner) + assignedOwner.length),
      );
  }
  return matchTyped(text, lines, index, line, isC, make);
}

/** `class of things that …` is a sentence: behind a name come signs, or one more word at most. */
const isProse = (line: string, whole: string): boolean =>
  /^\s+[a-z]+\s+[a-z]+\s+[a-z]+/i.test(line.slice(whole.length)) && !/[{(:=]/.test(line);

function matchTyped(
  text: string,
  lines: readonly Line[],
  index: number,
  line: Line,
  isC: boolean,
  make: (kind: DefinitionKind, name: string, owner: string, at: number, startIndex?: number) => Matched,
): Matched | undefined {
  if (isC && line.indent > 0) return undefined;
  if (NOT_TYPES.test(line.text) || /;\s*$/.test(line.text)) return undefined;
  const typed = TYPED.exec(line.text);
  const bare = typed === null && line.indent === 0 && isC ? BARE.exec(line.text) : null;
  const [whole = '', owner = '', name = ''] = typed ?? bare ?? [];
  // A colon makes what is before it a name: `f: FnMut(…)`, `label: call(…)`.
  if (name === '' || NOT_NAMES.has(name) || /[^:]:\s/.test(whole) || !opensBody(lines, index)) return undefined;
  const at = whole.lastIndexOf(name);
  // The type of `int\nf(…)` is in the line before.
  const above = lines[index - 1];
  const hasTypeAbove = bare !== null && above !== undefined && above.indent === 0 && /^[A-Za-z_][\w\s*]*$/.test(above.text);
  const startIndex = hasTypeAbove ? above.start : line.start + indentLength(line.text);
  return text.startsWith(name, line.start + at) ? make('function', name, owner, at, startIndex) : undefined;
}

const indentLength = (line: string): number => line.length - line.trimStart().length;

/** Whether a header is followed by `{` before anything ends it. */
function opensBrace(lines: readonly Line[], index: number): boolean {
  for (let at = index; at < Math.min(lines.length, index + HEADER_LINES); at++) {
    const { text, indent } = lines[at] ?? { text: '', indent: 0 };
    // What follows belongs to the header only while it is indented more, or closes its brackets.
    if (at > index && indent <= (lines[index]?.indent ?? 0) && !/^\s*[{)>]|^\s*where\b/.test(text)) return false;
    if (/\{\s*(?:\/[/*].*)?$/.test(text) || (at > index && /^\s*\{/.test(text))) return true;
    if (text === '' || /[;}]\s*$/.test(text)) return false;
  }
  return false;
}

/** The same for a function of C. Behind its parenthesis come only the brace and, in old code, the types of its parameters. */
function opensBody(lines: readonly Line[], index: number): boolean {
  let depth = 0;
  for (let at = index; at < Math.min(lines.length, index + HEADER_LINES); at++) {
    const { text } = lines[at] ?? { text: '' };
    if (/^\s*#/.test(text)) continue;
    if (at > index && depth <= 0) {
      if (/^\s*\{/.test(text)) return true;
      if (text === '' || /^\s*(?:\/[/*]|\*|[:,])/.test(text)) continue;
      if (/[()=]/.test(text) || !/;$/.test(text)) return false;
      continue;
    }
    depth += countOf(text, '(') - countOf(text, ')');
    if (/\{\s*(?:\/[/*].*)?$/.test(text) || /\{.*\}$/.test(text)) return true;
    if (text === '' || /[;}]$/.test(text)) return false;
  }
  return false;
}

const countOf = (text: string, char: string): number => text.split(char).length - 1;
