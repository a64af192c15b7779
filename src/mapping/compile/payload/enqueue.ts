import type { EmptyPayload } from '../../../core/client.js';
import type { ComparedPhones } from '../../schema/contacts.js';
import { compileCollect, type Collect } from '../collect.js';
import type { CompileContext } from '../context.js';
import { toPhone } from '../convert.js';
import { compileCompared } from '../compared.js';
import { compileSuppressed, compileCallable, countryOf } from '../suppressed.js';
import type { MakePayload } from './make-payload.js';

const NOTHING: EmptyPayload = {};

/**
 * The identifiers say it all; phones are there to be compared, with lists and with those of other rows. A row whose phones
 * are all listed is left out.
 */
export function compileEnqueue(
  phones: ComparedPhones,
  context: CompileContext,
): MakePayload<EmptyPayload> {
  const values = phones.map((phone) => (typeof phone === 'string' ? { column: phone } : phone));
  const country = countryOf(values);
  const collectors = values.map((value, index): Collect<string> => {
    const isListed = compileSuppressed(value, country, context);
    const note = compileCompared(value, country, context);
    const path = ['phones', index];
    return compileCollect(
      value,
      'A phone',
      toPhone,
      path,
      context,
      (phone, _cells, into, problems) => {
        if (isListed?.(phone, problems)) return;
        into.push(phone);
        note?.(phone, problems);
      },
    );
  });
  const keepCallable = phones.length > 0 ? compileCallable(context) : null;
  return (_uuid, _fields, cells, problems) => {
    const free: string[] = [];
    for (const collect of collectors) collect(cells, free, problems);
    if (free.length === 0 && problems.hasSuppressed) problems.leaveRowOut();
    keepCallable?.(free, problems);
    return NOTHING;
  };
}
