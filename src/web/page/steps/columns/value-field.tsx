import type { JSX } from 'preact';
import type { Target } from '../../../shared/columns.js';
import { Select } from '../../parts/select.js';

interface ValueFieldProps {
  readonly label: string;
  /** What the value is for: some take certain values alone. */
  readonly target: Pick<Target, 'target' | 'values'>;
  readonly value: string | null;
  /** What it says where there is no value. */
  readonly none?: string;
  readonly isOptional: boolean;
  readonly disabled: boolean;
  readonly onSet: (value: string | null) => void;
}

/** A value that many rows have: chosen where few are allowed, else typed. An empty one takes it away. */
export function ValueField(props: ValueFieldProps): JSX.Element {
  const { label, target, value, none = '', isOptional, disabled, onSet } = props;
  const allowed = target.target === 'timeZone' ? timeZones() : target.values;
  const set = (text: string): void => onSet(text === '' ? null : text);
  if (allowed.length === 0)
    return (
      <label class="field">
        <span>{label}</span>
        <input
          type="text"
          value={value ?? ''}
          disabled={disabled}
          onChange={(event) => set(event.currentTarget.value)}
        />
      </label>
    );
  const words = new Set([...(value === null ? [] : [value]), ...allowed]);
  return (
    <Select
      label={label}
      value={value ?? ''}
      choices={[
        ...(isOptional || value === null ? [{ value: '', label: none }] : []),
        ...[...words].map((word) => ({ value: word, label: word })),
      ]}
      disabled={disabled}
      onChoose={set}
    />
  );
}

/** Longest time zone that a client may have. */
const ZONE_LENGTH = 25;

const timeZones = (): string[] =>
  ['UTC', ...Intl.supportedValuesOf('timeZone')].filter(({ length }) => length <= ZONE_LENGTH);
