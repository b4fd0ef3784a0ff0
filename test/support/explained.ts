/** Whether docs/answers.md explains the lines of a reply: each is compared with the examples that stand there. */
import { readFileSync } from 'node:fs';

/** What the examples are about: in a reply other names stand there. */
const SAMPLES = [
  ...['src/a.ts', 'src/b.ts', 'src/big', 'lib/small', 'app.log', '*.log', '.gitignore', 'node_modules/', 'top10/d31', 'mm/kasan'],
  ...['load', 'Store', 'token session', 'token', 'sesion', 'sessions', 'session', 'typescript', 'package.json'],
  ...['Permission denied', 'unclosed group', 'top12/d3/e1/f402007.ts', 'breadth, volume', 'is larger than 65536 bytes', 'mENY_njSWyJE'],
];
const COUNTED =
  'match(?:es)?|files?|lines?|definitions?|uses?|paths?|callers?|calls?|callees?|places?|names?|kB|MB|GB|bytes?|candidates?|refusals?';
const NUMBER = new RegExp(`\\d[\\d,.]*\\+?(?: other| further| source)?(?: (?:${COUNTED})(?!\\w))?`);
const STRING = /"(?:\\.|[^"\\])*"/;
const OTHERS = [/\{.*\}/, /…/, ...SAMPLES.map((sample) => new RegExp(quoted(sample)))];
const VARIABLE = new RegExp([STRING, NUMBER, ...OTHERS].map(({ source }) => source).join('|'), 'g');

function quoted(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** What stands for an example: its variable parts may be anything of their kind. */
function shapeOf(example: string): string {
  let shape = '';
  let from = 0;
  for (const { 0: part, index } of example.matchAll(VARIABLE)) {
    const any = part.startsWith('"') ? '".*?"' : /^\d/.test(part) ? NUMBER.source : '.+?';
    shape += quoted(example.slice(from, index)) + any;
    from = index + part.length;
  }
  return shape + quoted(example.slice(from));
}

/** Parts that may be there or not. */
const plain = (line: string): string =>
  line
    .replace(/^# /, '')
    .replace(/\b[aA]t least (?=\d)/g, '')
    .replace(/, \d[\d,]* shown: raise maxChars or narrow scope$/, '')
    .replace(/ \(\d[\d,]*\)$/, '');
/** Several facts of one line. */
const clausesOf = (line: string): string[] => plain(line).split(/; |(?<=[.)]) (?=Read as )/);

const answers = readFileSync(new URL('../../../docs/answers.md', import.meta.url), 'utf8');
const examples = [
  ...[...answers.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code),
  ...[...answers.matchAll(/^```\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) => block.split('\n')),
];
/** An example that has no words of its own would explain everything. */
const hasWords = (example: string): boolean => OTHERS.reduce((rest, one) => rest.replace(one, ''), example).match(/[a-z]{3}/i) !== null;
const shapes = new RegExp(`^(?:${[...new Set(examples.flatMap(clausesOf))].filter(hasWords).map(shapeOf).join('|')})$`, 's');

/** The lines about a reply that no example explains. What was cut to a length is not judged. */
export function unexplained(tool: string, text: string): string[] {
  const lines = text.split('\n').filter((line, index) => line.startsWith('# ') || (index === 0 && tool === 'search_text'));
  return lines.filter((line) => !line.endsWith('…') && !shapes.test(plain(line)) && !clausesOf(line).every((one) => shapes.test(one)));
}
