/** session_stats: what this server has searched, returned and kept out of the context. */
import { bytes, clip, count, plural } from '../base/display.js';
import type { ToolTotals } from './account.js';
import { MAX_CHARS, ROOT } from './properties.js';
import { defineTool } from './tool.js';

interface StatsOutcome {
  readonly since: Date;
  readonly tools: readonly Readonly<ToolTotals>[];
  /** What hooks of this session have kept, as far as it is still there. */
  readonly byHook: { readonly texts: number; readonly bytes: number };
}

type Totals = Omit<ToolTotals, 'tool'>;

export const sessionStats = defineTool<object, StatsOutcome>({
  name: 'session_stats',
  group: 'output',
  lane: () => 'light',
  effect: 'reads',
  description: 'Bytes searched, returned and kept out of the context, by tool.',
  input: { type: 'object', properties: { root: ROOT, maxChars: MAX_CHARS }, additionalProperties: false },
  budget: 'maxChars',
  run: async (_, { root, outputs }) => {
    const hooked = outputs.spools.visible(root.path).filter(({ by }) => by === 'hook');
    return {
      since: outputs.account.since,
      // A copy: this very call is counted when it is answered.
      tools: outputs.account.tools.map((totals) => ({ ...totals })),
      byHook: { texts: hooked.length, bytes: hooked.reduce((sum, text) => sum + text.bytes, 0) },
    };
  },
  text: (outcome, maxChars) => {
    const { since, tools, byHook } = outcome;
    const all = sum(tools);
    const saved = savedShare(outcome);
    const head = `Since ${since.toISOString()}: ${row(all)}${saved === undefined ? '' : `; ${percent(saved)} stayed out of the context`}`;
    const rows = tools.map((totals) => `${totals.tool}  ${row(totals)}`);
    const facts = [
      ...(byHook.texts > 0 ? [`the hook kept ${plural(byHook.texts, 'output')}, ${bytes(byHook.bytes)}`] : []),
      ...(all.runsCut > 0 ? [`${plural(all.runsCut, 'search')} stopped at a cap and not counted in the bytes searched`] : []),
    ];
    return clip([head, ...rows, ...facts.map((fact) => `# ${fact}`)].join('\n'), maxChars);
  },
  data: (outcome) => {
    const { since, tools, byHook } = outcome;
    const { runsCut, ...all } = sum(tools);
    return {
      since: since.toISOString(),
      ...all,
      ms: Math.round(all.ms),
      bytesKeptByHook: byHook.bytes,
      savedShare: savedShare(outcome) ?? null,
      searchesCut: runsCut,
      tools: tools.map(({ runsCut: searchesCut, ...totals }) => ({ ...totals, ms: Math.round(totals.ms), searchesCut })),
    };
  },
  found: () => true,
  summary: ({ tools }) => ({ calls: sum(tools).calls }),
});

function sum(tools: readonly Totals[]): Totals {
  const total = (field: keyof Totals): number => tools.reduce((all, one) => all + one[field], 0);
  return {
    calls: total('calls'),
    ms: total('ms'),
    bytesSearched: total('bytesSearched'),
    bytesReturned: total('bytesReturned'),
    bytesKept: total('bytesKept'),
    runsCut: total('runsCut'),
  };
}

/** The part of all that was searched or kept that was not returned; undefined before anything was. */
function savedShare({ tools, byHook }: StatsOutcome): number | undefined {
  const { bytesSearched, bytesKept, bytesReturned } = sum(tools);
  const whole = bytesSearched + bytesKept + byHook.bytes;
  return whole === 0 ? undefined : Math.max(0, 1 - bytesReturned / whole);
}

const percent = (share: number): string => `${(Math.floor(share * 1_000) / 10).toFixed(1)} %`;

function row({ calls, ms, bytesSearched, bytesReturned, bytesKept }: Totals): string {
  const kept = bytesKept === 0 ? '' : `, kept ${bytes(bytesKept)}`;
  return `${plural(calls, 'call')} in ${count(Math.round(ms))} ms, searched ${bytes(bytesSearched)}, returned ${bytes(bytesReturned)}${kept}`;
}
