/** From the bytes of a line to what a reader of a terminal would have seen in the end: no colours, no overwritten progress bars,
 *  paths relative to the root. Pure. */

/** Control sequences (colours, cursor), operating system commands (titles, links), and other two-byte escapes. */
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])/g;

/** What is left of a line that was overwritten by carriage returns: the last text that was written. */
function lastWritten(text: string): string {
  const end = text.replace(/\r+$/, '');
  return end.slice(end.lastIndexOf('\r') + 1);
}

export class LineCleaner {
  readonly #prefixes: readonly string[];
  readonly #maxChars: number;

  /** @param root     absolute path of the root, which the lines then do not show
   *  @param maxChars longest line; the rest is cut */
  constructor(root: string, maxChars: number) {
    const folder = root.endsWith('/') || root.endsWith('\\') ? root : `${root}${root.includes('\\') ? '\\' : '/'}`;
    this.#prefixes = folder.length < 2 ? [] : [`file://${folder.startsWith('/') ? '' : '/'}${folder.replaceAll('\\', '/')}`, folder];
    this.#maxChars = maxChars;
  }

  clean(bytes: Buffer): string {
    let text = bytes.toString('utf8', 0, Math.min(bytes.length, this.#maxChars * 4));
    if (text.includes('\u001b')) text = text.replace(ESCAPES, '');
    if (text.includes('\r')) text = lastWritten(text);
    for (const prefix of this.#prefixes) if (text.includes(prefix)) text = text.replaceAll(prefix, '');
    return text.length <= this.#maxChars ? text : `${text.slice(0, this.#maxChars - 1)}…`;
  }
}
