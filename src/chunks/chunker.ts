/** Any kept text -> pieces, each kind in its own way. Pure. */
import type { Chunk, Kind } from './chunk.js';
import { chunkJson } from './json.js';
import { chunkLog } from './log.js';
import { chunkMarkdown } from './markdown.js';
import { chunkTraces } from './trace.js';

/** In line order; every line is in one piece, or in two where pieces overlap. */
export function chunk(kind: Kind, lines: readonly string[]): Chunk[] {
  switch (kind) {
    case 'json':
      return chunkJson(lines);
    case 'markdown':
      return chunkMarkdown(lines);
    case 'log':
      return chunkLog(lines);
    case 'trace':
    case 'text':
      return chunkTraces(lines);
  }
}
