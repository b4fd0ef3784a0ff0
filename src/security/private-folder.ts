/** Folders that only this user may enter: where they are, how they are made, and what in their place is refused. */
import { lstatSync, mkdirSync, type Stats } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { ToolError } from '../base/errors.js';

/** Where the private files of all processes of this user live. The system's temp folder, since it is there on every system, is cleared
 *  by it, and is the same for a server and a hook that a client starts; XDG_RUNTIME_DIR is small, often absent, and not passed on. */
export function userFolder(): string {
  return path.join(tmpdir(), `ripscope-${userName()}`);
}

/** Makes a folder where there is none; what is there already stays as it is. */
export function makePrivate(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

export const ABSENT = 'is not there';

/** What makes a folder unfit for private files, or undefined: a link or a file in its place, a foreign owner, a mode that lets others in. */
export function whyNotPrivate(folder: string): string | undefined {
  const entry = entryAt(folder);
  if (entry === undefined) return ABSENT;
  if (entry.isSymbolicLink()) return 'is a link';
  if (!entry.isDirectory()) return 'is no folder';
  // Windows has neither; the temp folder there belongs to the user.
  if (process.getuid === undefined) return undefined;
  if (entry.uid !== process.getuid()) return 'belongs to somebody else';
  return (entry.mode & 0o077) === 0 ? undefined : 'may be entered by others';
}

function entryAt(folder: string): Stats | undefined {
  try {
    return lstatSync(folder, { throwIfNoEntry: false });
  } catch {
    return undefined; // a temp folder that is none, or is closed to us: making one in it will tell
  }
}

/** A folder may vanish, as empty, between making and using it: so often in a row it does not. */
const TRIES = 50;

/** Does something in a folder that it makes itself, and once more when another process removed the folder just then.
 *  @throws what `act` throws for any other reason, or every time */
export function againWhenGone<T>(act: () => T): T {
  for (let turn = 1; ; turn++) {
    try {
      return act();
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? '';
      if (turn === TRIES || !['ENOENT', 'EEXIST'].includes(code)) throw error;
    }
  }
}

/** What a caller is told when the folder cannot be used, for whatever reason. */
export function unusable(error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  return new ToolError(
    'temp_unusable',
    `The folder for kept outputs cannot be used (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}).`,
    {
      cause: error,
    },
  );
}

/** Who this is, for a folder of their own; a user may have no name (a container with an arbitrary uid). */
function userName(): string {
  if (process.getuid !== undefined) return String(process.getuid());
  try {
    return userInfo().username.replace(/\W/g, '_');
  } catch {
    return 'user';
  }
}
