/** What a tool is: its name, the schema and description that the model reads, what it does, and how its outcome reads as text
 *  and as data. One file holds all of it per tool, so that they cannot drift apart. */
import type { ToolGroup } from '../base/config.js';
import type { Deadline } from '../base/deadline.js';
import type { Lane } from '../base/lane.js';
import type { Limits } from '../base/limits.js';
import type { Log } from '../base/log.js';
import type { Progress } from '../base/progress.js';
import type { Tally } from '../base/tally.js';
import type { Courtesy } from '../ripgrep/process.js';
import type { SearchParts } from '../search/context.js';
import type { Gate } from '../search/gate.js';
import type { Root } from '../security/root.js';
import type { Spools } from '../security/spools.js';
import type { TestRuns } from '../testing/test-runs.js';
import type { Account } from './account.js';
import type { Brake } from './brake.js';
import type { Style } from './style.js';

/** A property of an input schema: the flat subset of JSON Schema that every model API takes. */
export interface Property {
  readonly type: 'string' | 'integer' | 'boolean' | 'array';
  readonly description: string;
  readonly enum?: readonly string[];
  readonly items?: { readonly type: 'string'; readonly minLength?: number; readonly maxLength?: number };
  readonly default?: string | number | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
}

export interface InputSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
}

export interface ToolContext {
  readonly root: Root;
  readonly signal: AbortSignal;
  readonly deadline: Deadline;
  readonly limits: Limits;
  readonly log: Log;
  readonly search: SearchParts;
  readonly gate: Gate;
  readonly tests: TestRuns;
  readonly progress: Progress;
  readonly notes: readonly string[];
  readonly tally: Tally;
  readonly courtesy?: Courtesy;
  readonly outputs: OutputParts;
}

/** What the tools for outputs share within one server. */
export interface OutputParts {
  readonly spools: Spools;
  readonly brake: Brake;
  readonly account: Account;
  /** Whether what is kept can be searched here, so that a reply may name the call. */
  readonly isOffered: boolean;
}

export interface Tool<Arguments = never, Outcome = unknown> {
  readonly name: string;
  /** Operators choose tools by group. */
  readonly group: ToolGroup;
  /** What a call with these arguments, unchecked as yet, costs others. */
  lane(given: Readonly<Record<string, unknown>>): Lane;
  /** What a call does beside answering: nothing, adds a file of ours, or runs what may do anything. Clients may ask their user first. */
  readonly effect: 'reads' | 'adds' | 'runs';
  readonly description: string;
  readonly input: InputSchema;
  /** Default of `maxChars`, by the name of its limit. */
  readonly budget: 'maxChars' | 'readMaxChars';
  run(args: Arguments, context: ToolContext): Promise<Outcome>;
  /** The reply as a model reads it; never longer than `maxChars`. */
  text(outcome: Outcome, maxChars: number, style: Style): string;
  /** The same facts as data; `maxChars` bounds the sum of paths and texts. */
  data(outcome: Outcome, maxChars: number): object;
  /** Whether anything was found: the exit code of the command line. */
  found(outcome: Outcome): boolean;
  /** The exit code of the command line where it is not just found or not. */
  exitCode?(outcome: Outcome): number | undefined;
  /** Numbers for the log. */
  summary(outcome: Outcome): Readonly<Record<string, unknown>>;
}

/** A tool whose argument and outcome types only its own file knows. */
export type AnyTool = Tool<never, unknown>;

export function defineTool<Arguments, Outcome>(tool: Tool<Arguments, Outcome>): AnyTool {
  return tool as unknown as AnyTool;
}
