/** Which of the server's environment variables a test command gets: those that programs need to be found and to find their own
 *  files, and nothing else, since the others may hold keys. The operator may name more. Pure. */

const PASSED = new Set([
  // the system
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR', 'TEMP', 'TMP', 'DISPLAY', 'WAYLAND_DISPLAY'],
  ...['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SSL_CERT_FILE'],
  // Windows
  ...['SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'PATHEXT', 'APPDATA', 'LOCALAPPDATA', 'USERPROFILE', 'USERNAME', 'PROGRAMDATA'],
  ...['PROGRAMFILES', 'PROGRAMFILES(X86)', 'COMMONPROGRAMFILES', 'NUMBER_OF_PROCESSORS', 'PROCESSOR_ARCHITECTURE', 'OS'],
  // where tools keep their things
  ...[
    'NVM_DIR',
    'NVM_BIN',
    'VOLTA_HOME',
    'FNM_DIR',
    'PNPM_HOME',
    'COREPACK_HOME',
    'NODE_PATH',
    'NODE_EXTRA_CA_CERTS',
    'PLAYWRIGHT_BROWSERS_PATH',
  ],
  ...['VIRTUAL_ENV', 'CONDA_PREFIX', 'PYENV_ROOT', 'PYTHONPATH', 'PYTHONHOME', 'POETRY_HOME', 'UV_CACHE_DIR'],
  ...['GOROOT', 'GOPATH', 'GOBIN', 'GOCACHE', 'GOMODCACHE', 'GOFLAGS', 'GOTOOLCHAIN', 'CGO_ENABLED', 'CC', 'CXX', 'PKG_CONFIG_PATH'],
  ...['CARGO_HOME', 'RUSTUP_HOME', 'RUSTUP_TOOLCHAIN', 'CARGO_TARGET_DIR', 'RUSTFLAGS', 'JAVA_HOME', 'DOTNET_ROOT'],
]);

/** No colours, no progress bars, no questions, and output that is written at once. */
const SET = {
  CI: '1',
  NO_COLOR: '1',
  FORCE_COLOR: '0',
  CLICOLOR: '0',
  TERM: 'dumb',
  CARGO_TERM_COLOR: 'never',
  CARGO_TERM_PROGRESS_WHEN: 'never',
  PYTHONUNBUFFERED: '1',
  GIT_TERMINAL_PROMPT: '0',
  NO_UPDATE_NOTIFIER: '1',
} as const;

/** @param more names that the operator allows beside the built-in ones */
export function testEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  more: readonly string[],
): Readonly<Record<string, string>> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    // Names are told apart by letter case only where the system does so; PATH may be Path.
    const isPassed = PASSED.has(name.toUpperCase()) || name.startsWith('LC_') || more.includes(name);
    if (value !== undefined && isPassed) passed[name] = value;
  }
  return { ...passed, ...Object.fromEntries(Object.entries(SET).filter(([name]) => !more.includes(name) || passed[name] === undefined)) };
}
