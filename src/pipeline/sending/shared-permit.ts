import { TryLaterError } from '../../core/errors.js';
import type { Permit, RequestEnding, SharedPermits } from '../../core/ledger.js';

/** Takes a permit that is good within the permitted hours. */
export async function takePermit(
  shared: SharedPermits,
  clients: number,
  signal: AbortSignal,
  untilPermitted: () => Promise<boolean>,
): Promise<Permit> {
  for (;;) {
    const permit = await shared.take(clients, signal);
    let hasWaited: boolean;
    try {
      hasWaited = await untilPermitted();
    } catch (error) {
      permit.unused();
      throw error;
    }
    // What was a permit before the hours ended is none after them.
    if (!hasWaited) return permit;
    permit.unused();
  }
}

/** Sends a request with a permit, and says how it ended. */
export async function withPermit<T>(permit: Permit, send: () => Promise<T>): Promise<T> {
  let ending: RequestEnding = { refused: false };
  try {
    return await send();
  } catch (error) {
    if (error instanceof TryLaterError)
      ending = { refused: true, retryAfterMs: error.retryAfterMs };
    throw error;
  } finally {
    permit.ended(ending);
  }
}
