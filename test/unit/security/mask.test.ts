/** Which parts of a line are keys and tokens, and that nothing else is. The samples are made up here, so that no file holds a key. */
import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { findSecrets, looksLikeKeyBody, maskLine, maskLines, maskParts, placeAfter, secretsOf } from '#dist/security/mask.js';
import { FORMATS } from '#dist/security/secret-formats.js';

const SEED = 20_261_201;
const ALNUM = 'q7Zt2mWx9Lr4Kb8Vn3Hc6Yd1Jf5Gs';
/** So many characters that look random and hold no known word. */
const some = (length: number, letters = ALNUM): string =>
  Array.from({ length }, (_, at) => letters[(at * 7 + at * at) % letters.length]).join('');
const hex = (length: number): string => createHash('sha512').update('ripscope').digest('hex').slice(0, length);
const jwt = ['eyJhbGciOiJIUzI1NiJ9', `eyJ${some(40)}`, some(43)].join('.');

const secrets: [title: string, secret: string][] = [
  ['an AWS access key id', `AKIA${some(16, 'Q7ZT2MWX5LRKB3VN')}`],
  ['a temporary AWS id', `ASIA${some(16, 'Q7ZT2MWX5LRKB3VN')}`],
  ['a GitHub token', `ghp_${some(36)}`],
  ['a GitHub server token', `ghs_${some(36)}`],
  ['a fine-grained GitHub token', `github_pat_${some(82)}`],
  ['a GitLab token', `glpat-${some(20)}`],
  ['a Slack bot token', `xoxb-${some(12, '7294618350')}-${some(24)}`],
  ['a Google API key', `AIza${some(35)}`],
  ['a Stripe key', `sk_live_${some(24)}`],
  ['an npm token', `npm_${some(36)}`],
  ['a PyPI token', `pypi-AgEIcHlwaS5vcmc${some(60)}`],
  ['a SendGrid key', `SG.${some(22)}.${some(43)}`],
  ['a Hugging Face token', `hf_${some(34)}`],
  ['a DigitalOcean token', `dop_v1_${hex(64)}`],
  ['a JSON web token', jwt],
];
const around: [title: string, wrap: (secret: string) => string][] = [
  ['in quotes', (secret) => `const key = "${secret}";`],
  ['as a variable', (secret) => `export KEY=${secret}`],
  ['in a header', (secret) => `  -H 'Authorization: Bearer ${secret}' \\`],
  ['behind an escaped line end', (secret) => `"first\\n${secret}\\nlast"`],
  ['alone', (secret) => secret],
  ['in an address', (secret) => `url%3D${secret}%26b`],
  ['in an address in an address', (secret) => `url%253D${secret}`],
  ['behind a quote of JSON', (secret) => `\\u0022${secret}\\u0022`],
  ['behind an escaped quote', (secret) => `\\x22${secret}\\x22`],
  ['in mail', (secret) => `key=3D${secret} `],
  ['in colour', (secret) => `\u001b[1;31m${secret}\u001b[0m`],
  ['in written colour', (secret) => `\\033[31m${secret}\\033[0m`],
];
for (const [title, secret] of secrets) {
  for (const [where, wrap] of around) {
    test(`${title} ${where} is masked, and nothing else of its line`, () => {
      const line = wrap(secret);
      assert.equal(maskLine(line).text, line.replace(secret, `[masked: ${secret.length} characters]`));
    });
  }
  test(`${title} is not masked within a longer word`, () => assert.deepEqual(findSecrets(`x = abc${secret}`), []));
}

test('of a line that was cut, the beginning of a token at its end is masked', () => {
  assert.equal(maskLine(`f('ghp_${some(20)}…`).text, "f('[masked: 24 characters]…");
  assert.equal(maskLine("f('ghp_abc…").text, "f('ghp_abc…");
  assert.equal(maskLine(`f('ghp_${some(20)}') …`).text, `f('ghp_${some(20)}') …`);
});

const key40 = `${some(20)}/${some(19)}`;
const named: [title: string, line: string, shown: string][] = [
  ['an AWS key behind its name', `aws_secret_access_key = ${key40}`, 'aws_secret_access_key = [masked: 40 characters]'],
  ['an AWS key in JSON', `"SecretAccessKey": "${key40}",`, '"SecretAccessKey": "[masked: 40 characters]",'],
  ['an AWS key beside its id', `AKIAQ7ZT2MWX5LRKB3VN,${key40}`, '[masked: 20 characters],[masked: 40 characters]'],
  ['a password of a connection', 'postgres://app:v7Kq2mWz@db.local/x', 'postgres://app:[masked: 8 characters]@db.local/x'],
  ['a password with a dollar sign', 'postgres://bob:S3cr$tPw9xQ@host/x', 'postgres://bob:[masked: 11 characters]@host/x'],
  ['a password with parentheses', '"https://bob:S3(cr)tPw9xQ@h"', '"https://bob:[masked: 12 characters]@h"'],
  ['a password with an apostrophe', "url = https://bob:S3cr'tPw9xQ@h", 'url = https://bob:[masked: 11 characters]@h'],
  ['a password with a comma', '"https://bob:S3cr,tPw;9xQ@h"', '"https://bob:[masked: 12 characters]@h"'],
  ['a password with all that may stand in one', "amqp://u:aB3-._~!$&'()*+,;=:%40z@h", 'amqp://u:[masked: 23 characters]@h'],
  ['a password that begins like a variable of a shell', 'redis://:$3cr3tPw9@h', 'redis://:[masked: 9 characters]@h'],
  ['a password behind a long name', `https://${'u'.repeat(290)}:S3crtPw9xQ@h`, `https://${'u'.repeat(290)}:[masked: 10 characters]@h`],
  [
    'a token as a user name',
    `https://ghp_${some(36)}:x-oauth-basic@github.com/o/r.git`,
    'https://[masked: 40 characters]:[masked: 13 characters]@github.com/o/r.git',
  ],
  ['a token as a user name, and a known password', `https://glpat-${some(20)}:password@h`, 'https://[masked: 26 characters]:password@h'],
  ['a token of GitLab as a user name', `https://glpat-${some(20)}:pwX9@h`, 'https://[masked: 26 characters]:[masked: 4 characters]@h'],
  ['a token as the user name alone', `https://ghp_${some(36)}@github.com/o/r.git`, 'https://[masked: 40 characters]@github.com/o/r.git'],
  ['an Azure key', `AccountKey=${some(86)}==;`, 'AccountKey=[masked: 88 characters];'],
];
for (const [title, line, shown] of named) test(`${title} is masked`, () => assert.equal(maskLine(line).text, shown));

const innocent: [title: string, line: string][] = [
  ['a git commit', `commit ${hex(40)}`],
  ['a SHA-256', `sha256:${hex(64)}`],
  ['an integrity of npm', `"integrity": "sha512-${createHash('sha512').update('x').digest('base64')}"`],
  ['a UUID', `id: ${randomUUID()}`],
  ['a long identifier', 'const AbstractSingletonProxyFactoryBeanRegistryInitializerConfiguration = 1;'],
  ['a name that begins like a token', 'ghp_helper(npm_config_registry, glpat-format, xoxb-prefix, sk_live_mode, AIzaTable)'],
  ['a prefix in a regex', 'const TOKEN = /ghp_[A-Za-z0-9]{36}/;'],
  ['a placeholder', `token: ghp_${'x'.repeat(36)}`],
  ['an AWS id of the manual', 'AKIAIOSFODNN7EXAMPLE'],
  ['a connection without a password', 'https://user@example.com:8080/path?x=a:b@c'],
  ['a connection with a hole', 'postgres://app:$' + '{PASSWORD}@db/x'],
  ['a port', 'http://localhost:3000@foo'],
  ['a port of a socket', 'wss://example.com:443@abc'],
  ['a port of two digits', 'foo://a:80@b'],
  ['a port in a list of strings', "['http://a:80','x@y']"],
  ['an address between apostrophes', "f('redis://a:b','c@d')"],
  ['a variable of a shell', 'redis://:$PASS@h and redis://u:$pass@h and redis://u:$1@h'],
  ['a command of a shell', 'redis://u:$(cat)@h'],
  ['a call', 'redis://u:getPass()@h'],
  ['a connection of a test set-up', 'postgres://postgres:postgres@localhost/x'],
  ['40 characters without an id', `checksum ${key40}`],
  ['a public key', `-----BEGIN PUBLIC KEY-----${some(80)}`],
];
for (const [title, line] of innocent) test(`nothing is masked in ${title}`, () => assert.equal(maskLine(line).text, line));

test('nothing is masked in 2,000 lines of base64, as of an image', () => {
  let block = Buffer.from('image');
  for (let line = 0; line < 2_000; line++) {
    block = createHash('sha512').update(block).digest();
    const text = `data:image/png;base64,${Buffer.concat([block, block.subarray(7), block.subarray(13)]).toString('base64')}`;
    assert.deepEqual(findSecrets(text), [], text);
  }
});

const withoutBody = (shown: string, lines: readonly string[]): void => {
  for (const body of lines.slice(1, -1)) assert.ok(!shown.includes(body), `${body} in ${shown}`);
};

for (const type of ['pkcs1', 'pkcs8'] as const) {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type, format: 'pem' },
  });
  const lines = privateKey.trimEnd().split('\n');
  const wraps: [title: string, wrap: (line: string) => string][] = [
    ['as it is', (line) => line],
    ['indented', (line) => `    ${line}`],
    ['as a comment', (line) => `# ${line}`],
    ['as strings that are joined', (line) => `  "${line}\\n" +`],
    ['with carriage returns', (line) => `${line}\r`],
    ['as a comment of C', (line) => `// ${line}`],
    ['as bytes of Python', (line) => `    b"${line}\\n"`],
    ['as calls of Java', (line) => `    sb.append("${line}\\n");`],
    ['written by a shell', (line) => `echo "${line}" >> k`],
    ['in a log', (line) => `2024-01-01 INFO ${line}`],
    ['in a table', (line) => `| ${line} |`],
    ['as list items of YAML', (line) => `  - ${line}`],
  ];
  for (const [title, wrap] of wraps) {
    test(`a private key (${type}) ${title}: its body is masked, its two marks stay`, () => {
      const shown = maskLines(['before', ...lines.map(wrap), 'after']);
      for (const [index, line] of lines.entries()) {
        const isMark = index === 0 || index === lines.length - 1;
        assert.equal(shown[index + 1], isMark ? wrap(line) : wrap(line).replace(line, `[masked: ${line.length} characters]`));
      }
      assert.equal(shown.at(-1), 'after');
    });
  }
  test(`a private key (${type}): a window that begins in the body is masked by the lines above, or by the end below`, () => {
    const isMasked = (some: readonly (readonly unknown[])[]): boolean[] => some.map((parts) => parts.length > 0);
    assert.deepEqual(isMasked(secretsOf(lines.slice(5, 8), lines.slice(0, 5))), [true, true, true]);
    const end = lines.slice(-4);
    assert.deepEqual(isMasked(secretsOf(end)), [true, true, true, false]);
    assert.ok(looksLikeKeyBody(lines[5] ?? ''));
  });
  for (const [title, joint] of [
    ['nothing', ''],
    ['escaped line ends', '\\n'],
    ['line ends of JSON within JSON', '\\\\n'],
    ['blanks', ' '],
    ['markup', '<br>'],
  ] as const) {
    test(`a private key (${type}) whose body stands on one long line, joined by ${title}, is masked`, () => {
      const [begin = '', ...rest] = lines;
      const body = rest.slice(0, -1);
      const below = maskLines([begin, body.join(joint), rest.at(-1) ?? '', 'after']);
      withoutBody(below.join('\n'), lines);
      assert.equal(below.at(-1), 'after');
      withoutBody(maskLines([begin, [...body, rest.at(-1)].join(joint)]).join('\n'), lines);
      withoutBody(maskLine(`x = {"key": "${lines.join(joint === '' ? ' ' : joint)}", "b": 1}`).text, lines);
    });
  }
  test(`a private key (${type}) whose end is missing: what follows it is shown`, () => {
    const prose = [
      '',
      'This is how it goes on.',
      'word',
      'const path = a/b;',
      'return true;',
      'more',
      'src/components/some/long/path/to/a/file/of/the/tree',
    ];
    const shown = maskLines([...lines.slice(0, 6), ...prose]);
    withoutBody(shown.join('\n'), lines.slice(0, 7));
    assert.deepEqual(shown.slice(6), prose);
  });
  test(`a private key (${type}) on one line with escaped line ends is masked`, () => {
    const line = `KEY="${privateKey.replaceAll('\n', '\\n')}"`;
    const { text } = maskLine(line);
    assert.match(text, /^KEY="-----BEGIN [A-Z ]+-----\\n\[masked: \d+ characters\]/);
    for (const body of lines.slice(1, -1)) assert.ok(!text.includes(body));
  });
}

test(`what is not masked stays as it is, and every place moves with it (seed ${SEED})`, () => {
  const piece = fc.oneof(
    fc.constantFrom(...secrets.map(([, secret]) => secret)),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(' ', '"', '=', ','),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const text = pieces.join(' ');
      const parts = findSecrets(text);
      const shown = maskParts(text, parts);
      let end = 0;
      for (const part of parts) {
        assert.ok(part.start >= end && part.end > part.start && part.end <= text.length);
        end = part.end;
      }
      for (let at = 0; at <= text.length; at++) {
        const moved = placeAfter(parts, at, 'start');
        if (parts.some(({ start, end: to }) => at >= start && at < to)) assert.ok(shown.startsWith('[masked: ', moved));
        else assert.equal(shown[moved], text[at]);
      }
    }),
    { seed: SEED, numRuns: 1_000 },
  );
});

const BEGIN = '-----BEGIN RSA PRIVATE KEY-----';
const END = '-----END RSA PRIVATE KEY-----';
const long: [title: string, line: string][] = [
  ...FORMATS.slice(0, 90).map(({ prefix }): [string, string] => [
    `${prefix} again and again`,
    prefix.repeat(Math.ceil(200_000 / prefix.length)),
  ]),
  ['beginnings of keys', '-----BEGIN RSA PRIVATE KEY-----'.repeat(6_000)],
  ['connections', 'a://b:c'.repeat(30_000)],
  ['connections without an end', 'a://b:c,d;'.repeat(20_000)],
  ['one connection', `a://${"b:'(,;$@".repeat(20_000)}`],
  ['escapes', '\\u0022%3D'.repeat(20_000)],
  ['ends of keys', '-----END RSA PRIVATE KEY-----'.repeat(6_000)],
  ['base64', 'aB3/'.repeat(50_000)],
  ['pieces of base64', `${'aB3/'.repeat(5)} `.repeat(10_000)],
  ['plus signs', '+'.repeat(200_000)],
  ['backslashes', '\\n'.repeat(100_000)],
  ['full stops', `${'eyJ'.repeat(30_000)}${'.'.repeat(110_000)}`],
];
test('the time is linear: 200,000 characters of the worst kinds take less than two seconds each', () => {
  for (const [title, line] of long) {
    const started = performance.now();
    findSecrets(line);
    looksLikeKeyBody(line.slice(0, 499));
    looksLikeKeyBody(line);
    secretsOf([line]);
    secretsOf([BEGIN, line, line.slice(0, 499), END]);
    secretsOf([line, END]);
    findSecrets(BEGIN + line + END);
    const took = performance.now() - started;
    assert.ok(took < 2_000, `${title}: ${took} ms`);
  }
});

test('a token at the end of a sentence is masked as one amid it', () => {
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.pLIix6MEqW8rTn2bVd5kYcZuHs7gXj';
  const mail = `SG.${'W9Lc3kTq8ZbYv5nRxEdJh2'}.${'ZKC9aB3dE5fG7hJ2kL4mN6pQ8rS1tU3vW5xY7zA9bC1'}`;
  for (const token of [jwt, mail]) {
    for (const end of ['', '.', '...', ' and more.'])
      assert.ok(!maskLine(`It is ${token}${end}`).text.includes(token.slice(-20)), token + end);
  }
});

test('a key behind a label is masked however many blanks align it', () => {
  const key = 'wJalrXUtnFEMIK7MDENGbPxRfiCYzq3LkVtBn8Ws';
  const line = `aws_secret_access_key           = ${key}`;
  assert.equal(maskLine(line).text, `aws_secret_access_key           = [masked: 40 characters]`);
});
