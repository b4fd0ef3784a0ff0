/** A temporary folder for one test file: what is written into it is gone when the file is done. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';

export class Place {
  readonly path = realpathSync(mkdtempSync(path.join(tmpdir(), 'ripscope-unit-')));

  at(...parts: string[]): string {
    return path.join(this.path, ...parts);
  }

  folder(name: string): string {
    mkdirSync(this.at(name), { recursive: true });
    return this.at(name);
  }

  put(name: string, data: string | Buffer = `${name}\n`, mode?: number): string {
    this.folder(path.dirname(name));
    writeFileSync(this.at(name), data);
    if (mode !== undefined) chmodSync(this.at(name), mode);
    return this.at(name);
  }

  /** Files below `folder`: names, or names with their text. */
  fill(folder: string, files: readonly string[] | Readonly<Record<string, string>>): string {
    const entries = Array.isArray(files) ? files.map((name: string) => [name, `${name}\n`] as const) : Object.entries(files);
    this.folder(folder);
    for (const [name, text] of entries) this.put(path.join(folder, name), text);
    return this.at(folder);
  }

  link(target: string, name: string): string {
    this.folder(path.dirname(name));
    symlinkSync(target, this.at(name));
    return this.at(name);
  }

  pipe(name: string): string {
    const made = spawnSync('mkfifo', [this.at(name)]);
    if (made.status !== 0) throw new Error('mkfifo does not work here');
    return this.at(name);
  }

  /** A socket that somebody listens on until the tests are done. */
  async socket(name: string): Promise<string> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(this.at(name), resolve));
    server.unref();
    after(() => server.close());
    return this.at(name);
  }
}

export function makePlace(): Place {
  const place = new Place();
  after(() => rmSync(place.path, { recursive: true, force: true }));
  return place;
}
