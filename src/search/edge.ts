/** Lines of an answer about relations. */

/** One line of an answer, checkable where it names a place. */
export interface Edge {
  readonly path: string;
  /** 0 where the edge is about a whole file or folder. */
  readonly line: number;
  /** Further lines of the same edge. */
  readonly lines: readonly number[];
  readonly text: string;
  /** The text has marks in place of secrets already, since only the lines around it tell of them. */
  readonly isMasked?: boolean;
}

export interface Section {
  readonly title: string;
  /** Some places were not looked at. */
  readonly isAtLeast?: boolean;
  readonly edges: readonly Edge[];
}
