import { UsageError } from '../../../core/errors.js';
import { MODES } from '../../../core/mode.js';
import type { OptionKind, OptionValues, RunOption } from '../option.js';
import { amount } from './amount.js';
import { duration } from './duration.js';
import { failureLimit } from './failure-limit.js';
import { wholeNumber, wholeNumberOrAuto } from './numbers.js';
import { timeOfDay } from './time-of-day.js';
import { rowRange } from './row-range.js';

type Read<T> = (value: unknown, option: RunOption) => T;

const READERS: { readonly [K in OptionKind]: Read<OptionValues[K]> } = {
  text: (value, { flag }) => textOf(value, flag),
  flag: (value, { flag }) => {
    if (typeof value === 'boolean') return value;
    throw new UsageError(`--${flag} takes true or false, but got "${String(value)}".`);
  },
  count: (value, { flag, min = 0, max }) => wholeNumber(flag, min, max)(value),
  'count or auto': (value, { flag, min = 0, max }) => wholeNumberOrAuto(flag, min, max)(value),
  duration: (value, { flag }) => duration(flag)(value),
  'time of day': (value, { flag }) => timeOfDay(flag)(value),
  amount: (value, { flag }) => amount(flag)(textOf(value, flag)),
  failures: failureLimit,
  mode: (value, { flag }) => {
    const mode = MODES.find((name) => name === value);
    if (mode) return mode;
    throw new UsageError(`--${flag} takes one of: ${MODES.join(', ')}.`);
  },
  names: (value, { flag }) =>
    (Array.isArray(value) ? value : textOf(value, flag).split(',')).map((name) =>
      textOf(name, flag).trim(),
    ),
  'row range': (value, { flag }) => rowRange(flag)(value),
  sheet: (value, { flag }) => (typeof value === 'number' ? value : textOf(value, flag)),
};

/**
 * Reads the value of an option as a file of settings has it, by the option's kind.
 * @throws UsageError, which begins with the option's flag
 */
export const readOption = (value: unknown, option: RunOption): OptionValues[OptionKind] =>
  READERS[option.kind](value, option);

function textOf(value: unknown, flag: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  if (typeof value === 'number') return String(value);
  throw new UsageError(`--${flag} takes text.`);
}
