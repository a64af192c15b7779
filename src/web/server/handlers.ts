import type { Handlers } from './handler.js';
import type { Sessions } from './sessions.js';
import { aboutHandlers } from './steps/about.js';
import { checkHandlers } from './steps/check.js';
import { fileHandlers } from './steps/file.js';
import { importHandlers } from './steps/import.js';
import { setupHandlers } from './steps/setup.js';
import { resultHandlers } from './steps/result.js';
import { historyHandlers } from './steps/history.js';
import { columnsHandlers } from './steps/columns.js';

/** A handler for each route of the table. */
export const handlersOf = (sessions: Sessions): Handlers => ({
  ...aboutHandlers(sessions),
  ...fileHandlers,
  ...checkHandlers,
  ...importHandlers,
  ...setupHandlers,
  ...resultHandlers,
  ...historyHandlers,
  ...columnsHandlers,
});
