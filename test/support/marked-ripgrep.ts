/** A ripgrep that leaves a mark when it starts, and may take its time, so that a test can tell what was started and keep slots taken. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { plant } from './e2e-lab.js';

export interface MarkedRipgrep {
  readonly program: string;
  /** Arguments of every search that has started, in any order, a line each. */
  started(): string[];
}

/** @param seconds that each search sleeps before it begins; arguments that hold `quick` do not */
export function markedRipgrep(seconds = 0, quick = 'quick'): MarkedRipgrep {
  const dir = plant({ x: '' });
  const marks = join(dir, 'marks');
  mkdirSync(marks);
  const program = join(dir, 'rg');
  const script = [
    '#!/bin/sh',
    `printf '%s ' "$@" >"${marks}/$$"`,
    `case "$*" in *${quick}*) ;; *--version*) ;; *) sleep ${seconds};; esac`,
    `exec "${rgPath}" "$@"`,
  ];
  writeFileSync(program, `${script.join('\n')}\n`);
  chmodSync(program, 0o755);
  return { program, started: () => readdirSync(marks).map((name) => readFileSync(join(marks, name), 'utf8')) };
}
