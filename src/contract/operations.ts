import { z } from 'zod';
import { applicationOperations, callbackOperations } from './applications.js';
import { campaignOperations } from './campaigns.js';
import {
  type Operation,
  addressType,
  cardFields,
  client,
  filledText,
  phoneType,
  syncIdentifiers,
} from './shapes.js';

const active = z.boolean().describe('true: active; false: inactive.');

const clientSyncIdentifiers = syncIdentifiers;

/** Sections 4.1 to 4.8: clients and their contact data. */

const NO_CLIENT = 'No clients with identifiers: [<identifiers>]';

const clientOperations = {
  addClients: {
    section: '4.1',
    summary: 'Add clients',
    tag: 'Clients',
    method: 'POST',
    path: '/api/v1/clients/exec.do',
    body: z.object({
      clients: z.array(client),
      recovery: z
        .boolean()
        .optional()
        .describe(
          'Restores the card of a deleted client that is added again. The interface shows neither its place nor its type.',
        ),
    }),
    status: 201,
    response: z.looseObject({
      createResult: z.array(
        z.looseObject({
          uuid: z.string(),
          result: z.string().describe('Success, or why this client was refused.'),
          createdClientId: z.int().optional().describe('Internal client id; on success alone.'),
        }),
      ),
    }),
    messages: [
      "Client doesn't have all syncronize identifier fields.",
      'Field [<field_name>] is required.',
    ],
  },
  changeClient: {
    section: '4.2',
    summary: 'Change client data',
    tag: 'Clients',
    method: 'PUT',
    path: '/api/v1/clients/exec.do',
    body: z.object({
      syncIdentifiers,
      fieldsToUpdate: cardFields.describe('Custom card fields to change.'),
    }),
    messages: [NO_CLIENT],
  },
  addPhone: {
    section: '4.3',
    summary: 'Add a phone to a client card',
    tag: 'Clients',
    method: 'POST',
    path: '/api/v1/clients/phones/exec.do',
    body: z.object({ clientSyncIdentifiers, phoneNumber: filledText, type: phoneType }),
    messages: [NO_CLIENT],
  },
  setPhoneStatus: {
    section: '4.4',
    summary: 'Change the status of a phone',
    tag: 'Clients',
    method: 'PUT',
    path: '/api/v1/clients/phones/statuses/exec.do',
    body: z.object({ clientSyncIdentifiers, phoneNumber: filledText, active }),
    messages: [NO_CLIENT],
  },
  addEmail: {
    section: '4.5',
    summary: 'Add an e-mail address to a client card',
    tag: 'Clients',
    method: 'POST',
    path: '/api/v1/clients/emails/exec.do',
    body: z.object({ clientSyncIdentifiers, emailAddress: filledText }),
    messages: [NO_CLIENT],
  },
  setEmailStatus: {
    section: '4.6',
    summary: 'Change the status of an e-mail address',
    tag: 'Clients',
    method: 'PUT',
    path: '/api/v1/clients/emails/statuses/exec.do',
    body: z.object({ clientSyncIdentifiers, emailAddress: filledText, active }),
    messages: [NO_CLIENT],
  },
  addAddress: {
    section: '4.6a',
    summary: 'Add an address to a client card',
    tag: 'Clients',
    method: 'POST',
    path: '/api/v1/clients/addresses/exec.do',
    body: z.object({ clientSyncIdentifiers, clientAddress: filledText, type: addressType }),
    messages: [NO_CLIENT],
  },
  setAddressStatus: {
    section: '4.6b',
    summary: 'Change the status of an address',
    tag: 'Clients',
    method: 'PUT',
    path: '/api/v1/clients/addresses/statuses/exec.do',
    body: z.object({ clientSyncIdentifiers, clientAddress: filledText, active }),
    messages: [NO_CLIENT],
  },
  changeSyncIdentifiers: {
    section: '4.6c',
    summary: 'Change synchronized fields by internal id',
    tag: 'Clients',
    method: 'PUT',
    path: '/api/v1/clients/{clientId}/syncIdentifiers/exec.do',
    params: z.object({ clientId: z.int().describe('Internal client id.') }),
    body: z.object({ clientSyncIdentifiers }),
  },
  deleteClient: {
    section: '4.7',
    summary: 'Delete a client',
    tag: 'Clients',
    method: 'DELETE',
    path: '/api/v1/clients/exec.do',
    body: z.object({ syncIdentifiers }),
    messages: [NO_CLIENT],
  },
  readClient: {
    section: '4.8',
    summary: 'Read a client card by synchronization identifiers',
    tag: 'Clients',
    method: 'POST',
    path: '/api/v1/clients/by/syncIds.json',
    body: z.object({ clientSyncIdentifiers }),
    response: z.looseObject({
      clientFieldsToValues: z
        .looseObject({ id: z.int().optional().describe('Internal client id.') })
        .describe('Card field name to value; the fields depend on the card configuration.'),
    }),
    messages: [NO_CLIENT],
  },
} as const satisfies Record<string, Operation>;

/** The whole interface: 24 operations, in the order of interface.md. Everything else is derived from it. */
export const operations = {
  ...clientOperations,
  ...applicationOperations,
  ...campaignOperations,
  ...callbackOperations,
} as const satisfies Record<string, Operation>;

type Operations = typeof operations;
export type OperationName = keyof Operations;

type Part<O, K extends string> =
  O extends Record<K, infer S extends z.ZodType> ? Record<K, z.input<S>> : unknown;

/** What a caller gives to an operation: its path parameters, query and body, as far as it has them. */
export type OperationInput<N extends OperationName> = Part<Operations[N], 'params'> &
  Part<Operations[N], 'query'> &
  Part<Operations[N], 'body'>;

/** What an operation resolves with; `undefined` where the interface shows no form of the acknowledgement. */
export type OperationOutput<N extends OperationName> = Operations[N] extends {
  response: infer R extends z.ZodType;
}
  ? z.output<R>
  : undefined;
