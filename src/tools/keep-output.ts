/** keep_output: keeps a text out of the context, where search_output finds it. */
import { bytes, clip, plural, showControls, showJson } from '../base/display.js';
import { LIMITS } from '../base/limits.js';
import type { KeptText } from '../security/spool.js';
import { MAX_CHARS, ROOT } from './properties.js';
import { defineTool } from './tool.js';

interface Arguments {
  readonly content: string;
  readonly source: string;
}

interface KeepOutcome {
  readonly kept: KeptText;
  readonly lines: number;
  /** Words that tell what the text is about. */
  readonly words: readonly string[];
}

export const keepOutput = defineTool<Arguments, KeepOutcome>({
  name: 'keep_output',
  group: 'output',
  lane: () => 'light',
  effect: 'adds',
  description: 'Keeps a long text out of the context; search_output finds its parts.',
  input: {
    type: 'object',
    properties: {
      content: { type: 'string', description: 'The text', minLength: 1 },
      source: { type: 'string', description: 'What to call it', minLength: 1, maxLength: LIMITS.sourceChars.max },
      root: ROOT,
      maxChars: MAX_CHARS,
    },
    required: ['content', 'source'],
    additionalProperties: false,
  },
  budget: 'maxChars',
  run: async ({ content, source }, { root, outputs, tally }) => {
    const [{ canonical }, { distinctiveWords }, { withoutSecrets }] = await Promise.all([
      import('../chunks/canonical.js'),
      import('../chunks/distinctive.js'),
      import('../security/mask.js'),
    ]);
    const { kind, text, lines } = canonical(content);
    const kept = outputs.spools.keep(root.path, text, { source, kind, by: 'tool' });
    tally.bytesKept += kept.bytes;
    return { kept, lines: lines.length, words: distinctiveWords(root.masksSecrets ? withoutSecrets(lines) : lines) };
  },
  text: ({ kept, lines, words }, maxChars) => {
    const call = `search_output ${showJson({ queries: ['…'], source: kept.handle })}`;
    const about = `Kept ${bytes(kept.bytes)}, ${plural(lines, 'line')} (${kept.kind}), as ${showControls(kept.source)}.`;
    return clip([about, `# search it: ${call}`, ...(words.length === 0 ? [] : [`# words in it: ${words.join(' ')}`])].join('\n'), maxChars);
  },
  data: ({ kept, lines, words }) => ({ source: kept.handle, name: kept.source, kind: kept.kind, bytes: kept.bytes, lines, words }),
  found: () => true,
  summary: ({ kept }) => ({ bytes: kept.bytes, kind: kept.kind }),
});
