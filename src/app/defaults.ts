/** What holds when neither the command nor a file says otherwise. */
export const DEFAULT_LEDGER = 'cardline.db';
/** Clients in one request, where that is found out: at least, to begin with, and at most without another limit. */
export const BATCH_SIZES = { min: 50, first: 200, max: 500 };
/** Most requests in flight, where their number is found out and the installation has no limit. */
export const MAX_CONCURRENCY = 32;
/** Pieces of shared runs that a process works on at a time. */
export const PIECES_AT_A_TIME = 2;
/** How long a worker waits for its database, in milliseconds. */
export const GIVE_UP_MS = 900_000;
/** Share of the time in which an answer has to come that it should take at most, for requests of a size to be made. */
export const SHARE_OF_TIMEOUT = 1 / 6;
/** After how long the contact center surely no longer works on a lost request, at least, in milliseconds. */
export const MIN_SERVER_DEADLINE_MS = 60_000;
/** How soon after its answer was lost it is looked up what became of a request, in milliseconds. */
export const SETTLE_AFTER_MS = 2_000;
