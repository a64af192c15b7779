import type { ClientChanges } from '../../core/change.js';
import type { RekeyPayload } from '../../core/payload.js';
import { payloadOf } from './payload.js';
import type { ChangeRule, Subject } from './rule.js';

/** Gives the client with an internal id new synchronization identifiers (interface.md 4.6c). */
export function rekeyRule({ change }: ClientChanges): ChangeRule {
  return {
    outcome: 'updated',
    keys: (subject) => [`client ${clientIdOf(subject)}`, subject.identifiers],
    steps: (subject) => {
      const clientId = clientIdOf(subject);
      const body = `{"clientSyncIdentifiers":${subject.identifiers}}`;
      return [{ operation: 'changeSyncIdentifiers', label: '', params: { clientId }, body }];
    },
    send: change,
  };
}

const clientIdOf = (subject: Subject): number => (payloadOf(subject) as RekeyPayload).clientId;
