import { z } from 'zod';
import { columnName } from '../../config/scalar.js';
import { report, valueMistakes, valueShape } from './value.js';

/** A value, or one that is found by the phone where the column has none. */
const zoneObject = z
  .strictObject({
    ...valueShape,
    phone: z
      .boolean()
      .optional()
      .describe(
        'Whether the first digits of the phone say the time zone where the column does not. Default: false.',
      ),
    ambiguous: z
      .enum(['default', 'reject', 'first'])
      .optional()
      .describe(
        'What counts where the first digits of the phone belong to several zones: default: the default; reject: the ' +
          'row is rejected; first: the first of them. Default: default.',
      ),
  })
  .check((context) => {
    const { phone, ambiguous, ...value } = context.value;
    if (phone !== true) report(valueMistakes(value), context);
    else if (
      Object.keys(value).some(
        (key) => key !== 'default' && value[key as keyof typeof value] !== undefined,
      )
    )
      report(valueMistakes(value), context);
    if (ambiguous !== undefined && phone !== true)
      report(['"ambiguous" belongs beside "phone: true".'], context);
  })
  .meta({ id: 'timeZone' });

/** The time zone of a client. */
export const clientZone = z
  .union([columnName, zoneObject])
  .describe('Time zone of the client, up to 25 characters.');

export type ClientZoneSpec = z.output<typeof clientZone>;
export type ZoneByPhoneSpec = Exclude<ClientZoneSpec, string>;
