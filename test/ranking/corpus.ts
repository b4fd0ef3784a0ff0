/** The golden corpus: files of our own making in four projects, kept as text archives (`-- path --` starts a file), so that no
 *  compiler, linter or ignore rule of this repository ever looks at them. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Tree } from '../support/e2e-lab.js';
import { PROJECT } from '../support/server.js';

export const RANKING_FOLDER = `${PROJECT}test/ranking/`;

export function readCorpus(): Tree {
  const tree: Record<string, string> = {};
  for (const name of readdirSync(`${RANKING_FOLDER}corpus`).sort()) {
    const [, ...rest] = readFileSync(`${RANKING_FOLDER}corpus/${name}`, 'utf8').split(/^-- (\S+) --\n/m);
    for (let at = 0; at < rest.length; at += 2) tree[rest[at]!] = rest[at + 1]!;
  }
  return tree;
}
