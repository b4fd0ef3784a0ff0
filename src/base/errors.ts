/** The table of errors and the two classes that carry them. A ToolError is something the caller can repair: it becomes an
 *  `isError` result with code, reason and repair. A ProtocolError is a wrong message: it becomes a JSON-RPC error.
 *  Everything else that is thrown is a bug: answered with -32603 and logged with its stack. */

interface ErrorRow {
  readonly doc: string;
  readonly hint: string;
}

export const ERRORS = {
  argument_invalid: {
    doc: 'An argument is missing, has the wrong type or is out of range.',
    hint: 'Correct the named argument and call again.',
  },
  argument_unknown: { doc: 'The tool has no argument of that name.', hint: 'Use one of the arguments that the message names.' },
  busy: {
    doc: 'Too many calls of that kind are running and waiting; this one was not started.',
    hint: 'Call again in a moment, or run fewer calls at once.',
  },
  config_invalid: {
    doc: 'A flag, a variable or the config file has a value that cannot be used.',
    hint: 'Correct the flag, variable or config key (docs/limits.md lists them); a server must then be started again.',
  },
  cursor_invalid: {
    doc: 'The cursor is damaged, or belongs to another query, root or version.',
    hint: 'Repeat the call with exactly the arguments that gave the cursor, or without cursor.',
  },
  encoding_unknown: {
    doc: 'ripgrep does not know that encoding.',
    hint: 'Use a label such as utf-16le, latin1, shift_jis or gbk; leave it out for UTF-8 and files with a byte order mark.',
  },
  file_binary: {
    doc: 'The file is binary: it has NUL bytes, and more than a tenth of its beginning is control characters.',
    hint: 'Use search_text with binary: true to see matching lines of it.',
  },
  glob_invalid: {
    doc: 'A glob cannot be used.',
    hint: 'Globs are relative to the root, like src/**/*.ts or *.md; escape [ ] { } with a backslash; a leading ! negates.',
  },
  not_a_file: {
    doc: 'The path is a folder, a pipe, a socket or a device, not a regular file.',
    hint: 'Name a regular file; list_files shows what a folder holds.',
  },
  output_none: {
    doc: 'No output has been kept that this session could search.',
    hint: 'Keep one with keep_output, or name the handle of a kept output as source.',
  },
  output_too_large: {
    doc: 'The text is larger than what is kept.',
    hint: 'Keep it in parts, or write it to a file below the root and use search_text.',
  },
  output_unknown: {
    doc: 'No kept output has that handle or name.',
    hint: 'Use a handle exactly as a reply named it; kept outputs go after 24 hours, with their session, or when the space is used up.',
  },
  path_excluded: {
    doc: 'The path is a secret or belongs to .git, which are never searched or read.',
    hint: 'Only the operator can allow secrets, with security.allowSecrets in the config file.',
  },
  path_invalid: { doc: 'The path cannot be used.', hint: 'Use a path relative to the root, with forward slashes.' },
  path_missing: { doc: 'Nothing exists at that path.', hint: 'Find it by name: list_files {"globs": ["**/NAME"]}.' },
  path_outside_root: { doc: 'The path, or what it links to, lies outside the root.', hint: 'Use a path relative to the root.' },
  path_unreadable: { doc: 'The operating system refuses to read the path.', hint: 'Check the permissions of the file.' },
  pattern_invalid: {
    doc: 'ripgrep cannot compile the pattern.',
    hint: 'Fix the pattern, or set regex to false to search it as plain text.',
  },
  queue_timed_out: {
    doc: 'The time limit of the call was over while it waited for others; it was never started.',
    hint: 'Repeat the call when fewer are running, or run fewer at once.',
  },
  range_invalid: {
    doc: 'The lines or columns asked for do not exist in the file.',
    hint: 'Ask for lines within the range that the message names.',
  },
  ripgrep_failed: {
    doc: 'ripgrep ended with an error and without a result.',
    hint: 'Try a narrower scope; with --debug the server logs how ripgrep was called.',
  },
  ripgrep_missing: {
    doc: 'The ripgrep program cannot be started, so nothing can be searched.',
    hint: 'Reinstall the package with its optional dependencies, or name a ripgrep 14 or later in RIPSCOPE_RG.',
  },
  root_missing: {
    doc: 'The server has no repository to search.',
    hint: "Start it with --root DIR, or set REPO_ROOT in the env block of the client's server configuration.",
  },
  root_unknown: {
    doc: 'The root is not one of those that the server may search.',
    hint: 'Leave root out, or use one of the names that the message lists.',
  },
  spool_refused: {
    doc: 'The private folder for kept outputs is not private: it is a link or a file, belongs to somebody else, or others may enter it.',
    hint: 'Remove what is in its place in the temp folder, or set TMPDIR to a folder of your own.',
  },
  target_missing: {
    doc: 'The target of a read is neither a file nor a symbol that is defined here.',
    hint: 'Find it with search_code or locate.',
  },
  temp_unusable: { doc: 'The folder for temporary files cannot be written.', hint: 'Set TMPDIR to a folder that the server may write.' },
  test_command_unknown: {
    doc: 'The test command is not in the allowlist.',
    hint: 'Use one of the commands that the message names; only the operator adds others, with tests.commands in the config file.',
  },
  test_path_unusable: { doc: 'The test command cannot be narrowed to that path.', hint: 'Name another path, or leave path out.' },
  test_program_missing: {
    doc: 'The program of a test command is not installed, or not on the PATH of the server.',
    hint: "Install it, or set PATH in the env block of the client's server configuration.",
  },
  test_project_missing: {
    doc: 'The file that makes a folder a project for that test command is missing or has no tests to run.',
    hint: 'Use the command of the project at hand, or give path: a test file or folder below the project.',
  },
  test_run_unknown: {
    doc: 'No test run has that handle: it is misspelled, of another server, or too old.',
    hint: 'Call again with command instead of wait.',
  },
  timed_out: {
    doc: 'The time limit ended the call before it had anything to show.',
    hint: "Narrow scope or globs, or raise timeoutMs; its most is the server's --deadline-ms.",
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

/** A failure that the caller can repair. `message` says what is wrong with which value; `hint` how to repair it. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly code: ErrorCode;
  readonly hint: string;
  /** When the same call may well succeed, in ms; undefined where waiting does not help. */
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, detail: string, options?: ErrorOptions & { hint?: string; retryAfterMs?: number }) {
    super(detail, options);
    this.code = code;
    this.hint = options?.hint ?? ERRORS[code].hint;
    this.retryAfterMs = options?.retryAfterMs;
  }
}

/** JSON-RPC error codes that this server sends. */
export const RPC = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  unsupportedVersion: -32022,
} as const;

export type RpcCode = (typeof RPC)[keyof typeof RPC];

/** A message that breaks the protocol: answered with a JSON-RPC error. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  readonly code: RpcCode;
  readonly data: unknown;

  constructor(code: RpcCode, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}
