/** What one line says about a name in it: definition, declaration, perhaps, or none; and comment, string or code. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Grade, gradeLine, roleInLine } from '#dist/code/definition-line.js';
import { type LanguageName, languageOf } from '#dist/code/language.js';

/** `defines` stands for the two grades that count without a tree; `maybe` for those that need one; `use` for all that must never
 *  come before a definition. */
type Verdict = 'defines' | 'declares' | 'maybe' | 'none' | 'use';

const GRADES: Readonly<Record<Verdict, readonly Grade[]>> = {
  defines: ['definition', 'assignment'],
  declares: ['declaration'],
  maybe: ['possible', 'item', 'assignment', 'declaration', 'definition'],
  none: ['none'],
  use: ['none', 'possible', 'item'],
};

interface Marked {
  readonly text: string;
  readonly at: number;
  readonly length: number;
}

/** The name stands between « and ». */
function marked(line: string): Marked {
  const at = line.indexOf('«');
  const end = line.indexOf('»');
  assert.ok(at >= 0 && end > at, `no name is marked: ${line}`);
  return { text: line.replace('«', '').replace('»', ''), at, length: end - at - 1 };
}

const LINES: Readonly<Record<string, Readonly<Partial<Record<Verdict, readonly string[]>>>>> = {
  'a.ts': {
    defines: [
      'export default async function* «load»(path: string): AsyncGenerator<string> {',
      'function «parse»<T extends object>(text: string): T {',
      'export abstract class «Session» extends Base {',
      'export interface «Options» {',
      'export type «Pair»<A, B> = readonly [A, B];',
      'export const enum «Color» {',
      'declare module «shapes» {',
      'export namespace «Geometry» {',
      'export const «LIMIT» = 5;',
      'let «counter»: number = 0;',
      'const «handler» = async (event: Event): Promise<void> => {',
      'const «handler»: Handler = (event) => {',
      '  public async «refresh»(token: string): Promise<void> {',
      '  get «size»(): number {',
      '  static «of»<T>(item: T): Box<T> {',
      '  «constructor»(private readonly name: string) {',
      '  async *«[Symbol.iterator]»() {'.replace('[Symbol.iterator]', 'items'),
      '  onClick: «x» => x,'.replace('onClick: «x» => x', '«onClick»: (event) => click(event)'),
      "  '«quoted»': function () {",
      '  «render»: async () => {',
      '  «visit»(node) {',
      'export function «overload»(a: string): void;',
    ],
    maybe: [
      '  private static readonly «cache» = new Map<string, string>();',
      '  «Red»,',
      '  «Green» = 2,',
      '  readonly «name»: string;',
      '  «optional»?: number;',
      "export { «relay» } from './relay.js';",
    ],
    use: [
      '  return «parse»(text);',
      '  «parse»(text);',
      '  await «parse»(text);',
      '  const result = «parse»(text);',
      '  if («parse»(text)) {',
      '  while («parse»(text)) {',
      '  for (const item of «items»(x)) {',
      'const x = new «Session»();',
      'class A extends «Session» {',
      "import { «Session» } from './session.js';",
      "import «Session» from './session.js';",
      '  throw new «ParseError»(text);',
      'const { a, b } = «parse»(text);',
      '  session.«refresh»(token);',
      '  this.«refresh»(token).then(() => {',
      "  test('name', () => «parse»(text));",
      '  case «Color».Red:',
      '  x === «parse»(y) ? 1 : 2;',
      'let value: «Options»;',
      'function other(options: «Options»): void {',
      '  delete «cache»[key];',
      'describe(«Session», () => {',
      '  expect(«parse»(a)).toBe(1);',
    ],
  },
  'a.js': {
    defines: [
      'module.exports.«start» = function () {',
      'exports.«start» = start;',
      'Queue.prototype.«push» = function (item) {',
      'var «$scope» = {};',
      '  «start»: function (options) {',
      '  «start»(options) {',
      '  static async «start»() {',
      'this.«state» = {};',
      'app.«listen» = (port) => {',
    ],
    use: [
      "const start = require('«start»');",
      'setTimeout(«start», 10);',
      'start.«call»(this);',
      '«describe»("x", () => {',
      '«it»("x", function () {',
      '  «useEffect»(() => {',
      '«setTimeout»(function () {',
    ],
  },
  'a.py': {
    defines: [
      'def «load»(path):',
      '    async def «load»(self, path: str) -> bytes:',
      'class «Session»:',
      'class «Session»(Base, metaclass=Meta):',
      '«LIMIT» = 5',
      '«T» = TypeVar("T")',
      '    self.«state» = None',
      '«limit»: int = 5',
      'type «Pair»[A] = tuple[A, A]',
    ],
    use: [
      '    return «load»(path)',
      '    «load»(path)',
      'from session import «Session»',
      'import «session»',
      'class A(«Session»):',
      '@«decorated»',
      '@«decorated»(x)',
      'x = «load»(path)',
      'if «LIMIT» == 5:',
      '    raise «ParseError»("x")',
      '    with «open»(path) as f:',
      'for x in «items»(y):',
      '    assert «load»(path) == 1',
      'f(«limit»=5)',
      '    yield «load»(path)',
      'del «cache»[key]',
      'print(«load»)',
    ],
  },
  'a.go': {
    defines: [
      'func «Load»(path string) ([]byte, error) {',
      'func (s *Server) «Serve»(l net.Listener) error {',
      'func («T» Server[K, V]) Serve() {'.replace('«T» Server[K, V]) Serve', 's Server[K, V]) «Serve»'),
      'func «Map»[T, U any](xs []T, f func(T) U) []U {',
      'type «Server» struct {',
      'type «Handler» interface {',
      'type «Duration» int64',
      'type «Alias» = time.Duration',
      'const «Limit» = 5',
      'var «ErrClosed» = errors.New("closed")',
    ],
    maybe: ['\t«StatusOK» = 200', '\t«Red» Color = iota', '\t«Green»', '\t«Name» string `json:"name"`', '\t«Serve»(l net.Listener) error'],
    use: [
      '\treturn «Load»(path)',
      '\t«Load»(path)',
      '\tgo «Serve»(l)',
      '\tdefer «Close»()',
      '\tx := «Load»(path)',
      '\tif err := «Load»(path); err != nil {',
      '\ts.«Serve»(l)',
      'func f(s *«Server») {',
      '\tcase «StatusOK»:',
      '\treturn &«Server»{',
    ],
  },
  'a.rs': {
    defines: [
      'fn «load»(path: &Path) -> io::Result<Vec<u8>> {',
      "pub(crate) async unsafe fn «load»<'a, T: Clone>(path: &'a T) -> T",
      'pub const fn «new»() -> Self {',
      'pub extern "C" fn «callback»(x: i32) {',
      'pub struct «Session»<T>(T);',
      'pub struct «Unit»;',
      'pub enum «Color» {',
      'pub trait «Handler»: Send {',
      'type «Item» = u8;',
      'pub static mut «COUNTER»: u32 = 0;',
      'const «LIMIT»: usize = 5;',
      'macro_rules! «vec_of» {',
      'pub mod «session» {',
      'union «Bits» {',
    ],
    declares: ['mod «session»;'],
    maybe: ['    «Red»,', '    «Green»(u8, u8),', '    «Blue» { value: u8 },', '    pub «name»: String,'],
    use: [
      '    «load»(path)',
      '    let x = «load»(path)?;',
      'use crate::«session»;',
      'use crate::session::{«Session», Other};',
      '    «vec_of»![1, 2];',
      '    return «load»(path);',
      'fn f(s: &«Session») {',
      '    match «load»(path) {',
      '    session.«refresh»()?;',
      '    Some(«load»(path))',
      'impl Handler for «Session» {',
      '#[derive(«Serialize»)]',
    ],
  },
  'a.c': {
    defines: [
      'int «load»(const char *path)',
      'static inline unsigned long *«load»(const char *path) {',
      'int «load»(const char *path, /* more */',
      '«load»(path)',
      'void __init «setup_arch»(char **cmdline_p)',
      'static __always_inline __must_check int «copy»(void *to)',
      'struct page *«alloc_page»(gfp_t gfp, int order)',
      'asmlinkage __visible void __init «start_kernel»(void)',
      'void *«kmalloc»(size_t size, gfp_t flags) __assume_kmalloc_alignment __alloc_size(1)',
      'EXPORT(int) «load»(const char *path)',
      '__alloc_size(1) void *«vmalloc»(unsigned long size)',
      '#define «LIMIT» 5',
      '#  define «max»(a, b) ((a) > (b) ? (a) : (b))',
      '#define «EMPTY»',
      'struct «page» {',
      'struct «page»',
      'union «bits» {',
      'enum «color» {',
      'enum «color» { RED, GREEN };',
      'struct redisServer «server»;	/* global state */',
      'static const int «limit» = 5;',
      'struct task_struct «init_task»',
      'static struct page *«pages»[16];',
      'typedef unsigned int «u32»;',
      'typedef int (*«handler_t»)(int);',
      'typedef struct page «page_t»;',
      'typedef char «name_t»[16];',
      '} «page_t»;',
      '} __attribute__((packed)) «header_t»;',
      '} __packed «header_t»;',
      '} «a_t», *b_t;',
      'struct «page» { int x; } __packed;',
    ],
    declares: [
      'int «load»(const char *path);',
      'extern void *«kmalloc»(size_t size, gfp_t flags) __assume_kmalloc_alignment __alloc_size(1);',
      'void «printk»(const char *fmt, ...) __printf(1, 2);',
      'struct «page»;',
      'extern struct redisServer «server»;',
    ],
    maybe: [
      '\t«RED»,',
      '\t«GREEN» = 1,',
      '\t«BLUE» = 1 << 3,	/* a note */',
      '\t«LAST»',
      'int «counter»;',
      '\tint (*«open»)(struct inode *);',
      'SYSCALL_DEFINE3(«read», unsigned int, fd)',
      'DEFINE_MUTEX(«lock»);',
      'static struct page «zero_page»;',
    ],
    use: [
      '\t\tn ? «container_of»(n, typeof(*pos), member) : \\\\',
      '\tev_queue ? «container_of»(ev_queue,',
      '#define DEBUG(args) «printk» args',
      '#define to_priv(x) «container_of»(x, struct priv, base)',
      '#define EMPTY «NULL»',
      '«SYSCALL_DEFINE3»(read, unsigned int, fd, char __user *, buf, size_t, count)',
      '\treturn «load»(path);',
      '\t«load»(path);',
      '\tx = «load»(path);',
      '\tif («load»(path))',
      '\telse «load»(path);',
      '\tstruct «page» *p;',
      '\tstruct «page» *p = alloc_page(gfp, 0);',
      'struct «page» *alloc_page(gfp_t gfp, int order)',
      'int f(struct «page» *p)',
      '\tstruct «page» page;',
      'static struct «file_operations» ops = {',
      '\tenum «color» c = RED;',
      '\tsizeof(struct «page»)',
      '#ifdef «LIMIT»',
      '#undef «LIMIT»',
      '#if defined(«LIMIT»)',
      'EXPORT_SYMBOL(«kmalloc»);',
      '\t.open = «simple_open»,',
      '\tp->«next» = q;',
      '\tcase «RED»:',
      '\tgoto «out»;',
      '\tint err = «load»(path);',
      '\t(void)«load»(path);',
      'typedef struct «page» page_t;',
      'typedef «u32» id_t;',
      'static __initdata «u32» io_csum;',
      'static __always_inline «u32»',
      'typedef «u32» (*handler_t)(int);',
    ],
  },
  'a.cpp': {
    defines: [
      'class «Session» : public Base {',
      'class «Session» final {',
      'template <typename T> class «Box» {',
      'enum class «Color» : uint8_t {',
      'namespace «geometry» {',
      'using «Pair» = std::pair<int, int>;',
      'void Session::«refresh»(const std::string &token) {',
      'Session::«Session»(int x) : x_(x) {',
      'Session::~«Session»() {',
      'std::vector<int> «load»(const std::string &path) const {',
      'bool Session::«operator==»(const Session &other) const {',
      '  virtual void «refresh»() override {',
      'auto «load»(int x) -> int {',
      'template <typename T> T «max_of»(T a, T b) {',
      'concept «Numeric» = std::is_arithmetic_v<T>;',
    ],
    declares: ['class «Session»;', '  virtual void «refresh»() = 0;', 'void «load»(int x);', '  std::string «name»() const;'],
    use: [
      '  «refresh»(token);',
      '  return «load»(x);',
      '  session.«refresh»(token);',
      '  session->«refresh»(token);',
      '  auto s = std::make_unique<«Session»>(x);',
      '  Session::«create»(x);',
      'class A : public «Session» {',
      'using namespace «geometry»;',
      'using geometry::«Point»;',
      '  std::cout << «load»(x);',
    ],
  },
  'A.java': {
    defines: [
      'public final class «Session» extends Base {',
      'interface «Handler»<T> {',
      'public record «Point»(int x, int y) {',
      'enum «Color» {',
      'public @interface «Marker» {',
      '    public static <T> List<T> «of»(T item) {',
      '    @Override public String «toString»() {',
      '    public «Session»(String name) {',
      '    protected void «load»(String path) throws IOException {',
    ],
    declares: ['    void «load»(String path) throws IOException;', '    int «size»();', '    List<String> «names»();'],
    maybe: ['    private static final int «LIMIT» = 5;', '    «RED»,', '    «GREEN»("green"),', '    private String «name»;'],
    use: [
      '        return «load»(path);',
      '        «load»(path);',
      '        Session s = new «Session»("x");',
      'import a.b.«Session»;',
      'class A extends «Session» {',
      'class A implements «Handler»<X> {',
      '        throw new «LoadException»(e);',
      '        this.«load»(path);',
      '        super.«load»(path);',
      '    @«Marker»',
      '        when(«load»(path)).thenReturn(x);',
    ],
  },
  'A.cs': {
    defines: [
      'public sealed class «Session» : Base',
      'namespace «App.Core»;'.replace('«App.Core»', '«App»'),
      'public record struct «Point»(int X, int Y);',
      '    public async Task<int> «LoadAsync»(string path)',
      '    internal static void «Load»(string path) =>',
      'public interface «IHandler»',
      'public enum «Color»',
    ],
    declares: ['    Task «LoadAsync»(string path);'],
    maybe: [
      '    public delegate void «Changed»(object sender);',
      '    public string «Name» { get; set; }',
      '    public int «Size» => size;',
      '    «Red»,',
    ],
    use: [
      '        return «Load»(path);',
      '        await «LoadAsync»(path);',
      '        var s = new «Session»();',
      'using «App»;',
      '        «Load»(path);',
    ],
  },
  'a.rb': {
    defines: [
      'def «load»(path)',
      '  def self.«load»(path)',
      '  def «valid?»',
      '  def «name=»(value)',
      'class «Session» < Base',
      'module «Geometry»',
      '  attr_accessor :name, :«token»',
      '  attr_reader :«token»',
      '  alias_method :«old», :new',
      '  define_method(:«dynamic») do',
      '«LIMIT» = 5',
      'class Outer::«Inner»',
    ],
    use: [
      '  «load»(path)',
      '  return «load»(path)',
      "require '«session»'",
      '  include «Geometry»',
      '  extend «Geometry»',
      'class A < «Session»',
      '  raise «ParseError»',
      '  session.«refresh»',
      '  Session.«new»(x)',
      '  puts «load» path',
      '  «load» path do |x|',
    ],
  },
  'a.php': {
    defines: [
      'function «load»($path) {',
      '    public static function «of»(string $x): self',
      'final class «Session» extends Base',
      'interface «Handler»',
      'trait «Loads» {',
      'namespace «App»;',
      'const «LIMIT» = 5;',
      '$«state» = null;',
      'enum «Suit»: string {',
      "define('«FLAG»', true);",
      '    public function &«ref»() {',
    ],
    use: [
      '    return «load»($path);',
      '    «load»($path);',
      '    $x = «load»($path);',
      '    $this->«load»($path);',
      '    Session::«of»($x);',
      'use App\\«Session»;',
      'use App\\{«Session», Other};',
      '    new «Session»();',
      'class A extends «Session» {',
      '    echo «load»($path);',
    ],
  },
  'a.sh': {
    defines: [
      '«load»() {',
      'function «load» {',
      'function «load»() {',
      '«LIMIT»=5',
      'export «LIMIT»=5',
      'readonly «LIMIT»=5',
      'declare -A «map»=()',
      'alias «ll»="ls -l"',
    ],
    use: ['  «load» "$1"', 'x=$(«load» "$1")', 'if «load»; then', 'echo $«LIMIT»', 'source «lib».sh', 'unset «LIMIT»'],
  },
  'a.swift': {
    defines: [
      'func «load»(path: String) -> Data {',
      'protocol «Handler» {',
      'extension «String» {',
      'struct «Point» {',
      '  static let «shared» = Store()',
    ],
    use: ['  «load»(path)', '  return «load»(path)'],
  },
  'a.kt': {
    defines: [
      'fun «load»(path: String): ByteArray {',
      'data class «Point»(val x: Int)',
      'object «Registry» {',
      '  val «limit» = 5',
      'fun String.«shout»() = uppercase()',
    ],
    use: ['  return «load»(path)', '  val x = «load»(path)'],
  },
  'a.lua': {
    defines: ['function «load»(path)', 'local function «load»(path)', 'function M.«load»(path)'],
    use: ['  return «load»(path)', '  local x = «load»(path)'],
  },
  'a.ex': { defines: ['  def «load»(path) do', '  defp «load»(path) do', 'defmodule «Session» do'] },
};

for (const [path, verdicts] of Object.entries(LINES)) {
  const language = languageOf(path);
  for (const [verdict, lines] of Object.entries(verdicts) as [Verdict, readonly string[]][]) {
    for (const line of lines) {
      const { text, at, length } = marked(line);
      test(`the look of a line in ${path} says "${verdict}" of the name in: ${line.trim()}`, () => {
        const grade = gradeLine(text, at, length, language);
        assert.ok(GRADES[verdict].includes(grade), `${grade} is not ${verdict}`);
      });
    }
  }
}

test('the type of a C prototype is no definition of it, and a body comes before a prototype', () => {
  const grade = (line: string): Grade => {
    const { text, at, length } = marked(line);
    return gradeLine(text, at, length, 'c');
  };
  assert.equal(grade('int «load»(const char *path);'), 'declaration');
  assert.equal(grade('int «load»(const char *path)'), 'definition');
  assert.equal(grade('int «load»(const char *path);	/* a note */'), 'declaration');
});

const ROLES: [role: 'comment' | 'string' | 'code', path: string, line: string][] = [
  ['comment', 'a.ts', '// see «load» for more'],
  ['comment', 'a.ts', 'f(); // see «load»'],
  ['comment', 'a.ts', ' * calls «load»'],
  ['comment', 'a.ts', '/** «load» reads */'],
  ['comment', 'a.ts', 'f(); /* «load» */'],
  ['comment', 'a.py', '# see «load»'],
  ['comment', 'a.py', '    x = 1  # see «load»'],
  ['comment', 'a.py', '# include «load» if it is there'],
  ['comment', 'a.py', '"""«load» reads a file."""'],
  ['comment', 'a.rb', '# define «load» later'],
  ['comment', 'a.rb', 'x = 1 # see «load»'],
  ['comment', 'a.sh', 'run # see «load»'],
  ['comment', 'a.sh', '# if «load» fails'],
  ['comment', 'a.lua', '-- see «load»'],
  ['comment', 'a.sql', '-- see «load»'],
  ['comment', 'a.el', ';; see «load»'],
  ['comment', 'a.html', '<!-- see «load» -->'],
  ['comment', 'a.c', '\tx = 1;\t/* see «load» */'],
  ['comment', 'a.c', ' * «load»() reads'],
  ['comment', 'a.rs', '/// See [`«load»`].'],
  ['comment', 'a.php', '# see «load»'],
  ['string', 'a.ts', "log('«load» failed');"],
  ['string', 'a.ts', 'log("it\'s «load»");'],
  ['string', 'a.ts', 'log(`«load» failed`);'],
  ['string', 'a.ts', "log('a\\'«load»');"],
  ['string', 'a.py', "x = '«load»'"],
  ['string', 'a.c', 'printf("«load» %d\\n", x);'],
  ['string', 'a.rs', 'panic!("«load»");'],
  ['string', 'a.go', 'x := `«load»`'],
  ['code', 'a.ts', '«load»("x");'],
  ['code', 'a.ts', 'log("x", «load»);'],
  ['code', 'a.ts', 'fetch("http://x"); «load»();'],
  ['code', 'a.ts', "const url = 'http://x' + «load»;"],
  ['code', 'a.ts', '/* a note */ «load»();'],
  ['code', 'a.ts', 'f(/* a note */ «load»);'],
  ['code', 'a.ts', '  «#priv» = 0;'],
  ['code', 'a.ts', '  #«priv» = 0;'],
  ['code', 'a.ts', '  --«count»;'],
  ['code', 'a.ts', '  *«items»() {'],
  ['code', 'a.ts', '  * «items»() {'.replace('* ', '*')],
  ['code', 'a.c', '\t*«p» = 5;'],
  ['code', 'a.c', '\t*(int *)«p» = 5;'],
  ['code', 'a.c', '\t**«pp» = NULL;'],
  ['code', 'a.c', '\t--«count»;'],
  ['code', 'a.c', '#define «LIMIT» 5'],
  ['code', 'a.c', '# define «LIMIT» 5'],
  ['code', 'a.c', '#if «LIMIT» > 5'],
  ['code', 'a.c', '#elif «LIMIT» > 5'],
  ['code', 'a.c', "x = '\"'; «load»();"],
  ['code', 'a.cs', '#region «load»'],
  ['code', 'a.rs', '#[derive(«Serialize»)]'],
  ['code', 'a.rs', '#![allow(«dead_code»)]'],
  ['code', 'a.rs', "impl<'a> «Parser»<'a> {"],
  ['code', 'a.rs', "fn f<'a>(x: &'a str, y: &'a «Parser») {"],
  ['code', 'a.rs', "let q = '\"'; «load»();"],
  ['code', 'a.py', 'x = "#" + «load»'],
  ['code', 'a.rb', 'x = "#{«load»}"'],
  ['code', 'a.ts', `log(\`a $\{«load»} b\`);`],
  ['code', 'a.sh', `x=$\{#«list»[@]}`],
  ['code', 'a.sh', `x="$\{«list»}"`],
  ['code', 'a.sh', 'x="$«list»"'],
  ['code', 'a.py', 'x = f"a {«load»} b"'],
  ['string', 'a.py', 'x = "a {«load»} b"'],
  ['string', 'a.ts', `log(\`a $\{x} «load» b\`);`],
  ['code', 'a.py', 'x = a // «size»'],
  ['code', 'a.cs', 'x = $"a {«Load»} b";'],
  ['code', 'a.sh', 'x=$#; «load»'],
  ['code', 'a.py', "don't = 1; «load»()".replace("don't", 'dont')],
];
for (const [role, path, line] of ROLES) {
  test(`a name is ${role} in this line of ${path}: ${line.trim()}`, () => {
    const { text, at } = marked(line);
    assert.equal(roleInLine(text, at, languageOf(path)), role);
  });
}

const LANGUAGES: readonly (LanguageName | undefined)[] = [
  ...(['typescript', 'tsx', 'javascript', 'python', 'go', 'rust', 'java', 'c', 'cpp', 'csharp', 'ruby', 'php', 'bash'] as const),
  undefined,
];
const PARTS = [
  ...[
    '(',
    ')',
    '((',
    '()',
    '( )',
    '[',
    ']',
    '{',
    '}',
    '<',
    '>',
    '<a,',
    ' ',
    '\t',
    '  ',
    '*',
    '&',
    ':',
    '::',
    '.',
    ',',
    ';',
    '=',
    '"',
    "'",
    '`',
  ],
  ...[
    '\\',
    '#',
    '/',
    '//',
    '/*',
    'a',
    'x ',
    'a.',
    'a::',
    'a<b>::',
    'A ',
    'A_B ',
    'AB(x) ',
    '__a ',
    '__a(b) ',
    'static ',
    'const ',
    'typedef ',
  ],
  ...['struct ', 'class ', 'export ', 'pub ', 'function ', '$', '@', '-', '->', '=>', 'a,', '\u{1f600}', 'é', '\u0000', '\n', '\r'],
];
/** Slow machines included. */
const MOST_MS = 50;

function timeOf(text: string, at: number, length: number, language: LanguageName | undefined): number {
  const start = performance.now();
  gradeLine(text, at, length, language);
  roleInLine(text, at, language);
  return performance.now() - start;
}

/** The best of three: what is slow is slow every time. */
function assertFast(text: string, at: number, length: number, language: LanguageName | undefined): void {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3 && best >= MOST_MS; round++) best = Math.min(best, timeOf(text, at, length, language));
  assert.ok(
    best < MOST_MS,
    `${Math.round(best)} ms for ${text.length} units, name at ${at}, ${language}: ${JSON.stringify(text.slice(0, 120))}`,
  );
}

test('hostile lines are answered within 50 ms: random runs of parts', () => {
  const run = fc.tuple(fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 400 }));
  const runs = fc.array(run, { maxLength: 4 }).map((all) => all.map(([parts, times]) => parts.join('').repeat(times)).join(''));
  fc.assert(
    fc.property(runs, runs, fc.constantFrom(...LANGUAGES), (before, after, language) => {
      assertFast(`${before.slice(-300)}name${after}`, Math.min(300, before.length), 4, language);
    }),
    { seed: 7, numRuns: 3_000 },
  );
});

for (const part of PARTS) {
  test(`hostile lines are answered within 50 ms: ${JSON.stringify(part)} up to 1 MB, before and behind the name`, () => {
    for (const language of LANGUAGES) {
      for (const size of [290, 1_000, 1_000_000]) {
        const long = part.repeat(Math.ceil(size / part.length)).slice(0, size);
        assertFast(`${long}name`, long.length, 4, language);
        assertFast(`name${long}`, 0, 4, language);
        assertFast(`${long.slice(0, 250)} name(${long}`, Math.min(251, long.length + 1), 4, language);
        assertFast(`int name(${long}) {`, 4, 4, language);
        assertFast(`typedef ${long.slice(0, 280)} name ${long};`, 0, 4, language);
      }
    }
  });
}
