/** A tree of a million files, made on the spot: calls that run out of time, and the cursors that go on, against one call that has the
 *  time; also with the caches of the file system dropped, where that is allowed.
 *  node test/bench/million.mjs [--files N] [--limit MS] [--keep] DIR     DIR must not exist; it is removed at the end */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Server } from './client.mjs';
import { describe } from './machine.mjs';
import { timed } from './measure.mjs';

const { values, positionals } = parseArgs({
  options: {
    files: { type: 'string', default: '1000000' },
    limit: { type: 'string', default: '3000' },
    keep: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const [given] = positionals;
const files = Number(values.files);
const limitMs = Number(values.limit);
if (given === undefined || !(files >= 1_000) || !(limitMs >= 100)) {
  process.stderr.write('usage: node test/bench/million.mjs [--files N] [--limit MS] [--keep] DIR\n');
  process.exit(2);
}
const root = path.resolve(given);
const RARE = 'cryptic_walrus';

try {
  const expected = existsSync(root) ? expectedOf() : plant();
  for (const line of await describe(root)) console.log(line);
  for (const isCold of [false, true]) {
    if (isCold && !dropCaches()) {
      console.log('cold: not measured, caches can only be dropped by root');
      break;
    }
    const mark = isCold ? 'cold' : 'warm';
    let found = [];
    const whole = await timed(async () => {
      found = (await walk({ timeoutMs: 60_000 }, false)).found;
    });
    console.log(`${mark}: one call ${whole.toFixed(0)} ms, ${found.length} of ${expected.length} found`);
    if (isCold) dropCaches();
    const { found: paged, pages } = await walk({ timeoutMs: limitMs }, isCold);
    const all = pages.reduce((sum, { ms }) => sum + ms, 0);
    console.log(
      `${mark}: ${pages.length} pages of at most ${limitMs} ms, together ${all.toFixed(0)} ms: ${(all / whole).toFixed(2)} of one call`,
    );
    console.log(
      `  longest page ${Math.max(...pages.map(({ ms }) => ms)).toFixed(0)} ms; ${pages.map(({ covered }) => covered).join('; ')}`,
    );
    const isSame = [...paged].sort().join() === [...expected].sort().join();
    console.log(
      `  ${isSame ? 'each of the places once' : `WRONG: ${paged.length} places, ${new Set(paged).size} different, of ${expected.length}`}`,
    );
    if (!isSame) process.exitCode = 1;
  }
} finally {
  if (!values.keep) rmSync(root, { recursive: true, force: true });
}

/** Follows the cursors in a server of its own. */
async function walk(args, isCold) {
  const server = await Server.start(root);
  const pages = [];
  const found = [];
  for (let cursor; pages.length < 500; ) {
    let text = '';
    const call = { pattern: RARE, maxMatches: 500, maxChars: 50_000, ...args, ...(cursor === undefined ? {} : { cursor }) };
    const ms = await timed(async () => {
      text = await server.call('search_text', call);
    });
    found.push(...[...text.matchAll(/^(\S+\.ts)(?: @\S+)?$/gm)].map(([, name]) => name));
    pages.push({ ms, covered: /this call covered ([^\n]*)/.exec(text)?.[1] ?? 'the rest' });
    cursor = /^# (?:everything before|more: ).*cursor: "([\w-]+)"$/m.exec(text)?.[1];
    if (cursor === undefined) break;
  }
  await server.end();
  return { pages, found, isCold };
}

function dropCaches() {
  try {
    writeFileSync('/proc/sys/vm/drop_caches', '3');
    return true;
  } catch {
    return false;
  }
}

/** Folders of very different sizes, as in real trees; every 10,000th file has the word. */
function* tree() {
  let serial = 0;
  for (let top = 0; serial < files; top++) {
    const share = top % 5 === 0 ? files / 8 : files / 200;
    for (let inTop = 0; inTop < share && serial < files; inTop++, serial++) {
      const folder = `top${top}/d${Math.floor(inTop / 700) % 40}/e${Math.floor(inTop / 70) % 10}`;
      yield { folder, name: `${folder}/f${serial}.ts`, isHit: serial % 10_000 === 7 };
    }
  }
}

function expectedOf() {
  return [...tree()].filter(({ isHit }) => isHit).map(({ name }) => name);
}

function plant() {
  const made = new Set();
  const expected = [];
  for (const { folder, name, isHit } of tree()) {
    if (!made.has(folder)) mkdirSync(path.join(root, folder), { recursive: true });
    made.add(folder);
    writeFileSync(path.join(root, name), `export const value = ${name.length};\n${isHit ? `const ${RARE} = 1;\n` : ''}`);
    if (isHit) expected.push(name);
  }
  return expected;
}
