/** Schema properties that several tools share. Bounds come from the table of limits. */
import { LIMITS, type LimitName } from '../base/limits.js';
import type { Property } from './tool.js';

/** An integer with the range of a limit; the default is shown unless it depends on the server. */
export function integer(limit: LimitName, description: string, options: { hasDefault: boolean } = { hasDefault: true }): Property {
  const { min, max, def } = LIMITS[limit];
  return { type: 'integer', description, minimum: min, maximum: max, ...(options.hasDefault ? { default: def } : {}) };
}

export const ROOT: Property = { type: 'string', description: 'One of several allowed roots', maxLength: LIMITS.pathChars.max };
export const SCOPE: Property = {
  type: 'string',
  description: 'Folder or file',
  maxLength: LIMITS.pathChars.max,
};

const globs = (description: string): Property => ({
  type: 'array',
  items: { type: 'string', maxLength: LIMITS.globChars.max },
  maxItems: LIMITS.maxGlobs.max,
  description,
});
export const GLOBS: Property = globs('These files; ! leaves out: ["*.ts", "!test/**"]');
export const EXCLUDE: Property = globs('Globs to leave out');
export const IGNORED: Property = {
  type: 'boolean',
  description: 'Include what ignore rules hide',
  default: false,
};
export const CURSOR: Property = {
  type: 'string',
  description: 'From a reply; repeat its arguments',
  maxLength: LIMITS.cursorChars.max,
};
export const FORCE: Property = { type: 'boolean', description: 'Even if broad' };
export const MAX_CHARS: Property = integer('maxChars', 'Reply budget');
export const READ_MAX_CHARS: Property = integer('readMaxChars', 'Reply budget');
export const TIMEOUT: Property = integer('timeoutMs', 'Time limit', { hasDefault: false });
