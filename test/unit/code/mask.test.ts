/** Words of C that are made blank before parsing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskC, plainText } from '#dist/code/mask.js';

const MASKED: [text: string, masked: string][] = [
  ['int __init f(void)', 'int        f(void)'],
  ['static noinline int f(void)', 'static          int f(void)'],
  ['char __user *buf', 'char        *buf'],
  ['struct s { } __attribute__((packed));', 'struct s { }                        ;'],
  ['int f(void) __printf(1, 2);', 'int f(void)               ;'],
  ['module_param(a, int, 0644);', '                          ;'],
  ['int (*f)(int a) MY_ATTR;', 'int (*f)(int a)        ;'],
  ['EXPORT_SYMBOL_GPL(f);', '                    ;'],
  ['class MY_API Widget {', 'class        Widget {'],
  ['__aligned(\n8) int a;', '          \n   int a;'],
];
for (const [text, masked] of MASKED) test(`${JSON.stringify(text)} is masked`, () => assert.equal(maskC(text), masked));

const KEPT = [
  '__u32 a;',
  '__be16 b;',
  '#define __init 1',
  '#ifdef __always_inline',
  '#define EXPORT_SYMBOL(a) a',
  '__free(a',
  'my__init',
  '__init(a)',
  'void __setup_zone(int a)',
  'int module_param_sysfs(int a)',
  'a = (b) + CONSTANT;',
];
for (const text of KEPT) test(`${JSON.stringify(text)} is kept`, () => assert.equal(maskC(text), text));

test('NULs and carriage returns become blank, a backslash stays before its line feed', () => {
  assert.equal(plainText('a\0b\r\nc \\\r\nd\re'), 'a b \nc  \\\nd\re');
});
