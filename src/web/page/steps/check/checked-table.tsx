import type { JSX } from 'preact';
import type { CheckedRow, CheckedRows } from '../../../shared/check.js';
import { checkText } from '../../messages/check.js';
import { number, t } from '../../state/language.js';
import { Cell } from './cell.js';
import type { Mending } from './use-mending.js';

interface CheckedTableProps {
  readonly caption: string;
  readonly shown: CheckedRows;
  /** Whether the rows are checked again just now. */
  readonly isOld: boolean;
  /** Code of what is wrong with all of them: it is not said again. */
  readonly known: string | undefined;
  readonly mending: Mending;
}

/** Rows with their bad cells marked. */
export function CheckedTable(props: CheckedTableProps): JSX.Element {
  const { caption, shown, isOld, known, mending } = props;
  const { columns, rows } = shown;
  const othersOf = ({ problems }: CheckedRow): string[] =>
    problems.filter(({ code }) => code !== known).map(({ message }) => message);
  const hasOthers = rows.some((row) => othersOf(row).length > 0);
  const hasSheets = new Set(rows.map(({ sheet }) => sheet)).size > 1;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={caption} aria-busy={isOld}>
      <table class="checked">
        <caption>
          {caption}
          {isOld && ` · ${t(checkText.checkedAgain)}`}
        </caption>
        <thead>
          <tr>
            <th scope="col" class="number">
              {t(hasSheets ? checkText.sheetRow : checkText.row)}
            </th>
            {columns.map((name) => (
              <th scope="col">{name}</th>
            ))}
            {hasOthers && <th scope="col">{t(checkText.alsoWrong)}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.sheet ?? ''} ${row.row}`}>
              <th scope="row" class="number">
                {hasSheets && `${row.sheet ?? ''}, `}
                {number(row.row)}
              </th>
              {columns.map((column, at) => (
                <Cell
                  cell={row.cells[at]}
                  row={row.row}
                  column={column}
                  known={known}
                  mending={mending}
                />
              ))}
              {hasOthers && <td class="others">{othersOf(row).join(' ')}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
