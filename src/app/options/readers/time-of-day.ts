import { UsageError } from '../../../core/errors.js';
import { parseTimeOfDay } from '../../../core/time-of-day.js';

/** Makes a reader of times such as `06:00 Europe/Moscow` for the option `name`; they stay as they are written. */
export function timeOfDay(name: string) {
  return (value: unknown): string => {
    const text = String(value);
    const read = parseTimeOfDay(text);
    if ('mistake' in read) throw new UsageError(`--${name}: ${read.mistake}`);
    return text;
  };
}
