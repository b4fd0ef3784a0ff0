/** Recognises what keeps a run from having any result: nothing to run, or a program that is not there. Pure. */

import { showJson } from '../base/display.js';

const NO_TESTS = [
  /^No tests found, exiting with code \d/,
  /^No test files found, exiting with code \d/,
  /^(?:=+ )?no tests ran in [\d.]+s/,
  /^\s*[✘✖] Couldn.t find any files to test/,
  /^Error: No test files found/,
  /^NO TESTS RAN$/,
];
const NO_PROGRAM =
  /^(?:(?:sh|bash|zsh|dash): )?(?:line )?(?:\d+: )?(\S+): (?:command )?not found$|^'(.+)' is not recognized as an internal or external command/;

export type Trouble = 'no_tests' | 'no_program';

/** undefined: nothing of the kind. */
export function troubleIn(text: string): { kind: Trouble; note: string } | undefined {
  if (NO_TESTS.some((pattern) => pattern.test(text))) return { kind: 'no_tests', note: 'no tests were found' };
  const [, program, other] = text.length < 300 ? (NO_PROGRAM.exec(text) ?? []) : [];
  const missing = program ?? other;
  return missing === undefined
    ? undefined
    : { kind: 'no_program', note: `the command needs the program ${showJson(missing)}, which is not installed` };
}
