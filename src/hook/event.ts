/** Claude Code's PostToolUse event: what of it matters here, and how an answer replaces the output. Pure. */

export interface ToolEvent {
  readonly tool: string;
  readonly session: string | undefined;
  /** All text of the output; undefined when it holds anything else, such as an image. */
  readonly text: string | undefined;
}

/** Our own tools answer within a budget; keeping their replies would hide the search for what was kept. Clients put the name of the
 *  server, or of a plugin and the server, before that of the tool. */
const OWN = /^mcp__(?:.*[_-])?ripscope__/i;
const OWN_TOOL = /__(?:search_output|keep_output|session_stats)$/;

/** Whether the output of a tool may be kept: one of an MCP server that is not ours. */
export const isForeignMcp = (tool: string): boolean => tool.startsWith('mcp__') && !OWN.test(tool) && !OWN_TOOL.test(tool);

/** @returns undefined for what is no such event
 *  @throws SyntaxError for what is no JSON */
export function parseEvent(input: string): ToolEvent | undefined {
  const event: unknown = JSON.parse(input);
  if (typeof event !== 'object' || event === null) return undefined;
  const { hook_event_name: name, tool_name: tool, session_id: session, tool_response: response } = event as Record<string, unknown>;
  if (name !== 'PostToolUse' || typeof tool !== 'string') return undefined;
  return { tool, session: typeof session === 'string' && session !== '' ? session : undefined, text: textOf(response) };
}

/** The output is a list of content blocks, a text (of a result with structured content), or a result with blocks in it. */
function textOf(response: unknown): string | undefined {
  if (typeof response === 'string') return response;
  if (Array.isArray(response)) {
    const texts = response.map((block: unknown) => (isTextBlock(block) ? block.text : undefined));
    return texts.every((text) => text !== undefined) ? texts.join('\n') : undefined;
  }
  if (typeof response !== 'object' || response === null) return undefined;
  const { content, isError } = response as Record<string, unknown>;
  // An error is short, and what it says decides what is done next.
  if (isError === true) return undefined;
  return content === undefined ? JSON.stringify(response) : textOf(content);
}

function isTextBlock(block: unknown): block is { text: string } {
  if (typeof block !== 'object' || block === null) return false;
  const { type, text } = block as Record<string, unknown>;
  return type === 'text' && typeof text === 'string';
}

/** The answer that puts a summary in place of the output. Clients before the current field read the older one, of MCP tools alone. */
export function replacement(summary: string): string {
  const output = [{ type: 'text', text: summary }];
  return JSON.stringify({
    hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: output, updatedMCPToolOutput: output },
  });
}
