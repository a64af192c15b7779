import type { FieldValue, MappedPayload } from '../../../core/client.js';
import type { Cell } from '../../../core/table.js';
import type { RowProblems } from '../row-problems.js';

/**
 * Makes of a row what its mode sends; `null` when it cannot, and then `problems` says why or there is no uuid.
 * `fields` are all custom fields of the row, identifiers first; `null` where it has no value.
 */
export type MakePayload<P extends MappedPayload = MappedPayload> = (
  uuid: string | null,
  fields: readonly (FieldValue | null)[],
  cells: readonly Cell[],
  problems: RowProblems,
) => P | null;
