import type { JSX } from 'preact';
import { type Message, t } from '../../state/language.js';

interface LineProps {
  readonly name: string;
  readonly label: Message;
  readonly isAddress?: boolean;
  readonly value?: string;
  /** Shown while it is empty. */
  readonly hint?: Message;
  readonly required?: boolean;
  readonly pattern?: string;
}

/** A line of text. The form keeps it. */
export const Line = ({ label, hint, value, isAddress, ...rest }: LineProps): JSX.Element => (
  <label class="field">
    <span>{t(label)}</span>
    <input
      {...rest}
      inputMode={isAddress === true ? 'url' : 'text'}
      defaultValue={value}
      placeholder={hint && t(hint)}
      spellcheck={false}
      autocomplete="off"
    />
  </label>
);

interface LinesProps {
  readonly name: string;
  readonly label: Message;
  /** What belongs there. */
  readonly why: Message;
  readonly required?: boolean;
}

/** Several lines of text. */
export const Lines = ({ label, why, name, required = false }: LinesProps): JSX.Element => (
  <div class="lines">
    <label for={name}>{t(label)}</label>
    <p class="soft" id={`${name}-why`}>
      {t(why)}
    </p>
    <textarea
      id={name}
      name={name}
      rows={3}
      required={required}
      spellcheck={false}
      aria-describedby={`${name}-why`}
    />
  </div>
);
