import type { JSX } from 'preact';

export interface Choice {
  readonly value: string;
  readonly label: string;
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly Choice[];
  readonly disabled?: boolean;
  readonly onChoose: (value: string) => void;
}

/** A labelled list to choose one of. */
export const Select = ({ label, value, choices, disabled, onChoose }: SelectProps): JSX.Element => (
  <label class="field">
    <span>{label}</span>
    <select
      value={value}
      disabled={disabled ?? false}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      {choices.map((choice) => (
        <option value={choice.value} selected={choice.value === value}>
          {choice.label}
        </option>
      ))}
    </select>
  </label>
);
