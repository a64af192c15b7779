import type { JSX } from 'preact';
import type { ResultRows } from '../../../shared/result.js';
import { columnText, resultText } from '../../messages/result.js';
import { LocalTime } from '../../parts/local-time.js';
import { OutcomeName } from '../../parts/outcome-name.js';
import { t } from '../../state/language.js';

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
                <Cell column={column} value={row.cells[at] ?? null} outcome={row.outcome} />
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
  part === 'identifiers' || !columnText[name] ? name : t(columnText[name]);

interface CellProps {
  readonly column: Column;
  readonly value: string | number | null;
  readonly outcome: string;
}

function Cell({ column: { name, part }, value, outcome }: CellProps): JSX.Element {
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
  if (name === 'nextCall' && typeof value === 'number')
    return (
      <td>
        <LocalTime iso={new Date(value).toISOString()} />
      </td>
    );
  if (name === 'callback' && value !== null)
    return <td>{t(value === 'true' ? resultText.yes : resultText.no)}</td>;
  const look = typeof value === 'number' ? 'number' : part === 'problems' ? 'wide' : '';
  return <td class={look}>{value}</td>;
}
