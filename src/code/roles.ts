/** Comments, strings and code in strings -> places where the role of the text changes. Pure. */
import type { Place } from './nesting.js';
import type { RoleChange } from './structure.js';

/** Nested stretches (a string, code in it, a string in that) to places where the role changes. */
export function flattenRoles(stretches: readonly (Place & { readonly role: RoleChange['role'] })[]): RoleChange[] {
  const changes: RoleChange[] = [];
  const open: (typeof stretches)[number][] = [];
  const change = (offset: number, role: RoleChange['role']): void => {
    if (changes.at(-1)?.offset === offset) changes.pop();
    if ((changes.at(-1)?.role ?? 'code') !== role) changes.push({ offset, role });
  };
  const closeUntil = (offset: number): void => {
    for (let top = open.at(-1); top !== undefined && top.endIndex <= offset; top = open.at(-1)) {
      open.pop();
      change(top.endIndex, open.at(-1)?.role ?? 'code');
    }
  };
  for (const stretch of stretches) {
    closeUntil(stretch.startIndex);
    change(stretch.startIndex, stretch.role);
    open.push(stretch);
  }
  closeUntil(Number.POSITIVE_INFINITY);
  return changes;
}
