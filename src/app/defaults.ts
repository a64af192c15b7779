/** What holds when neither the command nor a file says otherwise. */
export const DEFAULT_LEDGER = 'cardline.db';
/** Clients in one request. */
export const DEFAULT_BATCH_SIZE = 200;
/** Requests in flight. */
export const DEFAULT_CONCURRENCY = 4;
/** Time for a lost request to take effect, in milliseconds, where the installation does not say more. */
export const SETTLE_AFTER_MS = 2_000;
