/** What one call has cost so far: written by whoever runs ripgrep, read by whoever keeps the account of a session. */

export class Tally {
  /** Bytes that ripgrep says it has searched. */
  bytesSearched = 0;
  /** Files that ripgrep says it has searched, each pass counted. */
  filesSearched = 0;
  /** Bytes of texts that were kept out of the context. */
  bytesKept = 0;
  /** Runs that were stopped at a cap, of which ripgrep tells no bytes. */
  runsCut = 0;
}
