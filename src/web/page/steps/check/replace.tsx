import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Mends } from '../../../shared/check.js';
import { checkText } from '../../messages/check.js';
import { t } from '../../state/language.js';

type Offer = NonNullable<Mends['values'][number]['replace']>;

interface ReplaceProps {
  readonly value: string;
  readonly offer: Offer;
  readonly onRule: (rule: string, to: string) => Promise<boolean>;
}

/** Another value in the place of one, in all rows that have it. */
export function Replace({ value, offer, onRule }: ReplaceProps): JSX.Element {
  const to = useSignal('');
  const label = t(checkText.replaceBy, value);
  const choose = (event: { readonly currentTarget: { readonly value: string } }): void => {
    to.value = event.currentTarget.value;
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    if (to.value !== '') void onRule(offer.rule, to.value);
  };
  return (
    <form class="replace" onSubmit={submit}>
      {offer.choices ? (
        <select aria-label={label} value={to.value} onChange={choose} required>
          <option value="">{t(checkText.choose)}</option>
          {offer.choices.map((choice) => (
            <option value={choice}>{choice}</option>
          ))}
        </select>
      ) : (
        <input
          aria-label={label}
          placeholder={label}
          value={to.value}
          autocomplete="off"
          onInput={choose}
          required
        />
      )}
      <button type="submit">{t(checkText.replaceIn, offer.rows, offer.isMin)}</button>
    </form>
  );
}
