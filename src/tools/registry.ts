/** The tools, in the order in which clients see them, by the groups that an operator may choose from. */
import type { TOOL_GROUPS } from '../base/config.js';
import { keepOutput } from './keep-output.js';
import { listFiles } from './list-files.js';
import { readSnippet } from './read-snippet.js';
import { searchCode } from './search-code.js';
import { searchOutput } from './search-output.js';
import { searchText } from './search-text.js';
import { sessionStats } from './session-stats.js';
import type { AnyTool } from './tool.js';

export const GROUPS: Readonly<Record<(typeof TOOL_GROUPS)[number], readonly AnyTool[]>> = {
  search: [searchCode, searchText, readSnippet, listFiles],
  output: [searchOutput, keepOutput, sessionStats],
};

export const TOOLS: readonly AnyTool[] = Object.values(GROUPS).flat();
