/** Finds a program by name, as a shell would, but without one. On Windows, npm, pnpm and yarn are batch files, which need a shell;
 *  the scripts behind them are run by Node instead. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import path from 'node:path';

/** What is started, and what comes before the arguments. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
}

export interface Places {
  readonly platform: NodeJS.Platform;
  /** Value of PATH. */
  readonly path: string;
  /** Folders below the project that come before PATH. */
  readonly first: readonly string[];
  /** The Node that runs this process. */
  readonly node: string;
  /** Whether that file is there and may be started. */
  isProgram(file: string): boolean;
}

/** Below a folder of PATH, or Node's own, on Windows. */
const SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  npm: ['node_modules\\npm\\bin\\npm-cli.js'],
  pnpm: ['node_modules\\pnpm\\bin\\pnpm.cjs', 'node_modules\\corepack\\dist\\pnpm.js'],
  yarn: ['node_modules\\yarn\\bin\\yarn.js', 'node_modules\\corepack\\dist\\yarn.js'],
};

/** undefined where there is none. */
export function findProgram(name: string, places: Places): Program | undefined {
  const isWindows = places.platform === 'win32';
  const system = isWindows ? path.win32 : path.posix;
  const folders = [...places.first, ...places.path.split(system.delimiter).filter((folder) => system.isAbsolute(folder))];
  const scripts = isWindows ? (SCRIPTS[name] ?? []) : [];
  for (const folder of scripts.length === 0 ? [] : [...folders, system.dirname(places.node)]) {
    for (const script of scripts) {
      const file = system.join(folder, script);
      if (places.isProgram(file)) return { file: places.node, args: [file] };
    }
  }
  if (scripts.length > 0) return undefined;
  if (system.isAbsolute(name)) return places.isProgram(name) ? { file: name, args: [] } : undefined;
  for (const folder of folders) {
    const file = system.join(folder, isWindows && system.extname(name) === '' ? `${name}.exe` : name);
    if (places.isProgram(file)) return { file, args: [] };
  }
  return undefined;
}

export function isProgram(file: string): boolean {
  try {
    if (!existsSync(file) || !statSync(file).isFile()) return false;
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
