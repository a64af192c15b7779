import type { FailureLimit } from '../../pipeline/failures.js';

/**
 * In place of the limit of a run that has stopped for a person: its command is executed to learn how it stands, sends
 * nothing, and leaves the run the limits that it has.
 */
export const NOTHING_MORE: FailureLimit = { count: -1 };
