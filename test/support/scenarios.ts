/** Seven outputs as agents meet them, made from a fixed seed, each with one planted fact and the words that somebody would ask for it
 *  with. `measure` takes one through the hook and a later search, and tells what of it reached the context. */

const random = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
};

export interface Scenario {
  readonly name: string;
  readonly text: string;
  readonly query: string;
  /** Stands in the text, and must stand in the first result. */
  readonly fact: string;
  /** Share of bytes that must stay out of the context. */
  readonly least: number;
  /** RIPSCOPE_KEEP_BYTES; undefined is the default. */
  readonly keepBytes?: string;
}

const NOUNS = 'invoice order session account report window branch market signal filter ledger parcel ticket vendor region device'.split(
  ' ',
);
const VERBS = 'loads stores checks sends parses merges renders caches opens closes moves signs'.split(' ');

export function scenarios(seed = 5): Scenario[] {
  const next = random(seed);
  const int = (most: number): number => Math.floor(next() * most);
  const pick = (words: readonly string[]): string => words[int(words.length)]!;
  const words = (count: number): string => Array.from({ length: count }, () => `${pick(NOUNS)} ${pick(VERBS)}`).join(' ');
  /** Items until the text has that size, with the planted one two thirds down. */
  const fill = (bytes: number, item: (n: number) => string, planted: string): string => {
    const items: string[] = [];
    for (let size = 0; size < bytes - planted.length; size += items.at(-1)!.length + 1) items.push(item(items.length));
    items.splice(Math.floor((items.length * 2) / 3), 0, planted);
    return items.join('\n');
  };

  const page = fill(
    26_000,
    (n) =>
      `  - listitem [ref=e${n}]:\n    - link "${words(2)}" [ref=e${n}a]:\n      - /url: /catalog/${pick(NOUNS)}/${n}\n    - text: ${words(3)}`,
    '  - alert [ref=e991]:\n    - text: Payment method expired, update the card before Friday\n    - button "Update card" [ref=e992]',
  );
  const issues = Array.from({ length: 57 }, (_, n) => ({
    number: 900 + n,
    title: `${pick(NOUNS)} ${pick(VERBS)} twice`,
    user: { login: `dev${int(30)}`, id: 10_000 + int(9_000), type: 'User' },
    labels: [{ name: pick(['bug', 'docs', 'feature']), color: 'd73a4a' }],
    comments: int(20),
    body: words(9),
  }));
  issues[38] = {
    ...issues[38]!,
    title: 'Websocket reconnect storms after idle laptop wakes',
    body: 'Assigned to the transport team; regression since 4.7.2',
  };
  const tests = fill(
    10_000,
    (n) => `ok ${n + 1} - ${pick(NOUNS)} ${pick(VERBS)} ${words(1)} (${int(90)} ms)`,
    [
      'not ok 77 - checkout rounds half cents to even',
      '  ---',
      "  error: 'Expected values to be strictly equal: 10.02 !== 10.03'",
      '  at: TestContext.<anonymous> (test/checkout.test.js:41:10)',
      '  ...',
    ].join('\n'),
  );
  const paths = Object.fromEntries(
    Array.from({ length: 73 }, (_, n) => [
      `/v2/${pick(NOUNS)}s/{id}/part${n}`,
      {
        get: {
          operationId: `${pick(VERBS)}${n}`,
          summary: words(3),
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          responses: { 200: { description: words(2) }, 404: { description: 'Not found' }, 429: { description: 'Too many requests' } },
        },
      },
    ]),
  );
  const openApi = JSON.stringify(
    {
      openapi: '3.1.0',
      paths: {
        ...paths,
        '/v2/webhooks/{id}/rotate': {
          post: { operationId: 'rotateWebhookSecret', summary: 'Rotates the signing secret; the old one stays valid for 72 hours' },
        },
      },
    },
    undefined,
    2,
  );
  const frames = (count: number, module: string): string[] =>
    Array.from(
      { length: count },
      (_, n) => `    at ${pick(VERBS)}${n} (/srv/app/dist/${module}/${pick(NOUNS)}.js:${int(400) + 1}:${int(60) + 1})`,
    );
  const trace = [
    "TypeError: Cannot read properties of undefined (reading 'currency')",
    ...frames(22, 'billing'),
    '  [cause]: Error: connect ECONNREFUSED 10.3.0.7:5432 (ledger database)',
    ...frames(30, 'pool'),
  ].join('\n');
  const section = (title: string, body: string): string => `## ${title}\n\n${body}\n`;
  const markdown = [
    '# Operations handbook\n',
    section('Install', words(51)),
    section('Configure', words(55)),
    section('Backups', `${words(6)}. Snapshots are kept for 35 days in the second region. ${words(4)}`),
    section('Upgrade', words(56)),
    section('Monitoring', words(58)),
    section('Support', words(51)),
  ].join('\n');
  const log = fill(
    60_000,
    (n) =>
      `10.2.${int(9)}.${int(250)} - - [12/Mar/2025:10:${String(int(60)).padStart(2, '0')}:${String(n % 60).padStart(2, '0')} +0000] "GET /api/${pick(NOUNS)}/${n} HTTP/1.1" 200 ${int(9_000)}`,
    '10.2.4.17 - - [12/Mar/2025:10:41:09 +0000] "POST /api/refunds/confirm HTTP/1.1" 502 311 upstream=payments-b timeout',
  );
  return [
    {
      name: 'page snapshot',
      text: `### Page\n- Page URL: https://shop.example/account\n- Page Snapshot:\n${page}`,
      query: 'payment method expired',
      fact: 'update the card before Friday',
      least: 0.76,
    },
    { name: 'API reply', text: JSON.stringify(issues), query: 'websocket reconnect', fact: 'regression since 4.7.2', least: 0.73 },
    { name: 'test log', text: tests, query: 'checkout rounds half cents', fact: '10.02 !== 10.03', least: 0.53 },
    { name: 'OpenAPI', text: openApi, query: 'rotate webhook signing secret', fact: 'valid for 72 hours', least: 0.96 },
    {
      name: 'stack trace',
      text: trace,
      query: 'cause connection refused database',
      fact: 'ECONNREFUSED 10.3.0.7:5432',
      least: 0.37,
      keepBytes: '1024',
    },
    {
      name: 'Markdown',
      text: markdown,
      query: 'how long are backup snapshots kept',
      fact: 'kept for 35 days',
      least: 0.71,
      keepBytes: '1024',
    },
    { name: 'access log', text: log, query: 'refunds 502 upstream', fact: 'payments-b timeout', least: 0.7 },
  ];
}

export interface Measured {
  readonly name: string;
  readonly bytes: number;
  readonly summaryBytes: number;
  readonly replyBytes: number;
  readonly saved: number;
  readonly isFoundFirst: boolean;
}

/** @param hook   takes an event to what the hook prints
 *  @param search takes a query and a handle to the reply of another process */
export async function measure(
  scenario: Scenario,
  hook: (event: string, env: Record<string, string>) => Promise<string>,
  search: (query: string, handle: string) => Promise<string>,
): Promise<Measured> {
  const event = JSON.stringify({
    session_id: 'measured',
    hook_event_name: 'PostToolUse',
    tool_name: 'mcp__server__tool',
    tool_input: {},
    tool_response: [{ type: 'text', text: scenario.text }],
  });
  const printed = await hook(event, scenario.keepBytes === undefined ? {} : { RIPSCOPE_KEEP_BYTES: scenario.keepBytes });
  const answer = JSON.parse(printed) as { hookSpecificOutput: { updatedToolOutput: { text: string }[] } };
  const summary = answer.hookSpecificOutput.updatedToolOutput[0]!.text;
  const reply = await search(scenario.query, /"source":"([0-9a-f]{32})"/.exec(summary)![1]!);
  const bytes = Buffer.byteLength(scenario.text);
  const [summaryBytes, replyBytes] = [Buffer.byteLength(summary), Buffer.byteLength(reply)];
  const [, first = ''] = reply.split(/^\[\d+\] /m);
  return {
    name: scenario.name,
    bytes,
    summaryBytes,
    replyBytes,
    saved: 1 - (summaryBytes + replyBytes) / bytes,
    isFoundFirst: first.includes(scenario.fact),
  };
}
