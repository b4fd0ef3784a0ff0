/** Small made-up trees for the regression tests. A world is one fresh temporary folder per test file; each function writes
 *  one tree into it and gives the tree's root. Everything is removed when the file is done. */
import { spawnSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';

export class World {
  readonly dir: string;

  constructor() {
    this.dir = realpathSync(mkdtempSync(join(tmpdir(), 'ripscope-case-')));
    chmodSync(this.dir, 0o755); // other users must be able to enter: one case runs the server as nobody
  }

  path(path: string): string {
    return join(this.dir, path);
  }

  folder(path: string): string {
    mkdirSync(this.path(path), { recursive: true });
    return this.path(path);
  }

  put(path: string, data: string | Buffer, mode?: number): string {
    const full = this.path(path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, data);
    if (mode !== undefined) chmodSync(full, mode);
    return full;
  }

  /** A file for each entry below `root`. */
  puts(root: string, files: Readonly<Record<string, string | Buffer>>): string {
    for (const [path, data] of Object.entries(files)) this.put(`${root}/${path}`, data);
    return this.path(root);
  }

  link(target: string, path: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    symlinkSync(target, this.path(path));
  }

  /** Why there is no pipe at that path, or undefined when there is one. */
  pipe(path: string): string | undefined {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    const made = spawnSync('mkfifo', [this.path(path)], { encoding: 'utf8' });
    return made.error === undefined && made.status === 0 ? undefined : 'mkfifo does not work here';
  }

  remove(): void {
    openFolders(this.dir);
    rmSync(this.dir, { recursive: true, force: true });
  }
}

/** rmSync cannot enter a folder of mode 000. */
function openFolders(dir: string): void {
  if (!lstatSync(dir).isDirectory()) return;
  chmodSync(dir, 0o755);
  for (const entry of readdirSync(dir, { withFileTypes: true })) if (entry.isDirectory()) openFolders(join(dir, entry.name));
}

export function makeWorld(): World {
  const world = new World();
  after(() => world.remove());
  return world;
}

export const bytes = (...parts: readonly (string | readonly number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'utf8') : Buffer.from(part))));

export const utf16le = (text: string): Buffer => Buffer.from(text, 'utf16le');
export const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

const numbered = (count: number, line: (n: number) => string): string => `${Array.from({ length: count }, (_, i) => line(i)).join('\n')}\n`;

export const plain = (world: World): string =>
  world.puts('plain', { 'a.txt': 'first line\nneedle here\nlast line\n', 'sub/b.ts': 'export const needle = 2;\n' });

/** Lines of 180 kB and 3 MB with the hit in them, and an ordinary hit. */
export const longline = (world: World): string =>
  world.puts('longline', {
    'src.ts': 'const needle = 1;\n',
    'bundle.min.js': `var a="${'x'.repeat(90_000)}";needle;var b="${'y'.repeat(90_000)}"\n`,
    'mega.min.js': `var z="${'q'.repeat(3_000_000)}";needle();\n`,
  });

export const nonutf8 = (world: World): string =>
  world.puts('nonutf8', {
    'good.txt': 'needle in clean text\n',
    'weird.txt': bytes('needle ', [0xff, 0xfe], ' tail\n'),
    'latin1.c': bytes('/* caf', [0xe9], ' needle */\nint plain_needle;\n'),
  });

const BOM_TEXT = 'foo needle\nsecond line\n';
export const bom = (world: World): string =>
  world.puts('bom', {
    'utf8.txt': BOM_TEXT,
    'utf8bom.txt': bytes([0xef, 0xbb, 0xbf], BOM_TEXT),
    'utf16le-bom.txt': Buffer.concat([bytes([0xff, 0xfe]), utf16le(BOM_TEXT)]),
    'utf16be-bom.txt': Buffer.concat([bytes([0xfe, 0xff]), utf16be(BOM_TEXT)]),
    'utf16le-nobom.txt': utf16le(BOM_TEXT),
  });

/** Before the hits: an em dash, a character outside the basic plane, é, a tab, nothing (two hits). */
export const columns = (world: World): string =>
  world.puts('columns', {
    'cols.txt': '\u2014 needle one\n\u{1D4B3} needle two\n\u00e9needle three\n\tneedle four\nneedle needle five\n',
  });

export const nul = (world: World): string =>
  world.puts('nul', {
    'early.ts': 'hello SIGNATURE_TOKEN here\u0000more text\nSIGNATURE_TOKEN again\n',
    'late.log': `SIGNATURE_TOKEN at top\n${'padding line\n'.repeat(150_000)}\u0000\nSIGNATURE_TOKEN at end\n`,
    'plain.txt': 'SIGNATURE_TOKEN plain\n',
  });

export const multilineLimit = (world: World): string => world.puts('mlmax', { 'file.txt': 'line 2\nline 3 x\nbetween\nline 2\nline 3\n' });

export const count = (world: World): string =>
  world.puts('count', {
    'a.txt': 'hit hit hit\nhit\nnone\nhit\n',
    'b.txt': 'hit\nhit\nhit\n',
    'c.txt': 'hit\n',
    'exact2.txt': 'pair\npair\n',
  });

export const lineEnds = (world: World): string =>
  world.puts('eol', {
    'crlf.txt': 'one\r\ntwo needle\r\nthree\r\n',
    'lf.txt': 'one\ntwo needle\nthree\n',
    'cr.txt': 'alpha\rneedle\rgamma',
    'noeol.txt': 'last line needle',
    'empty.txt': '',
  });

export const dash = (world: World): string =>
  world.puts('dash', {
    'opts.txt': 'cargo build --release\nfn f() -> Result\nvalue = -1\n--pre=./evil.sh\n- [ ] todo\n',
    '-needle.txt': 'inside dash-named file: needle\n',
  });

/** A script that leaves PWNED beside itself when anything runs it. */
export function preprocessor(world: World): string {
  world.put('pre/evil.sh', '#!/bin/sh\ntouch "$(dirname "$0")/PWNED"\ncat\n', 0o755);
  return world.puts('pre', { 'victim.txt': 'some searchable text\n' });
}

/** A readable file among a file, a folder and a link that nobody but root can open. */
export function partial(world: World): string {
  world.put('partial/noperm.txt', 'needle secret\n', 0o000);
  world.put('partial/closed/inner.txt', 'needle inner\n');
  chmodSync(world.path('partial/closed'), 0o000);
  world.link('does-not-exist.txt', 'partial/dangling.txt');
  return world.puts('partial', { 'ok.txt': 'needle ok\n' });
}

export const regexLike = (world: World): string =>
  world.puts('regex', {
    'code.c': `${[
      'foo(bar);',
      'html(json.data)',
      'row_to_json(t)',
      'arr[i] = 0;',
      'a || b;',
      'i++;',
      '{ name }',
      'value?;',
      '$x.y*z',
      '1) first failure',
      'foo|bar',
      'C:\\temp\\new',
    ].join('\n')}\n`,
  });

export const lookaround = (world: World): string =>
  world.puts('look', { 'look.txt': 'foobar\nfoobaz\nprice: 42\nthe the end\nmain()\nnot_main()\n' });

/** One line of 700 kB on which a look-ahead is retried at every column: PCRE2 needs more than ten seconds. */
export function backtracking(world: World): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  const long: string[] = [];
  for (let i = 0, state = 12_345; i < 700_000; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    long.push(letters[(state >>> 16) % 62]!);
  }
  return world.puts('redos', {
    'alnum.txt': long.join(''),
    'a.txt': `${'a'.repeat(40)}!\n`,
    'new.txt': `${`new x = call(${'y'.repeat(60)});\n`.repeat(4_000)}new last\n`,
  });
}
export const SLOW_PATTERN = '(?=.*test)(?=.*ripgrep)';

export const newline = (world: World): string =>
  world.puts('newline', { 'corpus.txt': 'testing\nRIP\nGREP\nagain\n', 'literal.txt': 'printf("RIP\\nGREP");\n' });

export const brackets = (world: World): string =>
  world.puts('brackets', {
    'app/[id]/page.tsx': "export const needle = 'id';\n",
    'app/i/page.tsx': "export const needle = 'i';\n",
    'app/(auth)/login.tsx': "export const needle = 'auth';\n",
    'app/[[...slug]]/page.tsx': "export const needle = 'slug';\n",
    'app/{x}/page.tsx': "export const needle = 'brace';\n",
    'app/star*/page.tsx': "export const needle = 'star';\n",
  });

export const ignored = (world: World): string =>
  world.puts('ignore', {
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.git/info/exclude': '# exclude needle\n',
    '.gitignore': '*.log\nhtmlcov/\n/gen/\nscripts/*\n.env\n',
    'foo.html': '<p>needle</p>\n',
    'htmlcov/bar.html': '<p>needle</p>\n',
    'app.log': 'needle log\n',
    'gen/test.h': 'needle gen\n',
    'scripts/example_writer.py': "needle = 'example_writer'\n",
    '.env': 'TOKEN=needle\n',
    '.github/workflows/ci.yml': 'run: needle\n',
    'node_modules/p/index.js': 'needle\n',
  });

/** A .gitignore without a git folder. */
export const noGit = (world: World): string =>
  world.puts('nogit', { '.gitignore': '*.log\n', 'kept.ts': 'needle\n', 'ignored.log': 'needle\n' });

export const anchoredRules = (world: World): string => {
  world.folder('parent/.git');
  return world.puts('parent', {
    '.gitignore': '**/bar/*\n/p1/*.txt\n/a/b\n',
    'foo/bar/baz': 'quux\n',
    'p1/ignore-me.txt': 'quux\n',
    'p1/subdir/keep.txt': 'quux\n',
    'a/b/sample.txt': 'quux\n',
    'a/c/sample.txt': 'quux\n',
  });
};

/** Repositories in a repository: a folder .git, and the file .git of a work tree. */
export const nested = (world: World): string =>
  world.puts('nested', {
    '.git/config': '[core] needle\n',
    'vendor/sub/.git/config': '[remote] needle\n',
    'vendor/sub/.git/objects/pack/p.pack': bytes('PACK', [0, 1, 2], ' needle'),
    'vendor/sub/a.c': 'int needle;\n',
    'wt/.git': 'gitdir: ../.git/worktrees/needle\n',
    'wt/b.c': 'int needle_b;\n',
  });

export function linkLoop(world: World): string {
  world.put('symloop/a/file.txt', 'needle\n');
  world.link('..', 'symloop/a/loop');
  world.link('self', 'symloop/self');
  return world.path('symloop');
}

/** The root is confine/repo; beside it lie a folder it links to and one whose name begins like its own. */
export function confined(world: World): string {
  world.put('confine/outside/secret.txt', 'needle SECRET\n');
  world.put('confine/repo-evil/secret.txt', 'needle EVIL\n');
  world.put('confine/repo/ok.txt', 'needle ok\n');
  world.put('confine/repo/inner/deep.txt', 'deep text\n');
  world.link('../outside/secret.txt', 'confine/repo/link.txt');
  world.link('../outside', 'confine/repo/dirlink');
  world.link('/etc/hostname', 'confine/repo/abs');
  world.link('ok.txt', 'confine/repo/inside-link.txt');
  return world.path('confine/repo');
}

/** 400 files in 20 folders, a hit in each. */
export const manyFiles = (world: World): string =>
  world.puts(
    'order',
    Object.fromEntries(
      Array.from({ length: 400 }, (_, i) => [`d${String(i % 20).padStart(2, '0')}/f${String(i).padStart(3, '0')}.txt`, `needle ${i}\n`]),
    ),
  );

export const flood = (world: World): string =>
  world.puts('flood', { 'many.txt': numbered(20_000, (i) => `row ${i} needle ${'z'.repeat(80)}`) });

export const readable = (world: World): string =>
  world.puts('read', {
    'big.log': numbered(60_000, (i) => `entry ${i + 1} ${'m'.repeat(40)}`),
    'fat.json': numbered(50, (i) => `{"row":${i + 1},"data":"${'k'.repeat(20_000)}"}`),
    'bin.dat': bytes([0, 1, 2, 3, 0xff], 'text', [0, 0]),
  });
