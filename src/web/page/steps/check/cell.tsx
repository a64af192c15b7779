import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { CheckedCell } from '../../../shared/check.js';
import { checkText } from '../../messages/check.js';
import { about } from '../../state/about.js';
import { t } from '../../state/language.js';
import { CellEditor } from './cell-editor.js';
import type { Mending } from './use-mending.js';

interface CellProps {
  readonly cell: CheckedCell | undefined;
  readonly row: number;
  readonly column: string;
  /** Code of what is wrong with all rows that are shown: it is not said again. */
  readonly known: string | undefined;
  readonly mending: Mending;
}

/** A cell as it stands in the file. A bad one says what is wrong with it; one that can mend its row can be corrected. */
export function Cell({ cell, row, column, known, mending }: CellProps): JSX.Element {
  const isOpen = useSignal(false);
  if (!cell || (cell.problems.length === 0 && !cell.isCorrected && cell.cell === null))
    return <td>{cell?.value}</td>;
  const { value, problems, isCut, isCorrected, cell: sealed } = cell;
  const others = problems.filter(({ code }) => code !== known);
  return (
    <td class={problems.length === 0 && isCorrected ? 'corrected' : 'bad'}>
      <span class="cell-value">
        {value ?? <span class="soft">{t(checkText.empty)}</span>}
        {isCut && '…'}
      </span>
      {isCorrected && (
        <span class="badge">
          {t(problems.length === 0 ? checkText.isCorrected : checkText.stillWrong)}
        </span>
      )}
      {others.length > 0 && (
        <span class="why-bad">{others.map(({ message }) => message).join(' ')}</span>
      )}
      {sealed !== null && about.value?.readOnly === false && (
        <CellEditor
          isOpen={isOpen}
          label={t(checkText.correctCell, row, column)}
          value={about.value.mask ? '' : (value ?? '')}
          onSave={(to) => mending.correct(sealed, to)}
        />
      )}
    </td>
  );
}
