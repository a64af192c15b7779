import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import type { ImportPlan } from '../../../shared/run.js';
import { importText } from '../../messages/import.js';
import { t } from '../../state/language.js';

interface ConfirmProps {
  readonly plan: ImportPlan;
  /** What the button will do. */
  readonly deed: string;
  readonly typed: Signal<string>;
}

/** What deletes is confirmed by the number of rows. */
export const Confirm = ({ plan: { clients }, deed, typed }: ConfirmProps): JSX.Element => (
  <div class="notice confirm">
    <p>
      <strong>{deed}.</strong> {t(importText.cannotUndo)}
    </p>
    {clients !== null && (
      <label class="field">
        <span>{t(importText.typeNumber, clients)}</span>
        <input
          inputMode="numeric"
          autoComplete="off"
          value={typed.value}
          onInput={(event) => (typed.value = event.currentTarget.value)}
        />
      </label>
    )}
  </div>
);
