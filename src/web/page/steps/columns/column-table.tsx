import type { JSX } from 'preact';
import { columnsText } from '../../messages/columns.js';
import { t } from '../../state/language.js';
import { ColumnRow } from './column-row.js';
import type { EditProps } from './props.js';

/** One row for each column. The roles are written out: on a narrow screen the rows are no table to look at. */
export const ColumnTable = (props: EditProps): JSX.Element => (
  <table class="columns" role="table" aria-label={t(columnsText.title)}>
    <thead role="rowgroup">
      <tr role="row">
        <th role="columnheader">{t(columnsText.column)}</th>
        <th role="columnheader">{t(columnsText.values)}</th>
        <th role="columnheader">{t(columnsText.becomes)}</th>
        <th role="columnheader">{t(columnsText.sure)}</th>
      </tr>
    </thead>
    <tbody role="rowgroup">
      {props.columns.columns.map((column) => (
        <ColumnRow key={column.index} column={column} {...props} />
      ))}
    </tbody>
  </table>
);
