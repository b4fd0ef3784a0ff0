/** Path order: component by component, each by its bytes, as `ripgrep --sort path` walks (a/x, a-b/x, a.d/q, a.txt). Pure. */

const SLASH = 0x2f;

/** UTF-16 units compared as the UTF-8 bytes of the same text would compare; a slash ends a component and so comes first. */
function rank(unit: number): number {
  if (unit === SLASH) return -1;
  // Surrogates stand for characters above U+FFFF, whose bytes are greater than those of U+E000 to U+FFFF.
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** Negative when `a` comes before `b`. */
export function comparePaths(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}
