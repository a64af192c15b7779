import type { Row } from '../../core/table.js';
import { headerName } from '../../core/cell-text.js';
import type { Installation } from '../../installation/installation.js';
import { columnUses, type ColumnUse } from '../../mapping/column-uses.js';
import type { LoadedMapping } from '../../mapping/load.js';
import type { ValueObject } from '../../mapping/schema/value.js';
import { styleOf } from '../../mapping/transforms/number.js';

/** How a column of numbers is used. */
interface NumberUse {
  /** Whether what its cells show is of use, too. */
  readonly isShown: boolean;
  /** What stands before decimals in it; `undefined` where that is found in each cell. */
  readonly decimal: '.' | ',' | undefined;
}

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
    if (asNumber.length === 0) continue;
    const isShown = asNumber.length < own.length;
    const decimal = asNumber.map(({ value }) => decimalSign(value?.transform)).find(Boolean);
    uses.set(names.indexOf(column), { isShown, decimal });
  }
  return uses;
}

function isNumeric({ target, field, value }: ColumnUse, card: Installation['card'] | undefined) {
  if (target === 'clientRoleId' || target === 'operator id') return true;
  if (target === 'field' && field !== undefined && card?.[field]?.type === 'Number') return true;
  const steps = value?.transform === undefined ? [] : [value.transform].flat();
  return steps.some((step) => (typeof step === 'string' ? step === 'number' : 'number' in step));
}

/** What stands before decimals where the transform `number` names a style; `undefined` where each value shows it. */
function decimalSign(transform: ValueObject['transform']): '.' | ',' | undefined {
  for (const step of transform === undefined ? [] : [transform].flat()) {
    if (typeof step === 'string' || !('number' in step)) continue;
    const { decimal, thousands } = step.number ?? {};
    if (decimal !== undefined || thousands !== undefined) return styleOf(decimal, thousands);
  }
  return undefined;
}

/** The row with the numbers themselves where they are wanted, in place of what their formats show. */
function withNumbers(row: Row, uses: NumberUses): Row {
  const { numbers, ...shown } = row;
  if (!numbers) return row;
  const cells = [...row.cells];
  for (const [column, number] of numbers) {
    const use = uses.get(column);
    if (use === undefined) continue;
    const text = cells[column];
    // What is used as both stays as it is shown where that is the same number.
    const isSame = use.isShown && Number(text ?? NaN) === Number(number);
    if (isSame && use.decimal !== ',') continue;
    while (cells.length < column) cells.push(null);
    cells[column] = written(number, use.decimal);
  }
  return { ...shown, cells };
}

/** A number as its column has it, so that its point is not taken for one between thousands. */
function written(number: string, decimal: NumberUse['decimal']): string {
  if (decimal === ',') return number.replace('.', ',');
  return decimal === undefined && MAY_BE_THOUSANDS.test(number) ? `${number}0` : number;
}

const MAY_BE_THOUSANDS = /^-?\d{1,3}\.\d{3}$/;

/** The rows as `withNumbers` gives them. */
export async function* withNumbersIn(
  batches: AsyncIterable<readonly Row[]>,
  uses: NumberUses,
): AsyncGenerator<readonly Row[], void, undefined> {
  for await (const rows of batches)
    yield rows.some(({ numbers }) => numbers) ? rows.map((row) => withNumbers(row, uses)) : rows;
}
