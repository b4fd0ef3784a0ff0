import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { Deadline } from '#dist/base/deadline.js';
import type { LogFields } from '#dist/base/log.js';
import type { TextQuery, Walk } from '#dist/ripgrep/args.js';
import type { RgEvent } from '#dist/ripgrep/events.js';
import { parseGlob, RuleSet } from '#dist/ripgrep/glob.js';
import type { Ripgrep, RunContext, SearchEnd } from '#dist/ripgrep/process.js';
import { Root } from '#dist/security/root.js';
import { makePlace } from '../security/place.js';
import { QUERY, QUIET, Rig } from './rig.js';

const place = makePlace();
const rig = new Rig(place);
const EVERYTHING = { scope: '', isScopeFile: false, globs: [], excluded: [], ignored: false };
const RULES = { isGit: false, usesGitignore: true, builtin: [], rules: new RuleSet([]), csignore: undefined, notes: [] };
const WALK: Walk = { selection: EVERYTHING, rules: RULES, pass: 'all', allowsSecrets: false, isSorted: true };

const repo = place.fill('repo', {
  'a.txt': 'first\nneedle here\nlast\n',
  'b/c.txt': 'needle needle\r\n',
  'd.bin': `needle\n${'x'.repeat(200)}\n`.padEnd(300_000, 'padding line\n').concat('\0\nneedle\n'),
  'utf16.txt': '',
});
writeFileSync(place.at('repo/utf16.txt'), Buffer.from('\ufeffin needle 16\n', 'utf16le'));
const root = await Root.open(repo, { allowSecrets: false });

interface Found {
  readonly events: RgEvent[];
  readonly end: SearchEnd;
}

async function search(
  query: Partial<TextQuery>,
  parts: { walk?: Partial<Walk>; context?: Partial<RunContext>; ripgrep?: Ripgrep; root?: Root; most?: number } = {},
): Promise<Found> {
  const events: RgEvent[] = [];
  const end = await (parts.ripgrep ?? rig.ripgrep).search(
    { ...WALK, ...parts.walk },
    { ...QUERY, pattern: 'needle', isFirstOnly: false, ...query },
    rig.contextOf(parts.root ?? root, parts.context),
    { wantsLines: true, accept: (event) => events.push(event) < (parts.most ?? Number.POSITIVE_INFINITY) },
  );
  return { events, end };
}

const linesOf = ({ events }: Found): string[] => {
  let file = '';
  return events.flatMap((event) => {
    if (event.type === 'begin') file = event.path;
    return event.type === 'match' ? [`${file}:${event.line}:${event.text}`] : [];
  });
};

/** A program that stands in for ripgrep. */
function programOf(name: string, script: string): Rig {
  const file = place.put(`programs/${name}`, `#!${process.execPath}\n${script}\n`);
  chmodSync(file, 0o755);
  return new Rig(place, file);
}

test('a search gives matches in path order, decodes UTF-16, and counts what was searched', async () => {
  const found = await search({});
  assert.deepEqual(linesOf(found).slice(0, 2), ['a.txt:2:needle here', 'b/c.txt:1:needle needle']);
  assert.ok(linesOf(found).includes('utf16.txt:1:in needle 16'), 'UTF-16 is decoded');
  const { reason, complaints, searched, isBroken } = found.end;
  assert.deepEqual([reason, complaints, isBroken, searched?.files], ['end', [], false, 4]);
});

test('a binary file is reported with where it became one', async () => {
  const { events } = await search({});
  assert.ok(events.some((event) => event.type === 'end' && event.binaryOffset === 300_000));
});

test('a consumer that says stop ends ripgrep, and that is the reason', async () => {
  const { events, end } = await search({}, { most: 1 });
  assert.deepEqual([events.length, end.reason, end.searched, end.isBroken], [1, 'budget', undefined, false]);
  assert.equal(rig.children.size, 0);
});

test('a search without a match is no failure', async () => {
  const { events, end } = await search({ pattern: 'absent' });
  assert.deepEqual([events, end.reason, end.searched?.files], [[], 'end', 4]);
});

const patterns: [title: string, query: Partial<TextQuery>, code: string, message: RegExp][] = [
  ['an open group', { pattern: 'a(' }, 'pattern_invalid', /unclosed group|missing closing parenthesis/],
  ['an open class', { pattern: '[a' }, 'pattern_invalid', /unclosed character class/],
  ['a repetition of nothing', { pattern: '*' }, 'pattern_invalid', /repetition operator missing expression/],
  ['a literal line feed', { pattern: 'a\nb', isLiteral: true }, 'pattern_invalid', /literal "\\n" is not allowed/],
  ['a broken look-behind', { pattern: '(?<=a*)b' }, 'pattern_invalid', /offset/],
  ['an encoding that does not exist', { encoding: 'klingon' }, 'encoding_unknown', /"klingon"/],
];
for (const [title, query, code, message] of patterns) {
  test(`what ripgrep refuses has a code and a reason: ${title}`, async () => {
    await assert.rejects(search(query), { name: 'ToolError', code, message });
  });
}

test('a file that cannot be read makes a search partial, not failed', {
  skip: process.getuid?.() === 0 && 'root reads everything',
}, async () => {
  place.fill('locked', { 'a.txt': 'needle\n', 'b.txt': 'needle\n' });
  chmodSync(place.at('locked/b.txt'), 0);
  const found = await search({}, { root: await Root.open(place.at('locked'), { allowSecrets: false }) });
  assert.deepEqual(linesOf(found), ['a.txt:1:needle']);
  assert.deepEqual(found.end.complaints, [{ kind: 'unreadable', path: 'b.txt', message: 'Permission denied' }]);
});

test('a bad line of a repository is a complaint, with the matches', async () => {
  const bad = await Root.open(place.fill('bad', { '.gitignore': 'x\n*.{a\n', 'a.txt': 'needle\n' }), { allowSecrets: false });
  const found = await search({}, { root: bad });
  assert.deepEqual(linesOf(found), ['a.txt:1:needle']);
  assert.deepEqual(
    found.end.complaints.map(({ kind, path: name }) => [kind, name]),
    [['ignore-file', '.gitignore']],
  );
});

test('rule files are written for the run and gone after it, also when it fails', async () => {
  const own = new Rig(place);
  const walk = { selection: { ...EVERYTHING, globs: [parseGlob('*.txt')] }, rules: { ...RULES, csignore: 'x\n' } };
  const file = own.scratch.write('');
  own.scratch.remove(file);
  const left = (): string[] => readdirSync(path.dirname(file)).filter((name) => name !== 'empty');
  await search({}, { ripgrep: own.ripgrep, walk });
  await search({}, { ripgrep: own.ripgrep, walk, most: 1 });
  await assert.rejects(search({ pattern: '(' }, { ripgrep: own.ripgrep, walk }));
  await assert.rejects(search({}, { ripgrep: own.ripgrep, walk, context: { signal: AbortSignal.abort(new Error('gone')) } }));
  assert.deepEqual(left(), []);
});

test('a cancelled search throws the reason of the signal and leaves no child', { timeout: 5_000 }, async () => {
  const slow = programOf('slow', "process.stdout.write('{}\\n'); setInterval(() => {}, 1000);");
  const controller = new AbortController();
  setTimeout(() => controller.abort(new Error('cancelled by the client')), 100);
  await assert.rejects(search({}, { ripgrep: slow.ripgrep, context: { signal: controller.signal } }), /cancelled by the client/);
  assert.equal(slow.children.size, 0);
});

test('a search that is cancelled before its start starts nothing', async () => {
  const marks = programOf('marks', `require('fs').writeFileSync(${JSON.stringify(place.at('started'))}, '')`);
  await assert.rejects(search({}, { ripgrep: marks.ripgrep, context: { signal: AbortSignal.abort(new Error('gone')) } }), /gone/);
  assert.equal(existsSync(place.at('started')), false);
});

test('the deadline ends a search, keeps what was found and is the reason', { timeout: 10_000 }, async () => {
  const line = JSON.stringify({ type: 'begin', data: { path: { text: './a' } } });
  const slow = programOf('late', `process.stdout.write(${JSON.stringify(`${line}\n`)}); setInterval(() => {}, 1000);`);
  const { events, end } = await search({}, { ripgrep: slow.ripgrep, context: { deadline: new Deadline(1_000) } });
  assert.deepEqual([events.length, end.reason, end.searched], [1, 'deadline', undefined]);
});

test('a program that ended well just as its time was over, its output unread, is cut short and not broken', {
  timeout: 10_000,
}, async () => {
  // Another process keeps the output open, so that the deadline comes between the exit and the end of the output.
  const holder = "require('child_process').spawn('sleep', ['3'], { stdio: ['ignore', 'inherit', 'ignore'], detached: true }).unref();";
  const late = programOf('ended', holder);
  const context = (): RunContext => rig.contextOf(root, { deadline: new Deadline(800) });
  const all = await Promise.all([
    late.ripgrep.list(WALK, context(), () => true),
    late.ripgrep.search(WALK, { ...QUERY, pattern: 'needle' }, context(), { wantsLines: true, accept: () => true }),
    late.ripgrep.count(WALK, { ...QUERY, pattern: 'needle' }, context(), () => {}),
  ]);
  assert.deepEqual(
    all.map(({ reason, isBroken }) => [reason, isBroken]),
    Array.from({ length: 3 }, () => ['deadline', false]),
  );
});

test('a ripgrep that crashes or is killed from outside is broken, with what was found', { timeout: 5_000 }, async () => {
  const crash = programOf(
    'crash',
    'process.stdout.write(\'{"type":"begin","data":{"path":{"text":"./a"}}}\\n\', () => process.kill(process.pid, \'SIGKILL\'));',
  );
  const { events, end } = await search({}, { ripgrep: crash.ripgrep });
  assert.deepEqual([events.length, end.isBroken, end.reason], [1, true, 'end']);
});

test('a program that is no ripgrep is named as such', async () => {
  const other = programOf('other', "console.log('hello'); process.exitCode = 0;");
  await assert.rejects(search({}, { ripgrep: other.ripgrep }), { code: 'ripgrep_failed', message: /does not report JSON events/ });
});

test('a ripgrep that fails without a word fails with its exit code', async () => {
  const mute = programOf('mute', 'process.exitCode = 7;');
  await assert.rejects(search({}, { ripgrep: mute.ripgrep }), { code: 'ripgrep_failed', message: /exit code 7/ });
});

test('an error of a consumer ends ripgrep and comes through', { timeout: 5_000 }, async () => {
  const context = rig.contextOf(root);
  const bug = (): boolean => {
    throw new TypeError('a bug');
  };
  await assert.rejects(rig.ripgrep.search(WALK, { ...QUERY, pattern: 'needle' }, context, { wantsLines: true, accept: bug }), /a bug/);
  await assert.rejects(rig.ripgrep.list(WALK, context, bug), /a bug/);
  while (rig.children.size > 0) await new Promise((resolve) => setTimeout(resolve, 10));
});

for (const [title, program] of [
  ['does not exist', place.at('nope')],
  ['is a folder', place.folder('folder')],
  ['is no program', place.put('text', 'x', 0o644)],
] as const) {
  test(`a ripgrep that ${title} is missing`, async () => {
    const missing = new Rig(place, program);
    await assert.rejects(search({}, { ripgrep: missing.ripgrep }), { code: 'ripgrep_missing', message: /cannot be started/ });
    await assert.rejects(
      missing.ripgrep.list(WALK, rig.contextOf(root), () => true),
      { code: 'ripgrep_missing' },
    );
  });
}

test('a root that vanished is missing, not ripgrep', async () => {
  mkdirSync(place.at('vanishing'));
  const gone = await Root.open(place.at('vanishing'), { allowSecrets: false });
  rmSync(place.at('vanishing'), { recursive: true });
  await assert.rejects(search({}, { root: gone }), { code: 'root_missing' });
});

test('a listing gives names of every kind whole, however they are cut into chunks', async () => {
  const names = ['a\nb', 'ünï', '.hidden', ' lead', './x'.slice(2), 'sub/y'];
  const odd = await Root.open(place.fill('names', names), { allowSecrets: false });
  const found: string[] = [];
  await rig.ripgrep.list(WALK, rig.contextOf(odd), (file) => found.push(file) > 0);
  assert.deepEqual(found.sort(), [...names].sort());
  const drip = programOf(
    'drip',
    "const bytes = Buffer.from('./ün\\0./b\\0c'); let i = 0; const next = () => i < bytes.length && process.stdout.write(bytes.subarray(i, ++i), () => setTimeout(next, 5)); next();",
  );
  const dripped: string[] = [];
  await drip.ripgrep.list(WALK, rig.contextOf(odd), (file) => dripped.push(file) > 0);
  assert.deepEqual(dripped, ['ün', 'b']);
});

test('a listing ends when its consumer says so', async () => {
  const found: string[] = [];
  const { reason } = await rig.ripgrep.list(WALK, rig.contextOf(root), (file) => found.push(file) < 2);
  assert.deepEqual([found.length, reason], [2, 'budget']);
});

test('sorted, ripgrep walks component by component', async () => {
  const sorted = await Root.open(place.fill('sorted', ['a.txt', 'a/x', 'a-b/x', 'a.d/q', 'B', 'b']), { allowSecrets: false });
  const found: string[] = [];
  await rig.ripgrep.list(WALK, rig.contextOf(sorted), (file) => found.push(file) > 0);
  assert.deepEqual(found, ['B', 'a/x', 'a-b/x', 'a.d/q', 'a.txt', 'b']);
});

const tries: [title: string, query: Partial<TextQuery>, expected: unknown][] = [
  ['a plain word', { pattern: 'a' }, { matchesEmpty: false }],
  ['an empty alternative', { pattern: 'a || b' }, { matchesEmpty: true }],
  ['a star', { pattern: 'x*' }, { matchesEmpty: true }],
  ['an anchor', { pattern: '^' }, { matchesEmpty: true }],
  ['only empty lines', { pattern: '^$' }, { matchesEmpty: false }],
  ['any character', { pattern: '.' }, { matchesEmpty: false }],
  ['an error', { pattern: '(' }, { error: 'unclosed group' }],
  ['a look-ahead', { pattern: '(?=x)' }, { matchesEmpty: false }],
];
for (const [title, query, expected] of tries) {
  test(`a pattern is tried: ${title}`, async () => {
    assert.deepEqual(await rig.ripgrep.tryPattern({ ...QUERY, isFirstOnly: false, ...query }, rig.contextOf(root)), expected);
  });
}

test('a pattern is tried on every line, also for a query that wants only the first match of a file', async () => {
  const query = { ...QUERY, pattern: 'x*', isFirstOnly: true };
  assert.deepEqual(await rig.ripgrep.tryPattern(query, rig.contextOf(root)), { matchesEmpty: true });
});

test('why a file is ignored is told with rule and file', async () => {
  const place2 = place.fill('why', {
    '.gitignore': '*.log\n',
    'sub/.ignore': 'local.*\n',
    'a.log': 'x',
    'sub/local.ts': 'x',
    'a.ts': 'x',
    'gen/b.log': 'x',
  });
  const why = await Root.open(place2, { allowSecrets: false });
  const walk = { ...WALK, isSorted: false };
  const told = await rig.ripgrep.whyIgnored(walk, ['a.log', 'sub/local.ts', 'a.ts', 'gen/b.log'], rig.contextOf(why));
  assert.deepEqual(
    told.map(({ path: file, rule, from }) => [file, rule, path.basename(from)]),
    [
      ['a.log', '*.log', '.gitignore'],
      ['sub/local.ts', 'local.*', '.ignore'],
      ['gen/b.log', '*.log', '.gitignore'],
    ],
  );
});

test('every run is logged with its arguments, its child, its end and its bytes', async () => {
  const lines: LogFields[] = [];
  await search({}, { context: { log: { ...QUIET, info: (fields) => lines.push(fields) } } });
  const [line] = lines;
  assert.ok(Array.isArray(line?.argv) && line.argv.includes('needle'));
  assert.equal(line.stopped, 'end');
  assert.equal(line.exitCode, 0);
  assert.ok(typeof line.child === 'number' && typeof line.bytesRead === 'number' && line.bytesRead > 0);
});

test('a configuration file of ripgrep in the environment is not heard', async () => {
  place.put('rg.conf', '--invert-match\n');
  process.env.RIPGREP_CONFIG_PATH = place.at('rg.conf');
  try {
    assert.ok(linesOf(await search({})).every((line) => line.includes('needle')));
  } finally {
    delete process.env.RIPGREP_CONFIG_PATH;
  }
});
