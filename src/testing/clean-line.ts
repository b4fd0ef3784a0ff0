/** From the bytes of a line to what a reader of a terminal would have seen in the end: no colours, no overwritten progress bars,
 *  paths relative to the root. Pure. */

/** Control sequences (colours, cursor), operating system commands (titles, links), and other two-byte escapes. */
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])/g;

/** An escape that may be whole only with what follows. */
const BEGUN = /\u001b(?:\[[0-?]*[ -/]*|\][^\u0007\u001b]*|[ -/]*)$/;
/** A longer one is none. */
const LONGEST_BEGUN = 2_000;

/** What is left of a line that was overwritten by carriage returns: the last text that was written, with those at its end. */
function lastWritten(text: string): string {
  const end = text.replace(/(?<!\r)\r+$/, '');
  return text.slice(end.lastIndexOf('\r') + 1);
}

/** For the lines of one stream. Promise: a text that is cut ends with `…`, whatever the line has in front of it, and memory does not
 *  grow with the line. */
export class LineCleaner {
  readonly #prefixes: readonly string[];
  readonly #maxChars: number;
  /** What the pieces of a line so far leave to be seen. */
  #before = '';
  /** Whether of that there was more. */
  #isCut = false;
  /** An escape that the last piece cut through. */
  #begun = '';

  /** @param root     absolute path of the root, which the lines then do not show
   *  @param maxChars longest line; the rest is cut */
  constructor(root: string, maxChars: number) {
    const folder = root.endsWith('/') || root.endsWith('\\') ? root : `${root}${root.includes('\\') ? '\\' : '/'}`;
    this.#prefixes = folder.length < 2 ? [] : [`file://${folder.startsWith('/') ? '' : '/'}${folder.replaceAll('\\', '/')}`, folder];
    this.#maxChars = maxChars;
  }

  /** Takes a piece of a line that goes on. */
  hold(piece: Buffer): void {
    const text = this.#begun + piece.toString('utf8');
    const begun = BEGUN.exec(text)?.[0] ?? '';
    this.#begun = begun.length > LONGEST_BEGUN ? '' : begun;
    this.#write(text.slice(0, text.length - begun.length));
    // Twice as much as is shown: the root's path goes only when the line is whole.
    const most = 2 * this.#maxChars;
    if (this.#before.length <= most) return;
    this.#isCut = true;
    this.#before = `${this.#before.slice(0, most)}${this.#before.endsWith('\r') ? '\r' : ''}`;
  }

  /** @param bytes the line, or its last piece */
  clean(bytes: Buffer): string {
    this.#write(this.#begun + bytes.toString('utf8'));
    let text = this.#before.replace(/(?<!\r)\r+$/, '');
    for (const prefix of this.#prefixes) if (text.includes(prefix)) text = text.replaceAll(prefix, '');
    const isCut = this.#isCut || text.length > this.#maxChars;
    this.#before = '';
    this.#begun = '';
    this.#isCut = false;
    return isCut ? `${text.slice(0, this.#maxChars - 1)}…` : text;
  }

  #write(added: string): void {
    const plain = added.includes('\u001b') ? added.replace(ESCAPES, '') : added;
    const text = this.#before + plain;
    const last = text.includes('\r') ? lastWritten(text) : text;
    // Of what was cut nothing is left once the line is written anew.
    if (last.length < text.length) this.#isCut = false;
    this.#before = last;
  }
}
