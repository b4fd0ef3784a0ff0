/** The tools, in the order in which clients see them. */
import { exploreTool } from './explore.js';
import { keepOutput } from './keep-output.js';
import { listFiles } from './list-files.js';
import { locateTool } from './locate.js';
import { readSnippet } from './read-snippet.js';
import { runTests } from './run-tests.js';
import { searchCode } from './search-code.js';
import { searchOutput } from './search-output.js';
import { searchText } from './search-text.js';
import { sessionStats } from './session-stats.js';
import type { AnyTool } from './tool.js';

export const TOOLS: readonly AnyTool[] = [
  searchCode,
  searchText,
  locateTool,
  readSnippet,
  listFiles,
  exploreTool,
  runTests,
  searchOutput,
  keepOutput,
  sessionStats,
];
