/** The text half of path confinement: what a caller's path says, before the file system is asked. Pure; the path module comes
 *  in as an argument, so the Windows rules are tested on any system through path.win32. */
import type { PlatformPath } from 'node:path';
import { showJson } from '../base/display.js';
import { ToolError } from '../base/errors.js';

const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(?:\.|$)/i;

function refuseWindowsForms(text: string, relative: string): void {
  // A drive-relative path (C:x), a stream (a.txt:b), a device name in any folder, and names whose trailing dots or spaces
  // Windows drops would all open something other than what the checks saw.
  for (const part of relative.split(/[\\/]/)) {
    if (part.includes(':'))
      throw new ToolError('path_invalid', `${showJson(text)} has a colon, which on Windows names a drive or a stream.`);
    if (WINDOWS_DEVICE.test(part)) throw new ToolError('path_invalid', `${showJson(text)} names a Windows device.`);
    if (part !== '.' && part !== '..' && /[. ]$/.test(part)) {
      throw new ToolError('path_invalid', `${showJson(text)} has a name that ends in a dot or a space.`);
    }
  }
}

/** A caller's path as a path relative to `root` with forward slashes ('' is the root itself).
 *  @param text  relative, or absolute and below one of `roots`
 *  @param roots the root's absolute forms (as given and with links resolved)
 *  @throws ToolError path_invalid (empty, NUL, device), path_outside_root */
export function relativeText(text: string, roots: readonly string[], path: PlatformPath): string {
  if (text.trim() === '') throw new ToolError('path_invalid', 'The path is empty.', { hint: 'Use "." for the root itself.' });
  if (text.includes('\0')) throw new ToolError('path_invalid', `${showJson(text)} contains a NUL character.`);
  const isWindows = path.sep === '\\';
  if (isWindows && /^[\\/]{2}/.test(text)) throw new ToolError('path_outside_root', `${showJson(text)} is a network or device path.`);
  const outside = (): ToolError => new ToolError('path_outside_root', `${showJson(text)} lies outside the root.`);
  let relative = text;
  if (path.isAbsolute(text)) {
    const inside = roots.map((root) => path.relative(root, text)).find((candidate) => isInside(candidate, path));
    if (inside === undefined) throw outside();
    relative = inside;
  }
  if (isWindows) refuseWindowsForms(text, relative);
  const normal = path.normalize(relative);
  if (!isInside(normal, path)) throw outside();
  const slashed = isWindows ? normal.replaceAll('\\', '/') : normal;
  return slashed === '.' ? '' : slashed.replace(/^\.\//, '').replace(/\/+$/, '');
}

/** Whether a relative path stays below its start. */
export function isInside(relative: string, path: PlatformPath): boolean {
  return !path.isAbsolute(relative) && relative !== '..' && !relative.startsWith(`..${path.sep}`) && !relative.startsWith('../');
}
