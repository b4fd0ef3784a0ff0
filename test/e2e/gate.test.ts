/** The gate in whole processes: what a broad search is answered in both modes and both forms, what lifts it, and that its counting
 *  pass neither outlives a call nor holds it up. */
import assert from 'node:assert/strict';
import { chmodSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { rgPath } from '@vscode/ripgrep';
import { plant } from '../support/e2e-lab.js';
import { ripgrepsIn } from '../support/e2e-processes.js';
import { type Args, type CallReply, HAS_PROC, openServer, type Server, type StartOptions, until } from '../support/server.js';

const proc = { skip: !HAS_PROC && 'needs Linux: children are counted in /proc' };

interface Gated {
  readonly status?: string;
  readonly reason?: string;
  readonly summary?: {
    readonly totalFound: number;
    readonly files: number;
    readonly estTokens: number;
    readonly isAtLeast?: boolean;
    readonly isApproximate?: boolean;
  };
  readonly distribution?: readonly { readonly dir: string; readonly hits: number }[];
  readonly suggestions?: readonly {
    readonly action: string;
    readonly argument: string;
    readonly arg: unknown;
    readonly wouldYield: number;
  }[];
  readonly refusalCount?: number;
  readonly preview?: readonly unknown[];
  readonly matches?: readonly unknown[];
  readonly results?: readonly unknown[];
  readonly sections?: readonly unknown[];
  readonly totalMatches?: number;
}
const gated = (reply: CallReply): Gated => (reply.structured ?? {}) as Gated;
const open = (root: string, args: readonly string[] = [], rest: Partial<StartOptions> = {}): Promise<Server> =>
  openServer({ root, args, ...rest });

const some = (amount: number, path: (n: number) => string, text: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: amount }, (_, n) => [path(n), text]));
const callers = (from: string): string =>
  `import { target } from '${from}';\n${Array.from({ length: 5 }, (_, n) => `function call${n}() { target(); }\n`).join('')}`;
/** 102 files with an import and five calls of target, and eight that only name targets. */
const TREE = realpathSync(
  plant({
    'src/lib.ts': 'export function target() {}\nexport const targets = 1;\n',
    ...some(60, (n) => `src/net/f${n}.ts`, callers('../lib')),
    ...some(30, (n) => `src/disk/f${n}.ts`, callers('../lib')),
    ...some(12, (n) => `test/t${n}.ts`, callers('../src/lib')),
    ...some(8, (n) => `docs/d${n}.md`, 'The targets are called.\n'.repeat(5)),
  }),
);
const CALLS: readonly (readonly [tool: string, args: Args, list: 'matches' | 'results' | 'sections'])[] = [
  ['search_text', { pattern: 'target' }, 'matches'],
  ['locate', { query: 'target' }, 'results'],
  ['explore', { relation: 'callers', anchor: 'target' }, 'sections'],
];

for (const [tool, args, list] of CALLS) {
  test(`${tool} answers a broad call with advice and the beginning of what it found`, async () => {
    const [asText, asData] = [await open(TREE), await open(TREE, [], { format: 'json' })];
    const [{ text }, reply] = [await asText.call(tool, args), await asData.call(tool, args)];
    const { status, reason, summary, distribution = [], suggestions = [], refusalCount, ...rest } = gated(reply);
    assert.deepEqual([status, reason, refusalCount], ['advise', 'compound', 0]);
    assert.ok((rest[list]?.length ?? 0) > 0);
    assert.ok(summary !== undefined && summary.totalFound > 138 && summary.files > 28 && summary.estTokens > 0);
    assert.equal(distribution[0]?.dir, 'src/net');
    assert.ok(text.length <= 6_000);
    // Which calls are calls of this function is judged anew by the narrower call.
    const promise = `narrows it to ${tool === 'search_text' ? '' : 'about '}the number behind it`;
    assert.match(text, new RegExp(`^# broad \\(breadth, volume; about [\\d,]+ tokens\\)\\. One of these ${promise}:$`, 'm'));
    assert.equal(summary.isApproximate, tool === 'search_text' ? undefined : true);
    const advice = text.split('\n').filter((line) => /^# (?:broad|scope:|globs:)/.test(line));
    assert.ok(advice.join('\n').length <= 1_500);
    assert.doesNotMatch(text, /force: true/);
    // Text and data tell the same numbers.
    for (const { action, arg, wouldYield } of suggestions)
      if (action !== 'force') assert.ok(text.includes(`${JSON.stringify(arg)} ${wouldYield}`), `${JSON.stringify(arg)} in ${text}`);
    assert.match(text, tool === 'explore' ? /^src\/disk\/f0\.ts:\d/m : /^src\//m);
  });

  test(`${tool} refuses a broad call where that is set, with three places, and counts refusals for each client`, async () => {
    const [one, other] = [await open(TREE, ['--gate-mode', 'refuse']), await open(TREE, ['--gate-mode', 'refuse'], { format: 'json' })];
    for (const [turn, rest] of [
      [1, 'after 2 more the gate'],
      [2, 'after 1 more the gate'],
      [3, 'with the next broad call the gate'],
    ] as const) {
      const { text, isError } = await one.call(tool, args);
      assert.equal(isError, false);
      assert.match(text, /^(?:# )?status: refine\. \d+ (?:matches|lines) in \d+ files, the best 3 shown\.$/m);
      assert.ok(text.includes(`# force: true shows what fits; refusal ${turn} in a row, ${rest} opens once`), text);
    }
    const refused = gated(await other.call(tool, args));
    assert.deepEqual([refused.status, refused.refusalCount], ['refine', 1], 'another client starts from nothing');
    assert.ok(refused.preview !== undefined && refused.preview.length > 0 && refused.preview.length <= 3);
    assert.equal(refused[list], undefined);
    const opened = (await one.call(tool, args)).text;
    assert.match(opened, /^# the gate opened after 3 refusals in a row$/m);
    assert.doesNotMatch(opened, /status: refine/);
    assert.match((await one.call(tool, args)).text, /refusal 1 in a row/);
  });

  test(`${tool} with force is answered as if there were no gate`, async () => {
    const server = await open(TREE, ['--gate-mode', 'refuse'], { format: 'json' });
    const reply = gated(await server.call(tool, { ...args, force: true }));
    assert.deepEqual([reply.status, reply.suggestions], [undefined, undefined]);
    assert.ok((reply[list]?.length ?? 0) > 0);
    assert.equal(gated(await server.call(tool, args)).refusalCount, 1, 'it did not count either');
  });
}

const BOUNDS: readonly (readonly [title: string, args: Args])[] = [
  ['maxMatches', { maxMatches: 150 }],
  ['output files', { output: 'files' }],
  ['output count', { output: 'count' }],
];
for (const [title, args] of BOUNDS) {
  test(`a caller with a bound of its own is not refused: ${title}`, async () => {
    const server = await open(TREE, ['--gate-mode', 'refuse'], { format: 'json' });
    assert.equal(gated(await server.call('search_text', { pattern: 'target', ...args })).status, undefined);
  });
}

test('nor one that goes on by cursor, or says how many places it wants', async () => {
  const server = await open(TREE, ['--gate-mode', 'refuse'], { format: 'json' });
  const first = await server.call('search_text', { pattern: 'target', force: true });
  const cursor = first.structured?.nextCursor;
  assert.ok(cursor !== undefined);
  assert.equal(gated(await server.call('search_text', { pattern: 'target', cursor })).status, undefined);
  assert.equal(gated(await server.call('locate', { query: 'target', maxResults: 30 })).status, undefined);
});

/** Where the pass keeps everything, and where it is cut and counted beside. */
for (const [title, flags] of [
  ['from what was kept', []],
  ['from the counting pass', ['--max-hits-kept', '501', '--gate-count-ms', '5000']],
] as const) {
  test(`each suggestion gives what it promises when the call is made, ${title}`, async () => {
    const asked = await open(TREE, flags, { format: 'json' });
    // Everything is broad, so that every reply tells what was found.
    const narrow = ['--gate-max-hits', '1', '--gate-max-files', '1', '--gate-max-tokens', '100', '--gate-compound-margin', '0'];
    const told = await open(TREE, narrow, { format: 'json' });
    for (const [tool, args] of CALLS) {
      const { suggestions = [], summary } = gated(await asked.call(tool, args));
      assert.equal(summary?.isAtLeast, undefined, tool);
      const actions = new Set(suggestions.map(({ action }) => action));
      const expected = {
        search_text: ['narrow_scope', 'add_glob', 'whole_word', 'exclude_tests', 'force'],
        locate: ['narrow_scope', 'exclude_tests', 'force'],
        explore: ['narrow_scope', 'force'],
      }[tool];
      for (const action of expected ?? []) assert.ok(actions.has(action), `${tool} ${action}`);
      for (const { action, argument, arg, wouldYield } of suggestions) {
        const about = `${tool} ${argument}: ${JSON.stringify(arg)}`;
        if (action === 'force') assert.equal(wouldYield, summary?.totalFound, about);
        else assert.equal(gated(await told.call(tool, { ...args, [argument]: arg })).summary?.totalFound, wouldYield, about);
      }
    }
  });
}

/** More definitions than one call parses, some of which only a parser can tell. */
const MANY = realpathSync(
  plant({
    ...some(
      90,
      (n) => `src/net/f${n}.ts`,
      'export function handler() {}\nexport class One { handler = () => 1; }\nhandler();\nhandler();\n',
    ),
    ...some(60, (n) => `src/disk/f${n}.ts`, 'export class Two {\n  handler() {}\n}\nnew Two().handler();\n'),
    ...some(40, (n) => `lib/l${n}.py`, 'def handler():\n    pass\n\nhandler()\n'),
  }),
);
/** A narrower call parses more of the files that are left, and reads a name in lower case otherwise where it is not defined. */
const TOLERANCE = 0.35;

for (const kind of ['any', 'definition', 'reference']) {
  test(`suggestions for places of kind "${kind}" are about right, and say so`, async () => {
    const [asked, asText] = [await open(MANY, [], { format: 'json' }), await open(MANY)];
    const narrow = ['--gate-max-hits', '1', '--gate-max-files', '1', '--gate-max-tokens', '100', '--gate-compound-margin', '0'];
    const told = await open(MANY, narrow, { format: 'json' });
    const args = { query: 'handler', kind };
    const { suggestions = [], summary } = gated(await asked.call('locate', args));
    assert.equal(summary?.isApproximate, true);
    const { text } = await asText.call('locate', args);
    assert.ok(text.includes(`One of these narrows it to about the number behind it`), text);
    const narrower = suggestions.filter(({ action }) => action !== 'force');
    assert.ok(narrower.length >= 2, JSON.stringify(suggestions));
    for (const { argument, arg, wouldYield } of narrower) {
      const found = gated(await told.call('locate', { ...args, [argument]: arg })).summary?.totalFound ?? 0;
      const about = `${argument}: ${JSON.stringify(arg)} promised ${wouldYield}, gave ${found}`;
      assert.ok(Math.abs(found - wouldYield) <= (kind === 'any' ? 0 : wouldYield * TOLERANCE), about);
    }
  });
}

const config = (text: string): string => {
  const file = join(plant({ 'config.json': text }), 'config.json');
  return file;
};
const WIDE = { maxHits: 1_000, maxFiles: 1_000 };
const SETTINGS: readonly (readonly [title: string, args: readonly string[], env: Record<string, string>, status: string | undefined])[] = [
  ['no setting', [], {}, 'advise'],
  ['wide flags', ['--gate-max-hits', '1000', '--gate-max-files', '1000'], {}, undefined],
  ['one wide flag alone', ['--gate-max-hits', '1000'], {}, 'advise'],
  ['a small bound of tokens', ['--gate-max-hits', '1000', '--gate-max-files', '1000', '--gate-max-tokens', '100'], {}, 'advise'],
  ['a large margin', ['--gate-max-hits', '1000', '--gate-max-files', '60', '--gate-compound-margin', '1'], {}, undefined],
  ['wide variables', [], { RIPSCOPE_GATE_MAX_HITS: '1000', RIPSCOPE_GATE_MAX_FILES: '1000' }, undefined],
  ['a wide config file', [], { RIPSCOPE_CONFIG: config(JSON.stringify({ gates: WIDE })) }, undefined],
  ['a config file with a mode', [], { RIPSCOPE_CONFIG: config('{"gates": {"mode": "refuse"}}') }, 'refine'],
  ['a variable with a mode', [], { RIPSCOPE_GATE_MODE: 'refuse' }, 'refine'],
  ['a flag above its variable', ['--gate-mode', 'advise'], { RIPSCOPE_GATE_MODE: 'refuse' }, 'advise'],
  ['a variable above the file', [], { RIPSCOPE_CONFIG: config('{"gates": {"mode": "refuse"}}'), RIPSCOPE_GATE_MODE: 'advise' }, 'advise'],
];
for (const [title, args, env, status] of SETTINGS) {
  test(`the gate with ${title}: ${status ?? 'passes'}`, async () => {
    const server = await open(TREE, args, { format: 'json', env });
    assert.equal(gated(await server.call('search_text', { pattern: 'target' })).status, status);
  });
}

test('refusals before it opens, and the size of a token, can be set', async () => {
  const env = {
    RIPSCOPE_CONFIG: config('{"limits": {"maxRefusals": 1}, "estimation": {"charsPerToken": 7}}'),
    RIPSCOPE_GATE_MODE: 'refuse',
  };
  const server = await open(TREE, [], { format: 'json', env });
  const [first, second] = [
    await server.call('search_text', { pattern: 'target' }),
    await server.call('search_text', { pattern: 'target' }),
  ];
  assert.deepEqual([gated(first).status, gated(second).status], ['refine', 'open']);
  const usual = await open(TREE, [], { format: 'json' });
  const half = (gated(await usual.call('search_text', { pattern: 'target' })).summary?.estTokens ?? 0) / 2;
  assert.ok(Math.abs((gated(first).summary?.estTokens ?? 0) - half) <= 1);
});

test('a reply that shows everything gives no advice, however many files it names', async () => {
  const few = realpathSync(plant(some(40, (n) => `f${n}.txt`, 'needle\n')));
  const { text } = await (await open(few)).call('search_text', { pattern: 'needle' });
  assert.match(text, /^40 matches in 40 files\.$/m);
  assert.doesNotMatch(text, /broad/);
});

test('places that hold little of what was asked are said to be weak', async () => {
  const words = ['zebra', 'quantum', 'volcano', 'glacier', 'harbour'];
  const apart = realpathSync(
    plant(Object.fromEntries(words.map((word, n) => [`f${n}.ts`, `export function ${word}${n}() {}\n// ${word}\n`]))),
  );
  const args = { query: words.join(' ') };
  const { text } = await (await open(apart)).call('locate', args);
  assert.match(text, /^# weak \(relevance\): the best place holds \d+ % of what the words weigh, without "/m);
  const refused = gated(await (await open(apart, ['--gate-mode', 'refuse'], { format: 'json' })).call('locate', args));
  assert.deepEqual([refused.status, refused.reason], ['refine', 'relevance']);
});

/** Enough matches to be cut at once, and lines that take PCRE2 very long to count. */
const slow = (): string =>
  realpathSync(plant({ ...some(8, (n) => `a${n}.txt`, 'needle\n'.repeat(400)), 'z/slow.txt': `${'x'.repeat(100_000)}\n`.repeat(200) }));
const LOOK = { pattern: 'needle|(?=.*test)(?=.*ripgrep)', regex: true };

test('counting ends at its time limit, and what was counted is at least so much', proc, async () => {
  const root = slow();
  const [asText, asData] = [await open(root, ['--gate-count-ms', '150']), await open(root, ['--gate-count-ms', '150'], { format: 'json' })];
  const started = performance.now();
  const { text } = await asText.call('search_text', LOOK);
  assert.ok(performance.now() - started < 4_000, 'the rest of the tree takes much longer');
  assert.ok(await until(() => ripgrepsIn(root).length === 0, 200), 'no ripgrep is left');
  assert.match(text, /^At least [\d,]+ matches in \d+ files, 1-\d+ shown\./);
  assert.match(text, /^# broad \(.*; over [\d,]+ tokens; counted for 1[0-5]\d ms\)/m);
  assert.doesNotMatch(text, /^# (?:scope|globs):.* \d+(?:,|;|$)/m);
  assert.equal(gated(await asData.call('search_text', LOOK)).summary?.isAtLeast, true);
});

const isCounting = (root: string): boolean =>
  ripgrepsIn(root).some((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--count');
    } catch {
      return false;
    }
  });

test('a cancel ends the counting', proc, async () => {
  const root = slow();
  const server = await open(root, ['--gate-count-ms', '5000']);
  const id = server.sendCall('search_text', LOOK);
  assert.ok(await until(() => isCounting(root)), 'it counts');
  server.notify('notifications/cancelled', { requestId: id });
  assert.ok(await until(() => ripgrepsIn(root).length === 0, 200), 'no ripgrep is left');
  assert.deepEqual((await server.request('ping')).result, {});
});

test('so does the end of the server', proc, async () => {
  const root = slow();
  const server = await open(root, ['--gate-count-ms', '5000']);
  server.sendCall('search_text', LOOK);
  assert.ok(await until(() => isCounting(root)), 'it counts');
  server.signal('SIGTERM');
  assert.ok(await until(() => ripgrepsIn(root).length === 0, 200), 'no ripgrep is left');
  assert.deepEqual(await server.gone(2_000), { code: 0, signal: null });
});

test('force, a cursor and maxMatches start no counting', proc, async () => {
  const root = slow();
  const server = await open(root, ['--gate-count-ms', '5000']);
  const started = performance.now();
  for (const bound of [{ force: true }, { maxMatches: 100 }]) {
    const { text } = await server.call('search_text', { ...LOOK, ...bound });
    assert.match(text, /^At least 101 matches \(stopped there\)/);
  }
  assert.ok(performance.now() - started < 4_000);
});

test('where counting fails the reply comes without it', proc, async () => {
  const dir = plant({ rg: `#!/bin/sh\ncase " $* " in *" --count "*) echo nonsense; exit 0;; esac\nexec '${rgPath}' "$@"\n` });
  chmodSync(join(dir, 'rg'), 0o755);
  const flood = realpathSync(plant(some(30, (n) => `f${n}.txt`, 'needle\n'.repeat(100))));
  writeFileSync(join(flood, 'more.txt'), 'needle\n');
  const { text, isError } = await (await open(flood, ['--rg', join(dir, 'rg')])).call('search_text', { pattern: 'needle' });
  assert.equal(isError, false, text);
  assert.match(text, /^At least [\d,]+ matches/);
  assert.match(text, /^# broad \(breadth, volume|^# broad \(volume/m);
});

test('a whole word is not promised where hits lie in masked lines', async () => {
  const lines = [
    ...Array.from({ length: 80 }, (_, n) => `alphax ${n}`),
    ...Array.from({ length: 20 }, (_, n) => `alpha ${n}`),
    ...Array.from({ length: 15 }, (_, n) => `url = postgres://svc:alpha-9x7qN${n}@db.local/x`),
  ].join('\n');
  const server = await openServer({ root: plant({ 'a.txt': lines, 'b.txt': lines, 'c.txt': lines }) });
  const { text } = await server.call('search_text', { pattern: 'alpha', maxChars: 700 });
  const promised = /word: true (\d+)/.exec(text)?.[1];
  const { text: words } = await server.call('search_text', { pattern: 'alpha', word: true, output: 'count', maxChars: 700 });
  assert.ok(promised === undefined || words.includes(`${promised} matches`), `${text}\n${words}`);
});

test('a refusal as data has a stamp for each file of which it shows a line', async () => {
  const files = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`d${n}/f.ts`, 'export const widget = 1; // widget\n'.repeat(40)]));
  const server = await openServer({ root: plant(files), args: ['--gate-mode', 'refuse'], format: 'json' });
  for (const [tool, args] of [
    ['search_text', { pattern: 'widget' }],
    ['locate', { query: 'widget' }],
  ] as [string, Args][]) {
    const { structured } = await server.call(tool, args);
    const { status, preview, stamps } = structured as unknown as Gated & {
      preview: readonly { path: string }[];
      stamps?: Record<string, string>;
    };
    assert.equal(status, 'refine', tool);
    assert.ok(preview.length > 0);
    for (const { path } of preview) assert.ok(stamps?.[path] !== undefined, `${tool}: ${path}`);
  }
});
