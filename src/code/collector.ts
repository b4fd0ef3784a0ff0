/** Gathers what the rules of a grammar find in one text, and makes plain data of it. Pure. Rules report outer nodes before inner
 *  ones, in the order of the text. */
import { lineAt } from './lines.js';
import { CLASS_KINDS, type Draft, type DraftCall, nest, type Place, placeCalls } from './nesting.js';
import { flattenRoles } from './roles.js';
import { type HeaderEnd, signatureOf } from './signature.js';
import type { Call, Definition, DefinitionKind, Import, ImportedName, ImportKind, RoleChange } from './structure.js';

export interface DefineOptions {
  /** Container that is written with the name (`A::b`, a receiver) and not around it; parts joined by dots. */
  readonly scope?: string | undefined;
  readonly isDeclaration?: boolean;
  /** The name, where it is not the text of its place. */
  readonly text?: string;
  /** Belongs to the class around, not to the method that it is written in; told once per class. */
  readonly isOfClass?: boolean;
}

export interface CollectorLimits {
  readonly maxDefinitions: number;
  readonly maxCalls: number;
  readonly signatureChars: number;
}

const RECEIVER_CHARS = 80;
const NAME_CHARS = 200;

export class Collector {
  readonly text: string;
  readonly drafts: Draft[] = [];
  readonly #limits: CollectorLimits;
  readonly #calls: DraftCall[] = [];
  readonly #imports: (Omit<Import, 'line'> & { readonly startIndex: number })[] = [];
  readonly #importPlaces = new Set<number>();
  readonly #roles: (Place & { readonly role: RoleChange['role'] })[] = [];
  /** Open definitions and function bodies around the node that is reported next. */
  readonly #open: { readonly endIndex: number; readonly isFunction: boolean; readonly isClass: boolean }[] = [];
  readonly #named = new Set<number>();
  #lead: { startIndex: number; until: number } | undefined;
  #isCut = false;

  constructor(text: string, limits: CollectorLimits) {
    this.text = text;
    this.#limits = limits;
  }

  textOf(place: Place, maxChars = NAME_CHARS): string {
    return this.text.slice(place.startIndex, Math.min(place.endIndex, place.startIndex + maxChars));
  }

  /** A decorator, attribute or head that belongs to the definition behind it. */
  lead(place: Place): void {
    let until = place.endIndex;
    while (/\s/.test(this.text.charAt(until))) until++;
    this.#setLead(place.startIndex, until);
  }

  /** A node around a definition whose start is that of the definition: `template <…>`, `export`. */
  wrap(place: Place): void {
    this.#setLead(place.startIndex, place.endIndex);
  }

  #setLead(startIndex: number, until: number): void {
    const before = this.#lead;
    const isNext = before !== undefined && startIndex <= before.until;
    this.#lead = isNext ? { startIndex: before.startIndex, until: Math.max(before.until, until) } : { startIndex, until };
  }

  /** A function without a name: what is declared in it is local. */
  enterFunction(place: Place): void {
    this.#close(place.startIndex);
    this.#open.push({ endIndex: place.endIndex, isFunction: true, isClass: false });
  }

  /** Whether a place is inside a function, with no class between. */
  isLocal(place: Place): boolean {
    this.#close(place.startIndex);
    for (let index = this.#open.length - 1; index >= 0; index--) {
      if (this.#open[index]?.isFunction === true) return true;
      if (this.#open[index]?.isClass === true) return false;
    }
    return false;
  }

  /** Whether a place is directly in a class. */
  isMember(place: Place): boolean {
    this.#close(place.startIndex);
    return this.#open.at(-1)?.isClass === true;
  }

  #close(startIndex: number): void {
    while (this.#open.length > 0 && (this.#open.at(-1)?.endIndex ?? 0) <= startIndex) this.#open.pop();
  }

  /** The first definition of a name at a place counts. */
  define(kind: DefinitionKind, place: Place, name: Place | undefined, options: DefineOptions = {}): void {
    if (name === undefined) return;
    const text = options.text ?? this.textOf(name);
    if (text === '' || this.#named.has(name.startIndex)) return;
    if (this.drafts.length >= this.#limits.maxDefinitions) {
      this.#isCut = true;
      return;
    }
    this.#named.add(name.startIndex);
    const startIndex = this.#lead !== undefined && place.startIndex <= this.#lead.until ? this.#lead.startIndex : place.startIndex;
    this.#lead = undefined;
    const { endIndex } = place;
    const { scope = '', isDeclaration = false, isOfClass = false } = options;
    this.drafts.push({ kind, name: text, startIndex, endIndex, nameIndex: name.startIndex, scope, isDeclaration, isOfClass });
    this.#close(place.startIndex);
    this.#open.push({ endIndex, isFunction: kind === 'function' || kind === 'method', isClass: CLASS_KINDS.has(kind) });
  }

  /** Takes over a definition that was found by the look of lines; values inside functions are local. */
  adopt(draft: Draft): void {
    if ((draft.kind === 'variable' || draft.kind === 'constant') && this.isLocal(draft)) return;
    this.define(draft.kind, draft, { startIndex: draft.nameIndex, endIndex: draft.nameIndex + draft.name.length }, draft);
  }

  call(name: Place | undefined, receiver?: Place): void {
    if (name !== undefined) this.callOf(this.textOf(name), name.startIndex, receiver === undefined ? '' : this.#receiverText(receiver));
  }

  callOf(name: string, startIndex: number, receiver = ''): void {
    if (name === '') return;
    if (this.#calls.length >= this.#limits.maxCalls) this.#isCut = true;
    else this.#calls.push({ name, receiver, startIndex });
  }

  #receiverText(receiver: Place): string {
    const squeezed = this.textOf(receiver, RECEIVER_CHARS * 2)
      .replace(/\s+/g, ' ')
      .trim();
    return squeezed.length <= RECEIVER_CHARS ? squeezed : `${squeezed.slice(0, RECEIVER_CHARS - 1)}…`;
  }

  /** The first import of a module at a place counts. */
  depend(kind: ImportKind, place: Place, module: string, names: readonly ImportedName[] = [], isRelative = false): void {
    if (module === '' || this.#importPlaces.has(place.startIndex)) return;
    if (this.#imports.length >= this.#limits.maxDefinitions) {
      this.#isCut = true;
      return;
    }
    this.#importPlaces.add(place.startIndex);
    this.#imports.push({ kind, module, names, isRelative, startIndex: place.startIndex });
  }

  role(role: RoleChange['role'], place: Place): void {
    this.#roles.push({ role, startIndex: place.startIndex, endIndex: place.endIndex });
  }

  /** @param extra definitions found by other means; those at a name that is known are left out */
  finish(
    lineStarts: readonly number[],
    headerEnd: HeaderEnd,
    extra: readonly Draft[] = [],
  ): { definitions: Definition[]; calls: Call[]; imports: Import[]; roles: RoleChange[]; isCut: boolean } {
    const added = extra.filter((draft) => !this.#named.has(draft.nameIndex));
    const drafts = [...this.drafts, ...added].sort((a, b) => a.startIndex - b.startIndex || b.endIndex - a.endIndex);
    const nested = nest(drafts);
    const line = (offset: number): number => lineAt(lineStarts, offset);
    const definitions = nested.map(({ draft, kind, container, parent }): Definition => {
      const nameLine = line(draft.nameIndex);
      return {
        kind,
        name: draft.name,
        container,
        startLine: line(draft.startIndex),
        endLine: line(Math.max(draft.startIndex, draft.endIndex - 1)),
        nameLine,
        nameColumn: draft.nameIndex - (lineStarts[nameLine - 1] ?? 0),
        signature: signatureOf(this.text, draft, kind, headerEnd, this.#limits.signatureChars),
        isDeclaration: draft.isDeclaration,
        parent,
      };
    });
    return {
      definitions,
      calls: placeCalls(
        this.#calls,
        nested.map(({ draft }) => draft),
        lineStarts,
      ),
      imports: this.#imports.map(({ startIndex, ...rest }) => ({ ...rest, line: line(startIndex) })),
      roles: flattenRoles(this.#roles),
      isCut: this.#isCut,
    };
  }
}
