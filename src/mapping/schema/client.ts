import { z } from 'zod';
import { contactsOfClient, contactStatuses, contactsToAdd } from './contacts.js';
import { clientZone } from './time-zone.js';
import { value } from './value.js';

/** The section `client` of the modes that create a client. */
export const createdClient = z
  .strictObject({
    clientRoleId: value.describe('Role of the client: a whole number.'),
    type: value.optional().describe('SIMPLE or VIP. Default: SIMPLE.'),
    timeZone: clientZone,
    fields: z
      .record(z.string(), value)
      .describe('Custom card fields by name; every synchronization identifier must be among them.'),
    ...contactsOfClient,
  })
  .meta({ id: 'createdClient' })
  .describe('How a row becomes a client card.');

export const changedClient = z
  .strictObject({
    fields: z
      .record(z.string(), value)
      .describe(
        'Custom card fields by name: every synchronization identifier, and what is changed. An empty cell changes ' +
          'nothing.',
      ),
    ...contactsToAdd,
  })
  .describe('What a row changes of a client card.');

const identifyingFields = z
  .record(z.string(), value)
  .describe('The synchronization identifiers by name: all of them, and nothing else.');

/** The section `client` of the modes that want to know no more than which client is meant. */
export const identifiedClient = z
  .strictObject({ fields: identifyingFields })
  .meta({ id: 'identifiedClient' })
  .describe('Which client a row is about.');

const KINDS = ['phones', 'emails', 'addresses'] as const;

export const clientWithStatuses = z
  .strictObject({ fields: identifyingFields, ...contactStatuses })
  .refine((written) => KINDS.some((kind) => (written[kind] ?? []).length > 0), {
    message: 'mode contacts needs client.phones, client.emails or client.addresses.',
    // A mistake in the fields says nothing of the contacts: both are reported at once.
    when: ({ value: written }) => typeof written === 'object' && written !== null,
  })
  // The same for editors, which know nothing of the check above.
  .meta({
    anyOf: KINDS.map((kind) => ({
      type: 'object',
      properties: { [kind]: { type: 'array', minItems: 1, description: 'At least one.' } },
      required: [kind],
    })),
  })
  .describe('Which client a row is about, and which of its contacts get a status.');

export type CreatedClient = z.output<typeof createdClient>;
export type ChangedClient = z.output<typeof changedClient>;
export type ClientWithStatuses = z.output<typeof clientWithStatuses>;
/** Card fields by name, as written. */
export type FieldSpecs = CreatedClient['fields'];
