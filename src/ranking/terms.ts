/** A query's words -> terms with weights, and what of them an identifier in code holds. Pure. */
import { isCompound, isUnspaced, ownCopy, STOP_WORDS, splitIdentifier, stem, WORD } from './tokenizer.js';

export interface Term {
  /** As it is shown: the word of the query. */
  readonly text: string;
  readonly kind: 'word' | 'compound' | 'part' | 'substring' | 'phrase';
  /** What is searched: a stem, a stem sequence of a compound, or the text itself. */
  readonly key: string;
  /** Share of its idf that counts; 0 for a word that was asked to be absent. */
  readonly weight: number;
  /** The query excludes it: a place that has it is pushed down. */
  readonly isNegative: boolean;
}

export interface Terms {
  readonly terms: readonly Term[];
  /** Every word of the query, stop words included, for what the query asks about. */
  readonly words: readonly string[];
  /** The whole query is one identifier, or one quoted text. */
  readonly isExact: boolean;
  /** Where something is defined is asked, by one identifier alone or in words. */
  readonly wantsDefinition: boolean;
  /** Names that look like those of files or folders, in lower case: `session.ts`, `src/auth`, and the `auth` of `auth: …`. */
  readonly places: readonly string[];
}

/** More would not fit into one set of flags per place. */
export const MAX_TERMS = 31;
const PART_WEIGHT = 0.5;
/** Letters of a phrase's word that is worth a look by itself. */
const LEAST_PART = 3;
const DEFINITION_WORD = /\b(?:defined|definition|declared|declaration)\b/i;
/** Weights of a term in an identifier: the whole of it, a sub-word; a whole compound in its very case. */
export const WHOLE = 1;
export const SUBWORD = 0.7;
export const EXACT_COMPOUND = 1.5;
const ABBREVIATION = 0.4;

/** Text of a query -> terms. Quoted parts are phrases, `-word` is a negative, stop words go unless nothing else is left. */
export function parseTerms(given: string): Terms {
  const query = given.replaceAll('\0', ' ');
  const phrases: string[] = [];
  const negatives: string[] = [];
  const rest = query
    .replace(/"([^"]+)"|`([^`]+)`/g, (_, quoted: string | undefined, ticked: string | undefined) => {
      if (quoted !== undefined) phrases.push(quoted);
      return quoted === undefined ? ` ${ticked ?? ''} ` : ' ';
    })
    .replace(/(^|\s)-([\p{L}_$][\p{L}\p{M}\p{N}_$]*)(?=\s|$)/gu, (_, before: string, word: string) => {
      negatives.push(word.toLowerCase());
      return before;
    });
  const words = rest.match(WORD) ?? [];
  // A query of signs alone (`||`, `=>`) is searched as it stands.
  if (words.length === 0 && phrases.length === 0 && query.trim() !== '') phrases.push(query.trim());
  const useful = words.filter(
    (word) =>
      !STOP_WORDS.has(word.toLowerCase()) && !DEFINITION_WORD.test(word) && (word.length > 1 || isUnspaced(word) || /\d/.test(word)),
  );
  const chosen = useful.length > 0 || phrases.length > 0 ? useful : words;
  const byKey = new Map<string, Term>();
  const add = (term: Term): void => {
    const known = byKey.get(term.key);
    if (known === undefined || known.weight < term.weight) byKey.set(term.key, term);
  };
  for (const text of phrases) add({ text, kind: 'phrase', key: text, weight: 1, isNegative: false });
  for (const word of chosen) {
    if (isUnspaced(word)) add({ text: word, kind: 'substring', key: word.toLowerCase(), weight: 1, isNegative: false });
    else if (isCompound(word)) {
      add({ text: word, kind: 'compound', key: compoundKey(word), weight: 1, isNegative: false });
      for (const part of splitIdentifier(word)) {
        if (part.length > 1 && !STOP_WORDS.has(part))
          add({ text: part, kind: 'part', key: stem(part), weight: PART_WEIGHT, isNegative: false });
      }
    } else add({ text: word, kind: 'word', key: stem(word.replace(/^[_$]+|_+$/g, '') || word), weight: 1, isNegative: false });
  }
  for (const word of negatives) if (!byKey.has(stem(word))) add({ text: word, kind: 'word', key: stem(word), weight: 0, isNegative: true });
  // Where nothing holds a phrase, its words lead to what is near.
  for (const word of phrases.flatMap((phrase) => phrase.match(WORD) ?? [])) {
    for (const part of isCompound(word) ? splitIdentifier(word) : [word.toLowerCase()]) {
      if (part.length >= LEAST_PART && !STOP_WORDS.has(part))
        add({ text: part, kind: 'part', key: stem(part), weight: PART_WEIGHT, isNegative: false });
    }
  }
  const terms = [...byKey.values()].slice(0, MAX_TERMS);
  const isExact = /^\s*(?:"[^"]+"|[\p{L}_$][\p{L}\p{M}\p{N}_$]*)\s*$/u.test(query) && (phrases.length === 1 || isCompound(query.trim()));
  return {
    terms,
    places: parsePlaces(query),
    words: [...words, ...phrases.flatMap((phrase) => phrase.match(WORD) ?? [])],
    isExact,
    wantsDefinition: isExact || (terms.some(({ kind }) => kind === 'compound') && DEFINITION_WORD.test(query)),
  };
}

/** Parts of a query that name a place by themselves: a path, a file name with its extension, or a subject before a colon. */
function parsePlaces(query: string): string[] {
  const paths = query.match(/(?:[\w.@-]+\/)+[\w.@-]+|\b[\w-]+\.[a-z]\w{0,7}\b/giu) ?? [];
  const subject = /^\s*(?:\[([\w/.-]{2,40})\]|([\w/.-]{2,40}):)\s/.exec(query);
  return [...new Set([...paths, subject?.[1] ?? subject?.[2] ?? ''].filter((place) => place !== '').map((place) => place.toLowerCase()))];
}

const SEPARATOR = '\u0001';
const compoundKey = (word: string): string => SEPARATOR + splitIdentifier(word).map(stem).join(SEPARATOR) + SEPARATOR;

/** What an identifier holds of the terms. */
export interface Held {
  /** Indices of terms, and their weights beside. */
  readonly terms: readonly number[];
  readonly weights: readonly number[];
  readonly mask: number;
}

const NOTHING: Held = { terms: [], weights: [], mask: 0 };
const KNOWN_IDENTIFIERS = 50_000;
const KNOWN_LENGTH = 100;

/** Looks identifiers up; the same few come again and again, so answers are kept. */
export class TermMatcher {
  readonly #terms: readonly Term[];
  readonly #known = new Map<string, Held>();
  readonly #kinds = new Map<string, Held>();

  constructor(terms: readonly Term[]) {
    this.#terms = terms;
  }

  /** undefined when it holds none of the terms. */
  held(identifier: string): Held | undefined {
    const known = this.#known.get(identifier);
    if (known !== undefined) return known === NOTHING ? undefined : known;
    const held = this.#match(identifier);
    // Names of such length do not come again.
    if (this.#known.size < KNOWN_IDENTIFIERS && identifier.length <= KNOWN_LENGTH) this.#known.set(ownCopy(identifier), held ?? NOTHING);
    return held;
  }

  #match(identifier: string): Held | undefined {
    const parts = splitIdentifier(identifier).map(stem);
    const sequence = SEPARATOR + parts.join(SEPARATOR) + SEPARATOR;
    const whole = stem(identifier.replace(/^[_$]+|_+$/g, ''));
    const terms: number[] = [];
    const weights: number[] = [];
    let mask = 0;
    for (const [index, term] of this.#terms.entries()) {
      const weight = weightOf(term, identifier, whole, parts, sequence);
      if (weight === 0) continue;
      terms.push(index);
      weights.push(weight);
      mask |= 1 << index;
    }
    if (mask === 0) return undefined;
    // An identifier that holds one of the words may abbreviate another: mem_cgroup_charge for "memory".
    for (const [index, term] of this.#terms.entries()) {
      if ((mask & (1 << index)) !== 0 || term.kind !== 'word' || !parts.some((part) => isAbbreviation(part, term.key))) continue;
      terms.push(index);
      weights.push(ABBREVIATION);
      mask |= 1 << index;
    }
    return this.#shared({ terms, weights, mask });
  }

  /** Thousands of identifiers hold the same few terms in the same way. */
  #shared(held: Held): Held {
    const key = `${held.terms.join()} ${held.weights.join()}`;
    const known = this.#kinds.get(key);
    if (known === undefined) this.#kinds.set(key, held);
    return known ?? held;
  }
}

const isAbbreviation = (part: string, key: string): boolean => part.length >= 3 && part.length < key.length && key.startsWith(part);

function weightOf(term: Term, identifier: string, whole: string, parts: readonly string[], sequence: string): number {
  switch (term.kind) {
    case 'phrase':
      return 0; // found in the text of the line, not in an identifier
    case 'substring':
      return identifier.toLowerCase().includes(term.key) ? WHOLE : 0;
    case 'compound':
      if (sequence === term.key) return identifier === term.text ? EXACT_COMPOUND : WHOLE;
      return sequence.includes(term.key) ? SUBWORD : 0;
    default:
      // `$scope` is asked for with its sign.
      if (identifier === term.text && /[$_]/.test(term.text)) return EXACT_COMPOUND;
      if (whole === term.key) return WHOLE;
      return parts.includes(term.key) ? SUBWORD : 0;
  }
}

/** A text as a regular expression that matches just it, for ripgrep and for JavaScript. */
export const escapeRegex = (text: string): string => text.replace(/[\\.^$|?*+()[\]{}\-#&~]/g, '\\$&');

/** Stems of one or two letters are in too many words; they need an edge: of the word, or a capital as in camelCase. Every form
 *  starts with a plain letter, without which ripgrep is several times slower. */
function shortForms(key: string): string[] {
  const text = escapeRegex(key);
  const capital = escapeRegex(key.charAt(0).toUpperCase() + key.slice(1));
  return [`\\b${text}`, `_${text}`, `(?-i:${capital})`, `(?-i:${escapeRegex(key.toUpperCase())})`];
}

const isShort = (term: Term): boolean => term.kind !== 'phrase' && term.kind !== 'substring' && /^\p{L}{1,2}$/u.test(term.key);

/** What is looked for in a line, without edges; a compound is found by its parts, or whole where it has none. */
export function termTexts(terms: readonly Term[]): string[] {
  const hasPart = (term: Term): boolean =>
    terms.some((other) => other.kind === 'part' && term.key.includes(`${SEPARATOR}${other.key}${SEPARATOR}`));
  return terms
    .filter((term) => term.kind !== 'compound' || !hasPart(term))
    .map((term) => (term.kind === 'compound' ? term.text : term.key));
}

/** The pattern that finds every line with a term, letter case ignored; longest first, since alternations take the first that fits. */
export function termPattern(terms: readonly Term[]): string {
  const short = new Set(terms.filter(isShort).map((term) => term.key));
  const forms = new Set(termTexts(terms).flatMap((text) => (short.has(text) ? shortForms(text) : [escapeRegex(text)])));
  return [...forms].sort((a, b) => b.length - a.length || (a < b ? -1 : 1)).join('|');
}

/** The same for JavaScript, without edges: whether a short stem stands at one is judged by the matcher. */
export function scanPattern(terms: readonly Term[]): RegExp {
  const texts = [...new Set(termTexts(terms))].sort((a, b) => b.length - a.length);
  const pattern = texts.length === 0 ? '(?!)' : texts.map(escapeRegex).join('|');
  // Without the Unicode flag the same search takes half the time.
  return new RegExp(pattern, /^[\x20-\x7e]*$/.test(pattern) ? 'gi' : 'giu');
}
