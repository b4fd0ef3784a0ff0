import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Complaint, parseComplaints, patternReason } from '#dist/ripgrep/complaints.js';

const isOurs = (path: string): boolean => path.startsWith('/tmp/ours/');

const lines: [title: string, stderr: string, complaints: Complaint[]][] = [
  ['nothing', '', []],
  [
    'a file that cannot be read',
    'rg: ./a/b.txt: Permission denied (os error 13)\n',
    [{ kind: 'unreadable', path: 'a/b.txt', message: 'Permission denied' }],
  ],
  [
    'a file that is gone',
    'rg: ./a: No such file or directory (os error 2)\n',
    [{ kind: 'unreadable', path: 'a', message: 'No such file or directory' }],
  ],
  [
    'a name with a colon',
    'rg: ./a: b.txt: Permission denied (os error 13)\n',
    [{ kind: 'unreadable', path: 'a: b.txt', message: 'Permission denied' }],
  ],
  [
    "a bad line of a repository's own file",
    "rg: ./sub/.gitignore: line 2: error parsing glob '*.{a': unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)\n",
    [
      {
        kind: 'ignore-file',
        path: 'sub/.gitignore',
        message: "line 2: error parsing glob '*.{a': unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)",
      },
    ],
  ],
  [
    'a bad line of one of our files is a failure',
    "rg: /tmp/ours/1: line 1: error parsing glob '{': x\n",
    [{ kind: 'other', message: "/tmp/ours/1: line 1: error parsing glob '{': x" }],
  ],
  [
    'a missing file of ours is a failure',
    'rg: /tmp/ours/1: No such file or directory (os error 2)\n',
    [{ kind: 'other', message: '/tmp/ours/1: No such file or directory (os error 2)' }],
  ],
  ['a wrong flag', 'rg: unrecognized flag --nope\n', [{ kind: 'other', message: 'unrecognized flag --nope' }]],
  [
    'PCRE2 on a file',
    'rg: ./a.js: PCRE2: error matching: match limit exceeded\n',
    [{ kind: 'unreadable', path: 'a.js', message: 'PCRE2: error matching: match limit exceeded' }],
  ],
  ['lines of ripgrep that are no complaint', 'DEBUG|rg: x\nsomething\n', []],
  [
    'several',
    'rg: ./a: Permission denied (os error 13)\nrg: ./b: Permission denied (os error 13)\n',
    [
      { kind: 'unreadable', path: 'a', message: 'Permission denied' },
      { kind: 'unreadable', path: 'b', message: 'Permission denied' },
    ],
  ],
  ['a last line that was cut', 'rg: ./a: Permission den', [{ kind: 'unreadable', path: 'a', message: 'Permission den' }]],
];
for (const [title, stderr, complaints] of lines)
  test(`told apart: ${title}`, () => assert.deepEqual(parseComplaints(stderr, isOurs), complaints));

/** What ripgrep 15 says under --engine auto. */
const both = (plain: string, pcre: string): string =>
  `rg: regex could not be compiled with either the default regex engine or with PCRE2.\n\ndefault regex engine error:\n~~~\nregex parse error:\n    (?:x)\n    ^\nerror: ${plain}\n~~~\n\nPCRE2 regex engine error:\nPCRE2: error compiling pattern at offset ${pcre}\n`;

const reasons: [title: string, stderr: string, reason: string][] = [
  ['both engines refuse', both('unclosed group', '5: missing closing parenthesis'), 'unclosed group'],
  [
    'only PCRE2 knows the syntax',
    both('look-around, including look-ahead and look-behind, is not supported', '8: missing closing parenthesis'),
    'missing closing parenthesis (at offset 8)',
  ],
  [
    'backreferences',
    both('backreferences are not supported', '3: reference to non-existent subpattern'),
    'reference to non-existent subpattern (at offset 3)',
  ],
  ['PCRE2 alone', 'rg: PCRE2: error compiling pattern at offset 2: bad\n', 'bad (at offset 2)'],
  [
    'a literal line feed',
    'rg: the literal "\\n" is not allowed in a regex\n\nConsider enabling multiline mode\n',
    'the literal "\\n" is not allowed in a regex',
  ],
  [
    'a wrong encoding',
    'rg: error parsing flag --encoding: grep config error: unknown encoding: foo\n',
    'grep config error: unknown encoding: foo',
  ],
  ['nothing at all', '', ''],
];
for (const [title, stderr, reason] of reasons) test(`the reason on one line: ${title}`, () => assert.equal(patternReason(stderr), reason));
