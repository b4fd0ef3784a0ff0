/** Reading a file by the calls that each reply names gives back exactly the file. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Args, Dice, type Lab, openLab, plant } from '../../support/e2e-lab.js';
import { bytes, utf16be, utf16le } from '../../support/fixtures.js';
import { unstamped } from '../../support/replies.js';

const SEEDS = Array.from({ length: 24 }, (_, i) => i + 1);
const picture = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000a-\u001f\u007f]/g, (char) =>
    char === '\u007f' ? '\u2421' : String.fromCharCode(0x2400 + char.charCodeAt(0)),
  );

/** Whether no pair of surrogates is cut. */
const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);

/** Lines as rg counts them; the CR of a CR LF belongs to the line end. */
function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  else lines[lines.length - 1] = `${lines.at(-1)}\0no end`;
  return lines.map((line) => (line.endsWith('\0no end') ? line.slice(0, -'\0no end'.length) : line.replace(/\r$/, '')));
}

function randomText(dice: Dice): string {
  const letters = ['a', 'b', ' ', '\t', '\u00e9', '\u4e2d', '\u{1f600}', '\u{10ffff}', '\u0001', '\u001b', '\u007f', '\r', '#', '…', '"'];
  const line = (): string => {
    const size = dice.pick([0, 0, 3, 20, 80, 400, 3_000]);
    let text = '';
    while (text.length < size) text += dice.pick(letters).repeat(dice.pick([1, 1, 1, 40]));
    return text.replace(/\r$/, '');
  };
  const lines = dice.many(0, 25, line);
  const ends = dice.pick([['\n'], ['\r\n'], ['\n', '\r\n']]);
  return lines.map((text, index) => text + (index === lines.length - 1 && dice.chance(0.4) ? '' : dice.pick(ends))).join('');
}

/** Every line as the data of all pages gives it. */
async function walkData(lab: Lab, first: Args, check: (part: string) => void = () => {}): Promise<Map<number, string>> {
  const lines = new Map<number, string>();
  let call: Args | undefined = first;
  for (let page = 0; call !== undefined; page++) {
    assert.ok(page < 3_000, `no end in sight: ${JSON.stringify(call)}`);
    const { data, isError, text } = await lab.json('read_snippet', { ...first, ...call });
    assert.ok(!isError, text);
    for (const { line, text: part } of data.lines ?? []) {
      check(part);
      lines.set(line, (lines.get(line) ?? '') + part);
    }
    assert.equal(data.truncated, data.next !== undefined);
    if (data.next !== undefined) assert.notDeepEqual({ ...first, ...data.next }, { ...first, ...call }, 'the next call is another one');
    call = data.next;
  }
  return lines;
}

/** Every line as the text of all pages shows it. */
async function walkText(lab: Lab, first: Args, maxChars: number): Promise<Map<number, string>> {
  const lines = new Map<number, string>();
  let call: Args | undefined = first;
  for (let page = 0; call !== undefined; page++) {
    assert.ok(page < 3_000, `no end in sight: ${JSON.stringify(call)}`);
    const { text, isError } = await lab.text('read_snippet', { ...first, ...call });
    assert.ok(!isError, text);
    assert.ok(text.length <= maxChars, `${text.length} characters of ${maxChars}`);
    assert.ok(isWellFormed(text));
    const more = /\n# more: read_snippet (\{.*\})(?:\n# .*)*$/.exec(text)?.[1];
    const next = more === undefined ? undefined : (JSON.parse(more) as Args);
    const rows = text
      .split('\n')
      .slice(1)
      .filter((line) => !line.startsWith('# '));
    for (const [index, row] of rows.entries()) {
      const [, number = '', shown = ''] = /^(\d+)\t(.*)$/s.exec(row) ?? assert.fail(`no line: ${row}`);
      const isCut = index === rows.length - 1 && next?.startColumn !== undefined;
      if (isCut) assert.ok(shown.endsWith('…'));
      lines.set(Number(number), (lines.get(Number(number)) ?? '') + (isCut ? shown.slice(0, -1) : shown));
    }
    if (next !== undefined) assert.notDeepEqual({ ...first, ...next }, { ...first, ...call }, 'the next call is another one');
    call = next;
  }
  return lines;
}

const asMap = (lines: readonly string[]): Map<number, string> => new Map(lines.map((line, index) => [index + 1, line]));

for (const seed of SEEDS) {
  test(`walking a file by its "more" calls gives back exactly its text (seed ${seed})`, async () => {
    const dice = new Dice(seed);
    const text = randomText(dice);
    const encoded = dice.pick([
      Buffer.from(text),
      Buffer.from(text),
      bytes([0xef, 0xbb, 0xbf], text),
      Buffer.concat([bytes([0xff, 0xfe]), utf16le(text)]),
      Buffer.concat([bytes([0xfe, 0xff]), utf16be(text)]),
    ]);
    const lab = openLab(plant({ 'f.txt': encoded }));
    const wanted = asMap(linesOf(text));
    const maxChars = dice.pick([500, dice.int(500, 2_000), dice.int(500, 50_000)]);
    const budget = { path: 'f.txt', maxChars, maxLines: dice.pick([1, dice.int(2, 9), 500]) };
    assert.deepEqual(await walkData(lab, budget), wanted);
    assert.deepEqual(await walkText(lab, budget, maxChars), new Map([...wanted].map(([line, shown]) => [line, picture(shown)])));
  });
}

test('a file that is too large to be counted is walked to its end all the same', async () => {
  const lines = Array.from({ length: 4_000 }, (_, i) => `line ${i + 1} ${'x'.repeat(30)}`);
  const lab = openLab(plant({ 'f.txt': `${lines.join('\n')}\n` }), { limits: { countLinesBytes: 0 } });
  assert.deepEqual(await walkData(lab, { path: 'f.txt', maxChars: 20_000 }), asMap(lines));
  assert.deepEqual(await walkText(lab, { path: 'f.txt', maxChars: 20_000 }, 20_000), asMap(lines));
});

test('a range is walked to its own end and no further', async () => {
  const lines = Array.from({ length: 90 }, (_, i) => `${i + 1} ${'y'.repeat(40)}`);
  const lab = openLab(plant({ 'f.txt': lines.join('\n') }));
  const range = { path: 'f.txt', startLine: 20, endLine: 75, maxChars: 600 };
  const wanted = new Map([...asMap(lines)].filter(([line]) => line >= 20 && line <= 75));
  assert.deepEqual(await walkData(lab, range), wanted);
  assert.deepEqual(await walkText(lab, range, 600), wanted);
});

for (const form of ['text', 'data'] as const) {
  test(`a long line of pairs of surrogates is cut between them, whatever the budget (${form})`, async () => {
    const isWhole = (part: string): void => assert.ok(isWellFormed(part), `a pair is cut: ${JSON.stringify(part.slice(-4))}`);
    for (const before of ['', 'a']) {
      const text = before + '\u{1f600}'.repeat(2_000);
      const lab = openLab(plant({ 'f.txt': `short\n${text}\n` }));
      for (const maxChars of [500, 501, 502, 503]) {
        const call = { path: 'f.txt', maxChars };
        const lines = await (form === 'text' ? walkText(lab, call, maxChars) : walkData(lab, call, isWhole));
        assert.deepEqual(lines, asMap(['short', text]));
      }
    }
  });
}

for (const length of [100, 200, 230, 240, 245]) {
  test(`a long line in a file with a path of ${length} characters gets on, or the reply asks for more room`, async () => {
    const path = `${'d'.repeat(length - 2)}/f`.replace(/d{200}/, (letters) => `${letters}/`);
    const lab = openLab(plant({ [path]: `${'x'.repeat(5_000)}\nend\n` }));
    const { text, isError } = await lab.text('read_snippet', { path, maxChars: 500 });
    assert.ok(text.length <= 500);
    const more = /^# more: read_snippet (\{.*\})$/m.exec(text)?.[1];
    const isOn = more !== undefined && ((JSON.parse(more) as { startColumn?: number }).startColumn ?? 1) > 1;
    assert.ok(isOn || isError || /raise maxChars/.test(text), text);
  });
}

/** title, file, call, head line, rows and facts */
const shown: [string, string | Buffer, Args, string][] = [
  ['lines are numbered', 'a\nb\n', {}, 'f.txt  lines 1-2 of 2\n1\ta\n2\tb'],
  ['a last line without an end counts', 'a\nb', {}, 'f.txt  lines 1-2 of 2\n1\ta\n2\tb'],
  ['an empty last line counts', 'a\n\n', {}, 'f.txt  lines 1-2 of 2\n1\ta\n2\t'],
  ['an empty file is said to be empty', '', {}, 'f.txt  lines 0 of 0\n# the file is empty'],
  ['a range', 'a\nb\nc\n', { startLine: 2, endLine: 2 }, 'f.txt  lines 2-2 of 3\n2\tb'],
  ['an end beyond the file', 'a\nb\n', { endLine: 9 }, 'f.txt  lines 1-2 of 2\n1\ta\n2\tb\n# the file ends at line 2'],
  [
    'a cut by maxLines names the next call',
    'a\nb\n',
    { maxLines: 1 },
    'f.txt  lines 1-1 of 2\n1\ta\n# more: read_snippet {"path":"f.txt","startLine":2}',
  ],
  ['a column', 'abc\n', { startColumn: 3 }, 'f.txt  lines 1-1 of 1, from column 3\n1\tc'],
  ['a CR inside a line is shown, that of a line end is not', 'a\rb\r\nc', {}, 'f.txt  lines 1-2 of 2\n1\ta\u240db\n2\tc'],
  ['control characters become pictures', '\u001b[31m\u0007\u007f\n', {}, 'f.txt  lines 1-1 of 1\n1\t\u241b[31m\u2407\u2421'],
  ['a byte order mark is no text', bytes([0xef, 0xbb, 0xbf], 'a\n'), {}, 'f.txt  lines 1-1 of 1\n1\ta'],
  ['UTF-16 with a mark is read', Buffer.concat([bytes([0xff, 0xfe]), utf16le('a\n\u00e9')]), {}, 'f.txt  lines 1-2 of 2\n1\ta\n2\t\u00e9'],
  ['bytes that are no UTF-8 become replacement characters', bytes('a', [0xff], 'b\n'), {}, 'f.txt  lines 1-1 of 1\n1\ta\ufffdb'],
];
for (const [title, file, args, wanted] of shown) {
  test(title, async () => {
    const { text } = await openLab(plant({ 'f.txt': file })).text('read_snippet', { path: 'f.txt', ...args });
    assert.equal(unstamped(text), wanted);
  });
}

test('the numbers are those of search_text', async () => {
  const lab = openLab(plant({ 'f.txt': 'a\r\rb\r\n\u2028x\u0085\u000b\u000c\nneedle\n' }));
  const { data } = await lab.json('search_text', { pattern: 'needle' });
  const [match] = data.matches ?? [];
  const { data: read } = await lab.json('read_snippet', { path: 'f.txt', startLine: match?.line, endLine: match?.line });
  assert.equal(read.lines?.[0]?.text, 'needle');
});
