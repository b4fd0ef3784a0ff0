/** Repairs what the C++ grammar makes of C that was cut up by the preprocessor. Pure. Functions of C begin and end in the first
 *  column nearly always, so that lines tell their ranges where the tree has errors. */
import type { Draft } from './nesting.js';
import { scanDefinitions } from './scan.js';
import type { DefinitionKind } from './structure.js';

/** Kinds that a broken function body spills to the top. */
const SPILLED: ReadonlySet<DefinitionKind> = new Set<DefinitionKind>(['variable', 'constant', 'function']);

/** @param drafts what the tree says, changed in place: ends of functions are set right and local names taken out
 *  @returns functions that the tree does not have */
export function mendC(text: string, drafts: Draft[]): Draft[] {
  const scanned = scanDefinitions(text, { isC: true });
  const byName = new Map(drafts.map((draft, index) => [draft.nameIndex, index]));
  const missing: Draft[] = [];
  for (const draft of scanned) {
    const index = byName.get(draft.nameIndex);
    const known = index === undefined ? undefined : drafts[index];
    if (index === undefined || known === undefined) {
      if (!isMacroName(draft.name)) missing.push(draft);
    } else if (known.kind === 'function' || known.kind === 'variable') {
      drafts[index] = { ...known, kind: 'function', isDeclaration: false, endIndex: draft.endIndex };
    }
  }
  const kept = drafts.filter((draft) => !SPILLED.has(draft.kind) || (!isInside(draft, scanned) && !swallows(draft, scanned)));
  drafts.splice(0, drafts.length, ...kept);
  return missing;
}

/** SYSCALL_DEFINE3(…) { is not what it defines; the tree or the table of macros has its name. */
const isMacroName = (name: string): boolean => /^[A-Z][A-Z0-9_]*$/.test(name);

/** Index of the first function whose name is at an offset or behind it. */
function firstFrom(functions: readonly Draft[], offset: number): number {
  let [low, high] = [0, functions.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((functions[middle]?.nameIndex ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether a function of the tree holds another one, which C does not have: the parser lost its end. */
function swallows(draft: Draft, functions: readonly Draft[]): boolean {
  const next = functions[firstFrom(functions, draft.nameIndex + 1)];
  return draft.kind === 'function' && next !== undefined && next.nameIndex < draft.endIndex;
}

/** Whether something is in the body of a scanned function. */
function isInside(draft: Draft, functions: readonly Draft[]): boolean {
  const around = functions[firstFrom(functions, draft.nameIndex) - 1];
  return around !== undefined && draft.nameIndex < around.endIndex && draft.startIndex > around.nameIndex;
}

const DEFINE = /^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)/gm;

/** Every #define by its line: where a tree has errors, those in broken enums and bodies are lost. */
export function defines(text: string): Draft[] {
  return [...text.matchAll(DEFINE)].map((match) => {
    const [whole, name = ''] = match;
    let endIndex = text.indexOf('\n', match.index);
    while (endIndex > 0 && text.charAt(endIndex - 1) === '\\') endIndex = text.indexOf('\n', endIndex + 1);
    const startIndex = match.index + whole.indexOf('#');
    const nameIndex = match.index + whole.length - name.length;
    const end = endIndex < 0 ? text.length : endIndex;
    return { kind: 'macro', name, startIndex, endIndex: end, nameIndex, scope: '', isDeclaration: false, isOfClass: false };
  });
}

/** `DEFINE_PER_CPU(int, name)`, `static LIST_HEAD(name);`, `DECLARE_WAIT_QUEUE_HEAD(name)`. */
const DEFINING_MACRO =
  /^(?:static[ \t]+|extern[ \t]+|const[ \t]+)*((?:DEFINE|DECLARE)_[A-Z0-9_]+|H?LIST_HEAD|ATOMIC_INIT_HEAD|SYSCALL_DEFINE\d|COMPAT_SYSCALL_DEFINE\d|TRACE_EVENT|DEFINE_EVENT)[ \t]*\(([^()\n]{0,200})/gm;

/** Names that macros at the start of a line define. */
export function macroDefinitions(text: string): Draft[] {
  const found: Draft[] = [];
  DEFINING_MACRO.lastIndex = 0;
  for (let match = DEFINING_MACRO.exec(text); match !== null; match = DEFINING_MACRO.exec(text)) {
    const [whole, macro = '', list = ''] = match;
    const given = [...list.matchAll(/[^,]+/g)];
    const wanted = given[/PER_CPU|^DEFINE_EVENT|STATIC_CALL_RET/.test(macro) && given.length > 1 ? 1 : 0];
    const name = /^\s*\*?(\w+)\s*(?:\[.*)?$/.exec(wanted?.[0] ?? '')?.[1];
    if (wanted === undefined || name === undefined || !/^[A-Za-z_]/.test(name)) continue;
    const lineEnd = text.indexOf('\n', match.index);
    const nameIndex = match.index + whole.length - list.length + wanted.index + wanted[0].indexOf(name);
    found.push({
      kind: macro.includes('SYSCALL') ? 'function' : 'variable',
      name,
      startIndex: match.index,
      endIndex: lineEnd < 0 ? text.length : lineEnd,
      nameIndex,
      scope: '',
      isDeclaration:
        macro.startsWith('DECLARE') && !/DECLARE_(?:WAIT|WORK|DELAYED_WORK|TASKLET|RWSEM|COMPLETION|BITMAP|HASHTABLE)/.test(macro),
      isOfClass: false,
    });
  }
  return found;
}
