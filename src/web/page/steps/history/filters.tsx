import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { historyText, modeText, stateText } from '../../messages/history.js';
import { Select } from '../../parts/select.js';
import { t } from '../../state/language.js';
import { filter, type Choices } from './choices.js';

/** How long it is waited for the next letter, in milliseconds. */
const TYPING_MS = 250;

/** Which runs are shown. */
export function Filters({ text, state, mode }: Choices): JSX.Element {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (value: string): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => filter({ text: value }), TYPING_MS);
  };
  return (
    <div class="fields" role="search">
      <label class="field">
        <span>{t(historyText.search)}</span>
        <input
          type="search"
          value={text}
          maxLength={200}
          autoComplete="off"
          onInput={(event) => type(event.currentTarget.value)}
        />
      </label>
      <Select
        label={t(historyText.state)}
        value={state}
        choices={choicesOf(stateText)}
        onChoose={(value) => filter({ state: value })}
      />
      <Select
        label={t(historyText.mode)}
        value={mode}
        choices={choicesOf(modeText)}
        onChoose={(value) => filter({ mode: value })}
      />
    </div>
  );
}

const choicesOf = (words: typeof stateText | typeof modeText) => [
  { value: '', label: t(historyText.any) },
  ...Object.entries(words).map(([value, label]) => ({ value, label: t(label) })),
];
