import type { JSX } from 'preact';
import type { ImportChoice, ImportPlan } from '../../../shared/run.js';
import { importText } from '../../messages/import.js';
import { about } from '../../state/about.js';
import { t } from '../../state/language.js';
import { CANARY } from '../../../shared/canary.js';

interface PaceProps {
  readonly plan: ImportPlan;
  readonly onChange: (change: Partial<ImportChoice>) => void;
}

/** A few rows first, whether deleted clients come back, and how fast the others follow. */
export function Pace({ plan, onChange }: PaceProps): JSX.Element {
  const { choice, limits, canary, recovery } = plan;
  const disabled = about.value?.readOnly ?? true;
  return (
    <section aria-label={t(importText.limits)}>
      <label class="check">
        <input
          type="checkbox"
          checked={canary > 0}
          disabled={disabled}
          onChange={(event) => onChange({ canary: event.currentTarget.checked })}
        />
        <span>
          {t(importText.canary, CANARY)} <span class="soft">{t(importText.canaryWhy)}</span>
        </span>
      </label>
      {recovery !== null && (
        <label class="check">
          <input
            type="checkbox"
            checked={recovery}
            disabled={disabled}
            onChange={(event) => onChange({ recovery: event.currentTarget.checked })}
          />
          <span>
            {t(importText.recovery)} <span class="soft">{t(importText.recoveryWhy)}</span>
          </span>
        </label>
      )}
      <div class="fields">
        <Limit
          label={t(importText.requestsPerSecond)}
          value={choice.requestsPerSecond}
          permitted={limits.requestsPerSecond}
          disabled={disabled}
          onChange={(requestsPerSecond) => onChange({ requestsPerSecond })}
        />
        <Limit
          label={t(importText.clientsPerSecond)}
          value={choice.clientsPerSecond}
          permitted={limits.clientsPerSecond}
          disabled={disabled}
          onChange={(clientsPerSecond) => onChange({ clientsPerSecond })}
        />
      </div>
    </section>
  );
}

interface LimitProps {
  readonly label: string;
  readonly value: number | null;
  /** What the installation permits; `null`: anything. */
  readonly permitted: number | null;
  readonly disabled: boolean;
  readonly onChange: (value: number | null) => void;
}

const Limit = ({ label, value, permitted, disabled, onChange }: LimitProps): JSX.Element => (
  <label class="field">
    <span>{label}</span>
    <input
      type="number"
      min={1}
      max={permitted ?? undefined}
      step={1}
      value={value ?? ''}
      disabled={disabled}
      placeholder={permitted === null ? t(importText.anyPace) : t(importText.permitted, permitted)}
      onChange={({ currentTarget }) => {
        const { value: text } = currentTarget;
        const wanted = Math.floor(Number(text));
        if (text === '') onChange(null);
        else if (wanted >= 1) onChange(wanted);
        else currentTarget.value = String(value ?? '');
      }}
    />
  </label>
);
