/** Reads the structure of one source text: by its grammar where there is one and it can, else by the look of its lines. */
import type { Limits } from '../base/limits.js';
import { Collector } from './collector.js';
import { embeddedScripts, hostsScripts } from './embedded.js';
import type { Grammar, Rule } from './grammar.js';
import { GRAMMARS } from './grammars.js';
import { type LanguageName, languageOf } from './language.js';
import { scanUses } from './lexical.js';
import { lineStartsOf } from './lines.js';
import { maskC, plainText } from './mask.js';
import { defines, macroDefinitions, mendC } from './mend.js';
import type { SyntaxParser, Visited } from './parser.js';
import { scanDefinitions } from './scan.js';
import { type FallbackReason, SourceStructure } from './structure.js';

/** What to look for besides definitions; each costs a little. */
export interface Wanted {
  readonly calls?: boolean;
  readonly imports?: boolean;
  /** Which text is comment or string. */
  readonly roles?: boolean;
}

export interface ReadOptions {
  readonly wanted?: Wanted;
  readonly signal?: AbortSignal;
}

/** Node types and their rules, side by side. */
interface Plan {
  readonly types: readonly string[];
  readonly rules: readonly Rule[];
}

export class StructureReader {
  readonly #limits: Limits;
  readonly #parser: SyntaxParser;
  readonly #plans = new Map<string, Plan>();

  constructor(limits: Limits, parser: SyntaxParser) {
    this.#limits = limits;
    this.#parser = parser;
  }

  /** Never throws for a text, whatever is in it: what cannot be parsed comes back as fallback, with the reason.
   *  @param path says the language by its extension or base name; nothing is read from it */
  async read(path: string, text: string, { wanted = {}, signal }: ReadOptions = {}): Promise<SourceStructure> {
    const language = languageOf(path, text);
    if (language === undefined && hostsScripts(path) && text.length <= this.#limits.maxParseChars)
      return this.#embedded(text, wanted, signal);
    if (language === undefined) return this.#fallback(text, language, 'no-grammar', wanted);
    if (text.length > this.#limits.maxParseChars) return this.#fallback(text, language, 'too-large', wanted);
    const collector = new Collector(text, this.#limits);
    const isC = language === 'c' || language === 'cpp';
    const plain = isC ? maskC(plainText(text)) : plainText(text);
    const visited = await this.#visit(plain, language, wanted, collector, signal);
    if (visited.kind === 'failed') return this.#fallback(text, language, visited.reason, wanted);
    const mended = isC && visited.hasErrors ? [...mendC(plain, collector.drafts), ...defines(plain)] : [];
    const extra = isC ? [...macroDefinitions(text), ...mended] : [];
    const lineStarts = lineStartsOf(text);
    const parts = collector.finish(lineStarts, GRAMMARS[language].headerEnd, extra);
    const calls = wanted.calls === true ? parts.calls : [];
    return new SourceStructure({ ...parts, calls, language, source: 'tree', reason: undefined, hasErrors: visited.hasErrors, lineStarts });
  }

  /** Scripts by their tree; calls in the markup around them by its look. */
  async #embedded(text: string, wanted: Wanted, signal: AbortSignal | undefined): Promise<SourceStructure> {
    const { language, scripts, markup, sources } = embeddedScripts(text);
    const collector = new Collector(text, this.#limits);
    const visited = await this.#visit(plainText(scripts), language, wanted, collector, signal);
    if (visited.kind === 'failed') return this.#fallback(text, undefined, visited.reason, wanted);
    if (wanted.calls === true) scanUses(markup, collector, { calls: true });
    for (const { module, ...place } of sources) collector.depend('import', place, module, [], /^\.{1,2}\//.test(module));
    const lineStarts = lineStartsOf(text);
    const parts = collector.finish(lineStarts, GRAMMARS[language].headerEnd);
    return new SourceStructure({ ...parts, language, source: 'tree', reason: undefined, hasErrors: visited.hasErrors, lineStarts });
  }

  #visit(plain: string, language: LanguageName, wanted: Wanted, found: Collector, signal: AbortSignal | undefined): Promise<Visited> {
    const grammar = GRAMMARS[language];
    const { types, rules } = this.#planOf(grammar, wanted);
    const visit = { grammar: grammar.file, types, parseMs: this.#limits.parseMs, signal };
    return this.#parser.visit(plain, visit, (type, node) => rules[type]?.(node, found));
  }

  #planOf(grammar: Grammar, wanted: Wanted): Plan {
    const key = [grammar.file, wanted.calls === true, wanted.imports === true, wanted.roles === true].join(' ');
    const known = this.#plans.get(key);
    if (known !== undefined) return known;
    const comment: Rule = (node, found) => found.role('comment', node);
    const text: Rule = (node, found) => found.role('string', node);
    const code: Rule = (node, found) => found.role('code', node);
    const rules: [type: string, rule: Rule][] = [
      ...Object.entries(grammar.definitions),
      ...(wanted.imports === true ? Object.entries(grammar.imports) : []),
      ...(wanted.calls === true ? Object.entries(grammar.calls) : []),
      ...(wanted.roles === true
        ? [
            ...grammar.comments.map((type): [string, Rule] => [type, comment]),
            ...grammar.strings.map((type): [string, Rule] => [type, text]),
            ...grammar.embedded.map((type): [string, Rule] => [type, code]),
          ]
        : []),
    ];
    const plan = { types: rules.map(([type]) => type), rules: rules.map(([, rule]) => rule) };
    this.#plans.set(key, plan);
    return plan;
  }

  #fallback(text: string, language: LanguageName | undefined, reason: FallbackReason, wanted: Wanted): SourceStructure {
    const collector = new Collector(text, this.#limits);
    const head = text.slice(0, this.#limits.maxScanChars);
    for (const draft of scanDefinitions(head)) collector.adopt(draft);
    scanUses(head, collector, wanted);
    const lineStarts = lineStartsOf(text);
    const parts = collector.finish(lineStarts, language === 'python' ? 'colon' : 'line');
    const isCut = parts.isCut || head.length < text.length;
    return new SourceStructure({ ...parts, isCut, language, source: 'fallback', reason, hasErrors: false, lineStarts });
  }
}
