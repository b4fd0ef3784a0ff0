/** The headers of one Content-Length frame, taken line by line. Pure. Owns which lengths, names and charsets are acceptable;
 *  each refusal is a sentence for the client. Refuses to guess: a frame whose length is in doubt has no known end. */

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const LENGTH = /^[0-9]{1,15}$/; // 15 digits are exact as a number
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i;

export class HeaderBlock {
  readonly #maxFrameBytes: number;
  #length: number | undefined;

  constructor(maxFrameBytes: number) {
    this.#maxFrameBytes = maxFrameBytes;
  }

  /** The announced length, undefined while no line has named it. */
  get length(): number | undefined {
    return this.#length;
  }

  /** Takes one line without its line end; returns why it is refused, or undefined. */
  add(line: string): string | undefined {
    const colon = line.indexOf(':');
    if (colon < 0) return 'A header line has no colon';
    const name = line.slice(0, colon).toLowerCase();
    if (!HEADER_NAME.test(name)) return 'A header line does not start with a header name';
    const value = line.slice(colon + 1).trim();
    if (name === 'content-length') return this.#setLength(value);
    if (name === 'content-type') return checkCharset(value);
    return undefined;
  }

  #setLength(value: string): string | undefined {
    if (this.#length !== undefined) return 'Content-Length is given twice';
    if (!LENGTH.test(value)) return 'Content-Length is not a decimal number of at most 15 digits';
    const length = Number(value);
    if (length > this.#maxFrameBytes) return `Content-Length exceeds ${this.#maxFrameBytes} bytes`;
    this.#length = length;
    return undefined;
  }
}

/** Bytes in another charset would be read as wrong text without anybody noticing, so they are refused. */
function checkCharset(contentType: string): string | undefined {
  const charset = CHARSET.exec(contentType)?.[1]?.toLowerCase();
  return charset === undefined || charset === 'utf-8' || charset === 'utf8' ? undefined : 'The charset of a frame must be utf-8';
}
