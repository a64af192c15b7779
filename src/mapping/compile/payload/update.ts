import type { FieldValue, UpdatePayload } from '../../../core/client.js';
import type { ChangedClient } from '../../schema/client.js';
import { InvalidValue } from '../../transforms/step.js';
import { compileContacts } from '../contacts.js';
import type { CompileContext } from '../context.js';
import type { Fields } from '../fields.js';
import type { MakePayload } from './make-payload.js';

const NOTHING = new InvalidValue(
  'nothing_to_change',
  'The row changes nothing. Fill in a cell beside the synchronization identifiers.',
);

/** What a row changes of a client: fields that have a value, and contacts. A row that has none of them is refused. */
export function compileUpdate(
  spec: ChangedClient,
  { identifiers, others }: Fields,
  context: CompileContext,
): MakePayload<UpdatePayload> {
  const { phones = [], emails = [], addresses = [] } = spec;
  if (others.length + phones.length + emails.length + addresses.length === 0) {
    context.mistake(
      ['client'],
      'mode update needs something to change.',
      'Add a field that does not identify, phones, emails or addresses.',
    );
  }
  const contacts = compileContacts(spec, context);
  return (_uuid, all, cells, problems) => {
    const fields: Record<string, FieldValue> = {};
    for (const [place, { name }] of others.entries()) {
      const value = all[identifiers.length + place] ?? null;
      if (value !== null) fields[name] = value;
    }
    const payload = {
      fields,
      phones: contacts.phones(cells, problems),
      emails: contacts.emails(cells, problems),
      addresses: contacts.addresses(cells, problems),
    };
    if (problems.list.length === 0 && isEmpty(payload)) {
      if (problems.hasSuppressed) problems.leaveRowOut();
      problems.requireFrom(0);
      problems.add(null, NOTHING, null);
    }
    return payload;
  };
}

function isEmpty({ fields, phones, emails, addresses }: UpdatePayload): boolean {
  const contacts = phones.length + emails.length + addresses.length;
  return contacts === 0 && Object.keys(fields).length === 0;
}
