/** What the calls of one server have cost and saved, by tool. */
import type { Tally } from '../base/tally.js';

export interface ToolTotals {
  readonly tool: string;
  calls: number;
  ms: number;
  bytesSearched: number;
  bytesReturned: number;
  bytesKept: number;
  /** Runs of ripgrep that were stopped at a cap, whose bytes nobody knows. */
  runsCut: number;
}

export class Account {
  readonly since: Date;
  readonly #tools = new Map<string, ToolTotals>();

  constructor(since: Date) {
    this.since = since;
  }

  add(tool: string, call: { readonly ms: number; readonly bytesReturned: number; readonly tally: Tally }): void {
    const totals = this.#tools.get(tool) ?? { tool, calls: 0, ms: 0, bytesSearched: 0, bytesReturned: 0, bytesKept: 0, runsCut: 0 };
    totals.calls++;
    totals.ms += call.ms;
    totals.bytesReturned += call.bytesReturned;
    totals.bytesSearched += call.tally.bytesSearched;
    totals.bytesKept += call.tally.bytesKept;
    totals.runsCut += call.tally.runsCut;
    this.#tools.set(tool, totals);
  }

  /** In the order of their first calls. */
  get tools(): readonly Readonly<ToolTotals>[] {
    return [...this.#tools.values()];
  }
}
