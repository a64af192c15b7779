import type { FieldValue } from '../../../core/card.js';
import type { Payload } from '../../../core/mode.js';
import type { Cell } from '../../../core/row.js';
import type { Findings } from '../findings.js';

/**
 * Makes of a row what its mode sends; `null` when it cannot, and then the findings say why or there is no uuid.
 * `fields` are all custom fields of the row that have a value, identifiers first.
 */
export type MakePayload<P extends Payload = Payload> = (
  uuid: string | null,
  fields: Readonly<Record<string, FieldValue>>,
  cells: readonly Cell[],
  findings: Findings,
) => P | null;
