import type { ContactsPayload } from '../../../core/client.js';
import type { Path } from '../../../config/path.js';
import type { ClientWithStatuses } from '../../schema/client.js';
import type { StatusSpec } from '../../schema/contacts.js';
import { InvalidValue } from '../../transforms/step.js';
import { compileCollect, gatherAll, type Collect, type Gather } from '../collect.js';
import type { CompileContext } from '../context.js';
import { toEmail, toFilledText, toPhone } from '../convert.js';
import { compileCompared, type NotePhone } from '../compared.js';
import { compileFlag } from '../flag.js';
import { missing, type Convert } from '../part.js';
import { countryOf } from '../suppressed.js';
import type { MakePayload } from './make-payload.js';

const NO_CONTACT = new InvalidValue(
  'no_contact',
  'The row has no contact that could get a status. Fill in a phone, an e-mail address or an address.',
);

/** The statuses that a row gives to contacts (interface.md 4.4, 4.6, 4.6b). A row without any is refused. */
export function compileStatuses(
  { phones, emails, addresses }: ClientWithStatuses,
  context: CompileContext,
): MakePayload<ContactsPayload> {
  const found = {
    phones: statuses(phones, 'phones', 'phone', toPhone, context, compareAll(phones, context)),
    emails: statuses(emails, 'emails', 'e-mail address', toEmail, context),
    addresses: statuses(addresses, 'addresses', 'address', toFilledText, context),
  };
  return (_uuid, _fields, cells, problems) => {
    const payload = {
      phones: found
        .phones(cells, problems)
        .map(({ contact, active }) => ({ phoneNumber: contact, active })),
      emails: found
        .emails(cells, problems)
        .map(({ contact, active }) => ({ email: contact, active })),
      addresses: found
        .addresses(cells, problems)
        .map(({ contact, active }) => ({ address: contact, active })),
    };
    const count = payload.phones.length + payload.emails.length + payload.addresses.length;
    if (problems.list.length === 0 && count === 0) {
      problems.requireFrom(0);
      problems.add(null, NO_CONTACT, null);
    }
    return payload;
  };
}

type CompilePhone = (spec: StatusSpec) => NotePhone | null;

/** Notes the phones of all entries for the search of duplicates. */
function compareAll(
  specs: readonly StatusSpec[] | undefined,
  context: CompileContext,
): CompilePhone {
  const country = countryOf(specs);
  return (spec) => compileCompared(spec, country, context);
}

interface Status {
  readonly contact: string;
  readonly active: boolean;
}

/** Compiles the entries of one kind; the same contact twice is one, unless the statuses differ. */
function statuses(
  specs: readonly StatusSpec[] | undefined,
  key: 'phones' | 'emails' | 'addresses',
  noun: string,
  convert: Convert<string>,
  context: CompileContext,
  comparing: CompilePhone = () => null,
): Gather<Status> {
  const contradiction = new InvalidValue(
    'two_statuses',
    `The same ${noun} gets two different statuses. Keep one of them.`,
  );
  const compile = (spec: StatusSpec, path: Path): Collect<Status> => {
    const required = missing(`The status of the ${noun}`);
    const status = compileFlag(spec.active, required, [...path, 'active'], context);
    const what = `The ${noun}`;
    const note = comparing(spec);
    return compileCollect(spec, what, convert, path, context, (contact, cells, into, problems) => {
      const active = status(cells, problems);
      if (active === null) return;
      const same = into.find((other) => other.contact === contact);
      if (same === undefined) {
        into.push({ contact, active });
        note?.(contact, problems);
      } else if (same.active !== active) problems.add(null, contradiction, null);
    });
  };
  return gatherAll(specs, key, compile, context);
}
