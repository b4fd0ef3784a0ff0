/** Characters of a text that nobody sees but that change what a reader sees: bidi marks turn the order of a line around, zero width
 *  characters make two names look alike, tag characters carry whole sentences. Pure. */

/** What cannot be seen: controls, line and paragraph separators, everything that Unicode says to draw as nothing (bidi marks, zero
 *  width characters, soft hyphens, fillers, tags, variation selectors), and the marks of interlinear notes. Tabs are seen. */
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
const PLAIN = /^[\t\x20-\x7e]*$/;

/** Scripts in which a joiner or its opposite between two letters is spelling: Persian, and those of India and its neighbours. */
const JOINING =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
const PICTOGRAPH = /\p{Extended_Pictographic}/u;
const ZWNJ = 0x200c;
const ZWJ = 0x200d;
/** Asks for the coloured form of an emoji. */
const EMOJI_FORM = 0xfe0f;

const isSelector = (code: number): boolean => (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef);

/** The character that ends before `at`. */
function before(text: string, at: number): string {
  const last = text.charCodeAt(at - 1);
  const isPair = at > 1 && (last & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 2) & 0xfc00) === 0xd800;
  return text.slice(Math.max(0, at - (isPair ? 2 : 1)), at);
}

const following = (text: string, at: number): string => String.fromCodePoint(...[text.codePointAt(at) ?? 0]);

/** The joiners and selectors that writing needs stay as they are: a joiner between two letters of a script that joins or between two
 *  pictographs, one selector behind an ideograph, a symbol or a pictograph. Anywhere else, as within a Latin or Cyrillic name, they
 *  only make two texts look alike. Tags have one honest use, the flags of England, Scotland and Wales; those are shown with marks. */
function isSpelling(text: string, at: number, char: string): boolean {
  const code = char.codePointAt(0) ?? 0;
  if (code === ZWNJ || code === ZWJ) {
    const next = following(text, at + 1);
    const behind = before(text, at);
    if (JOINING.test(behind) && JOINING.test(next)) return true;
    if (code === ZWNJ || !PICTOGRAPH.test(next)) return false;
    const isForm = behind.codePointAt(0) === EMOJI_FORM;
    return /\p{Emoji_Modifier}/u.test(behind) || PICTOGRAPH.test(isForm ? before(text, at - 1) : behind);
  }
  if (!isSelector(code)) return false;
  const base = before(text, at);
  if (code === EMOJI_FORM && /[#*0-9]/.test(base)) return text.charCodeAt(at + 1) === 0x20e3;
  if (PICTOGRAPH.test(base) || /\p{Script=Han}/u.test(base)) return true;
  return code < 0x10000 && /[\p{S}\p{Script=Mongolian}\p{Script=Myanmar}]/u.test(base) && base > '\u007f';
}

/** Replaces every hidden character, tabs apart. */
export function replaceHidden(text: string, replacement: (char: string) => string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(HIDDEN, (char, at: number) => (char === '\t' || isSpelling(text, at, char) ? char : replacement(char)));
}
