import type { JSX } from 'preact';
import type { ColumnUse } from '../../../shared/columns.js';
import { columnsText } from '../../messages/columns.js';
import { Combobox } from '../../parts/combobox.js';
import { t } from '../../state/language.js';
import type { ColumnProps } from './props.js';
import { chosenTarget, targetName, targetOptions } from './target-words.js';

interface TargetBoxProps extends ColumnProps {
  /** `null`: the column becomes nothing yet, or one thing more. */
  readonly use: ColumnUse | null;
  readonly isMore?: boolean;
  readonly onDone?: () => void;
}

/** What a column becomes: a list that can be searched. */
export function TargetBox(props: TargetBoxProps): JSX.Element {
  const { columns, column, editing, canEdit, use, isMore = false, onDone } = props;
  const choose = (value: string): void => {
    onDone?.();
    const { target, isJoined } = chosenTarget(value);
    if (target === null && isMore) return;
    const { phoneType } = column.suggested;
    void editing.edit({
      ...{ kind: 'become', column: column.header, target },
      ...(isMore ? { at: 'new' } : use ? { at: use.at } : {}),
      ...(isJoined ? { join: true } : {}),
      ...(target === 'phones' && phoneType !== null ? { phoneType } : {}),
    });
  };
  return (
    <Combobox
      label={t(isMore ? columnsText.alsoFor : columnsText.becomesOf, column.header)}
      value={use?.target ?? ''}
      shown={
        use ? targetName(use.target, columns.targets) : isMore ? '' : t(columnsText.notImported)
      }
      options={() => targetOptions(columns, column.header)}
      disabled={!canEdit}
      onChoose={choose}
    />
  );
}
