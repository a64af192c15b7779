import type { Address, ClientType, Email, FieldValue, Phone } from '../../core/card.js';
import type { Installation } from '../../core/installation.js';
import type { Cell } from '../../core/row.js';
import type { LoadedMapping } from '../load.js';
import { Fault } from '../transforms/step.js';
import { compileAddress, compileEmail, compilePhone, type Collect } from './contacts.js';
import type { CompileContext } from './context.js';
import { toFilledText, toNumber, toTimeZone, toWord } from './convert.js';
import { compileFields, type Fields } from './fields.js';
import type { Findings } from './findings.js';
import { compilePart, missing, type Convert, type Part } from './part.js';
import { compileReading } from './reading.js';
import { canonicalJson, uuidOf } from './uuid.js';

type Cells = readonly Cell[];

/** Everything that makes up a client, each part a function of the row. */
export interface ClientParts extends Fields {
  uuid(
    cells: Cells,
    identifiers: readonly (string | number | null)[],
    fields: Readonly<Record<string, FieldValue>>,
    findings: Findings,
  ): string | null;
  readonly clientRoleId: Part<number>;
  readonly type: Part<ClientType>;
  readonly timeZone: Part<string>;
  phones(cells: Cells, findings: Findings): Phone[];
  emails(cells: Cells, findings: Findings): Email[];
  addresses(cells: Cells, findings: Findings): Address[];
}

interface Surroundings {
  readonly card?: Installation['card'] | undefined;
  readonly clientRoles?: readonly number[] | undefined;
}

const NO_PHONE = new Fault('no_phone', 'The row has no phone. Fill in at least one phone column.');

export function compileClient(
  { client, uuid }: LoadedMapping,
  { card, clientRoles }: Surroundings,
  types: readonly ClientType[],
  context: CompileContext,
): ClientParts {
  const fields = compileFields(client.fields, card, context);
  const all = <S, T>(specs: readonly S[], key: string, compile: Compile<S, T>): Collect<T>[] =>
    specs.map((spec, index) => compile(spec, ['client', key, index], context));
  const phones = all(client.phones, 'phones', compilePhone);
  return {
    ...fields,
    uuid: compileUuid(uuid, fields, card !== undefined, context),
    clientRoleId: named('clientRoleId', client.clientRoleId, toRole(clientRoles), context),
    type: client.type
      ? named('type', client.type, toWord(types, 'not_allowed'), context)
      : () => 'SIMPLE',
    timeZone: named('timeZone', client.timeZone, toTimeZone, context),
    phones: atLeastOne(phones),
    emails: gather(all(client.emails ?? [], 'emails', compileEmail)),
    addresses: gather(all(client.addresses ?? [], 'addresses', compileAddress)),
  };
}

type Compile<S, T> = (spec: S, path: (string | number)[], context: CompileContext) => Collect<T>;

function named<T>(
  name: 'clientRoleId' | 'type' | 'timeZone',
  spec: LoadedMapping['client']['timeZone'],
  convert: Convert<T>,
  context: CompileContext,
): Part<T> {
  const reading = compileReading(spec, ['client', name], context);
  const part = compilePart(reading, convert, missing(name), context);
  if (reading.constant === undefined || typeof spec === 'string' || spec.transform || spec.map) {
    return part;
  }
  const constant = convert(String(reading.constant));
  return constant instanceof Fault ? part : () => constant;
}

function toRole(roles: readonly number[] | undefined): Convert<number> {
  const whole = toNumber(true);
  if (roles === undefined) return whole;
  const known = new Set(roles);
  const wrong = new Fault('unknown_role', `There is no such role. Roles: ${roles.join(', ')}.`);
  return (text) => {
    const role = whole(text);
    return typeof role === 'number' && !known.has(role) ? wrong : role;
  };
}

function gather<T>(collectors: readonly Collect<T>[]): (cells: Cells, findings: Findings) => T[] {
  return (cells, findings) => {
    const found: T[] = [];
    for (const collect of collectors) collect(cells, found, findings);
    return found;
  };
}

/** A phone that is there but wrong has been noted already; then its absence is not noted on top. */
function atLeastOne(collectors: readonly Collect<Phone>[]): ClientParts['phones'] {
  const phones = gather(collectors);
  return (cells, findings) => {
    const before = findings.problems.length;
    const found = phones(cells, findings);
    if (found.length === 0 && findings.problems.length === before) {
      findings.add(null, NO_PHONE, null);
    }
    return found;
  };
}

/**
 * The column that the mapping names, or a UUIDv5 of the synchronization identifiers, so that the same lead has the
 * same UUID in every file. Without a card nothing says what identifies, and all fields do.
 */
function compileUuid(
  spec: LoadedMapping['uuid'],
  { identifiers, others }: Fields,
  hasCard: boolean,
  context: CompileContext,
): ClientParts['uuid'] {
  if (spec !== undefined) {
    const reading = compileReading(spec, ['uuid'], context);
    if (reading.constant !== undefined) {
      context.fault(['uuid'], 'a constant would give every row the same UUID.', 'Name a column.');
    }
    const part = compilePart(reading, toFilledText, missing('The UUID'), context);
    return (cells, _identifiers, _fields, findings) => part(cells, findings);
  }
  if (!hasCard) {
    const names = others.map(({ name }) => name);
    const json = canonicalJson(names);
    return (_cells, _identifiers, fields) =>
      uuidOf(json(names.map((name) => fields[name] ?? null)));
  }
  const json = canonicalJson(identifiers.map(({ name }) => name));
  return (_cells, values) => (values.includes(null) ? null : uuidOf(json(values)));
}
