import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Columns } from '../../../shared/columns.js';
import { columnsText } from '../../messages/columns.js';
import { t } from '../../state/language.js';
import type { Editing } from './editing.js';

interface SaveFormProps {
  readonly columns: Columns;
  readonly editing: Editing;
}

/** Saves the mapping under a name. One that is there already is replaced only when the person says so. */
export function SaveForm({ columns, editing }: SaveFormProps): JSX.Element {
  const { mapping, isUnsaved } = columns.list;
  const name = useSignal(mapping ?? '');
  const taken = useSignal<string | null>(null);
  const trimmed = name.value.trim();
  const save = async (overwrite: boolean): Promise<void> => {
    taken.value = null;
    await editing.save(trimmed, overwrite);
    if (editing.problem.value?.code !== 'name_taken') return;
    editing.problem.value = null;
    taken.value = trimmed;
  };
  return (
    <form
      class="save"
      onSubmit={(event) => {
        event.preventDefault();
        if (trimmed !== '') void save(false);
      }}
    >
      <label class="field">
        <span>{t(columnsText.name)}</span>
        <input
          type="text"
          value={name.value}
          maxLength={100}
          required
          onInput={(event) => (name.value = event.currentTarget.value)}
        />
      </label>
      <button type="submit">{t(columnsText.save)}</button>
      <p class="soft" role="status">
        {isUnsaved || mapping === null
          ? isUnsaved && t(columnsText.keptHere)
          : t(columnsText.saved, mapping)}
      </p>
      {taken.value !== null && (
        <div class="notice" role="alert">
          <p>{t(columnsText.taken, taken.value)}</p>
          <div class="buttons">
            <button type="button" onClick={() => void save(true)}>
              {t(columnsText.replace)}
            </button>
            <button type="button" class="plain" onClick={() => (taken.value = null)}>
              {t(columnsText.cancel)}
            </button>
          </div>
        </div>
      )}
    </form>
  );
}
