import type { JSX } from 'preact';
import type { ResultRows } from '../../../shared/result.js';
import { columnText, resultText } from '../../messages/result.js';
import { OutcomeName } from '../../parts/outcome-name.js';
import { language, t } from '../../state/language.js';

/** Rows of a run with the columns of its report. Cells are text, whatever they hold. */
export function RowsTable({
  found: { columns, rows },
}: {
  readonly found: ResultRows;
}): JSX.Element {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={t(resultText.all)}>
      <table class="rows">
        <thead>
          <tr>
            {columns.map((column, at) => (
              <th scope="col" class={isNumber(rows, at) ? 'number' : ''}>
                {nameOf(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {columns.map((column, at) => (
                <Cell part={column.part} value={row.cells[at] ?? null} outcome={row.outcome} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Numbers stand below a header that is aligned like them. */
const isNumber = (rows: ResultRows['rows'], at: number): boolean =>
  rows.every(({ cells }) => typeof cells[at] === 'number' || (cells[at] ?? '') === '');

type Column = ResultRows['columns'][number];

/** Identifiers are called as the card calls them. */
const nameOf = ({ name, part }: Column): string =>
  part === 'identifiers' ? name : (columnText[name]?.[language] ?? name);

interface CellProps {
  readonly part: string;
  readonly value: string | number | null;
  readonly outcome: string;
}

function Cell({ part, value, outcome }: CellProps): JSX.Element {
  if (part === 'row')
    return (
      <th scope="row" class="number">
        {value}
      </th>
    );
  if (part === 'outcome')
    return (
      <td>
        <OutcomeName outcome={outcome} />
      </td>
    );
  const look = typeof value === 'number' ? 'number' : part === 'problems' ? 'wide' : '';
  return <td class={look}>{value}</td>;
}
