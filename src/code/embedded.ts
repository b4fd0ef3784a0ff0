/** Scripts within markup: the <script> blocks of Vue and Svelte, and what stands between the dashes of Astro. Pure. All else is made
 *  blank before parsing, so that the length stays the same and all offsets hold. */
import type { LanguageName } from './language.js';

export interface Embedded {
  readonly language: LanguageName;
  /** The scripts alone. */
  readonly scripts: string;
  /** All but the scripts. */
  readonly markup: string;
  /** Scripts in files of their own: `<script src="./x.ts">`. */
  readonly sources: readonly { readonly module: string; readonly startIndex: number; readonly endIndex: number }[];
}

const HOSTS = /\.(?:vue|svelte|astro)$/i;
/** Values of attributes may hold the sign that ends the tag: `generics="T extends Array<string>"`. */
const OPENING = /<script(?=[\s>])((?:[^>"']|"[^"]{0,500}"|'[^']{0,500}'){0,500})>/iy;
const START = /<script\b/gi;
/** A file has two scripts at most; what looks like more is text. */
const MOST_STARTS = 50;
const CLOSING = /<\/script\s{0,20}>/gi;
const FRONT = /^\uFEFF?\s{0,100}---[ \t]{0,100}\r?\n/;

/** Whether a file holds scripts within markup.
 *  @param path with slashes; only its ending counts */
export const hostsScripts = (path: string): boolean => HOSTS.test(path);

export function embeddedScripts(text: string): Embedded {
  const parts: { from: number; to: number }[] = [];
  const sources: { module: string; startIndex: number; endIndex: number }[] = [];
  let language: LanguageName = 'typescript';
  let at = 0;
  const front = FRONT.exec(text);
  if (front !== null) {
    const end = text.indexOf('\n---', front[0].length - 1);
    at = end < 0 ? text.length : end;
    parts.push({ from: front[0].length, to: Math.max(front[0].length, at) });
  }
  for (let starts = 0; starts < MOST_STARTS; starts++) {
    START.lastIndex = at;
    const start = START.exec(text);
    if (start === null) break;
    OPENING.lastIndex = start.index;
    const opening = OPENING.exec(text);
    at = START.lastIndex;
    if (opening === null) continue;
    const [tag, attributes = ''] = opening;
    if (/\blang\s*=\s*["']?[jt]sx\b/i.test(attributes)) language = 'tsx';
    const module = /(?:^|\s)src\s*=\s*["']([^"'\n]{1,300})["']/i.exec(attributes)?.[1];
    const from = opening.index + tag.length;
    if (module !== undefined) sources.push({ module, startIndex: opening.index, endIndex: from });
    CLOSING.lastIndex = from;
    const closing = CLOSING.exec(text);
    parts.push({ from, to: closing?.index ?? text.length });
    if (closing === null) break;
    at = closing.index + closing[0].length;
  }
  return { language, scripts: only(text, parts), markup: only(text, gapsOf(parts, text.length)), sources };
}

function gapsOf(parts: readonly { readonly from: number; readonly to: number }[], length: number): { from: number; to: number }[] {
  const ends = [0, ...parts.map(({ to }) => to)];
  return ends.map((from, index) => ({ from, to: parts[index]?.from ?? length }));
}

const blank = (text: string): string => text.replace(/[^\r\n]/g, ' ');

function only(text: string, parts: readonly { readonly from: number; readonly to: number }[]): string {
  let made = '';
  let at = 0;
  for (const { from, to } of parts) {
    made += blank(text.slice(at, from)) + text.slice(from, to);
    at = to;
  }
  return made + blank(text.slice(at));
}
