import type { JSX } from 'preact';
import { columnsText, phoneTypeText } from '../../messages/columns.js';
import { Select } from '../../parts/select.js';
import { t } from '../../state/language.js';
import { DatePattern } from './date-pattern.js';
import { PhoneCountry } from './phone-country.js';
import type { UseProps } from './props.js';
import { Step } from './step.js';
import { isOfClient, isPhoneType } from './target-words.js';
import { ValueField } from './value-field.js';
import { ValueMap } from './value-map.js';

/** What is done with the cells on their way, in words, and what can be changed of it. */
export function UseDetails(props: UseProps): JSX.Element {
  const { use } = props;
  return (
    <div class="details">
      {use.columns.length > 1 && <p>{t(columnsText.joinedWith, use.columns.join(' + '))}</p>}
      {use.target === 'phones' && <PhoneKind {...props} />}
      {use.steps.map((step) =>
        step.name === 'phone' ? (
          <PhoneCountry {...props} step={step} />
        ) : step.name === 'date' ? (
          <DatePattern {...props} step={step} />
        ) : (
          <Step {...props} step={step} />
        ),
      )}
      <ValueMap {...props} />
      {(use.default !== null || isOfClient(use.target)) && <Default {...props} />}
      {use.blank.length > 0 && <p>{t(columnsText.blankWords, use.blank.join(', '))}</p>}
      {use.problems.length > 0 && <Invalid {...props} />}
    </div>
  );
}

function PhoneKind({ column, editing, canEdit, use }: UseProps): JSX.Element | null {
  const { phoneType } = use;
  if (phoneType === null || !isPhoneType(phoneType)) return null;
  return (
    <Select
      label={t(columnsText.phoneType)}
      value={phoneType}
      choices={Object.entries(phoneTypeText).map(([value, text]) => ({ value, label: t(text) }))}
      disabled={!canEdit}
      onChoose={(type) =>
        void editing.edit({
          ...{ kind: 'become', column: column.header, target: 'phones', at: use.at },
          phoneType: type,
          keys: {},
        })
      }
    />
  );
}

/** What rows without a value have. */
const Default = ({ columns, column, editing, canEdit, use }: UseProps): JSX.Element | null => (
  <ValueField
    label={t(columnsText.emptyBecome)}
    target={columns.targets.find(({ target }) => target === use.target) ?? { ...use, values: [] }}
    value={use.default}
    isOptional
    disabled={!canEdit}
    onSet={(value) =>
      void editing.edit({ kind: 'default', column: column.header, at: use.at, value })
    }
  />
);

/** What becomes of a wrong value: asked where there is one. */
const Invalid = ({ column, editing, canEdit, use }: UseProps): JSX.Element => (
  <Select
    label={t(columnsText.invalid)}
    value={use.invalid}
    choices={[
      { value: 'reject', label: t(columnsText.reject) },
      { value: 'drop', label: t(columnsText.drop) },
    ]}
    disabled={!canEdit}
    onChoose={(value) =>
      void editing.edit({
        ...{ kind: 'invalid', column: column.header, at: use.at },
        invalid: value === 'drop' ? 'drop' : 'reject',
      })
    }
  />
);
