/** The one table of limits. Each row gives default, range, unit and a sentence; the command-line flag, the RIPSCOPE_*
 *  variable, the config key (`limits.NAME`, or another section), docs/limits.md and the bounds in tool schemas all derive from it.
 *  No other file holds a bare number that bounds work. */

export interface Limit {
  readonly def: number;
  readonly min: number;
  readonly max: number;
  readonly unit:
    | 'bytes'
    | 'ms'
    | 'characters'
    | 'lines'
    | 'matches'
    | 'files'
    | 'globs'
    | 'calls'
    | 'columns'
    | 'MiB'
    | 'results'
    | 'texts'
    | 'tokens'
    | 'share';
  /** Whether an operator may set it (flag, variable, config key); otherwise the caller sets it per call, or nobody. */
  readonly operator: boolean;
  /** Config key, where it is not `limits.NAME`. */
  readonly key?: `${'gates' | 'estimation'}.${string}`;
  /** Whether it may lie between two whole numbers. */
  readonly isFraction?: true;
  readonly doc: string;
}

export const LIMITS = {
  // connection
  maxFrameBytes: {
    def: 1_048_576,
    min: 1_024,
    max: 16_777_216,
    unit: 'bytes',
    operator: true,
    doc: 'Largest message accepted from the client.',
  },
  maxHeaderBytes: {
    def: 8_192,
    min: 8_192,
    max: 8_192,
    unit: 'bytes',
    operator: false,
    doc: 'Largest header block of a Content-Length frame.',
  },
  maxBatch: {
    def: 100,
    min: 100,
    max: 100,
    unit: 'calls',
    operator: false,
    doc: 'Messages of one batch, which only revision 2025-03-26 has.',
  },
  maxUnsentBytes: {
    def: 4_194_304,
    min: 65_536,
    max: 67_108_864,
    unit: 'bytes',
    operator: true,
    doc: 'Replies waiting for a slow client before reading from it pauses.',
  },
  maxInFlight: {
    def: 0,
    min: 0,
    max: 256,
    unit: 'calls',
    operator: true,
    doc: 'Tool calls that run at once, 0 being four for each core; searches without a scope hold at most a quarter of them and one more.',
  },
  maxQueued: {
    def: 64,
    min: 0,
    max: 10_000,
    unit: 'calls',
    operator: true,
    doc: 'Tool calls of each kind (light, with a scope, without) that may wait; a further one is answered "busy".',
  },
  giveWayMs: {
    def: 50,
    min: 50,
    max: 50,
    unit: 'ms',
    operator: false,
    doc: 'Longest that a search without a scope stands back for shorter calls before it goes on for as long.',
  },
  drainMs: {
    def: 1_000,
    min: 0,
    max: 1_500,
    unit: 'ms',
    operator: true,
    doc: 'Time that calls in flight get to finish after the end of stdin.',
  },
  flushMs: { def: 500, min: 0, max: 500, unit: 'ms', operator: false, doc: 'Time that finished replies get to be written at shutdown.' },
  progressFirstMs: {
    def: 500,
    min: 500,
    max: 500,
    unit: 'ms',
    operator: false,
    doc: 'A call reports progress once it has run for this long.',
  },
  progressEveryMs: {
    def: 250,
    min: 250,
    max: 250,
    unit: 'ms',
    operator: false,
    doc: 'Least time between two progress notifications of a call.',
  },
  maxUnsentLogBytes: {
    def: 1_048_576,
    min: 0,
    max: 16_777_216,
    unit: 'bytes',
    operator: true,
    doc: 'Log lines waiting for a slow stderr before further ones are dropped and counted.',
  },
  // one search
  deadlineMs: {
    def: 15_000,
    min: 100,
    max: 60_000,
    unit: 'ms',
    operator: true,
    doc: 'Longest a search may wait and run; `timeoutMs` of a call can only lower it.',
  },
  leastRunMs: {
    def: 100,
    min: 100,
    max: 100,
    unit: 'ms',
    operator: false,
    doc: 'Time that a call gets once it runs, however long it waited.',
  },
  diagnoseMs: {
    def: 3_000,
    min: 0,
    max: 15_000,
    unit: 'ms',
    operator: true,
    doc: 'Longest that the explanation of an empty reply may search.',
  },
  diagnoseHits: {
    def: 200,
    min: 200,
    max: 200,
    unit: 'matches',
    operator: false,
    doc: 'Matches after which the explanation of an empty reply stops counting.',
  },
  maxHitsKept: {
    def: 1_000,
    min: 501,
    max: 100_000,
    unit: 'matches',
    operator: true,
    doc: 'Matches that the parallel pass keeps; more than that are read in path order instead.',
  },
  maxKeptBytes: {
    def: 8_388_608,
    min: 65_536,
    max: 268_435_456,
    unit: 'bytes',
    operator: true,
    doc: 'Text of kept matches, after which ripgrep is killed.',
  },
  otherReadingHits: {
    def: 1_000,
    min: 1_000,
    max: 1_000,
    unit: 'matches',
    operator: false,
    doc: 'Matches after which the other reading of a pattern is no longer counted.',
  },
  maxEventBytes: {
    def: 262_144,
    min: 16_384,
    max: 4_194_304,
    unit: 'bytes',
    operator: true,
    doc: 'Largest ripgrep event parsed whole; of a larger one only place and matches are kept.',
  },
  maxStderrBytes: {
    def: 65_536,
    min: 4_096,
    max: 1_048_576,
    unit: 'bytes',
    operator: false,
    doc: "Part of a child's stderr that is kept; the rest is counted.",
  },
  maxSubmatches: { def: 100, min: 100, max: 100, unit: 'matches', operator: false, doc: 'Places within one line that are kept.' },
  csignoreBytes: { def: 65_536, min: 0, max: 65_536, unit: 'bytes', operator: false, doc: 'Largest .csignore file that is read.' },
  projectFileBytes: {
    def: 1_048_576,
    min: 1_048_576,
    max: 1_048_576,
    unit: 'bytes',
    operator: false,
    doc: 'Largest package.json, go.mod or Cargo.toml by which the project of a test command is found.',
  },
  configBytes: { def: 1_048_576, min: 1_048_576, max: 1_048_576, unit: 'bytes', operator: false, doc: 'Largest config file that is read.' },
  pruneEntries: {
    def: 2_000,
    min: 2_000,
    max: 2_000,
    unit: 'files',
    operator: false,
    doc: 'Entries of one folder that a continued search names to ripgrep as already covered.',
  },
  partEntries: {
    def: 50_000,
    min: 50_000,
    max: 50_000,
    unit: 'files',
    operator: false,
    doc: 'Entries of the largest folder that is divided where one run over it takes too long.',
  },
  // ranked search
  maxRankedHits: {
    def: 4_000_000,
    min: 10_000,
    max: 50_000_000,
    unit: 'matches',
    operator: true,
    doc: 'Words of a ranked search whose places are kept, at 6 bytes each; further ones only count.',
  },
  maxFileBytes: {
    def: 1_048_576,
    min: 1_024,
    max: 1_073_741_824,
    unit: 'bytes',
    operator: true,
    doc: 'Largest file that a ranked search ranks (config key scan.maxFileBytes as well).',
  },
  maxRead: {
    def: 60,
    min: 60,
    max: 60,
    unit: 'files',
    operator: false,
    doc: 'Best files of a ranked search that are read for their lines.',
  },
  topK: { def: 5, min: 1, max: 50, unit: 'files', operator: false, doc: 'Evidence packets of one search_code reply.' },
  queryChars: { def: 2_000, min: 1, max: 2_000, unit: 'characters', operator: false, doc: 'Length of a query.' },
  packetContext: { def: 2, min: 2, max: 2, unit: 'lines', operator: false, doc: 'Lines shown around a line that matters.' },
  nearSpellings: {
    def: 3,
    min: 3,
    max: 3,
    unit: 'matches',
    operator: false,
    doc: 'Near identifiers offered for a word that matches nothing.',
  },
  pathOnlyFiles: {
    def: 2_000,
    min: 0,
    max: 1_000_000,
    unit: 'files',
    operator: true,
    doc: 'A ranked search with fewer files than this also looks for files by name alone.',
  },
  // gate
  gateMaxFiles: {
    def: 25,
    min: 1,
    max: 1_000_000,
    unit: 'files',
    operator: true,
    key: 'gates.maxFiles',
    doc: 'A search with hits in more files than this is too broad: its reply says how to narrow it.',
  },
  gateMaxHits: {
    def: 120,
    min: 1,
    max: 10_000_000,
    unit: 'matches',
    operator: true,
    key: 'gates.maxHits',
    doc: 'The same for hits.',
  },
  gateMaxTokens: {
    def: 24_000,
    min: 100,
    max: 10_000_000,
    unit: 'tokens',
    operator: true,
    key: 'gates.maxTokens',
    doc: 'The same for the estimated size of all hits.',
  },
  gateMinRelevance: {
    def: 0.35,
    min: 0,
    max: 1,
    unit: 'share',
    operator: true,
    key: 'gates.minRelevance',
    isFraction: true,
    doc: "Least share of the weight of a query's words that its best place must hold.",
  },
  gateCompoundMargin: {
    def: 0.15,
    min: 0,
    max: 1,
    unit: 'share',
    operator: true,
    key: 'gates.compoundMargin',
    isFraction: true,
    doc: 'How far one bound of the gate alone may be passed.',
  },
  gateCountMs: {
    def: 500,
    min: 0,
    max: 5_000,
    unit: 'ms',
    operator: true,
    key: 'gates.countMs',
    doc: 'Longest that the hits of a search that is cut are counted, to say how broad it is.',
  },
  maxRefusals: {
    def: 3,
    min: 1,
    max: 1_000,
    unit: 'calls',
    operator: true,
    doc: 'Refusals in a row (gates.mode refuse) after which the gate opens once.',
  },
  absoluteMaxTokens: {
    def: 25_000,
    min: 500,
    max: 1_000_000,
    unit: 'tokens',
    operator: true,
    doc: 'Largest reply of any tool, whatever `maxChars` and `force` ask for.',
  },
  charsPerToken: {
    def: 3.5,
    min: 1,
    max: 10,
    unit: 'characters',
    operator: true,
    key: 'estimation.charsPerToken',
    isFraction: true,
    doc: 'Characters that are taken for a token where tokens are estimated.',
  },
  // test runs
  testTimeoutMs: {
    def: 300_000,
    min: 1_000,
    max: 1_800_000,
    unit: 'ms',
    operator: true,
    doc: 'Longest that a test command may run before its processes are ended.',
  },
  testAnswerMs: {
    def: 45_000,
    min: 100,
    max: 3_600_000,
    unit: 'ms',
    operator: true,
    doc: 'A call answers after this long with what an unfinished test run has so far; many clients give up after 60 s.',
  },
  testKillMs: {
    def: 1_000,
    min: 0,
    max: 30_000,
    unit: 'ms',
    operator: true,
    doc: 'Time between asking the processes of a test run to end and ending them by force.',
  },
  testShutdownMs: {
    def: 400,
    min: 0,
    max: 400,
    unit: 'ms',
    operator: false,
    doc: 'The same when the server itself ends.',
  },
  testPipeMs: {
    def: 500,
    min: 500,
    max: 500,
    unit: 'ms',
    operator: false,
    doc: 'Time that output may still come after a test command has ended, from processes that it left behind.',
  },
  maxTestRuns: { def: 4, min: 1, max: 64, unit: 'calls', operator: true, doc: 'Test commands that run at once.' },
  testRunsKept: { def: 20, min: 20, max: 20, unit: 'calls', operator: false, doc: 'Ended test runs whose result can still be asked for.' },
  testLineBytes: {
    def: 65_536,
    min: 65_536,
    max: 65_536,
    unit: 'bytes',
    operator: false,
    doc: 'Longest line of test output that is read at once; a longer one is read in pieces.',
  },
  testLineChars: {
    def: 1_000,
    min: 1_000,
    max: 1_000,
    unit: 'characters',
    operator: false,
    doc: 'Part of a line of test output that a reply shows.',
  },
  testReplyLines: { def: 120, min: 120, max: 120, unit: 'lines', operator: false, doc: 'Lines of one run_test_filtered reply.' },
  failuresKept: {
    def: 120,
    min: 120,
    max: 120,
    unit: 'matches',
    operator: false,
    doc: 'Failing tests of a run that are kept; further ones only count.',
  },
  failureLines: { def: 100, min: 100, max: 100, unit: 'lines', operator: false, doc: 'Lines of one failing test that are kept.' },
  failureChars: {
    def: 200_000,
    min: 200_000,
    max: 200_000,
    unit: 'characters',
    operator: false,
    doc: 'Text of all failing tests of a run that is kept.',
  },
  genericLines: {
    def: 120,
    min: 120,
    max: 120,
    unit: 'lines',
    operator: false,
    doc: 'Telling lines that are kept where no test runner is recognised.',
  },
  genericContext: { def: 2, min: 2, max: 2, unit: 'lines', operator: false, doc: 'Neighbours of a telling line that are kept with it.' },
  tailLines: { def: 80, min: 80, max: 80, unit: 'lines', operator: false, doc: 'Last lines shown where nothing else is telling.' },
  // arguments of calls
  maxChars: { def: 6_000, min: 500, max: 50_000, unit: 'characters', operator: true, doc: 'Size of a whole reply, trailer included.' },
  readMaxChars: { def: 9_500, min: 500, max: 50_000, unit: 'characters', operator: true, doc: 'Size of a whole reply of read_snippet.' },
  timeoutMs: {
    def: 15_000,
    min: 100,
    max: 60_000,
    unit: 'ms',
    operator: false,
    doc: "Time limit of one call; never above the server's own.",
  },
  maxMatches: { def: 100, min: 1, max: 500, unit: 'matches', operator: false, doc: 'Matches of one search_text reply.' },
  context: { def: 0, min: 0, max: 10, unit: 'lines', operator: false, doc: 'Lines shown before and after each match.' },
  maxResults: { def: 500, min: 1, max: 500, unit: 'files', operator: false, doc: 'Files of one list_files reply.' },
  maxLines: { def: 500, min: 1, max: 500, unit: 'lines', operator: false, doc: 'Lines of one read_snippet reply.' },
  maxGlobs: { def: 50, min: 0, max: 50, unit: 'globs', operator: false, doc: 'Globs in `globs` and in `exclude`.' },
  globChars: { def: 1_000, min: 1, max: 1_000, unit: 'characters', operator: false, doc: 'Length of one glob.' },
  pathChars: { def: 4_096, min: 1, max: 4_096, unit: 'characters', operator: false, doc: 'Length of a path argument.' },
  patternChars: { def: 10_000, min: 1, max: 10_000, unit: 'characters', operator: false, doc: 'Length of a pattern.' },
  cursorChars: { def: 10_000, min: 9, max: 10_000, unit: 'characters', operator: false, doc: 'Length of a cursor.' },
  lineNumber: { def: 1, min: 1, max: 2_000_000_000, unit: 'lines', operator: false, doc: 'Largest line number that can be asked for.' },
  columnNumber: { def: 1, min: 1, max: 2_000_000_000, unit: 'columns', operator: false, doc: 'Largest column that can be asked for.' },
  // reading and showing
  maxLineChars: { def: 300, min: 80, max: 10_000, unit: 'characters', operator: true, doc: 'Part of a long line shown around its match.' },
  countLinesBytes: {
    def: 67_108_864,
    min: 0,
    max: 1_073_741_824,
    unit: 'bytes',
    operator: true,
    doc: 'How far a file is read to count its lines.',
  },
  fileStatesBytes: {
    def: 4_194_304,
    min: 65_536,
    max: 67_108_864,
    unit: 'bytes',
    operator: false,
    doc: 'What the server remembers of the lines of files that it has shown, to say later where they went.',
  },
  excerptBytes: {
    def: 4_096,
    min: 4_096,
    max: 4_096,
    unit: 'bytes',
    operator: false,
    doc: 'Bytes read around a match in a line too long for an event.',
  },
  // symbols
  confirmFiles: {
    def: 12,
    min: 1,
    max: 1_000,
    unit: 'files',
    operator: true,
    doc: 'Best files with a symbol whose syntax trees are read to confirm its definitions.',
  },
  confirmChars: {
    def: 1_000_000,
    min: 0,
    max: 1_000_000_000,
    unit: 'characters',
    operator: true,
    doc: 'Text that is parsed for one answer; the best two files are, whatever their size.',
  },
  exploreFiles: {
    def: 200,
    min: 1,
    max: 10_000,
    unit: 'files',
    operator: true,
    doc: 'Files that one explore call parses at most.',
  },
  exploreChars: {
    def: 6_000_000,
    min: 0,
    max: 1_000_000_000,
    unit: 'characters',
    operator: true,
    doc: 'Text that one explore call parses at most.',
  },
  exploreDepth: { def: 1, min: 1, max: 3, unit: 'calls', operator: false, doc: 'Levels of callers that an explore call follows.' },
  locateResults: { def: 20, min: 1, max: 500, unit: 'lines', operator: false, doc: 'Places of one locate reply.' },
  // structure of one file
  maxParseChars: {
    def: 2_097_152,
    min: 0,
    max: 33_554_432,
    unit: 'characters',
    operator: true,
    doc: 'Largest text that is parsed; the structure of a larger one is told by its lines.',
  },
  maxScanChars: {
    def: 4_194_304,
    min: 65_536,
    max: 67_108_864,
    unit: 'characters',
    operator: true,
    doc: 'Part of a text whose lines are looked at where it is not parsed.',
  },
  parseMs: {
    def: 500,
    min: 10,
    max: 10_000,
    unit: 'ms',
    operator: true,
    doc: 'Longest that parsing one file may take before its lines are looked at instead.',
  },
  maxParserMiB: {
    def: 512,
    min: 64,
    max: 2_048,
    unit: 'MiB',
    operator: true,
    doc: 'Memory of the parser; half used up, it is replaced by a new one after a file.',
  },
  maxDefinitions: {
    def: 50_000,
    min: 50_000,
    max: 50_000,
    unit: 'matches',
    operator: false,
    doc: 'Definitions, and imports, of one file that are kept.',
  },
  maxCalls: { def: 200_000, min: 200_000, max: 200_000, unit: 'calls', operator: false, doc: 'Calls of one file that are kept.' },
  signatureChars: { def: 240, min: 240, max: 240, unit: 'characters', operator: false, doc: 'Length of the signature of a definition.' },
  // outputs kept out of the context
  keepBytes: {
    def: 5_120,
    min: 1_024,
    max: 10_000_000,
    unit: 'bytes',
    operator: true,
    doc: 'The hook keeps the output of an MCP tool above this size (variable OUTPUT_INDEXER_THRESHOLD as well).',
  },
  maxKeepBytes: {
    def: 10_485_760,
    min: 10_485_760,
    max: 10_485_760,
    unit: 'bytes',
    operator: false,
    doc: 'Largest text that is kept; the hook leaves a larger output as it is, of a test run the beginning is kept.',
  },
  maxEventInput: {
    def: 33_554_432,
    min: 33_554_432,
    max: 33_554_432,
    unit: 'bytes',
    operator: false,
    doc: 'Largest event that the hook reads; an output of 10 MB may be longer as JSON.',
  },
  keptBytes: {
    def: 104_857_600,
    min: 1_048_576,
    max: 10_737_418_240,
    unit: 'bytes',
    operator: true,
    doc: 'Kept texts of one root in all; above it the oldest go.',
  },
  keptTexts: {
    def: 1_000,
    min: 1,
    max: 100_000,
    unit: 'texts',
    operator: true,
    doc: 'Kept texts of one root; above it the oldest go.',
  },
  keptMs: {
    def: 86_400_000,
    min: 1_000,
    max: 86_400_000,
    unit: 'ms',
    operator: true,
    doc: 'Age at which a kept text goes.',
  },
  foldChars: {
    def: 1_000,
    min: 1_000,
    max: 1_000,
    unit: 'characters',
    operator: false,
    doc: 'Longest line of a kept text; longer ones are folded at a blank.',
  },
  chunkLines: {
    def: 50,
    min: 50,
    max: 50,
    unit: 'lines',
    operator: false,
    doc: 'Longest piece of a kept text that is ranked as one, where its content does not say otherwise.',
  },
  chunkOverlap: { def: 5, min: 5, max: 5, unit: 'lines', operator: false, doc: 'Lines that two such pieces share.' },
  windowChars: {
    def: 300,
    min: 300,
    max: 300,
    unit: 'characters',
    operator: false,
    doc: 'Part of a kept text shown around a hit.',
  },
  outputResults: { def: 3, min: 1, max: 20, unit: 'results', operator: false, doc: 'Results of one query of search_output.' },
  maxQueries: { def: 20, min: 1, max: 20, unit: 'calls', operator: false, doc: 'Queries of one search_output call.' },
  sourceChars: { def: 200, min: 1, max: 200, unit: 'characters', operator: false, doc: 'Length of the name of a kept text.' },
  summaryTerms: { def: 20, min: 20, max: 20, unit: 'results', operator: false, doc: 'Distinctive words named when a text is kept.' },
  vocabulary: {
    def: 200_000,
    min: 200_000,
    max: 200_000,
    unit: 'matches',
    operator: false,
    doc: 'Different words of kept texts that a misspelled word is compared with.',
  },
  brakeMs: {
    def: 120_000,
    min: 0,
    max: 3_600_000,
    unit: 'ms',
    operator: true,
    doc: 'Time within which calls of search_output count for its brakes; 0 lifts them.',
  },
  brakeCalls: {
    def: 5,
    min: 1,
    max: 10_000,
    unit: 'calls',
    operator: true,
    doc: 'Calls of search_output after which each query gets one result.',
  },
  brakeHardCalls: {
    def: 10,
    min: 1,
    max: 10_000,
    unit: 'calls',
    operator: true,
    doc: 'Calls of search_output after which a call gets one result.',
  },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMITS;
export type Limits = Readonly<Record<LimitName, number>>;

/** The defaults as plain numbers. */
export function defaultLimits(): Record<LimitName, number> {
  return Object.fromEntries(Object.entries(LIMITS).map(([name, limit]) => [name, limit.def])) as Record<LimitName, number>;
}

const kebab = (name: string, separator: string): string => name.replace(/[A-Z]/g, (letter) => separator + letter.toLowerCase());

/** `maxFrameBytes` -> `limits.maxFrameBytes`. */
export function keyOf(name: LimitName): string {
  const limit: Limit = LIMITS[name];
  return limit.key ?? `limits.${name}`;
}

/** `maxFrameBytes` -> `--max-frame-bytes`. */
export const flagOf = (name: string): string => `--${kebab(name, '-')}`;

/** `maxFrameBytes` -> `RIPSCOPE_MAX_FRAME_BYTES`. */
export const variableOf = (name: string): string => `RIPSCOPE_${kebab(name, '_').toUpperCase()}`;

/** Variables of other tools that set the same limit, after our own. */
export const OTHER_VARIABLES: Partial<Record<LimitName, string>> = { keepBytes: 'OUTPUT_INDEXER_THRESHOLD' };
