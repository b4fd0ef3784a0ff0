/** Which lines of a stack are the project's own, and which lines around a failure say nothing. Pure. */

const SCRIPT_FRAME = /^\s*(?:at |❯ |› )|^\s*(?:async )?(?:new )?[\w$.<>#]+(?: \[as [\w$]+\])? \(/;
const SCRIPT_FOREIGN = /\bnode:[a-z]|node_modules[/\\]|\(<anonymous>\)|\(index \d+\)|\((?:native|internal\/)/;
const BARE_INTERNAL = /^\s*(?:at )?node:[\w/]+:\d+:\d+$/;
const RUST_FOREIGN = /^\s+at \/rustc\/|^\s+at .*\/\.cargo\/registry\//;

/** A frame of the runtime, the runner or a package. */
export const isForeignFrame = (line: string): boolean =>
  (SCRIPT_FRAME.test(line) && SCRIPT_FOREIGN.test(line)) || BARE_INTERNAL.test(line) || RUST_FOREIGN.test(line);

/** What error objects and runners add to every failure alike. */
const NOISE = /^\s*(?:generatedMessage: (?:true|false),?|operator: '\w+',?|diff: 'simple',?|note: run with `RUST_BACKTRACE=.*)$/;

export const isNoise = (line: string): boolean => NOISE.test(line);

/** A source file of Python itself or of a package. */
export const isForeignPython = (file: string): boolean => /(?:site|dist)-packages|[/\\]lib[/\\]python\d|^<frozen |[/\\]Lib[/\\]/.test(file);

/** A source file of Go itself or of a module. */
export const isForeignGo = (file: string): boolean => /\/src\/(?:runtime|testing|internal|reflect|net|os|sync)\/|\/pkg\/mod\//.test(file);
