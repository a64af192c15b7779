import {
  type AbsentClient,
  type ApplicationState,
  type ClientChanges,
  isAbsent,
} from '../../core/center.js';
import type { FieldValue } from '../../core/client.js';
import type { Step } from './rule.js';

/** What the contact center says of a client that is not there, and of one without a call application (interface.md 7). */
const NO_CLIENT = /^No clients with identifiers/;
const NOT_IN_CAMPAIGN = 'Client not found in campaign';
const NO_APPLICATION = /^(Client not found in campaign|No clients with identifiers)/;

/** The call application of a client in a campaign (interface.md 4.12). */
export async function applicationIn(
  { readApplications }: Pick<ClientChanges, 'readApplications'>,
  identifiers: string,
  campaignId: number,
): Promise<ApplicationState | AbsentClient> {
  const found = await readApplications(identifiers);
  if (isAbsent(found)) return found;
  return found.find((one) => one.campaignId === campaignId) ?? { absent: NOT_IN_CAMPAIGN };
}

/** Deletes a client (interface.md 4.7). */
export const deletion = (identifiers: string, label = ''): Step => ({
  ...{ operation: 'deleteClient', label, doneBefore: NO_CLIENT },
  body: `{"syncIdentifiers":${identifiers}}`,
});

/** Removes a call application (interface.md 4.10), and its callbacks with it if that is wanted. */
export const removal = (
  identifiers: string,
  { campaignId, cancelCallbacks }: { campaignId: number; cancelCallbacks: boolean },
  label = '',
): Step => ({
  ...{ operation: 'removeApplication', label, params: { campaignId }, doneBefore: NO_APPLICATION },
  body: `{"clientIdentifiers":${identifiers},"cancelCallbacks":${cancelCallbacks}}`,
});

/** Changes fields (interface.md 4.2). None: nothing is to be sent. */
export function fieldChange(
  identifiers: string,
  fields: readonly (readonly [name: string, value: FieldValue])[],
): Step[] {
  if (fields.length === 0) return [];
  const fieldsToUpdate = JSON.stringify(Object.fromEntries(fields));
  const body = `{"syncIdentifiers":${identifiers},"fieldsToUpdate":${fieldsToUpdate}}`;
  return [{ operation: 'changeClient', label: 'fields', body }];
}

/** One of the operations on contacts (interface.md 4.3 to 4.6b) for each of them. */
export const contactChanges = (
  identifiers: string,
  operation: Step['operation'],
  label: string,
  contacts: readonly object[],
): Step[] =>
  contacts.map((contact, at) => ({
    operation,
    label: `${label} ${at + 1}`,
    body: `{"clientSyncIdentifiers":${identifiers},${JSON.stringify(contact).slice(1)}`,
  }));
