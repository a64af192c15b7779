import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { BeginWith, Columns } from '../../../shared/columns.js';
import { columnsText } from '../../messages/columns.js';
import { type Choice, Select } from '../../parts/select.js';
import { t } from '../../state/language.js';
import type { EditProps } from './props.js';
import { SaveForm } from './save-form.js';

const NOW = '';
const SUGGESTED = 'suggested';
const SAVED = 'saved:';

/** Which mapping it is, another one to begin with, and a name to save it under. */
export function MappingBar({ columns, editing, canEdit }: EditProps): JSX.Element {
  const asked = useSignal<string | null>(null);
  const take = (value: string): void => {
    asked.value = null;
    void editing.use(beginWith(value));
  };
  const choose = (value: string): void => {
    if (value === NOW) asked.value = null;
    // What is saved under a name can be chosen again, and so can a suggestion; anything else would be lost.
    else if (columns.list.isUnsaved && !columns.isDraft) asked.value = value;
    else take(value);
  };
  return (
    <section class="mapping-bar" aria-label={t(columnsText.mapping)}>
      <div class="fields">
        <Select
          label={t(columnsText.mapping)}
          value={asked.value ?? NOW}
          choices={choicesOf(columns)}
          disabled={!canEdit}
          onChoose={choose}
        />
        {canEdit && <SaveForm columns={columns} editing={editing} />}
      </div>
      {asked.value !== null && (
        <div class="notice" role="alert">
          <p>{t(columnsText.replaceWork, nameOf(asked.value))}</p>
          <div class="buttons">
            <button type="button" onClick={() => take(asked.value ?? NOW)}>
              {t(columnsText.replace)}
            </button>
            <button type="button" class="plain" onClick={() => (asked.value = null)}>
              {t(columnsText.cancel)}
            </button>
          </div>
        </div>
      )}
    </section>
  );
}

function choicesOf({ saved, list }: Columns): Choice[] {
  const now =
    list.mapping === null
      ? t(columnsText.asNow)
      : t(columnsText.fromName, list.mapping, list.isUnsaved);
  return [
    { value: NOW, label: now },
    { value: SUGGESTED, label: `${t(columnsText.beginWith)} ${t(columnsText.suggestion)}` },
    ...saved.map((name) => ({ value: SAVED + name, label: `${t(columnsText.beginWith)} ${name}` })),
  ];
}

const nameOf = (value: string): string =>
  value === SUGGESTED ? t(columnsText.suggestion) : value.slice(SAVED.length);

const beginWith = (value: string): BeginWith =>
  value === SUGGESTED ? { kind: 'suggested' } : { kind: 'saved', name: value.slice(SAVED.length) };
