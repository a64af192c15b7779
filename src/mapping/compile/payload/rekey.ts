import type { RekeyPayload } from '../../../core/payload.js';
import type { ValueSpec } from '../../schema/value.js';
import { Fault } from '../../transforms/step.js';
import type { CompileContext } from '../context.js';
import { toNumber } from '../convert.js';
import { compilePart, missing, type Convert } from '../part.js';
import { compileReading } from '../reading.js';
import type { MakePayload } from './make-payload.js';

const NOT_AN_ID = new Fault(
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
  const reading = compileReading(spec, ['clientId'], context);
  if (reading.constant !== undefined) {
    context.fault(['clientId'], 'a constant would mean one client in every row.', 'Name a column.');
  }
  const part = compilePart(reading, toId, missing('The client id'), context);
  return (_uuid, _fields, cells, findings) => {
    const clientId = part(cells, findings);
    return clientId === null ? null : { clientId };
  };
}
