/** All spools of this user as one process sees them: which texts it may search, what goes at its start and at its end. An owner is a
 *  session, or a server that knows none; each process that stands for an owner has a claim, an empty file whose name says both. What
 *  an owner kept goes when the last process with its claim ends, or when the next one finds all of its claims dead. */
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, lstatSync, openSync, readdirSync, rmdirSync, rmSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { LIMITS, type Limits } from '../base/limits.js';
import { isAlive } from './alive.js';
import { againWhenGone, makePrivate, unusable, userFolder, whyNotPrivate } from './private-folder.js';
import { isHandle, isSpoolFolder, type Keeper, type KeptText, Spool, spoolFolder } from './spool.js';
import type { SpoolWriter } from './spool-writer.js';

export interface SpoolsOptions {
  readonly limits: Limits;
  /** The client's session, where it names one. */
  readonly session: string | undefined;
  /** A server owns what it keeps, and removes it; a hook and a verb end with their call and own nothing. */
  readonly isServer: boolean;
  /** Texts kept since then may be searched without their handle; milliseconds since 1970. */
  readonly since: number;
  /** Tests pass their own. */
  readonly base?: string;
}

/** Session ids are shorter; what a client sends is not trusted to be. */
const MOST_SESSION = 200;
const CLAIM = /^owner-(\d+)-([0-9a-f]{32})$/;
const hashOf = (owner: string): string => createHash('sha256').update(owner).digest('hex').slice(0, 32);

/** The spools of processes that are started one after another or side by side, by root. */
export class Spools {
  readonly #options: SpoolsOptions;
  readonly #base: string;
  readonly #session: string | undefined;
  readonly #owner: string | undefined;
  readonly #sessions: Set<string>;
  readonly #spools = new Map<string, Spool>();
  #hasClaim = false;

  constructor(options: SpoolsOptions) {
    this.#options = options;
    this.#base = options.base ?? userFolder();
    this.#session = options.session?.slice(0, MOST_SESSION);
    this.#owner = this.#session ?? (options.isServer ? `server ${process.pid} ${randomBytes(8).toString('hex')}` : undefined);
    this.#sessions = new Set(this.#session === undefined ? [] : [this.#session]);
  }

  /** The spool of a root. Nothing is made before a text is kept.
   *  @param root its absolute path, links resolved */
  of(root: string): Spool {
    const known = this.#spools.get(root);
    if (known !== undefined) return known;
    const spool = new Spool(this.#base, spoolFolder(this.#base, root), this.#options.limits);
    this.#spools.set(root, spool);
    return spool;
  }

  /** Keeps a whole text.
   *  @throws ToolError output_too_large, spool_refused, temp_unusable */
  keep(root: string, text: string, about: { source: string; kind: string; by: Keeper }): KeptText {
    this.#claim();
    return this.of(root).keep(text, { ...about, session: this.#session, owner: this.#owner });
  }

  /** Starts a text that comes in parts, such as the log of a running command.
   *  @throws ToolError spool_refused, temp_unusable */
  write(root: string, about: { source: string; kind: string; by: Keeper }): SpoolWriter<KeptText> {
    this.#claim();
    return this.of(root).write({ ...about, session: this.#session, owner: this.#owner });
  }

  /** The texts that may be searched without naming one.
   *  @throws ToolError spool_refused */
  visible(root: string): KeptText[] {
    return this.of(root)
      .list()
      .filter(
        ({ time, session, owner }) =>
          time >= this.#options.since ||
          (owner !== undefined && owner === this.#owner) ||
          (session !== undefined && this.#sessions.has(session)),
      );
  }

  /** The text of a handle, whoever kept it, or those of a name that may be searched. Who knows a handle knows its session.
   *  @throws ToolError spool_refused */
  named(root: string, source: string): KeptText[] {
    const text = isHandle(source) ? this.of(root).find(source) : undefined;
    if (text === undefined) return this.visible(root).filter((one) => one.source === source);
    if (text.session !== undefined) this.#sessions.add(text.session);
    return [text];
  }

  /** Marks this process as one that stands for its session, so that what the session's hooks keep is not taken for abandoned; then
   *  removes what is too old, too much, or left by owners that are gone. Never throws: tidying up must not fail a start. */
  start(): void {
    try {
      if (this.#options.isServer && this.#session !== undefined) this.#claim();
      this.#sweep();
    } catch {
      // whoever needs the folder will be told
    }
  }

  /** Removes what this process owns, and what it was writing; synchronous, so that it may be called while the process exits. */
  close(): void {
    if (whyNotPrivate(this.#base) !== undefined) return;
    try {
      for (const spool of this.#folders()) spool.removeParts((pid) => pid === process.pid);
      if (this.#ownsTexts) this.#removeOwn(hashOf(this.#owner ?? ''));
      this.#removeEmpty();
    } catch {
      // somebody else tidied up, or will
    }
  }

  /** Hooks of its session may have kept something even when this server never did. */
  get #ownsTexts(): boolean {
    return this.#options.isServer && (this.#hasClaim || this.#session !== undefined);
  }

  #removeOwn(own: string): void {
    this.#hasClaim = false;
    rmSync(this.#claimFile(own), { force: true });
    if (!this.#claims().some(({ hash, isDead }) => hash === own && !isDead)) this.#removeOf(new Set([own]));
  }

  #claimFile(hash: string): string {
    return path.join(this.#base, `owner-${process.pid}-${hash}`);
  }

  /** @throws ToolError temp_unusable */
  #claim(): void {
    if (!this.#options.isServer || this.#owner === undefined) return;
    const file = this.#claimFile(hashOf(this.#owner));
    try {
      againWhenGone(() => {
        makePrivate(this.#base);
        if (whyNotPrivate(this.#base) !== undefined) return; // the spool says so with its first text
        closeSync(openSync(file, 'a', 0o600));
        const now = new Date();
        utimesSync(file, now, now);
        this.#hasClaim = true;
      });
    } catch (error) {
      throw unusable(error);
    }
  }

  #claims(): { name: string; hash: string; isDead: boolean }[] {
    return this.#names().flatMap((name) => {
      const [, pid, hash = ''] = CLAIM.exec(name) ?? [];
      if (pid === undefined) return [];
      const entry = lstatSync(path.join(this.#base, name), { throwIfNoEntry: false });
      // All that an owner kept before its claim grew old is old as well; the number of its process may be another's by now.
      const isOld = (entry?.mtimeMs ?? 0) < Date.now() - LIMITS.keptMs.max;
      return [{ name, hash, isDead: isOld || !isAlive(Number(pid)) }];
    });
  }

  #names(): string[] {
    return readdirSync(this.#base);
  }

  #folders(): Spool[] {
    return this.#names()
      .filter(isSpoolFolder)
      .map((name) => path.join(this.#base, name))
      .filter((folder) => whyNotPrivate(folder) === undefined)
      .map((folder) => new Spool(this.#base, folder, this.#options.limits));
  }

  #sweep(): void {
    if (whyNotPrivate(this.#base) !== undefined) return;
    const claims = this.#claims();
    const living = new Set(claims.filter(({ isDead }) => !isDead).map(({ hash }) => hash));
    // A server that was killed and started again goes on with its session.
    if (this.#owner !== undefined) living.add(hashOf(this.#owner));
    const dead = claims.filter(({ isDead }) => isDead);
    this.#removeOf(new Set(dead.map(({ hash }) => hash).filter((hash) => !living.has(hash))));
    for (const { name } of dead) rmSync(path.join(this.#base, name), { force: true });
    for (const spool of this.#folders()) {
      spool.removeParts();
      spool.trim();
    }
    this.#removeEmpty();
  }

  #removeOf(owners: ReadonlySet<string>): void {
    if (owners.size === 0) return;
    for (const spool of this.#folders()) {
      for (const { handle, owner } of spool.list()) if (owner !== undefined && owners.has(hashOf(owner))) spool.remove(handle);
    }
  }

  #removeEmpty(): void {
    for (const folder of [...this.#folders().map((spool) => spool.folder), this.#base]) {
      try {
        rmdirSync(folder);
      } catch {
        // something is in it, or somebody else was faster
      }
    }
  }
}
