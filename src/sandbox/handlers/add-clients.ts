import { SUCCESS } from '../../contract/shapes.js';
import type { OperationOutput } from '../../contract/operations.js';
import { taken, type Context } from '../context.js';
import type { Handlers } from '../handler.js';
import { validateClient } from '../validate-client.js';
import { isRecord, requiredText } from '../validate-value.js';
import { withinClientLimit } from '../limits.js';
import { invalid, Refusal } from '../refusal.js';

type CreateResult = OperationOutput<'addClients'>['createResult'][number];

/** 4.1: clients are validated one by one; what is wrong with one does not touch the others. */
export function addClientsHandler(context: Context): Pick<Handlers, 'addClients'> {
  return {
    addClients: ({ body }) => {
      withinClientLimit(context, body.clients);
      const seen = new Set<string>();
      const createResult = body.clients.map((client) =>
        resultOf(context, client, seen, body.recovery === true),
      );
      return { createResult };
    },
  };
}

function resultOf(
  context: Context,
  given: unknown,
  seen: Set<string>,
  recovery: boolean,
): CreateResult {
  const uuid = echoOf(given);
  try {
    const createdClientId = addOne(context, given, seen, recovery);
    return { uuid, result: SUCCESS, createdClientId };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { uuid, result: error.message };
  }
}

/** A number is no uuid either, but its digits show the sender whose result it is. */
function echoOf(given: unknown): string {
  const uuid = isRecord(given) ? given.uuid : undefined;
  return typeof uuid === 'string' || typeof uuid === 'number' ? String(uuid) : '';
}

function addOne(context: Context, given: unknown, seen: Set<string>, recovery: boolean): number {
  if (!isRecord(given)) throw invalid('A client must be an object.');
  const uuid = requiredText(given.uuid, 'uuid');
  if (seen.has(uuid)) throw invalid('Field [uuid] must be unique within one request.');
  seen.add(uuid);
  const client = validateClient(given, context.card, context.clientRoles);
  const added = context.store.clients.add(client);
  if ('id' in added) return added.id;
  const { holder } = added;
  if (!holder.deleted || !recovery) throw taken(context, holder.deleted, client.fields);
  context.store.clients.restore(holder, client);
  return holder.id;
}
