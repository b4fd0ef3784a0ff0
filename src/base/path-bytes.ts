/** File names that are not UTF-8. Their bad bytes are kept apart as lone surrogates U+DC80 to U+DCFF, which no valid name can hold,
 *  so that different names stay different and sort as their bytes do. They are never shown as such. Pure. */
import { isUtf8 } from 'node:buffer';

const ESCAPE = 0xdc00;

/** The name with every byte that belongs to no character as U+DC00 + byte. */
export function decodePath(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  let path = '';
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes[at] ?? 0);
    const sequence = bytes.subarray(at, at + length);
    if (length > 0 && sequence.length === length && isUtf8(sequence)) {
      path += sequence.toString('utf8');
      at += length;
    } else {
      path += String.fromCharCode(ESCAPE + (bytes[at] ?? 0));
      at++;
    }
  }
  return path;
}

function sequenceLength(first: number): number {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

/** Whether a name was not UTF-8. */
export const hasRawBytes = (path: string): boolean => /[\udc80-\udcff]/.test(path) && /(?<![\ud800-\udbff])[\udc80-\udcff]/.test(path);

/** The name as valid text, with U+FFFD for what is none. */
export const wellFormed = (path: string): string => path.replace(/(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
