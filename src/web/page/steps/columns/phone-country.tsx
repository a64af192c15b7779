import type { JSX } from 'preact';
import { columnsText } from '../../messages/columns.js';
import { Select } from '../../parts/select.js';
import { language, t } from '../../state/language.js';
import type { StepProps } from './props.js';
import { optionsOf } from './step.js';

/** Which country numbers without a country code are of. */
export function PhoneCountry({
  columns,
  column,
  editing,
  canEdit,
  use,
  step,
}: StepProps): JSX.Element {
  const options = optionsOf(step);
  const country = typeof options['country'] === 'string' ? options['country'].toUpperCase() : '';
  const names = new Intl.DisplayNames(language, { type: 'region' });
  const choices = columns.countries
    .map((code) => ({ value: code, label: names.of(code) ?? code }))
    .sort((a, b) => a.label.localeCompare(b.label, language));
  const choose = (value: string): void => {
    const { country: _country, ...others } = options;
    const chosen = value === '' ? others : { country: value, ...others };
    void editing.edit({
      ...{ kind: 'step', column: column.header, at: use.at },
      step: { phone: chosen },
    });
  };
  return (
    <Select
      label={t(columnsText.country)}
      value={country}
      choices={[{ value: '', label: t(columnsText.noCountry) }, ...choices]}
      disabled={!canEdit}
      onChoose={choose}
    />
  );
}
