/** What every search needs beside its query. */
import type { Limits } from '../base/limits.js';
import type { Progress } from '../base/progress.js';
import type { Ripgrep, RunContext } from '../ripgrep/process.js';
import type { FileStates } from './file-states.js';
import type { KnownTrees } from './known-trees.js';
import type { ScanOptions } from './selection.js';
import type { Sources } from './sources.js';

export interface SearchParts {
  readonly ripgrep: Ripgrep;
  readonly limits: Limits;
  readonly scan: ScanOptions;
  readonly sources: Sources;
  readonly trees: KnownTrees;
  readonly states: FileStates;
}

export interface SearchContext extends RunContext {
  readonly progress: Progress;
  /** Facts about the call itself, for the reply's notes. */
  readonly notes: readonly string[];
}
