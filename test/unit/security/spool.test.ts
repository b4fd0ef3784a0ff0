import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { defaultLimits, type LimitName } from '#dist/base/limits.js';
import { type About, fileOf, Spool, spoolFolder } from '#dist/security/spool.js';
import { Spools } from '#dist/security/spools.js';
import { makePlace } from './place.js';

const place = makePlace();
const isRoot = process.getuid?.() === 0;
const deadPid = spawnSync(process.execPath, ['-e', '']).pid;
const about: About = { source: 'tool', kind: 'text', by: 'tool', session: undefined, owner: undefined };
const note = { source: 'tool', kind: 'text', by: 'tool' } as const;
const mode = (file: string): number => lstatSync(file).mode & 0o777;
let serial = 0;

const fresh = (): string => place.at(`base${++serial}`);
const open = (base = fresh(), limits: Partial<Record<LimitName, number>> = {}, newHandle?: () => string): Spool =>
  new Spool(base, spoolFolder(base, '/root'), { ...defaultLimits(), ...limits }, ...(newHandle === undefined ? [] : [newHandle]));
const server = (base: string, session?: string, limits: Partial<Record<LimitName, number>> = {}): Spools =>
  new Spools({ limits: { ...defaultLimits(), ...limits }, session, isServer: true, since: Date.now(), base });
const hook = (base: string, session?: string): Spools => new Spools({ limits: defaultLimits(), session, isServer: false, since: 0, base });

test('nothing is made before the first text', () => {
  const spool = open();
  assert.deepEqual([spool.list(), spool.find('0'.repeat(32)), existsSync(spool.folder)], [[], undefined, false]);
});

test('a text can be read by its owner only, has a random name, and is found with all that is known of it', () => {
  const base = fresh();
  const spool = open(base);
  const kept = spool.keep('héllo\n', { ...about, session: 's', owner: 'o', source: 'a "b"\n' });
  assert.match(kept.handle, /^[0-9a-f]{32}$/);
  assert.equal(kept.bytes, 7);
  const file = path.join(spool.folder, fileOf(kept.handle));
  assert.deepEqual([mode(file), mode(spool.folder), mode(base)], [0o600, 0o700, 0o700]);
  assert.deepEqual(readdirSync(spool.folder), [fileOf(kept.handle)]);
  assert.deepEqual({ ...open(base).find(kept.handle) }, kept);
  assert.equal(readFileSync(file, 'utf8').split('\n')[1], 'héllo');
});

test('a text in parts is found when it is finished, not before, and not when it is given up', () => {
  const spool = open();
  const writer = spool.write(about);
  assert.ok(writer.write(Buffer.from('one\n')));
  assert.equal(spool.find(writer.handle), undefined);
  assert.ok(writer.write(Buffer.from('two\n')));
  assert.equal(writer.finish().bytes, 8);
  assert.equal(spool.find(writer.handle)?.bytes, 8);
  const other = spool.write(about);
  other.discard();
  assert.equal(readdirSync(spool.folder).length, 1);
});

test('a text larger than the limit is refused whole, and cut where it comes in parts', () => {
  const spool = open();
  const most = 10_485_760;
  assert.throws(() => spool.keep('x'.repeat(most + 1), about), { code: 'output_too_large' });
  const writer = spool.write(about);
  assert.equal(writer.write(Buffer.alloc(most - 1, 'x')), true);
  assert.equal(writer.write(Buffer.alloc(5, 'x')), false);
  assert.equal(writer.finish().bytes, most);
});

test('a name that is taken is not used again', () => {
  const names = ['a', 'a', 'b'].map((letter) => letter.repeat(32));
  const spool = open(fresh(), {}, () => names.shift()!);
  assert.equal(spool.keep('one', about).handle, 'a'.repeat(32));
  assert.equal(spool.keep('two', about).handle, 'b'.repeat(32));
  assert.match(readFileSync(path.join(spool.folder, fileOf('a'.repeat(32))), 'utf8'), /one$/);
});

/** Something in the place of a folder that is not ours to use. */
const foreign: [title: string, make: (folder: string) => void, skip?: string | false][] = [
  ['a link to a folder', (folder) => symlinkSync(place.folder('target'), folder)],
  ['a dangling link', (folder) => symlinkSync(place.at('nowhere'), folder)],
  ['a file', (folder) => writeFileSync(folder, '')],
  ['a folder that others may enter', (folder) => mkdirSync(folder) ?? chmodSync(folder, 0o755)],
  ['a pipe', (folder) => assert.equal(spawnSync('mkfifo', [folder]).status, 0), process.platform === 'win32' && 'needs mkfifo'],
  [
    "somebody else's folder",
    (folder) => mkdirSync(folder, { mode: 0o700 }) ?? chownSync(folder, 12_345, 12_345),
    !isRoot && 'only root can give a folder away',
  ],
];
for (const [title, make, skip = false] of foreign) {
  test(`${title} in the place of the folder of all roots, or of one, is refused and left alone`, { skip }, () => {
    const [outer, base] = [fresh(), fresh()];
    make(outer);
    mkdirSync(base, { mode: 0o700 });
    make(spoolFolder(base, '/root'));
    for (const spool of [open(outer), open(base)]) {
      assert.throws(() => spool.keep('secret', about), /spool_refused|temp_unusable|refused|folder/);
      assert.throws(
        () => spool.keep('secret', about),
        (error: { code?: string }) => ['spool_refused', 'temp_unusable'].includes(error.code ?? ''),
      );
    }
    assert.deepEqual(readdirSync(place.folder('target')), []);
    for (const spools of [server(outer, 's'), server(base, 's')]) {
      spools.start();
      spools.close();
    }
    assert.ok(lstatSync(outer));
    assert.ok(lstatSync(spoolFolder(base, '/root')));
  });
}

test('what is not a text of ours is neither read nor removed', () => {
  const base = fresh();
  const spool = open(base);
  spool.keep('one', about);
  const odd = ['c', 'd', 'e', 'f'].map((letter) => fileOf(letter.repeat(32)));
  symlinkSync(place.put('outside', '{"source":"x","kind":"text","time":1}\nstolen'), path.join(spool.folder, odd[0]!));
  spawnSync('mkfifo', [path.join(spool.folder, odd[1]!)]);
  mkdirSync(path.join(spool.folder, odd[2]!));
  writeFileSync(path.join(spool.folder, odd[3]!), 'no head');
  writeFileSync(path.join(spool.folder, 'notes'), '');
  assert.equal(open(base).list().length, 1);
  for (const name of ['../outside', '', '.', 'G'.repeat(32)]) assert.equal(spool.find(name), undefined);
});

test('the oldest texts go when there are too many or too large ones; the newest stays', () => {
  const spool = open(fresh(), { keptTexts: 3 });
  const handles = Array.from({ length: 5 }, () => spool.keep('x', about).handle);
  assert.equal(spool.list().length, 3);
  assert.ok(spool.find(handles[4]!) !== undefined);
  const small = open(fresh(), { keptBytes: 10 });
  for (let n = 0; n < 3; n++) small.keep('12345678', about);
  assert.equal(small.list().length, 1);
});

test('a text goes at its age, at any start', async () => {
  const base = fresh();
  hook(base).keep('/root', 'x', note);
  await new Promise((resolve) => setTimeout(resolve, 20));
  server(base, undefined, { keptMs: 1 }).start();
  assert.equal(existsSync(base), false);
});

test('a full disk leaves nothing of the text, and says so', { skip: !isRoot && 'only root can mount a small disk' }, (t) => {
  const disk = place.folder('disk');
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]).status !== 0)
    return t.skip('a small disk cannot be mounted here');
  try {
    const spool = open(path.join(disk, 'base'));
    assert.throws(() => spool.keep('x'.repeat(200_000), about), { code: 'temp_unusable' });
    assert.deepEqual(readdirSync(spool.folder), []);
    spool.keep('x', about);
  } finally {
    spawnSync('umount', [disk]);
  }
});

test('a server that ends removes what it kept and what hooks kept for its session, and no more', () => {
  const base = fresh();
  const [mine, other] = [server(base, 'mine'), server(base, 'other')];
  mine.start();
  other.start();
  mine.keep('/root', 'a', note);
  hook(base, 'mine').keep('/second', 'b', note);
  const kept = other.keep('/root', 'c', note);
  const stray = hook(base, 'nobody').keep('/root', 'd', note);
  mine.close();
  mine.close();
  assert.deepEqual(
    other
      .of('/root')
      .list()
      .map(({ handle }) => handle)
      .sort(),
    [kept.handle, stray.handle].sort(),
  );
  assert.deepEqual(other.of('/second').list(), []);
  other.of('/root').remove(stray.handle);
  other.close();
  assert.equal(existsSync(base), false);
});

test('a server that never kept anything removes what hooks of its session kept', () => {
  const base = fresh();
  hook(base, 's').keep('/root', 'a', note);
  server(base, 'other').close();
  server(base).close();
  assert.equal(hook(base).of('/root').list().length, 1);
  server(base, 's').close();
  assert.equal(existsSync(base), false);
});

test('of two servers of one session the last one tidies up', () => {
  const base = fresh();
  const [first, second] = [server(base, 's'), server(base, 's')];
  first.start();
  // Claims are told apart by process: this one stands for another process.
  const claim = readdirSync(base)[0]!;
  const alive = process.ppid;
  writeFileSync(path.join(base, claim.replace(/-\d+-/, `-${alive}-`)), '');
  const { handle } = hook(base, 's').keep('/root', 'a', note);
  first.close();
  assert.ok(second.of('/root').find(handle) !== undefined);
});

test('what a killed server left goes at the next start, but not where the same session goes on', () => {
  const base = fresh();
  const dead = server(base, 's');
  dead.start();
  const claim = readdirSync(base).find((name) => name.startsWith('owner-'))!;
  const { handle } = dead.keep('/root', 'a', note);
  const asDead = (): void => {
    writeFileSync(path.join(base, claim.replace(/-\d+-/, `-${deadPid}-`)), '');
    spawnSync('rm', ['-f', path.join(base, claim)]);
  };
  asDead();
  const again = server(base, 's');
  again.start();
  assert.ok(again.of('/root').find(handle) !== undefined);
  asDead();
  const next = server(base, 'other');
  next.start();
  assert.equal(next.of('/root').find(handle), undefined);
  next.close();
  assert.equal(existsSync(base), false);
});

test('a half-written text goes when its writer is dead, and stays while it lives', () => {
  const base = fresh();
  const spool = open(base);
  const writer = spool.write(about);
  writeFileSync(path.join(spool.folder, `${'a'.repeat(32)}.${deadPid}.part`), 'x');
  server(base).start();
  assert.deepEqual(readdirSync(spool.folder).length, 1);
  writer.finish();
});

test('an old claim counts as dead, since all that it stood for is old as well', () => {
  const base = fresh();
  const spools = server(base, 's');
  spools.start();
  const claim = path.join(base, readdirSync(base)[0]!);
  utimesSync(claim, 1, 1);
  server(base, 'other').start();
  assert.equal(existsSync(claim), false);
});

test('a server sees what was kept since its start and by its session; who names a handle knows its session', async () => {
  const base = fresh();
  const old = hook(base, 'theirs').keep('/root', 'a', { ...note, source: 'old' });
  const older = hook(base, 'theirs').keep('/root', 'b', { ...note, source: 'older' });
  const own = hook(base, 'mine').keep('/root', 'c', note);
  await new Promise((resolve) => setTimeout(resolve, 5));
  const spools = server(base, 'mine');
  const visible = (): string[] => spools.visible('/root').map(({ handle }) => handle);
  assert.deepEqual(visible(), [own.handle]);
  const late = hook(base, 'third').keep('/root', 'd', note);
  assert.deepEqual(visible(), [own.handle, late.handle]);
  assert.deepEqual(spools.named('/root', 'old'), []);
  assert.equal(spools.named('/root', old.handle)[0]?.handle, old.handle);
  assert.deepEqual(visible().sort(), [own.handle, late.handle, old.handle, older.handle].sort());
  assert.deepEqual(spools.named('/elsewhere', old.handle), []);
});
