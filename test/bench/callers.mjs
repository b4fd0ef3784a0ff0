/** Callers and callees against a compiler, run by hand: node test/bench/callers.mjs TYPESCRIPT FOLDER...   Build first.
 *  TYPESCRIPT is the folder of an installed typescript@6, FOLDER one with TypeScript sources:
 *    cd $(mktemp -d) && npm i --ignore-scripts typescript@6 rxjs zod immer @tanstack/query-core effect
 *    node .../test/bench/callers.mjs node_modules/typescript node_modules/{rxjs,zod,immer,@tanstack/query-core,effect}/src
 *  Takes functions and methods whose name has one body, with a fixed seed (SEED=8 for another). Its language service says which lines call each
 *  outside of tests, and what the calls in its body mean; the answers of explore are compared with that, line by line. */
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { classOf } from '../../dist/ranking/path-class.js';
import { Server } from './client.mjs';

const NAMES = 200;
const FIRST_SEED = 7;
const EXAMPLES = 20;

const seed = Number(process.env.SEED ?? FIRST_SEED);
const [compiler, ...folders] = process.argv.slice(2);
if (compiler === undefined || folders.length === 0) throw new Error('usage: node test/bench/callers.mjs TYPESCRIPT FOLDER...');
const ts = createRequire(import.meta.url)(path.resolve(compiler));
const print = (line) => process.stdout.write(`${line}\n`);

const KINDS = ['callers', 'callees', 'callees of one definition'];
const table = [];
const errors = new Map();
for (const folder of folders) await measure(realpathSync(folder), Math.ceil(NAMES / folders.length));
const all = KINDS.map((kind) => table.filter((row) => row.kind === kind).reduce(add, tally('all', kind)));
print('| sources | names | answer | true | found | right | precision | recall | median ms |');
print('|---|---|---|---|---|---|---|---|---|');
for (const row of [...table, ...all]) print(rowOf(row));
for (const [title, examples] of errors) {
  print(`\n${title}: ${examples.length}`);
  for (const one of spread(examples)) print(`  ${one}`);
}

function tally(name, kind) {
  return { name, kind, names: 0, wanted: 0, found: 0, right: 0, met: 0, times: [] };
}

function add(sum, row) {
  for (const key of ['names', 'wanted', 'found', 'right', 'met']) sum[key] += row[key];
  sum.times.push(...row.times);
  return sum;
}

function rowOf({ name, kind, names, wanted, found, right, met, times }) {
  const median = times.sort((a, b) => a - b)[times.length >> 1]?.toFixed(0) ?? '';
  const share = (part, whole) => (whole === 0 ? '–' : (part / whole).toFixed(3));
  return `| ${name} | ${names} | ${kind} | ${wanted} | ${found} | ${right} | ${share(right, found)} | ${share(met, wanted)} | ${median} |`;
}

/** Some of many, from the whole of them. */
function spread(examples) {
  const step = Math.max(1, examples.length / EXAMPLES);
  return Array.from({ length: Math.min(EXAMPLES, examples.length) }, (_, index) => examples[Math.floor(index * step)]);
}

function wrong(title, example) {
  errors.set(title, [...(errors.get(title) ?? []), example]);
}

async function measure(folder, most) {
  const { service, program, sources } = open(folder);
  const bodies = bodiesOf(sources);
  const single = [...bodies.values()].filter(({ nodes, uses }) => nodes.length === 1 && uses > 1).map(({ nodes }) => nodes[0]);
  const candidates = single.filter((node) => !isTopValue(node) || isFunctionValue(node.initializer));
  const chosen = pick(candidates, most);
  const name = folder.replace(/^.*node_modules\//, '').replace(/\/src$/, '');
  const callers = tally(name, KINDS[0]);
  const callees = tally(name, KINDS[1]);
  const unique = tally(name, KINDS[2]);
  const at = (node) => placeOf(folder, node);
  const server = await Server.start(folder, ['--format', 'json']);
  for (const node of chosen) {
    const called = node.name.text;
    const wanted = callLines(service, program, node).map(at);
    const shown = await ask('callers', called, server, callers);
    const title = `callers of ${called}`;
    const found = new Set(
      (shown.find((section) => section.title === title)?.edges ?? []).flatMap(({ path: file, line, lines }) =>
        [line, ...lines].map((each) => `${file}:${each}`),
      ),
    );
    const truth = new Set(wanted);
    callers.names++;
    callers.wanted += truth.size;
    callers.found += found.size;
    for (const place of found) {
      if (truth.has(place)) callers.right++;
      else wrong('not a caller', `${called} (${at(node.name)}): ${place} ${lineAt(folder, place)}`);
    }
    for (const place of truth) {
      if (found.has(place)) callers.met++;
      else wrong('caller not found', `${called} (${at(node.name)}): ${place} ${lineAt(folder, place)}`);
    }

    const meant = calledIn(service, program, node, at);
    const edges = (await ask('callees', called, server, callees)).find((section) => section.title === `called by ${called}`)?.edges ?? [];
    callees.names++;
    unique.names++;
    for (const one of meant) {
      const isMet = edges.some((edge) => isAt(edge, one));
      const isUnique = bodies.get(one.name)?.nodes.length === 1;
      count(callees, isMet);
      if (isUnique) count(unique, isMet);
      if (!isMet) wrong('callee not found', `${called} (${at(node.name)}): ${one.text} is ${one.places[0]?.file}:${one.places[0]?.to}`);
    }
    for (const edge of edges) {
      const isRight = meant.some((one) => isAt(edge, one));
      const last = edge.text.replace(/(?:, one of| {2}called).*$/, '').replace(/^.*\./, '');
      for (const row of bodies.get(last)?.nodes.length === 1 ? [callees, unique] : [callees]) {
        row.found++;
        if (isRight) row.right++;
      }
      if (!isRight) wrong('not a callee', `${called} (${at(node.name)}): ${edge.path}:${edge.line} ${edge.text}`);
    }
  }
  await server.end();
  table.push(callers, callees, unique);
}

function count(row, isMet) {
  row.wanted++;
  if (isMet) row.met++;
}

function isAt({ path: file, line }, { places }) {
  return places.some((place) => place.file === file && line >= place.from && line <= place.to);
}

async function ask(relation, anchor, server, row) {
  const start = performance.now();
  try {
    const reply = JSON.parse(await server.call('explore', { relation, anchor, maxChars: 50_000 }));
    if (reply.truncated) wrong('cut', `${relation} of ${anchor}`);
    return reply.sections;
  } catch (error) {
    wrong('refused', `${relation} of ${anchor}: ${error.message}`);
    return [];
  } finally {
    row.times.push(performance.now() - start);
  }
}

function open(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.[mc]?tsx?$/.test(name));
  const files = names.map((name) => path.join(folder, name)).sort();
  const options = {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    jsx: ts.JsxEmit.Preserve,
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    experimentalDecorators: true,
    types: [],
  };
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => files,
    getScriptVersion: () => '1',
    getScriptSnapshot: (file) => (ts.sys.fileExists(file) ? ts.ScriptSnapshot.fromString(readFileSync(file, 'utf8')) : undefined),
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: (chosen) => ts.getDefaultLibFilePath(chosen),
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
  const program = service.getProgram();
  const sources = files.filter((file) => classOf(path.relative(folder, file)) === 'source').map((file) => program.getSourceFile(file));
  return { service, program, sources };
}

/** Every name with the functions, methods and classes of that name, and how often it stands anywhere. */
function bodiesOf(sources) {
  const found = new Map();
  const of = (name) => {
    const known = found.get(name) ?? { nodes: [], uses: 0 };
    found.set(name, known);
    return known;
  };
  const visit = (node) => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) of(node.text).uses++;
    if (isBody(node)) of(node.name.text).nodes.push(node);
    ts.forEachChild(node, visit);
  };
  for (const source of sources) visit(source);
  for (const one of found.values()) if (one.nodes.some(ts.isClassLike)) one.uses = 0;
  return found;
}

function isNamed({ name }) {
  return name !== undefined && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name));
}

function isFunctionValue(node) {
  return node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node));
}

function isBody(node) {
  if ((ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) && isNamed(node)) return node.body !== undefined;
  if (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node) || ts.isPropertyAssignment(node))
    return isNamed(node) && (isFunctionValue(node.initializer) || isTopValue(node));
  return ts.isClassDeclaration(node) && isNamed(node);
}

/** A value at the top of a file may be a function that another one made: `const f = dual(…)`. */
function isTopValue(node) {
  return ts.isVariableDeclaration(node) && node.initializer !== undefined && ts.isSourceFile(node.parent.parent.parent);
}

/** mulberry32: the same seed takes the same names. */
function pick(items, most) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const left = [...items];
  return Array.from({ length: Math.min(most, left.length) }, () => left.splice(Math.floor(next() * left.length), 1)[0]);
}

/** The names in calls of a function. */
function callLines(service, program, node) {
  const file = node.getSourceFile().fileName;
  const references = service.findReferences(file, node.name.getStart()) ?? [];
  return references
    .flatMap((one) => one.references)
    .flatMap(({ fileName, textSpan }) => {
      const name = tokenAt(program.getSourceFile(fileName), textSpan.start);
      return name !== undefined && isCalled(name) ? [name] : [];
    })
    .filter((name) => !isTest(name, program));
}

function isTest(node, program) {
  return classOf(path.relative(program.getCurrentDirectory(), node.getSourceFile().fileName)) !== 'source';
}

function tokenAt(node, position) {
  const child = ts.forEachChild(node, (each) => (each.pos <= position && position < each.end ? each : undefined));
  return child === undefined ? (node.getStart() === position ? node : undefined) : tokenAt(child, position);
}

/** Called, constructed, used as tag, decorator or JSX element, or called through .call and .apply. */
function isCalled(name) {
  const target = whole(name);
  const { parent } = target;
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent) || ts.isDecorator(parent)) return parent.expression === target;
  if (ts.isTaggedTemplateExpression(parent)) return parent.tag === target;
  if (ts.isJsxOpeningElement(parent) || ts.isJsxSelfClosingElement(parent)) return parent.tagName === target;
  return (
    ts.isPropertyAccessExpression(parent) &&
    parent.expression === target &&
    /^(?:call|apply)$/.test(parent.name.text) &&
    isCalled(parent.name)
  );
}

/** `a.b.name!` of `name`. */
function whole(node) {
  const { parent } = node;
  const isPart =
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    ts.isNonNullExpression(parent) ||
    ts.isParenthesizedExpression(parent) ||
    ts.isAsExpression(parent) ||
    ts.isSatisfiesExpression(parent) ||
    ts.isExpressionWithTypeArguments(parent);
  return isPart ? whole(parent) : node;
}

/** What the calls in a body mean, as far as it lies in the sources: by name, with all the lines that define it. */
function calledIn(service, program, node, at) {
  const checker = program.getTypeChecker();
  const found = new Map();
  const visit = (each) => {
    if ((ts.isIdentifier(each) || ts.isPrivateIdentifier(each)) && each !== node.name && isCalled(each)) {
      let symbol = checker.getSymbolAtLocation(each);
      if (symbol !== undefined && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
      const isMember = symbol?.declarations?.some(
        (one) =>
          ts.isMethodSignature(one) ||
          ts.isPropertySignature(one) ||
          one.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AbstractKeyword),
      );
      const declarations = (symbol?.declarations ?? []).filter(
        (one) => isFunctionLike(one) && !/node_modules.*\.d\.[mc]?ts$/.test(one.getSourceFile().fileName),
      );
      if (declarations.length > 0) {
        const more = isMember ? implementations(service, program, each) : [];
        const places = [...declarations, ...more].map((one) => rangeOf(one, at));
        found.set(symbol, { name: each.text, text: each.parent.getText().replace(/\s+/g, ' ').slice(0, 60), places });
      }
    }
    ts.forEachChild(each, visit);
  };
  visit(node);
  return [...found.values()];
}

function implementations(service, program, node) {
  const places = service.getImplementationAtPosition(node.getSourceFile().fileName, node.getStart()) ?? [];
  return places.flatMap(({ fileName, textSpan }) => {
    const name = tokenAt(program.getSourceFile(fileName), textSpan.start);
    return name === undefined ? [] : [name.parent];
  });
}

/** Parameters and values of unknown make are no definitions of a function. */
function isFunctionLike(node) {
  if (ts.isVariableDeclaration(node))
    return isNamed(node) && (isFunctionValue(node.initializer) || ts.isSourceFile(node.parent.parent.parent));
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isMethodSignature(node) ||
    ts.isClassDeclaration(node) ||
    ts.isPropertyDeclaration(node) ||
    (ts.isPropertyAssignment(node) && isFunctionValue(node.initializer)) ||
    ts.isPropertySignature(node)
  );
}

function rangeOf(node, at) {
  const first = ts.isVariableDeclaration(node) ? node.parent.parent : node;
  const [file, from] = split(at(first));
  const [, to] = split(at(node.name ?? node));
  return { file, from, to };
}

function split(place) {
  const colon = place.lastIndexOf(':');
  return [place.slice(0, colon), Number(place.slice(colon + 1))];
}

function placeOf(folder, node) {
  const source = node.getSourceFile();
  return `${path.relative(folder, source.fileName)}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}

function lineAt(folder, place) {
  const [file, line] = split(place);
  return (readFileSync(path.join(folder, file), 'utf8').split('\n')[line - 1] ?? '').trim().slice(0, 110);
}
