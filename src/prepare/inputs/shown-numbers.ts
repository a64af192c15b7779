import type { Row } from '../../core/table/row.js';
import { headerName } from '../../core/text/header-name.js';
import type { Installation } from '../../installation/installation.js';
import { columnUses, type ColumnUse } from '../../mapping/columns/column-uses.js';
import type { LoadedMapping } from '../../mapping/load.js';

/** What a column of numbers is used for: as numbers alone, or as what its cells show, too. */
type NumberUse = 'number' | 'both';

/** By the index of a column; columns that are not there are used as what they show. */
export type NumberUses = ReadonlyMap<number, NumberUse>;

/** Which columns the mapping takes as numbers: those of fields of numbers, and those that it makes numbers of. */
export function numberUses(
  mapping: LoadedMapping,
  card: Installation['card'] | undefined,
  headers: readonly string[],
): NumberUses {
  const names = headers.map(headerName);
  const uses = new Map<number, NumberUse>();
  const all = columnUses(mapping).filter(({ target }) => target !== 'shown' && target !== 'filter');
  for (const column of new Set(all.map((use) => use.column))) {
    const own = all.filter((use) => use.column === column);
    const asNumber = own.filter((use) => isNumeric(use, card));
    if (asNumber.length > 0)
      uses.set(names.indexOf(column), asNumber.length === own.length ? 'number' : 'both');
  }
  return uses;
}

function isNumeric({ target, field, value }: ColumnUse, card: Installation['card'] | undefined) {
  if (target === 'clientRoleId' || target === 'operator id') return true;
  if (target === 'field' && field !== undefined && card?.[field]?.type === 'Number') return true;
  const steps = value?.transform === undefined ? [] : [value.transform].flat();
  return steps.some((step) => (typeof step === 'string' ? step === 'number' : 'number' in step));
}

/** The row with the numbers themselves where they are wanted, in place of what their formats show. */
function withNumbers(row: Row, uses: NumberUses): Row {
  const { numbers, ...shown } = row;
  if (!numbers) return row;
  const cells = [...row.cells];
  for (const [column, number] of numbers) {
    const use = uses.get(column);
    const text = cells[column];
    // What is used as both stays as it is shown where that is the same number.
    if (use === 'number' || (use === 'both' && Number(text ?? NaN) !== Number(number))) {
      while (cells.length < column) cells.push(null);
      cells[column] = number;
    }
  }
  return { ...shown, cells };
}

/** The rows as `withNumbers` gives them. */
export async function* withNumbersIn(
  batches: AsyncIterable<readonly Row[]>,
  uses: NumberUses,
): AsyncGenerator<readonly Row[], void, undefined> {
  for await (const rows of batches)
    yield rows.some(({ numbers }) => numbers) ? rows.map((row) => withNumbers(row, uses)) : rows;
}
