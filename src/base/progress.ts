/** What a running call has done so far, for progress notifications. Written by the search, read by whoever reports. */

export class Progress {
  matches = 0;
  files = 0;
  #describe: (() => string) | undefined;

  /** Another message than the number of matches; asked for when one is sent. */
  describe(message: () => string): void {
    this.#describe = message;
  }

  get message(): string {
    if (this.#describe !== undefined) return this.#describe();
    if (this.files > 0) return `${this.files} files so far`;
    return `${this.matches} matches so far`;
  }
}
