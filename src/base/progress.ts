/** What a running call has done so far, for progress notifications. Written by the search, read by whoever reports. */

export class Progress {
  matches = 0;
  files = 0;

  get message(): string {
    if (this.files > 0) return `${this.files} files so far`;
    return `${this.matches} matches so far`;
  }
}
