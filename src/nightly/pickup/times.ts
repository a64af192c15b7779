import { z } from 'zod';
import { duration } from '../../app/options/readers/duration.js';
import { UsageError } from '../../core/errors.js';
import { parseTimeOfDay } from '../../core/time-of-day.js';
import { parseWeekdays } from '../../core/hours.js';

/** A time such as `10s`, in milliseconds. */
export const span = z.string().transform((text, context) => {
  try {
    return duration('it')(text);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    context.addIssue({
      code: 'custom',
      message: 'this is no time. Write it like 90s, 15m, 2h or 30d.',
    });
    return z.NEVER;
  }
});

/** A time of day such as `02:00 Europe/Moscow`. */
export const timeOfDay = z.string().transform((text, context) => {
  const read = parseTimeOfDay(text);
  if (!('mistake' in read)) return read;
  context.addIssue({ code: 'custom', message: read.mistake });
  return z.NEVER;
});

/** Days such as `Mon-Fri`. */
export const weekdays = z.string().transform((text, context) => {
  const days = parseWeekdays(text);
  if (days) return days;
  context.addIssue({
    code: 'custom',
    message: 'these are no days. Write them like Mon-Fri, or Mon, Thu.',
  });
  return z.NEVER;
});
