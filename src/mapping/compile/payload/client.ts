import { CLIENT_TYPES, type Client, FieldList, type MappedClient } from '../../../core/client.js';
import type { CreatedClient } from '../../schema/client.js';
import type { ValueSpec } from '../../schema/value.js';
import { InvalidValue } from '../../transforms/step.js';
import { isFoundByPhone } from '../../zone-by-phone.js';
import { compileClientZone } from '../times/client-zone.js';
import { compileContacts, phoneNumbers } from '../contacts.js';
import type { CompileContext } from '../context.js';
import { toNumber, toTimeZone, toWord } from '../convert.js';
import type { Fields } from '../fields.js';
import { compilePart, missing, type Convert, type Part } from '../part.js';
import { compileCallable } from '../suppressed.js';
import { compileValue } from '../value-reader.js';
import type { MakePayload } from './make-payload.js';

const NO_PHONE = new InvalidValue(
  'no_phone',
  'The row has no phone. Fill in at least one phone column.',
);

/** A client as it is created (interface.md 2.2). `roles`: those that exist; without them any whole number is one. */
export function compileClient(
  spec: CreatedClient,
  { identifiers, others }: Fields,
  roles: readonly number[] | undefined,
  context: CompileContext,
): MakePayload<MappedClient> {
  const names = [...identifiers, ...others].map(({ name }) => name);
  const role = named('clientRoleId', spec.clientRoleId, toRole(roles), context);
  const kind: Part<Client['type']> = spec.type
    ? named('type', spec.type, toWord(CLIENT_TYPES, 'not_allowed'), context)
    : () => 'SIMPLE';
  const byPhone = isFoundByPhone(spec.timeZone)
    ? compileClientZone(spec.timeZone, spec.phones, context)
    : null;
  const zone = byPhone ? null : named('timeZone', spec.timeZone, toTimeZone, context);
  const contacts = compileContacts(spec, context);
  const keepCallable = compileCallable(context);
  return (uuid, values, cells, problems) => {
    const clientRoleId = role(cells, problems);
    const type = kind(cells, problems);
    let timeZone = zone?.(cells, problems) ?? null;
    const [before, dropped] = [problems.list.length, problems.dropped];
    const phones = contacts.phones(cells, problems);
    // A phone that is there but wrong has been noted already; then its absence is not noted on top.
    if (phones.length === 0 && problems.list.length === before) {
      if (problems.hasSuppressed) problems.leaveRowOut();
      problems.requireFrom(dropped);
      problems.add(null, NO_PHONE, null);
    }
    if (byPhone) timeZone = byPhone(cells, phones, problems);
    keepCallable?.(phoneNumbers(phones), problems);
    const emails = contacts.emails(cells, problems);
    const addresses = contacts.addresses(cells, problems);
    const fields = new FieldList(names, values);
    return uuid === null || clientRoleId === null || type === null || timeZone === null
      ? null
      : { uuid, clientRoleId, type, timeZone, fields, phones, addresses, emails };
  };
}

function named<T>(
  name: 'clientRoleId' | 'type' | 'timeZone',
  spec: ValueSpec,
  convert: Convert<T>,
  context: CompileContext,
): Part<T> {
  const isNumber = name === 'clientRoleId';
  const reader = compileValue(spec, ['client', name], context, { isNumber });
  const part = compilePart(reader, convert, missing(name), context);
  if (reader.constant === undefined || typeof spec === 'string' || spec.transform || spec.map) {
    return part;
  }
  const constant = convert(String(reader.constant));
  return constant instanceof InvalidValue ? part : () => constant;
}

/** A whole number that is a client role. */
export function toRole(roles: readonly number[] | undefined): Convert<number> {
  const whole = toNumber(true);
  if (roles === undefined) return whole;
  const known = new Set(roles);
  const wrong = new InvalidValue(
    'unknown_role',
    `There is no such role. Roles: ${roles.join(', ')}.`,
  );
  return (text) => {
    const role = whole(text);
    return typeof role === 'number' && !known.has(role) ? wrong : role;
  };
}
