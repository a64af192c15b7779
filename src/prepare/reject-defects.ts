import type { Problem } from '../core/problem.js';
import type { RowDefect } from '../core/table/row.js';
import type { MappedRow } from '../mapping/compile.js';

/**
 * The row as mapped, or rejected where the file lacks something that the mapping uses. Such a cell looks empty to the
 * mapping, so that even a row that a filter leaves out cannot be trusted to be left out rightly. Values without a column
 * that the mapping cannot use are a remark.
 * @param used names of the columns that the mapping uses
 */
export function rejectDefects(
  mapped: MappedRow,
  defects: readonly RowDefect[],
  headers: readonly string[],
  used: readonly string[],
): MappedRow {
  const problems: Problem[] = [];
  const remarks: Problem[] = [];
  for (const { column, names, code, message } of defects) {
    const name = column === null ? null : (headers[column] ?? '');
    if (names && !names.some((one) => isOfColumn(one, used)))
      remarks.push({ column: null, code, message: `Left out: ${message}`, value: null });
    else if (name === null || used.includes(name))
      problems.push({ column: name, code, message, value: null });
  }
  if (problems.length === 0) return withRemarks(mapped, remarks);
  // The mapping calls the cell empty; what is wrong with it stands here already.
  const others = mapped.status === 'rejected' ? mapped.problems : [];
  const columns = new Set(problems.map(({ column }) => column));
  problems.push(...others.filter(({ column }) => !columns.has(column)));
  const { uuid, identifiers } = mapped;
  return { status: 'rejected', uuid, identifiers, problems };
}

/** Whether a value stands where a column has its own: within it, such as `phone.0` for `phone`, or around it. */
function isOfColumn(name: string, used: readonly string[]): boolean {
  return used.some(
    (column) => column === name || column.startsWith(`${name}.`) || name.startsWith(`${column}.`),
  );
}

function withRemarks(mapped: MappedRow, remarks: readonly Problem[]): MappedRow {
  if (mapped.status !== 'client' || remarks.length === 0) return mapped;
  return { ...mapped, remarks: [...(mapped.remarks ?? []), ...remarks] };
}
