import type { RekeyPayload } from '../../../core/client.js';
import type { ValueSpec } from '../../schema/value.js';
import { InvalidValue } from '../../transforms/step.js';
import type { CompileContext } from '../context.js';
import { toNumber } from '../convert.js';
import { compilePart, missing, type Convert } from '../part.js';
import { compileValue } from '../value-reader.js';
import type { MakePayload } from './make-payload.js';

const NOT_AN_ID = new InvalidValue(
  'not_an_id',
  'This is no client id. An id is a whole number from 1 on.',
);
const whole = toNumber(true);

const toId: Convert<number> = (text) => {
  const id = whole(text);
  return typeof id === 'number' && id < 1 ? NOT_AN_ID : id;
};

/** The client that gets new synchronization identifiers, by its internal id (interface.md 4.6c). */
export function compileRekey(spec: ValueSpec, context: CompileContext): MakePayload<RekeyPayload> {
  const reader = compileValue(spec, ['clientId'], context, { isNumber: true });
  if (reader.constant !== undefined) {
    context.mistake(
      ['clientId'],
      'a constant would mean one client in every row.',
      'Name a column.',
    );
  }
  const part = compilePart(reader, toId, missing('The client id'), context);
  return (_uuid, _fields, cells, problems) => {
    const clientId = part(cells, problems);
    return clientId === null ? null : { clientId };
  };
}
