/** Path order: component by component, each by its bytes, as `ripgrep --sort path` walks (a/x, a-b/x, a.d/q, a.txt). Pure. */

const SLASH = 0x2f;

/** UTF-16 units compared as the UTF-8 bytes of the same text would compare; a slash ends a component and so comes first. */
function compareUnits(a: number, b: number): number {
  if (a === SLASH || b === SLASH) return a === SLASH ? -1 : 1;
  if (isRawByte(a) !== isRawByte(b)) return firstByte(a) - firstByte(b) || (isRawByte(a) ? -1 : 1);
  // Surrogates stand for characters above U+FFFF, whose bytes are greater than those of U+E000 to U+FFFF.
  return (isSurrogate(a) ? a + 0x10000 : a) - (isSurrogate(b) ? b + 0x10000 : b);
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;
/** A byte that belongs to no character (path-bytes.ts), or the second half of a pair, which is never compared first. */
const isRawByte = (unit: number): boolean => unit >= 0xdc80 && unit <= 0xdcff;

function firstByte(unit: number): number {
  if (isRawByte(unit)) return unit - 0xdc00;
  if (unit < 0x80) return unit;
  if (unit < 0x800) return 0xc0 | (unit >> 6);
  return isSurrogate(unit) ? 0xf0 : 0xe0 | (unit >> 12);
}

/** Negative when `a` comes before `b`. */
export function comparePaths(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return isPairEnd(a, i) || isPairEnd(b, i) ? left - right : compareUnits(left, right);
  }
  return a.length - b.length;
}

/** Whether a unit is the second half of a pair; then both texts have the same first half before it. */
const isPairEnd = (text: string, at: number): boolean =>
  (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
