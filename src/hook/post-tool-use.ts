/** The hook behind a tool call: keeps a large output of an MCP tool and puts a summary in its place. What it cannot keep stays as it
 *  is. */

import type { Config } from '../base/config.js';
import { bytes, clip, plural, showControls, showJson } from '../base/display.js';
import { LIMITS } from '../base/limits.js';
import { canonical } from '../chunks/canonical.js';
import { distinctiveWords } from '../chunks/distinctive.js';
import { withoutSecrets } from '../security/mask.js';
import { Roots } from '../security/roots.js';
import { Spools } from '../security/spools.js';
import { isForeignMcp, parseEvent, replacement } from './event.js';

const MOST_NAME = 80;

/** @param input the event; undefined when it was too large to read
 *  @returns what to print; undefined leaves the output as it is
 *  @throws SyntaxError, ToolError: the caller leaves the output as it is then, too */
export async function answerHook(input: Buffer | undefined, config: Config): Promise<string | undefined> {
  const event = input === undefined ? undefined : parseEvent(input.toString('utf8'));
  if (event?.text === undefined || !isForeignMcp(event.tool)) return undefined;
  const size = Buffer.byteLength(event.text);
  if (size <= config.limits.keepBytes || size > LIMITS.maxKeepBytes.def) return undefined;
  const root = await new Roots(config.roots, config.security).find(undefined);
  const spools = new Spools({ limits: config.limits, session: event.session ?? config.session, isServer: false, since: 0 });
  spools.start();
  const { kind, text, lines } = canonical(event.text);
  const kept = spools.keep(root.path, text, { source: event.tool, kind, by: 'hook' });
  const call = `search_output ${showJson({ queries: ['…'], source: kept.handle })}`;
  const words = distinctiveWords(root.masksSecrets ? withoutSecrets(lines) : lines);
  const name = clip(showControls(event.tool), MOST_NAME);
  const summary = [
    `${bytes(size)} (${kind}, ${plural(lines.length, 'line')}) of ${name} were kept out of the context.`,
    `Search them: ${call}`,
    ...(words.length === 0 ? [] : [`Words in them: ${words.join(' ')}`]),
  ].join('\n');
  return replacement(summary);
}
