/** Words in C and C++ that only a compiler or a macro gives a meaning to, made blank before parsing: the grammar takes each for a
 *  type or a name and loses the definition around it. Pure. The length stays the same, so that all offsets hold. */

/** Attributes of the Linux kernel, compilers and common libraries. */
const ATTRIBUTES = [
  '__(?:net_)?(?:init|exit)(?:data|const|_refok|_or_module|data_or_module|conn)?',
  '__(?:dev|mem|cpu|ref|sched|head)(?:init|exit)?(?:data|const)?',
  '__(?:user|kernel|iomem|percpu|rcu|force|nocast|safe|private|bitwise)',
  '__(?:always_inline|always_unused|maybe_unused|unused|used|must_check|cold|hot|pure|weak|noreturn|noclone|malloc|deprecated)',
  '__(?:attribute_const__|cacheline_aligned(?:_in_smp)?|____cacheline_aligned(?:_in_smp)?|read_mostly|ro_after_init|packed|visible)',
  '__(?:latent_entropy|randomize_layout|no_kcsan|no_kasan_or_inline|no_sanitize_address|no_randomize_layout|noendbr|lockfunc|kprobes|trap_init)',
  '__(?:inline__|inline|volatile__|restrict|restrict__|const__|extension__|signed__|flatten|noinline|nonstring|cdecl|stdcall|fastcall)',
  '____cacheline_(?:internodealigned|aligned)(?:_in_smp)?',
  'asmlinkage|notrace|noinline(?:_for_stack)?|noinstr|nokprobe_inline|fastcall|always_inline|__weak|randomized_struct_fields_(?:start|end)',
  '[A-Z][A-Z0-9]*_(?:API|EXPORT|EXPORTS|PUBLIC|INLINE|FORCE_INLINE|ALWAYS_INLINE|NOINLINE|NORETURN|DEPRECATED|UNUSED|WARN_UNUSED|NODISCARD|CONSTEXPR)',
  'WINAPI|CALLBACK|APIENTRY|STDMETHODCALLTYPE|Q_DECL_EXPORT|Q_OBJECT',
].join('|');

/** Attributes with arguments, which nest two levels of parentheses at most. */
const WITH_ARGUMENTS =
  '__attribute__|__attribute|__declspec|__aligned|__printf|__scanf|__must_hold|__acquires|__releases|__acquire|__cond_acquires|__section|' +
  '__counted_by|__alloc_size|__nonnull|__returns_nonnull|__assume_aligned|__diagnose_as|__no_sanitize|__guarded_by|__free|__cleanup|' +
  '__aligned_largest|__realloc_size|_Alignas|STACK_ALIGN|ATTRIBUTE_PRINTF|EXPORT_SYMBOL\\w*|MODULE_\\w+|module_param(?:_(?:named|call|cb|string|array|array_named|unsafe|named_unsafe|hw\\w*))?|core_param(?:_cb)?|early_param(?:_on_off)?|__setup(?:_param)?|ALLOW_ERROR_INJECTION|NOKPROBE_SYMBOL';
const ARGUMENTS = '[ \\t]*\\((?:[^()]|\\((?:[^()]|\\([^()]{0,200}\\)){0,200}\\)){0,500}\\)';

/** An attribute of the program's own, behind a prototype: `int f(void) MY_ATTR;`. */
const TRAILING = '(?<=\\)[ \\t]{1,4})[A-Z][A-Z0-9_]{3,}(?=[ \\t]*;)';

/** A match that stands behind #define is what is defined, and stays. */
const WORDS = new RegExp(`\\b(?:(?:${WITH_ARGUMENTS})${ARGUMENTS}|(?:${ATTRIBUTES})\\b(?![ \\t]*\\())|${TRAILING}`, 'g');

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

/** The text with such words blank. */
export function maskC(text: string): string {
  return text.replace(WORDS, (word: string, offset: number) => (isDefined(text, offset) ? word : blank(word)));
}

function isDefined(text: string, offset: number): boolean {
  const before = text.slice(Math.max(0, offset - 24), offset);
  return /#[ \t]*(?:define|ifdef|ifndef|undef|if)[ \t]+(?:defined[ \t]*\(?[ \t]*)?$/.test(before);
}

/** The text with characters that only disturb: NULs, and carriage returns before line feeds. Same length. */
export function plainText(text: string): string {
  const plain = text.includes('\0') ? text.replaceAll('\0', ' ') : text;
  // A backslash must stay directly before its line feed.
  return plain.includes('\r\n') ? plain.replace(/\\\r\n/g, ' \\\n').replace(/\r\n/g, ' \n') : plain;
}
