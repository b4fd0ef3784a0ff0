/** Structure of files, run by hand: node test/bench/structure.mjs [FOLDER]... Build first.
 *  Parses ten thousand small sources and shows that memory stays, then reads the files of each folder and shows what a file
 *  takes, by language. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { defaultLimits } from '../../dist/base/limits.js';
import { languageOf } from '../../dist/code/language.js';
import { SyntaxParser } from '../../dist/code/parser.js';
import { StructureReader } from '../../dist/code/reader.js';

const PARSES = 10_000;
/** Files of one language in one folder. */
const MOST_FILES = 400;
const WANTED = { calls: true, imports: true, roles: true };
const SAMPLES = {
  'a.ts': (n) => `export class A${n} { run(a: string) { return f(a, ${n}); } }`,
  'a.py': (n) => `class A${n}:\n    def run(self):\n        return f(${n})\n`,
  'a.go': (n) => `package p\nfunc F${n}() { g(${n}) }\n`,
  'a.c': (n) => `static int f${n}(int a)\n{\n\treturn g(a, ${n});\n}\n`,
};

const limits = defaultLimits();
const print = (line) => process.stdout.write(`${line}\n`);

print('| parses | ms | wasm MiB | resident MiB |');
print('|---|---|---|---|');
await leak();
print('');
print('| language | files | MB | first ms | median ms | p95 ms | max ms | MB/s | with errors | by lines |');
print('|---|---|---|---|---|---|---|---|---|---|');
for (const folder of process.argv.slice(2)) await measure(folder);

async function leak() {
  const parser = new SyntaxParser(limits.maxParserMiB);
  const reader = new StructureReader(limits, parser);
  const begin = performance.now();
  for (let count = 1; count <= PARSES; count++) {
    for (const [name, text] of Object.entries(SAMPLES).slice(count % 4, (count % 4) + 1))
      await reader.read(name, text(count), { wanted: WANTED });
    if (count === 100 || count % (PARSES / 4) === 0) {
      const resident = Math.round(process.memoryUsage().rss / 1_048_576);
      print(`| ${count} | ${Math.round(performance.now() - begin)} | ${await parser.memoryMiB()} | ${resident} |`);
    }
  }
}

async function measure(folder) {
  const byLanguage = new Map();
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const language = /(?:^|\/)(?:\.git|node_modules)\//.test(file) ? undefined : languageOf(file);
    if (language !== undefined) byLanguage.set(language, [...(byLanguage.get(language) ?? []), path.join(folder, file)]);
  }
  for (const [language, files] of byLanguage) {
    if (files.length < 10) continue;
    // A new parser, so that the first file shows what loading costs.
    const reader = new StructureReader(limits, new SyntaxParser(limits.maxParserMiB));
    const step = Math.max(1, Math.floor(files.length / MOST_FILES));
    const times = [];
    let [bytes, errors, byLines] = [0, 0, 0];
    for (const file of files.filter((_, index) => index % step === 0)) {
      const text = textOf(file);
      if (text === undefined) continue;
      const start = performance.now();
      const structure = await reader.read(file, text, { wanted: WANTED });
      times.push(performance.now() - start);
      bytes += text.length;
      if (structure.hasErrors) errors++;
      if (structure.source === 'fallback') byLines++;
    }
    const first = times.shift() ?? 0;
    const sum = times.reduce((a, b) => a + b, 0);
    times.sort((a, b) => a - b);
    const at = (share) => (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(1);
    const rate = (bytes / 1_000 / sum).toFixed(1);
    print(
      `| ${language} ${path.basename(folder)} | ${times.length + 1} | ${(bytes / 1e6).toFixed(1)} | ${first.toFixed(0)} | ${at(0.5)} | ${at(0.95)} | ${at(1)} | ${rate} | ${errors} | ${byLines} |`,
    );
  }
}

/** Broken links and folders with a dot in their names are no texts. */
function textOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
