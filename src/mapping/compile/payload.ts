import type { EmptyPayload } from '../../core/client.js';
import type { Mapping } from '../mapping.js';
import type { CompileContext } from './context.js';
import type { Fields, OtherFields } from './fields.js';
import { compileCallback } from './payload/callback.js';
import { compileClient } from './payload/client.js';
import { compileEnqueue } from './payload/enqueue.js';
import { compileDequeue } from './payload/dequeue.js';
import type { MakePayload } from './payload/make-payload.js';
import { compileRekey } from './payload/rekey.js';
import { compileStatuses } from './payload/statuses.js';
import { compileUpdate } from './payload/update.js';

/** Compiles what the mode of a mapping makes of a row. */
export function compilePayload(
  mapping: Mapping,
  fields: Fields,
  clientRoles: readonly number[] | undefined,
  context: CompileContext,
): MakePayload {
  switch (mapping.mode) {
    case 'create':
    case 'upsert':
      return compileClient(mapping.client, fields, clientRoles, context);
    case 'update':
      return compileUpdate(mapping.client, fields, context);
    case 'dequeue':
      return compileDequeue(mapping.cancelCallbacks, context);
    case 'contacts':
      return compileStatuses(mapping.client, context);
    case 'callbacks':
      return compileCallback(mapping.callback, context);
    case 'rekey':
      return compileRekey(mapping.clientId, context);
    case 'enqueue':
      return compileEnqueue(mapping.phones ?? [], context);
    case 'delete':
      return () => NOTHING;
  }
}

const NOTHING: EmptyPayload = {};

/** What the mode of a mapping does with the fields that do not identify. */
export function otherFieldsOf(mapping: Mapping, borrowed: boolean): OtherFields {
  switch (mapping.mode) {
    case 'create':
    case 'upsert':
      return 'sent';
    case 'update':
      return 'changed';
    default:
      return borrowed ? 'ignored' : 'refused';
  }
}
