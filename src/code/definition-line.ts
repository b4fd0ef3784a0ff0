/** Whether a line looks as if it defines a name, by the shape of the line alone. Pure. Cheap enough to be asked about every hit of a
 *  search; the best few are then confirmed by their syntax tree. */
import type { LanguageName } from './language.js';

/** From most to least certain. `item`: alone on its line, as in an enumeration. `possible`: only a tree can tell (a field, a method
 *  without a keyword). */
export type Grade = 'definition' | 'assignment' | 'declaration' | 'item' | 'possible' | 'none';

const KEYWORD =
  /(?:^|[^\w.$@])(?:class|@interface|interface|struct|union|enum|trait|type|module|namespace|def|fn|func|function\s*\*?|macro_rules!|define|typedef|record|object|protocol|const|static|let|var|val|mod|package|sub|defmodule|defp|concept|delegate|event|alias|property|annotation|actor|extension|mixin|newtype|data|theorem|fun|local\s+function|static\s+mut|const\s+fn|enum\s+class|enum\s+struct|data\s+class)\s+$/;
/** What may stand between a keyword and its name. */
const BETWEEN = /(?:self\.|(?:[\w$]+(?:<[^<>]*>)?(?:\.|::))+|\([^()]*\)\s*|[A-Z][A-Z0-9_]*(?:\([^()]*\))?\s+|__\w+(?:\([^()]*\))?\s+)$/;
const MOST_BEFORE = 300;
/** Behind the name of a macro comes what it stands for. */
const MACRO = /^\s*#\s*define\b/;
const DEFINE = /^\s*#\s*define\s+$/;
/** Words that start a statement, not a type. */
const STATEMENT =
  /^\s*(?:return|else|throw|case|goto|await|yield|delete|in|not|and|or|if|while|for|switch|do|new|print|echo|assert|raise|del|import|from|use|using|include|require|export\s*\{|package|elif|elsif|unless|until|when|match|with|go|defer|select|extends|implements)\b/;
/** A named function or class that is a value. */
const EXPRESSION = /(?:^|[^\w.$])(?:function\s*\*?|class)\s+$/;
/** A name for a type in C++; a name that goes on to others. */
const USING = /^\s*(?:template\s*<[^;]*>\s*)?using\s+$/;
const REEXPORT = /^\s*export\s*(?:type\s*)?\{[^{}]*$/;
/** Types, pointers, modifiers and annotations in front of a function's name. */
const TYPE_BEFORE = /^\s*[\w@[$~:][\w\s*&:<>,[\]~.@?|$-]*[\w*&>\]?]\s+[*&]*(?:[\w$]+(?:<[^<>]*>)?::)*~?$/;
/** Attributes of a C function that look like calls: `__alloc_size(1)`, `EXPORT(int)`. */
const ATTRIBUTE = /\b(?:__\w+|[A-Z][A-Z0-9_]{2,})\s*\([^()]*\)\s*/g;
/** What may follow the brackets of a function; brackets that go on in the next line count as well. */
const AFTER_BRACKETS =
  /^\s*\((?:[^()]|\([^()]*\))*(?:$|\)\s*(?:$|[{;:,[]|->|=>|=\s*(?:0|default|delete)\b|const\b|noexcept\b|override\b|final\b|throws?\b|where\b|__\w+|[A-Z][A-Z0-9_]+\b|\/[/*]|\\))/;
const CLOSED_BRACKETS = /^\s*\((?:[^()]|\([^()]*\))*\)/;
const MODIFIERS =
  /^\s*(?:(?:export|default|public|private|protected|internal|static|async|get|set|override|readonly|abstract|declare|final|virtual|sealed|partial|unsafe|extern|inline|suspend|open|operator|pub(?:\([^)]*\))?)\s+)*[*#@$]?$/;
const C_LIKE: ReadonlySet<LanguageName> = new Set<LanguageName>(['c', 'cpp', 'java', 'csharp', 'php']);
const SCRIPT: ReadonlySet<LanguageName> = new Set<LanguageName>(['typescript', 'tsx', 'javascript']);

/** @param at     where the name starts in the line
 *  @param length of the name */
export function gradeLine(text: string, at: number, length: number, language: LanguageName | undefined): Grade {
  // A line that is longer was not written by hand, and the patterns below are not made for it.
  if (at > MOST_BEFORE) return 'none';
  const before = text.slice(0, at);
  const after = text.slice(at + length, at + length + MOST_BEFORE);
  if (DEFINE.test(before)) return 'definition';
  if (EXPRESSION.test(before)) return gradeKeyword(before, after, language);
  if (USING.test(before) && /^\s*=/.test(after)) return 'definition';
  if (REEXPORT.test(before)) return 'possible';
  if (STATEMENT.test(before)) return 'none';
  if (KEYWORD.test(before) || (BETWEEN.test(before) && !MACRO.test(before) && KEYWORD.test(before.replace(BETWEEN, ''))))
    return gradeKeyword(before, after, language);
  if (/^\s*typedef\b/.test(before) && /^\s*(?:\[.*\])?\s*[;)]/.test(after)) return 'definition';
  if (/^\s*\}\s*(?:__\w+(?:\((?:[^()]|\([^()]*\))*\))?\s*)*\**$/.test(before) && /^\s*(?:\[.*\]|__\w+(?:\([^)]*\))?|\s)*[;,]/.test(after))
    return 'definition';
  if (/^\s*\(/.test(after)) {
    const byCall = gradeCallShape(before, after, language, /^[A-Z][A-Z0-9_]+$/.test(text.slice(at, at + length)));
    if (byCall !== 'none') return byCall;
  }
  const byValue = gradeValue(before, after, language);
  return byValue === 'none' && isMemberBehind(before, after) ? 'declaration' : byValue;
}

/** A class, interface or the like that opens its body in this line. */
const OWNER_BEFORE = /(?:^|[^\w.$@])(?:class|@interface|interface|struct|union|enum|trait|object|record|protocol|type|namespace)\s+[\w$]/;
/** In front of a member: its modifiers, or its type. */
const MEMBER_BEFORE = /^\s*(?:[\w$<>[\],.?*&@]+\s+)*[*&#]?$/;
const MEMBER_AFTER = /^\s*(?:[?!]?\s*(?:\(|:(?!:)|<|=(?![=>]))|[;,}])/;

/** A member of what the same line opens: `class A { name() {…} }`. A tree must confirm it. */
function isMemberBehind(before: string, after: string): boolean {
  const open = before.indexOf('{');
  if (open < 0 || !MEMBER_AFTER.test(after) || !OWNER_BEFORE.test(before.slice(0, open))) return false;
  let depth = 0;
  for (const char of before) depth += char === '{' ? 1 : char === '}' ? -1 : 0;
  const last = Math.max(before.lastIndexOf('{'), before.lastIndexOf('}'), before.lastIndexOf(';'), before.lastIndexOf(','));
  return depth === 1 && MEMBER_BEFORE.test(before.slice(last + 1));
}

/** `struct x *p`, `struct x;` and `class X;` only name a type. */
function gradeKeyword(before: string, after: string, language: LanguageName | undefined): Grade {
  const isTag = /\b(?:struct|union|enum)\s+(?:[\w()]+\s+)?$/.test(before);
  if (isTag && !/^\s*(?:[{<:(]|$|where\b|\w+\s*\{|\/[/*])/.test(after)) {
    if (!/^\s*;/.test(after)) return 'none';
    return language === 'rust' ? 'definition' : 'declaration';
  }
  // `typedef u32 id_t;` defines another name than the first.
  if (/\btypedef\s+$/.test(before) && !/^\s*(?:;|(?:<[^<>]*>)?\s*=)/.test(after)) return 'none';
  if (/\b(?:class|mod)\s+$/.test(before) && /^\s*;/.test(after)) return 'declaration';
  if (/\b(?:const|static|let|var|val)\s+(?:__\w+(?:\([^()]*\))?\s+)?$/.test(before)) {
    if (/^\s+[\w$*&]/.test(after)) return 'none';
    return /^\s*$/.test(after) && (language === 'c' || language === 'cpp') ? 'possible' : 'assignment';
  }
  return 'definition';
}

/** A name with an opening bracket behind it: a function, its prototype, a method, or a call. */
function gradeCallShape(before: string, after: string, language: LanguageName | undefined, isCapital: boolean): Grade {
  const isEnded = /;\s*(?:\/[/*].*)?$/.test(after);
  // A call that is given a function opens a brace as well, but its own brackets stay open.
  const isOpened = CLOSED_BRACKETS.test(after) && /\{\s*(?:\/[/*].*)?$/.test(after);
  if (language === 'go' || language === 'rust' || language === 'python' || language === 'ruby') return 'none';
  if (language === 'bash') return /^\s*$/.test(before) && /^\s*\(\s*\)/.test(after) ? 'definition' : 'none';
  if (!AFTER_BRACKETS.test(after)) return 'none';
  const bare = before.replace(ATTRIBUTE, '');
  // A question mark behind a blank asks; right behind a type it is of the type.
  const isTyped = (TYPE_BEFORE.test(bare) || (bare === '' && before !== '')) && !/=|\s\?/.test(before);
  if (isTyped && (language === undefined || C_LIKE.has(language))) return isEnded ? 'declaration' : 'definition';
  // The type of a C function may stand on the line above.
  if (before === '' && (language === 'c' || language === 'cpp')) return isEnded ? 'none' : isCapital ? 'possible' : 'definition';
  if (/^(?:[\w$]+(?:<[^<>]*>)?::)+~?$/.test(before) && language === 'cpp') return isEnded ? 'none' : 'definition';
  // Without a type in front it is a method or a constructor, of which C has none.
  if (!MODIFIERS.test(before) || language === 'c') return 'none';
  if (language !== undefined && SCRIPT.has(language))
    return isOpened ? 'definition' : isEnded || before.trim() !== '' ? 'possible' : 'none';
  return isOpened ? 'definition' : 'possible';
}

/** A name that something is assigned to, or that stands alone. */
function gradeValue(before: string, after: string, language: LanguageName | undefined): Grade {
  if (language === 'bash' && /^\s*(?:declare|local|typeset|readonly|export)(?:\s+-\w+)*\s+$/.test(before)) return 'assignment';
  if (/\bdefine\(\s*['"]$/.test(before)) return 'assignment';
  // What starts in the first column of C is at file scope.
  if (
    (language === 'c' || language === 'cpp') &&
    /^(?:[A-Za-z_]\w*\s+)+\**$/.test(before) &&
    /^\s*(?:\[[^\]]*\])*\s*(?:[=;]|$)/.test(after)
  )
    return /^extern\b/.test(before) ? 'declaration' : 'assignment';
  const isTop =
    /^(?:(?:export|default|public|private|protected|internal|static|final|readonly|abstract|const|var|let|pub(?:\([^)]*\))?|extern|volatile|unsigned|declare)\s+)*[*$#@]*$/.test(
      before,
    );
  const isAssigned = /^\s*(?::[^=:]+)?:?=(?![=>])/.test(after);
  if (isTop && isAssigned) return 'assignment';
  if (/^\s*(?:module\.)?exports\.$|^\s*[\w$.]+\.prototype\.$|^\s*(?:self|this|cls)\.$/.test(before) && isAssigned) return 'assignment';
  if (/^\s*[\w$.]+\.$/.test(before) && /^\s*=\s*(?:async\b|function\b|\([^()]*\)\s*=>|[\w$]+\s*=>)/.test(after)) return 'assignment';
  if (/^\s*['"]?$/.test(before) && /^['"]?\s*:\s*(?:async\b|function\b|\(|[\w$]+\s*=>)/.test(after)) return 'assignment';
  if (/\battr_(?:accessor|reader|writer)\b.*:$|\bdefine_method\(?\s*[:'"]$|\balias(?:_method)?\s+:?$/.test(before)) return 'assignment';
  // A method whose type parameters start here and end in a later line.
  if (language !== undefined && SCRIPT.has(language) && MODIFIERS.test(before) && /^\s*<[^()]*$/.test(after)) return 'possible';
  if (/^\s*$/.test(before) && /^\s*(?:=(?!=)[^;]*|\([^;{]*)?,?\s*(?:\/[/*].*)?$/.test(after)) return 'item';
  if (/^\s*(?:[\w$<>[\],.*&?:|]+\s+)*[*&$@#]*$/.test(before) && /^\s*(?:\[[^\]]*\])*[?!]?\s*(?:[=,;:}(]|$|\/[/*])/.test(after))
    return 'possible';
  // A pointer to a function; a property with its accessors; a variant with fields.
  if (/\(\s*[*^&]+\s*(?:const\s+)?$/.test(before) && /^\s*\)\s*\(/.test(after)) return 'possible';
  if (language === 'csharp' && /^\s*(?:[\w<>[\],.?]+\s+)+$/.test(before) && /^\s*(?:\{|=>|$)/.test(after)) return 'possible';
  if (language === 'rust' && /^\s*$/.test(before) && /^\s*\{/.test(after)) return 'possible';
  if (language === 'go' && /^\s*(?:[\w]+,\s*)*$/.test(before) && /^\s+[\w*[\].]+/.test(after)) return 'possible';
  return /\b(?:as|EXPORT_SYMBOL\w*\(|DEFINE_\w+\(|DECLARE_\w+\(|SYSCALL_DEFINE\d?\()\s*$/.test(before) || /\w+\($/.test(before)
    ? 'possible'
    : 'none';
}

/** A line of a block comment that starts with its star; `*p = 1` and `*(int *)p = 1` are code. */
const STAR = String.raw`\*(?![\w(*&#@[])|\*\*+(?:\s|/|$)`;
const COMMENT_START: Readonly<Record<'slash' | 'hash' | 'php' | 'unknown', RegExp>> = {
  slash: new RegExp(String.raw`^\s*(?://|${STAR})`),
  hash: /^\s*(?:#|"""|''')/,
  php: new RegExp(String.raw`^\s*(?://|#(?!\[)|${STAR})`),
  unknown: new RegExp(
    String.raw`^\s*(?://|${STAR}|#(?!\s*(?:define|include|if|ifdef|ifndef|el|end|pragma|undef|error)|!?\[)|--|<!--|;;|"""|''')`,
  ),
};
const HASH: ReadonlySet<LanguageName> = new Set<LanguageName>(['python', 'ruby', 'bash']);
const RUST_CHAR = /'(?:\\[^']+|\\'|[^\\'])'/y;

function commentsOf(language: LanguageName | undefined): keyof typeof COMMENT_START {
  if (language === undefined) return 'unknown';
  return language === 'php' ? 'php' : HASH.has(language) ? 'hash' : 'slash';
}

/** What kind of text a place of a line is, as far as the line alone tells. */
export function roleInLine(text: string, at: number, language: LanguageName | undefined): 'comment' | 'string' | 'code' {
  const comments = commentsOf(language);
  if (COMMENT_START[comments].test(text)) return 'comment';
  if (at > MOST_BEFORE) return 'code';
  let quote = '';
  let opened = 0;
  for (let index = 0; index < at; index++) {
    const char = text.charAt(index);
    if (char === '\\') index++;
    else if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === "'" && language === 'rust') index += rustCharLength(text, index);
    else if (char === '"' || char === '`' || (char === "'" && !/\w/.test(text.charAt(index - 1)))) {
      quote = char;
      opened = index;
    } else if (char === '#' && (comments === 'hash' || comments === 'php') && /\s/.test(text.charAt(index - 1))) {
      if (comments === 'hash' || text.charAt(index + 1) !== '[') return 'comment';
    } else if (char === '/' && comments !== 'hash') {
      if (text.charAt(index + 1) === '/' && text.charAt(index - 1) !== ':') return 'comment';
      if (text.charAt(index + 1) === '*') {
        const end = text.indexOf('*/', index + 2);
        if (end < 0 || end + 2 > at) return 'comment';
        index = end + 1;
      }
    }
  }
  const isString = quote !== '' && text.slice(at).includes(quote) && !isInterpolated(text, opened, at, language);
  return isString ? 'string' : 'code';
}

/** Behind a quote that starts a character, how far that goes; 0 for a lifetime. */
function rustCharLength(text: string, at: number): number {
  RUST_CHAR.lastIndex = at;
  return Math.max(0, (RUST_CHAR.exec(text)?.[0].length ?? 1) - 1);
}

/** Code within a string: `${x}` of a template, `#{x}` of Ruby, `{x}` of an f-string, `$x` of a shell. */
function isInterpolated(text: string, opened: number, at: number, language: LanguageName | undefined): boolean {
  const quote = text.charAt(opened);
  const inside = text.slice(opened + 1, at);
  const isOpen = (opener: string): boolean => inside.includes(opener) && !inside.slice(inside.lastIndexOf(opener)).includes('}');
  if (language !== undefined && SCRIPT.has(language)) return quote === '`' && isOpen('${');
  if (language === 'ruby') return quote !== "'" && isOpen('#{');
  if (language === 'python') return /\b[rR]?[fF][rR]?$/.test(text.slice(0, opened)) && isOpen('{');
  if (language === 'csharp') return /\$@?$/.test(text.slice(0, opened)) && isOpen('{');
  if (language === 'bash') return quote !== "'" && (/\$(?:\{[#!]?)?$/.test(inside) || /\$\([^)]*$/.test(inside) || text.charAt(at) === '$');
  return false;
}
