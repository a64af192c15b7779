import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Column } from '../../../shared/columns.js';
import { columnsText } from '../../messages/columns.js';
import { number, t } from '../../state/language.js';
import type { ColumnProps } from './props.js';
import { Sureness } from './sureness.js';
import { TargetBox } from './target-box.js';
import { UseDetails } from './use-details.js';

export function ColumnRow(props: ColumnProps): JSX.Element {
  const { column } = props;
  return (
    <tr role="row" class={column.uses.length === 0 ? 'unused' : ''}>
      <th role="rowheader" scope="row">
        {column.header}
      </th>
      <td role="cell">
        <Examples column={column} />
      </td>
      <td role="cell" class="becomes">
        <Uses {...props} />
      </td>
      <td role="cell">
        <Sureness {...props} />
      </td>
    </tr>
  );
}

/** Values shown of a column. */
const SHOWN = 3;

function Examples({ column: { examples, distinct, filled } }: { readonly column: Column }) {
  if (filled === 0) return <span class="soft">{t(columnsText.empty)}</span>;
  return (
    <ul class="examples">
      {examples.slice(0, SHOWN).map(({ value, count }) => (
        <li>
          <span class="value">{value}</span>
          {count > 1 && <span class="soft">{number(count)}</span>}
        </li>
      ))}
      {distinct > SHOWN && <li class="soft">{t(columnsText.andMore, distinct)}</li>}
    </ul>
  );
}

/** What the column becomes, which may be several things. */
function Uses(props: ColumnProps): JSX.Element {
  const { column, canEdit } = props;
  const isAdding = useSignal(false);
  const { uses } = column;
  return (
    <>
      {(uses.length === 0 ? [null] : uses).map((use, index) => (
        // By its place in the row: what is focused stays so when the column becomes something else.
        <div class="use" key={index}>
          <TargetBox {...props} use={use} />
          {use && <UseDetails {...props} use={use} />}
        </div>
      ))}
      {isAdding.value && (
        <TargetBox {...props} use={null} isMore onDone={() => (isAdding.value = false)} />
      )}
      {uses.length > 0 && canEdit && !isAdding.value && (
        <button
          type="button"
          class="plain more"
          title={t(columnsText.also)}
          aria-label={`${t(columnsText.also)}: ${column.header}`}
          onClick={() => (isAdding.value = true)}
        >
          +
        </button>
      )}
    </>
  );
}
