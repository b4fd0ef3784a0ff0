/** The table of docs/outputs.md: what of seven outputs reaches the context, and what the hook costs.
 *  npm run -s build && npx tsc -p test/tsconfig.json && node test/bench/outputs.mjs */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { measure, scenarios } from '../../dist/test/support/scenarios.js';
import { CLI, Server } from './client.mjs';

const ROUNDS = 15;
const folder = mkdtempSync(path.join(tmpdir(), 'ripscope-outputs-'));
process.env.TMPDIR = folder;
try {
  print('| output | bytes | summary | reply | saved | at least | fact in the first result |', '|---|---|---|---|---|---|---|');
  for (const scenario of scenarios()) {
    const { name, bytes, summaryBytes, replyBytes, saved, isFoundFirst } = await measure(scenario, hook, search);
    const found = isFoundFirst ? 'yes' : 'NO';
    print(`| ${[name, bytes, summaryBytes, replyBytes, percent(saved), percent(scenario.least), found].join(' | ')} |`);
  }
  const event = JSON.stringify({
    session_id: 's',
    hook_event_name: 'PostToolUse',
    tool_name: 'mcp__server__tool',
    tool_response: [{ type: 'text', text: scenarios()[6].text }],
  });
  const [bare, ours] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await timed(() => run(['-e', '0'], '', {})));
    ours.push(await timed(() => hook(event, {})));
  }
  print('', `hook with 60 kB, clock: ${median(ours).toFixed(0)} ms; node -e 0: ${median(bare).toFixed(0)} ms; median of ${ROUNDS}`);
} finally {
  rmSync(folder, { recursive: true });
}

function hook(event, env) {
  return run([CLI, 'hook', 'post-tool-use', '--root', folder], event, env);
}

async function search(query, source) {
  const server = await Server.start(folder);
  try {
    const text = await server.call('search_output', { queries: [query], source });
    if (process.argv.includes('--show')) print(text);
    return text;
  } finally {
    await server.end();
  }
}

function run(args, input, env) {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  child.stdin.end(input);
  return new Promise((resolve) => child.once('close', () => resolve(text)));
}

async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function percent(share) {
  return `${(share * 100).toFixed(1)} %`;
}

function print(...lines) {
  for (const line of lines) process.stdout.write(`${line}\n`);
}
