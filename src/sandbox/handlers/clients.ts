import { MESSAGES } from '../../contract/shapes.js';
import type { CardValues } from '../card.js';
import { needClient, taken, type Context } from '../context.js';
import type { Handlers } from '../handler.js';
import { invalid, notFound } from '../refusal.js';
import type { StoredClient } from '../store/clients.js';

/** 4.2 and 4.6c to 4.8: client cards that exist. */
export function clientHandlers(
  context: Context,
): Pick<Handlers, 'changeClient' | 'changeSyncIdentifiers' | 'deleteClient' | 'readClient'> {
  const { card, store } = context;
  return {
    changeClient: ({ body }) => {
      const client = needClient(context, body.syncIdentifiers);
      const changes = card.values(body.fieldsToUpdate);
      const emptied = Object.keys(changes).find(
        (name) => changes[name] === null && card.mustNotBeBlank(name),
      );
      if (emptied !== undefined) throw invalid(MESSAGES.fieldRequired(emptied));
      setFields(context, client, changes);
      return undefined;
    },

    changeSyncIdentifiers: ({ params, body }) => {
      const client = store.clients.findById(params.clientId);
      if (!client || client.deleted) throw notFound(MESSAGES.noClient(`id=${params.clientId}`));
      const stranger = Object.keys(body.clientSyncIdentifiers).find(
        (name) => !card.syncNames.includes(name),
      );
      if (stranger !== undefined) {
        throw invalid(`Field [${stranger}] is not a synchronization identifier.`);
      }
      card.needIdentifiers(body.clientSyncIdentifiers);
      setFields(context, client, card.values(body.clientSyncIdentifiers));
      return undefined;
    },

    deleteClient: ({ body }) => {
      store.clients.markDeleted(needClient(context, body.syncIdentifiers).id);
      return undefined;
    },

    readClient: ({ body }) => {
      const { id, type, timeZone, fields } = needClient(context, body.clientSyncIdentifiers);
      const values = Object.fromEntries(card.names.map((name) => [name, fields[name] ?? null]));
      return { clientFieldsToValues: { ...values, id, clientType: type, timeZone } };
    },
  };
}

/** Changes fields of a card; new identifiers must not be another client's, deleted or not. */
function setFields(context: Context, client: StoredClient, changes: CardValues): void {
  const { card, store } = context;
  const fields = { ...client.fields, ...changes };
  const identity = card.identity(fields);
  const holder = store.clients.findByIdentity(identity);
  if (holder && holder.id !== client.id) throw taken(context, holder.deleted, fields);
  store.clients.setFields(client.id, identity, fields);
}
