/** A ripgrep that takes its time for each file, the same on every machine, so that a search runs out of time where a test wants it. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { plant } from './e2e-lab.js';

export const posix = { skip: process.platform === 'win32' && 'a script stands in for ripgrep' };

/** @param told lines of a script that tells what ripgrep has written to the file "$out"
 *  @returns the program */
function standIn(told: readonly string[]): string {
  const dir = plant({});
  const program = join(dir, 'rg');
  const script = ['#!/bin/sh', `out=${dir}/out.$$`, `"${rgPath}" "$@" >"$out"; code=$?`, ...told, 'rm -f "$out"; exit $code'];
  writeFileSync(program, `${script.join('\n')}\n`);
  chmodSync(program, 0o755);
  return program;
}

/** What was found is told at the end.
 *  @param msPerFile for each file that has a match
 *  @param msPerName for each file that is listed
 *  @returns the program */
export function slowRipgrep(msPerFile: number, msPerName = msPerFile): string {
  return standIn([
    // Files end with "begin" in events, with NUL in listings.
    'case "$*" in',
    `*--json*) ms=$(($(grep -c '"type":"begin"' "$out") * ${msPerFile}));;`,
    `*) ms=$(($(tr -cd '\\000' <"$out" | wc -c) * ${msPerName}));;`,
    'esac',
    'sleep "$(printf %d.%03d $((ms / 1000)) $((ms % 1000)))"',
    'cat "$out"',
  ]);
}

/** A ripgrep that keeps silent for a minute when all of these are among its arguments.
 *  @returns the program */
export function stallingRipgrep(flags: readonly string[]): string {
  const isStalled = flags.map((flag) => `case " $* " in *" ${flag} "*) ;; *) stalls=no;; esac`);
  return standIn(['stalls=yes', ...isStalled, 'if [ $stalls = yes ]; then exec sleep 60; fi', 'cat "$out"']);
}

/** A ripgrep that is killed each time it comes upon a file with matches, and else tells what it finds.
 *  @returns the program */
export function killedRipgrep(path: string): string {
  return standIn([`if grep -q '"begin".*${path}"' "$out"; then kill -9 $$; fi`, 'cat "$out"']);
}

/** A ripgrep that tells all but its last event, then keeps silent for a while.
 *  @returns the program */
export function pausingRipgrep(seconds: number): string {
  return standIn([
    'case "$*" in',
    `*--json*) sed '$d' "$out"; sleep ${seconds}; tail -n 1 "$out";;`,
    `*) cat "$out"; sleep ${seconds};;`,
    'esac',
  ]);
}
