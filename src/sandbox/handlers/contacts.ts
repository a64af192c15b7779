import type { SyncIdentifiers } from '../../core/client.js';
import { needClient, type Context } from '../context.js';
import type { ContactKind } from '../contact-key.js';
import type { Handlers } from '../handler.js';
import { conflict, notFound } from '../refusal.js';

type ContactOperation =
  'addPhone' | 'setPhoneStatus' | 'addEmail' | 'setEmailStatus' | 'addAddress' | 'setAddressStatus';

const WORDS = { phone: 'Phone', email: 'E-mail', address: 'Address' } as const;

/** 4.3 to 4.6b: phones, e-mails and addresses of a client card. */
export function contactHandlers(context: Context): Pick<Handlers, ContactOperation> {
  const { contacts } = context.store;

  const add = (
    identifiers: SyncIdentifiers,
    kind: ContactKind,
    value: string,
    type: string | null,
  ): undefined => {
    const { id } = needClient(context, identifiers);
    if (!contacts.add(id, kind, value, type)) {
      throw conflict(`${WORDS[kind]} already exists on the client card`);
    }
  };

  const setActive = (
    identifiers: SyncIdentifiers,
    kind: ContactKind,
    value: string,
    active: boolean,
  ): undefined => {
    const { id } = needClient(context, identifiers);
    if (!contacts.setActive(id, kind, value, active)) {
      throw notFound(`${WORDS[kind]} not found on the client card`);
    }
  };

  return {
    addPhone: ({ body }) => add(body.clientSyncIdentifiers, 'phone', body.phoneNumber, body.type),
    setPhoneStatus: ({ body }) =>
      setActive(body.clientSyncIdentifiers, 'phone', body.phoneNumber, body.active),
    addEmail: ({ body }) => add(body.clientSyncIdentifiers, 'email', body.emailAddress, null),
    setEmailStatus: ({ body }) =>
      setActive(body.clientSyncIdentifiers, 'email', body.emailAddress, body.active),
    addAddress: ({ body }) =>
      add(body.clientSyncIdentifiers, 'address', body.clientAddress, body.type),
    setAddressStatus: ({ body }) =>
      setActive(body.clientSyncIdentifiers, 'address', body.clientAddress, body.active),
  };
}
