import type { Context } from './context.js';
import { tooLarge } from './refusal.js';

/** @throws Refusal of the whole request when it holds more clients than the installation permits */
export function withinClientLimit(
  { clientsPerRequest }: Context,
  clients: readonly unknown[],
): void {
  if (clientsPerRequest !== undefined && clients.length > clientsPerRequest) {
    throw tooLarge(
      `The request holds ${clients.length} clients; at most ${clientsPerRequest} are permitted.`,
    );
  }
}
