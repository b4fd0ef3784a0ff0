/** What is known of one source file: definitions, calls, imports, and what is comment or string. Plain data, no trees.
 *  Lines count from 1 and end at LF alone; columns count UTF-16 units of the line from 0. */
import type { LanguageName } from './language.js';

export type DefinitionKind =
  | 'function'
  | 'method'
  | 'class'
  | 'interface'
  | 'struct'
  | 'union'
  | 'enum'
  | 'enumerator'
  | 'trait'
  | 'impl'
  | 'type'
  | 'module'
  | 'macro'
  | 'constant'
  | 'variable'
  | 'field'
  | 'property'
  | 'export';

export interface Definition {
  readonly kind: DefinitionKind;
  readonly name: string;
  /** `Outer.Inner`, or '' at the top. */
  readonly container: string;
  /** Decorators, attributes and template heads belong to the range. */
  readonly startLine: number;
  readonly endLine: number;
  readonly nameLine: number;
  readonly nameColumn: number;
  /** What declares it, without its body, white space squeezed, bounded. */
  readonly signature: string;
  /** Something else holds the body: prototype, forward declaration, abstract or interface signature, extern. */
  readonly isDeclaration: boolean;
  /** Index of the enclosing definition, or -1. */
  readonly parent: number;
}

export interface Call {
  /** The last name: `a.b.c()` calls c. */
  readonly name: string;
  /** `a.b`, bounded, or ''. */
  readonly receiver: string;
  readonly line: number;
  readonly column: number;
  /** Index of the innermost definition, or -1. */
  readonly within: number;
}

export type ImportKind = 'import' | 'require' | 'include' | 'use' | 'source' | 'module' | 'reexport';

export interface ImportedName {
  readonly name: string;
  readonly alias?: string;
}

export interface Import {
  readonly kind: ImportKind;
  /** As written, without quotes. */
  readonly module: string;
  /** `*` for everything, `default` for the default export. */
  readonly names: readonly ImportedName[];
  readonly line: number;
  /** Found from the file's own place: `./x`, `..pkg`, `"x.h"`, require_relative, crate::, super::. */
  readonly isRelative: boolean;
}

export type Role = 'comment' | 'string' | 'code';

/** Why there is no tree. */
export type FallbackReason = 'no-grammar' | 'too-large' | 'out-of-time' | 'cancelled' | 'parser-failed';

/** What was found in one file, before questions are asked of it. */
export interface StructureParts {
  readonly language: LanguageName | undefined;
  readonly source: 'tree' | 'fallback';
  readonly reason: FallbackReason | undefined;
  readonly definitions: readonly Definition[];
  readonly calls: readonly Call[];
  readonly imports: readonly Import[];
  /** The parser met text that it could not place. */
  readonly hasErrors: boolean;
  /** A bound was hit: there are more definitions, calls or imports. */
  readonly isCut: boolean;
  /** Where the role of the text changes, ascending by offset. */
  readonly roles: readonly RoleChange[];
  readonly lineStarts: readonly number[];
}

export interface RoleChange {
  readonly offset: number;
  readonly role: Role;
}

/** Kinds that answer "in what is this line". */
const ENCLOSING: ReadonlySet<DefinitionKind> = new Set<DefinitionKind>([
  'function',
  'method',
  'class',
  'interface',
  'struct',
  'union',
  'enum',
  'trait',
  'impl',
  'macro',
]);

export class SourceStructure implements StructureParts {
  readonly language: LanguageName | undefined;
  readonly source: 'tree' | 'fallback';
  readonly reason: FallbackReason | undefined;
  readonly definitions: readonly Definition[];
  readonly calls: readonly Call[];
  readonly imports: readonly Import[];
  readonly hasErrors: boolean;
  readonly isCut: boolean;
  readonly roles: readonly RoleChange[];
  readonly lineStarts: readonly number[];

  constructor(parts: StructureParts) {
    this.language = parts.language;
    this.source = parts.source;
    this.reason = parts.reason;
    this.definitions = parts.definitions;
    this.calls = parts.calls;
    this.imports = parts.imports;
    this.hasErrors = parts.hasErrors;
    this.isCut = parts.isCut;
    this.roles = parts.roles;
    this.lineStarts = parts.lineStarts;
  }

  /** The innermost function or class that a line belongs to. */
  enclosing(line: number): Definition | undefined {
    let innermost: Definition | undefined;
    for (const definition of this.definitions) {
      if (definition.startLine > line) break;
      // Definitions come outer before inner, so that the last one that holds the line is the innermost.
      if (definition.endLine >= line && ENCLOSING.has(definition.kind)) innermost = definition;
    }
    return innermost;
  }

  /** The innermost function or class around a place: also where a line holds several.
   *  @param within index of the innermost definition of any kind, or -1 */
  around(within: number): Definition | undefined {
    for (let at = within; at >= 0; at = this.definitions[at]?.parent ?? -1) {
      const definition = this.definitions[at];
      if (definition !== undefined && ENCLOSING.has(definition.kind)) return definition;
    }
    return undefined;
  }

  /** Whether a definition is another one or lies in it. */
  isInside(within: number, outer: number): boolean {
    for (let at = within; at >= 0; at = this.definitions[at]?.parent ?? -1) if (at === outer) return true;
    return false;
  }

  /** What kind of text stands at a place; code for a structure that was read without roles. */
  roleAt(line: number, column: number): Role {
    const offset = (this.lineStarts[line - 1] ?? 0) + column;
    let [low, high] = [0, this.roles.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.roles[middle]?.offset ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return this.roles[low - 1]?.role ?? 'code';
  }
}
