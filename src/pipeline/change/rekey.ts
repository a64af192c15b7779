import type { ClientChanges } from '../../core/center.js';
import type { RekeyPayload } from '../../core/client.js';
import type { ChangeRule } from './rule.js';

/** Gives the client with an internal id new synchronization identifiers (interface.md 4.6c). */
export function rekeyRule({ change }: ClientChanges): ChangeRule<RekeyPayload> {
  return {
    outcome: 'updated',
    keys: ({ identifiers, payload }) => [`client ${payload.clientId}`, identifiers],
    steps: ({ identifiers, payload: { clientId } }) => {
      const body = `{"clientSyncIdentifiers":${identifiers}}`;
      return [{ operation: 'changeSyncIdentifiers', label: '', params: { clientId }, body }];
    },
    send: change,
  };
}
